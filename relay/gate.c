/*
 * crosshook-gate: accepts the connections of a managed installation. Started as root by systemd or another service manager.
 *
 *   crosshook-gate --folder FOLDER --uid N --gid N --hooks-gid N [--set NAME=VALUE]... -- PROGRAM [ARGUMENT]...
 *
 * It starts the resident (PROGRAM) as the user N, listens at FOLDER/engine.sock for the relays of every user, and passes
 * each connection on to the resident's own socket, preceded by the caller's credentials as the kernel reports them.
 * Beside the resident runs a spawner (spawner.c) that starts hooks' programs for it, always as the user of an open
 * connection. The gate does not parse payloads or answers. See docs/managed.md.
 *
 * The 20 bytes before each connection's data: `XHGT`, the number of the connection, then uid, gid and pid of the caller.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bytes.h"
#include "spawner.h"

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

#define CHUNK 65536u
#define HEAD 20u
/* A limit per user, so that one user cannot use up the connections of the others. */
#define MAX_CONNECTIONS_OF_USER 200u
/* How long a caller waits for a starting resident; must be less than FIRST_BYTE_MS of the relay. */
#define START_TIMEOUT_MS 4000
#define RETRY_MS 20
/* How long after the end of a connection background programs of its event may still be started. */
#define AFTER_END_MS 60000
#define RESTART_DELAY_MS 500
#define STOP_TIMEOUT_MS 10000

/* One direction of a connection. */
struct way {
  int from, to;
  uint8_t bytes[CHUNK];
  size_t size, sent;
  int has_ended, is_shut;
};

struct connection {
  struct connection *next;
  uint32_t number;
  uid_t uid;
  int client, resident; /* -1: not connected yet */
  int64_t since;
  struct way in, out;
};

static struct {
  char folder[64];
  uid_t uid;
  gid_t gid, hooks_gid;
  char *env[64];
  size_t env_count;
  char **program;
} wish;

static struct connection *connections;
static size_t connection_count;
static uint32_t last_number;
static struct sockaddr_un own = {.sun_family = AF_UNIX}, resident = {.sun_family = AF_UNIX};
static pid_t resident_pid, spawner_pid;
static volatile sig_atomic_t has_child_ended, is_told_to_end;

static void on_signal(int number) {
  if (number == SIGCHLD) has_child_ended = 1;
  else is_told_to_end = 1;
}

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "crosshook-gate: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* ---- the resident and its spawner ---- */

/* The resident decides by the targets of links, also below home folders it has no permission for: it gets the capability to read them, not to write. */
static void keep_reading_right(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct rights[2] = {{0, 0, 0}, {0, 0, 0}};
  uint32_t bit = 1u << CAP_DAC_READ_SEARCH;
  rights[0] = (struct __user_cap_data_struct){bit, bit, bit};
  if (syscall(SYS_capset, &head, rights) != 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) != 0)
    fprintf(stderr, "crosshook-gate: the resident cannot look into closed folders (%s): links there are not followed\n", strerror(errno));
}

static _Noreturn void become_resident(int control) {
  if (dup2(control, 3) < 0 || syscall(SYS_close_range, 4u, ~0u, 0u) != 0) fail("cannot set up descriptors");
  prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  if (setgroups(1, &wish.hooks_gid) != 0 || setresgid(wish.gid, wish.gid, wish.gid) != 0 || setresuid(wish.uid, wish.uid, wish.uid) != 0)
    fail("cannot become the user of the resident");
  keep_reading_right();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("cannot give up new privileges");
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  umask(007);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  wish.env[wish.env_count] = NULL;
  if (chdir("/") == 0) execve(wish.program[0], wish.program, wish.env);
  fail(wish.program[0]);
}

static _Noreturn void become_spawner(int control) {
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (dup2(control, 3) < 0) fail("cannot set up descriptors");
  signal(SIGTERM, SIG_IGN); /* it ends with the resident, once running programs have ended */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  _exit(run_spawner());
}

static void start_resident(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) fail("socketpair");
  unlink(resident.sun_path);
  spawner_pid = fork();
  if (spawner_pid == 0) become_spawner(pair[0]);
  resident_pid = spawner_pid < 0 ? -1 : fork();
  if (resident_pid == 0) become_resident(pair[1]);
  if (resident_pid < 0) fail("fork");
  close(pair[0]);
  close(pair[1]);
}

/* Resident and spawner are restarted together: neither works without the other. */
static void collect_children(void) {
  static int64_t started;
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == resident_pid) resident_pid = 0;
    if (pid == spawner_pid) spawner_pid = 0;
    if (!is_told_to_end) fprintf(stderr, "crosshook-gate: process %d ended (status %d)\n", (int)pid, status);
  }
  has_child_ended = 0;
  if (resident_pid > 0 && spawner_pid > 0) return;
  if (resident_pid > 0) kill(resident_pid, SIGTERM);
  if (resident_pid > 0 || spawner_pid > 0 || is_told_to_end) return;
  /* Limits how often a resident that exits at once is restarted. */
  int64_t wait = started + RESTART_DELAY_MS - now_ms();
  if (wait > 0) usleep((useconds_t)wait * 1000);
  started = now_ms();
  start_resident();
}

/* ---- connections ---- */

static void forget(struct connection *connection) {
  for (struct connection **at = &connections; *at != NULL; at = &(*at)->next) {
    if (*at != connection) continue;
    *at = connection->next;
    break;
  }
  atomic_store(&place_of(callers, connection->number)->until, now_ms() + AFTER_END_MS);
  close(connection->client);
  if (connection->resident >= 0) close(connection->resident);
  free(connection);
  connection_count--;
}

/* The next unused place, usually the one unused for longest. NULL when all are in use. */
static struct caller *free_place(uint32_t *number) {
  for (uint32_t tries = 0; tries < MAX_CALLERS; tries++) {
    last_number = last_number == UINT32_MAX ? 1 : last_number + 1;
    struct caller *place = place_of(callers, last_number);
    if (atomic_load(&place->number) != 0 && atomic_load(&place->until) == INT64_MAX) continue;
    *number = last_number;
    return place;
  }
  return NULL;
}

static size_t count_of(uid_t uid) {
  size_t count = 0;
  for (const struct connection *each = connections; each != NULL; each = each->next) count += each->uid == uid;
  return count;
}

/* False when the caller is refused. */
static int begin(int client) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  uint32_t number = 0;
  if (getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 0;
  struct caller *place = count_of(peer.uid) < MAX_CONNECTIONS_OF_USER ? free_place(&number) : NULL;
  struct connection *connection = place == NULL ? NULL : calloc(1, sizeof *connection);
  if (connection == NULL) return 0;
  atomic_store(&place->number, 0);
  place->uid = peer.uid;
  place->gid = peer.gid;
  size = sizeof place->groups;
  place->group_count = getsockopt(client, SOL_SOCKET, SO_PEERGROUPS, place->groups, &size) == 0 ? (uint32_t)(size / sizeof(gid_t)) : 0;
  atomic_store(&place->until, INT64_MAX);
  atomic_store(&place->number, number);
  *connection = (struct connection){.next = connections, .number = number, .uid = peer.uid, .client = client, .resident = -1, .since = now_ms()};
  memcpy(connection->in.bytes, "XHGT", 4);
  put32(connection->in.bytes + 4, number);
  put32(connection->in.bytes + 8, peer.uid);
  put32(connection->in.bytes + 12, peer.gid);
  put32(connection->in.bytes + 16, (size_t)peer.pid);
  connection->in.size = HEAD;
  connections = connection;
  connection_count++;
  return 1;
}

static void accept_all(int listener) {
  for (int client; (client = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;)
    if (!begin(client)) close(client);
}

/* False when the resident could not be reached in time. */
static int reach(struct connection *connection, int64_t now) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return now - connection->since < START_TIMEOUT_MS;
  if (connect(fd, (struct sockaddr *)&resident, sizeof resident) != 0) {
    close(fd);
    return now - connection->since < START_TIMEOUT_MS;
  }
  connection->resident = fd;
  connection->in.from = connection->out.to = connection->client;
  connection->in.to = connection->out.from = fd;
  return 1;
}

static int may_wait(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* False when this direction failed. */
static int pass(struct way *way) {
  if (way->size == way->sent && !way->has_ended) {
    ssize_t got = recv(way->from, way->bytes, sizeof way->bytes, 0);
    if (got < 0 && !may_wait()) return 0;
    if (got == 0) way->has_ended = 1;
    way->size = got > 0 ? (size_t)got : 0;
    way->sent = 0;
  }
  while (way->sent < way->size) {
    ssize_t sent = send(way->to, way->bytes + way->sent, way->size - way->sent, MSG_NOSIGNAL);
    if (sent < 0) return may_wait();
    way->sent += (size_t)sent;
  }
  if (way->has_ended && !way->is_shut) {
    way->is_shut = 1;
    (void)shutdown(way->to, SHUT_WR);
  }
  return 1;
}

static short wants(const struct way *way, int reads) {
  if (reads) return way->size == way->sent && !way->has_ended ? POLLIN : 0;
  return way->sent < way->size ? POLLOUT : 0;
}

/* False when the connection is finished: the caller has its whole answer once the resident's direction has ended. */
static int serve(struct connection *connection, short client, short engine) {
  if (((client | engine) & POLLERR) != 0 || (client & POLLHUP) != 0) return 0;
  if ((client & POLLIN) != 0 || (engine & POLLOUT) != 0)
    if (!pass(&connection->in)) return 0;
  if ((engine & (POLLIN | POLLHUP)) != 0 || (client & POLLOUT) != 0)
    if (!pass(&connection->out)) return 0;
  return !connection->out.is_shut;
}

/* ---- the loop ---- */

static void turn(int listener, const sigset_t *while_waiting) {
  static struct pollfd waiting[1 + 2 * MAX_CALLERS];
  size_t count = 1;
  int starts = 0;
  waiting[0] = (struct pollfd){listener, POLLIN, 0};
  for (struct connection *each = connections; each != NULL; each = each->next, count += 2) {
    if (each->resident < 0) starts = 1;
    short client = each->resident < 0 ? 0 : (short)(wants(&each->in, 1) | wants(&each->out, 0));
    short engine = each->resident < 0 ? 0 : (short)(wants(&each->out, 1) | wants(&each->in, 0));
    waiting[count] = (struct pollfd){each->client, client, 0};
    /* poll reports a hang-up on every call: leave the descriptor out until the caller has read what came before. */
    waiting[count + 1] = (struct pollfd){engine == 0 ? -1 : each->resident, engine, 0};
  }
  struct timespec pause = {0, RETRY_MS * 1000000L};
  int ready = ppoll(waiting, (nfds_t)count, starts || is_told_to_end ? &pause : NULL, while_waiting);
  if (ready < 0 && errno != EINTR) fail("ppoll");
  if (has_child_ended) collect_children();
  int64_t now = now_ms();
  size_t at = 1;
  for (struct connection *each = connections, *next; each != NULL; each = next, at += 2) {
    next = each->next;
    int goes_on = each->resident < 0 ? (waiting[at].revents & (POLLHUP | POLLERR)) == 0 && reach(each, now) && (each->resident < 0 || pass(&each->in))
                                     : ready <= 0 || serve(each, waiting[at].revents, waiting[at + 1].revents);
    if (!goes_on) forget(each);
  }
  if (ready > 0 && (waiting[0].revents & POLLIN) != 0) accept_all(listener);
}

static void make_folder(const char *name, mode_t mode, uid_t uid, gid_t gid) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s%s", wish.folder, name);
  if (mkdir(path, 0700) != 0 && errno != EEXIST) fail(path);
  /* chown before chmod: a change of the owner clears the setgid bit. */
  if (lchown(path, uid, gid) != 0 || chmod(path, mode) != 0) fail(path);
}

static int listen_here(void) {
  make_folder("", 0755, 0, 0);
  make_folder("/resident", 0700, wish.uid, wish.gid);
  make_folder("/memory", 02770, wish.uid, wish.hooks_gid);
  (void)snprintf(own.sun_path, sizeof own.sun_path, "%s/engine.sock", wish.folder);
  (void)snprintf(resident.sun_path, sizeof resident.sun_path, "%s/resident/crosshook/engine.sock", wish.folder);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  unlink(own.sun_path);
  if (listener < 0 || bind(listener, (struct sockaddr *)&own, sizeof own) != 0 || chmod(own.sun_path, 0666) != 0 || listen(listener, 512) != 0)
    fail(own.sun_path);
  return listener;
}

static unsigned long number_in(const char *text) {
  char *end;
  errno = EINVAL;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value >= UINT32_MAX) fail(text);
  return value;
}

static void read_arguments(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *option = argv[i];
    char *value = argv[i + 1];
    if (strcmp(option, "--") == 0) {
      wish.program = argv + i + 1;
      break;
    }
    if (strcmp(option, "--folder") == 0) (void)snprintf(wish.folder, sizeof wish.folder, "%s", value);
    else if (strcmp(option, "--uid") == 0) wish.uid = (uid_t)number_in(value);
    else if (strcmp(option, "--gid") == 0) wish.gid = (gid_t)number_in(value);
    else if (strcmp(option, "--hooks-gid") == 0) wish.hooks_gid = (gid_t)number_in(value);
    else if (strcmp(option, "--set") == 0 && wish.env_count < 63) wish.env[wish.env_count++] = value;
    else break;
  }
  errno = EINVAL;
  if (wish.program == NULL || wish.folder[0] != '/' || wish.uid == 0 || wish.gid == 0 || wish.hooks_gid == 0) fail("usage: see gate.c");
}

int main(int argc, char **argv) {
  sigset_t signals, while_waiting;
  struct sigaction action = {.sa_handler = on_signal};
  read_arguments(argc, argv);
  callers = mmap(NULL, sizeof *callers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (callers == MAP_FAILED) fail("shared memory");
  callers->hooks = wish.hooks_gid;
  prctl(PR_SET_DUMPABLE, 0);
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, &while_waiting);
  for (int i = 0; i < 3; i++) sigaction((int[]){SIGCHLD, SIGTERM, SIGINT}[i], &action, NULL);
  int listener = listen_here();
  start_resident();
  while (!is_told_to_end) turn(listener, &while_waiting);
  /* Running calls are finished first: the resident ends when no caller is waiting any more. */
  unlink(own.sun_path);
  if (resident_pid > 0) kill(resident_pid, SIGTERM);
  for (int64_t end = now_ms() + STOP_TIMEOUT_MS; resident_pid > 0 && now_ms() < end;) turn(listener, &while_waiting);
  if (resident_pid > 0) kill(resident_pid, SIGKILL);
  return 0;
}
