/* Runs programs for the engine until it closes descriptor 3; the status to exit with. */
int run_spawner(void);
