/*
 * crosshook-relay spawner
 *
 * Starts programs for the engine and reads their pipes, which a small process does faster than Node. It reads requests
 * from descriptor 3 (see PROTOCOL.md), runs any number of programs at once, and answers once for each. When the engine is
 * gone it ends the programs that still run, and itself.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#endif
#include "descriptors.h"
#include "family.h"
#include "nameless.h"
#include "request.h"
#include "spawner.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
/* vfork shares the memory until exec and takes a fraction of the time of fork. */
#ifdef __linux__
#define begin_child vfork
#else
#define begin_child fork
#endif

#define CONTROL 3
#define VERSION 1
#define REPLY_HEAD 20u
/* After a program has exited: output is complete when none came for this long; LINGER_MS at most. As in src/executors/process.ts. */
#define OUTPUT_QUIET_MS 20
#define LINGER_MS 200
/* Pipes of a new program are not polled before: most have exited by then, with output that fits into a pipe. */
#define FIRST_POLL_MS 3
/* A pipe of a program that has exited never holds more. */
#define MAX_LEFTOVER_BYTES ((size_t)1024 * 1024)

extern char **environ;

enum reply { READY = 0, EXITED = 1, SIGNALLED = 2, NOT_STARTED = 3, OVERFLOWED = 4, ENDED = 5 };
enum stage { RUNS, LEFT, TERMINATED, KILLED };

struct output {
  int fd; /* -1 once closed */
  struct bytes kept;
  uint64_t received;
};

struct program {
  struct program *next;
  uint32_t id, limit;
  unsigned flags;
  struct family family;
  int is_answered; /* the engine has its answer; remaining processes are being ended */
  int failure; /* a pipe with the errno of a failed exec; closed by a successful one */
  struct output out[2];
  int has_exited, status;
  int64_t first_look;
  /* For a program that has exited while its children hold its output: when to read again, until when, and how much had come. */
  int64_t look_at, linger_until;
  uint64_t seen;
  enum stage stage;
  enum reply why;
  int64_t stage_until;
};

static struct program *programs;
static struct bytes to_engine;
static size_t flushed; /* bytes of it that are sent already */
static int engine_is_gone;
static int alarm_pipe[2];

static void on_child(int number) {
  int kept = errno;
  (void)number;
  (void)!write(alarm_pipe[1], "", 1);
  errno = kept;
}

/* ---- to the engine ---- */

static void flush(void) {
  while (flushed < to_engine.size && !engine_is_gone) {
    ssize_t size = send(CONTROL, to_engine.at + flushed, to_engine.size - flushed, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) flushed += (size_t)size;
    else if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    else if (errno != EINTR) engine_is_gone = 1;
  }
  flushed = 0;
  to_engine.size = 0;
  if (to_engine.room <= LARGE_ROOM) return;
  free(to_engine.at);
  to_engine = (struct bytes){0};
}

static void reply(uint32_t id, enum reply kind, uint32_t code, const struct program *program) {
  uint8_t head[REPLY_HEAD] = {0};
  size_t sizes[2] = {0, 0};
  for (int i = 0; i < 2 && program != NULL; i++) {
    sizes[i] = program->out[i].kept.size;
    if (program->out[i].received > program->limit) head[9] |= (uint8_t)(1 << i);
  }
  put32(head, REPLY_HEAD + sizes[0] + sizes[1]);
  put32(head + 4, id);
  head[8] = (uint8_t)kind;
  put32(head + 12, code);
  put32(head + 16, sizes[0]);
  int whole = append(&to_engine, head, sizeof head);
  for (int i = 0; i < 2 && program != NULL; i++) whole = whole && append(&to_engine, program->out[i].kept.at, sizes[i]);
  /* Out of memory: exit, because the engine could not tell half an answer from a whole one. */
  if (!whole) engine_is_gone = 1;
  flush();
}

/* ---- one program ---- */

static void release(struct program *program) {
  for (struct program **at = &programs; *at != NULL; at = &(*at)->next) {
    if (*at != program) continue;
    *at = program->next;
    break;
  }
  for (int i = 0; i < 2; i++) {
    if (program->out[i].fd >= 0) close(program->out[i].fd);
    free(program->out[i].kept.at);
  }
  if (program->failure >= 0) close(program->failure);
  forget_family(&program->family);
  free(program);
}

/* Processes that it left behind are ended after its answer is sent, so that the answer does not wait for it. */
static int ends_the_rest(struct program *program) {
  if (program->stage != RUNS || (program->flags & CHILDREN_STAY) != 0 || !has_group(&program->family)) return 0;
  program->is_answered = 1;
  program->stage = LEFT;
  program->stage_until = now_ms() + LEFT_GRACE_MS;
  return 1;
}

static void finish(struct program *program) {
  int error = 0;
  if (program->is_answered) {
    release(program);
    return;
  }
  if (program->stage != RUNS) reply(program->id, program->why, 0, NULL);
  else if (read(program->failure, &error, sizeof error) == sizeof error) reply(program->id, NOT_STARTED, (uint32_t)error, NULL);
  else if (WIFSIGNALED(program->status)) reply(program->id, SIGNALLED, (uint32_t)WTERMSIG(program->status), program);
  else reply(program->id, EXITED, (uint32_t)WEXITSTATUS(program->status), program);
  if (!ends_the_rest(program)) release(program);
}

/* Signals the program and its descendants; false when none is left. Before setpgid it has no group, only its own pid. */
static int signal_all(struct program *program, int number) {
  if (signal_family(&program->family, number)) return 1;
  return !program->has_exited && kill(program->family.leader, number) == 0;
}

/* Ignores its output from now on. */
static void end(struct program *program, enum reply why) {
  if (program->stage != RUNS) return;
  program->stage = TERMINATED;
  program->why = why;
  program->stage_until = now_ms() + TERM_GRACE_MS;
  (void)signal_all(program, SIGTERM);
}

/* Reads once. Output beyond the limit is read and dropped, so that the program does not block on a full pipe. */
static size_t pump(struct program *program, struct output *output) {
  static uint8_t chunk[65536];
  ssize_t got = read(output->fd, chunk, sizeof chunk);
  if (got <= 0) {
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    close(output->fd);
    output->fd = -1;
    return 0;
  }
  size_t room = output->kept.size < program->limit ? program->limit - output->kept.size : 0;
  size_t kept = (size_t)got < room ? (size_t)got : room;
  output->received += (uint64_t)got;
  if (program->stage == RUNS && kept > 0 && !append(&output->kept, chunk, kept)) end(program, ENDED);
  if (output->received > program->limit && (program->flags & OVERFLOW_FAILS) != 0) end(program, OVERFLOWED);
  return (size_t)got;
}

/* Reads what is in its pipes now. */
static uint64_t drain(struct program *program) {
  for (int i = 0; i < 2; i++) {
    struct output *output = &program->out[i];
    for (size_t got = 1, all = 0; output->fd >= 0 && got > 0 && all < MAX_LEFTOVER_BYTES; all += got) got = pump(program, output);
  }
  return program->out[0].received + program->out[1].received;
}

static int is_closed(const struct program *program) {
  return program->out[0].fd < 0 && program->out[1].fd < 0;
}

/* The next step of ending a program. Where init does not reap orphans a group of zombies never disappears: then the exit of the program itself is enough. */
static void look_at_end(struct program *program, int64_t now) {
  if (!signal_all(program, 0)) {
    finish(program);
  } else if (program->stage == LEFT && now >= program->stage_until) {
    program->stage = TERMINATED;
    program->stage_until = now + TERM_GRACE_MS;
    (void)signal_all(program, SIGTERM);
  } else if (program->stage == TERMINATED && now >= program->stage_until) {
    program->stage = KILLED;
    program->stage_until = now + KILL_GRACE_MS;
    (void)signal_all(program, SIGKILL);
  } else if (program->stage == KILLED) {
    int has_waited = now >= program->stage_until - KILL_GRACE_MS + POLL_MS;
    if ((program->has_exited && has_waited) || now >= program->stage_until) finish(program);
  }
}

/* A program is finished when it has exited, even if children hold its output, unless the engine asked to wait for the output. */
static void look(struct program *program, int64_t now) {
  if (program->stage == RUNS && program->has_exited && !is_closed(program) && now >= program->look_at) {
    uint64_t received = drain(program);
    int is_first = program->linger_until == 0;
    if (is_first) program->linger_until = now + LINGER_MS;
    int is_over = !is_first && (received == program->seen || now > program->linger_until);
    program->seen = received;
    program->look_at = now + OUTPUT_QUIET_MS;
    if (is_over && (program->flags & AWAITS_OUTPUT) == 0 && program->stage == RUNS) {
      finish(program);
      return;
    }
  }
  if (program->stage != RUNS) look_at_end(program, now);
  else if (program->has_exited && is_closed(program)) finish(program);
}

/* ---- starting ---- */

#ifdef __linux__
struct callers *callers;

/*
 * Drops root for good, before anything of the request is used. The group is used for hooks only: no other process of the
 * user has it, so none of them may trace the program, read its memory or take its descriptors.
 */
static int become_caller(const struct caller *caller) {
  gid_t groups[MAX_GROUPS + 1];
  size_t count = 0;
  groups[count++] = caller->gid;
  for (uint32_t i = 0; i < caller->group_count && i < MAX_GROUPS; i++) groups[count++] = caller->groups[i];
  if (setgroups(count, groups) != 0) return 0;
  if (setresgid(callers->hooks, callers->hooks, callers->hooks) != 0) return 0;
  if (setresuid(caller->uid, caller->uid, caller->uid) != 0) return 0;
  umask(077);
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* The pipes are given to the user, because programs also open their output by name (/dev/stderr). */
static int give_away(const int stdio[3], const struct caller *caller) {
  for (int i = 0; i < 3; i++)
    if (fchown(stdio[i], caller->uid, callers->hooks) != 0) return 0;
  return 1;
}

/* NULL with an errno when the program may not be started. */
static const struct caller *caller_of(const struct request *request) {
  static struct caller found;
  errno = EPERM;
  return callers != NULL && find_caller(callers, request->caller, now_ms(), &found) ? &found : NULL;
}
#endif

static _Noreturn void become(const struct request *request, char **args, char **env, const int stdio[3], int failure) {
  int may_run = 1;
  setsid();
#ifdef __linux__
  if (callers != NULL) {
    const struct caller *caller = caller_of(request);
    may_run = caller != NULL && become_caller(caller);
  }
  /* After the change of user, which clears it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (int i = 0; i < 3; i++) (void)dup2(stdio[i], i);
  if (may_run && chdir(request->texts) == 0) {
    environ = env;
    execvp(args[0], args);
  }
  int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

/* A separate function, because the vforked child shares the variables of its caller. */
static pid_t begin(const struct request *request, char **args, char **env, const int stdio[3], int failure) {
#ifdef __linux__
  /* A child that changes its user must not share memory with this process: fork, not vfork. */
  pid_t pid = callers != NULL ? fork() : begin_child();
#else
  pid_t pid = begin_child();
#endif
  if (pid == 0) become(request, args, env, stdio, failure);
  return pid;
}

static int open_pipe(int ends[2]) {
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return 0;
#else
  if (pipe(ends) != 0) return 0;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return 1;
}

/* Prepares pipes for the next program while idle. */
struct prepared {
  int input, pipes[3][2];
};
static struct prepared next_program = {-1, {{-1, -1}, {-1, -1}, {-1, -1}}};

static int prepare(void) {
  if (next_program.input < 0) next_program.input = nameless_file();
  int is_ready = next_program.input >= 0;
  for (int i = 0; i < 3 && is_ready; i++) is_ready = next_program.pipes[i][0] >= 0 || open_pipe(next_program.pipes[i]);
  return is_ready;
}

/* With a gate every program needs a caller; without a gate none may have one. */
static int is_allowed(const struct request *request, const int stdio[3]) {
#ifdef __linux__
  if (callers != NULL) {
    const struct caller *caller = caller_of(request);
    return caller != NULL && give_away(stdio, caller);
  }
#endif
  (void)stdio;
  errno = EPERM;
  return (request->flags & AS_CALLER) == 0;
}

static void start(const struct request *request) {
  char **env = NULL, **args = list_texts(request, &env);
  struct program *program = calloc(1, sizeof *program);
  pid_t pid = -1;
  if (args != NULL && program != NULL && prepare() && fill(next_program.input, request->input, request->input_size)) {
    const int stdio[3] = {next_program.input, next_program.pipes[0][1], next_program.pipes[1][1]};
    if (is_allowed(request, stdio)) pid = begin(request, args, env, stdio, next_program.pipes[2][1]);
  }
  int error = errno;
  static char *no_variables[] = {NULL};
  environ = no_variables;
  free(args);
  if (pid < 0) {
    free(program);
    reply(request->id, NOT_STARTED, (uint32_t)error, NULL);
    return;
  }
  *program = (struct program){
    .next = programs,
    .id = request->id,
    .limit = request->limit,
    .flags = request->flags,
    .family = {.leader = pid},
    .failure = next_program.pipes[2][0],
    .out = {{.fd = next_program.pipes[0][0]}, {.fd = next_program.pipes[1][0]}},
    .first_look = now_ms() + FIRST_POLL_MS,
  };
  programs = program;
  close(next_program.input);
  next_program.input = -1;
  for (int i = 0; i < 3; i++) {
    close(next_program.pipes[i][1]);
    next_program.pipes[i][0] = next_program.pipes[i][1] = -1;
  }
}

/* ---- from the engine ---- */

static void obey(const struct request *request) {
  if (request->asked == START) {
    start(request);
    return;
  }
  for (struct program *program = programs; program != NULL; program = program->next) {
    if (program->id != request->id) continue;
    /* It ended before the request to end it came; its answer is being sent. */
    if (!program->has_exited || (program->flags & AWAITS_OUTPUT) != 0) end(program, ENDED);
    return;
  }
}

static void listen_to_engine(void) {
  static struct bytes received;
  if (!reserve(&received, 65536)) {
    engine_is_gone = 1;
    return;
  }
  ssize_t got = recv(CONTROL, received.at + received.size, received.room - received.size, MSG_DONTWAIT);
  if (got <= 0) {
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) engine_is_gone = 1;
    return;
  }
  received.size += (size_t)got;
  size_t used = 0;
  struct request request;
  enum parsed parsed;
  while ((parsed = parse_request(received.at + used, received.size - used, &request)) == WHOLE) {
    obey(&request);
    used += request.size;
  }
  /* Malformed requests cannot come from our engine. */
  if (parsed == BROKEN) engine_is_gone = 1;
  received.size -= used;
  if (received.size > 0 && used > 0) memmove(received.at, received.at + used, received.size);
}

static void collect_children(void) {
  char bytes[64];
  int status;
  pid_t pid;
  while (read(alarm_pipe[0], bytes, sizeof bytes) > 0) continue;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (struct program *program = programs; program != NULL; program = program->next) {
      if (program->family.leader != pid || program->has_exited) continue;
      program->has_exited = 1;
      program->status = status;
      break;
    }
  }
}

/* ---- the loop ---- */

static int time_to_wait(int64_t now) {
  int64_t wait = -1;
  for (const struct program *program = programs; program != NULL; program = program->next) {
    int64_t own = -1;
    if (program->stage != RUNS) own = POLL_MS;
    else if (now < program->first_look) own = program->first_look - now;
    else if (program->has_exited && (program->flags & AWAITS_OUTPUT) == 0) own = program->look_at > now ? program->look_at - now : 0;
    if (own >= 0 && (wait < 0 || own < wait)) wait = own;
  }
  return (int)wait;
}

static int wait_and_read(void) {
  static struct pollfd *waiting;
  static size_t room;
  size_t count = 2;
  for (struct program *program = programs; program != NULL; program = program->next) count += 2;
  if (count > room) {
    struct pollfd *more = realloc(waiting, 2 * count * sizeof *more);
    if (more == NULL) return 0;
    waiting = more;
    room = 2 * count;
  }
  int64_t now = now_ms();
  waiting[0] = (struct pollfd){alarm_pipe[0], POLLIN, 0};
  waiting[1] = (struct pollfd){engine_is_gone ? -1 : CONTROL, (short)(POLLIN | (to_engine.size > 0 ? POLLOUT : 0)), 0};
  count = 2;
  for (struct program *program = programs; program != NULL; program = program->next)
    for (int i = 0; i < 2; i++) waiting[count++] = (struct pollfd){now < program->first_look ? -1 : program->out[i].fd, POLLIN, 0};
  if (poll(waiting, (nfds_t)count, time_to_wait(now)) < 0) return errno == EINTR;
  count = 2;
  for (struct program *program = programs; program != NULL; program = program->next)
    for (int i = 0; i < 2; i++)
      if (waiting[count++].revents != 0) (void)pump(program, &program->out[i]);
  if (waiting[0].revents != 0) collect_children();
  if ((waiting[1].revents & POLLOUT) != 0) flush();
  if ((waiting[1].revents & ~POLLOUT) != 0) listen_to_engine();
  return 1;
}

int run_spawner(void) {
  struct sigaction action = {.sa_handler = on_child};
  for (int i = 0; i <= CONTROL; i++)
    if (fcntl(i, F_GETFD) < 0) return 1;
  close_from(CONTROL + 1);
  if (fcntl(CONTROL, F_SETFD, FD_CLOEXEC) != 0 || !open_pipe(alarm_pipe)) return 1;
  fcntl(alarm_pipe[1], F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(CONTROL, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  sigaction(SIGCHLD, &action, NULL);
  reply(0, READY, VERSION, NULL);
  while (!engine_is_gone || programs != NULL) {
    (void)prepare();
    if (!wait_and_read()) return 1;
    int64_t now = now_ms();
    for (struct program *program = programs, *next; program != NULL; program = next) {
      next = program->next;
      if (engine_is_gone && program->stage == RUNS && program->has_exited && (program->flags & AWAITS_OUTPUT) == 0) finish(program);
      else {
        if (engine_is_gone) end(program, ENDED);
        look(program, now);
      }
    }
  }
  return 0;
}
