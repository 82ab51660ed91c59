/* What passes an attachment: one call, made over and over by one thread. */
#ifndef BPFCOST_CALL_H
#define BPFCOST_CALL_H

#include <stdint.h>

struct call {
    const char *name;
    unsigned slice; /* how many of them the clock is read around: short, so that most are not interrupted */
    void (*make)(uint64_t count);
    int64_t (*cpu_ns)(void); /* what the calls have cost so far, by the clock of whoever pays */
};

extern const struct call
    call_getppid; /* the cheapest system call that the C library does not answer itself */
extern const struct call call_getpgid; /* passes a security hook */
extern const struct call
    call_wait; /* for children, of which there are none; passes a tracepoint of its own */
extern const struct call call_wait_rarely; /* with some 10 µs of computing after each */
extern const struct call call_fork;        /* of a process that ends at once, which is waited for */
extern const struct call call_exec;        /* the same, of one that executes /bin/true */

#endif
