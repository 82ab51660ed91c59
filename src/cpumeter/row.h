/* What one reading is made of: a row for each source. */
#ifndef CPUMETER_ROW_H
#define CPUMETER_ROW_H

#include <stdint.h>
#include <stdio.h>

enum row_fields {
    ROW_CPU = 1,
    ROW_COUNT = 2,
    ROW_MEMORY = 4,
    ROW_MEMORY_PEAK = 8,
};

#define STATUS_OK "ok"
#define STATUS_GONE "gone"
#define STATUS_RESET "reset"
#define STATUS_SUSPENDED "suspended"

struct row {
    int64_t time_ns; /* CLOCK_REALTIME */
    const char *source;
    const char *name; /* must outlive the reading */
    const char *status;
    unsigned fields; /* those of the following that there are: row_fields */
    uint64_t cpu_ns;
    uint64_t count;
    uint64_t memory_bytes;
    uint64_t memory_peak_bytes;
};

struct rows {
    struct row *rows;
    size_t count;
    size_t capacity;
};

/* Another row, with nothing in it but the time, source and name. */
struct row *rows_add(struct rows *rows, const char *source, const char *name);

/* Another row with CPU time. */
void rows_add_cpu(struct rows *rows, const char *source, const char *name, uint64_t cpu_ns,
                  const char *status);

void rows_write_header(FILE *out);
void rows_write(FILE *out, const struct rows *rows);

#endif
