/*
 * crosshook-relay keeper
 *
 * Ends the programs that another process started itself (on the cold path and in the library), in case that process is
 * killed. It is told of each program (see PROTOCOL.md), ends the processes that a program left behind, and when the
 * other process is gone it ends all programs that still run, then itself.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include "bytes.h"
#include "family.h"
#include "keeper.h"

#define MESSAGE 5u
/* At once; far more than hooks start. */
#define MAX_PROGRAMS 1024u

enum told { STARTED = 1, OVER = 2, OVER_BUT_LEFT = 3 };
enum stage { FREE = 0, RUNS, LEFT, TERMINATED, KILLED };

struct kept {
  struct family family;
  enum stage stage;
  int64_t until;
};

static struct kept kept[MAX_PROGRAMS];
static size_t used;

static struct kept *find(pid_t pid, enum stage stage) {
  for (size_t i = 0; i < used; i++)
    if (kept[i].stage == stage && (stage == FREE || kept[i].family.leader == pid)) return &kept[i];
  return stage == FREE && used < MAX_PROGRAMS ? &kept[used++] : NULL;
}

static void drop(struct kept *one) {
  forget_family(&one->family);
  one->stage = FREE;
}

static void end(struct kept *one) {
  one->stage = TERMINATED;
  one->until = now_ms() + TERM_GRACE_MS;
  if (!signal_family(&one->family, SIGTERM)) drop(one);
}

static void hear(enum told told, pid_t pid) {
  struct kept *one = find(pid, told == STARTED ? FREE : RUNS);
  /* kill() with a group of 1 or less would signal every process. */
  if (one == NULL || pid <= 1) return;
  if (told == STARTED) *one = (struct kept){.family = {.leader = pid}, .stage = RUNS};
  else if (told == OVER_BUT_LEFT && has_group(&one->family)) one->stage = LEFT, one->until = now_ms() + LEFT_GRACE_MS;
  else drop(one);
}

static void look(struct kept *one, int64_t now) {
  if (!signal_family(&one->family, 0)) {
    drop(one);
  } else if (one->stage == LEFT) {
    if (now >= one->until) end(one);
  } else if (now >= one->until) {
    /* Where init does not reap orphans, a process group of zombies never disappears. */
    if (one->stage == KILLED) {
      drop(one);
      return;
    }
    one->stage = KILLED;
    one->until = now + KILL_GRACE_MS;
    (void)signal_family(&one->family, SIGKILL);
  }
}

/* False when the other process is gone. */
static int listen_to(int channel) {
  static uint8_t bytes[256 * MESSAGE];
  static size_t have;
  ssize_t got = read(channel, bytes + have, sizeof bytes - have);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return 0;
  have += (size_t)got;
  size_t at = 0;
  for (; have - at >= MESSAGE; at += MESSAGE) hear((enum told)bytes[at], (pid_t)get32(bytes + at + 1));
  have -= at;
  memmove(bytes, bytes + at, have);
  return 1;
}

int run_keeper(int channel) {
  for (int is_there = 1;;) {
    int is_ending = 0;
    for (size_t i = 0; i < used; i++) {
      if (kept[i].stage == RUNS && !is_there) end(&kept[i]);
      is_ending |= kept[i].stage > RUNS;
    }
    if (!is_there && !is_ending) return 0;
    struct pollfd waiting = {is_there ? channel : -1, POLLIN, 0};
    if (poll(&waiting, 1, is_ending ? POLL_MS : -1) > 0) is_there = listen_to(channel);
    int64_t now = now_ms();
    for (size_t i = 0; i < used; i++)
      if (kept[i].stage > RUNS) look(&kept[i], now);
  }
}
