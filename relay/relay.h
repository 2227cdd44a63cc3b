/* One call of an agent, and the parts of the relay that work on it. */

#ifndef CROSSHOOK_RELAY_H
#define CROSSHOOK_RELAY_H

#include "answer.h"
#include "entry.h"

#ifndef CROSSHOOK_VERSION
#define CROSSHOOK_VERSION "0"
#endif

#define MAX_PATH_BYTES 4096
#define REQUEST_HEAD_SIZE 52u
#define MAX_ENV ((size_t)8 * 1024 * 1024)

struct call {
  int argc;
  char **argv;
  const char *agent, *event; /* the event is empty when the command line names none */
  const char *entry_path; /* NULL: paths come from the environment */
  const struct entry *entry; /* NULL when there is none, or it cannot be read */
  int may_go_on; /* the entry says that a failure of crosshook refuses nothing */
  int is_plain; /* no options but those of an entry */
  char **env; /* see make_environment */
  int64_t deadline; /* by now_ms(): the agent stops waiting then */
  char cwd[4 * MAX_PATH_BYTES];
};

/* Only the resident of a managed installation may answer: see docs/managed.md. */
static inline int is_managed(const struct call *call) { return call->entry != NULL && call->entry->owner >= 0; }

/* refuse.c: the agent is told that crosshook cannot answer, and why. */
_Noreturn void give_up(const struct call *call, const char *what);
/* The same, when crosshook's own program is missing or cannot be run. */
_Noreturn void give_up_gone(const struct call *call, const char *main_file);
int print_all(int fd, const uint8_t *at, size_t size);
_Noreturn void print_answer(const struct call *call, const struct answer *answer);

/* engine.c: asks the warm engine. The input is always read. Returns NULL when it answered, else the reason. */
const char *ask_engine(const struct call *call, struct bytes *input, struct bytes *received, struct answer *answer);

/* cold.c: runs Node on the input, or on stdin when there is none; refuses when Node does not answer. */
_Noreturn void run_cold(const struct call *call, const struct bytes *input, const char *why);
_Noreturn void become_node(int argc, char **argv);

#endif
