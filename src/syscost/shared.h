/* What all processes of a run share. */
#ifndef SYSCOST_SHARED_H
#define SYSCOST_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>

struct shared {
    atomic_bool stop;
    /* What has ended the run; the first reason counts. */
    atomic_bool failed;
    char failure[300];
};

/* Says why the run fails, with errno, and stops it. */
void shared_fail(struct shared *shared, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same without errno. */
void shared_failx(struct shared *shared, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
