#include "row.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../common/clock.h"

struct row *rows_add(struct rows *rows, const char *source, const char *name)
{
    struct row *row;

    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity ? 2 * rows->capacity : 64;
        rows->rows = reallocarray(rows->rows, rows->capacity, sizeof(*rows->rows));
        if (!rows->rows)
            err(EXIT_FAILURE, "cannot allocate %zu rows", rows->capacity);
    }
    row = &rows->rows[rows->count++];
    *row = (struct row){
        .time_ns = clock_ns(CLOCK_REALTIME), .source = source, .name = name, .status = STATUS_OK};
    return row;
}

void rows_add_cpu(struct rows *rows, const char *source, const char *name, uint64_t cpu_ns,
                  const char *status)
{
    struct row *row = rows_add(rows, source, name);

    row->fields = ROW_CPU;
    row->cpu_ns = cpu_ns;
    row->status = status;
}

void rows_write_header(FILE *out)
{
    fputs("time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n", out);
}

static void write_field(FILE *out, const struct row *row, enum row_fields field, uint64_t value)
{
    if (row->fields & field)
        fprintf(out, ",%" PRIu64, value);
    else
        putc(',', out);
}

void rows_write(FILE *out, const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->rows[i];

        fprintf(out, "%" PRId64 ",%s,%s", row->time_ns, row->source, row->name);
        write_field(out, row, ROW_CPU, row->cpu_ns);
        write_field(out, row, ROW_COUNT, row->count);
        write_field(out, row, ROW_MEMORY, row->memory_bytes);
        write_field(out, row, ROW_MEMORY_PEAK, row->memory_peak_bytes);
        fprintf(out, ",%s\n", row->status);
    }
}
