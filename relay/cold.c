/*
 * The cold path: Node with main.cjs, on the same input. For an agent's call the relay stays: Node writes its answer to
 * a pipe as a frame (see PROTOCOL.md), and only a whole frame is an answer. An exit code proves nothing: an empty
 * main.cjs ends with 0.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include "descriptors.h"
#include "keeper.h"
#include "nameless.h"
#include "program.h"
#include "relay.h"

/* After its answer Node may still log and start background hooks. The agent waits at most this long for it. */
#ifndef AFTER_ANSWER_MS
#define AFTER_ANSWER_MS 2000
#endif
/* Time between SIGTERM and SIGKILL, in which Node ends the programs of its hooks. */
#define TERM_GRACE_MS 150
#define KEPT_STDERR 400u

/* Node ends with this code, before it runs anything, when it does not know one of its options: it may have been replaced. */
#define UNKNOWN_OPTION 9

struct child {
  pid_t pid;
  int answer, errors; /* pipes from its stdout and stderr; -1 once closed */
  int failure; /* a pipe with the errno of a failed exec; closed by a successful one */
  int has_ended, status;
};

static int alarm_pipe[2];

static void on_child(int number) {
  int kept = errno;
  (void)number;
  (void)!write(alarm_pipe[1], "", 1);
  errno = kept;
}

static int open_pipe(int *ends) {
  if (pipe(ends) != 0) return 0;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    /* When 0, 1 or 2 is closed a new pipe could get that number, and would then be overwritten by dup2. */
    if (ends[i] > 2) continue;
    int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
    if (moved < 0) return 0;
    close(ends[i]);
    ends[i] = moved;
  }
  return 1;
}

/* Gives the child exactly what was read of stdin. */
static int use_as_stdin(const struct bytes *input) {
  int file = nameless_file();
  if (file < 0 || !fill(file, input->at, input->size) || dup2(file, 0) != 0) return 0;
  if (file == 0) fcntl(0, F_SETFD, 0);
  else close(file);
  return 1;
}

/* Variables that tell Node about this call. They replace variables of the same names in the agent's environment. */
static char **with_reason(char **env, char *reason, char *keeper) {
  char *told[] = {reason, (char *)"CROSSHOOK_ANSWER=frame", keeper};
  const size_t names = sizeof told / sizeof *told;
  size_t count = 0, next = 0;
  while (env[count] != NULL) count++;
  char **all = calloc(count + names + 1, sizeof *all);
  if (all == NULL) return NULL;
  for (size_t i = 0; i < names; i++) all[next++] = told[i];
  for (size_t i = 0; i < count; i++) {
    int is_told = 0;
    for (size_t k = 0; k < names; k++) is_told |= strncmp(env[i], told[k], (size_t)(strchr(told[k], '=') - told[k]) + 1) == 0;
    if (!is_told) all[next++] = env[i];
  }
  return all;
}

/*
 * Starts a process that ends the programs of hooks when Node is killed: agents kill the whole process group at once.
 * Returns -1 when it cannot be started. It has its own session and none of the agent's descriptors; only Node gets the
 * descriptor that is returned.
 */
static int begin_keeper(void) {
  int ends[2];
  if (!open_pipe(ends)) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    signal(SIGCHLD, SIG_DFL);
    alarm(0);
    setsid();
    if (dup2(ends[0], 0) != 0) _exit(1);
    close_from(1);
    _exit(run_keeper(0));
  }
  close(ends[0]);
  if (pid > 0) return ends[1];
  close(ends[1]);
  return -1;
}

static int begin(const struct call *call, struct program *program, char **env, int keeper, struct child *child) {
  int out[2], err[2], failure[2];
  if (!open_pipe(alarm_pipe) || !open_pipe(out) || !open_pipe(err) || !open_pipe(failure)) return 0;
  /* Both ends are non-blocking: the signal handler must not block, nor a second read for one signal. */
  for (int i = 0; i < 2; i++) fcntl(alarm_pipe[i], F_SETFL, O_NONBLOCK);
  struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_NOCLDSTOP | SA_RESTART};
  sigaction(SIGCHLD, &action, NULL);
  pid_t self = getpid();
  child->pid = fork();
  if (child->pid < 0) return 0;
  if (child->pid == 0) {
    int error = 0;
    signal(SIGCHLD, SIG_DFL);
    alarm(0);
    signal(SIGALRM, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != self) _exit(1);
#endif
    (void)self;
    if (keeper >= 0) fcntl(keeper, F_SETFD, 0);
    if (dup2(out[1], 1) == 1 && dup2(err[1], 2) == 2) start_node(program, call->argc, call->argv, env);
    error = errno;
    (void)!write(failure[1], &error, sizeof error);
    _exit(127);
  }
  close(out[1]), close(err[1]), close(failure[1]);
  child->answer = out[0], child->errors = err[0], child->failure = failure[0];
  child->has_ended = 0;
  for (int i = 0; i < 2; i++) fcntl(i == 0 ? out[0] : err[0], F_SETFL, O_NONBLOCK);
  return 1;
}

static void look_after(struct child *child) {
  char drop[64];
  (void)!read(alarm_pipe[0], drop, sizeof drop);
  if (!child->has_ended && waitpid(child->pid, &child->status, WNOHANG) == child->pid) child->has_ended = 1;
}

static void wait_for_end(struct child *child, int64_t most_ms) {
  int64_t end = now_ms() + most_ms;
  for (int64_t left = most_ms; !child->has_ended && left > 0; left = end - now_ms()) {
    struct pollfd waiting = {alarm_pipe[0], POLLIN, 0};
    if (poll(&waiting, 1, (int)left) > 0 || errno == EINTR) look_after(child);
  }
}

static void finish(struct child *child) {
  if (child->has_ended) return;
  kill(child->pid, SIGTERM);
  wait_for_end(child, TERM_GRACE_MS);
  if (child->has_ended) return;
  kill(child->pid, SIGKILL);
  waitpid(child->pid, &child->status, 0);
  child->has_ended = 1;
}

/* Returns 0 at the end of file. */
static int take(int fd, struct bytes *bytes, size_t most) {
  for (;;) {
    if (!reserve(bytes, 65536)) return 0;
    ssize_t got = read(fd, bytes->at + bytes->size, bytes->room - bytes->size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return 0;
    bytes->size += (size_t)got;
    if (bytes->size > most) bytes->size = most;
  }
}

/* Waits for the answer of the child until the deadline. */
static enum parsed follow(const struct call *call, struct child *child, struct bytes *received, struct bytes *errors, struct answer *answer) {
  for (;;) {
    int64_t left = call->deadline - now_ms();
    if (left <= 0) return NEEDS_MORE;
    struct pollfd waiting[] = {{child->answer, POLLIN, 0}, {child->errors, POLLIN, 0}, {alarm_pipe[0], POLLIN, 0}};
    int ready = poll(waiting, 3, (int)left);
    if (ready < 0 && errno != EINTR) return BROKEN;
    if (ready <= 0) continue;
    if (waiting[2].revents != 0) look_after(child);
    if (child->errors >= 0 && (waiting[1].revents != 0 || child->has_ended) && !take(child->errors, errors, KEPT_STDERR)) child->errors = -1;
    if (child->answer >= 0 && (waiting[0].revents != 0 || child->has_ended)) {
      int is_open = take(child->answer, received, ANSWER_HEAD + 2 * (size_t)MAX_OUTPUT + 1);
      enum parsed parsed = parse_answer(received->at, received->size, answer);
      if (parsed != NEEDS_MORE) return parsed;
      if (!is_open || child->has_ended) return BROKEN;
    }
  }
}

/* Node closes its stdout when the agent need not wait for what is left: an engine's start, its own end. */
static void wait_until_done(struct child *child) {
  uint8_t ignored[64];
  int64_t end = now_ms() + AFTER_ANSWER_MS;
  for (int64_t left = AFTER_ANSWER_MS; !child->has_ended && left > 0; left = end - now_ms()) {
    struct pollfd waiting[] = {{child->answer, POLLIN, 0}, {alarm_pipe[0], POLLIN, 0}};
    if (poll(waiting, 2, (int)left) < 0 && errno != EINTR) return;
    if (waiting[0].revents != 0 && read(child->answer, ignored, sizeof ignored) == 0) return;
    look_after(child);
  }
}

static _Noreturn void no_answer(const struct call *call, struct child *child, enum parsed parsed, const struct bytes *errors, const struct program *program) {
  const char *node = program->node, *main_file = program->main_file;
  char what[MAX_PATH_BYTES + 600];
  int error = 0;
  if (parsed == NEEDS_MORE) {
    (void)snprintf(what, sizeof what, "%s gave no answer in the time that the agent waits", main_file);
  } else if (read(child->failure, &error, sizeof error) == sizeof error) {
    (void)snprintf(what, sizeof what, "%s cannot be started: %s", node[0] != '\0' ? node : "node", strerror(error));
  } else {
    char how[64] = "ended without an answer";
    if (child->has_ended && WIFSIGNALED(child->status)) (void)snprintf(how, sizeof how, "was ended by signal %d", WTERMSIG(child->status));
    else if (child->has_ended) (void)snprintf(how, sizeof how, "ended with code %d and without an answer", WEXITSTATUS(child->status));
    (void)snprintf(what, sizeof what, "%s %s%s%.*s", main_file, how, errors->size > 0 ? ": " : "", (int)errors->size, errors->size > 0 ? (const char *)errors->at : "");
  }
  finish(child);
  give_up(call, what);
}

_Noreturn void run_cold(const struct call *call, const struct bytes *input, const char *why) {
  static struct program program;
  char reason[64], minder[32], what[MAX_PATH_BYTES];
  struct child child;
  struct bytes received = {0}, errors = {0};
  struct answer answer = {0};
  enum parsed parsed;
  if (is_managed(call)) {
    (void)snprintf(what, sizeof what, "the managed resident does not answer (%s)", why);
    give_up(call, what);
  }
  if (call->entry != NULL) program_of(call->entry, &program);
  else find_program(&program);
  if (program.main_file[0] == '\0') give_up(call, "the program main.cjs was not found near the relay");
  if (access(program.main_file, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) give_up_gone(call, program.main_file);
  if (now_ms() >= call->deadline) give_up(call, "the engine gave no answer in the time that the agent waits");
  (void)snprintf(reason, sizeof reason, "CROSSHOOK_RELAY=%s", why);
  int keeper = begin_keeper();
  (void)snprintf(minder, sizeof minder, "CROSSHOOK_KEEPER=%d", keeper);
  char **env = with_reason(call->env, reason, minder);
  int is_ready = env != NULL && (input == NULL || use_as_stdin(input));
  for (;; program.flags[0] = '\0') {
    if (!is_ready || !begin(call, &program, env, keeper, &child)) {
      (void)snprintf(what, sizeof what, "no process can be started for it: %s", strerror(errno));
      give_up(call, what);
    }
    parsed = follow(call, &child, &received, &errors, &answer);
    /* Its output may close a moment before it can be asked how it ended. */
    if (parsed == BROKEN) wait_for_end(&child, TERM_GRACE_MS);
    if (parsed != BROKEN || received.size > 0 || program.flags[0] == '\0' || !child.has_ended ||
        !WIFEXITED(child.status) || WEXITSTATUS(child.status) != UNKNOWN_OPTION) break;
    errors.size = 0;
  }
  if (keeper >= 0) close(keeper);
  if (parsed != WHOLE || answer.status != ANSWERED) no_answer(call, &child, parsed, &errors, &program);
  wait_until_done(&child);
  print_answer(call, &answer);
}
