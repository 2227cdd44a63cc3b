/* Asks the warm engine, by the protocol of PROTOCOL.md. Any failure or unexpected byte leads to the cold path. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__) || defined(__APPLE__)
#include <sys/random.h>
#endif
#include "early.h"
#include "relay.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define MAX_PAYLOAD_BYTES ((size_t)64 * 1024 * 1024)
#define MAX_STDIN_BYTES ((size_t)256 * 1024 * 1024) /* the limit of the cold path */
#define LARGE_INPUT_BYTES ((size_t)65536) /* input from this size on is streamed to the engine */
#define UNKNOWN_SIZE ((size_t)0xffffffff)
#define CONNECT_TIMEOUT_MS 500
#ifndef FIRST_BYTE_MS /* tests set shorter times */
#define FIRST_BYTE_MS 5000 /* the engine sends a heartbeat every second while its hooks run */
#define NEXT_BYTE_MS 15000
#endif

/* The engine gets 1/ENGINE_SHARE of the remaining time to send its first byte; the rest is kept for the cold path. */
#define ENGINE_SHARE 3

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int copy_text(char *to, size_t room, struct text text) {
  if (text.size == 0 || text.size >= room) return 0;
  memcpy(to, text.at, text.size);
  to[text.size] = '\0';
  return 1;
}

/* The paths of the engine's socket and key: from the entry file, or from the environment as in src/config/paths.ts. */
static int find_paths(const struct call *call, char *path, size_t room, char *key) {
  if (call->entry != NULL)
    return copy_text(path, room, call->entry->socket) && (is_managed(call) || copy_text(key, MAX_PATH_BYTES, call->entry->key));
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  char folder[MAX_PATH_BYTES];
  int length;
  if (state != NULL && state[0] == '/') length = snprintf(folder, sizeof folder, "%s/crosshook", state);
  else if (home != NULL && home[0] == '/') length = snprintf(folder, sizeof folder, "%s/.local/state/crosshook", home);
  else return 0;
  if (length < 0 || (size_t)length >= sizeof folder) return 0;
  length = snprintf(key, MAX_PATH_BYTES, "%s/state.key", folder);
  if (length < 0 || length >= MAX_PATH_BYTES) return 0;
  if (runtime != NULL && runtime[0] == '/') length = snprintf(path, room, "%s/crosshook/engine.sock", runtime);
  else length = snprintf(path, room, "%s/engine.sock", folder);
  return length > 0 && (size_t)length < room;
}

/* Refuses a key file that other users can read. */
static int read_key(const char *path, uint8_t *key) {
  uint8_t bytes[MAC_SIZE + 1];
  struct stat found;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return 0;
  int is_safe = fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
  ssize_t size = is_safe ? read(file, bytes, sizeof bytes) : -1;
  close(file);
  if (size != MAC_SIZE) return 0;
  memcpy(key, bytes, MAC_SIZE);
  return 1;
}

static int make_challenge(uint8_t *challenge) {
#ifdef __linux__
  return getrandom(challenge, CHALLENGE_SIZE, 0) == CHALLENGE_SIZE;
#else
  return getentropy(challenge, CHALLENGE_SIZE) == 0;
#endif
}

/* The pid of the listening process if it belongs to that user, else 0. */
static uint32_t peer_of(int fd, uid_t owner) {
#ifdef SO_PEERCRED
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != owner) return 0;
  return (uint32_t)peer.pid;
#else
  uid_t user;
  gid_t group;
  pid_t pid = 0;
  socklen_t size = sizeof pid;
  if (getpeereid(fd, &user, &group) != 0 || user != owner) return 0;
  return getsockopt(fd, 0 /* SOL_LOCAL */, LOCAL_PEERPID, &pid, &size) == 0 ? (uint32_t)pid : 0;
#endif
}

/* Connects to this user's engine, or to that of a managed installation. Returns -1 with the reason on failure. */
static int reach_engine(const struct call *call, struct early *found_engine, const char **why) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct stat found;
  char key[MAX_PATH_BYTES];
  /* Every user may call a managed engine, so it cannot share a secret key with its callers; the uid of the listener is checked instead. */
  uid_t owner = is_managed(call) ? (uid_t)call->entry->owner : geteuid();
  mode_t forbidden = is_managed(call) ? 0 : 077;
  *why = "unreachable";
  if (!find_paths(call, address.sun_path, sizeof address.sun_path, key)) return -1;
  *why = "absent";
  if (lstat(address.sun_path, &found) != 0) return -1;
  *why = "foreign";
  if (!S_ISSOCK(found.st_mode) || found.st_uid != owner || (found.st_mode & forbidden) != 0) return -1;
  *why = "unproven";
  if (!is_managed(call) && !read_key(key, found_engine->key)) return -1;
  if (!make_challenge(found_engine->challenge)) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  *why = "absent";
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  int64_t end = now_ms() + CONNECT_TIMEOUT_MS;
  while (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    /* EAGAIN: the listener's backlog is full. */
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
  found_engine->peer = peer_of(fd, owner);
  if (found_engine->peer != 0) return fd;
  close(fd);
  return -1;
}

/* Removes the `sent` bytes from the front of the parts; returns how many parts are left. */
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

/* Sends the parts, shuts down our side if that `ends` the request, and reads the answer. */
static enum parsed exchange(const struct call *call, int fd, struct iovec *parts, int count, int ends, struct bytes *received, struct answer *answer) {
  int64_t last = now_ms(), share = (call->deadline - last) / ENGINE_SHARE;
  int64_t first_byte = share < FIRST_BYTE_MS ? share : FIRST_BYTE_MS, next_byte = share < NEXT_BYTE_MS ? share : NEXT_BYTE_MS;
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
      /* The engine may have declined and closed before all was sent: its answer still counts. */
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) count = 0;
    }
    int64_t now = now_ms();
    int64_t limit = last + (received->size > 0 ? next_byte : first_byte);
    if (call->deadline < limit) limit = call->deadline;
    if (now >= limit) return BROKEN;
    struct pollfd waiting = {fd, (short)(POLLIN | (count > 0 ? POLLOUT : 0)), 0};
    int ready = poll(&waiting, 1, (int)(limit - now));
    /* Sending a little more, even if possible now, would only reset the timeout. */
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

/* Reads at least once. Returns 1 when there may be more, 0 at the end of file, -1 on an error. */
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
  if (input->size < LARGE_INPUT_BYTES && input->size + (size_t)got >= LARGE_INPUT_BYTES) (void)fcntl(0, F_SETPIPE_SZ, 1 << 20);
#endif
  input->size += (size_t)got;
  return input->size <= MAX_STDIN_BYTES;
}

static int read_until(struct bytes *input, size_t enough) {
  int more = 1;
  while (more > 0 && input->size < enough) more = read_some(input);
  return more;
}

/*
 * Sends the parts and then stdin as it arrives. All input is kept, for the cold path in case the engine does not answer.
 * FAILED: stdin cannot be read; STUCK: the engine does not read; GONE: the engine has closed the connection.
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
    if (input->size > MAX_PAYLOAD_BYTES) passed = STUCK;
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

static _Noreturn void unreadable_input(const struct call *call) {
  char what[200];
  (void)snprintf(what, sizeof what, "the input from the agent cannot be read: %s", strerror(errno));
  give_up(call, what);
}

const char *ask_engine(const struct call *call, struct bytes *input, struct bytes *received, struct answer *answer) {
  const char *why = "other";
  struct early engine = early;
  int fd = early.fd >= 0 ? early.fd : reach_engine(call, &engine, &why);
  if (fd < 0) return why;
  struct bytes env = {0};
  int more = append(input, early.input, early.input_size) ? !early.has_all_input : -1;
  if (more > 0) more = read_until(input, LARGE_INPUT_BYTES);
  int fits = more >= 0;
  for (char **each = call->env; fits && *each != NULL; each++)
    fits = env.size < MAX_ENV && append(&env, *each, strlen(*each) + 1);
  enum parsed parsed = BROKEN;
  why = "other";
  if (fits) {
    uint8_t head[REQUEST_HEAD_SIZE] = {'X', 'H', 'R', 'Q', PROTOCOL_VERSION}, tail[8] = {'X', 'H', 'E', 'N'};
    const char *texts[] = {CROSSHOOK_VERSION, call->agent, call->event, call->cwd};
    struct iovec parts[7] = {{head, sizeof head}}, *left = parts;
    for (int i = 0; i < 4; i++) parts[i + 1] = (struct iovec){(void *)texts[i], strlen(texts[i])};
    parts[5] = (struct iovec){env.at, env.size};
    parts[6] = (struct iovec){input->at, input->size};
    for (int i = 0; i < 6; i++) put32(head + 8 + 4 * i, parts[i + 1].iov_len);
    memcpy(head + 32, engine.challenge, CHALLENGE_SIZE);
    put32(head + 48, (size_t)getppid());
    int count = take_off(&left, 7, early.sent), ends = more > 0;
    if (ends) {
      /* The length of streamed input is not known yet: it is sent after the input. */
      put32(head + 28, UNKNOWN_SIZE);
      enum passed passed = pass_on(fd, parts, 6, input);
      more = passed == FAILED ? -1 : 0;
      fits = passed == SENT || passed == GONE;
      put32(tail + 4, input->size);
      left = parts;
      parts[0] = (struct iovec){tail, sizeof tail};
      count = ends = passed == SENT; /* an engine that has closed may have declined: its answer counts */
    }
    if (fits && append(received, early.received, early.received_size)) parsed = exchange(call, fd, left, count, ends, received, answer);
    if (parsed == WHOLE && !is_managed(call) && !is_proven(answer, engine.key, engine.challenge, engine.peer)) why = "unproven";
    else if (input->size <= MAX_PAYLOAD_BYTES) why = parsed != WHOLE ? "silent" : answer->status == ANSWERED ? NULL : answer->status == LEAVING ? "leaving" : "declined";
  }
  if (more > 0) more = read_until(input, MAX_STDIN_BYTES);
  if (more < 0) unreadable_input(call);
  close(fd);
  free(env.at);
  return why;
}
