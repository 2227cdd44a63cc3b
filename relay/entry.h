/*
 * The file that `crosshook install` writes for an agent and names in each of its entries (`--entry=PATH`): where the
 * program, its state and its engine are, which variables of the agent's environment are ignored, and what to tell the
 * agent when crosshook cannot answer. Lines of fields with a tab between them; `\\`, `\t` and `\n` in them are escaped.
 *
 *   crosshook entry 1
 *   program  NODE  MAIN_FILE  OPTION…   options are those of Node
 *   engine   SOCKET  KEY_FILE
 *   resident SOCKET  USER               in place of `engine`: that of a managed installation, and the number of the user
 *                                       who must own it; nothing else answers, and the cold path is not taken
 *   keep     NAME                       whatever the next lines say
 *   clear    NAME                       a star at the end stands for any rest
 *   set      NAME=VALUE
 *   refuse   EVENT  SECONDS  CODE  STDOUT  STDERR      `%REASON%` stands for a sentence
 *   tell     EVENT  SECONDS  CODE  STDOUT  STDERR      the same where nothing is to be refused
 *   end
 *
 * Without the C library, for early.c. Texts point into the file's bytes.
 */

#ifndef CROSSHOOK_ENTRY_H
#define CROSSHOOK_ENTRY_H

#include <stddef.h>

#define MAX_ENTRY ((size_t)64 * 1024)
#define MAX_RULES 256

struct text {
  const char *at;
  size_t size;
};

struct rule {
  struct text name; /* without the star */
  int is_prefix, keeps;
  const char *set; /* `NAME=VALUE`, or NULL: it is cleared */
  size_t set_size;
};

struct entry {
  const char *replies, *end; /* the lines from the first reply on */
  struct text node, main_file, flags, socket, key; /* flags: with a tab between them */
  long owner; /* uid of a managed installation's socket; -1: not managed */
  struct rule rules[MAX_RULES];
  size_t rule_count;
};

/* The reply to print, and how long the agent waits. */
struct reply {
  int refuses;
  long seconds, code;
  struct text out, err;
};

static inline int text_is(struct text text, const char *other) {
  size_t i = 0;
  while (i < text.size && other[i] != '\0' && text.at[i] == other[i]) i++;
  return i == text.size && other[i] == '\0';
}

/* Takes the next field from the front of a line. */
static inline struct text next_field(struct text *line) {
  struct text field = {line->at, 0};
  while (field.size < line->size && line->at[field.size] != '\t') field.size++;
  size_t taken = field.size + (field.size < line->size);
  line->at += taken, line->size -= taken;
  return field;
}

static inline int next_line(const char **at, const char *end, struct text *line) {
  if (*at >= end) return 0;
  line->at = *at, line->size = 0;
  while (*at < end && **at != '\n') ++*at, line->size++;
  if (*at < end) ++*at;
  return 1;
}

static inline long number_of(struct text text) {
  long value = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.at[i] < '0' || text.at[i] > '9' || value > 1000000) return -1;
    value = value * 10 + (text.at[i] - '0');
  }
  return text.size > 0 ? value : -1;
}

static inline int add_rule(struct entry *entry, struct text line, char kind) {
  int sets = kind == 's';
  struct rule *rule = &entry->rules[entry->rule_count];
  if (entry->rule_count == MAX_RULES) return 0;
  entry->rule_count++;
  rule->name = (struct text){line.at, 0};
  while (rule->name.size < line.size && line.at[rule->name.size] != '=' && line.at[rule->name.size] != '*') rule->name.size++;
  rule->is_prefix = !sets && rule->name.size < line.size;
  rule->keeps = kind == 'k';
  rule->set = sets ? line.at : NULL;
  rule->set_size = sets ? line.size : 0;
  return !sets || rule->name.size < line.size;
}

/* False when the bytes are not a complete entry file. Replies are parsed only when one is needed. */
static inline int parse_entry(const char *bytes, size_t size, struct entry *entry) {
  struct text line;
  const char *at = bytes, *end = bytes + size;
  entry->rule_count = 0;
  entry->owner = -1;
  entry->node.size = entry->main_file.size = entry->flags.size = entry->socket.size = entry->key.size = 0;
  if (size < 5 || !text_is((struct text){end - 5, 5}, "\nend\n")) return 0;
  if (!next_line(&at, end, &line) || !text_is(line, "crosshook entry 1")) return 0;
  for (const char *start = at; next_line(&at, end, &line); start = at) {
    struct text kind = next_field(&line);
    entry->replies = start, entry->end = end;
    if (text_is(kind, "program")) entry->node = next_field(&line), entry->main_file = next_field(&line), entry->flags = line;
    else if (text_is(kind, "engine")) entry->socket = next_field(&line), entry->key = next_field(&line);
    else if (text_is(kind, "resident")) {
      entry->socket = next_field(&line);
      entry->owner = number_of(next_field(&line));
      if (entry->owner < 0) return 0;
    } else if (text_is(kind, "clear") || text_is(kind, "set") || text_is(kind, "keep")) {
      if (!add_rule(entry, line, kind.at[0])) return 0;
    } else break;
  }
  return entry->node.size > 0 && entry->main_file.size > 0;
}

static inline int find_reply(const struct entry *entry, const char *event, struct reply *reply) {
  struct text line;
  for (const char *at = entry->replies; next_line(&at, entry->end, &line);) {
    struct text kind = next_field(&line);
    int refuses = text_is(kind, "refuse");
    if (!refuses && !text_is(kind, "tell")) continue;
    if (!text_is(next_field(&line), event)) continue;
    reply->refuses = refuses;
    reply->seconds = number_of(next_field(&line));
    reply->code = number_of(next_field(&line));
    reply->out = next_field(&line);
    reply->err = next_field(&line);
    return reply->seconds > 0 && reply->code >= 0 && reply->code < 256;
  }
  return 0;
}

/*
 * `set` lines of the entry replace variables such as HOME, by which crosshook finds its files. A shell line of the agent
 * means the agent's own values: where they differ they are passed on as well, under their names with this prefix.
 */
#define AGENTS_OWN "CROSSHOOK_AGENT_"

static inline int begins_with(const char *text, const char *start) {
  while (*start != '\0' && *text == *start) text++, start++;
  return *start == '\0';
}

static inline int is_agents_own(const struct entry *entry, const char *variable) {
  /* Comparisons instead of a table: a table of pointers needs relocation, which has not happened yet when early.c runs. */
  if (!begins_with(variable, "HOME=") && !begins_with(variable, "XDG_CONFIG_HOME=") && !begins_with(variable, "XDG_STATE_HOME=") &&
      !begins_with(variable, "XDG_CACHE_HOME=") && !begins_with(variable, "XDG_DATA_HOME=") && !begins_with(variable, "XDG_RUNTIME_DIR="))
    return 0;
  for (size_t r = 0; r < entry->rule_count; r++)
    if (entry->rules[r].set != NULL && text_is((struct text){entry->rules[r].set, entry->rules[r].set_size}, variable)) return 0;
  return 1;
}

/* TZ that is a path: the C library and Node would open that file, and block if it is a named pipe. */
static inline int is_zone_file(const char *variable) {
  if (!begins_with(variable, "TZ=")) return 0;
  variable += 3;
  if (*variable == ':') variable++;
  if (*variable == '/') return 1;
  for (; *variable != '\0'; variable++)
    if (variable[0] == '.' && variable[1] == '.') return 1;
  return 0;
}

/* Is this variable of the agent (`NAME=value`) kept? */
static inline int counts(const struct entry *entry, const char *variable) {
  if (is_zone_file(variable)) return 0;
  for (size_t r = 0; r < entry->rule_count; r++) {
    const struct rule *rule = &entry->rules[r];
    size_t i = 0;
    while (i < rule->name.size && variable[i] != '\0' && variable[i] == rule->name.at[i]) i++;
    if (i == rule->name.size && (rule->is_prefix || variable[i] == '=')) return rule->keeps;
  }
  return 1;
}

#endif
