/* A growing buffer, numbers in the byte order of the protocols, and the monotonic clock. */

#ifndef CROSSHOOK_BYTES_H
#define CROSSHOOK_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define LARGE_ROOM ((size_t)1024 * 1024)

enum parsed { NEEDS_MORE, WHOLE, BROKEN };

struct bytes {
  uint8_t *at;
  size_t size, room;
};

static inline uint32_t get32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void put32(uint8_t *at, size_t value) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static inline int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static inline int reserve(struct bytes *bytes, size_t more) {
  size_t room = bytes->room > 0 ? bytes->room : 65536;
  while (room - bytes->size < more) room *= room == LARGE_ROOM ? 16 : 2;
  if (room == bytes->room) return 1;
  uint8_t *at = realloc(bytes->at, room);
  if (at == NULL) return 0;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  /* Unused pages are never allocated, so a large buffer costs nothing; huge pages save page faults. */
  if (room > LARGE_ROOM) (void)madvise((void *)(((uintptr_t)at + 4095) & ~(uintptr_t)4095), room - 4096, MADV_HUGEPAGE);
#endif
  bytes->at = at;
  bytes->room = room;
  return 1;
}

static inline int append(struct bytes *bytes, const void *from, size_t size) {
  if (!reserve(bytes, size)) return 0;
  if (size > 0) memcpy(bytes->at + bytes->size, from, size);
  bytes->size += size;
  return 1;
}

#endif
