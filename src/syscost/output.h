/* The files that a run leaves behind. */
#ifndef SYSCOST_OUTPUT_H
#define SYSCOST_OUTPUT_H

#include <stdio.h>

#include "../common/outfile.h"
#include "options.h"
#include "run.h"

struct output {
    struct outfile json;
    struct outfile csv; /* not open: not wanted */
};

/* Opens the files before anything is measured; ends the program if one can't be written. */
void output_open(struct output *output, const struct options *options);

void output_write(const struct output *output, const struct run *run);

void write_json(FILE *out, const struct run *run);
void write_csv(FILE *out, const struct run *run);

#endif
