/* The measurement: every case in turn, round after round. */
#ifndef BPFCOST_BENCH_H
#define BPFCOST_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "attachment.h"
#include "costs.h"
#include "kind.h"
#include "reader.h"

#define HELD_MAX 2

/* One program of ours in one place. */
struct bench {
    const struct kind *kind;
    enum place place;
    enum work work;
    struct attachment subject;        /* what is switched */
    struct attachment held[HELD_MAX]; /* attached for whole rounds */
    size_t held_count;
    struct reader *reader; /* of what the program writes; NULL: it writes nothing */
    size_t slices;         /* of calls, in each phase */
    struct round_costs *rounds;
    size_t round_count;
};

struct benches {
    struct bench *items;
    size_t count;
};

/* Adds every case of the kind, with its programs loaded. */
void benches_add(struct benches *benches, const struct kind *kind);

/* Decides how many slices a phase has, so that it takes about so much CPU time. */
void benches_size(struct benches *benches, int64_t phase_ns);

/* One round of the case; phases gets what was seen. Ends the program if somebody else counts, or if the
 * kernel did not count what must have been there. */
void bench_round(struct bench *bench, struct phase phases[ROUND_PHASES]);

void benches_free(struct benches *benches);

#endif
