/* The program of the cold path: Node, its options and main.cjs. */

#ifndef CROSSHOOK_PROGRAM_H
#define CROSSHOOK_PROGRAM_H

#include "relay.h"

#define MAX_FLAG_BYTES 1024u

struct program {
  char node[MAX_PATH_BYTES], main_file[MAX_PATH_BYTES];
  char flags[MAX_FLAG_BYTES]; /* with a tab between them */
};

/* As an entry file names it. */
void program_of(const struct entry *entry, struct program *program);
/* The same when no entry file does: `main_file` is empty when it is not found. */
void find_program(struct program *program);
/* In place of this process. Returns only when Node cannot be started. */
void start_node(struct program *program, int argc, char **argv, char **env);

#endif
