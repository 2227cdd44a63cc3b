/* The answer of the warm engine, as PROTOCOL.md describes it. Apart, so that it can be fuzzed. */

#ifndef CROSSHOOK_ANSWER_H
#define CROSSHOOK_ANSWER_H

#include "bytes.h"

#define PROTOCOL_VERSION 1
#define HEARTBEAT 0x06
#define ANSWER_HEAD 20u
#define MOST_OUTPUT (64u * 1024 * 1024)

enum status { ANSWERED = 0, DECLINED = 1, LEAVING = 2 };

struct answer {
  enum status status;
  int exit_code;
  const uint8_t *out, *err;
  uint32_t out_size, err_size;
  /* Bytes that the whole answer takes, known once its head is there; else 0. */
  size_t size;
};

/* Heartbeats, then one frame and nothing after it. */
static enum parsed parse_answer(const uint8_t *bytes, size_t size, struct answer *answer) {
  static const uint8_t magic[4] = {'X', 'H', 'A', 'N'};
  size_t start = 0;
  answer->size = 0;
  while (start < size && bytes[start] == HEARTBEAT) start++;
  const uint8_t *frame = bytes + start;
  size_t have = size - start;
  if (have > 0 && memcmp(frame, magic, have < 4 ? have : 4) != 0) return BROKEN;
  if (have < ANSWER_HEAD) return NEEDS_MORE;
  uint32_t code = get32(frame + 8);
  answer->out_size = get32(frame + 12);
  answer->err_size = get32(frame + 16);
  if (frame[4] != PROTOCOL_VERSION || frame[5] > LEAVING || frame[6] != 0 || frame[7] != 0) return BROKEN;
  if (code > 255 || answer->out_size > MOST_OUTPUT || answer->err_size > MOST_OUTPUT) return BROKEN;
  answer->status = (enum status)frame[5];
  answer->exit_code = (int)code;
  size_t whole = ANSWER_HEAD + (size_t)answer->out_size + answer->err_size;
  answer->size = start + whole;
  if (have < whole) return NEEDS_MORE;
  if (have > whole) return BROKEN;
  answer->out = frame + ANSWER_HEAD;
  answer->err = answer->out + answer->out_size;
  return WHOLE;
}

#endif
