/* What cpumeter read at the two ends of a window. */
#ifndef FIGURES_WINDOW_H
#define FIGURES_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"

struct reading {
    char *source, *name;
    double cpu_ns, count, memory_bytes, memory_peak_bytes;
    bool ok; /* it could be read */
};

struct window {
    struct reading *readings; /* in the order of the file */
    size_t count;
};

/* Adds the rows of cpumeter's CSV file; none, with a problem, if it is damaged. */
void window_read(struct window *window, const char *path, struct problem *problem);

void window_free(struct window *window);

/* Everything that was read at the beginning must have been read at the end, and more than once. */
void window_check_whole(const struct window *window, struct problem *problem);

/* By how much the CPU time of a source grew between its first and last reading, in ns; unknown if it has
 * none. */
double window_growth(const struct window *window, const char *source, const char *name);

/* CLOCK_MONOTONIC at the first and at the last reading; unknown if there is none. */
double window_begin_ns(const struct window *window);
double window_end_ns(const struct window *window);

/* Unknown of a window with one reading, whose second one never came. */
double window_seconds(const struct window *window);

struct helper {
    char *name;
    double cpu_ns;
};

/* The growth of every helper of any monitor of the run, by name; several sources can stand for one: NAME, or
 * NAME/PID. Returns their number; the caller frees the list and the names. */
size_t window_helpers(const struct window *window, struct helper **helpers);

/* The growth of all eBPF programs together. A program that appeared within the window has all of its time in
 * it. */
double window_bpf_ns(const struct window *window);
double window_bpf_runs(const struct window *window);

/* Whether it is the first of its source and name. */
bool window_is_first(const struct window *window, const struct reading *reading);

/* The same of one program, any of whose readings is given. */
double window_runs_of(const struct window *window, const struct reading *program);

/* By how much the count of a source grew between its first and last reading, and the highest one; unknown if
 * it has none. */
double window_count_growth(const struct window *window, const char *source, const char *name);
double window_most(const struct window *window, const char *source, const char *name);

/* Each reading begins with the clock. */
bool window_is_clock(const struct reading *reading);

/* The memory of one of the monitor's processes. */
bool window_is_own_memory(const struct reading *reading);

/* The last peaks of the monitor's processes, together; unknown if there is none. */
double window_memory_peak_bytes(const struct window *window);

#endif
