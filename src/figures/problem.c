#include "problem.h"

#include <stdarg.h>
#include <stdio.h>

void problem_set(struct problem *problem, const char *format, ...)
{
    va_list arguments;

    if (problem_is_set(problem))
        return;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof(problem->text), format, arguments);
    va_end(arguments);
}

bool problem_is_set(const struct problem *problem)
{
    return problem->text[0] != '\0';
}
