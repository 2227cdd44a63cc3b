/* The state of a call that early.c has begun and `main` continues. */

#ifndef CROSSHOOK_EARLY_H
#define CROSSHOOK_EARLY_H

#include "answer.h"
#include "entry.h"

struct early {
  int fd; /* a connection to an engine of this user, or -1: `main` starts from the beginning */
  uint32_t peer; /* the process that listens there */
  uint8_t key[MAC_SIZE], challenge[CHALLENGE_SIZE];
  const struct entry *entry; /* as it was when the request was made */
  const uint8_t *input;
  size_t input_size;
  int has_all_input;
  size_t sent; /* bytes of the request */
  const uint8_t *received;
  size_t received_size;
};

extern struct early early;

#endif
