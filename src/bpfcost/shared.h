/* What a BPF program and its loader share: the loader maps it, and so reads it without a system call, which
 * would be one more run. */
#ifndef BPFCOST_SHARED_H
#define BPFCOST_SHARED_H

#include <linux/types.h>

struct shared {
    __u32 watched_thread;
    __u64 watched_runs; /* of the program in that thread alone, so there is nobody to lock out */
};

#endif
