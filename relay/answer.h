/* Parses the answer of the engine (PROTOCOL.md). In its own file for fuzz.c; without the C library for early.c. */

#ifndef CROSSHOOK_ANSWER_H
#define CROSSHOOK_ANSWER_H

#include "bytes.h"
#include "hmac.h"

#define PROTOCOL_VERSION 2
#define HEARTBEAT 0x06
#define ANSWER_START 20u
#define ANSWER_HEAD (ANSWER_START + MAC_SIZE)
#define MAX_OUTPUT (64u * 1024 * 1024)
#define CHALLENGE_SIZE 16u

enum status { ANSWERED = 0, DECLINED = 1, LEAVING = 2 };

struct answer {
  enum status status;
  int exit_code;
  const uint8_t *head, *out, *err;
  uint32_t out_size, err_size;
  /* Size of the whole answer in bytes, or 0 until its head has arrived. */
  size_t size;
};

/* Heartbeats, then one frame and nothing after it. */
static inline enum parsed parse_answer(const uint8_t *bytes, size_t size, struct answer *answer) {
  static const uint8_t magic[4] = {'X', 'H', 'A', 'N'};
  size_t start = 0;
  answer->size = 0;
  while (start < size && bytes[start] == HEARTBEAT) start++;
  const uint8_t *frame = bytes + start;
  size_t have = size - start;
  for (size_t i = 0; i < 4 && i < have; i++)
    if (frame[i] != magic[i]) return BROKEN;
  if (have < ANSWER_HEAD) return NEEDS_MORE;
  uint32_t code = get32(frame + 8);
  answer->out_size = get32(frame + 12);
  answer->err_size = get32(frame + 16);
  if (frame[4] != PROTOCOL_VERSION || frame[5] > LEAVING || frame[6] != 0 || frame[7] != 0) return BROKEN;
  if (code > 255 || answer->out_size > MAX_OUTPUT || answer->err_size > MAX_OUTPUT) return BROKEN;
  answer->status = (enum status)frame[5];
  answer->exit_code = (int)code;
  size_t whole = ANSWER_HEAD + (size_t)answer->out_size + answer->err_size;
  answer->size = start + whole;
  if (have < whole) return NEEDS_MORE;
  if (have > whole) return BROKEN;
  answer->head = frame;
  answer->out = frame + ANSWER_HEAD;
  answer->err = answer->out + answer->out_size;
  return WHOLE;
}

/*
 * Was the answer made for this challenge, by the process that listens (`pid`, from the kernel) and that knows the key?
 * The MAC covers the pid, so that a process in the middle cannot pass on an answer of the real engine.
 */
static inline int is_proven(const struct answer *answer, const uint8_t *key, const uint8_t *challenge, uint32_t pid) {
  static const uint8_t purpose[] = "engine"; /* with its zero byte: see src/config/state-key.ts */
  struct sha256 hash;
  uint8_t number[4], mac[MAC_SIZE], difference = 0;
  put32(number, pid);
  hmac_begin(&hash, key);
  sha256_add(&hash, purpose, sizeof purpose);
  sha256_add(&hash, challenge, CHALLENGE_SIZE);
  sha256_add(&hash, number, sizeof number);
  sha256_add(&hash, answer->head, ANSWER_START);
  sha256_add(&hash, answer->out, (size_t)answer->out_size + answer->err_size);
  hmac_end(&hash, key, mac);
  for (size_t i = 0; i < MAC_SIZE; i++) difference |= (uint8_t)(mac[i] ^ answer->head[ANSWER_START + i]);
  return pid != 0 && difference == 0;
}

#endif
