/* The loss counters, in a file that others can read while the program runs: `name value` a line. */
#ifndef FLOOR_LOSSES_H
#define FLOOR_LOSSES_H

#include <stdint.h>

#define LOSSES_MAX 4

struct losses {
    const char *names[LOSSES_MAX]; /* NULL ends them */
    uint64_t counts[LOSSES_MAX];
};

/* Replaces the file at once, so that no half of it is ever read. Ends the program with a message if it can't.
 * path may be NULL: then nothing is written. */
void losses_write(const struct losses *losses, const char *path);

void losses_print(const struct losses *losses);

#endif
