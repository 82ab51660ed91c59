/* What the times of an interval say. */
#ifndef COREWATCH_VERDICT_H
#define COREWATCH_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* Of one CPU; 0 is not known. */
struct times {
    int64_t together_ns, alone_ns;
    int64_t distance_ns; /* to the CPU that it is paired with, there and back; only one of the two has it */
    int64_t fastest_ns;  /* that it ever was alone */
};

/* Takes over what the interval has shown of a CPU alone. */
void verdict_note_alone(struct times *times);

/* How much longer the slowest of them took together than it ever took alone; 0 if one of the times is not
 * known. */
double verdict_slowdown(const struct times *times, unsigned count);

bool verdict_is_shared(double slowdown);

/* The longest distance; 0 if none is known. */
int64_t verdict_distance_ns(const struct times *times, unsigned count);

bool verdict_is_far(int64_t distance_ns);

#endif
