/* cmocka compares floating-point numbers as float only. */
#ifndef TESTS_FIGURES_NUMBERS_H
#define TESTS_FIGURES_NUMBERS_H

#include <math.h>

#define assert_number(value, expected, tolerance)                                                            \
    assert_within((value), (expected), (tolerance), __FILE__, __LINE__)

static inline void assert_within(double value, double expected, double tolerance, const char *file, int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.17g is not %.17g\n", value, expected);
        _fail(file, line);
    }
}

#endif
