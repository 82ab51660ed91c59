/* The files that a run leaves behind. */
#ifndef EXECRATE_OUTPUT_H
#define EXECRATE_OUTPUT_H

#include <stdio.h>

#include "../common/outfile.h"
#include "options.h"
#include "run.h"
#include "stats.h"

struct output {
    struct outfile json;
    struct outfile launches; /* not open: not wanted */
};

/* Opens the files before anything is launched; ends the program if one can't be written. */
void output_open(struct output *output, const struct options *options);

void output_write(const struct output *output, const struct run *run, const struct stats *stats);

void write_json(FILE *out, const struct run *run, const struct stats *stats);
void write_launches(FILE *out, const struct run *run);

#endif
