#include "summary.h"

#include <err.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

static double mean(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static size_t all_slices(const struct run *run)
{
    size_t count = 0;

    for (unsigned i = 0; i < run->worker_count; i++)
        count += run->workers[i].count;
    return count;
}

struct summary summarize(const struct run *run, unsigned call, unsigned group)
{
    double *costs_ns = calloc(all_slices(run) + 1, sizeof(*costs_ns));
    struct summary summary = {0};

    if (!costs_ns)
        err(EXIT_FAILURE, "no memory for the summary");
    for (unsigned i = 0; i < run->worker_count; i++)
        for (size_t n = 0; n < run->workers[i].count; n++) {
            const struct slice *slice = &run->workers[i].slices[n];
            const struct tally *tally = &slice->tallies[call];

            if (slice->group != group)
                continue;
            costs_ns[summary.slices++] = (double)tally->cpu_ns / (double)tally->calls;
            summary.calls += tally->calls;
        }
    if (summary.slices > 0) {
        summary.mean_ns = mean(costs_ns, summary.slices);
        summary.median_ns = median(costs_ns, summary.slices);
    }
    free(costs_ns);
    return summary;
}
