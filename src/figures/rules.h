/* rules.csv and fits.csv of a run of exectax rules: what an execution costs by the number of rules. */
#ifndef FIGURES_RULES_H
#define FIGURES_RULES_H

#include <stdio.h>

#include "perf.h"

/* What a row's name says: MONITOR+KIND=COUNT, or MONITOR alone if no rules were added. */
struct rules {
    char *monitor, *kind; /* kind: NULL if no rules were added */
    double count;
};

void rules_parse(struct rules *rules, const char *test);
void rules_free(struct rules *rules);

/* A row a monitor, kind and number of rules: means with their intervals, and how it went. */
void rules_write(FILE *out, const struct perf *perf);

/* A row a monitor, kind and figure, which may be a system call of window T: the line through all counted
 * cells, those without added rules included. Those in which the host was saturated are not. */
void fits_write(FILE *out, const struct perf *perf);

#endif
