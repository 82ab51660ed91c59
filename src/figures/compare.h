/* Whether a figure got better or worse from one row to another: two monitors or builds in one run, or one
 * monitor in two runs. Of all figures that are compared, less is better. */
#ifndef FIGURES_COMPARE_H
#define FIGURES_COMPARE_H

#include "interval.h"
#include "perf.h"

enum verdict { VERDICT_NOT_COMPARABLE, VERDICT_NONE_SHOWN, VERDICT_BETTER, VERDICT_WORSE };

/* What is asked for by name: a figure with an interval, or one that is counted exactly. */
struct asked {
    const char *name;
    const struct figure *figure;    /* NULL: counted exactly */
    bool overhead;                  /* in % of what an execution itself costs */
    const struct figure *otherwise; /* where not both rows have that figure; may be NULL */
};

/* What was counted of so many. */
struct count {
    double counted, of;
};

struct comparison {
    const struct figure *figure; /* the one that was compared; NULL: counted exactly */
    bool overhead;               /* in % of what an execution itself costs */
    const char *unit;
    struct interval a, b;
    struct count count_a, count_b; /* unknown unless counted exactly */
    struct interval difference;    /* b - a */
    struct interval ratio;         /* b / a; unknown where a can't be told apart from zero */
    enum verdict verdict;
    char *reason; /* why it can't be compared; NULL if it can */
};

/* false if there is no such figure, or none that can be compared. */
bool asked_find(struct asked *asked, const char *name);

/* between_runs: of rows of different runs, one standard error of what a run has in all of its cells alike, as
 * a share of the figure; what the machine was like at the time is in it. */
void comparison_make(struct comparison *comparison, const struct row *a, const struct row *b,
                     const struct asked *asked, double between_runs);
void comparison_free(struct comparison *comparison);

/* The column of perf.csv that was compared, which the caller frees; NULL: counted exactly. */
char *comparison_column(const struct comparison *comparison);

/* What a cell has of it; unknown of one that has not. */
double comparison_value(const struct comparison *comparison, const struct cell *cell);

/* The smallest difference that would have been shown: half the width of its interval. */
double comparison_shown(const struct comparison *comparison);

const char *verdict_words(enum verdict verdict);

#endif
