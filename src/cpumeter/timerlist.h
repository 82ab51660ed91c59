/* /proc/timer_list: how long each CPU was idle, in ns. */
#ifndef CPUMETER_TIMERLIST_H
#define CPUMETER_TIMERLIST_H

#include <stdbool.h>
#include <stdint.h>

struct timerlist {
    uint64_t now_ns; /* CLOCK_MONOTONIC */
    unsigned cpus;   /* online */
    uint64_t idle_ns;
    uint64_t iowait_ns;
};

/* False if it does not have these figures. */
bool timerlist_parse(const char *text, struct timerlist *list);

#endif
