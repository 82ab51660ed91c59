/* The time that a monitor's eBPF programs take beyond what the kernel counts. */
#ifndef FIGURES_UNCOUNTED_H
#define FIGURES_UNCOUNTED_H

#include <stdbool.h>

#include "calibration.h"
#include "window.h"

struct uncounted {
    bool known;
    double ns;       /* of all runs in the window, whoever triggered them */
    double error_ns; /* one standard error, the same in all cells: that of the calibration */
    char why[160];   /* it is not known; "" if it is */
};

/* Of the programs that the window has run counts of, in which so many executions were launched. Unknown
 * unless all that ran are of a kind and in a place that was calibrated, and waking readers was, or next to
 * none was woken. */
struct uncounted uncounted_of(const struct window *window, const struct calibration *calibration,
                              double launches);

#endif
