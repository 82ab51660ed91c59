#include "soak.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "number.h"

#define STRETCHES 6
#define READINGS_LEAST 3

/* Threads keep up to 64 pages to themselves before they are counted. */
#define UNCOUNTED_BYTES (64 * 4096.0)

static const struct interval unknown_interval = {NAN, NAN, NAN};

static double slope_of(const struct soak_point *points, size_t count)
{
    double mean_s = 0, mean_bytes = 0, products = 0, squares = 0;

    for (size_t i = 0; i < count; i++) {
        mean_s += points[i].s / (double)count;
        mean_bytes += points[i].bytes / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        products += (points[i].s - mean_s) * (points[i].bytes - mean_bytes);
        squares += pow(points[i].s - mean_s, 2);
    }
    return products / squares;
}

struct interval soak_slope(const struct soak_point *points, size_t count)
{
    double slopes[STRETCHES], uncounted;
    struct interval slope;

    if (count < STRETCHES * READINGS_LEAST)
        return unknown_interval;
    for (size_t i = 0; i < STRETCHES; i++) {
        size_t first = count * i / STRETCHES, end = count * (i + 1) / STRETCHES;

        slopes[i] = slope_of(points + first, end - first);
    }
    slope = interval_of_mean(slopes, STRETCHES);
    uncounted = UNCOUNTED_BYTES / (points[count - 1].s - points[0].s);
    slope.low = fmin(slope.low, slope.value - uncounted);
    slope.high = fmax(slope.high, slope.value + uncounted);
    return slope;
}

/* How many processes the reading that begins at first is of, and what they have together; it ends before
 * *end. */
static size_t add_reading(const struct window *window, size_t first, size_t *end, struct soak_point *point)
{
    size_t processes = 0;

    *point = (struct soak_point){.s = window->readings[first].cpu_ns / 1e9};
    for (*end = first + 1; *end < window->count && !window_is_clock(&window->readings[*end]); (*end)++) {
        const struct reading *reading = &window->readings[*end];

        if (!window_is_own_memory(reading) || !reading->ok || !is_known(reading->memory_bytes))
            continue;
        point->bytes += reading->memory_bytes;
        processes++;
    }
    return processes;
}

/* All readings, or none if the processes change: their number tells that, since cpumeter reads those that
 * there were at the beginning. */
static size_t find_points(const struct window *window, struct soak_point **points)
{
    size_t count = 0, capacity = 0, processes = 0, end;

    *points = NULL;
    for (size_t i = 0; i < window->count; i = end) {
        struct soak_point point;
        size_t now;

        if (!window_is_clock(&window->readings[i])) {
            end = i + 1;
            continue;
        }
        now = add_reading(window, i, &end, &point);
        if (now == 0 || (count && now != processes))
            return 0;
        processes = now;
        *points = memory_grow(*points, count, &capacity, sizeof(**points));
        (*points)[count++] = point;
    }
    return count;
}

struct soak soak_of(const struct window *window)
{
    struct soak soak = {UNKNOWN, UNKNOWN, UNKNOWN, unknown_interval};
    struct soak_point *points;
    size_t count = find_points(window, &points);

    if (count) {
        soak.readings = (double)count;
        soak.first_bytes = points[0].bytes;
        soak.last_bytes = points[count - 1].bytes;
        soak.bytes_per_s = soak_slope(points, count);
    }
    free(points);
    return soak;
}
