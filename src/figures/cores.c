#include "cores.h"

#include <math.h>
#include <stdlib.h>

#include "csv.h"
#include "memory.h"
#include "number.h"

static int shows(const struct csv *csv, const char *shared, const char *far, struct problem *problem)
{
    if (!*shared || !*far)
        return LOOK_UNKNOWN;
    if (csv_whole(csv, shared, problem))
        return LOOK_SHARED;
    return csv_whole(csv, far, problem) ? LOOK_FAR : LOOK_NEAR;
}

void cores_read(struct cores *cores, const char *path, struct problem *problem)
{
    enum { MONO_NS, SHARED, DISTANT, FIELDS };
    char *fields[FIELDS];
    size_t capacity = 0;
    struct csv csv;

    if (!csv_open(&csv, path, LINES_PLAIN, "mono_ns,shared,far", problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        const struct look look = {csv_whole(&csv, fields[MONO_NS], problem),
                                  shows(&csv, fields[SHARED], fields[DISTANT], problem)};

        if (cores->count && look.mono_ns <= cores->looks[cores->count - 1].mono_ns)
            problem_set(problem, "line %lu is not later than the one before", csv.row);
        cores->looks = memory_grow(cores->looks, cores->count, &capacity, sizeof(*cores->looks));
        cores->looks[cores->count++] = look;
    }
    csv_close(&csv);
}

void cores_free(struct cores *cores)
{
    free(cores->looks);
    *cores = (struct cores){0};
}

double cores_percent(const struct cores *cores, int shows, double from_ns, double to_ns)
{
    double known = 0, so = 0;

    for (size_t i = 0; i < cores->count; i++) {
        const struct look *look = &cores->looks[i];

        if ((double)look->mono_ns < from_ns || !((double)look->mono_ns < to_ns))
            continue;
        known += look->shows != LOOK_UNKNOWN;
        so += (int)look->shows == shows;
    }
    return known > 0 ? 100 * so / known : UNKNOWN;
}

bool cores_may_be_misplaced(const struct cores *cores, int64_t mono_ns)
{
    size_t from = 0, to = cores->count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (cores->looks[middle].mono_ns <= mono_ns)
            from = middle + 1;
        else
            to = middle;
    }
    return (from > 0 && cores->looks[from - 1].shows != LOOK_NEAR) ||
           (from < cores->count && cores->looks[from].shows != LOOK_NEAR);
}
