#include "launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/percentile.h"
#include "csv.h"
#include "memory.h"
#include "number.h"

/* More launches than any load makes, and few enough for a list of them. */
#define SEQ_MAX (1 << 28)

struct values {
    int64_t *values;
    size_t count, capacity;
};

struct collected {
    struct values spawn_to_exit_ns, delay_ns;
    double child_cpu_us;
};

static void add(struct values *values, int64_t value)
{
    values->values = memory_grow(values->values, values->count, &values->capacity, sizeof(*values->values));
    values->values[values->count++] = value;
}

static int64_t whole(const char *text, const struct csv *csv, struct problem *problem)
{
    int64_t value = 0;

    if (!number_parse_whole(text, text + strlen(text), &value))
        problem_set(problem, "line %lu has '%s', expected a whole number", csv->row, text);
    return value;
}

bool arrivals_note(struct arrivals *arrivals, int64_t seq, int64_t time_ns)
{
    size_t capacity = arrivals->capacity ? arrivals->capacity : 4096;

    if (seq < 0 || seq > SEQ_MAX)
        return false;
    while ((size_t)seq >= capacity)
        capacity *= 2;
    if (capacity > arrivals->capacity) {
        int64_t *larger = memory_new(capacity, sizeof(*larger));

        if (arrivals->capacity)
            memcpy(larger, arrivals->time_ns, arrivals->capacity * sizeof(*larger));
        free(arrivals->time_ns);
        *arrivals = (struct arrivals){.time_ns = larger, .capacity = capacity};
    }
    arrivals->time_ns[seq] = time_ns;
    return true;
}

int64_t arrivals_of(const struct arrivals *arrivals, int64_t seq)
{
    return seq >= 0 && (size_t)seq < arrivals->capacity ? arrivals->time_ns[seq] : 0;
}

void arrivals_read(struct arrivals *arrivals, const char *path, struct problem *problem)
{
    enum { ARRIVED_SEQ, TIME_REAL_NS, ARRIVED_FIELDS };
    char *fields[ARRIVED_FIELDS];
    struct csv csv;

    if (!csv_open(&csv, path, LINES_GZIPPED, "seq,time_real_ns", problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        int64_t seq = whole(fields[ARRIVED_SEQ], &csv, problem);
        int64_t time_ns = whole(fields[TIME_REAL_NS], &csv, problem);

        if (!problem_is_set(problem) && !arrivals_note(arrivals, seq, time_ns))
            problem_set(problem, "line %lu has the launch %s, expected 0 to %d", csv.row, fields[ARRIVED_SEQ],
                        SEQ_MAX);
    }
    csv_close(&csv);
    if (problem_is_set(problem))
        arrivals_free(arrivals);
}

void arrivals_free(struct arrivals *arrivals)
{
    free(arrivals->time_ns);
    *arrivals = (struct arrivals){0};
}

void launches_unknown(struct launches *launches)
{
    static const struct launch_figures unknown = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

    *launches = (struct launches){.in = {unknown, unknown},
                                  .rows = UNKNOWN,
                                  .first_start_ns = UNKNOWN,
                                  .last_start_ns = UNKNOWN,
                                  .shortest_delay_ns = UNKNOWN};
}

static void swap(int64_t *a, int64_t *b)
{
    int64_t value = *a;

    *a = *b;
    *b = value;
}

/* Puts the value that has wanted others below it in its place; quickselect, the pivot being the median of
 * three. */
static int64_t select_nth(int64_t *values, size_t count, size_t wanted)
{
    size_t low = 0, high = count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2, below = low, above = high;
        int64_t pivot;

        if (values[middle] < values[low])
            swap(&values[middle], &values[low]);
        if (values[high] < values[low])
            swap(&values[high], &values[low]);
        if (values[high] < values[middle])
            swap(&values[high], &values[middle]);
        pivot = values[middle];
        while (below <= above) {
            while (values[below] < pivot)
                below++;
            while (values[above] > pivot)
                above--;
            if (below > above)
                break;
            swap(&values[below++], &values[above]);
            if (above-- == 0)
                break;
        }
        if (wanted <= above && above < below)
            high = above;
        else if (wanted >= below)
            low = below;
        else
            break;
    }
    return values[wanted];
}

double percentile(int64_t *values, size_t count, unsigned percent)
{
    if (count == 0)
        return UNKNOWN;
    return (double)select_nth(values, count, percentile_place(count, 10 * percent));
}

static double largest(const struct values *values)
{
    double max = UNKNOWN;

    for (size_t i = 0; i < values->count; i++)
        if (!(max >= (double)values->values[i]))
            max = (double)values->values[i];
    return max;
}

static void summarise(struct launch_figures *figures, struct collected *collected)
{
    struct values *run_ns = &collected->spawn_to_exit_ns, *delay_ns = &collected->delay_ns;

    if (run_ns->count) {
        figures->count = (double)run_ns->count;
        figures->child_cpu_mean_us = collected->child_cpu_us / figures->count;
    }
    figures->spawn_to_exit_p50_ns = percentile(run_ns->values, run_ns->count, 50);
    figures->spawn_to_exit_p99_ns = percentile(run_ns->values, run_ns->count, 99);
    figures->delay_max_ns = largest(delay_ns);
    figures->delay_p50_ns = percentile(delay_ns->values, delay_ns->count, 50);
    figures->delay_p99_ns = percentile(delay_ns->values, delay_ns->count, 99);
    free(run_ns->values);
    free(delay_ns->values);
}

static bool is_within(const struct span *span, int64_t time_ns)
{
    return (double)time_ns >= span->from_ns && (double)time_ns < span->to_ns;
}

/* The columns of a launch that matter, and where its figures go. */
enum { SEQ, START_MONO_NS, START_REAL_NS, CHILD_CPU_US, SPAWN_TO_EXIT_NS, FIELDS };

static const char columns[] = "seq,start_mono_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns";

static void note_start(struct launches *launches, int64_t start_ns)
{
    launches->rows++;
    if (!(launches->first_start_ns <= (double)start_ns))
        launches->first_start_ns = (double)start_ns;
    if (!(launches->last_start_ns >= (double)start_ns))
        launches->last_start_ns = (double)start_ns;
}

/* NULL: neither window. */
static struct collected *collected_in(struct collected collected[WINDOWS], const struct span spans[WINDOWS],
                                      int64_t start_ns)
{
    for (int window = 0; window < WINDOWS; window++)
        if (is_within(&spans[window], start_ns))
            return &collected[window];
    return NULL;
}

/* A launch that did not fail. in: of its window, if it is in one. */
static void note_launch(struct launches *launches, struct collected *in, const struct arrivals *arrivals,
                        char *fields[], const struct csv *csv, struct problem *problem)
{
    int64_t arrived_ns = arrivals_of(arrivals, whole(fields[SEQ], csv, problem));

    if (arrived_ns) {
        int64_t delay_ns = arrived_ns - whole(fields[START_REAL_NS], csv, problem);

        if (!(launches->shortest_delay_ns <= (double)delay_ns))
            launches->shortest_delay_ns = (double)delay_ns;
        if (in)
            add(&in->delay_ns, delay_ns);
    }
    if (in) {
        add(&in->spawn_to_exit_ns, whole(fields[SPAWN_TO_EXIT_NS], csv, problem));
        in->child_cpu_us += (double)whole(fields[CHILD_CPU_US], csv, problem);
    }
}

void launches_read(struct launches *launches, const char *path, const struct span spans[WINDOWS],
                   const struct arrivals *arrivals, struct problem *problem)
{
    struct collected collected[WINDOWS] = {0};
    char *fields[FIELDS];
    struct csv csv;

    launches_unknown(launches);
    if (!csv_open(&csv, path, LINES_GZIPPED, columns, problem))
        return;
    launches->rows = 0;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        int64_t start_ns = whole(fields[START_MONO_NS], &csv, problem);

        note_start(launches, start_ns);
        if (*fields[SPAWN_TO_EXIT_NS])
            note_launch(launches, collected_in(collected, spans, start_ns), arrivals, fields, &csv, problem);
    }
    csv_close(&csv);
    summarise(&launches->in[WINDOW_A], &collected[WINDOW_A]);
    summarise(&launches->in[WINDOW_B], &collected[WINDOW_B]);
    if (problem_is_set(problem))
        launches_unknown(launches);
}
