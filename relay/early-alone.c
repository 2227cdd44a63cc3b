/* Where early.c goes on; linked with it alone, to see that it needs nothing else of a C library. */
void _start(void);
void _start(void) {}
