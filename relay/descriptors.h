/* Closes inherited descriptors, so that they do not leak into child processes. */

#ifndef CROSSHOOK_DESCRIPTORS_H
#define CROSSHOOK_DESCRIPTORS_H

#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

static inline void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0) == 0) return;
#endif
  for (int fd = first; fd < 4096; fd++) close(fd);
}

#endif
