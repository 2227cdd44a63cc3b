/* An unnamed file as stdin of a program: unlike a pipe it needs no writer, and it can be opened again. */

#ifndef CROSSHOOK_NAMELESS_H
#define CROSSHOOK_NAMELESS_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Close-on-exec; -1 when it cannot be created. */
static inline int nameless_file(void) {
#ifdef __linux__
  int file = memfd_create("stdin", MFD_CLOEXEC);
  if (file >= 0) return file;
#endif
  const char *folder = getenv("TMPDIR");
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/crosshook-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp");
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  int named = mkstemp(path);
  if (named < 0) return -1;
  unlink(path);
  fcntl(named, F_SETFD, FD_CLOEXEC);
  return named;
}

/* Replaces the content by these bytes. The offset stays at the start. */
static inline int fill(int file, const uint8_t *at, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t written = pwrite(file, at + done, size - done, (off_t)done);
    if (written > 0) done += (size_t)written;
    else if (written == 0 || errno != EINTR) return 0;
  }
  return ftruncate(file, (off_t)size) == 0;
}

#endif
