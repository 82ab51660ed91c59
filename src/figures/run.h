/* A run: its folder, what it was to measure, and its cells. */
#ifndef FIGURES_RUN_H
#define FIGURES_RUN_H

#include <jansson.h>

#include "cell.h"

struct run {
    const char *path;
    json_t *manifest;
    struct cell *cells; /* of a sweep: in the order of the plan */
    size_t cell_count;
    size_t problems; /* cells that could not be read */
};

/* Ends the program if there is no run in path. */
void run_open(struct run *run, const char *path);

bool run_is_saturation(const struct run *run);
bool run_is_of_rules(const struct run *run);
bool run_is_of_engines(const struct run *run);

/* Whether what was added is a set of rules, rather than several numbers of rules of a kind. */
bool run_has_set(const struct run *run);

/* Every planned cell with its figures. One that could not be read has none, but a status and a reason, and is
 * a problem. */
void run_read_cells(struct run *run);

void run_close(struct run *run);

/* A number in the manifest; unknown if it isn't there. */
double run_number(const struct run *run, const char *path);

/* What the tags of a session's executions begin with. Sessions count from 1; the session of a cell that does
 * not tell it is unknown, which is the first. NULL and a problem if the run has no such session. */
const char *run_session_tag(const struct run *run, double session, struct problem *problem);

/* Tells of a cell that could not be read, and makes a note of it. */
void run_note_problem(struct run *run, const char *folder, const struct problem *problem);

#endif
