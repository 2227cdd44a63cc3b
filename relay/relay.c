/*
 * crosshook-relay hook AGENT [EVENT] [--entry=FILE] [--fail=open | --fail=tell]
 *
 * Sends an agent's call to the warm engine and gives back its answer (see PROTOCOL.md). Where no engine answers as it
 * should, it runs the cold path, Node with main.cjs, on the same input. Where that does not answer either, the relay
 * itself refuses what the agent wants to do. A decision is always made.
 *
 * Started without arguments under another name, FOLDER/AGENT/EVENT (a link that `crosshook install` makes), it is
 * `hook AGENT EVENT --entry=FOLDER/AGENT.entry`: for agents that do not know the arguments of an entry.
 *
 * crosshook-relay spawner
 *
 * Started by the engine to run its hooks' programs: see spawner.c.
 *
 *   crosshook-relay keeper
 *
 * Started by a process that runs hooks' programs by itself: see keeper.c.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "early.h"
#include "keeper.h"
#include "relay.h"
#include "spawner.h"

/* How long the agent waits, when no entry file says it. */
#define TOTAL_SECONDS 600
#define ENTRY_OPTION "--entry="

extern char **environ;

static struct call call;

/* Fires when the waits below together take longer than the agent waits. */
static void on_alarm(int number) {
  (void)number;
  give_up(&call, "no answer in the time that the agent waits");
}

static int is_set(const char *name, const char *value) {
  for (char **each = call.env; *each != NULL; each++)
    if (strncmp(*each, name, strlen(name)) == 0 && (*each)[strlen(name)] == '=') return strcmp(*each + strlen(name) + 1, value) == 0;
  return 0;
}

/* Makes arguments of the name of the link that was called. */
static void arguments_of_link(void) {
  static char agent[MAX_PATH_BYTES], option[MAX_PATH_BYTES + sizeof ENTRY_OPTION + 8], hook[] = "hook";
  static char *args[6];
  char *name = call.argv[0], *slash = strrchr(name, '/');
  if (slash == NULL || strncmp(slash, "/crosshook-relay", 16) == 0) return;
  size_t folder = (size_t)(slash - name);
  while (folder > 0 && name[folder - 1] != '/') folder--;
  int length = snprintf(agent, sizeof agent, "%.*s", (int)((size_t)(slash - name) - folder), name + folder);
  int size = snprintf(option, sizeof option, "%s%.*s.entry", ENTRY_OPTION, (int)(slash - name), name);
  if (length <= 0 || (size_t)length >= sizeof agent || size < 0 || (size_t)size >= sizeof option) return;
  args[0] = name, args[1] = hook, args[2] = agent, args[3] = slash + 1, args[4] = option;
  call.argc = 5;
  call.argv = args;
}

/* False when the arguments are not those of an agent's call. */
static int read_arguments(void) {
  if (call.argc == 1) arguments_of_link();
  if (call.argc < 3 || strcmp(call.argv[1], "hook") != 0) return 0;
  call.is_plain = 1;
  call.agent = call.event = NULL;
  for (int i = 2; i < call.argc; i++) {
    char *word = call.argv[i];
    if (strncmp(word, ENTRY_OPTION, sizeof ENTRY_OPTION - 1) == 0) call.entry_path = word + sizeof ENTRY_OPTION - 1;
    else if (strncmp(word, "--fail=", 7) == 0) call.may_go_on = 1;
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return 0;
    else if (word[0] == '-' || call.event != NULL) call.is_plain = 0;
    else if (call.agent == NULL) call.agent = word;
    else call.event = word;
  }
  if (call.agent == NULL) return 0;
  if (call.event == NULL) call.event = "";
  return 1;
}

/* Refuses an entry file that anybody but its owner can write. */
static void read_entry(void) {
  static char bytes[MAX_ENTRY];
  static struct entry entry;
  struct stat found;
  char what[2 * MAX_PATH_BYTES];
  if (early.entry != NULL) {
    call.entry = early.entry;
    return;
  }
  int file = open(call.entry_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const char *wrong = file < 0 ? strerror(errno) : NULL;
  ssize_t size = file < 0 ? 0 : read(file, bytes, sizeof bytes);
  if (wrong == NULL && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || (found.st_uid != geteuid() && found.st_uid != 0) || (found.st_mode & 022) != 0))
    wrong = "others may write it";
  if (wrong == NULL && (size <= 0 || !parse_entry(bytes, (size_t)size, &entry))) wrong = "it is damaged";
  if (file >= 0) close(file);
  if (wrong == NULL) {
    call.entry = &entry;
    return;
  }
  (void)snprintf(what, sizeof what, "its file %s cannot be used: %s", call.entry_path, wrong);
  give_up(&call, what);
}

/* The agent's environment without the variables that the entry file clears, and with those it sets. */
static void make_environment(void) {
  size_t count = 0, next = 0;
  while (environ[count] != NULL) count++;
  char **env = calloc(count + call.entry->rule_count + 1, sizeof *env);
  if (env == NULL) give_up(&call, "out of memory");
  for (size_t i = 0; i < count; i++) {
    if (counts(call.entry, environ[i])) env[next++] = environ[i];
    else if (is_agents_own(call.entry, environ[i])) {
      size_t size = sizeof AGENTS_OWN + strlen(environ[i]);
      char *copy = malloc(size);
      if (copy == NULL) give_up(&call, "out of memory");
      (void)snprintf(copy, size, "%s%s", AGENTS_OWN, environ[i]);
      env[next++] = copy;
    }
  }
  for (size_t i = 0; i < call.entry->rule_count; i++) {
    const struct rule *rule = &call.entry->rules[i];
    if (rule->set == NULL) continue;
    char *copy = malloc(rule->set_size + 1);
    if (copy == NULL) give_up(&call, "out of memory");
    memcpy(copy, rule->set, rule->set_size);
    copy[rule->set_size] = '\0';
    env[next++] = copy;
  }
  call.env = env;
}

/* A deleted working folder is replaced by its nearest ancestor that still exists. */
static void find_folder(void) {
  if (getcwd(call.cwd, sizeof call.cwd) != NULL && call.cwd[0] == '/') return;
  const char *named = getenv("PWD");
  call.cwd[0] = '\0';
#ifdef __linux__
  static const char deleted[] = " (deleted)";
  ssize_t size = readlink("/proc/self/cwd", call.cwd, sizeof call.cwd - 1);
  call.cwd[size > 0 ? size : 0] = '\0';
  size_t length = strlen(call.cwd), mark = sizeof deleted - 1;
  if (length > mark && strcmp(call.cwd + length - mark, deleted) == 0) call.cwd[length - mark] = '\0';
#endif
  if (call.cwd[0] != '/' && named != NULL && named[0] == '/') (void)snprintf(call.cwd, sizeof call.cwd, "%s", named);
  while (call.cwd[0] == '/' && chdir(call.cwd) != 0) {
    char *slash = strrchr(call.cwd, '/');
    if (slash == call.cwd) break;
    *slash = '\0';
  }
  if (getcwd(call.cwd, sizeof call.cwd) == NULL && chdir("/") == 0) strcpy(call.cwd, "/");
}

static void set_deadline(void) {
  struct reply reply;
  long seconds = TOTAL_SECONDS;
  const char *given = getenv("CROSSHOOK_RELAY_SECONDS");
  if (call.entry != NULL) {
    if (find_reply(call.entry, call.event, &reply)) seconds = reply.seconds;
  } else if (given != NULL) {
    long wanted = strtol(given, NULL, 10);
    if (wanted > 0 && wanted < 86400) seconds = wanted;
  }
  call.deadline = now_ms() + 1000 * (int64_t)seconds;
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  alarm((unsigned)seconds + 2);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "spawner") == 0) return run_spawner();
  if (argc == 2 && strcmp(argv[1], "keeper") == 0) return run_keeper(3);
  call.argc = argc;
  call.argv = argv;
  call.env = environ;
  if (!read_arguments()) become_node(argc, argv);
  if (call.entry_path != NULL) {
    read_entry();
    make_environment();
  }
  set_deadline();
  find_folder();
  if (!call.is_plain || is_set("CROSSHOOK_NO_DAEMON", "1") || is_set("CROSSHOOK_DEBUG", "1")) run_cold(&call, NULL, "other");
  struct bytes input = {0}, received = {0};
  struct answer answer = {0};
  const char *why = ask_engine(&call, &input, &received, &answer);
  if (why == NULL) print_answer(&call, &answer);
  run_cold(&call, input.at == NULL ? NULL : &input, why);
}
