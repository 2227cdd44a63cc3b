/*
 * A program with all that it has started: its process group and, on Linux, those of its descendants that have left the
 * group (setsid). Who has left it and lost its parent too is nobody's child any more: a service that was meant to stay.
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

/* Milliseconds, as in src/executors/end-group.ts and program-keeper.ts. What is being made a service has time to leave the group. */
#define LEFT_GRACE 100
#define TERM_GRACE 100
#define KILL_GRACE 500
#define LOOK 5

#define MOST_APART 256u

/* One that has left the group. The time of its start tells it from a later process with the same number. */
struct apart {
  pid_t pid;
  unsigned long long started;
};

struct family {
  pid_t leader;
  struct apart *apart; /* known once it was looked for */
  size_t count;
};

static inline int has_group(const struct family *family) {
  return kill(-family->leader, 0) == 0 || errno == EPERM;
}

#ifdef __linux__
/* False when there is no such process, or only what is left of one that has ended. */
static inline int look_up(pid_t pid, pid_t *group, unsigned long long *started) {
  char path[64], text[1024];
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  /* Its name may hold spaces and brackets. */
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
  if (family->count >= MOST_APART || !look_up(pid, &group, &found.started) || group == family->leader) return;
  for (size_t i = 0; i < family->count; i++)
    if (family->apart[i].pid == pid && family->apart[i].started == found.started) return;
  if (family->apart == NULL) family->apart = calloc(MOST_APART, sizeof *family->apart);
  if (family->apart != NULL) family->apart[family->count++] = found;
}

/* The children that any thread of it has started, and theirs. */
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

/* False when nothing of it is left. A signal of 0 only asks. */
static inline int signal_family(struct family *family, int number) {
  int is_there = 0;
#ifdef __linux__
  /* Before any of them ends: the children of one that has ended are nobody's. */
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
