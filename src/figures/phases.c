#include "phases.h"

#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "memory.h"

static bool parse_unwatched(const char *text, enum unwatched *unwatched)
{
    static const char *const names[] = {[GROUP_0] = "0", [GROUP_1] = "1", [NONE] = "none", [ALL] = "all"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(text, names[i]) == 0) {
            *unwatched = (enum unwatched)i;
            return true;
        }
    return false;
}

void phases_read(struct phases *phases, const char *path, struct problem *problem)
{
    enum { UNWATCHED, FROM_US, TO_US, FIELDS };
    char *fields[FIELDS];
    size_t capacity = 0;
    struct csv csv;

    *phases = (struct phases){0};
    if (!csv_open(&csv, path, LINES_PLAIN, "unwatched,from_real_us,to_real_us", problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        struct phase phase = {.from_us = csv_whole(&csv, fields[FROM_US], problem),
                              .to_us = csv_whole(&csv, fields[TO_US], problem)};

        if (!parse_unwatched(fields[UNWATCHED], &phase.unwatched))
            problem_set(problem, "line %lu has '%s', expected 0, 1, none or all", csv.row, fields[UNWATCHED]);
        phases->list = memory_grow(phases->list, phases->count, &capacity, sizeof(*phases->list));
        phases->list[phases->count++] = phase;
    }
    csv_close(&csv);
}

void phases_free(struct phases *phases)
{
    free(phases->list);
}

bool phase_watches(const struct phase *phase, int64_t group)
{
    return phase->unwatched == NONE || (phase->unwatched != ALL && group != (int64_t)phase->unwatched);
}
