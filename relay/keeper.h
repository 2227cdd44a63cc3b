/* Minds the programs that a process starts by itself, until that process closes this descriptor; the status to exit with. */
int run_keeper(int channel);
