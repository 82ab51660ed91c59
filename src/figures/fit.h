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
     * freedom less than points. So the intervals hold whatever else scatters points alike. Otherwise all
     * points count alike, and each may have an error of another size: what it is is taken from that point
     * alone (HC2, with the degrees of freedom of Bell and McCaffrey). No bounds then where a point decides
     * the line at its x by itself. */
    struct interval fixed, slope;
    /* The factor of x² if there is such a term, too, with bounds of the same kind: the line is none if its
     * interval leaves out zero. */
    struct interval bend;
    /* fixed / slope: the x at which y is twice that at 0, after Fieller. Unknown unless both are above zero
     * and the slope's interval leaves out zero. With the degrees of freedom of the slope, if it has fewer. */
    struct interval doubling;
};

struct fit fit_line(const struct fit_point *points, size_t count);

#endif
