/* figures: reads a run's folder and computes the figures of its cells, with their intervals. */
#include <stdlib.h>

#include "changes.h"
#include "columns.h"
#include "comparisons.h"
#include "engines.h"
#include "options.h"
#include "output.h"
#include "rounds.h"
#include "run.h"
#include "spreads.h"
#include "sweep.h"

static bool write_table(struct run *run, const char *file, void (*write)(FILE *out, struct run *run))
{
    struct output output;

    if (!output_begin(&output, run->path, file))
        return false;
    write(output.file, run);
    return output_end(&output);
}

/* Runs that are older than soaks say nothing of them. */
static bool write_saturation(struct run *run)
{
    return write_table(run, "rounds.csv", rounds_write) &&
           (!(run_number(run, "options.soak_s") > 0) || write_table(run, "soak.csv", soaks_write));
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run;
    bool written;

    options_parse(&options, argc, argv);
    if (options.columns)
        return columns_write(stdout, options.json) ? EXIT_SUCCESS : EXIT_FAILURE;

    if (options.compare)
        return comparisons_write(stdout, &options.comparisons) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (options.changes)
        return changes_write(stdout, options.changes) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (options.spreads)
        return spreads_write(stdout, options.spreads) ? EXIT_SUCCESS : EXIT_FAILURE;

    run_open(&run, options.run);
    if (run_is_of_engines(&run))
        written = engines_write(&run);
    else
        written = run_is_saturation(&run) ? write_saturation(&run) : sweep_write(&run);
    run_close(&run);
    return written && run.problems == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
