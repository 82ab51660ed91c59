/* Lines through points, by least squares. Every value that is passed must be known, but for errors; what
 * can't be said is unknown (NAN) in the result. */
#ifndef FIGURES_FIT_H
#define FIGURES_FIT_H

#include "interval.h"

struct fit_point {
    double x, y;
    double error; /* one standard error of y, or unknown */
};

struct fit {
    /* y = fixed + slope * x. Points whose errors are known count the more the smaller these are, if all are
     * known; how large the errors are is taken from how far the points are from the line, with two degrees of
     * freedom less than points. So the intervals hold whatever else scatters points alike. */
    struct interval fixed, slope;
    /* The factor of x² if there is such a term, too: the line is none if its interval leaves out zero. */
    struct interval bend;
    /* fixed / slope: the x at which y is twice that at 0, after Fieller. Unknown unless both are above zero
     * and the slope's interval leaves out zero. */
    struct interval doubling;
};

struct fit fit_line(const struct fit_point *points, size_t count);

#endif
