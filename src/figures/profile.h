/* perf's samples of window B. */
#ifndef FIGURES_PROFILE_H
#define FIGURES_PROFILE_H

#include <stdbool.h>

#include "problem.h"

enum payer { PAYER_WATCHED, PAYER_LAUNCHER, PAYER_DAEMON, PAYER_OTHER, PAYERS };

struct profile {
    double busy; /* samples of CPUs that were not idle; 0 if nothing is known */
    double bpf;  /* those of them within an eBPF program, the kernel's code that it had called included */
};

/* In whose time samples were that had an eBPF program running, the clock readings around it included. */
struct payers {
    bool known;
    double runs[PAYERS];
    double all_runs;
};

/* Reads `payer,samples,bpf_samples,run_samples`. Older ones have no run_samples: then it is those within a
 * program alone. */
void payers_read(struct payers *payers, const char *path, struct problem *problem);

/* Reads folded stacks, `frame;frame;... samples` a line. */
void profile_read(struct profile *profile, const char *path, struct problem *problem);

#endif
