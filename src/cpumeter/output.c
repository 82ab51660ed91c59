#include "output.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>

void output_open(struct output *output, const struct options *options)
{
    *output = (struct output){.verbose = options->verbose};
    outfile_open(&output->file, "output", options->output_path);
    /* A reader that went away is an error that can be told. */
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        err(EXIT_FAILURE, "cannot ignore SIGPIPE");
    rows_write_header(output->file.stream);
}

void output_write(struct output *output, const struct rows *rows)
{
    int64_t spread_ns = rows->rows[rows->count - 1].time_ns - rows->rows[0].time_ns;

    rows_write(output->file.stream, rows);
    outfile_flush(&output->file);
    output->readings++;
    if (output->verbose)
        warnx("reading %lu: %zu rows, %.3f ms from the first to the last", output->readings, rows->count,
              (double)spread_ns / 1e6);
}
