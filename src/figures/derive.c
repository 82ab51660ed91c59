#include "derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

/*
 * Run times that are counted in window B are too high (docs/bpfcost.md): those of empty programs, which take
 * two readings of the clock, by 16 %, and what is longer by some 3 %, probably for perf's samples. One
 * standard error is half of the one, and all of the other, which is not known well. An empty program is
 * counted with some 50 ns; a slow clock takes longer.
 */
#define EMPTY_RUN_ERROR 0.08
#define LONG_RUN_ERROR 0.03
#define EMPTY_RUN_US 0.1

double unwatched_us(const struct cell *cell)
{
    return cell_number(cell, "child_cpu_mean_us") + cell_number(cell, "parent_cpu_us");
}

/* What an execution itself costs where what the monitor adds is known as a share of that. */
static double pooled_execution_us(const struct cell *cell)
{
    return unwatched_us(cell) / (1 + cell->pooled.program + cell->pooled.parent);
}

static double per_execution(double percent, double rate)
{
    return rate > 0 ? percent * 1e4 / rate : UNKNOWN;
}

/* What was there already has work of its own at rest. */
double derive_daemon_us(const struct cell *cell, const struct base *base)
{
    double daemon_cpu = cell_number(cell, "daemon_cpu");

    if (base->count || !base->at_rest || !is_known(daemon_cpu))
        return cell_number(cell, "daemon_us");
    return per_execution(daemon_cpu - cell_number(base->at_rest, "daemon_cpu"),
                         cell_number(cell, "achieved_per_sec"));
}

static double known_or_zero(double number)
{
    return is_known(number) ? number : 0;
}

/* journald and rsyslogd have other work to do as well: what they do for nobody is not the monitor's. */
double derive_services_cpu(const struct cell *cell, const struct base *base)
{
    double sum = 0;

    if (!is_known(cell_number(cell, "daemon_cpu")))
        return UNKNOWN;
    for (size_t i = 0; i < cell->own_helper_count; i++) {
        const char *name = cell->own_helpers[i];

        sum += known_or_zero(cell_helper_cpu(cell, name)) - base_helper_cpu(base, name);
    }
    return sum;
}

double derive_services_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    return per_execution(cell_number(cell, "services_cpu"), cell_number(cell, "achieved_per_sec"));
}

/* Whether what the watched program pays is known from other cells only. */
static bool is_apart(const struct cell *cell)
{
    const char *way = cell_text(cell, "inprogram_method");

    return !way || strcmp(way, "apart") == 0;
}

static bool is_run_time(const struct cell *cell)
{
    const char *method = cell_text(cell, "inprogram_method");

    return method && strcmp(method, "run-time") == 0;
}

/* The figure of those that stands for the method by which it was got. */
static double by_method(const struct cell *cell, const char *apart, const char *run_time, const char *side)
{
    if (is_apart(cell))
        return apart ? cell_number(cell, apart) : UNKNOWN;
    return cell_number(cell, is_run_time(cell) ? run_time : side);
}

double derive_program_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    if (cell->pooled.exists)
        return cell->pooled.program * pooled_execution_us(cell);
    return by_method(cell, "program_apart_us", "bpf_program_us", "side_program_us");
}

double derive_program_error_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    if (cell->pooled.exists)
        return UNKNOWN;
    return by_method(cell, NULL, "bpf_program_error_us", "side_program_error_us");
}

double derive_parent_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    if (cell->pooled.exists)
        return cell->pooled.parent * pooled_execution_us(cell);
    return by_method(cell, "parent_apart_us", "bpf_parent_us", "side_parent_us");
}

double derive_parent_error_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    if (cell->pooled.exists)
        return UNKNOWN;
    return by_method(cell, NULL, "bpf_parent_error_us", "side_parent_error_us");
}

/* Of the counted run time of one payer. Its share of the runs is taken to be its share of the time. */
static double run_time_error(const struct cell *cell, const char *counted)
{
    const double run_time_us = cell_number(cell, counted);
    const double mean_run_us = cell_number(cell, "bpf_us") / cell_number(cell, "bpf_runs");
    const double empty = mean_run_us > EMPTY_RUN_US ? EMPTY_RUN_US / mean_run_us : 1;

    return run_time_us * (empty * EMPTY_RUN_ERROR + (1 - empty) * LONG_RUN_ERROR);
}

double common_error_program_us(const struct cell *cell)
{
    if (cell->pooled.exists)
        return cell->pooled.program_common_error * pooled_execution_us(cell);
    return is_run_time(cell) ? run_time_error(cell, "bpf_program_us") : 0;
}

double common_error_parent_us(const struct cell *cell)
{
    if (cell->pooled.exists)
        return cell->pooled.parent_common_error * pooled_execution_us(cell);
    return is_run_time(cell) ? run_time_error(cell, "bpf_parent_us") : 0;
}

/* What the counting has wrong, it has wrong in both alike. */
double common_error_inprogram_us(const struct cell *cell)
{
    return common_error_program_us(cell) + common_error_parent_us(cell);
}

/* With a larger share, less is left for the execution itself, of which it is one. */
static double pooled_error_of(const struct cell *cell, double share, double error)
{
    const double all = 1 + cell->pooled.program + cell->pooled.parent;

    return cell->pooled.exists ? error * (1 - share / all) * pooled_execution_us(cell) : 0;
}

double pooled_error_program_us(const struct cell *cell)
{
    return pooled_error_of(cell, cell->pooled.program, cell->pooled.program_error);
}

double pooled_error_parent_us(const struct cell *cell)
{
    return pooled_error_of(cell, cell->pooled.parent, cell->pooled.parent_error);
}

double pooled_error_inprogram_us(const struct cell *cell)
{
    return pooled_error_of(cell, cell->pooled.program + cell->pooled.parent,
                           cell->pooled.program_error + cell->pooled.parent_error);
}

double pooled_error_slowed_us(const struct cell *cell)
{
    return -pooled_error_inprogram_us(cell);
}

double pooled_error_execution_us(const struct cell *cell)
{
    return -pooled_error_inprogram_us(cell);
}

double pooled_error_bpf_us(const struct cell *cell)
{
    return cell->pooled.bpf_error_us;
}

double pooled_error_bpf_cpu(const struct cell *cell)
{
    return cell->pooled.bpf_error_us > 0
               ? cell->pooled.bpf_error_us * cell_number(cell, "achieved_per_sec") / 1e4
               : 0;
}

double pooled_error(const struct figure *figure, const struct cell *cell)
{
    if (figure->percent_of)
        return pooled_error(&figures[figure_index(figure->percent_of)], cell) *
               cell_number(cell, "achieved_per_sec") / 1e4;
    return figure->pooled_error ? figure->pooled_error(cell) : 0;
}

double common_error(const struct figure *figure, const struct cell *cell)
{
    if (figure->percent_of)
        return common_error(&figures[figure_index(figure->percent_of)], cell) *
               cell_number(cell, "achieved_per_sec") / 1e4;
    return figure->common_error ? figure->common_error(cell) : 0;
}

/* In the row of the baseline, its cells' scatter is to say how well it is known: each tells of itself. */
double derive_baseline_us(const struct cell *cell, const struct base *base)
{
    if (strcmp(cell->planned.monitor, BASELINE) == 0)
        return unwatched_us(cell);
    return base_number(base, "child_cpu_mean_us") + base_number(base, "parent_cpu_us");
}

/* Where the monitor's part was got by comparing with the baseline, what is left without it is the baseline.
 */
double derive_execution_us(const struct cell *cell, const struct base *base)
{
    if (is_apart(cell))
        return derive_baseline_us(cell, base);
    return unwatched_us(cell) - cell_number(cell, "program_us") - cell_number(cell, "parent_us");
}

double derive_counted_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    return cell_number(cell, "daemon_us") + cell_number(cell, "services_us") +
           cell_number(cell, "inprogram_us");
}

double derive_inprogram_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    return cell_number(cell, "program_us") + cell_number(cell, "parent_us");
}

/* Where the monitor's part was got by comparing with the baseline, that is all they take more. */
double derive_slowed_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    if (is_apart(cell))
        return UNKNOWN;
    return cell_number(cell, "program_apart_us") + cell_number(cell, "parent_apart_us") -
           cell_number(cell, "inprogram_us");
}

double derive_total_cpu(const struct cell *cell, const struct base *base)
{
    if (cell->planned.rate > 0)
        return cell_number(cell, "total_us") * cell_number(cell, "achieved_per_sec") / 1e4;
    return cell_number(cell, "busy_cpu") - base_number(base, "busy_cpu");
}

double derive_elsewhere_us(const struct cell *cell, const struct base *base)
{
    (void)base;
    return cell_number(cell, "total_us") -
           (cell_number(cell, "daemon_us") + cell_number(cell, "services_us") +
            cell_number(cell, "program_apart_us") + cell_number(cell, "parent_apart_us"));
}

double derive_bpf_cpu(const struct cell *cell, const struct base *base)
{
    double us = cell_number(cell, "bpf_us");

    (void)base;
    return is_known(us) ? us * cell_number(cell, "achieved_per_sec") / 1e4 : cell_number(cell, "bpf_cpu");
}

/* What published comparisons call CPU. eBPF is not in it where it could not be measured at all; where window
 * B was cut too short to measure it, nothing can be said. */
double derive_cpu(const struct cell *cell, const struct base *base)
{
    const char *marks = cell_text(cell, "marks");
    double bpf_cpu = cell_number(cell, "bpf_cpu");

    (void)base;
    if (!is_known(bpf_cpu) && marks && strstr(marks, "window-b-cut"))
        return UNKNOWN;
    return cell_number(cell, "daemon_cpu") + cell_number(cell, "services_cpu") + known_or_zero(bpf_cpu);
}

double taken_off_services_cpu(const struct cell *baseline, const struct cell *own, double rate)
{
    double sum = 0;

    (void)rate;
    for (size_t i = 0; i < own->own_helper_count; i++)
        sum += known_or_zero(cell_helper_cpu(baseline, own->own_helpers[i]));
    return sum;
}

double taken_off_services_us(const struct cell *baseline, const struct cell *own, double rate)
{
    return per_execution(taken_off_services_cpu(baseline, own, rate), rate);
}

/* Side by side, the baseline has no part in it. */
double taken_off_program_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)rate;
    return is_apart(own) ? cell_number(baseline, "child_cpu_mean_us") : UNKNOWN;
}

double taken_off_parent_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)rate;
    return is_apart(own) ? cell_number(baseline, "parent_cpu_us") : UNKNOWN;
}

/* What is taken off there is below zero, since the baseline is added. */
double taken_off_baseline_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)own;
    (void)rate;
    return -unwatched_us(baseline);
}

double taken_off_execution_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)rate;
    return is_apart(own) ? -unwatched_us(baseline) : UNKNOWN;
}

double taken_off_counted_us(const struct cell *baseline, const struct cell *own, double rate)
{
    double services_us = taken_off_services_us(baseline, own, rate);

    if (!is_apart(own))
        return services_us;
    return services_us + unwatched_us(baseline);
}

double taken_off_inprogram_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)rate;
    return is_apart(own) ? unwatched_us(baseline) : UNKNOWN;
}

double taken_off_slowed_us(const struct cell *baseline, const struct cell *own, double rate)
{
    (void)rate;
    return is_apart(own) ? UNKNOWN : unwatched_us(baseline);
}

double taken_off_total_cpu(const struct cell *baseline, const struct cell *own, double rate)
{
    return own->planned.rate > 0 ? cell_number(baseline, "host_busy_us") * rate / 1e4
                                 : cell_number(baseline, "busy_cpu");
}

double taken_off_elsewhere_us(const struct cell *baseline, const struct cell *own, double rate)
{
    return cell_number(baseline, "host_busy_us") - unwatched_us(baseline) -
           taken_off_services_us(baseline, own, rate);
}

double taken_off(const struct figure *figure, const struct cell *baseline, const struct cell *own,
                 double rate)
{
    if (figure->above)
        return cell_number(baseline, figure->above);
    if (figure->percent_of)
        return taken_off(&figures[figure_index(figure->percent_of)], baseline, own, rate) * rate / 1e4;
    return figure->taken_off ? figure->taken_off(baseline, own, rate) : UNKNOWN;
}
