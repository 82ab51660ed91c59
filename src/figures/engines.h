/* engines.csv, engine-fits.csv and engine-differences.csv of a run of exectax rules --engines: what an event
 * costs by the number of a rule engine's signatures. */
#ifndef FIGURES_ENGINES_H
#define FIGURES_ENGINES_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"

/* What one measurement says of an event; unknown where it does not say it. */
struct engine_cost {
    double ns, cpu_ns, bytes, allocs, compile_ns, resident_bytes;
};

/* A planned measurement: a number of copies of a signature in an engine of a Go module. */
struct engine_cell {
    double cell, count, events; /* events: in one operation of the benchmark */
    char *module, *engine, *signature;
    bool measured;
    struct engine_cost cost;
};

struct engine_cells {
    struct engine_cell *cells;
    size_t count;
};

/* One line of what `go test -bench` prints, of a benchmark in whose operation there are so many events. false
 * if it is no result. The line is changed. */
bool engine_parse_result(char *line, double events, struct engine_cost *cost);

/* The one result in a file of such lines; a problem if there is none, or more than one. */
void engine_read_result(struct engine_cell *cell, const char *path, struct problem *problem);

/* A row a module, engine, signature and number of them, which the cells are sorted by. */
void engines_write_means(FILE *out, struct engine_cells *cells);

/* A row a module, engine, signature and figure: the line through the cells, by number of signatures. */
void engines_write_fits(FILE *out, struct engine_cells *cells);

/* A row each two engines of a module that have a signature as often, and each figure that is compared: by how
 * much they differ. Where nothing was repeated, that is not known, and there is no row. */
void engines_write_differences(FILE *out, struct engine_cells *cells);

/* Reads a run and writes all three. false if a file could not be written. */
bool engines_write(struct run *run);

#endif
