/*
 * crosshook-confine: runs a program with fewer rights than its caller has.
 *
 *   crosshook-confine [-r PATH]... [-w PATH]... [-n] [-u] [-g] [-m MEGABYTES] -- PROGRAM [ARGUMENT]...
 *   crosshook-confine -p FILE -- PROGRAM [ARGUMENT]...     the same words in a file, each ended by a zero byte
 *   crosshook-confine --level
 *
 *   -r PATH  it may read and run what is at or below PATH
 *   -w PATH  it may also write there
 *   -n       it may use TCP and UDP
 *   -u       it may use Unix sockets: for callers that have already hidden the sockets it must not reach
 *   -g       it stays in its process group, so that its caller can end all its processes
 *   -m N     each of its processes gets at most N megabytes of memory
 *
 * Everything else is refused: by Landlock for files, abstract sockets and signals, by seccomp for the rest. The program
 * has no capabilities and cannot get any. A path that does not exist is ignored. When any of this cannot be set up, the
 * program is not run: exit 125, and a message on stderr that begins with "crosshook-confine:". Linux only.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "confine-filter.h"

/* From linux/landlock.h of newer kernels, because the headers at build time may be older than the running kernel. */
#define LANDLOCK_CREATE_RULESET_VERSION (1u << 0)
#define RULE_PATH_BENEATH 1
enum {
  FS_EXECUTE = 1 << 0,
  FS_WRITE_FILE = 1 << 1,
  FS_READ_FILE = 1 << 2,
  FS_READ_DIR = 1 << 3,
  FS_ALL_1 = (1 << 13) - 1,
  FS_REFER = 1 << 13,     /* 2 */
  FS_TRUNCATE = 1 << 14,  /* 3 */
  FS_IOCTL_DEV = 1 << 15, /* 5 */
};
#define NET_TCP 3u          /* 4: bind and connect */
#define SCOPE_ABSTRACT 1u   /* 6 */
#define SCOPE_SIGNAL 2u     /* 6 */

/* Before ABI 3 a read-only file could still be truncated. */
#define LOWEST_ABI 3

struct ruleset {
  uint64_t fs, net, scoped;
};
struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

#define FAILED 125

static void fail(const char *what, const char *which) {
  fprintf(stderr, "crosshook-confine: %s%s%s: %s\n", what, which ? " " : "", which ? which : "", strerror(errno));
  exit(FAILED);
}

static void refuse(const char *why) {
  fprintf(stderr, "crosshook-confine: %s\n", why);
  exit(FAILED);
}

static int landlock_abi(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static uint64_t file_rights(int abi) {
  uint64_t rights = FS_ALL_1 | FS_REFER | FS_TRUNCATE;
  return abi >= 5 ? rights | FS_IOCTL_DEV : rights;
}

static int create_ruleset(int abi, int network) {
  struct ruleset set = {file_rights(abi), 0, 0};
  if (abi >= 4 && !network) set.net = NET_TCP;
  if (abi >= 6) set.scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL;
  size_t size = abi >= 6 ? sizeof set : abi >= 4 ? offsetof(struct ruleset, scoped) : offsetof(struct ruleset, net);
  int fd = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
  if (fd < 0) fail("Landlock cannot be used", NULL);
  return fd;
}

static void allow(int ruleset, const char *path, uint64_t rights) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return;
    fail("cannot look at", path);
  }
  struct stat found;
  if (fstat(fd, &found) < 0) fail("cannot look at", path);
  /* The kernel refuses a rule that grants folder rights on a file. */
  if (!S_ISDIR(found.st_mode)) rights &= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
  struct path_rule rule = {rights, fd};
  if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0) fail("cannot allow", path);
  close(fd);
}

/* Devices without data of any user, and the kernel's information about the process itself. */
static void allow_basics(int ruleset, uint64_t write) {
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    allow(ruleset, devices[i], write & ~(uint64_t)FS_EXECUTE);
  static const char *const read[] = {"/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat",
    "/proc/filesystems", "/proc/sys/kernel", "/proc/sys/vm", "/proc/version", "/proc/uptime", "/proc/loadavg",
    "/sys/devices/system/cpu", "/sys/fs/cgroup"};
  for (size_t i = 0; i < sizeof read / sizeof *read; i++) allow(ruleset, read[i], FS_READ_FILE | FS_READ_DIR);
}

static void drop_capabilities(void) {
  for (int cap = 0; cap <= 63; cap++)
    if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno == EINVAL) break;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_capset, &head, none) < 0) fail("cannot give up capabilities", NULL);
}

static void limit(int what, rlim_t most, const char *name) {
  struct rlimit now;
  if (getrlimit(what, &now) < 0) fail("cannot read the limit of", name);
  if (now.rlim_max < most) most = now.rlim_max;
  struct rlimit lower = {most, most};
  if (setrlimit(what, &lower) < 0) fail("cannot limit", name);
}

/* The number of processes on the machine: an upper bound for those of the user. */
static rlim_t running_processes(void) {
  char text[128] = "";
  int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    if (read(fd, text, sizeof text - 1) < 0) text[0] = '\0';
    close(fd);
  }
  const char *slash = strchr(text, '/');
  return slash ? (rlim_t)strtoul(slash + 1, NULL, 10) : 4096;
}

#define MORE_PROCESSES 512
#define MAX_FILE_BYTES ((rlim_t)4 << 30)

static void set_limits(unsigned long megabytes) {
  limit(RLIMIT_CORE, 0, "core files");
  limit(RLIMIT_FSIZE, MAX_FILE_BYTES, "file sizes");
  limit(RLIMIT_NPROC, running_processes() + MORE_PROCESSES, "processes");
  if (megabytes > 0) limit(RLIMIT_DATA, (rlim_t)megabytes << 20, "memory");
}

static void close_other_descriptors(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most < 0 || most > 65536 ? 65536 : (int)most); fd++) close(fd);
}

static void say_level(void) {
  int abi = landlock_abi();
  printf("{\"landlock\": %d, \"seccomp\": %s}\n", abi < 0 ? 0 : abi,
    prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 ? "true" : "false");
  exit(abi >= LOWEST_ABI ? 0 : FAILED);
}

struct wish {
  int ruleset, network, sockets, stays_in_group;
  unsigned long megabytes;
  uint64_t read, write;
};

/* The words are read twice: the ruleset must know whether the network is allowed before the first rule is added. */
static void take_words(char **words, int count, struct wish *wish) {
  for (int at = 0; at < count; at++) {
    const char *option = words[at];
    if (strcmp(option, "-n") == 0) wish->network = 1;
    else if (strcmp(option, "-u") == 0) wish->sockets = 1;
    else if (strcmp(option, "-g") == 0) wish->stays_in_group = 1;
    else {
      if (at + 1 >= count) refuse("an option has no value");
      const char *value = words[++at];
      if (strcmp(option, "-m") == 0) wish->megabytes = strtoul(value, NULL, 10);
      else if (strcmp(option, "-r") != 0 && strcmp(option, "-w") != 0) refuse("an option is not known");
      else if (wish->ruleset >= 0) allow(wish->ruleset, value, option[1] == 'w' ? wish->write : wish->read);
    }
  }
}

#define MAX_POLICY_BYTES ((size_t)1 << 20)
#define MAX_WORDS 20000

/* The words of a policy file, each ended by a zero byte. */
static int read_words(const char *path, char **words) {
  static char text[MAX_POLICY_BYTES];
  size_t size = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail("cannot read the policy", path);
  for (ssize_t got; (got = read(fd, text + size, sizeof text - size)) != 0; size += (size_t)got) {
    if (got < 0) fail("cannot read the policy", path);
    if (size + (size_t)got >= sizeof text) refuse("the policy is too large");
  }
  close(fd);
  if (size == 0 || text[size - 1] != '\0') refuse("the policy is cut off");
  int count = 0;
  for (char *word = text; word < text + size; word += strlen(word) + 1) {
    if (count == MAX_WORDS) refuse("the policy is too large");
    words[count++] = word;
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--level") == 0) say_level();
  int abi = landlock_abi();
  if (abi < LOWEST_ABI)
    refuse("this kernel's Landlock is missing, switched off or too old (ABI 3, Linux 6.2, is needed)");
  int dashes = 1;
  while (dashes < argc && strcmp(argv[dashes], "--") != 0) dashes++;
  if (dashes + 1 >= argc) refuse("no program is named after --");
  static char *from_file[MAX_WORDS];
  char **words = argv + 1;
  int count = dashes - 1;
  if (count == 2 && strcmp(words[0], "-p") == 0) {
    count = read_words(words[1], from_file);
    words = from_file;
  }
  struct wish wish = {-1, 0, 0, 0, 0, FS_EXECUTE | FS_READ_FILE | FS_READ_DIR, file_rights(abi)};
  take_words(words, count, &wish);
  wish.ruleset = create_ruleset(abi, wish.network);
  take_words(words, count, &wish);
  allow_basics(wish.ruleset, wish.write);
  set_limits(wish.megabytes);
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail("cannot give up new privileges", NULL);
  if (syscall(SYS_landlock_restrict_self, wish.ruleset, 0) < 0) fail("Landlock cannot be used", NULL);
  close_other_descriptors();
  if (install_filter(wish.network, wish.sockets, wish.stays_in_group) < 0) fail("seccomp cannot be used", NULL);
  char **program = argv + dashes + 1;
  execvp(program[0], program);
  fprintf(stderr, "crosshook-confine: cannot run %s: %s\n", program[0], strerror(errno));
  return errno == ENOENT ? 127 : 126;
}
