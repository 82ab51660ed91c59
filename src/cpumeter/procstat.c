#include "procstat.h"

#include <string.h>

#include "field.h"

enum { IDLE = 3, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

bool procstat_parse(const char *text, uint64_t ns_per_tick, struct procstat *stat)
{
    uint64_t columns[COLUMNS];

    *stat = (struct procstat){0};
    if (strncmp(text, "cpu ", 4) != 0)
        return false;
    text += 4;
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (!field_next(&text, &columns[i]))
            return false;
        columns[i] = field_scale(columns[i], ns_per_tick);
    }
    stat->idle_ns = columns[IDLE];
    stat->iowait_ns = columns[IOWAIT];
    stat->irq_ns = columns[IRQ];
    stat->softirq_ns = columns[SOFTIRQ];
    stat->steal_ns = columns[STEAL];
    while ((text = strchr(text, '\n')) != NULL && strncmp(++text, "cpu", 3) == 0)
        stat->cpus++;
    return stat->cpus > 0;
}
