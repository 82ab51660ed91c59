#include "tax.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "csv.h"
#include "memory.h"
#include "number.h"

/* The windows of a monitor that count. All are of one way, which its script gives. */
struct windows {
    const char *test, *way, *reason; /* reason: of the first one that counts for nothing; "" if all count */
    const struct cell **cells;
    size_t count;
};

struct tax {
    double without_ns, with_ns;
    struct estimate added;
    size_t reps;
};

static void windows_add(struct windows *windows, const struct cell *cell)
{
    const struct syscalls *syscalls = &cell->syscalls;

    if (windows->count == 0)
        windows->way = syscalls->way;
    if (syscalls->reason[0]) {
        if (!windows->reason[0])
            windows->reason = syscalls->reason;
    } else if (strcmp(syscalls->way, windows->way) == 0) {
        windows->cells[windows->count++] = cell;
    }
}

/* Of a cell that is measured again, what there is belongs to nothing. */
static bool has_window(const struct choices *choices, const struct cell *cell)
{
    const char *status = cell_text(cell, "status");

    return choices_have(choices, cell) && cell->syscalls.exists && status && strcmp(status, "not-run") != 0 &&
           strcmp(status, "unreadable") != 0;
}

static void windows_find(struct windows *windows, const char *test, const struct choices *choices,
                         const struct cell *cells, size_t count)
{
    *windows = (struct windows){
        .test = test, .way = "", .reason = "", .cells = memory_new(count + 1, sizeof(*windows->cells))};
    for (size_t i = 0; i < count; i++)
        if (has_window(choices, &cells[i]) && strcmp(cells[i].planned.monitor, test) == 0)
            windows_add(windows, &cells[i]);
}

/* What is known of a call from several windows of one way. */
struct sample {
    double *added, *errors;
    double without_ns;   /* mean */
    struct estimate own; /* from the windows' own errors */
    size_t count;
};

static void sample_take(struct sample *sample, const struct windows *windows, const char *call)
{
    *sample = (struct sample){.added = memory_new(windows->count + 1, sizeof(double)),
                              .errors = memory_new(windows->count + 1, sizeof(double))};
    for (size_t i = 0; i < windows->count; i++) {
        const struct syscall_cost *cost = syscalls_cost(&windows->cells[i]->syscalls, call);

        if (!cost)
            continue;
        sample->own = sample->count ? estimate_sum(sample->own, cost->added) : cost->added;
        sample->without_ns += cost->without_ns;
        sample->added[sample->count] = cost->added.value;
        sample->errors[sample->count++] = sqrt(cost->added.variance);
    }
    sample->without_ns /= (double)sample->count;
}

static void sample_free(struct sample *sample)
{
    free(sample->added);
    free(sample->errors);
}

/* All monitors with a window T, of which the baseline is one. */
struct taxes {
    struct windows *monitors; /* by name */
    size_t count;
    const struct windows *baseline; /* NULL if there is none */
};

static int by_test(const void *left, const void *right)
{
    const struct windows *a = left, *b = right;

    return strcmp(a->test, b->test);
}

static bool is_known_test(const struct taxes *taxes, const char *test)
{
    for (size_t i = 0; i < taxes->count; i++)
        if (strcmp(taxes->monitors[i].test, test) == 0)
            return true;
    return false;
}

static void taxes_find(struct taxes *taxes, const struct cell *cells, size_t count)
{
    struct choices choices;

    choices_make(&choices, cells, count);
    *taxes = (struct taxes){.monitors = memory_new(count + 1, sizeof(*taxes->monitors))};
    for (size_t i = 0; i < count; i++)
        if (has_window(&choices, &cells[i]) && !is_known_test(taxes, cells[i].planned.monitor))
            windows_find(&taxes->monitors[taxes->count++], cells[i].planned.monitor, &choices, cells, count);
    choices_free(&choices);
    qsort(taxes->monitors, taxes->count, sizeof(*taxes->monitors), by_test);
    for (size_t i = 0; i < taxes->count; i++)
        if (strcmp(taxes->monitors[i].test, BASELINE) == 0)
            taxes->baseline = &taxes->monitors[i];
}

static void taxes_free(struct taxes *taxes)
{
    for (size_t i = 0; i < taxes->count; i++)
        free(taxes->monitors[i].cells);
    free(taxes->monitors);
}

/* By how much windows scatter whose errors are known, over all monitors of that way. */
static struct known_errors all_known_errors(const struct taxes *taxes, const char *way, const char *call)
{
    struct known_errors all = {0};

    for (size_t i = 0; i < taxes->count; i++)
        if (strcmp(taxes->monitors[i].way, way) == 0) {
            struct sample sample;

            sample_take(&sample, &taxes->monitors[i], call);
            known_errors_add(&all, sample.added, sample.errors, sample.count);
            sample_free(&sample);
        }
    return all;
}

/* Each window tells its own error. Whether there is more to it from one start to the next, such as another
 * layout of memory, shows in how the starts scatter. */
static struct tax side_tax(const struct taxes *taxes, const struct windows *windows, const char *call)
{
    const struct known_errors all = all_known_errors(taxes, windows->way, call);
    struct estimate added;
    struct sample sample;
    struct tax tax;

    sample_take(&sample, windows, call);
    added = estimate_known(sample.added, sample.errors, sample.count, &all);
    /* An error from a few dozen comparisons is not known as well as that. */
    added.degrees = fmin(added.degrees, sample.own.degrees);
    tax = (struct tax){.without_ns = sample.without_ns,
                       .with_ns = sample.without_ns + added.value,
                       .added = added,
                       .reps = sample.count};
    sample_free(&sample);
    return tax;
}

/* The mean over the windows of a repetition; unknown if it has none. */
static double mean_in_rep(const struct windows *windows, double rep, const char *call)
{
    double sum = 0, number = 0;

    for (size_t i = 0; i < windows->count; i++) {
        const struct syscall_cost *cost = syscalls_cost(&windows->cells[i]->syscalls, call);

        if (!cost || fabs(windows->cells[i]->planned.rep - rep) > 0)
            continue;
        sum += cost->with_ns;
        number++;
    }
    return number > 0 ? sum / number : UNKNOWN;
}

static bool is_first_of_rep(const struct windows *windows, size_t window)
{
    for (size_t i = 0; i < window; i++)
        if (fabs(windows->cells[i]->planned.rep - windows->cells[window]->planned.rep) <= 0)
            return false;
    return true;
}

/* Against the baseline's windows of the same repetition: what a repetition has found is one observation. */
static struct tax apart_tax(const struct taxes *taxes, const struct windows *windows, const char *call)
{
    double *differences = memory_new(windows->count + 1, sizeof(*differences));
    struct tax tax = {0};

    for (size_t i = 0; taxes->baseline && i < windows->count; i++) {
        const double rep = windows->cells[i]->planned.rep;
        const double with_ns = mean_in_rep(windows, rep, call);
        const double without_ns = mean_in_rep(taxes->baseline, rep, call);

        if (!is_first_of_rep(windows, i) || !is_known(with_ns) || !is_known(without_ns))
            continue;
        differences[tax.reps++] = with_ns - without_ns;
        tax.with_ns += with_ns;
        tax.without_ns += without_ns;
    }
    tax.with_ns /= (double)tax.reps;
    tax.without_ns /= (double)tax.reps;
    tax.added = estimate_mean(differences, tax.reps);
    free(differences);
    return tax;
}

static struct tax tax_of(const struct taxes *taxes, const struct windows *windows, const char *call)
{
    return strcmp(windows->way, "apart") == 0 ? apart_tax(taxes, windows, call)
                                              : side_tax(taxes, windows, call);
}

static void write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fprintf(out, ",%s", text);
}

/* As inprogram_method has it. */
static const char *name_of_way(const char *way)
{
    return strcmp(way, "groups") == 0 ? "side-by-side" : way;
}

static void write_tax(FILE *out, const struct windows *windows, const char *call, const struct tax *tax)
{
    const struct interval added = interval_of(tax->added);

    fprintf(out, "%s,%s,%s", windows->test, call, name_of_way(windows->way));
    write_number(out, tax->without_ns);
    write_number(out, tax->with_ns);
    write_number(out, added.value);
    write_number(out, added.low);
    write_number(out, added.high);
    fprintf(out, ",%zu,", tax->reps);
    csv_write(out, tax->reps || windows->reason[0] ? windows->reason
                                                   : "the baseline has no window in the same repetition");
    putc('\n', out);
}

static void write_monitor(FILE *out, const struct taxes *taxes, const struct windows *windows)
{
    const struct tax nothing = {UNKNOWN, UNKNOWN, {UNKNOWN, UNKNOWN, UNKNOWN}, 0};

    if (windows->count == 0)
        write_tax(out, windows, "", &nothing);
    for (size_t i = 0; windows->count && i < windows->cells[0]->syscalls.count; i++) {
        const char *call = windows->cells[0]->syscalls.costs[i].name;
        const struct tax tax = tax_of(taxes, windows, call);

        write_tax(out, windows, call, &tax);
    }
}

void taxes_write(FILE *out, const struct cell *cells, size_t count)
{
    struct taxes taxes;

    fputs("test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason\n", out);
    taxes_find(&taxes, cells, count);
    for (size_t i = 0; i < taxes.count; i++)
        if (&taxes.monitors[i] != taxes.baseline)
            write_monitor(out, &taxes, &taxes.monitors[i]);
    taxes_free(&taxes);
}

static const struct windows *windows_of(const struct taxes *taxes, const char *test)
{
    for (size_t i = 0; i < taxes->count; i++)
        if (strcmp(taxes->monitors[i].test, test) == 0 && taxes->monitors[i].count)
            return &taxes->monitors[i];
    return NULL;
}

size_t taxes_between(struct tax_between **between, const struct cell *cells, size_t count,
                     const char *without, const char *with)
{
    const struct windows *before, *after;
    struct taxes taxes;
    size_t found = 0;

    taxes_find(&taxes, cells, count);
    before = windows_of(&taxes, without);
    after = windows_of(&taxes, with);
    *between = memory_new(after ? after->cells[0]->syscalls.count + 1 : 1, sizeof(**between));
    for (size_t i = 0; before && after && i < after->cells[0]->syscalls.count; i++) {
        const char *call = after->cells[0]->syscalls.costs[i].name;
        const struct tax a = tax_of(&taxes, before, call), b = tax_of(&taxes, after, call);

        if (a.reps && b.reps && strcmp(before->way, after->way) == 0)
            (*between)[found++] = (struct tax_between){call,
                                                       interval_of(a.added),
                                                       interval_of(b.added),
                                                       interval_of(estimate_minus(b.added, a.added)),
                                                       a.reps,
                                                       b.reps};
    }
    taxes_free(&taxes);
    return found;
}
