/*
 * The common case of a relay call, without the C library. glibc starts with dozens of CPUID instructions; in a virtual
 * machine each traps to the hypervisor and takes microseconds, together longer than the rest of a call. The program is
 * entered here (`-e early_start`, when built with EARLY). Uncommon cases are left to `main`, which continues from here.
 *
 * Nothing here may call the C library, not even memcpy, because it is not initialised yet. relay/check.sh checks this.
 */

#define _GNU_SOURCE
#include "early.h"
#include "relay.h"

struct early early = {.fd = -1};

#ifdef EARLY
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <fcntl.h>
#include <time.h>

static int differ(const void *left, const void *right, size_t size) {
  const volatile uint8_t *a = left, *b = right;
  while (size > 0 && *a == *b) a++, b++, size--;
  return size > 0;
}

/* Slower answers are left to `main`: they are rare, and starting the C library adds little to them. */
#define READ_TIMEOUT_MS 200
#define MAX_READS 16

#if defined(__x86_64__)
__asm__(".globl early_start\n"
        "early_start:\n"
        "  mov %rsp, %rbx\n"
        "  mov %rsp, %rdi\n"
        "  and $-16, %rsp\n"
        "  call early_main\n"
        "  mov %rbx, %rsp\n"
        "  xor %edx, %edx\n"
        "  jmp _start\n");

static long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
__asm__(".globl early_start\n"
        "early_start:\n"
        "  mov x19, sp\n"
        "  mov x0, sp\n"
        "  bl early_main\n"
        "  mov sp, x19\n"
        "  mov x0, #0\n"
        "  b _start\n");

static long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "no entry for this processor"
#endif

#define ask(number, a, b, c, d) call6(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* Must stay below LARGE_INPUT_BYTES of engine.c, from which on input is streamed to the engine. */
static uint8_t input[60 * 1024], received[64 * 1024];
static char entry_bytes[MAX_ENTRY], environment[256 * 1024];
static struct entry entry;

static size_t length_of(const char *text) {
  const volatile char *at = text;
  while (*at != '\0') at++;
  return (size_t)(at - text);
}

static int is_same(const char *text, const char *other) {
  size_t length = length_of(other);
  return length_of(text) == length && !differ(text, other, length);
}

static const char *variable(char **env, const char *name) {
  size_t length = length_of(name);
  for (; *env != NULL; env++)
    if (!differ(*env, name, length) && (*env)[length] == '=') return *env + length + 1;
  return NULL;
}

static int add(char *path, size_t *length, size_t room, const char *text) {
  volatile char *at = path + *length;
  size_t more = length_of(text);
  if (*length + more >= room) return 0;
  for (size_t i = 0; i <= more; i++) at[i] = text[i];
  *length += more;
  return 1;
}

static int copy(char *path, size_t room, struct text text) {
  volatile char *at = path;
  if (text.size == 0 || text.size >= room) return 0;
  for (size_t i = 0; i < text.size; i++) at[i] = text.at[i];
  at[text.size] = '\0';
  return 1;
}

/* As in engine.c, which also handles a failure. */
static int find_paths(char *socket, size_t room, char *key, size_t key_room, char **env) {
  if (early.entry != NULL) return copy(socket, room, entry.socket) && copy(key, key_room, entry.key);
  const char *runtime = variable(env, "XDG_RUNTIME_DIR"), *state = variable(env, "XDG_STATE_HOME"), *home = variable(env, "HOME");
  size_t length = 0, key_length = 0;
  if (state != NULL && state[0] == '/') {
    if (!add(key, &key_length, key_room, state)) return 0;
  } else if (home == NULL || home[0] != '/' || !add(key, &key_length, key_room, home) || !add(key, &key_length, key_room, "/.local/state")) {
    return 0;
  }
  const char *folder = runtime != NULL && runtime[0] == '/' ? runtime : key;
  return add(socket, &length, room, folder) && add(socket, &length, room, "/crosshook/engine.sock") &&
         add(key, &key_length, key_room, "/crosshook/state.key");
}

/* Reads a small file that only its owner may write and, if it is `secret`, read. Returns its size, or -1. */
static long read_file(const char *path, char *at, size_t room, unsigned forbidden) {
  static struct stat found;
  long file = ask(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (forbidden == 077 ? O_NOFOLLOW : 0), 0);
  if (file < 0) return -1;
  long size = -1;
  if (ask(SYS_fstat, file, &found, 0, 0) == 0 && S_ISREG(found.st_mode) && (found.st_mode & forbidden) == 0 &&
      found.st_uid == (uid_t)ask(SYS_geteuid, 0, 0, 0, 0))
    size = ask(SYS_read, file, at, room, 0);
  ask(SYS_close, file, 0, 0, 0);
  return size;
}

static int reach_engine(char **env) {
  static struct sockaddr_un address;
  static struct stat found;
  static char key_path[4096], key[MAC_SIZE + 1];
  struct ucred peer;
  socklen_t size = sizeof peer;
  address.sun_family = AF_UNIX;
  if (!find_paths(address.sun_path, sizeof address.sun_path, key_path, sizeof key_path, env)) return 0;
  if (ask(SYS_newfstatat, AT_FDCWD, address.sun_path, &found, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  long user = ask(SYS_geteuid, 0, 0, 0, 0);
  if (!S_ISSOCK(found.st_mode) || found.st_uid != (uid_t)user || (found.st_mode & 077) != 0) return 0;
  if (read_file(key_path, key, sizeof key, 077) != MAC_SIZE) return 0;
  for (size_t i = 0; i < MAC_SIZE; i++) early.key[i] = (uint8_t)key[i];
  if (ask(SYS_getrandom, early.challenge, CHALLENGE_SIZE, 0, 0) != CHALLENGE_SIZE) return 0;
  long fd = ask(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0);
  if (fd < 0) return 0;
  if (ask(SYS_connect, fd, &address, sizeof address, 0) == 0 &&
      call6(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&size, 0) == 0 && peer.uid == (uid_t)user && peer.pid > 0) {
    early.fd = (int)fd;
    early.peer = (uint32_t)peer.pid;
    return 1;
  }
  ask(SYS_close, fd, 0, 0, 0);
  return 0;
}

static int read_input(void) {
  early.input = input;
  while (early.input_size < sizeof input) {
    long got = ask(SYS_read, 0, input + early.input_size, sizeof input - early.input_size, 0);
    if (got == -EINTR) continue;
    if (got < 0) return 0;
    early.input_size += (size_t)got;
    if (got == 0) return early.has_all_input = 1;
  }
  return 0;
}

/* Writes the variables that make_environment in relay.c would keep, one after another. Returns their size, or 0. */
static size_t all_variables(char **env) {
  size_t size = 0;
  volatile char *to = environment;
  for (; *env != NULL; env++) {
    if (early.entry != NULL && !counts(&entry, *env)) {
      static const char mark[] = AGENTS_OWN;
      if (!is_agents_own(&entry, *env)) continue;
      if (size + sizeof mark > sizeof environment) return 0;
      for (size_t i = 0; i < sizeof mark - 1; i++) to[size + i] = mark[i];
      size += sizeof mark - 1;
    }
    size_t length = length_of(*env) + 1;
    if (size + length > sizeof environment) return 0;
    for (size_t i = 0; i < length; i++) to[size + i] = (*env)[i];
    size += length;
  }
  for (size_t r = 0; early.entry != NULL && r < entry.rule_count; r++) {
    if (entry.rules[r].set == NULL) continue;
    if (size + entry.rules[r].set_size + 1 > sizeof environment) return 0;
    for (size_t i = 0; i < entry.rules[r].set_size; i++) to[size + i] = entry.rules[r].set[i];
    size += entry.rules[r].set_size;
    to[size++] = '\0';
  }
  return size;
}

/* True when the whole request was sent. */
static int send_request(const char *agent, const char *event, size_t variables) {
  static char cwd[4096];
  static uint8_t head[REQUEST_HEAD_SIZE] = {'X', 'H', 'R', 'Q', PROTOCOL_VERSION};
  static struct iovec parts[7];
  static struct msghdr message;
  if (ask(SYS_getcwd, cwd, sizeof cwd, 0, 0) <= 0 || cwd[0] != '/') return 0;
  parts[0] = (struct iovec){head, sizeof head};
  parts[1] = (struct iovec){(void *)CROSSHOOK_VERSION, sizeof CROSSHOOK_VERSION - 1};
  parts[2] = (struct iovec){(void *)agent, length_of(agent)};
  parts[3] = (struct iovec){(void *)event, length_of(event)};
  parts[4] = (struct iovec){cwd, length_of(cwd)};
  parts[5] = (struct iovec){environment, variables};
  parts[6] = (struct iovec){input, early.input_size};
  size_t all = sizeof head;
  for (int i = 0; i < 6; i++) {
    put32(head + 8 + 4 * i, parts[i + 1].iov_len);
    all += parts[i + 1].iov_len;
  }
  for (size_t i = 0; i < CHALLENGE_SIZE; i++) head[32 + i] = early.challenge[i];
  put32(head + 48, (size_t)ask(SYS_getppid, 0, 0, 0, 0));
  message.msg_iov = parts;
  message.msg_iovlen = 7;
  long sent = ask(SYS_sendmsg, early.fd, &message, MSG_NOSIGNAL, 0);
  if (sent > 0) early.sent = (size_t)sent;
  return early.sent == all;
}

/* True when there is a whole answer. An answer that needs more than MAX_READS reads is left to `main`. */
static int receive(struct answer *answer) {
  early.received = received;
  for (int times = 0; times < MAX_READS && early.received_size < sizeof received; times++) {
    struct pollfd waiting = {early.fd, POLLIN, 0};
    struct timespec timeout = {0, READ_TIMEOUT_MS * 1000000};
    if (call6(SYS_ppoll, (long)&waiting, 1, (long)&timeout, 0, 0, 0) <= 0) return 0;
    long got = call6(SYS_recvfrom, early.fd, (long)(received + early.received_size), (long)(sizeof received - early.received_size), 0, 0, 0);
    if (got <= 0) return 0;
    early.received_size += (size_t)got;
    enum parsed parsed = parse_answer(received, early.received_size, answer);
    if (parsed != NEEDS_MORE) return parsed == WHOLE && answer->status == ANSWERED;
  }
  return 0;
}

/* False when the agent cannot be written to. */
static int print(int fd, const uint8_t *at, size_t size) {
  while (size > 0) {
    long written = ask(SYS_write, fd, at, size, 0);
    if (written > 0) {
      at += written;
      size -= (size_t)written;
    } else if (written == -EAGAIN) {
      struct pollfd waiting = {fd, POLLOUT, 0};
      struct timespec second = {1, 0};
      (void)call6(SYS_ppoll, (long)&waiting, 1, (long)&second, 0, 0, 0);
    } else if (written != -EINTR) {
      return 0;
    }
  }
  return 1;
}

static int has_value(char **env, const char *name) {
  const char *value = variable(env, name);
  return value != NULL && is_same(value, "1");
}

/* Reads the arguments of a common call; false when there are others, or when the entry file cannot be used. */
static int read_arguments(long argc, char **argv, const char **agent, const char **event) {
  static const char option[] = "--entry=";
  if (argc < 3 || argc > 6 || !is_same(argv[1], "hook")) return 0;
  *agent = *event = NULL;
  for (long i = 2; i < argc; i++) {
    if (!differ(argv[i], option, sizeof option - 1)) {
      long size = read_file(argv[i] + sizeof option - 1, entry_bytes, sizeof entry_bytes, 022);
      if (size <= 0 || !parse_entry(entry_bytes, (size_t)size, &entry)) return 0;
      early.entry = &entry;
    } else if (!differ(argv[i], "--fail=", 7)) continue;
    else if (argv[i][0] == '-' || *event != NULL) return 0;
    else if (*agent == NULL) *agent = argv[i];
    else *event = argv[i];
  }
  if (*event == NULL) *event = "";
  return *agent != NULL;
}

static int wants_cold(char **env) {
  if (early.entry == NULL) return has_value(env, "CROSSHOOK_NO_DAEMON") || has_value(env, "CROSSHOOK_DEBUG");
  for (size_t i = 0; i < entry.rule_count; i++) {
    struct text set = {entry.rules[i].set, entry.rules[i].set_size};
    if (set.at != NULL && (text_is(set, "CROSSHOOK_NO_DAEMON=1") || text_is(set, "CROSSHOOK_DEBUG=1"))) return 1;
  }
  return 0;
}

/* `stack` is the initial stack as the kernel laid it out. Returns when `main` has to continue. */
void early_main(long *stack);
void early_main(long *stack) {
  long argc = stack[0];
  char **argv = (char **)(stack + 1), **env = argv + argc + 1;
  const char *agent, *event;
  struct answer answer;
  if (!read_arguments(argc, argv, &agent, &event) || wants_cold(env)) return;
  size_t variables = all_variables(env);
  if (variables == 0 || !reach_engine(env) || !read_input() || !send_request(agent, event, variables) || !receive(&answer)) return;
  if (!is_proven(&answer, early.key, early.challenge, early.peer)) return;
  /* Ignores SIGPIPE by a raw system call: the agent may have closed its end. */
  static const struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
  } ignore = {SIG_IGN, 0, NULL, 0};
  ask(SYS_rt_sigaction, SIGPIPE, &ignore, 0, 8);
  if (!print(1, answer.out, answer.out_size) || !print(2, answer.err, answer.err_size)) return; /* `main` reports the failure */
  for (;;) ask(SYS_exit_group, answer.exit_code, 0, 0, 0);
}
#endif
