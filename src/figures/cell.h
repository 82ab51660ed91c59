/* A cell of a run: what it was to be, how it went, and its figures. */
#ifndef FIGURES_CELL_H
#define FIGURES_CELL_H

#include <stdio.h>

#include "figure.h"
#include "syscalls.h"

/* What plan.csv says of it. */
struct planned {
    double cell, rep, turn, rate;
    bool coarse; /* only windows A and those of the load were measured: not B, nor S */
    char *monitor;
};

struct helper_cpu {
    char *name;
    double cpu; /* in % of one CPU */
};

/* What a monitor's detailed cells tell of it together, as shares of what an execution costs (pooled.h). */
struct pooled {
    bool exists;
    double program, program_error, program_common_error;
    double parent, parent_error, parent_common_error;
    double bpf_error_us; /* of bpf_us, if it is from them */
};

struct cell {
    struct planned planned;
    struct pooled pooled;
    bool ok;
    double *numbers; /* by figure_index; a truth value is 0 or 1 */
    char **texts;    /* NULL: none */
    /* Every helper of any monitor of the run. */
    struct helper_cpu *helpers;
    size_t helper_count;
    /* Those that work for this one's monitor. */
    char **own_helpers;
    size_t own_helper_count;
    struct syscalls syscalls;
};

/* A cell without figures. */
void cell_init(struct cell *cell, const struct planned *planned);

/* Its figures, but for those that need the baseline, rounded. */
void cell_take_figures(struct cell *cell, const struct raw *raw);

void cell_free(struct cell *cell);

double cell_number(const struct cell *cell, const char *figure);
void cell_set_number(struct cell *cell, const char *figure, double number);
const char *cell_text(const struct cell *cell, const char *figure);
/* Takes over text. */
void cell_set_text(struct cell *cell, const char *figure, char *text);

/* Unknown if there is no such helper. */
double cell_helper_cpu(const struct cell *cell, const char *name);

/* All figures that are numbers. */
void cell_round(struct cell *cell);

/* A field of cells.csv or of a table like it; empty if it is unknown. */
void cell_write_field(FILE *out, const struct cell *cell, size_t figure);

#endif
