#ifndef FIGURES_OPTIONS_H
#define FIGURES_OPTIONS_H

#include <stdbool.h>

#include "../common/usage.h"
#include "comparisons.h"

struct options {
    const char *run;
    bool columns, json;
    bool compare;
    struct comparisons comparisons;
    const char *changes; /* a table of series */
    const char *spreads; /* the same, each over hosts */
};

void options_parse(struct options *options, int argc, char **argv);

#endif
