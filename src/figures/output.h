/* A file of a run that is written whole or not at all. */
#ifndef FIGURES_OUTPUT_H
#define FIGURES_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *file;
    char *path, *new_path;
};

/* Both say on stderr what went wrong; false then. After false from output_begin, there is nothing to end. */
bool output_begin(struct output *output, const char *folder, const char *file);
bool output_end(struct output *output);

#endif
