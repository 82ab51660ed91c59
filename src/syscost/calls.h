/* The system calls that are measured: cheap ones, of which a host does many, that leave nothing behind. */
#ifndef SYSCOST_CALLS_H
#define SYSCOST_CALLS_H

#include <stdbool.h>

struct call {
    const char *name;
    /* For messages, behind "cannot". */
    const char *attempt;
    /* Calls between two readings of the clocks: some tenths of a millisecond where nothing watches, so that
     * the readings (one more system call) are about 0.1 % of it. */
    unsigned batch;
    /* What the calls work on, for each worker one of its own, so that CPUs don't wait for each other's lock.
     * Returns a descriptor, or -1 and errno. NULL: they need none. */
    int (*open)(void);
    /* Makes that many calls; false and errno if one fails. */
    bool (*run)(int fd, unsigned count);
};

#define CALLS_MAX 4

/* In the order of their costs; .name NULL ends it. */
extern const struct call calls[];

/* NULL: there is none of this name. */
const struct call *call_find(const char *name, unsigned long length);

#endif
