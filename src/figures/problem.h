/* What is wrong with a cell's files, on one line. The first problem is the one that is told. */
#ifndef FIGURES_PROBLEM_H
#define FIGURES_PROBLEM_H

#include <stdbool.h>

struct problem {
    char text[600];
};

__attribute__((format(printf, 2, 3))) void problem_set(struct problem *problem, const char *format, ...);

bool problem_is_set(const struct problem *problem);

#endif
