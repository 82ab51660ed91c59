/* /proc/stat: the machine's times, in ticks of USER_HZ. */
#ifndef CPUMETER_PROCSTAT_H
#define CPUMETER_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>

struct procstat {
    unsigned cpus; /* online */
    uint64_t idle_ns;
    uint64_t iowait_ns;
    uint64_t irq_ns;
    uint64_t softirq_ns;
    uint64_t steal_ns;
};

bool procstat_parse(const char *text, uint64_t ns_per_tick, struct procstat *stat);

#endif
