/* Runs programs for the engine until it closes descriptor 3. Returns the exit status. */
int run_spawner(void);

#ifdef __linux__
#include "callers.h"

/* Set by the gate: each program then runs as the user of a connection, or not at all. */
extern struct callers *callers;
#endif
