/*
 * The table of the gate's connections, with the credentials of each caller as the kernel reports them. It is in memory
 * that the gate writes and the spawner reads; the resident has no access.
 */

#ifndef CROSSHOOK_CALLERS_H
#define CROSSHOOK_CALLERS_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_CALLERS 1024u
#define MAX_GROUPS 256u

struct caller {
  _Atomic uint32_t number; /* of the connection; 0: unused */
  _Atomic int64_t until; /* by now_ms(): until then programs may still be started for a connection that has ended */
  uid_t uid;
  gid_t gid;
  uint32_t group_count;
  gid_t groups[MAX_GROUPS];
};

struct callers {
  gid_t hooks; /* the group of hooks' programs, which no process of a user has: see docs/managed.md */
  struct caller places[MAX_CALLERS];
};

/* The number of a connection contains its index, so that no search is needed. */
static inline struct caller *place_of(struct callers *all, uint32_t number) { return &all->places[number % MAX_CALLERS]; }

/* Copies the entry of a connection; false when it no longer exists. */
static inline int find_caller(struct callers *all, uint32_t number, int64_t now, struct caller *found) {
  struct caller *place = place_of(all, number);
  if (number == 0 || atomic_load(&place->number) != number || atomic_load(&place->until) < now) return 0;
  found->uid = place->uid, found->gid = place->gid, found->group_count = place->group_count;
  for (uint32_t i = 0; i < place->group_count && i < MAX_GROUPS; i++) found->groups[i] = place->groups[i];
  return atomic_load(&place->number) == number;
}

#endif
