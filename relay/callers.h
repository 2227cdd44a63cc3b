/*
 * Whom the gate serves: one place for each connection, with what the kernel says of the process at its other end. The
 * gate writes it, the spawner beside it reads it (the memory is shared), and the resident can do neither.
 */

#ifndef CROSSHOOK_CALLERS_H
#define CROSSHOOK_CALLERS_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define MOST_CALLERS 1024u
#define MOST_GROUPS 256u

struct caller {
  _Atomic uint32_t number; /* of the connection; 0: nobody */
  _Atomic int64_t until; /* by now_ms(); after its end programs of its event may still be asked for, for a while */
  uid_t uid;
  gid_t gid;
  uint32_t group_count;
  gid_t groups[MOST_GROUPS];
};

struct callers {
  gid_t hooks; /* the group of hooks' programs, which no process of a user has: see docs/managed.md */
  struct caller places[MOST_CALLERS];
};

/* The place is part of the number, so that it is found without a search. */
static inline struct caller *place_of(struct callers *all, uint32_t number) { return &all->places[number % MOST_CALLERS]; }

/* A copy of it; false when there is no such connection any more. */
static inline int find_caller(struct callers *all, uint32_t number, int64_t now, struct caller *found) {
  struct caller *place = place_of(all, number);
  if (number == 0 || atomic_load(&place->number) != number || atomic_load(&place->until) < now) return 0;
  found->uid = place->uid, found->gid = place->gid, found->group_count = place->group_count;
  for (uint32_t i = 0; i < place->group_count && i < MOST_GROUPS; i++) found->groups[i] = place->groups[i];
  return atomic_load(&place->number) == number;
}

#endif
