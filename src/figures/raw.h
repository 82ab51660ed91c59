/* The raw files of one cell. */
#ifndef FIGURES_RAW_H
#define FIGURES_RAW_H

#include <jansson.h>
#include <stdbool.h>

#include "cores.h"
#include "launches.h"
#include "pidstat.h"
#include "problem.h"
#include "profile.h"
#include "side.h"
#include "window.h"

enum raw_json {
    RAW_CELL,
    RAW_LOAD,
    RAW_BEFORE,
    RAW_AFTER,
    RAW_CLOCK,
    RAW_LOG_BYTES,
    RAW_COUNT,
    RAW_DRAIN,
    RAW_LIMITS_BEFORE,
    RAW_LIMITS_START,
    RAW_LIMITS_AFTER,
    RAW_INSTRUCTIONS,
    RAW_MIX,
    RAW_JSON_FILES
};

/* What is not there, or can't be used, is NULL, empty or unknown. */
struct raw {
    json_t *json[RAW_JSON_FILES];
    struct window window[WINDOWS];
    struct launches launches;
    struct pidstat pidstat;
    struct profile profile;
    struct payers payers;
    struct side side;
    struct cores cores;
    bool bpf_metered; /* what eBPF programs did in window B was read */
    bool same_processes;
    double events_per_sec; /* events of any kind that the monitor has seen during the load */
};

/* What the folder of a cell that went well must hold. */
struct expected {
    bool load, window_b, side, count, delivery,
        limits;     /* these files; the others are always there, or may be missing */
    double samples; /* of pidstat's, if known */
    const char *run_tag;
    double cell;
};

/* The JSON file of that kind alone: NULL if it is not there, NULL and a problem if it can't be used. */
json_t *raw_read_json(const char *folder, enum raw_json file, struct problem *problem);

/* Reads all of a cell's files but RAW_CELL. If expected is NULL, what is not there or can't be used is left
 * out; otherwise it is a problem. */
void raw_read(struct raw *raw, const char *folder, const struct expected *expected, struct problem *problem);

void raw_free(struct raw *raw);

/* A number in a JSON file, path being keys with dots between them; unknown if it isn't there, or is none. */
double raw_number(const struct raw *raw, enum raw_json file, const char *path);

/* Whether the time of day was stepped during the cell: what was measured by it is wrong then. */
bool raw_clock_stepped(const struct raw *raw);

double json_number(const json_t *object, const char *path);

#endif
