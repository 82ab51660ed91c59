/* What a run of an eBPF program takes beyond what the kernel counts, by where it is attached: build/bpfcost's
 * summary. */
#ifndef FIGURES_CALIBRATION_H
#define FIGURES_CALIBRATION_H

#include <stddef.h>

#include "problem.h"

/* What else is attached: nothing; one program, or more, in the same place; one on the other end of system
 * calls. */
enum place { PLACE_FIRST, PLACE_SECOND, PLACE_THIRD, PLACE_BESIDE, PLACES };

extern const char *const place_names[PLACES];

struct cost {
    char *kind; /* TYPE:TARGET */
    enum place place;
    double uncounted_ns; /* a run */
    double error_ns;     /* one standard error */
};

/* Those that are known. */
struct calibration {
    struct cost *costs;
    size_t count;
};

/* None, with a problem, if the file can't be used. */
void calibration_read(struct calibration *calibration, const char *path, struct problem *problem);

void calibration_free(struct calibration *calibration);

/* NULL if it was not measured. */
const struct cost *calibration_find(const struct calibration *calibration, const char *kind,
                                    enum place place);

#endif
