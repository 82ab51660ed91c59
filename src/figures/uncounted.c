#include "uncounted.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

/* What waking a reader adds to a run, beyond what is counted: a program that does nothing else less one that
 * does nothing. */
#define WAKE "wake:raw_tracepoint:sched_process_wait"
#define NO_WAKE "raw_tracepoint:sched_process_wait"

/* With fewer of them an execution than that, it does not matter. */
#define WAKES_MAX 0.1

/* One of the machine's programs and one place where it is attached. */
struct attachment {
    double program;
    char kind[32];
    const char *target;
    double count;                  /* how many of the same there are */
    const struct reading *counted; /* the run count of a program of the monitor's; NULL: it is another's */
};

struct attachments {
    struct attachment *list;
    size_t count;
};

static double id_of(const struct reading *reading)
{
    return strtod(reading->name, NULL);
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 0;
}

static const struct reading *find_counted(const struct window *window, double program)
{
    for (size_t i = 0; i < window->count; i++)
        if (strcmp(window->readings[i].source, "bpf") == 0 && same(id_of(&window->readings[i]), program))
            return &window->readings[i];
    return NULL;
}

/* The count is the highest of all readings: one that comes or goes in between is there. */
static void find_attachments(struct attachments *attachments, const struct window *window)
{
    size_t capacity = 0;

    for (size_t i = 0; i < window->count; i++) {
        const struct reading *reading = &window->readings[i];
        struct attachment found = {.program = id_of(reading),
                                   .count = window_most(window, "attached", reading->name)};
        int target = 0;

        if (strcmp(reading->source, "attached") != 0 || !window_is_first(window, reading) ||
            sscanf(reading->name, "%*[0-9]:%31[^:]:%n", found.kind, &target) != 1 || target == 0)
            continue;
        found.target = reading->name + target;
        found.counted = find_counted(window, found.program);
        attachments->list =
            memory_grow(attachments->list, attachments->count, &capacity, sizeof(*attachments->list));
        attachments->list[attachments->count++] = found;
    }
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_classic(const struct attachment *attachment)
{
    return strcmp(attachment->kind, "tracepoint") == 0;
}

static bool is_raw(const struct attachment *attachment)
{
    return strcmp(attachment->kind, "raw_tracepoint") == 0 || strcmp(attachment->kind, "tp_btf") == 0;
}

/* Those of single system calls all hang on one of two; "" of what is on none. */
static const char *tracepoint_of(const struct attachment *attachment)
{
    if (is_classic(attachment) && begins_with(attachment->target, "sys_enter"))
        return "sys_enter";
    if (is_classic(attachment) && begins_with(attachment->target, "sys_exit"))
        return "sys_exit";
    return is_classic(attachment) || is_raw(attachment) ? attachment->target : "";
}

static const char *other_end(const char *tracepoint)
{
    if (strcmp(tracepoint, "sys_enter") == 0)
        return "sys_exit";
    return strcmp(tracepoint, "sys_exit") == 0 ? "sys_enter" : NULL;
}

/* How many are on that tracepoint before this one: all that are not the monitor's, which were there without
 * it, and its older ones. */
static double before(const struct attachments *attachments, const struct attachment *own,
                     const char *tracepoint)
{
    double count = 0;

    for (size_t i = 0; i < attachments->count; i++) {
        const struct attachment *other = &attachments->list[i];

        if (other != own && strcmp(tracepoint_of(other), tracepoint) == 0 &&
            (!other->counted || other->program < own->program))
            count += other->count;
    }
    return count;
}

static enum place place_of(const struct attachments *attachments, const struct attachment *own)
{
    const char *tracepoint = tracepoint_of(own), *end = other_end(tracepoint);
    double ahead = before(attachments, own, tracepoint);

    if (ahead > 0)
        return ahead > 1 && is_raw(own) ? PLACE_THIRD : PLACE_SECOND;
    return end && before(attachments, own, end) > 0 ? PLACE_BESIDE : PLACE_FIRST;
}

/* A tracepoint calls all classic programs by way of one of its functions, and each raw one by a function of
 * its own. What these cost each other was not measured. */
static bool is_mixed(const struct attachments *attachments, const struct attachment *own)
{
    for (size_t i = 0; i < attachments->count; i++)
        if (strcmp(tracepoint_of(&attachments->list[i]), tracepoint_of(own)) == 0 &&
            is_classic(&attachments->list[i]) != is_classic(own))
            return true;
    return false;
}

/* The kind that was measured for it; sched_process_wait stands for all tracepoints but those of system calls.
 */
static char *calibrated_kind(const struct attachment *own)
{
    bool of_calls = other_end(own->target) != NULL;

    if (is_raw(own))
        return memory_print("%s:%s", own->kind, of_calls ? own->target : "sched_process_wait");
    return memory_print("tracepoint:%s", of_calls ? "raw_syscalls:sys_enter" : "sched:sched_process_wait");
}

/* The first reason is kept. */
__attribute__((format(printf, 2, 3))) static void unknown(struct uncounted *uncounted, const char *format,
                                                          ...)
{
    va_list arguments;

    if (uncounted->why[0])
        return;
    va_start(arguments, format);
    vsnprintf(uncounted->why, sizeof(uncounted->why), format, arguments);
    va_end(arguments);
}

static const struct cost *cost_of(const struct attachments *attachments, const struct attachment *own,
                                  const struct calibration *calibration, struct uncounted *uncounted)
{
    const struct cost *cost;
    enum place place;
    char *kind;

    if (!is_raw(own) && !is_classic(own)) {
        unknown(uncounted, "%s: programs of kind %s are not calibrated", own->counted->name, own->kind);
        return NULL;
    }
    if (is_classic(own) && !other_end(own->target) && other_end(tracepoint_of(own))) {
        unknown(uncounted, "%s: on %s all other system calls pay for it too", own->counted->name,
                own->target);
        return NULL;
    }
    if (is_mixed(attachments, own)) {
        unknown(uncounted, "%s: shares %s with programs of another kind", own->counted->name,
                tracepoint_of(own));
        return NULL;
    }
    place = place_of(attachments, own);
    kind = calibrated_kind(own);
    cost = calibration_find(calibration, kind, place);
    if (!cost)
        unknown(uncounted, "%s: %s as the %s one was not calibrated", own->counted->name, kind,
                place_names[place]);
    free(kind);
    return cost;
}

/* Where a program is attached; NULL unless that is known, and one place. */
static const struct attachment *attachment_of(const struct attachments *attachments,
                                              const struct reading *program, struct uncounted *uncounted)
{
    const struct attachment *found = NULL;

    for (size_t i = 0; i < attachments->count; i++) {
        if (!same(attachments->list[i].program, id_of(program)))
            continue;
        if (found || attachments->list[i].count > 1) {
            unknown(uncounted, "%s: attached in more than one place", program->name);
            return NULL;
        }
        found = &attachments->list[i];
    }
    if (!found)
        unknown(uncounted, "%s: where it is attached is not known", program->name);
    return found;
}

/* Adds each program's runs to those of its cost. */
static void add_runs(double *runs, const struct window *window, const struct attachments *attachments,
                     const struct calibration *calibration, struct uncounted *uncounted)
{
    for (size_t i = 0; i < window->count; i++) {
        const struct reading *program = &window->readings[i];
        const struct attachment *attachment;
        const struct cost *cost;

        if (strcmp(program->source, "bpf") != 0 || !window_is_first(window, program) ||
            !(window_runs_of(window, program) > 0))
            continue;
        attachment = attachment_of(attachments, program, uncounted);
        cost = attachment ? cost_of(attachments, attachment, calibration, uncounted) : NULL;
        if (cost)
            runs[cost - calibration->costs] += window_runs_of(window, program);
    }
}

static void add_wakes(double *runs, const struct window *window, double launches,
                      const struct calibration *calibration, struct uncounted *uncounted)
{
    double wakes = window_count_growth(window, "interrupts", "irq_work");
    const struct cost *with = calibration_find(calibration, WAKE, PLACE_FIRST),
                      *without = calibration_find(calibration, NO_WAKE, PLACE_FIRST);

    if (!is_known(wakes)) {
        unknown(uncounted, "how often readers were woken is not known");
    } else if (with && without) {
        runs[with - calibration->costs] += wakes;
        runs[without - calibration->costs] -= wakes;
    } else if (wakes / launches > WAKES_MAX) {
        unknown(uncounted, "readers were woken %.1f times an execution, which was not calibrated",
                wakes / launches);
    }
}

struct uncounted uncounted_of(const struct window *window, const struct calibration *calibration,
                              double launches)
{
    struct uncounted uncounted = {0};
    struct attachments attachments = {0};
    double *runs = memory_new(calibration->count, sizeof(*runs)), variance = 0;

    if (calibration->count == 0)
        unknown(&uncounted, "nothing was calibrated");
    find_attachments(&attachments, window);
    add_runs(runs, window, &attachments, calibration, &uncounted);
    add_wakes(runs, window, launches, calibration, &uncounted);
    for (size_t i = 0; i < calibration->count; i++) {
        uncounted.ns += runs[i] * calibration->costs[i].uncounted_ns;
        variance += pow(runs[i] * calibration->costs[i].error_ns, 2);
    }
    uncounted.error_ns = sqrt(variance);
    uncounted.known = !uncounted.why[0];
    free(attachments.list);
    free(runs);
    return uncounted;
}
