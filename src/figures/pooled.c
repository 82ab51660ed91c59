#include "pooled.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "memory.h"
#include "number.h"

/* How much a share differs from rate to rate, as a share of it, before any cells are looked at: in the
 * published run, in-band is 5.1 to 6.9 % of an execution with audit, 4.0 to 5.8 with Falco. It counts as so
 * many degrees of freedom. */
#define RATES_UNLIKE 0.15
#define RATES_DEGREES 4

#define UPPER_TAIL 0.975
#define KNOWN_DEGREES 1000

static double mean_square(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum / (double)count;
}

double pool_error(const struct pool *pool)
{
    const double n = (double)pool->count, degrees = n - 1 + RATES_DEGREES;
    const double mean = gsl_stats_mean(pool->shares, 1, pool->count);
    const double own = mean_square(pool->errors, pool->count);
    const double expected = own + pow(RATES_UNLIKE * mean, 2);
    const double found = n > 1 ? gsl_stats_variance(pool->shares, 1, pool->count) : 0;
    const double variance = ((n - 1) * found + RATES_DEGREES * expected) / degrees;
    const double t = gsl_cdf_tdist_Pinv(UPPER_TAIL, degrees) / gsl_cdf_tdist_Pinv(UPPER_TAIL, KNOWN_DEGREES);

    /* The mean has what the cells scatter; the share at any rate differs from it by what is not the cells'
     * own error.
     */
    return t * sqrt(fmax(variance, own) / n + fmax(0, variance - own));
}

static bool is_same_monitor(const struct cell *a, const struct cell *b)
{
    return strcmp(a->planned.monitor, b->planned.monitor) == 0;
}

bool is_of_few(const struct cell *cells, size_t count, const struct cell *cell)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].planned.coarse && is_same_monitor(&cells[i], cell))
            return true;
    return false;
}

static void pool_make(struct pool *pool, size_t count)
{
    *pool = (struct pool){.shares = memory_new(count + 1, sizeof(double)),
                          .errors = memory_new(count + 1, sizeof(double))};
}

static void pool_free(struct pool *pool)
{
    free(pool->shares);
    free(pool->errors);
}

static void pool_add(struct pool *pool, double value, double error, double whole)
{
    pool->shares[pool->count] = value / whole;
    pool->errors[pool->count++] = is_known(error) ? error / whole : 0;
}

static double pool_mean(const struct pool *pool)
{
    return gsl_stats_mean(pool->shares, 1, pool->count);
}

static bool tells(const struct cell *cell, const struct cell *other, const struct choices *choices)
{
    return !other->planned.coarse && other->planned.rate > 0 && choices_count(choices, other) &&
           is_same_monitor(cell, other);
}

/* The way in which in-band was got in a detailed cell; NULL if it is from the baseline. */
static const char *way_of(const struct cell *cell)
{
    const char *way = cell_text(cell, "inprogram_method");

    return way && strcmp(way, "apart") != 0 ? way : NULL;
}

/* What an execution itself costs in it. */
static double own_execution_us(const struct cell *cell)
{
    return unwatched_us(cell) - derive_program_us(cell, NULL) - derive_parent_us(cell, NULL);
}

/* The first cell that tells a monitor's in-band; NULL if none does. */
static const struct cell *find_teller(const struct cell *cells, size_t count, const struct cell *of,
                                      const struct choices *choices)
{
    for (size_t i = 0; i < count; i++)
        if (tells(of, &cells[i], choices) && way_of(&cells[i]) && is_known(own_execution_us(&cells[i])))
            return &cells[i];
    return NULL;
}

static struct pooled pool_inprogram(const struct cell *cells, size_t count, const struct cell *teller,
                                    const struct choices *choices)
{
    struct pooled pooled = {.exists = true};
    struct pool program, parent;

    pool_make(&program, count);
    pool_make(&parent, count);
    for (size_t i = 0; i < count; i++) {
        const struct cell *cell = &cells[i];
        const double whole = own_execution_us(cell);

        if (!tells(teller, cell, choices) || !way_of(cell) || strcmp(way_of(cell), way_of(teller)) != 0 ||
            !is_known(whole))
            continue;
        pool_add(&program, derive_program_us(cell, NULL), derive_program_error_us(cell, NULL), whole);
        pool_add(&parent, derive_parent_us(cell, NULL), derive_parent_error_us(cell, NULL), whole);
        pooled.program_common_error += common_error_program_us(cell) / whole;
        pooled.parent_common_error += common_error_parent_us(cell) / whole;
    }
    pooled.program = pool_mean(&program);
    pooled.program_error = pool_error(&program);
    pooled.program_common_error /= (double)program.count;
    pooled.parent = pool_mean(&parent);
    pooled.parent_error = pool_error(&parent);
    pooled.parent_common_error /= (double)parent.count;
    pool_free(&program);
    pool_free(&parent);
    return pooled;
}

/* Of that monitor, all cells that went well under load. */
static void spread_inprogram(struct cell *cells, size_t count, const struct cell *teller,
                             const struct pooled *pooled)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_same_monitor(&cells[i], teller) || !cells[i].ok || !(cells[i].planned.rate > 0))
            continue;
        cells[i].pooled = *pooled;
        if (cells[i].planned.coarse)
            cell_set_text(&cells[i], "inprogram_method", memory_copy(way_of(teller)));
    }
}

/* Run time of eBPF programs, of all that an execution costs with them. */
static void pool_bpf(struct cell *cells, size_t count, const struct cell *of, const struct choices *choices)
{
    struct pool pool;

    pool_make(&pool, count);
    for (size_t i = 0; i < count; i++)
        if (tells(of, &cells[i], choices) && is_known(cell_number(&cells[i], "bpf_us")) &&
            is_known(unwatched_us(&cells[i])))
            pool_add(&pool, cell_number(&cells[i], "bpf_us"), 0, unwatched_us(&cells[i]));
    for (size_t i = 0; pool.count && i < count; i++) {
        if (!cells[i].planned.coarse || !cells[i].ok || !is_same_monitor(&cells[i], of))
            continue;
        cell_set_number(&cells[i], "bpf_us", pool_mean(&pool) * unwatched_us(&cells[i]));
        cells[i].pooled.bpf_error_us = pool_error(&pool) * unwatched_us(&cells[i]);
    }
    pool_free(&pool);
}

static bool is_first(const struct cell *cells, const struct cell *cell)
{
    for (const struct cell *other = cells; other < cell; other++)
        if (is_same_monitor(other, cell))
            return false;
    return true;
}

void cells_pool(struct cell *cells, size_t count, const struct choices *choices)
{
    for (size_t i = 0; i < count; i++) {
        const struct cell *teller;

        if (!is_first(cells, &cells[i]) || !is_of_few(cells, count, &cells[i]))
            continue;
        teller = find_teller(cells, count, &cells[i], choices);
        if (teller) {
            const struct pooled pooled = pool_inprogram(cells, count, teller, choices);

            spread_inprogram(cells, count, teller, &pooled);
        }
        pool_bpf(cells, count, &cells[i], choices);
    }
}
