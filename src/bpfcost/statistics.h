/* The kernel's run-time statistics of BPF, on for as long as a descriptor is open. */
#ifndef BPFCOST_STATISTICS_H
#define BPFCOST_STATISTICS_H

int statistics_start(void);
void statistics_stop(int statistics);

#endif
