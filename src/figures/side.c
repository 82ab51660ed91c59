#include "side.h"

#include <gsl/gsl_statistics_double.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "launches.h"
#include "memory.h"
#include "number.h"
#include "phases.h"
#include "raw.h"

/* After a switch, it may not yet have come into force for what was under way; before one, what is launched
 * may still run when it comes. A short phase was chosen so that nearly all launches are over within the
 * quarter of it (SIDE_SWITCH_US_MIN in lib/measure/side.sh). */
#define GUARD_AFTER_US_MAX 20000
#define GUARD_AFTER_PART 10
#define GUARD_BEFORE_US_MAX 50000
#define GUARD_BEFORE_PART 4

/* execrate draws groups in blocks, one after the other. How long they are, its result says; where it does
 * not, of an older run, they are of four. */
#define BLOCK_LAUNCHES_BEFORE 4
#define BLOCK_LAUNCHES_MAX 1024
/* A cycle of phases when a monitor is switched: two off and two on. */
#define CYCLE_PHASES 4
/* In either half. With fewer, their scatter tells too little of the error. */
#define BLOCKS_MIN 10
#define CYCLES_MIN 3

/* A hypervisor that stops a CPU for ms charges the guest for it, some times in 100,000 launches, with or
 * without a monitor (docs/accuracy.md). Such a launch takes many times as long as half of all do. A program
 * of which more than so many do has it in its own nature. */
#define STOPPED_TIMES 5
#define STOPPED_MAX_PART 0.01

/* Of the watched launches, so many must be in the log. A monitor may lose some, but one that recorded nothing
 * did not watch. */
#define RECORDED_MIN 0.5
#define STEP_MAX_NS 1000000

/* What is compared, of a launch. */
enum quantity { CPU_US, LAUNCHER_NS, MINOR_FAULTS, SWITCHES, QUANTITIES };

struct launch {
    int64_t seq;
    size_t phase;
    bool watched;
    bool misplaced; /* the CPUs were */
    double of[QUANTITIES];
    int64_t run_ns;
};

struct window_s {
    struct phases phases;
    struct launch *launches; /* those within a phase that did not fail, in the order of their numbers */
    size_t launch_count;
    size_t block_launches;
    bool takes_misplaced;     /* also launches from when CPUs were misplaced */
    struct arrivals recorded; /* time_ns is 1 for what is in the log */
    bool records;
};

void side_unknown(struct side *side)
{
    static const struct side_difference unknown = {NAN, NAN};

    *side = (struct side){.launches = UNKNOWN,
                          .cpu_us = unknown,
                          .parent_us = unknown,
                          .minor_faults = unknown,
                          .switches = unknown,
                          .p50_us = UNKNOWN,
                          .p99_us = UNKNOWN};
}

static void read_recorded(struct window_s *window, const char *path, struct problem *problem)
{
    char *fields[1];
    struct csv csv;

    if (!csv_open(&csv, path, LINES_GZIPPED, "seq", problem))
        return;
    window->records = true;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem))
        if (!arrivals_note(&window->recorded, csv_whole(&csv, fields[0], problem), 1))
            problem_set(problem, "line %lu has the launch %s, which there can't be", csv.row, fields[0]);
    csv_close(&csv);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_within(const struct phase *phase, int64_t start_us)
{
    int64_t length_us = phase->to_us - phase->from_us;

    return start_us >= phase->from_us + smaller(length_us / GUARD_AFTER_PART, GUARD_AFTER_US_MAX) &&
           start_us < phase->to_us - smaller(length_us / GUARD_BEFORE_PART, GUARD_BEFORE_US_MAX);
}

/* The phase that a launch lies in, guards apart; phase_count if there is none. */
static size_t find_phase(const struct window_s *window, int64_t start_us)
{
    for (size_t i = 0; i < window->phases.count; i++)
        if (is_within(&window->phases.list[i], start_us))
            return i;
    return window->phases.count;
}

static void read_launches(struct window_s *window, const char *path, const struct cores *cores,
                          struct problem *problem)
{
    enum {
        SEQ,
        START_MONO_NS,
        START_NS,
        CPU,
        RUN_NS,
        GROUP,
        LAUNCHER,
        FAULTS,
        VOLUNTARY,
        INVOLUNTARY,
        FIELDS
    };
    char *fields[FIELDS];
    size_t capacity = 0;
    struct csv csv;

    if (!csv_open(&csv, path, LINES_GZIPPED,
                  "seq,start_mono_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,group,launcher_cpu_ns,minor_"
                  "faults,"
                  "voluntary_switches,involuntary_switches",
                  problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        size_t phase = find_phase(window, csv_whole(&csv, fields[START_NS], problem) / 1000);

        if (phase == window->phases.count || !*fields[RUN_NS])
            continue;
        window->launches =
            memory_grow(window->launches, window->launch_count, &capacity, sizeof(*window->launches));
        window->launches[window->launch_count++] = (struct launch){
            .seq = csv_whole(&csv, fields[SEQ], problem),
            .phase = phase,
            .watched = phase_watches(&window->phases.list[phase], csv_whole(&csv, fields[GROUP], problem)),
            .misplaced = cores_may_be_misplaced(cores, csv_whole(&csv, fields[START_MONO_NS], problem)),
            .of = {[CPU_US] = (double)csv_whole(&csv, fields[CPU], problem),
                   [LAUNCHER_NS] = (double)csv_whole(&csv, fields[LAUNCHER], problem),
                   [MINOR_FAULTS] = (double)csv_whole(&csv, fields[FAULTS], problem),
                   [SWITCHES] = (double)(csv_whole(&csv, fields[VOLUNTARY], problem) +
                                         csv_whole(&csv, fields[INVOLUNTARY], problem))},
            .run_ns = csv_whole(&csv, fields[RUN_NS], problem),
        };
    }
    csv_close(&csv);
}

static double median_cpu_us(const struct window_s *window)
{
    int64_t *values = memory_new(window->launch_count + 1, sizeof(*values));
    double median;

    for (size_t i = 0; i < window->launch_count; i++)
        values[i] = (int64_t)window->launches[i].of[CPU_US];
    median = percentile(values, window->launch_count, 50);
    free(values);
    return median;
}

/* Watched or not, they go. */
static void leave_out_stopped(struct window_s *window)
{
    const double most_us = STOPPED_TIMES * median_cpu_us(window);
    size_t kept = 0, stopped = 0;

    for (size_t i = 0; i < window->launch_count; i++)
        stopped += window->launches[i].of[CPU_US] > most_us;
    if ((double)stopped > STOPPED_MAX_PART * (double)window->launch_count)
        return;
    for (size_t i = 0; i < window->launch_count; i++)
        if (window->launches[i].of[CPU_US] <= most_us)
            window->launches[kept++] = window->launches[i];
    window->launch_count = kept;
}

static bool is_taken(const struct window_s *window, const struct launch *launch)
{
    return window->takes_misplaced || !launch->misplaced;
}

/* Of watched launches and of others, by whether they are watched. */
struct tally {
    double sum[2], number[2];
};

static void tally_add(struct tally *tally, const struct launch *launch, enum quantity quantity)
{
    tally->sum[launch->watched] += launch->of[quantity];
    tally->number[launch->watched]++;
}

static bool tally_has_both(const struct tally *tally)
{
    return tally->number[true] > 0 && tally->number[false] > 0;
}

/* The mean of the watched ones less that of the others. */
static double tally_difference(const struct tally *tally)
{
    return tally->sum[true] / tally->number[true] - tally->sum[false] / tally->number[false];
}

/* next: what a launch costs more after a watched one. */
static double block_difference(const struct launch *block, size_t count, enum quantity quantity, double next)
{
    struct tally tally = {0};

    for (size_t i = 0; i < count; i++) {
        struct launch alone = block[i];

        alone.of[quantity] -= block[(ptrdiff_t)i - 1].watched ? next : 0;
        tally_add(&tally, &alone, quantity);
    }
    return tally_difference(&tally);
}

static struct side_difference mean_of(const double *differences, size_t count, size_t min)
{
    if (count < min)
        return (struct side_difference){UNKNOWN, UNKNOWN};
    return (struct side_difference){gsl_stats_mean(differences, 1, count),
                                    gsl_stats_sd(differences, 1, count) / sqrt((double)count)};
}

static bool follows(const struct launch *launch)
{
    return launch[0].seq == launch[-1].seq + 1 && launch[0].phase == launch[-1].phase;
}

/* Whether a block begins there that is whole, and with the launch before it within one phase. */
static bool is_block(const struct window_s *window, size_t first)
{
    const struct launch *launches = window->launches + first;

    if (first == 0 || first + window->block_launches > window->launch_count ||
        launches[0].seq % (int64_t)window->block_launches != 0)
        return false;
    for (size_t i = 0; i < window->block_launches; i++)
        if (!follows(&launches[i]) || !is_taken(window, &launches[i]))
            return false;
    return true;
}

/* Sums of products, within blocks, of deviations: of whether a launch is watched (w), whether the one before
 * it is (p), and the quantity (y). */
struct products {
    double ww, wp, pp, wy, py;
};

static void add_products(struct products *products, const struct launch *block, size_t count,
                         enum quantity quantity)
{
    double w_mean = 0, p_mean = 0, y_mean = 0;

    for (size_t i = 0; i < count; i++) {
        w_mean += block[i].watched / (double)count;
        p_mean += block[(ptrdiff_t)i - 1].watched / (double)count;
        y_mean += block[i].of[quantity] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        const double w = block[i].watched - w_mean, p = block[(ptrdiff_t)i - 1].watched - p_mean,
                     y = block[i].of[quantity] - y_mean;

        products->ww += w * w;
        products->wp += w * p;
        products->pp += p * p;
        products->wy += w * y;
        products->py += p * y;
    }
}

/* What a launch costs more after a watched one, by least squares, and by how much its error makes that of
 * what a watched launch itself costs larger. */
struct carryover {
    double next, widening;
};

static struct carryover carryover_of(const struct products *products)
{
    const double determinant = products->ww * products->pp - products->wp * products->wp;

    /* Orders in which the one can't be told from the other. */
    if (determinant <= 1e-9 * products->ww * products->pp)
        return (struct carryover){0, 1};
    return (struct carryover){(products->py * products->ww - products->wy * products->wp) / determinant,
                              sqrt(products->ww * products->pp / determinant)};
}

/*
 * From the blocks in the phases in which that group was the unwatched one. Within a block, a watched launch
 * comes after a watched one less often than an unwatched one does, and so gets less of what such a launch
 * leaves behind for the next. That is found by least squares, and taken off.
 */
static struct side_difference compare_blocks(const struct window_s *window, enum unwatched unwatched,
                                             enum quantity quantity)
{
    const size_t size = window->block_launches;
    size_t *firsts = memory_new(window->launch_count / size + 1, sizeof(*firsts));
    double *differences = memory_new(window->launch_count / size + 1, sizeof(*differences));
    struct products products = {0};
    struct side_difference mean;
    size_t count = 0;
    struct carryover carryover;

    for (size_t i = 0; i < window->launch_count; i++)
        if (is_block(window, i) && window->phases.list[window->launches[i].phase].unwatched == unwatched)
            firsts[count++] = i;
    for (size_t i = 0; i < count; i++)
        add_products(&products, window->launches + firsts[i], size, quantity);
    carryover = carryover_of(&products);
    for (size_t i = 0; i < count; i++)
        differences[i] = block_difference(window->launches + firsts[i], size, quantity, carryover.next);
    mean = mean_of(differences, count, BLOCKS_MIN);
    mean.error *= carryover.widening;
    free(differences);
    free(firsts);
    return mean;
}

/* Both count alike, however many launches they have: what else is different between the groups cancels out.
 */
static struct side_difference compare_groups(const struct window_s *window, enum quantity quantity)
{
    struct side_difference first = compare_blocks(window, GROUP_0, quantity),
                           second = compare_blocks(window, GROUP_1, quantity);

    return (struct side_difference){(first.value + second.value) / 2, hypot(first.error, second.error) / 2};
}

static size_t cycle_of(const struct launch *launch)
{
    return launch->phase / CYCLE_PHASES;
}

/* Within a cycle, a drift falls to both alike, if all of it is taken. */
static struct side_difference compare_cycles(const struct window_s *window, enum quantity quantity)
{
    size_t cycles = window->phases.count / CYCLE_PHASES, count = 0;
    struct tally *tallies = memory_new(cycles + 1, sizeof(*tallies));
    bool *is_left_out = memory_new(cycles + 1, sizeof(*is_left_out));
    double *differences = memory_new(cycles + 1, sizeof(*differences));
    struct side_difference mean;

    for (size_t i = 0; i < window->launch_count; i++) {
        const struct launch *launch = &window->launches[i];

        tally_add(&tallies[cycle_of(launch)], launch, quantity);
        is_left_out[cycle_of(launch)] |= !is_taken(window, launch);
    }
    for (size_t i = 0; i < cycles; i++)
        if (tally_has_both(&tallies[i]) && !is_left_out[i])
            differences[count++] = tally_difference(&tallies[i]);
    mean = mean_of(differences, count, CYCLES_MIN);
    free(differences);
    free(is_left_out);
    free(tallies);
    return mean;
}

static double percentile_us(const struct window_s *window, bool watched, unsigned percent)
{
    int64_t *values = memory_new(window->launch_count + 1, sizeof(*values));
    size_t count = 0;
    double result;

    for (size_t i = 0; i < window->launch_count; i++)
        if (window->launches[i].watched == watched && is_taken(window, &window->launches[i]))
            values[count++] = window->launches[i].run_ns;
    result = percentile(values, count, percent) / 1000;
    free(values);
    return result;
}

static size_t count_taken(const struct window_s *window)
{
    size_t count = 0;

    for (size_t i = 0; i < window->launch_count; i++)
        count += is_taken(window, &window->launches[i]);
    return count;
}

/* Without launches from when CPUs were misplaced, if enough others remain. */
static void compare(struct side *side, struct window_s *window)
{
    struct side_difference (*way)(const struct window_s *, enum quantity) =
        strcmp(side->way, "groups") == 0 ? compare_groups : compare_cycles;
    struct side_difference launcher_ns;

    leave_out_stopped(window);
    if (!is_known(way(window, CPU_US).value))
        window->takes_misplaced = true;
    launcher_ns = way(window, LAUNCHER_NS);
    side->launches = (double)count_taken(window);
    side->cpu_us = way(window, CPU_US);
    side->parent_us = (struct side_difference){launcher_ns.value / 1000, launcher_ns.error / 1000};
    side->minor_faults = way(window, MINOR_FAULTS);
    side->switches = way(window, SWITCHES);
    side->p50_us = percentile_us(window, true, 50) - percentile_us(window, false, 50);
    side->p99_us = percentile_us(window, true, 99) - percentile_us(window, false, 99);
}

__attribute__((format(printf, 2, 3))) static void give_reason(struct side *side, const char *format, ...)
{
    va_list arguments;

    if (side->reason[0])
        return;
    va_start(arguments, format);
    vsnprintf(side->reason, sizeof(side->reason), format, arguments);
    va_end(arguments);
}

/* What is not watched must not be in the log, and what is must. */
static void check_recorded(struct side *side, const struct window_s *window)
{
    size_t watched = 0, watched_recorded = 0, unwatched_recorded = 0;

    for (size_t i = 0; i < window->launch_count; i++) {
        bool recorded = arrivals_of(&window->recorded, window->launches[i].seq) != 0;

        watched += window->launches[i].watched;
        watched_recorded += window->launches[i].watched && recorded;
        unwatched_recorded += !window->launches[i].watched && recorded;
    }
    if (unwatched_recorded)
        give_reason(side, "%zu launches that were not to be watched are in the log", unwatched_recorded);
    else if ((double)watched_recorded < RECORDED_MIN * (double)watched)
        give_reason(side, "%zu of %zu watched launches are in the log", watched_recorded, watched);
}

static json_t *read_json(const char *path, struct problem *problem)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!json_is_object(json))
        problem_set(problem, "is no JSON object: %s (line %d)", error.text, error.line);
    return json;
}

/* Which way it was, and whether it went well. */
static void read_outcome(struct side *side, bool *must_record, const char *path, struct problem *problem)
{
    json_t *json = read_json(path, problem);
    const char *way = json_string_value(json_object_get(json, "way"));
    const char *reason = json_string_value(json_object_get(json, "problem"));
    const char *records = json_string_value(json_object_get(json, "records"));

    if (!way || !reason || !records || (strcmp(way, "groups") != 0 && strcmp(way, "switched") != 0)) {
        problem_set(problem, "has no way, problem or records that are known");
    } else {
        snprintf(side->way, sizeof(side->way), "%s", way);
        give_reason(side, "%s", reason);
        *must_record = strcmp(records, "exec") == 0;
    }
    json_decref(json);
}

static size_t block_launches(const json_t *load, struct problem *problem)
{
    const json_t *block = json_object_get(load, "block_launches");
    const json_int_t launches = block ? json_integer_value(block) : BLOCK_LAUNCHES_BEFORE;

    if (launches < 2 || launches > BLOCK_LAUNCHES_MAX || launches % 2 != 0)
        problem_set(problem, "has no even block_launches from 2 to %d", BLOCK_LAUNCHES_MAX);
    return (size_t)launches;
}

static void check_load(struct side *side, struct window_s *window, const char *path, const char *tag,
                       struct problem *problem)
{
    json_t *json = read_json(path, problem);
    const char *own = json_string_value(json_object_get(json, "tag"));

    if (tag && own && strcmp(tag, own) != 0)
        problem_set(problem, "is of another cell: its tag is %s, expected %s", own, tag);
    if (fabs(json_number(json, "real_step_ns")) > STEP_MAX_NS)
        give_reason(side, "the time of day was stepped");
    window->block_launches = block_launches(json, problem);
    json_decref(json);
}

static const char *in_folder(char path[PATH_MAX], const char *folder, const char *file)
{
    snprintf(path, PATH_MAX, "%s/side/%s", folder, file);
    return path;
}

/* Adds the name of the file to what is wrong with it. */
static void pass_on(struct problem *problem, const char *file, const struct problem *what)
{
    if (problem_is_set(what))
        problem_set(problem, "side/%s %s", file, what->text);
}

static void read_files(struct side *side, struct window_s *window, const char *folder, const char *tag,
                       bool must_record, const struct cores *cores, struct problem *problem)
{
    struct problem in_load = {""}, in_phases = {""}, in_recorded = {""}, in_launches = {""};
    char path[PATH_MAX];

    check_load(side, window, in_folder(path, folder, "load.json"), tag, &in_load);
    pass_on(problem, "load.json", &in_load);
    phases_read(&window->phases, in_folder(path, folder, "phases.csv"), &in_phases);
    pass_on(problem, "phases.csv", &in_phases);
    if (must_record)
        read_recorded(window, in_folder(path, folder, "recorded.csv.gz"), &in_recorded);
    pass_on(problem, "recorded.csv.gz", &in_recorded);
    read_launches(window, in_folder(path, folder, "launches.csv.gz"), cores, &in_launches);
    pass_on(problem, "launches.csv.gz", &in_launches);
}

void side_read(struct side *side, const char *folder, const char *tag, const struct cores *cores,
               struct problem *problem)
{
    struct window_s window = {0};
    struct problem in_outcome = {""};
    bool must_record = false;
    char path[PATH_MAX];

    side_unknown(side);
    if (access(in_folder(path, folder, "side.json"), F_OK) != 0)
        return;
    side->exists = true;
    read_outcome(side, &must_record, path, &in_outcome);
    pass_on(problem, "side.json", &in_outcome);
    if (problem_is_set(problem) || side->reason[0])
        return;
    read_files(side, &window, folder, tag, must_record, cores, problem);
    if (window.records)
        check_recorded(side, &window);
    if (!problem_is_set(problem) && !side->reason[0])
        compare(side, &window);
    if (!problem_is_set(problem) && !side->reason[0] && !is_known(side->cpu_us.value))
        give_reason(side, "too few launches: %zu", window.launch_count);
    phases_free(&window.phases);
    free(window.launches);
    arrivals_free(&window.recorded);
}
