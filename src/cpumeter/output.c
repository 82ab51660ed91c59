#include "output.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

void output_open(struct output *output, const struct options *options)
{
    *output = (struct output){.file = stdout, .verbose = options->verbose};
    if (options->output_path && strcmp(options->output_path, "-") != 0) {
        output->path = options->output_path;
        output->file = fopen(output->path, "we");
        if (!output->file)
            err(EXIT_USAGE, "--output '%s': cannot write to it", output->path);
    }
    /* A reader that went away is an error that can be told. */
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        err(EXIT_FAILURE, "cannot ignore SIGPIPE");
    rows_write_header(output->file);
}

void output_write(struct output *output, const struct rows *rows)
{
    int64_t spread_ns = rows->rows[rows->count - 1].time_ns - rows->rows[0].time_ns;

    rows_write(output->file, rows);
    if (fflush(output->file) != 0)
        err(EXIT_FAILURE, "cannot write %s", output->path ? output->path : "to stdout");
    output->readings++;
    if (output->verbose)
        warnx("reading %lu: %zu rows, %.3f ms from the first to the last", output->readings, rows->count,
              (double)spread_ns / 1e6);
}
