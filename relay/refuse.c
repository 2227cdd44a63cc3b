/* The reply when crosshook cannot answer: in the agent's own format, which `crosshook install` wrote into the entry file. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "relay.h"

#define REASON "%REASON%"
/* The exit code that nearly every agent takes for a refusal, with the reason on stderr. */
#define PLAIN_REFUSAL 2
#define WRITE_TIMEOUT_MS 10000
#define READ_TIMEOUT_MS 2000

int print_all(int fd, const uint8_t *at, size_t size) {
  int64_t end = now_ms() + WRITE_TIMEOUT_MS;
  while (size > 0) {
    ssize_t written = write(fd, at, size);
    if (written >= 0) {
      at += written;
      size -= (size_t)written;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      struct pollfd waiting = {fd, POLLOUT, 0};
      if (now_ms() >= end) return 0;
      poll(&waiting, 1, 1000);
    } else if (errno != EINTR) {
      return 0;
    }
  }
  return 1;
}

/* Prints a template, unescaped and with the sentence filled in; false when it cannot be printed. */
static int print_template(int fd, struct text template, const char *sentence) {
  static uint8_t filled[3 * MAX_ENTRY];
  size_t size = 0, mark = sizeof REASON - 1;
  for (size_t i = 0; i < template.size && size < sizeof filled - MAX_PATH_BYTES; i++) {
    if (template.size - i >= mark && memcmp(template.at + i, REASON, mark) == 0) {
      for (const char *at = sentence; *at != '\0' && size < sizeof filled - 1; at++) filled[size++] = (uint8_t)*at;
      i += mark - 1;
    } else if (template.at[i] == '\\' && i + 1 < template.size) {
      char next = template.at[++i];
      filled[size++] = (uint8_t)(next == 'n' ? '\n' : next == 't' ? '\t' : next);
    } else {
      filled[size++] = (uint8_t)template.at[i];
    }
  }
  return print_all(fd, filled, size);
}

/* Makes a text safe inside a JSON string and on a terminal. */
static void make_plain(char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '"') *text = '\'';
    else if (*text == '\\') *text = '/';
    else if (*text < ' ' || *text > '~') *text = ' ';
  }
}

/* Appends to the log of refused calls, which `crosshook doctor` and people read. */
static void note(const struct call *call, const char *sentence) {
  char path[MAX_PATH_BYTES], line[3 * MAX_PATH_BYTES];
  if (call->entry == NULL) return;
  const struct text *key = &call->entry->key;
  size_t folder = key->size;
  while (folder > 0 && key->at[folder - 1] != '/') folder--;
  int length = snprintf(path, sizeof path, "%.*shook.log", (int)folder, key->at);
  if (folder == 0 || length < 0 || (size_t)length >= sizeof path) return;
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file < 0) return;
  time_t now = time(NULL);
  struct tm parts;
  char at[32] = "";
  if (gmtime_r(&now, &parts) != NULL) (void)strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &parts);
  length = snprintf(line, sizeof line, "%s %s %s: %s\n", at, call->agent, call->event, sentence);
  if (length > 0) (void)!write(file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
  close(file);
}

/* An agent that is still writing the payload takes a closed pipe for a failed hook, and allows the call or hangs. */
static void read_rest(void) {
  static uint8_t unused[65536];
  int64_t end = now_ms() + READ_TIMEOUT_MS;
  for (int64_t left = READ_TIMEOUT_MS; left > 0; left = end - now_ms()) {
    struct pollfd waiting = {0, POLLIN, 0};
    /* A child that ends interrupts the wait. */
    int ready = poll(&waiting, 1, (int)left);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    ssize_t got = read(0, unused, sizeof unused);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return;
  }
}

static char sentence[2 * MAX_PATH_BYTES];

static _Noreturn void refuse(const struct call *call) {
  struct reply reply;
  signal(SIGPIPE, SIG_IGN);
  make_plain(sentence);
  note(call, sentence);
  int has_reply = call->entry != NULL && find_reply(call->entry, call->event, &reply);
  if (has_reply && print_template(1, reply.out, sentence) && print_template(2, reply.err, sentence)) {
    read_rest();
    _exit((int)reply.code);
  }
  static const char newline[] = "\n";
  (void)print_all(2, (const uint8_t *)sentence, strlen(sentence));
  (void)print_all(2, (const uint8_t *)newline, 1);
  read_rest();
  _exit(call->may_go_on || (has_reply && !reply.refuses) ? 1 : PLAIN_REFUSAL);
}

_Noreturn void give_up(const struct call *call, const char *what) {
  if (is_managed(call)) {
    (void)snprintf(sentence, sizeof sentence,
                   "crosshook cannot check this: %s. This machine's administrator looks after it: `sudo crosshook doctor --managed` "
                   "says what is broken, `sudo crosshook install --managed` repairs it.",
                   what);
    refuse(call);
  }
  (void)snprintf(sentence, sizeof sentence,
                 "crosshook cannot check this: %s. Run `crosshook doctor` to see what is broken and `crosshook install %s` to repair it; "
                 "`crosshook uninstall %s` takes crosshook out.",
                 what, call->agent, call->agent);
  refuse(call);
}

_Noreturn void give_up_gone(const struct call *call, const char *main_file) {
  (void)snprintf(sentence, sizeof sentence,
                 "crosshook cannot check this: it was removed (%s is gone), and the settings of %s still call it. "
                 "`npx crosshook uninstall %s` takes it out of them; `npm install -g crosshook && crosshook install %s` brings it back.",
                 main_file, call->agent, call->agent, call->agent);
  refuse(call);
}

_Noreturn void print_answer(const struct call *call, const struct answer *answer) {
  signal(SIGPIPE, SIG_IGN);
  /* An answer that could not be written is a failure. */
  if (!print_all(1, answer->out, answer->out_size) || !print_all(2, answer->err, answer->err_size)) {
    char what[200];
    (void)snprintf(what, sizeof what, "its answer could not be written to the agent: %s", strerror(errno));
    struct call lost = *call;
    lost.entry = NULL; /* stdout is broken: use only the exit code and stderr */
    give_up(&lost, what);
  }
  _exit(answer->exit_code);
}
