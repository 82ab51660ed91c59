#include "tally.h"

#include <string.h>

#include "../common/clock.h"
#include "../common/number.h"

/* The last span, which the end cuts off, may be any length. */
#define SPAN_MIN_NS (NS_PER_SEC / 2)

static double per_sec(const struct reading *from, const struct reading *to, enum count count)
{
    return (double)(to->counts[count] - from->counts[count]) * (double)NS_PER_SEC /
           (double)(to->time_ns - from->time_ns);
}

static void add_span(struct tally *tally, const struct reading *to)
{
    for (unsigned i = 0; i < COUNTS; i++) {
        const double rate = per_sec(&tally->last, to, (enum count)i);

        if (tally->spans == 0 || rate < tally->lowest_per_sec[i])
            tally->lowest_per_sec[i] = rate;
        if (tally->spans == 0 || rate > tally->highest_per_sec[i])
            tally->highest_per_sec[i] = rate;
    }
    tally->spans++;
}

void tally_add(struct tally *tally, const struct reading *reading)
{
    if (tally->readings == 0)
        tally->first = *reading;
    else if (reading->time_ns - tally->last.time_ns >= SPAN_MIN_NS)
        add_span(tally, reading);
    tally->last = *reading;
    tally->readings++;
}

double tally_seconds(const struct tally *tally)
{
    return (double)(tally->last.time_ns - tally->first.time_ns) / (double)NS_PER_SEC;
}

uint64_t tally_count(const struct tally *tally, enum count count)
{
    return tally->last.counts[count] - tally->first.counts[count];
}

bool forks_parse(const char *stat, uint64_t *forks)
{
    static const char name[] = "\nprocesses ";
    const char *line = strstr(stat, name);

    if (!line)
        return false;
    line += sizeof(name) - 1;
    return number_next(&line, UINT64_MAX, forks) && *line == '\n';
}
