/* Ends the programs of another process when that process closes this descriptor. Returns the exit status. */
int run_keeper(int channel);
