/* In which order a program is switched. */
#ifndef BPFCOST_SCHEDULE_H
#define BPFCOST_SCHEDULE_H

enum state {
    OFF,     /* not attached */
    ON,      /* attached */
    COUNTED, /* attached, and the kernel's statistics are on */
    STATES
};

extern const char *const state_names[STATES];

/* A round of one case: forth and back, so that whatever drifts at a steady pace cancels out. */
#define ROUND_PHASES 6

extern const enum state round_phases[ROUND_PHASES];

#endif
