/*
 * Starts programs as cheaply as an agent could and says what each took: launch ROUNDS FOLDER…
 * A folder holds `argv` and `env` (texts with a zero byte after each) and `input`. Programs take turns. One line for
 * each run: the number of the folder, nanoseconds from start to end, microseconds of processor, the first bytes of output.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct text { char *at; size_t size; };

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

static struct text read_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat found;
  if (file < 0 || fstat(file, &found) != 0) fail(path);
  struct text text = {NULL, (size_t)found.st_size};
  if (text.size > 0) {
    text.at = mmap(NULL, text.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (text.at == MAP_FAILED) fail(path);
  }
  close(file);
  return text;
}

static char **words(struct text text) {
  size_t count = 0, next = 0;
  for (size_t i = 0; i < text.size; i++) count += text.at[i] == '\0';
  char **list = calloc(count + 1, sizeof *list);
  if (list == NULL) fail("calloc");
  for (size_t i = 0; i < text.size; i += strlen(text.at + i) + 1) list[next++] = text.at + i;
  return list;
}

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void run(int number, char **argv, char **env, struct text input) {
  int in[2], out[2], status;
  char head[200], rest[65536];
  size_t written = 0, got = 0;
  int64_t started = now_ns();
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, out[1], 2);
  pid_t child;
  errno = posix_spawnp(&child, argv[0], &actions, NULL, argv, env);
  if (errno != 0) fail(argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  while (out[0] >= 0) {
    if (in[1] >= 0) {
      ssize_t size = written < input.size ? write(in[1], input.at + written, input.size - written) : -1;
      if (size > 0) written += (size_t)size;
      if (written == input.size || (size < 0 && errno != EAGAIN && errno != EINTR)) {
        close(in[1]);
        in[1] = -1;
      }
    }
    struct pollfd waiting[] = {{out[0], POLLIN, 0}, {in[1], POLLOUT, 0}};
    poll(waiting, 2, -1);
    if (waiting[0].revents == 0) continue;
    ssize_t size = got < sizeof head - 1 ? read(out[0], head + got, sizeof head - 1 - got) : read(out[0], rest, sizeof rest);
    if (size <= 0) {
      close(out[0]);
      out[0] = -1;
    } else if (got < sizeof head - 1) {
      got += (size_t)size;
    }
  }
  if (in[1] >= 0) close(in[1]);
  struct rusage used;
  if (wait4(child, &status, 0, &used) != child) fail("wait4");
  int64_t taken = now_ns() - started;
  int64_t cpu = (int64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  head[got] = '\0';
  for (size_t i = 0; i < got; i++)
    if (head[i] == '\n' || head[i] == '\0') head[i] = ' ';
  printf("%d\t%lld\t%lld\t%s\n", number, (long long)taken, (long long)cpu, head);
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  signal(SIGPIPE, SIG_IGN);
  int count = argc - 2;
  char ***args = calloc((size_t)count, sizeof *args), ***envs = calloc((size_t)count, sizeof *envs);
  struct text *inputs = calloc((size_t)count, sizeof *inputs);
  if (args == NULL || envs == NULL || inputs == NULL) fail("calloc");
  for (int i = 0; i < count; i++) {
    args[i] = words(read_file(argv[i + 2], "argv"));
    envs[i] = words(read_file(argv[i + 2], "env"));
    inputs[i] = read_file(argv[i + 2], "input");
  }
  for (long round = strtol(argv[1], NULL, 10); round > 0; round--)
    for (int i = 0; i < count; i++) run(i, args[i], envs[i], inputs[i]);
  return 0;
}
