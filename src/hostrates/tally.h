/* Readings of counters, and the rates between them. */
#ifndef HOSTRATES_TALLY_H
#define HOSTRATES_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "counts.h"

struct reading {
    int64_t time_ns;
    uint64_t counts[COUNTS];
};

struct tally {
    struct reading first, last;
    unsigned readings, spans;
    double lowest_per_sec[COUNTS], highest_per_sec[COUNTS]; /* from one reading to the next */
};

/* Readings in the order of time. What is too close to the one before tells no rate of its own. */
void tally_add(struct tally *tally, const struct reading *reading);

/* From the first reading to the last. */
double tally_seconds(const struct tally *tally);
uint64_t tally_count(const struct tally *tally, enum count count);

/* How often a process or thread was made so far, of the text of /proc/stat; false if it does not say. */
bool forks_parse(const char *stat, uint64_t *forks);

#endif
