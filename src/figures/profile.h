/* perf's samples of window B. */
#ifndef FIGURES_PROFILE_H
#define FIGURES_PROFILE_H

#include "problem.h"

struct profile {
    double busy; /* samples of CPUs that were not idle; 0 if nothing is known */
    double bpf;  /* those of them within an eBPF program, the kernel's code that it had called included */
};

/* Reads folded stacks, `frame;frame;... samples` a line. */
void profile_read(struct profile *profile, const char *path, struct problem *problem);

#endif
