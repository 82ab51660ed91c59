/* All comparisons of two sides, as JSON. */
#ifndef FIGURES_COMPARISONS_H
#define FIGURES_COMPARISONS_H

#include <stdbool.h>
#include <stdio.h>

struct comparisons {
    const char *run_a, *run_b;
    /* Of which monitor; NULL: of all but the baseline. @BUILD: of all that have a build of that name. */
    const char *test_a, *test_b;
    const char *figures; /* names with commas between them */
    double between_runs; /* see comparison_make() */
};

/* false if a run could not be read to its end, or the output not be written. Ends the program if there is no
 * such run, monitor or figure. */
bool comparisons_write(FILE *out, const struct comparisons *comparisons);

#endif
