/* A stub for the C library's entry point, linked with early.c alone, to check that early.c uses nothing else of the library. */
void _start(void);
void _start(void) {}
