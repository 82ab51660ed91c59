#include "sweep.h"

#include <math.h>

#include "number.h"
#include "output.h"
#include "perf.h"
#include "perf_write.h"
#include "precision.h"
#include "ranks.h"
#include "rules.h"
#include "sets.h"
#include "tax.h"

static void write_cells(FILE *out, const struct run *run, const struct perf *perf)
{
    const char *separator = "";

    (void)perf;
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

static void write_perf(FILE *out, const struct run *run, const struct perf *perf)
{
    perf_write(out, perf, json_object_get(run->manifest, "skipped"));
}

static void write_differences(FILE *out, const struct run *run, const struct perf *perf)
{
    (void)run;
    differences_write(out, perf);
}

static void write_ranks(FILE *out, const struct run *run, const struct perf *perf)
{
    ranks_write(out, perf, json_object_get(run->manifest, "references"));
}

static void write_taxes(FILE *out, const struct run *run, const struct perf *perf)
{
    (void)perf;
    taxes_write(out, run->cells, run->cell_count);
}

static void write_passes(FILE *out, const struct run *run, const struct perf *perf)
{
    (void)run;
    passes_write(out, &perf->choices);
}

static void write_precision(FILE *out, const struct run *run, const struct perf *perf)
{
    precision_write(out, perf, run_number(run, "options.precision_percent"));
}

static bool write_table(const struct run *run, const struct perf *perf, const char *file,
                        void (*write)(FILE *out, const struct run *run, const struct perf *perf))
{
    struct output output;

    if (!output_begin(&output, run->path, file))
        return false;
    write(output.file, run, perf);
    return output_end(&output);
}

static bool write_all(const struct run *run, const struct perf *perf)
{
    bool written = write_table(run, perf, "cells.csv", write_cells);

    written = write_table(run, perf, "perf.csv", write_perf) && written;
    written = write_table(run, perf, "differences.csv", write_differences) && written;
    written = write_table(run, perf, "ranks.csv", write_ranks) && written;
    written = write_table(run, perf, "syscalls.csv", write_taxes) && written;
    written = write_table(run, perf, "passes.csv", write_passes) && written;
    if (is_known(run_number(run, "options.precision_percent")))
        written = write_table(run, perf, "precision.csv", write_precision) && written;
    return written;
}

static void write_rule_rows(FILE *out, const struct run *run, const struct perf *perf)
{
    (void)run;
    rules_write(out, perf);
}

static void write_fits(FILE *out, const struct run *run, const struct perf *perf)
{
    (void)run;
    fits_write(out, perf);
}

static void write_sets(FILE *out, const struct run *run, const struct perf *perf)
{
    sets_write(out, perf, run->cells, run->cell_count);
}

/* Of a run of exectax rules, besides those of a sweep. */
static bool write_rules(const struct run *run, const struct perf *perf)
{
    bool written = write_table(run, perf, "rules.csv", write_rule_rows);

    written = write_table(run, perf, "fits.csv", write_fits) && written;
    if (run_has_set(run))
        written = write_table(run, perf, "sets.csv", write_sets) && written;
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
