/* Parses requests of the engine to the spawner (PROTOCOL.md). In its own file for fuzz.c. */

#ifndef CROSSHOOK_REQUEST_H
#define CROSSHOOK_REQUEST_H

#include "bytes.h"

#define REQUEST_HEAD 12u
#define START_HEAD 28u
#define MAX_REQUEST (4u * 1024 * 1024)
#define MAX_KEPT (64u * 1024 * 1024)

enum asked { START = 1, END = 2 };
enum { AWAITS_OUTPUT = 1, OVERFLOW_FAILS = 2, AS_CALLER = 4, CHILDREN_STAY = 8 };

struct request {
  enum asked asked;
  uint32_t id;
  unsigned flags;
  /* Bytes of stdout, and of stderr, that are kept. */
  uint32_t limit;
  uint32_t argc, envc;
  /* With AS_CALLER: the connection as whose user the program runs; else 0. */
  uint32_t caller;
  /* The working directory, the arguments, the variables: each with a zero byte after it. */
  char *texts;
  size_t texts_size;
  const uint8_t *input;
  size_t input_size;
  /* Size of the whole request in bytes, or 0 until its head has arrived. */
  size_t size;
};

/* The first request in these bytes; there may be more after it. */
static inline enum parsed parse_request(uint8_t *bytes, size_t have, struct request *request) {
  request->size = 0;
  if (have < 4) return NEEDS_MORE;
  request->size = get32(bytes);
  if (request->size < REQUEST_HEAD || request->size > MAX_REQUEST) return BROKEN;
  if (have < request->size) return NEEDS_MORE;
  request->id = get32(bytes + 4);
  request->asked = (enum asked)bytes[8];
  request->flags = bytes[9];
  if (bytes[10] != 0 || bytes[11] != 0) return BROKEN;
  if (bytes[8] == END) return request->size == REQUEST_HEAD && request->flags == 0 ? WHOLE : BROKEN;
  size_t head = START_HEAD + ((request->flags & AS_CALLER) != 0 ? 4u : 0u);
  if (bytes[8] != START || request->flags > (AWAITS_OUTPUT | OVERFLOW_FAILS | AS_CALLER | CHILDREN_STAY) || request->size < head) return BROKEN;
  request->limit = get32(bytes + 12);
  request->argc = get32(bytes + 16);
  request->envc = get32(bytes + 20);
  request->texts_size = get32(bytes + 24);
  request->caller = head > START_HEAD ? get32(bytes + START_HEAD) : 0;
  if (request->limit > MAX_KEPT || request->argc < 1 || request->texts_size > request->size - head) return BROKEN;
  request->texts = (char *)bytes + head;
  request->input = bytes + head + request->texts_size;
  request->input_size = request->size - head - request->texts_size;
  uint64_t texts = 0;
  for (size_t i = 0; i < request->texts_size; i++) texts += request->texts[i] == '\0';
  if (texts != (uint64_t)1 + request->argc + request->envc || request->texts[request->texts_size - 1] != '\0') return BROKEN;
  return WHOLE;
}

/* The arguments and, after their end, the variables, as lists for exec; one allocation, NULL when there is no memory. */
static inline char **list_texts(const struct request *request, char ***env) {
  char **args = calloc((size_t)request->argc + request->envc + 2, sizeof *args);
  if (args == NULL) return NULL;
  char *at = request->texts + strlen(request->texts) + 1;
  *env = args + request->argc + 1;
  for (uint32_t i = 0; i < request->argc; i++, at += strlen(at) + 1) args[i] = at;
  for (uint32_t i = 0; i < request->envc; i++, at += strlen(at) + 1) (*env)[i] = at;
  return args;
}

#endif
