#include "stats.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/percentile.h"
#include "schedule.h"

int64_t percentile(const int64_t *sorted, size_t count, unsigned permille)
{
    return count ? sorted[percentile_place(count, permille)] : 0;
}

bool is_reached(double achieved_hz, double rate_hz)
{
    return achieved_hz >= 0.99 * rate_hz;
}

bool is_saturated(uint64_t asked, uint64_t not_on_time)
{
    return not_on_time * 100 > asked;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static struct percentiles sort_percentiles(int64_t *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return (struct percentiles){
        .p50 = percentile(values, count, 500),
        .p90 = percentile(values, count, 900),
        .p99 = percentile(values, count, 990),
        .p999 = percentile(values, count, 999),
        .max = percentile(values, count, 1000),
    };
}

static bool is_launched(const struct launch *launch)
{
    return launch->start_ns && !launch->error;
}

static void count_launches(struct stats *stats, const struct run *run)
{
    for (uint64_t i = 0; i < run->capacity; i++) {
        const struct launch *launch = &run->launches[i];

        if (is_launched(launch)) {
            stats->launched++;
            stats->nonzero_exits += launch->wait_status != 0;
        } else if (launch->start_ns) {
            stats->failed++;
            stats->failures[launch->error < ERRNO_MAX ? launch->error : 0]++;
        } else if (!run->options->max &&
                   run->start_ns + schedule_due_ns(run->options->rate_uhz, i) < run->stop_ns) {
            stats->missed++;
        }
    }
    stats->asked = stats->launched + stats->failed + stats->missed;
}

static void compute_lateness(struct stats *stats, const struct run *run, int64_t *values)
{
    uint64_t late = 0;
    size_t count = 0;

    for (uint64_t i = 0; i < run->capacity; i++) {
        int64_t late_ns =
            run->launches[i].start_ns - run->start_ns - schedule_due_ns(run->options->rate_uhz, i);

        if (!run->launches[i].start_ns)
            continue;
        late += late_ns > ON_TIME_NS;
        values[count++] = late_ns;
    }
    stats->lateness_ns = sort_percentiles(values, count);
    stats->saturated = is_saturated(stats->asked, stats->missed + late);
}

static void compute_spawn_to_exit(struct stats *stats, const struct run *run, int64_t *values)
{
    size_t count = 0;

    for (uint64_t i = 0; i < run->capacity; i++)
        if (is_launched(&run->launches[i]))
            values[count++] = run->launches[i].reaped_ns - run->launches[i].start_ns;
    stats->spawn_to_exit_ns = sort_percentiles(values, count);
}

static void compute_child_cpu(struct stats *stats, const struct run *run, int64_t *values)
{
    int64_t sum_usec = 0;
    size_t count = 0;

    for (uint64_t i = 0; i < run->capacity; i++) {
        if (!is_launched(&run->launches[i]))
            continue;
        sum_usec += run->launches[i].cpu_usec;
        values[count++] = run->launches[i].cpu_usec;
    }
    stats->child_cpu_usec = sort_percentiles(values, count);
    if (count)
        stats->child_cpu_mean_usec = (double)sum_usec / (double)count;
}

void stats_compute(struct stats *stats, const struct run *run)
{
    int64_t *values;

    memset(stats, 0, sizeof(*stats));
    count_launches(stats, run);
    stats->covered_s = (double)(run->stop_ns - run->start_ns) / (double)NS_PER_SEC;
    if (stats->covered_s > 0)
        stats->achieved_hz = (double)stats->launched / stats->covered_s;
    stats->reached = is_reached(stats->achieved_hz, (double)run->options->rate_uhz / (double)UHZ_PER_HZ);
    if (stats->launched)
        stats->self_cpu_usec_per_launch = (double)run->self_cpu_usec / (double)stats->launched;

    values = malloc((stats->launched + stats->failed + 1) * sizeof(*values));
    if (!values)
        err(EXIT_FAILURE, "cannot allocate memory to sort %llu launches",
            (unsigned long long)stats->launched);
    if (!run->options->max)
        compute_lateness(stats, run, values);
    compute_spawn_to_exit(stats, run, values);
    compute_child_cpu(stats, run, values);
    free(values);
}
