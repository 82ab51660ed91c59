#include "syscalls.h"

#include <gsl/gsl_statistics_double.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "memory.h"
#include "number.h"
#include "phases.h"
#include "raw.h"

/* After a switch, it may not yet have come into force for what was under way. */
#define GUARD_AFTER_US 20000

/* syscost draws groups in blocks of so many slices of a CPU, one after the other. */
#define BLOCK_SLICES 4
/* A cycle of phases when a monitor is switched: two off and two on. */
#define CYCLE_PHASES 4
/* In either half. */
#define BLOCKS_MIN 4
#define CYCLES_MIN 3
#define SLICES_MIN 4

#define STEP_MAX_NS 1000000

struct slice {
    int64_t number, cpu, group;
    int64_t after_ns; /* it was forked after that, when the one before it had ended */
    int64_t end_ns;
    size_t phase; /* the number of phases: it lies in none */
    bool watched;
    double cost_ns[SYSCALLS_MAX];
};

struct window_t {
    struct phases phases;
    double groups[2];      /* the group IDs; unknown without groups */
    double real_offset_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC */
    struct slice *slices;  /* by CPU, in the order of their numbers */
    size_t count, capacity;
};

static void give_reason(struct syscalls *syscalls, const char *reason)
{
    if (!syscalls->reason[0])
        snprintf(syscalls->reason, sizeof(syscalls->reason), "%s", reason);
}

static json_t *read_json(const char *path, struct problem *problem)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!json_is_object(json))
        problem_set(problem, "is no JSON object: %s (line %d)", error.text, error.line);
    return json;
}

static bool is_way(const char *way)
{
    return strcmp(way, "groups") == 0 || strcmp(way, "switched") == 0 || strcmp(way, "apart") == 0;
}

static void read_outcome(struct syscalls *syscalls, const char *path, struct problem *problem)
{
    json_t *json = read_json(path, problem);
    const char *way = json_string_value(json_object_get(json, "way"));
    const char *reason = json_string_value(json_object_get(json, "problem"));

    if (!way || !reason || !is_way(way)) {
        problem_set(problem, "has no way or problem that is known");
    } else {
        snprintf(syscalls->way, sizeof(syscalls->way), "%s", way);
        give_reason(syscalls, reason);
    }
    json_decref(json);
}

static void read_load(struct window_t *window, struct syscalls *syscalls, const char *path,
                      struct problem *problem)
{
    json_t *json = read_json(path, problem);
    json_t *groups = json_object_get(json, "groups");

    for (size_t i = 0; i < 2; i++)
        window->groups[i] = json_number(json_array_get(groups, i), "");
    window->real_offset_ns = json_number(json, "real_offset_ns");
    if (!is_known(window->real_offset_ns))
        problem_set(problem, "has no real_offset_ns");
    if (fabs(json_number(json, "real_step_ns")) > STEP_MAX_NS)
        give_reason(syscalls, "the time of day was stepped");
    json_decref(json);
}

/* 0 or 1. */
static int64_t group_of(const struct window_t *window, const struct csv *csv, const char *field,
                        struct problem *problem)
{
    double group;

    if (!*field)
        return 0;
    group = (double)csv_whole(csv, field, problem);
    for (int64_t i = 0; i < 2; i++)
        if (fabs(window->groups[i] - group) <= 0)
            return i;
    problem_set(problem, "line %lu has the group %s, expected one of load.json", csv->row, field);
    return 0;
}

/* That of the call, which is added if it is new. */
static size_t find_call(struct syscalls *syscalls, const struct csv *csv, const char *name,
                        struct problem *problem)
{
    for (size_t i = 0; i < syscalls->count; i++)
        if (strcmp(syscalls->costs[i].name, name) == 0)
            return i;
    if (syscalls->count == SYSCALLS_MAX || strlen(name) >= sizeof(syscalls->costs->name)) {
        problem_set(problem, "line %lu has the call %s, which is one too many or too long", csv->row, name);
        return 0;
    }
    snprintf(syscalls->costs[syscalls->count].name, sizeof(syscalls->costs->name), "%s", name);
    return syscalls->count++;
}

/* The slice that a row is of: the last one, or the next. */
static struct slice *find_slice(struct window_t *window, int64_t number, int64_t cpu)
{
    struct slice *last = window->count ? &window->slices[window->count - 1] : NULL;
    struct slice next = {.number = number, .cpu = cpu, .after_ns = INT64_MIN, .end_ns = INT64_MIN};

    if (last && last->number == number && last->cpu == cpu)
        return last;
    if (last && last->number + 1 == number && last->cpu == cpu)
        next.after_ns = last->end_ns;
    for (size_t i = 0; i < SYSCALLS_MAX; i++)
        next.cost_ns[i] = UNKNOWN;
    window->slices = memory_grow(window->slices, window->count, &window->capacity, sizeof(*window->slices));
    window->slices[window->count] = next;
    return &window->slices[window->count++];
}

static void read_slices(struct window_t *window, struct syscalls *syscalls, const char *path,
                        struct problem *problem)
{
    enum { NUMBER, CPU, GROUP, CALL, CALLS, CPU_NS, END_NS, FIELDS };
    char *fields[FIELDS];
    struct csv csv;

    if (!csv_open(&csv, path, LINES_GZIPPED, "slice,cpu,group,call,calls,cpu_ns,end_mono_ns", problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        struct slice *slice = find_slice(window, csv_whole(&csv, fields[NUMBER], problem),
                                         csv_whole(&csv, fields[CPU], problem));
        const size_t call = find_call(syscalls, &csv, fields[CALL], problem);
        const double calls = (double)csv_whole(&csv, fields[CALLS], problem);
        const int64_t end_ns = csv_whole(&csv, fields[END_NS], problem);

        if (!(calls > 0))
            problem_set(problem, "line %lu has no calls", csv.row);
        slice->group = group_of(window, &csv, fields[GROUP], problem);
        slice->cost_ns[call] = (double)csv_whole(&csv, fields[CPU_NS], problem) / calls;
        if (end_ns > slice->end_ns)
            slice->end_ns = end_ns;
    }
    csv_close(&csv);
}

/* A slice lies in a phase if it was forked and has ended in it: the kernel may decide at the fork whether it
 * watches a process. */
static size_t find_phase(const struct window_t *window, const struct slice *slice)
{
    for (size_t i = 0; slice->after_ns != INT64_MIN && i < window->phases.count; i++) {
        const struct phase *phase = &window->phases.list[i];

        if (((double)slice->after_ns + window->real_offset_ns) / 1e3 >=
                (double)(phase->from_us + GUARD_AFTER_US) &&
            ((double)slice->end_ns + window->real_offset_ns) / 1e3 <= (double)phase->to_us)
            return i;
    }
    return window->phases.count;
}

static void place_slices(struct window_t *window)
{
    for (size_t i = 0; i < window->count; i++) {
        struct slice *slice = &window->slices[i];

        slice->phase = find_phase(window, slice);
        slice->watched = slice->phase < window->phases.count &&
                         phase_watches(&window->phases.list[slice->phase], slice->group);
    }
}

/* Of watched slices and of others, by whether they are watched. */
struct tally {
    double sum[2], number[2];
};

static void tally_add(struct tally *tally, const struct slice *slice, size_t call)
{
    tally->sum[slice->watched] += slice->cost_ns[call];
    tally->number[slice->watched]++;
}

/* What is compared: in each, both are as far along in the mean, or nearly so. */
struct comparisons {
    double *added, *without;
    size_t count;
};

static void comparisons_init(struct comparisons *comparisons, size_t capacity)
{
    *comparisons = (struct comparisons){.added = memory_new(capacity + 1, sizeof(double)),
                                        .without = memory_new(capacity + 1, sizeof(double))};
}

static void comparisons_free(struct comparisons *comparisons)
{
    free(comparisons->added);
    free(comparisons->without);
}

static void compare(struct comparisons *comparisons, const struct tally *tally)
{
    double without;

    if (!(tally->number[true] > 0) || !(tally->number[false] > 0))
        return;
    without = tally->sum[false] / tally->number[false];
    comparisons->added[comparisons->count] = tally->sum[true] / tally->number[true] - without;
    comparisons->without[comparisons->count++] = without;
}

/* Unknown of fewer than min. */
static void take_means(struct syscall_cost *cost, const struct comparisons *comparisons, size_t min)
{
    const size_t count = comparisons->count < min ? 0 : comparisons->count;

    cost->added = estimate_mean(comparisons->added, count);
    cost->without_ns = count ? gsl_stats_mean(comparisons->without, 1, count) : UNKNOWN;
}

/* Whether a block begins there that is whole, and within one phase. */
static bool is_block(const struct window_t *window, size_t first)
{
    const struct slice *slices = window->slices + first;
    const struct slice *last = slices + BLOCK_SLICES - 1;

    return first + BLOCK_SLICES <= window->count && slices->number % BLOCK_SLICES == 0 &&
           last->cpu == slices->cpu && last->number == slices->number + BLOCK_SLICES - 1 &&
           slices->phase < window->phases.count && last->phase == slices->phase;
}

/* From the blocks in the phases in which that group was the unwatched one. */
static struct syscall_cost compare_blocks(const struct window_t *window, enum unwatched unwatched,
                                          size_t call)
{
    struct comparisons comparisons;
    struct syscall_cost cost = {0};

    comparisons_init(&comparisons, window->count / BLOCK_SLICES);
    for (size_t i = 0; i < window->count; i++)
        if (is_block(window, i) && window->phases.list[window->slices[i].phase].unwatched == unwatched) {
            struct tally tally = {0};

            for (size_t k = i; k < i + BLOCK_SLICES; k++)
                tally_add(&tally, &window->slices[k], call);
            compare(&comparisons, &tally);
        }
    take_means(&cost, &comparisons, BLOCKS_MIN);
    comparisons_free(&comparisons);
    return cost;
}

/* Both halves count alike, however many slices they have: what else is different between the groups cancels
 * out. */
static void compare_groups(struct syscall_cost *cost, const struct window_t *window, size_t call)
{
    struct syscall_cost first = compare_blocks(window, GROUP_0, call),
                        second = compare_blocks(window, GROUP_1, call);

    cost->added = estimate_sum(first.added, second.added);
    cost->added.value /= 2;
    cost->added.variance /= 4;
    cost->without_ns = (first.without_ns + second.without_ns) / 2;
    cost->with_ns = cost->without_ns + cost->added.value;
}

/* A cycle of all CPUs is one comparison: they are switched together. */
static void compare_cycles(struct syscall_cost *cost, const struct window_t *window, size_t call)
{
    size_t cycles = window->phases.count / CYCLE_PHASES;
    struct tally *tallies = memory_new(cycles + 1, sizeof(*tallies));
    struct comparisons comparisons;

    comparisons_init(&comparisons, cycles);
    for (size_t i = 0; i < window->count; i++)
        if (window->slices[i].phase / CYCLE_PHASES < cycles)
            tally_add(&tallies[window->slices[i].phase / CYCLE_PHASES], &window->slices[i], call);
    for (size_t i = 0; i < cycles; i++)
        compare(&comparisons, &tallies[i]);
    take_means(cost, &comparisons, CYCLES_MIN);
    cost->with_ns = cost->without_ns + cost->added.value;
    comparisons_free(&comparisons);
    free(tallies);
}

static void take_apart(struct syscall_cost *cost, const struct window_t *window, size_t call)
{
    struct tally tally = {0};

    for (size_t i = 0; i < window->count; i++)
        if (window->slices[i].phase < window->phases.count)
            tally_add(&tally, &window->slices[i], call);
    cost->with_ns = tally.number[true] >= SLICES_MIN ? tally.sum[true] / tally.number[true] : UNKNOWN;
    cost->without_ns = UNKNOWN;
    cost->added = (struct estimate){UNKNOWN, UNKNOWN, UNKNOWN};
}

static void take_costs(struct syscalls *syscalls, struct window_t *window)
{
    void (*take)(struct syscall_cost *, const struct window_t *, size_t) = take_apart;

    if (strcmp(syscalls->way, "groups") == 0)
        take = compare_groups;
    else if (strcmp(syscalls->way, "switched") == 0)
        take = compare_cycles;
    place_slices(window);
    for (size_t call = 0; call < syscalls->count; call++) {
        take(&syscalls->costs[call], window, call);
        if (!is_known(syscalls->costs[call].with_ns))
            give_reason(syscalls, "too few slices");
    }
    if (syscalls->count == 0)
        give_reason(syscalls, "too few slices");
}

static const char *in_folder(char path[PATH_MAX], const char *folder, const char *file)
{
    snprintf(path, PATH_MAX, "%s/syscalls/%s", folder, file);
    return path;
}

/* Adds the name of the file to what is wrong with it. */
static void pass_on(struct problem *problem, const char *file, const struct problem *what)
{
    if (problem_is_set(what))
        problem_set(problem, "syscalls/%s %s", file, what->text);
}

static void read_files(struct syscalls *syscalls, struct window_t *window, const char *folder,
                       struct problem *problem)
{
    struct problem in_load = {""}, in_phases = {""}, in_slices = {""};
    char path[PATH_MAX];

    read_load(window, syscalls, in_folder(path, folder, "load.json"), &in_load);
    pass_on(problem, "load.json", &in_load);
    phases_read(&window->phases, in_folder(path, folder, "phases.csv"), &in_phases);
    pass_on(problem, "phases.csv", &in_phases);
    read_slices(window, syscalls, in_folder(path, folder, "slices.csv.gz"), &in_slices);
    pass_on(problem, "slices.csv.gz", &in_slices);
}

void syscalls_read(struct syscalls *syscalls, const char *folder, struct problem *problem)
{
    struct window_t window = {0};
    struct problem in_outcome = {""};
    char path[PATH_MAX];

    *syscalls = (struct syscalls){0};
    if (access(in_folder(path, folder, "syscalls.json"), F_OK) != 0)
        return;
    syscalls->exists = true;
    read_outcome(syscalls, path, &in_outcome);
    pass_on(problem, "syscalls.json", &in_outcome);
    if (problem_is_set(problem) || syscalls->reason[0])
        return;
    read_files(syscalls, &window, folder, problem);
    if (!problem_is_set(problem) && !syscalls->reason[0])
        take_costs(syscalls, &window);
    phases_free(&window.phases);
    free(window.slices);
}

const struct syscall_cost *syscalls_cost(const struct syscalls *syscalls, const char *call)
{
    for (size_t i = 0; !syscalls->reason[0] && i < syscalls->count; i++)
        if (strcmp(syscalls->costs[i].name, call) == 0)
            return &syscalls->costs[i];
    return NULL;
}
