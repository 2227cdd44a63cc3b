/* Checks that the parsers never read outside their input. For libFuzzer, AFL++, or files as arguments. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include "answer.h"
#include "entry.h"
#include "request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned try_request(uint8_t *bytes, size_t size) {
  struct request request;
  unsigned sum = 0;
  for (size_t part = 0; part <= size; part += 1 + part / 3) (void)parse_request(bytes, part, &request);
  if (parse_request(bytes, size, &request) != WHOLE || request.asked == END) return 0;
  if (request.size > size || request.argc < 1) abort();
  char **env, **args = list_texts(&request, &env);
  if (args == NULL) return 0;
  uint32_t argc = 0, envc = 0;
  for (char **each = args; *each != NULL; each++, argc++) sum += (unsigned)strlen(*each);
  for (char **each = env; *each != NULL; each++, envc++) sum += (unsigned)strlen(*each);
  if (argc != request.argc || envc != request.envc) abort();
  for (size_t i = 0; i < request.input_size; i++) sum += request.input[i];
  free(args);
  return sum;
}

static unsigned try_entry(const uint8_t *data, size_t size) {
  static struct entry entry;
  struct reply reply;
  if (!parse_entry((const char *)data, size, &entry)) return 0;
  unsigned sum = (unsigned)counts(&entry, "PATH=/bin") + (unsigned)counts(&entry, "LD_PRELOAD=x") + (unsigned)counts(&entry, "");
  if (find_reply(&entry, "Event", &reply))
    for (size_t i = 0; i < reply.out.size + reply.err.size; i++) sum += (uint8_t)(i < reply.out.size ? reply.out.at[i] : reply.err.at[i - reply.out.size]);
  for (size_t i = 0; i < entry.rule_count; i++)
    for (size_t k = 0; k < entry.rules[i].set_size; k++) sum += (uint8_t)entry.rules[i].set[k];
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct answer answer;
  /* A copy of the exact size, so that a sanitizer reports a read of even one byte beyond it. */
  uint8_t *bytes = calloc(size > 0 ? size : 1, 1);
  if (bytes == NULL) return 0;
  if (size > 0) memcpy(bytes, data, size);
  unsigned sum = 0;
  for (size_t part = 0; part <= size; part += 1 + part / 3) (void)parse_answer(bytes, part, &answer);
  if (parse_answer(bytes, size, &answer) == WHOLE) {
    if (answer.size != size || answer.exit_code < 0 || answer.exit_code > 255) abort();
    for (uint32_t i = 0; i < answer.out_size; i++) sum += answer.out[i];
    for (uint32_t i = 0; i < answer.err_size; i++) sum += answer.err[i];
    static const uint8_t key[MAC_SIZE], challenge[CHALLENGE_SIZE];
    sum += (unsigned)is_proven(&answer, key, challenge, 1);
  }
  sum += try_entry(bytes, size);
  sum += try_request(bytes, size);
  free(bytes);
  return sum == 0xffffffffu ? 1 : 0;
}

#ifdef FUZZ_MAIN
/* Without a fuzzer: tries a number of generated inputs, most of them nearly valid, then the files that are named. */
static uint32_t state;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static uint8_t bytes[512];

static size_t make_answer(void) {
  uint8_t head[ANSWER_HEAD] = {'X', 'H', 'A', 'N', PROTOCOL_VERSION};
  size_t beats = next() % 4, out = next() % 64, err = next() % 64;
  head[5] = (uint8_t)(next() % 3);
  head[8] = (uint8_t)next();
  head[12] = (uint8_t)out;
  head[16] = (uint8_t)err;
  memset(bytes, HEARTBEAT, beats);
  memcpy(bytes + beats, head, ANSWER_HEAD);
  size_t size = beats + ANSWER_HEAD + out + err;
  for (size_t i = beats + ANSWER_HEAD; i < size; i++) bytes[i] = (uint8_t)next();
  return size;
}

static size_t make_request(void) {
  uint32_t argc = 1 + next() % 5, envc = next() % 5;
  size_t size = START_HEAD;
  memset(bytes, 0, START_HEAD);
  for (uint32_t i = 0; i < 1 + argc + envc; i++) {
    for (uint32_t letters = next() % 12; letters > 0; letters--) bytes[size++] = (uint8_t)('a' + next() % 26);
    bytes[size++] = '\0';
  }
  put32(bytes + 24, size - START_HEAD);
  for (uint32_t letters = next() % 64; letters > 0; letters--) bytes[size++] = (uint8_t)next();
  put32(bytes, size);
  put32(bytes + 4, next());
  bytes[8] = START;
  bytes[9] = (uint8_t)(next() % 8);
  put32(bytes + 12, next() % MAX_KEPT);
  put32(bytes + 16, argc);
  put32(bytes + 20, envc);
  return size;
}

static size_t make_entry(void) {
  static const char *const lines[] = {"program\t/node\t/main.cjs\n", "engine\t/s\t/k\n", "clear\tLD_*\n", "clear\tENV\n", "set\tPATH=/bin\n",
                                      "refuse\tEvent\t5\t0\t{%REASON%}\\n\t\n", "tell\tOther\t5\t1\t\tx\n", "resident\t/s\t0\n"};
  int size = snprintf((char *)bytes, sizeof bytes, "crosshook entry 1\n%s", lines[0]);
  for (uint32_t more = next() % 8; more > 0; more--) size += snprintf((char *)bytes + size, sizeof bytes - (size_t)size, "%s", lines[next() % 8]);
  size += snprintf((char *)bytes + size, sizeof bytes - (size_t)size, "end\n");
  return (size_t)size;
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
  state = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) | 1 : 0x9e3779b9u;
  for (long round = 0; round < rounds; round++) {
    size_t size = round % 3 == 0 ? make_answer() : round % 3 == 1 ? make_request() : make_entry();
    for (uint32_t spoiled = next() % 4; spoiled > 0; spoiled--) bytes[next() % size] = (uint8_t)next();
    if (next() % 3 == 0) size -= next() % (size + 1);
    else if (next() % 5 == 0) size += next() % 16;
    LLVMFuzzerTestOneInput(bytes, size);
  }
  for (int i = 3; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (file == NULL) return 1;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  printf("%ld inputs\n", rounds);
  return 0;
}
#endif
