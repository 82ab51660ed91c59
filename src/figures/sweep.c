#include "sweep.h"

#include <math.h>

#include "number.h"
#include "output.h"
#include "perf.h"
#include "perf_write.h"
#include "precision.h"
#include "rules.h"
#include "sets.h"
#include "tax.h"

static void write_cells(FILE *out, const struct run *run)
{
    const char *separator = "";

    for (size_t i = 0; i < figure_count; i++)
        if (figure_is_of_cell(&figures[i])) {
            fprintf(out, "%s%s", separator, figures[i].name);
            separator = ",";
        }
    putc('\n', out);
    for (size_t cell = 0; cell < run->cell_count; cell++) {
        separator = "";
        for (size_t i = 0; i < figure_count; i++)
            if (figure_is_of_cell(&figures[i])) {
                fputs(separator, out);
                cell_write_field(out, &run->cells[cell], i);
                separator = ",";
            }
        putc('\n', out);
    }
}

static bool write_all(const struct run *run, const struct perf *perf)
{
    double percent = run_number(run, "options.precision_percent");
    struct output output;
    bool written = true;

    if (output_begin(&output, run->path, "cells.csv")) {
        write_cells(output.file, run);
        written = output_end(&output);
    } else {
        written = false;
    }
    if (output_begin(&output, run->path, "perf.csv")) {
        perf_write(output.file, perf, json_object_get(run->manifest, "skipped"));
        written = output_end(&output) && written;
    } else {
        written = false;
    }
    if (output_begin(&output, run->path, "differences.csv")) {
        differences_write(output.file, perf);
        written = output_end(&output) && written;
    } else {
        written = false;
    }
    if (output_begin(&output, run->path, "syscalls.csv")) {
        taxes_write(output.file, run->cells, run->cell_count);
        written = output_end(&output) && written;
    } else {
        written = false;
    }
    if (is_known(percent) && output_begin(&output, run->path, "precision.csv")) {
        precision_write(output.file, perf, percent);
        written = output_end(&output) && written;
    } else if (is_known(percent)) {
        written = false;
    }
    return written;
}

/* Of a run of exectax rules, besides those of a sweep. */
static bool write_rules(const struct run *run, const struct perf *perf)
{
    struct output output;
    bool written = true;

    if (output_begin(&output, run->path, "rules.csv")) {
        rules_write(output.file, perf);
        written = output_end(&output);
    } else {
        written = false;
    }
    if (output_begin(&output, run->path, "fits.csv")) {
        fits_write(output.file, perf);
        written = output_end(&output) && written;
    } else {
        written = false;
    }
    if (run_has_set(run) && output_begin(&output, run->path, "sets.csv")) {
        sets_write(output.file, perf, run->cells, run->cell_count);
        written = output_end(&output) && written;
    } else if (run_has_set(run)) {
        written = false;
    }
    return written;
}

bool sweep_write(struct run *run)
{
    struct perf perf;
    bool written;

    run_read_cells(run);
    perf_make(&perf, run->cells, run->cell_count);
    written = write_all(run, &perf);
    if (run_is_of_rules(run))
        written = write_rules(run, &perf) && written;
    perf_free(&perf);
    return written;
}
