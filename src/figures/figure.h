/* What a figure is, and the table of all of them. */
#ifndef FIGURES_FIGURE_H
#define FIGURES_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "raw.h"

struct cell;
struct base;

enum figure_type { FIGURE_NUMBER, FIGURE_BOOLEAN, FIGURE_TEXT };

/* How the cells of a monitor at a rate become its row. */
enum summary {
    SUMMARY_NONE, /* is not in perf.csv */
    SUMMARY_KEY,
    SUMMARY_MEAN,     /* with its 95 % interval */
    SUMMARY_MAX,      /* the largest */
    SUMMARY_SUM,      /* over all that went well */
    SUMMARY_COUNTERS, /* sums of name=number */
    SUMMARY_SAME,     /* what they have in common; nothing if they differ */
    SUMMARY_MOST,     /* what more than half of them are, and how many are */
    SUMMARY_MARGINAL, /* what an execution adds to what is taken at rest; no figure of a cell */
    SUMMARY_REPS,     /* how many cells the row is of; no figure of a cell */
    SUMMARY_STATUS,   /* of the first one that is not ok */
    SUMMARY_REASONS,
};

enum per { PER_EXECUTION = 1, PER_WINDOW /* in % of one CPU */ };

/* By how much a counter of cpumeter's grew in a window. */
struct growth {
    enum per per; /* 0: is not taken that way */
    int window;
    const char *source, *name;
};

/* A number or a truth value in one of the JSON files; no path: is not taken that way. */
struct field {
    enum raw_json file;
    const char *path;
};

struct figure {
    const char *name;
    enum figure_type type;
    const char *unit;   /* NULL: has none */
    const char *window; /* A, B, load or cell */
    const char *source; /* in words */
    const char *explanation;

    /* How one cell's raw files give it: one of these. */
    struct growth growth;
    struct field field;
    double (*take)(const struct raw *raw);
    char *(*take_text)(const struct raw *raw);

    /* How it is got once the cells can be compared with those of the baseline. */
    const char *above;      /* that figure, less the baseline's */
    const char *percent_of; /* that figure per execution, in % of one CPU */
    double (*derive)(const struct cell *cell, const struct base *base);
    /* What a cell of the baseline has of what derive takes off for a row of own, whose rate is rate. above
     * and percent_of tell of themselves. */
    double (*taken_off)(const struct cell *baseline, const struct cell *own, double rate);

    /* One standard error that all cells of a monitor share, so that more of them do not make it smaller. */
    double (*common_error)(const struct cell *cell);

    /* The same of what the monitor's detailed cells tell of all of them: by how much the figure is too large,
     * where that is too large by one standard error. */
    double (*pooled_error)(const struct cell *cell);

    const char *error; /* that figure is one standard error of it, where it is known */
    const char *alike; /* cells that differ in that text have no mean together */

    enum summary summary;
    /* Is in perf.csv in % of that figure as well, as NAME_overhead in place of NAME_us; NULL: is not. */
    const char *overhead_of;
    bool part; /* of what a total is, or that itself: means of these are of the same cells */
    bool main; /* its lowest and highest are shown as well, and monitors are compared by it */
    int place; /* where it is in a row of perf.csv: after those with a smaller one */
};

extern const struct figure figures[];
extern const size_t figure_count;

/* By name; ends the program if there is none. */
size_t figure_index(const char *name);

/* Whether it is a column of cells.csv. */
bool figure_is_of_cell(const struct figure *figure);

#endif
