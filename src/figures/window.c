#include "window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "memory.h"
#include "number.h"

/* An empty field is unknown. */
static double read_counter(const char *text, const struct csv *csv, struct problem *problem)
{
    double value = UNKNOWN;

    if (*text && !number_parse(text, &value))
        problem_set(problem, "line %lu has '%s', expected a number", csv->row, text);
    return value;
}

void window_read(struct window *window, const char *path, struct problem *problem)
{
    enum { SOURCE, NAME, CPU_NS, COUNT, MEMORY_BYTES, MEMORY_PEAK_BYTES, STATUS, FIELDS };
    size_t capacity = 0;
    char *fields[FIELDS];
    struct csv csv;

    if (!csv_open(&csv, path, LINES_PLAIN, "source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status",
                  problem))
        return;
    while (csv_next(&csv, fields, problem)) {
        window->readings = memory_grow(window->readings, window->count, &capacity, sizeof(*window->readings));
        window->readings[window->count++] = (struct reading){
            .source = memory_copy(fields[SOURCE]),
            .name = memory_copy(fields[NAME]),
            .cpu_ns = read_counter(fields[CPU_NS], &csv, problem),
            .count = read_counter(fields[COUNT], &csv, problem),
            .memory_bytes = read_counter(fields[MEMORY_BYTES], &csv, problem),
            .memory_peak_bytes = read_counter(fields[MEMORY_PEAK_BYTES], &csv, problem),
            .ok = strncmp(fields[STATUS], "ok", strlen("ok")) == 0,
        };
    }
    csv_close(&csv);
    if (problem_is_set(problem))
        window_free(window);
}

void window_free(struct window *window)
{
    for (size_t i = 0; i < window->count; i++) {
        free(window->readings[i].source);
        free(window->readings[i].name);
    }
    free(window->readings);
    *window = (struct window){0};
}

static bool is_of(const struct reading *reading, const char *source, const char *name)
{
    return strcmp(reading->source, source) == 0 && strcmp(reading->name, name) == 0;
}

bool window_is_clock(const struct reading *reading)
{
    return is_of(reading, "clock", "monotonic");
}

static const struct reading *last_of(const struct window *window, const struct reading *reading)
{
    for (size_t i = window->count; i-- > 0;)
        if (is_of(&window->readings[i], reading->source, reading->name))
            return &window->readings[i];
    return NULL;
}

static const struct reading *first_of(const struct window *window, const struct reading *reading)
{
    for (size_t i = 0; i < window->count; i++)
        if (is_of(&window->readings[i], reading->source, reading->name))
            return &window->readings[i];
    return NULL;
}

/* The first row of the second reading; count if there is none. Each begins with the clock. */
static size_t second_reading(const struct window *window)
{
    for (size_t i = 1; i < window->count; i++)
        if (window_is_clock(&window->readings[i]))
            return i;
    return window->count;
}

void window_check_whole(const struct window *window, struct problem *problem)
{
    size_t second = second_reading(window);

    if (window->count == 0 || !window_is_clock(&window->readings[0]))
        problem_set(problem, "has no reading of the clock");
    else if (second == window->count)
        problem_set(problem, "has no second reading");
    for (size_t i = 0; i < second && second < window->count; i++) {
        const struct reading *reading = &window->readings[i];

        if (last_of(window, reading) < &window->readings[second])
            problem_set(problem, "has no second reading of %s %s", reading->source, reading->name);
    }
}

static double grown(const struct reading *first, const struct reading *last)
{
    return first ? last->cpu_ns - first->cpu_ns : UNKNOWN;
}

double window_growth(const struct window *window, const char *source, const char *name)
{
    const struct reading *first = NULL, *last = NULL;

    for (size_t i = 0; i < window->count; i++) {
        const struct reading *reading = &window->readings[i];

        if (!is_of(reading, source, name) || !is_known(reading->cpu_ns))
            continue;
        first = first ? first : reading;
        last = reading;
    }
    return grown(first, last);
}

double window_begin_ns(const struct window *window)
{
    for (size_t i = 0; i < window->count; i++)
        if (window_is_clock(&window->readings[i]))
            return window->readings[i].cpu_ns;
    return UNKNOWN;
}

double window_end_ns(const struct window *window)
{
    for (size_t i = window->count; i-- > 0;)
        if (window_is_clock(&window->readings[i]))
            return window->readings[i].cpu_ns;
    return UNKNOWN;
}

double window_seconds(const struct window *window)
{
    double grown_ns = window_growth(window, "clock", "monotonic");

    return grown_ns > 0 ? grown_ns / 1e9 : UNKNOWN;
}

/* Of the monitor itself, the load and the harness are other figures. */
static bool is_helper(const struct reading *reading)
{
    static const char *const ours[] = {"monitor", "load", "sampler"};
    const char *name = reading->name;

    if (strcmp(reading->source, "kthread") == 0)
        return true;
    if (strcmp(reading->source, "pid") == 0)
        return strcmp(name, "monitor") != 0 && strncmp(name, "monitor/", 8) != 0;
    if (strcmp(reading->source, "cgroup") != 0)
        return false;
    for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
        if (strcmp(name, ours[i]) == 0)
            return false;
    return true;
}

static struct helper *find_helper(struct helper *helpers, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(helpers[i].name) == length && strncmp(helpers[i].name, name, length) == 0)
            return &helpers[i];
    return NULL;
}

size_t window_helpers(const struct window *window, struct helper **helpers)
{
    size_t count = 0, capacity = 0;

    *helpers = NULL;
    for (size_t i = 0; i < window->count; i++) {
        const struct reading *reading = &window->readings[i];
        size_t length = strcspn(reading->name, "/");
        struct helper *helper;

        if (!is_helper(reading) || first_of(window, reading) != reading)
            continue;
        helper = find_helper(*helpers, count, reading->name, length);
        if (!helper) {
            *helpers = memory_grow(*helpers, count, &capacity, sizeof(**helpers));
            helper = &(*helpers)[count++];
            *helper = (struct helper){.name = memory_print("%.*s", (int)length, reading->name)};
        }
        helper->cpu_ns += grown(reading, last_of(window, reading));
    }
    return count;
}

static double bpf_growth(const struct window *window, double (*counter)(const struct reading *))
{
    double sum = 0;

    for (size_t i = 0; i < window->count; i++) {
        const struct reading *reading = &window->readings[i], *last;

        if (strcmp(reading->source, "bpf") != 0 || first_of(window, reading) != reading)
            continue;
        last = last_of(window, reading);
        sum += last != reading ? counter(last) - counter(reading) : counter(reading);
    }
    return sum;
}

bool window_is_first(const struct window *window, const struct reading *reading)
{
    return first_of(window, reading) == reading;
}

double window_runs_of(const struct window *window, const struct reading *program)
{
    const struct reading *first = first_of(window, program), *last = last_of(window, program);

    return last != first ? last->count - first->count : first->count;
}

double window_count_growth(const struct window *window, const char *source, const char *name)
{
    const struct reading key = {.source = (char *)source, .name = (char *)name};
    const struct reading *first = first_of(window, &key);

    return first ? last_of(window, first)->count - first->count : UNKNOWN;
}

double window_most(const struct window *window, const char *source, const char *name)
{
    double most = UNKNOWN;

    for (size_t i = 0; i < window->count; i++)
        if (is_of(&window->readings[i], source, name))
            most = fmax(most, window->readings[i].count);
    return most;
}

static double cpu_ns(const struct reading *reading)
{
    return reading->cpu_ns;
}

static double runs(const struct reading *reading)
{
    return reading->count;
}

double window_bpf_ns(const struct window *window)
{
    return bpf_growth(window, cpu_ns);
}

double window_bpf_runs(const struct window *window)
{
    return bpf_growth(window, runs);
}

bool window_is_own_memory(const struct reading *reading)
{
    return strcmp(reading->source, "memory") == 0 && strncmp(reading->name, "monitor/", 8) == 0;
}

double window_memory_peak_bytes(const struct window *window)
{
    double sum = UNKNOWN;

    for (size_t i = 0; i < window->count; i++) {
        const struct reading *reading = &window->readings[i];

        if (!window_is_own_memory(reading) || last_of(window, reading) != reading ||
            !is_known(reading->memory_peak_bytes))
            continue;
        sum = (is_known(sum) ? sum : 0) + reading->memory_peak_bytes;
    }
    return sum;
}
