/* Where the rows go. */
#ifndef CPUMETER_OUTPUT_H
#define CPUMETER_OUTPUT_H

#include "../common/outfile.h"
#include "options.h"
#include "row.h"

struct output {
    struct outfile file;
    bool verbose;
    unsigned long readings;
};

/* Ends the program if the file can't be written. */
void output_open(struct output *output, const struct options *options);

/* Writes a reading, at once: who waits for the first one reads along. */
void output_write(struct output *output, const struct rows *rows);

#endif
