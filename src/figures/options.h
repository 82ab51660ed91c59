#ifndef FIGURES_OPTIONS_H
#define FIGURES_OPTIONS_H

#include <stdbool.h>

#include "../common/usage.h"

struct options {
    const char *run;
    bool columns, json;
};

void options_parse(struct options *options, int argc, char **argv);

#endif
