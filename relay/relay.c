/*
 * crosshook-relay hook AGENT [EVENT]
 *
 * Sends an agent's call to the warm engine and gives back its answer (see PROTOCOL.md). Where no engine answers as it
 * should, it becomes the cold path: Node with main.cjs, on the same input. A decision is always made.
 *
 * crosshook-relay spawner
 *
 * Started by the engine to run its hooks' programs: see spawner.c.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#include "answer.h"
#include "early.h"
#include "nameless.h"
#include "spawner.h"

#ifndef CROSSHOOK_VERSION
#define CROSSHOOK_VERSION "0"
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define MOST_PAYLOAD ((size_t)64 * 1024 * 1024)
#define MOST_STDIN ((size_t)256 * 1024 * 1024) /* the cold path's own limit */
#define LARGE_INPUT ((size_t)65536) /* passed on while it comes */
#define UNKNOWN_SIZE ((size_t)0xffffffff)
#define MOST_ENV ((size_t)8 * 1024 * 1024)
#define LONGEST_PATH 4096
#define CONNECT_MS 500
#ifndef FIRST_BYTE_MS /* a test has less patience */
#define FIRST_BYTE_MS 5000 /* the engine beats every second, whatever its hooks do */
#define NEXT_BYTE_MS 15000
#endif
#define TOTAL_SECONDS 600

extern char **environ;

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int write_all(int fd, const uint8_t *at, size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, at, size);
    if (written >= 0) {
      at += written;
      size -= (size_t)written;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      struct pollfd waiting = {fd, POLLOUT, 0};
      poll(&waiting, 1, 1000);
    } else if (errno != EINTR) {
      return 0;
    }
  }
  return 1;
}

/* ---- the cold path ---- */

/* What was read of stdin, and nothing after it. */
static int use_as_stdin(const struct bytes *input) {
  int file = nameless_file();
  if (file < 0 || !fill(file, input->at, input->size) || dup2(file, 0) != 0) return 0;
  if (file == 0) fcntl(0, F_SETFD, 0);
  else close(file);
  return 1;
}

/* The folder of this very program. */
static int own_folder(char *path, size_t room) {
#ifdef __APPLE__
  char raw[LONGEST_PATH], real[LONGEST_PATH];
  uint32_t size = sizeof raw;
  if (_NSGetExecutablePath(raw, &size) != 0 || realpath(raw, real) == NULL || strlen(real) >= room) return 0;
  strcpy(path, real);
#else
  ssize_t size = readlink("/proc/self/exe", path, room - 1);
  if (size <= 0) return 0;
  path[size] = '\0';
#endif
  char *slash = strrchr(path, '/');
  if (slash == NULL) return 0;
  *slash = '\0';
  return 1;
}

static int join(char *path, const char *folder, const char *rest) {
  int length = snprintf(path, LONGEST_PATH, "%s/%s", folder, rest);
  return length > 0 && length < LONGEST_PATH;
}

/* Two lines beside the program, written when it was built or installed: Node, and the file it runs. */
static int remembered(const char *folder, char *node, char *main_file) {
  char path[LONGEST_PATH], text[2 * LONGEST_PATH];
  if (!join(path, folder, "crosshook-relay.cold")) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  char *second = strchr(text, '\n');
  if (second == NULL) return 0;
  *second++ = '\0';
  char *end = strchr(second, '\n');
  if (end != NULL) *end = '\0';
  if (strlen(text) >= LONGEST_PATH || strlen(second) >= LONGEST_PATH) return 0;
  strcpy(node, text);
  strcpy(main_file, second);
  return access(main_file, R_OK) == 0;
}

/* Never comes back. `why` tells the cold path whether an engine is wanted. */
static _Noreturn void run_cold(int argc, char **argv, const char *why) {
  /* In this package; in a package beside it, as npm lays them out; in one below it, as npm does with --global. */
  static const char *const layouts[] = {"../cli/main.cjs", "../../../crosshook/dist/cli/main.cjs", "../../../../dist/cli/main.cjs"};
  char folder[LONGEST_PATH], main_file[LONGEST_PATH], node[LONGEST_PATH];
  node[0] = main_file[0] = '\0';
  if (own_folder(folder, sizeof folder) && !remembered(folder, node, main_file)) {
    node[0] = main_file[0] = '\0';
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
      if (join(main_file, folder, layouts[i]) && access(main_file, R_OK) == 0) break;
      main_file[0] = '\0';
    }
  }
  char **args = calloc((size_t)argc + 2, sizeof *args);
  if (args != NULL && main_file[0] != '\0' && setenv("CROSSHOOK_RELAY", why, 1) == 0) {
    args[1] = main_file;
    for (int i = 1; i < argc; i++) args[i + 1] = argv[i];
    args[0] = node;
    if (node[0] != '\0') execv(node, args);
    args[0] = "node";
    execvp("node", args);
  }
  fprintf(stderr, "crosshook-relay: no engine answers (%s) and %s. Run `crosshook doctor`.\n", why,
          main_file[0] == '\0' ? "crosshook is not beside it" : "node cannot be started");
  exit(1);
}

/* ---- the engine ---- */

/* As src/config/paths.ts finds it. */
static int socket_path(char *path, size_t room) {
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length;
  if (runtime != NULL && runtime[0] == '/') length = snprintf(path, room, "%s/crosshook/engine.sock", runtime);
  else if (state != NULL && state[0] == '/') length = snprintf(path, room, "%s/crosshook/engine.sock", state);
  else if (home != NULL && home[0] == '/') length = snprintf(path, room, "%s/.local/state/crosshook/engine.sock", home);
  else return 0;
  return length > 0 && (size_t)length < room;
}

static int is_ours(int fd) {
#ifdef SO_PEERCRED
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(fd, &user, &group) == 0 && user == geteuid();
#endif
}

/* A connection to an engine of this user, or -1 with the reason. */
static int reach_engine(const char **why) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct stat found;
  *why = "unreachable";
  if (!socket_path(address.sun_path, sizeof address.sun_path)) return -1;
  *why = "absent";
  if (lstat(address.sun_path, &found) != 0) return -1;
  *why = "foreign";
  if (!S_ISSOCK(found.st_mode) || found.st_uid != geteuid() || (found.st_mode & 077) != 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  *why = "absent";
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  int64_t end = now_ms() + CONNECT_MS;
  while (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    /* EAGAIN: its queue is full. */
    int waits = errno == EAGAIN || errno == EINTR || errno == EINPROGRESS;
    if (errno == EISCONN) break;
    if (!waits || now_ms() > end) {
      if (waits) *why = "busy";
      close(fd);
      return -1;
    }
    pause_ms(2);
  }
  *why = "foreign";
  if (is_ours(fd)) return fd;
  close(fd);
  return -1;
}

/* What is left of the parts when so much has been sent; how many of them are left. */
static int take_off(struct iovec **parts, int count, size_t sent) {
  while (count > 0 && sent >= (*parts)->iov_len) {
    sent -= (*parts)->iov_len;
    ++*parts, count--;
  }
  if (count > 0) {
    (*parts)->iov_base = (uint8_t *)(*parts)->iov_base + sent;
    (*parts)->iov_len -= sent;
  }
  return count;
}

/* Sends the parts, ends our side if that `ends` the request, and reads the answer, as far as the other side lets us. */
static enum parsed exchange(int fd, struct iovec *parts, int count, int ends, struct bytes *received, struct answer *answer) {
  const char *given = getenv("CROSSHOOK_RELAY_SECONDS");
  long seconds = given != NULL ? strtol(given, NULL, 10) : 0;
  int64_t start = now_ms(), last = start;
  int64_t end = start + 1000 * (int64_t)(seconds > 0 && seconds < 86400 ? seconds : TOTAL_SECONDS);
  enum parsed so_far = parse_answer(received->at, received->size, answer);
  if (so_far != NEEDS_MORE) return so_far;
  for (;;) {
    count = take_off(&parts, count, 0);
    if (count == 0 && ends) {
      (void)shutdown(fd, SHUT_WR);
      ends = 0;
    }
    if (count > 0) {
      struct msghdr message = {.msg_iov = parts, .msg_iovlen = (__typeof__(message.msg_iovlen))count};
      ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
      if (sent > 0) {
        last = now_ms();
        count = take_off(&parts, count, (size_t)sent);
        continue;
      }
      /* It may have declined and gone before all was sent: its answer still counts. */
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) count = 0;
    }
    int64_t now = now_ms();
    int64_t limit = last + (received->size > 0 ? NEXT_BYTE_MS : FIRST_BYTE_MS);
    if (end < limit) limit = end;
    if (now >= limit) return BROKEN;
    struct pollfd waiting = {fd, (short)(POLLIN | (count > 0 ? POLLOUT : 0)), 0};
    int ready = poll(&waiting, 1, (int)(limit - now));
    /* Sending a little more, which may go even now, would only begin the wait again. */
    if (ready == 0 || (ready < 0 && errno != EINTR)) return BROKEN;
    if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    if (!reserve(received, answer->size > received->size ? answer->size - received->size + 1 : 4096)) return BROKEN;
    ssize_t got = recv(fd, received->at + received->size, received->room - received->size, 0);
    if (got == 0) return BROKEN;
    if (got < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) continue;
      return BROKEN;
    }
    last = now_ms();
    received->size += (size_t)got;
    enum parsed parsed = parse_answer(received->at, received->size, answer);
    if (parsed != NEEDS_MORE) return parsed;
  }
}

/* Reads once, more or less. 1 when there may be more, 0 at the end, -1 when it cannot be read. */
static int read_some(struct bytes *input) {
  if (!reserve(input, 65536)) return -1;
  ssize_t got = read(0, input->at + input->size, input->room - input->size);
  if (got == 0 || (got < 0 && errno == EBADF)) return 0;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    struct pollfd waiting = {0, POLLIN, 0};
    poll(&waiting, 1, 1000);
    return 1;
  }
  if (got < 0) return errno == EINTR ? 1 : -1;
#ifdef F_SETPIPE_SZ
  if (input->size < LARGE_INPUT && input->size + (size_t)got >= LARGE_INPUT) (void)fcntl(0, F_SETPIPE_SZ, 1 << 20);
#endif
  input->size += (size_t)got;
  return input->size <= MOST_STDIN;
}

static int read_until(struct bytes *input, size_t enough) {
  int more = 1;
  while (more > 0 && input->size < enough) more = read_some(input);
  return more;
}

/*
 * Sends the parts and then stdin, while it comes. All of it is kept: should the engine not answer, the cold path needs
 * it. FAILED when stdin cannot be read, STUCK when the engine does not take it, GONE when it has closed.
 */
enum passed { FAILED, STUCK, GONE, SENT };
static enum passed pass_on(int fd, struct iovec *parts, int count, struct bytes *input) {
  int more = 1;
  enum passed passed = SENT;
  size_t sent = 0;
  int64_t last = now_ms();
  while (more > 0 || (passed == SENT && sent < input->size)) {
    int waits = passed == SENT && (count > 0 || sent < input->size);
    if (!waits) last = now_ms();
    int64_t left = last + NEXT_BYTE_MS - now_ms();
    struct pollfd waiting[] = {{more > 0 ? 0 : -1, POLLIN, 0}, {waits ? fd : -1, POLLOUT, 0}};
    int ready = poll(waiting, 2, waits ? (left > 0 ? (int)left : 0) : -1);
    if (ready < 0 && errno != EINTR) return FAILED;
    if (ready < 0) continue;
    if (ready == 0) passed = STUCK;
    if (waiting[0].revents != 0) more = read_some(input);
    if (more < 0) return FAILED;
    if (input->size > MOST_PAYLOAD) passed = STUCK;
    if (passed != SENT || waiting[1].revents == 0) continue;
    struct iovec rest = {input->at + sent, input->size - sent};
    struct msghdr message = {.msg_iov = count > 0 ? parts : &rest, .msg_iovlen = (__typeof__(message.msg_iovlen))(count > 0 ? count : 1)};
    ssize_t gone = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (gone < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) passed = GONE;
    if (gone <= 0) continue;
    last = now_ms();
    if (count > 0) count = take_off(&parts, count, (size_t)gone);
    else sent += (size_t)gone;
  }
  return passed;
}

static int has_options(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-') return 1;
  return 0;
}

static int is_set(const char *name, const char *value) {
  const char *found = getenv(name);
  return found != NULL && strcmp(found, value) == 0;
}

int main(int argc, char **argv) {
  const char *why;
  if (argc == 2 && strcmp(argv[1], "spawner") == 0) return run_spawner();
  if (argc < 3 || argc > 4 || strcmp(argv[1], "hook") != 0 || has_options(argc, argv)) run_cold(argc, argv, "other");
  if (is_set("CROSSHOOK_NO_DAEMON", "1") || is_set("CROSSHOOK_DEBUG", "1")) run_cold(argc, argv, "other");
  int fd = early.fd >= 0 ? early.fd : reach_engine(&why);
  if (fd < 0) run_cold(argc, argv, why);

  struct bytes input = {0}, env = {0}, received = {0};
  struct answer answer = {0};
  char cwd[4 * LONGEST_PATH];
  int more = append(&input, early.input, early.input_size) ? !early.has_all_input : -1;
  if (more > 0) more = read_until(&input, LARGE_INPUT);
  int fits = more >= 0 && getcwd(cwd, sizeof cwd) != NULL;
  for (char **each = environ; fits && *each != NULL; each++)
    fits = env.size < MOST_ENV && append(&env, *each, strlen(*each) + 1);
  const char *event = argc == 4 ? argv[3] : "";
  enum parsed parsed = BROKEN;
  why = "other";
  if (fits) {
    uint8_t head[32] = {'X', 'H', 'R', 'Q', PROTOCOL_VERSION}, tail[8] = {'X', 'H', 'E', 'N'};
    const char *texts[] = {CROSSHOOK_VERSION, argv[2], event, cwd};
    struct iovec parts[7] = {{head, sizeof head}}, *left = parts;
    for (int i = 0; i < 4; i++) parts[i + 1] = (struct iovec){(void *)texts[i], strlen(texts[i])};
    parts[5] = (struct iovec){env.at, env.size};
    parts[6] = (struct iovec){input.at, input.size};
    for (int i = 0; i < 6; i++) put32(head + 8 + 4 * i, parts[i + 1].iov_len);
    int count = take_off(&left, 7, early.sent), ends = more > 0;
    if (ends) {
      /* Nobody knows yet how long it will be: its size comes after it. */
      put32(head + 28, UNKNOWN_SIZE);
      enum passed passed = pass_on(fd, parts, 6, &input);
      more = passed == FAILED ? -1 : 0;
      fits = passed == SENT || passed == GONE;
      put32(tail + 4, input.size);
      left = parts;
      parts[0] = (struct iovec){tail, sizeof tail};
      count = ends = passed == SENT; /* one that has gone may have declined: its answer counts */
    }
    if (fits && append(&received, early.received, early.received_size)) parsed = exchange(fd, left, count, ends, &received, &answer);
    if (input.size <= MOST_PAYLOAD) why = parsed != WHOLE ? "silent" : answer.status == LEAVING ? "leaving" : "declined";
  }
  if (more > 0) more = read_until(&input, MOST_STDIN);
  if (more < 0) {
    fprintf(stderr, "crosshook-relay: stdin cannot be read: %s\n", strerror(errno));
    return 1;
  }
  close(fd);
  if (parsed != WHOLE || answer.status != ANSWERED) {
    if (!use_as_stdin(&input)) {
      fprintf(stderr, "crosshook-relay: the input cannot be passed on: %s\n", strerror(errno));
      return 1;
    }
    run_cold(argc, argv, why);
  }
  signal(SIGPIPE, SIG_IGN); /* the agent may have stopped listening; the exit code still counts */
  (void)write_all(1, answer.out, answer.out_size);
  (void)write_all(2, answer.err, answer.err_size);
  free(input.at);
  free(env.at);
  free(received.at);
  return answer.exit_code;
}
