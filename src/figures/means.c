#include "means.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "expected.h"
#include "memory.h"
#include "moderation.h"
#include "number.h"

/* A share below half a percent of an execution scatters as if it was that: other figures' noise is in it. */
#define LEAST_SHARE 0.005

/* From so many cells on, a figure's own tell how it scatters, and how fast the machine is at the time does
 * not make all rows alike. */
#define ENOUGH_CELLS 3

static const struct moderation not_moderated = {0, 0, false};

/* What is moderated: figures themselves, or their shares of an execution. */
enum kind { OF_FIGURE, OF_SHARE };

static struct moderation moderation_of(const struct row *row, const struct figure *figure, enum kind kind);

/* What is known of a figure of a row: its cells' values, and what they were compared with. */
struct sample {
    const struct row *row;
    double *values;
    double *errors; /* NULL unless those of all values are known */
    struct known_errors known_errors;
    double share;        /* of an execution that the values are less */
    double common_error; /* one standard error of the mean that is in all values alike */
    double pooled_error; /* the same of what the monitor's detailed cells tell of all */
    bool is_pooled;      /* the values are shares of executions that these tell */
    const struct cell **cells;
    size_t count;
    double *baseline_values;
    double *weights, *baseline_weights; /* see interval.h */
    size_t baseline_count;
    struct moderation moderation; /* of the scatter of the values */
};

/* What figures that must be alike for a mean have in common; "" of a figure for which that does not matter.
 */
static const char *likeness(const struct row *row, const struct figure *figure)
{
    return figure->alike ? row_text(row, figure->alike) : "";
}

static const struct figure *execution_us(void)
{
    return &figures[figure_index("execution_us")];
}

/* What the figure is a share of: of an execution, with or without what slows it down. */
static const struct figure *whole_of(const struct figure *figure)
{
    return figure->overhead_of ? &figures[figure_index(figure->overhead_of)] : execution_us();
}

/* A figure less that share of what an execution itself costs, which need not be known for none of it. */
static double less_share(double value, double share, double whole)
{
    return fabs(share) > 0 ? value - share * whole : value;
}

static void add_values(struct sample *sample, const struct row *row, const struct figure *figure,
                       double share)
{
    const struct cells *cells = row_cells(row, figure);

    sample->values = memory_new(cells->count, sizeof(double));
    sample->cells = memory_new(cells->count, sizeof(*sample->cells));
    if (!likeness(row, figure))
        return;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = cells->list[i];
        double value =
            less_share(cell->numbers[figure - figures], share, cell->numbers[whole_of(figure) - figures]);

        if (!is_known(value))
            continue;
        sample->cells[sample->count] = cell;
        sample->values[sample->count++] = value;
    }
}

/* The errors of the values; NULL if some are not known. */
static double *errors_of(const struct sample *sample, const struct figure *figure)
{
    double *errors;
    size_t known = 0;

    if (!figure->error || sample->count == 0)
        return NULL;
    errors = memory_new(sample->count, sizeof(*errors));
    for (size_t i = 0; i < sample->count; i++) {
        errors[i] = cell_number(sample->cells[i], figure->error);
        known += is_known(errors[i]);
    }
    if (known == sample->count)
        return errors;
    free(errors);
    return NULL;
}

static void sample_free(struct sample *sample)
{
    free(sample->values);
    free(sample->errors);
    free(sample->cells);
    free(sample->baseline_values);
    free(sample->weights);
    free(sample->baseline_weights);
}

/* By how much values scatter in all rows that are like this one, and whose errors are known. */
static struct known_errors all_known_errors(const struct row *row, const struct figure *figure)
{
    const struct perf *perf = row->perf;
    struct known_errors all = {0};

    for (size_t i = 0; i < perf->count; i++) {
        const char *like = likeness(&perf->rows[i], figure);
        struct sample sample = {0};

        if (!like || strcmp(like, likeness(row, figure)) != 0)
            continue;
        add_values(&sample, &perf->rows[i], figure, 0);
        sample.errors = errors_of(&sample, figure);
        if (sample.errors)
            known_errors_add(&all, sample.values, sample.errors, sample.count);
        sample_free(&sample);
    }
    return all;
}

static double mean_rate(const struct row *row)
{
    double sum = 0;

    for (size_t i = 0; i < row->counted.count; i++)
        sum += cell_number(row->counted.list[i], "achieved_per_sec");
    return sum / (double)row->counted.count;
}

/* What a cell of the baseline has of what was taken off the figure, and added for the share of an execution.
 */
static double taken_off_share(const struct figure *figure, const struct cell *baseline,
                              const struct cell *own, double rate, double share)
{
    double value = taken_off(figure, baseline, own, rate);
    double whole = taken_off(whole_of(figure), baseline, own, rate);

    if (!(fabs(share) > 0) || !is_known(whole))
        return value;
    return less_share(is_known(value) ? value : 0, share, whole);
}

static void add_baseline(struct sample *sample, const struct row *row, const struct figure *figure,
                         double share)
{
    struct baseline known = {.cells = memory_new(row->baseline->count, sizeof(*known.cells))};
    size_t n;

    sample->baseline_values = memory_new(row->baseline->count, sizeof(double));
    for (size_t j = 0; j < row->baseline->count; j++) {
        double value =
            taken_off_share(figure, row->baseline->cells[j], sample->cells[0], mean_rate(row), share);

        if (!is_known(value))
            continue;
        sample->baseline_values[known.count] = value;
        known.cells[known.count++] = row->baseline->cells[j];
    }
    n = sample->baseline_count = known.count;
    sample->weights = memory_new(n * sample->count, sizeof(double));
    sample->baseline_weights = memory_new(n * n, sizeof(double));
    for (size_t i = 0; i < sample->count; i++)
        baseline_shares(&known, sample->cells[i], sample->weights + i * n);
    for (size_t j = 0; j < n; j++)
        baseline_shares(&known, known.cells[j], sample->baseline_weights + j * n);
    free(known.cells);
}

/* Of a figure less that share of what an execution costs without a monitor. */
static void sample_make(struct sample *sample, const struct row *row, const struct figure *figure,
                        double share)
{
    *sample = (struct sample){.row = row, .share = share};
    add_values(sample, row, figure, share);
    sample->is_pooled = figure->error && sample->count && sample->cells[0]->pooled.exists;
    for (size_t i = 0; i < sample->count; i++) {
        sample->common_error += common_error(figure, sample->cells[i]) / (double)sample->count;
        sample->pooled_error += (pooled_error(figure, sample->cells[i]) -
                                 share * pooled_error(whole_of(figure), sample->cells[i])) /
                                (double)sample->count;
    }
    sample->pooled_error = fabs(sample->pooled_error);
    sample->errors = errors_of(sample, figure);
    if (sample->errors)
        sample->known_errors = all_known_errors(row, figure);
    /* In the baseline's own row, the scatter of its cells says how well it is known. */
    if (sample->count && strcmp(row->test, BASELINE) != 0)
        add_baseline(sample, row, figure, share);
}

static struct moderation moderation_of_mean(const struct sample *sample)
{
    struct moderation moderation = sample->moderation;

    moderation.variance /= (double)sample->count;
    return moderation;
}

static struct compared compared_of(const struct sample *sample)
{
    return (struct compared){sample->values, sample->count, sample->weights, moderation_of_mean(sample)};
}

static struct shared shared_of(const struct sample *sample)
{
    return (struct shared){sample->baseline_values, sample->baseline_count, sample->baseline_weights};
}

static struct estimate with_common_error(struct estimate mean, const struct sample *sample)
{
    const double error = hypot(sample->common_error, sample->pooled_error);

    return error > 0 ? estimate_sum(mean, estimate_error(error)) : mean;
}

/* What an execution's own scatter adds to known errors of a figure that is less a share of it. */
static struct estimate execution_part(const struct sample *sample)
{
    struct moderation moderation = moderation_of(sample->row, execution_us(), OF_FIGURE);
    double *parts = memory_new(sample->count, sizeof(*parts));
    struct estimate part;

    for (size_t i = 0; i < sample->count; i++)
        parts[i] = sample->share * cell_number(sample->cells[i], "execution_us");
    moderation.variance *= sample->share * sample->share / (double)sample->count;
    part = estimate_moderated(estimate_mean(parts, sample->count), moderation);
    part.value = 0;
    free(parts);
    return part;
}

/* Values that are the same share of each execution scatter as these do, and not at all without that share. */
static struct estimate pooled_mean(const struct sample *sample)
{
    struct moderation moderation = moderation_of(sample->row, execution_us(), OF_FIGURE);
    struct estimate mean = estimate_mean(sample->values, sample->count);
    double executions_us = 0;

    for (size_t i = 0; i < sample->count; i++)
        executions_us += cell_number(sample->cells[i], "execution_us");
    moderation.variance *= pow(mean.value / executions_us, 2) * (double)sample->count;
    return estimate_moderated(mean, moderation);
}

/* Without the error that all cells have in common. */
static struct estimate sample_mean(const struct sample *sample)
{
    const struct compared compared = compared_of(sample);
    const struct shared shared = shared_of(sample);
    struct estimate mean;

    if (sample->is_pooled) {
        mean = pooled_mean(sample);
    } else if (sample->errors) {
        mean = estimate_known(sample->values, sample->errors, sample->count, &sample->known_errors);
        if (fabs(sample->share) > 0)
            mean = estimate_sum(mean, execution_part(sample));
    } else if (shared.count) {
        mean = estimate_compared(&compared, &shared);
    } else {
        mean = estimate_moderated(estimate_mean(sample->values, sample->count), moderation_of_mean(sample));
    }
    return mean;
}

static struct estimate mean_less_share(const struct row *row, const struct figure *figure, double share,
                                       struct moderation moderation)
{
    struct estimate mean;
    struct sample sample;

    sample_make(&sample, row, figure, share);
    sample.moderation = moderation;
    mean = with_common_error(sample_mean(&sample), &sample);
    sample_free(&sample);
    return mean;
}

/* A figure's share of an execution. */
struct ratio {
    double share, execution_us;
};

static struct ratio find_ratio(const struct row *row, const struct figure *figure)
{
    double more = mean_less_share(row, figure, -1, not_moderated).value;
    double less = mean_less_share(row, figure, 1, not_moderated).value;

    return (struct ratio){(more + less) / (more - less), (more - less) / 2};
}

/* How a row's cells scatter, around their mean or their share, in units of an execution. Saturated rows
 * scatter otherwise. */
static struct scatter scatter_of(const struct row *row, const struct figure *figure, enum kind kind)
{
    const struct ratio ratio = find_ratio(row, figure);
    struct scatter scatter = {.variance = UNKNOWN};
    struct sample sample;

    if (!is_known(ratio.share) || strcmp(row->test, BASELINE) == 0 || row_is_mostly(row, "saturated"))
        return scatter;
    sample_make(&sample, row, figure, kind == OF_SHARE ? ratio.share : 0);
    if (!sample.errors && !sample.is_pooled && sample.count) {
        const struct estimate mean = estimate_mean(sample.values, sample.count);

        scatter.level = fmax(fabs(ratio.share), LEAST_SHARE);
        scatter.variance = mean.variance * (double)sample.count / (ratio.execution_us * ratio.execution_us);
        scatter.degrees = mean.degrees;
    }
    sample_free(&sample);
    return scatter;
}

/* Rows that are like the one with that index are moderated together. */
static struct moderation moderate_like(const struct perf *perf, size_t index, const struct figure *figure,
                                       const struct scatter *scatters)
{
    const char *like = likeness(&perf->rows[index], figure);
    struct scatter *alike = memory_new(perf->count, sizeof(*alike));
    struct moderation *found = memory_new(perf->count, sizeof(*found)), moderation;

    for (size_t i = 0; i < perf->count; i++) {
        const char *other = likeness(&perf->rows[i], figure);

        /* A scatter without degrees of freedom tells nothing. */
        if (like && other && strcmp(like, other) == 0)
            alike[i] = scatters[i];
    }
    moderations_find(alike, perf->count, found);
    moderation = found[index];
    free(alike);
    free(found);
    return moderation;
}

static bool is_in(const struct figure *figure, const char *unit)
{
    return figure->unit && strcmp(figure->unit, unit) == 0;
}

/* Whether it is CPU time, or something that takes as long: then it scatters as an execution does. */
static bool is_cost(const struct figure *figure)
{
    return (figure->overhead_of || figure->part || figure->above || figure->taken_off ||
            figure->percent_of) &&
           (is_in(figure, "µs per execution") || is_in(figure, "µs") || is_in(figure, "% of one CPU"));
}

static struct moderation find_moderation(const struct perf *perf, size_t index, const struct figure *figure,
                                         const struct scatter *scatters)
{
    const struct row *row = &perf->rows[index];
    const struct scatter *scatter = &scatters[index];
    struct moderation moderation = moderate_like(perf, index, figure, scatters);

    if (moderation.degrees > 0 || !(scatter->level > 0) || !(scatter->degrees < ENOUGH_CELLS - 1))
        return moderation;
    moderation = expected_of(row, figure, scatter->level, find_ratio(row, figure).execution_us);
    return moderation.degrees > 0 ? moderation_to(scatter, moderation) : moderation;
}

/* What the scatter of all rows tells of each row's, in the order of the rows, in units of an execution. */
static const struct moderation *moderations_of(const struct perf *perf, const struct figure *figure,
                                               enum kind kind)
{
    struct moderation **moderations = &perf->moderations[kind][figure - figures];
    struct scatter *scatters;

    if (*moderations)
        return *moderations;
    scatters = memory_new(perf->count, sizeof(*scatters));
    *moderations = memory_new(perf->count, sizeof(**moderations));
    for (size_t i = 0; i < perf->count; i++)
        scatters[i] = scatter_of(&perf->rows[i], figure, kind);
    for (size_t i = 0; i < perf->count; i++)
        (*moderations)[i] = find_moderation(perf, i, figure, scatters);
    free(scatters);
    return *moderations;
}

static size_t count_known(const struct row *row, const struct figure *figure)
{
    const struct cells *cells = row_cells(row, figure);
    size_t count = 0;

    for (size_t i = 0; i < cells->count; i++)
        count += is_known(cells->list[i]->numbers[figure - figures]);
    return count;
}

/* Where a monitor has no process, or no helper, there is nothing that could scatter. */
static bool is_nothing(const struct row *row, const struct figure *figure)
{
    for (size_t i = 0; i < row->counted.count; i++)
        if (fabs(row->counted.list[i]->numbers[figure - figures]) > 0)
            return false;
    return true;
}

/* Of a row's cells, or of what they have left of the figure without its share. */
static struct moderation moderation_of(const struct row *row, const struct figure *figure, enum kind kind)
{
    struct moderation moderation;
    double execution_us;

    if (kind == OF_FIGURE &&
        (!is_cost(figure) || count_known(row, figure) >= ENOUGH_CELLS || is_nothing(row, figure)))
        return not_moderated;
    execution_us = find_ratio(row, figure).execution_us;
    moderation = moderations_of(row->perf, figure, kind)[row - row->perf->rows];
    if (!(moderation.degrees > 0) || !is_known(execution_us))
        return not_moderated;
    moderation.variance *= execution_us * execution_us;
    return moderation;
}

struct interval row_mean(const struct row *row, const struct figure *figure)
{
    return interval_of(mean_less_share(row, figure, 0, moderation_of(row, figure, OF_FIGURE)));
}

/* What is left of the figure without its share, and one more or less: see interval_of_ratio(). */
static double find_share(const struct row *row, const struct figure *figure, struct estimate left[3])
{
    const struct ratio ratio = find_ratio(row, figure);
    const struct moderation moderation = moderation_of(row, figure, OF_SHARE);

    for (int i = 0; i < 3; i++)
        left[i] = mean_less_share(row, figure, ratio.share + i - 1, moderation);
    return ratio.share;
}

struct interval row_share(const struct row *row, const struct figure *figure)
{
    struct estimate left[3];
    double share = find_share(row, figure, left);

    return interval_of_ratio(share, left);
}

double row_share_degrees(const struct row *row, const struct figure *figure)
{
    struct estimate left[3];

    find_share(row, figure, left);
    return is_known(row_share(row, figure).low) ? left[1].degrees : UNKNOWN;
}

/* The baseline's share of two figures is the same if both had the same taken off, as it isn't where monitors
 * have different helpers. */
static bool same_baseline(const struct sample *a, const struct sample *b)
{
    if (a->baseline_count != b->baseline_count)
        return false;
    for (size_t j = 0; j < a->baseline_count; j++)
        if (fabs(a->baseline_values[j] - b->baseline_values[j]) > 0)
            return false;
    return true;
}

/* The sample of a figure that is so many times as large. The baseline's cells stay as they are: what was
 * taken off is that many times their weighted mean. */
static void sample_scale(struct sample *sample, double times)
{
    for (size_t i = 0; i < sample->count; i++) {
        sample->values[i] *= times;
        if (sample->errors)
            sample->errors[i] *= fabs(times);
    }
    for (size_t i = 0; i < sample->baseline_count * sample->count; i++)
        sample->weights[i] *= times;
    sample->common_error *= fabs(times);
    sample->pooled_error *= fabs(times);
    sample->moderation.variance *= times * times;
}

/* What the counting has wrong, it has wrong alike in builds of one monitor, and only as far
 * as they differ is it in their difference. Of different monitors it is taken as if it were independent. */
static void relate_common_errors(const struct row *a, struct sample *of_a, const struct row *b,
                                 struct sample *of_b)
{
    if (a->perf != b->perf || !rows_are_of_one_monitor(a, b))
        return;
    of_a->common_error = fabs(of_a->common_error - of_b->common_error);
    of_b->common_error = 0;
}

/* Of one run, what is expected of how both scatter is told by the same cells. */
static struct estimate minus(const struct sample *of_a, struct estimate a, const struct sample *of_b,
                             struct estimate b)
{
    struct estimate difference = estimate_minus(a, b);

    if (of_a->row->perf != of_b->row->perf)
        return difference;
    return estimate_alike(difference, a, of_a->moderation, b, of_b->moderation);
}

struct estimate row_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                             double times)
{
    struct sample of_a, of_b;
    struct estimate difference;

    sample_make(&of_a, a, figure, 0);
    sample_make(&of_b, b, figure, 0);
    of_a.moderation = moderation_of(a, figure, OF_FIGURE);
    of_b.moderation = moderation_of(b, figure, OF_FIGURE);
    sample_scale(&of_b, times);
    relate_common_errors(a, &of_a, b, &of_b);
    if (a->perf == b->perf && of_a.baseline_count && same_baseline(&of_a, &of_b)) {
        const struct compared compared_a = compared_of(&of_a), compared_b = compared_of(&of_b);
        const struct shared shared = shared_of(&of_a);

        difference = with_common_error(
            with_common_error(estimate_between(&compared_a, &compared_b, &shared), &of_a), &of_b);
    } else {
        difference = minus(&of_a, with_common_error(sample_mean(&of_a), &of_a), &of_b,
                           with_common_error(sample_mean(&of_b), &of_b));
    }
    sample_free(&of_a);
    sample_free(&of_b);
    return difference;
}

struct interval row_difference(const struct row *a, const struct row *b, const struct figure *figure)
{
    return interval_of(row_contrast(a, b, figure, 1));
}

/* A row's share, times a factor, as if it was a line near where it is: the variance is that of what is left
 * of the figure, in units of the execution. The error that all cells have in common is in *sample alone. */
static struct estimate share_estimate(struct sample *sample, const struct row *row,
                                      const struct figure *figure, double times)
{
    struct estimate left[3], scatter;
    double share = find_share(row, figure, left);
    double execution_us = (left[0].value - left[2].value) / 2, scale = fabs(times) / execution_us;

    sample_make(sample, row, figure, share);
    sample->moderation = moderation_of(row, figure, OF_SHARE);
    scatter = sample_mean(sample);
    sample->common_error *= scale;
    sample->pooled_error *= scale;
    return (struct estimate){times * share, scatter.variance * scale * scale, scatter.degrees};
}

struct estimate row_share_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                                   double times)
{
    struct sample of_a, of_b;
    struct estimate difference = share_estimate(&of_a, a, figure, 1), of_b_share;

    of_b_share = share_estimate(&of_b, b, figure, times);
    difference = minus(&of_a, difference, &of_b, of_b_share);
    relate_common_errors(a, &of_a, b, &of_b);
    difference = with_common_error(with_common_error(difference, &of_a), &of_b);
    sample_free(&of_a);
    sample_free(&of_b);
    return difference;
}

struct interval row_share_difference(const struct row *a, const struct row *b, const struct figure *figure)
{
    return interval_of(row_share_contrast(a, b, figure, 1));
}

/* Of the same monitor at rest; NULL if that was not measured. */
static const struct row *find_rest(const struct row *row)
{
    for (size_t i = 0; i < row->perf->count; i++)
        if (!(row->perf->rows[i].rate > 0) && strcmp(row->perf->rows[i].test, row->test) == 0)
            return &row->perf->rows[i];
    return NULL;
}

struct interval row_marginal(const struct row *row)
{
    const struct row *rest = find_rest(row);
    const double us = 1e4 / mean_rate(row);
    struct estimate more;

    if (!rest || !(row->rate > 0) || strcmp(row->test, BASELINE) == 0)
        return (struct interval){UNKNOWN, UNKNOWN, UNKNOWN};
    more = row_contrast(row, rest, &figures[figure_index("total_cpu")], 1);
    return interval_of((struct estimate){us * more.value, us * us * more.variance, more.degrees});
}
