/*
 * A program with all processes that it started: its process group and, on Linux, descendants that have left the group
 * (setsid). A process that has left the group and lost its parent is taken for a service that is meant to stay.
 */

#ifndef CROSSHOOK_FAMILY_H
#define CROSSHOOK_FAMILY_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <dirent.h>
#include <fcntl.h>
#endif

/* As in src/executors/end-group.ts and program-keeper.ts. LEFT_GRACE_MS lets a process that becomes a service leave the group. */
#define LEFT_GRACE_MS 100
#define TERM_GRACE_MS 100
#define KILL_GRACE_MS 500
#define POLL_MS 5

#define MAX_APART 256u

/* A process that has left the group. Its start time distinguishes it from a later process with the same pid. */
struct apart {
  pid_t pid;
  unsigned long long started;
};

struct family {
  pid_t leader;
  struct apart *apart; /* NULL until descendants were searched for */
  size_t count;
};

static inline int has_group(const struct family *family) {
  return kill(-family->leader, 0) == 0 || errno == EPERM;
}

#ifdef __linux__
/* False when there is no such process, or only a zombie. */
static inline int look_up(pid_t pid, pid_t *group, unsigned long long *started) {
  char path[64], text[1024];
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  /* The name in /proc/PID/stat may contain spaces and brackets. */
  const char *rest = strrchr(text, ')');
  char state;
  long parent, of_group;
  if (rest == NULL || sscanf(rest + 1, " %c %ld %ld %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state, &parent, &of_group, started) != 4) return 0;
  *group = (pid_t)of_group;
  return state != 'Z' && state != 'X';
}

static inline int is_still(const struct apart *one) {
  pid_t group;
  unsigned long long started;
  return look_up(one->pid, &group, &started) && started == one->started;
}

static inline void note_apart(struct family *family, pid_t pid) {
  struct apart found = {pid, 0};
  pid_t group;
  if (family->count >= MAX_APART || !look_up(pid, &group, &found.started) || group == family->leader) return;
  for (size_t i = 0; i < family->count; i++)
    if (family->apart[i].pid == pid && family->apart[i].started == found.started) return;
  if (family->apart == NULL) family->apart = calloc(MAX_APART, sizeof *family->apart);
  if (family->apart != NULL) family->apart[family->count++] = found;
}

/* Children of any of its threads, recursively. */
static inline void gather_below(struct family *family, pid_t pid, unsigned depth) {
  char path[320], text[4096];
  (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
  DIR *threads = depth < 64 ? opendir(path) : NULL;
  if (threads == NULL) return;
  for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
    if (thread->d_name[0] == '.') continue;
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%s/children", (long)pid, thread->d_name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = '\0';
    for (char *at = text, *end; *at != '\0'; at = end) {
      long child = strtol(at, &end, 10);
      if (end == at || child <= 1) break;
      note_apart(family, (pid_t)child);
      gather_below(family, (pid_t)child, depth + 1);
    }
  }
  closedir(threads);
}
#endif

/* False when no process of it is left. Signal 0 only checks. */
static inline int signal_family(struct family *family, int number) {
  int is_there = 0;
#ifdef __linux__
  /* Search before signalling: children of a process that has ended can no longer be found. */
  if (number != 0) {
    gather_below(family, family->leader, 0);
    for (size_t i = 0, known = family->count; i < known; i++) gather_below(family, family->apart[i].pid, 0);
  }
  for (size_t i = 0; i < family->count; i++) {
    if (!is_still(&family->apart[i])) continue;
    is_there = 1;
    if (number != 0) (void)kill(family->apart[i].pid, number);
  }
#endif
  if (kill(-family->leader, number) == 0 || errno == EPERM) is_there = 1;
  return is_there;
}

static inline void forget_family(struct family *family) {
  free(family->apart);
  family->apart = NULL;
  family->count = 0;
}

#endif
