#include "perf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "derive.h"
#include "memory.h"
#include "number.h"

static struct row *find_row(struct perf *perf, const struct cell *cell)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, cell->planned.monitor) == 0 &&
            fabs(perf->rows[i].rate - cell->planned.rate) <= 0)
            return &perf->rows[i];
    return NULL;
}

static int by_monitor_and_rate(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = strcmp(a->test, b->test);

    return order ? order : (a->rate > b->rate) - (a->rate < b->rate);
}

static void choose_counted(struct row *row)
{
    size_t undisturbed = 0;

    for (size_t i = 0; i < row->cell_count; i++)
        undisturbed += row->cells[i]->ok && !cell_is_disturbed(row->cells[i]);
    row->counted = memory_new(row->cell_count, sizeof(*row->counted));
    for (size_t i = 0; i < row->cell_count; i++)
        if (row->cells[i]->ok && (undisturbed == 0 || !cell_is_disturbed(row->cells[i])))
            row->counted[row->counted_count++] = row->cells[i];
}

void perf_make(struct perf *perf, const struct cell *cells, size_t count)
{
    *perf = (struct perf){.rows = memory_new(count, sizeof(*perf->rows))};
    for (size_t i = 0; i < count; i++) {
        struct row *row = find_row(perf, &cells[i]);

        if (!row) {
            row = &perf->rows[perf->count++];
            *row = (struct row){.perf = perf,
                                .test = cells[i].planned.monitor,
                                .rate = cells[i].planned.rate,
                                .cells = memory_new(count, sizeof(*row->cells))};
        }
        row->cells[row->cell_count++] = &cells[i];
    }
    qsort(perf->rows, perf->count, sizeof(*perf->rows), by_monitor_and_rate);
    baselines_find(&perf->baselines, cells, count);
    for (size_t i = 0; i < perf->count; i++) {
        choose_counted(&perf->rows[i]);
        perf->rows[i].baseline = baseline_at(&perf->baselines, perf->rows[i].rate);
    }
}

void perf_free(struct perf *perf)
{
    for (size_t i = 0; i < perf->count; i++) {
        free(perf->rows[i].cells);
        free(perf->rows[i].counted);
    }
    free(perf->rows);
    baselines_free(&perf->baselines);
}

/* What is known of a figure of a row: its cells' values, and what they were compared with. */
struct sample {
    double *values;
    double *errors; /* NULL unless those of all values are known */
    struct known_errors known_errors;
    double share;        /* of an execution that the values are less */
    double common_error; /* one standard error of the mean that is in all values alike */
    const struct cell **cells;
    size_t count;
    double *baseline_values;
    double *weights, *baseline_weights; /* see interval.h */
    size_t baseline_count;
};

/* Of all that are counted, or NULL if they have nothing in common. */
static const char *common_text(const struct row *row, size_t figure)
{
    const char *text = row->counted_count ? row->counted[0]->texts[figure] : NULL;

    for (size_t i = 1; text && i < row->counted_count; i++)
        if (!row->counted[i]->texts[figure] || strcmp(row->counted[i]->texts[figure], text) != 0)
            return NULL;
    return text;
}

/* What figures that must be alike for a mean have in common; "" of a figure for which that does not matter.
 */
static const char *likeness(const struct row *row, const struct figure *figure)
{
    return figure->alike ? common_text(row, figure_index(figure->alike)) : "";
}

static const struct figure *execution_us(void)
{
    return &figures[figure_index("execution_us")];
}

/* A figure less that share of what an execution itself costs, which need not be known for none of it. */
static double less_share(double value, double share, double whole)
{
    return fabs(share) > 0 ? value - share * whole : value;
}

static void add_values(struct sample *sample, const struct row *row, const struct figure *figure,
                       double share)
{
    sample->values = memory_new(row->counted_count, sizeof(double));
    sample->cells = memory_new(row->counted_count, sizeof(*sample->cells));
    if (!likeness(row, figure))
        return;
    for (size_t i = 0; i < row->counted_count; i++) {
        const struct cell *cell = row->counted[i];
        double value =
            less_share(cell->numbers[figure - figures], share, cell->numbers[execution_us() - figures]);

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

/* A cell's weights, of those of the baseline's cells that are known, with a sum of 1. */
static void add_weights(double *weights, const struct baseline *known, const struct cell *cell)
{
    double sum = 0;

    baseline_weights(known, cell, weights);
    for (size_t j = 0; j < known->count; j++)
        sum += weights[j];
    for (size_t j = 0; j < known->count; j++)
        weights[j] /= sum;
}

static double mean_rate(const struct row *row)
{
    double sum = 0;

    for (size_t i = 0; i < row->counted_count; i++)
        sum += cell_number(row->counted[i], "achieved_per_sec");
    return sum / (double)row->counted_count;
}

/* What a cell of the baseline has of what was taken off the figure, and added for the share of an execution. */
static double taken_off_share(const struct figure *figure, const struct cell *baseline,
                              const struct cell *own, double rate, double share)
{
    double value = taken_off(figure, baseline, own, rate);
    double whole = taken_off(execution_us(), baseline, own, rate);

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
        add_weights(sample->weights + i * n, &known, sample->cells[i]);
    for (size_t j = 0; j < n; j++)
        add_weights(sample->baseline_weights + j * n, &known, known.cells[j]);
    free(known.cells);
}

/* Of a figure less that share of what an execution costs without a monitor. */
static void sample_make(struct sample *sample, const struct row *row, const struct figure *figure,
                        double share)
{
    *sample = (struct sample){.share = share};
    add_values(sample, row, figure, share);
    for (size_t i = 0; i < sample->count; i++)
        sample->common_error += common_error(figure, sample->cells[i]) / (double)sample->count;
    sample->errors = errors_of(sample, figure);
    if (sample->errors)
        sample->known_errors = all_known_errors(row, figure);
    /* In the baseline's own row, the scatter of its cells says how well it is known. */
    if (sample->count && strcmp(row->test, BASELINE) != 0)
        add_baseline(sample, row, figure, share);
}

static struct compared compared_of(const struct sample *sample)
{
    return (struct compared){sample->values, sample->count, sample->weights};
}

static struct shared shared_of(const struct sample *sample)
{
    return (struct shared){sample->baseline_values, sample->baseline_count, sample->baseline_weights};
}

static struct estimate with_common_error(struct estimate mean, const struct sample *sample)
{
    return sample->common_error > 0 ? estimate_sum(mean, estimate_error(sample->common_error)) : mean;
}

/* What an execution's own scatter adds to known errors of a figure that is less a share of it. */
static struct estimate execution_part(const struct sample *sample)
{
    double *parts = memory_new(sample->count, sizeof(*parts));
    struct estimate part;

    for (size_t i = 0; i < sample->count; i++)
        parts[i] = sample->share * cell_number(sample->cells[i], "execution_us");
    part = estimate_mean(parts, sample->count);
    part.value = 0;
    free(parts);
    return part;
}

/* Without the error that all cells have in common. */
static struct estimate sample_mean(const struct sample *sample)
{
    const struct compared compared = compared_of(sample);
    const struct shared shared = shared_of(sample);
    struct estimate mean;

    if (sample->errors) {
        mean = estimate_known(sample->values, sample->errors, sample->count, &sample->known_errors);
        if (fabs(sample->share) > 0)
            mean = estimate_sum(mean, execution_part(sample));
    } else if (shared.count) {
        mean = estimate_compared(&compared, &shared);
    } else {
        mean = estimate_mean(sample->values, sample->count);
    }
    return mean;
}

static struct estimate mean_less_share(const struct row *row, const struct figure *figure, double share)
{
    struct estimate mean;
    struct sample sample;

    sample_make(&sample, row, figure, share);
    mean = with_common_error(sample_mean(&sample), &sample);
    sample_free(&sample);
    return mean;
}

struct interval row_mean(const struct row *row, const struct figure *figure)
{
    return interval_of(mean_less_share(row, figure, 0));
}

/* What is left of the figure without its share, and one more or less: see interval_of_ratio(). */
static double find_share(const struct row *row, const struct figure *figure, struct estimate left[3])
{
    double more = mean_less_share(row, figure, -1).value, less = mean_less_share(row, figure, 1).value;
    double share = (more + less) / (more - less);

    for (int i = 0; i < 3; i++)
        left[i] = mean_less_share(row, figure, share + i - 1);
    return share;
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

/* A column of perf.csv: a figure or something about it. */
enum part {
    PART_VALUE,
    PART_LOW,
    PART_HIGH,
    PART_LOWEST,
    PART_HIGHEST,
    PART_SHARE,
    PART_SHARE_LOW,
    PART_SHARE_HIGH,
    PART_SHARE_DEGREES,
    PART_REPS,
    PARTS,
};

static const char *const part_suffixes[PARTS] = {
    "",       "_low",       "_high",       "_lowest",        "_highest",
    "_share", "_share_low", "_share_high", "_share_degrees", "_reps"};

struct column {
    const struct figure *figure;
    enum part part;
};

static int by_place(const void *left, const void *right)
{
    const struct column *a = left, *b = right;
    int order = a->figure->place - b->figure->place;

    return order ? order : (int)a->part - (int)b->part;
}

static bool has_part(const struct figure *figure, enum part part)
{
    switch (part) {
    case PART_VALUE:
        return figure->summary != SUMMARY_NONE;
    case PART_LOW:
    case PART_HIGH:
        return figure->summary == SUMMARY_MEAN;
    case PART_LOWEST:
    case PART_HIGHEST:
        return figure->main;
    case PART_SHARE:
    case PART_SHARE_LOW:
    case PART_SHARE_HIGH:
        return figure->share;
    case PART_SHARE_DEGREES:
        return figure->share && figure->main;
    case PART_REPS:
        return figure->summary == SUMMARY_MOST;
    case PARTS:
        break;
    }
    return false;
}

static size_t find_columns(struct column *columns)
{
    size_t count = 0;

    for (size_t i = 0; i < figure_count; i++)
        for (int part = PART_VALUE; part < PARTS; part++)
            if (has_part(&figures[i], (enum part)part))
                columns[count++] = (struct column){&figures[i], (enum part)part};
    qsort(columns, count, sizeof(*columns), by_place);
    return count;
}

static void write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number, text);
    fputs(text, out);
}

/* Over the counted cells, or all that went well. */
static double fold(const struct cell *const *cells, size_t count, size_t figure,
                   double (*join)(double, double))
{
    double result = UNKNOWN;

    for (size_t i = 0; i < count; i++) {
        double number = cells[i]->ok ? cells[i]->numbers[figure] : UNKNOWN;

        if (is_known(number))
            result = is_known(result) ? join(result, number) : number;
    }
    return result;
}

static double add(double a, double b)
{
    return a + b;
}

static double number_of(const struct row *row, const struct figure *figure, enum part part)
{
    bool share = part >= PART_SHARE;
    const struct interval mean = share ? row_share(row, figure) : row_mean(row, figure);
    double number = mean.value;

    if (part == PART_LOW || part == PART_SHARE_LOW)
        number = mean.low;
    else if (part == PART_HIGH || part == PART_SHARE_HIGH)
        number = mean.high;
    return share ? number * 100 : number;
}

static void write_mean(FILE *out, const struct row *row, const struct figure *figure, enum part part)
{
    write_number(out, number_round(part == PART_SHARE_DEGREES ? row_share_degrees(row, figure)
                                                              : number_of(row, figure, part)));
}

static size_t count_true(const struct row *row, size_t figure)
{
    size_t count = 0;

    for (size_t i = 0; i < row->counted_count; i++)
        count += row->counted[i]->numbers[figure] > 0;
    return count;
}

bool row_is_mostly(const struct row *row, const char *figure)
{
    return count_true(row, figure_index(figure)) * 2 > row->counted_count;
}

const char *row_text(const struct row *row, const char *figure)
{
    return common_text(row, figure_index(figure));
}

/* Without the build. What was attached to, as unit:NAME, has none, but may have an @ in its name. */
static size_t monitor_length(const char *test)
{
    return strchr(test, ':') ? strlen(test) : strcspn(test, "@");
}

bool rows_are_of_one_monitor(const struct row *a, const struct row *b)
{
    size_t length = monitor_length(a->test);

    return monitor_length(b->test) == length && strncmp(a->test, b->test, length) == 0;
}

double row_sum(const struct row *row, const char *figure)
{
    return fold(row->cells, row->cell_count, figure_index(figure), add);
}

static void write_most(FILE *out, const struct row *row, size_t figure, enum part part)
{
    if (part == PART_REPS)
        write_number(out, (double)count_true(row, figure));
    else if (row->counted_count)
        fputs(row_is_mostly(row, figures[figure].name) ? "true" : "false", out);
}

static void write_same(FILE *out, const struct row *row, size_t figure)
{
    const char *text = common_text(row, figure);

    if (text)
        csv_write(out, text);
}

struct counter {
    char name[200];
    double number;
};

static int by_name(const void *left, const void *right)
{
    const struct counter *a = left, *b = right;

    return strcmp(a->name, b->name);
}

/* Adds the counters in text, name=number with blanks between them. */
static void add_counters(struct counter **counters, size_t *count, size_t *capacity, const char *text)
{
    struct counter counter;
    int length;

    for (; sscanf(text, " %199[^ =]=%lf%n", counter.name, &counter.number, &length) == 2; text += length) {
        size_t i = 0;

        while (i < *count && strcmp((*counters)[i].name, counter.name) != 0)
            i++;
        if (i < *count) {
            (*counters)[i].number += counter.number;
            continue;
        }
        *counters = memory_grow(*counters, *count, capacity, sizeof(**counters));
        (*counters)[(*count)++] = counter;
    }
}

static void write_counters(FILE *out, const struct row *row, size_t figure)
{
    struct counter *counters = NULL;
    size_t count = 0, capacity = 0;

    for (size_t i = 0; i < row->cell_count; i++)
        if (row->cells[i]->ok && row->cells[i]->texts[figure])
            add_counters(&counters, &count, &capacity, row->cells[i]->texts[figure]);
    if (count)
        qsort(counters, count, sizeof(*counters), by_name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s=", i ? " " : "", counters[i].name);
        write_number(out, counters[i].number);
    }
    free(counters);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Each reason once. */
static void write_reasons(FILE *out, const struct row *row, size_t figure)
{
    const char **reasons = memory_new(row->cell_count, sizeof(*reasons));
    char *joined = memory_copy("");
    size_t count = 0;

    for (size_t i = 0; i < row->cell_count; i++)
        if (!row->cells[i]->ok)
            reasons[count++] = row->cells[i]->texts[figure] ? row->cells[i]->texts[figure] : "";
    qsort(reasons, count, sizeof(*reasons), by_text);
    for (size_t i = 0; i < count; i++) {
        char *longer;

        if (i > 0 && strcmp(reasons[i], reasons[i - 1]) == 0)
            continue;
        longer = memory_print("%s%s%s", joined, i ? "; " : "", reasons[i]);
        free(joined);
        joined = longer;
    }
    csv_write(out, joined);
    free(joined);
    free(reasons);
}

static void write_status(FILE *out, const struct row *row, size_t figure)
{
    for (size_t i = 0; i < row->cell_count; i++)
        if (!row->cells[i]->ok) {
            csv_write(out, row->cells[i]->texts[figure] ? row->cells[i]->texts[figure] : "unreadable");
            return;
        }
    fputs("ok", out);
}

static void write_value(FILE *out, const struct row *row, const struct column *column)
{
    size_t figure = (size_t)(column->figure - figures);

    if (column->part == PART_LOWEST || column->part == PART_HIGHEST) {
        write_number(
            out, fold(row->counted, row->counted_count, figure, column->part == PART_LOWEST ? fmin : fmax));
        return;
    }
    switch (column->figure->summary) {
    case SUMMARY_KEY:
        cell_write_field(out, row->cells[0], figure);
        break;
    case SUMMARY_MEAN:
        write_mean(out, row, column->figure, column->part);
        break;
    case SUMMARY_MAX:
        write_number(out, fold(row->counted, row->counted_count, figure, fmax));
        break;
    case SUMMARY_SUM:
        write_number(out, fold(row->cells, row->cell_count, figure, add));
        break;
    case SUMMARY_COUNTERS:
        write_counters(out, row, figure);
        break;
    case SUMMARY_SAME:
        write_same(out, row, figure);
        break;
    case SUMMARY_MOST:
        write_most(out, row, figure, column->part);
        break;
    case SUMMARY_REPS:
        write_number(out, (double)row->counted_count);
        break;
    case SUMMARY_STATUS:
        write_status(out, row, figure);
        break;
    case SUMMARY_REASONS:
        write_reasons(out, row, figure);
        break;
    case SUMMARY_NONE:
        break;
    }
}

void row_write(FILE *out, const struct row *row, const struct figure *figure)
{
    const struct column column = {figure, PART_VALUE};

    write_value(out, row, &column);
}

static void write_skipped(FILE *out, const struct column *column, const char *monitor, const char *reason)
{
    if (column->figure->summary == SUMMARY_KEY && column->figure->type == FIGURE_TEXT)
        csv_write(out, monitor);
    else if (column->figure->summary == SUMMARY_STATUS)
        fputs("skipped", out);
    else if (column->figure->summary == SUMMARY_REASONS)
        csv_write(out, reason ? reason : "");
}

/* NAME_share of NAME_us. */
static void write_name(FILE *out, const struct column *column)
{
    const char *name = column->figure->name;
    bool share = column->part >= PART_SHARE && column->part <= PART_SHARE_DEGREES;

    fprintf(out, "%.*s%s", (int)(strlen(name) - (share ? strlen("_us") : 0)), name,
            part_suffixes[column->part]);
}

static void end_field(FILE *out, size_t column, size_t count)
{
    putc(column + 1 < count ? ',' : '\n', out);
}

void perf_write(FILE *out, const struct perf *perf, json_t *skipped)
{
    struct column *columns = memory_new(figure_count * PARTS, sizeof(*columns));
    size_t count = find_columns(columns);
    const char *monitor;
    json_t *reason;

    for (size_t i = 0; i < count; i++) {
        write_name(out, &columns[i]);
        end_field(out, i, count);
    }
    for (size_t row = 0; row < perf->count; row++)
        for (size_t i = 0; i < count; i++) {
            write_value(out, &perf->rows[row], &columns[i]);
            end_field(out, i, count);
        }
    json_object_foreach(skipped, monitor, reason)
    {
        for (size_t i = 0; i < count; i++) {
            write_skipped(out, &columns[i], monitor, json_string_value(reason));
            end_field(out, i, count);
        }
    }
    free(columns);
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
}

/* What the counting or a calibration has wrong, it has wrong alike in builds of one monitor, and only as far
 * as they differ is it in their difference. Of different monitors it is taken as if it were independent. */
static void relate_common_errors(const struct row *a, struct sample *of_a, const struct row *b,
                                 struct sample *of_b)
{
    if (a->perf != b->perf || !rows_are_of_one_monitor(a, b))
        return;
    of_a->common_error = fabs(of_a->common_error - of_b->common_error);
    of_b->common_error = 0;
}

struct estimate row_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                             double times)
{
    struct sample of_a, of_b;
    struct estimate difference;

    sample_make(&of_a, a, figure, 0);
    sample_make(&of_b, b, figure, 0);
    sample_scale(&of_b, times);
    relate_common_errors(a, &of_a, b, &of_b);
    if (a->perf == b->perf && of_a.baseline_count && same_baseline(&of_a, &of_b)) {
        const struct compared compared_a = compared_of(&of_a), compared_b = compared_of(&of_b);
        const struct shared shared = shared_of(&of_a);

        difference = with_common_error(
            with_common_error(estimate_between(&compared_a, &compared_b, &shared), &of_a), &of_b);
    } else {
        difference = estimate_minus(with_common_error(sample_mean(&of_a), &of_a),
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

/* A row's share, times a factor, as if it was a line near where it is: the variance is that of what is left of
 * the figure, in units of the execution. The error that all cells have in common is in *sample alone. */
static struct estimate share_estimate(struct sample *sample, const struct row *row,
                                      const struct figure *figure, double times)
{
    struct estimate left[3], scatter;
    double share = find_share(row, figure, left);
    double scale = fabs(times) / ((left[0].value - left[2].value) / 2);

    sample_make(sample, row, figure, share);
    scatter = sample_mean(sample);
    sample->common_error *= scale;
    return (struct estimate){times * share, scatter.variance * scale * scale, scatter.degrees};
}

struct estimate row_share_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                                   double times)
{
    struct sample of_a, of_b;
    struct estimate difference = share_estimate(&of_a, a, figure, 1);

    difference = estimate_minus(difference, share_estimate(&of_b, b, figure, times));
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

static void write_difference(FILE *out, const struct row *a, const struct row *b,
                             const struct column *column)
{
    bool share = column->part == PART_SHARE;
    double times = share ? 100 : 1;
    const struct interval difference =
        share ? row_share_difference(a, b, column->figure) : row_difference(a, b, column->figure);

    if (!is_known(difference.low))
        return;
    csv_write(out, a->test);
    putc(',', out);
    csv_write(out, b->test);
    putc(',', out);
    write_number(out, a->rate);
    putc(',', out);
    write_name(out, column);
    putc(',', out);
    write_number(out, number_round(times * difference.value));
    putc(',', out);
    write_number(out, number_round(times * difference.low));
    putc(',', out);
    write_number(out, number_round(times * difference.high));
    putc('\n', out);
}

static void write_differences(FILE *out, const struct row *a, const struct row *b,
                              const struct figure *figure)
{
    const struct column value = {figure, PART_VALUE}, share = {figure, PART_SHARE};

    write_difference(out, a, b, &value);
    if (figure->share)
        write_difference(out, a, b, &share);
}

/* The baseline is what the others are compared with already. */
static bool is_pair(const struct row *a, const struct row *b)
{
    return fabs(a->rate - b->rate) <= 0 && strcmp(a->test, BASELINE) != 0 && strcmp(b->test, BASELINE) != 0;
}

void differences_write(FILE *out, const struct perf *perf)
{
    fputs("test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high\n", out);
    for (size_t a = 0; a < perf->count; a++)
        for (size_t b = a + 1; b < perf->count; b++)
            for (size_t i = 0; i < figure_count; i++)
                if (figures[i].main && is_pair(&perf->rows[a], &perf->rows[b]))
                    write_differences(out, &perf->rows[a], &perf->rows[b], &figures[i]);
}
