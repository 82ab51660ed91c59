#include "bench.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "shared.h"
#include "statistics.h"

/* Slices before each phase, as a part of the phase's own, in which what was patched settles. */
#define GUARD_PART 8

/* Slices around which the kernel's counters are read, as a part of those around which the clock is. */
#define COUNTED_PART 2

static void load(struct attachment *attachment, enum type type, const char *target, enum work work)
{
    const char *problem = attachment_load(attachment, type, target, work);

    if (problem)
        errx(EXIT_FAILURE, "%s", problem);
}

static void hold(struct bench *bench, enum type type, const char *target)
{
    load(&bench->held[bench->held_count++], type, target, EMPTY);
}

static void hold_for_place(struct bench *bench)
{
    const struct kind *kind = bench->kind;

    if (bench->place == BESIDE)
        hold(bench, RAW_TRACEPOINT, kind->beside);
    if (bench->place == SECOND || bench->place == THIRD)
        hold(bench, kind->type, kind->target);
    if (bench->place == THIRD)
        hold(bench, kind->type, kind->target);
}

static void add(struct benches *benches, const struct kind *kind, enum place place, enum work work)
{
    struct bench *bench;

    benches->items = reallocarray(benches->items, benches->count + 1, sizeof(*benches->items));
    if (!benches->items)
        err(EXIT_FAILURE, "cannot allocate %zu cases", benches->count + 1);
    bench = &benches->items[benches->count++];
    *bench = (struct bench){.kind = kind, .place = place, .work = work};
    load(&bench->subject, kind->type, kind->target, work);
    if (kind->wakes)
        bench->reader = reader_start(bench->subject.ring);
    hold_for_place(bench);
}

void benches_add(struct benches *benches, const struct kind *kind)
{
    for (int place = 0; place < PLACES; place++)
        for (int work = 0; work < WORKS; work++)
            if (kind_has(kind, (enum place)place, (enum work)work))
                add(benches, kind, (enum place)place, (enum work)work);
}

static size_t slices_for(const struct call *call, int64_t phase_ns)
{
    for (size_t slices = 1;; slices *= 2) {
        const int64_t start_ns = call->cpu_ns();
        int64_t taken_ns;

        call->make(slices * call->slice);
        taken_ns = call->cpu_ns() - start_ns;
        if (taken_ns >= phase_ns / 2)
            return 1 + (size_t)((double)slices * (double)phase_ns / (double)taken_ns);
    }
}

void benches_size(struct benches *benches, int64_t phase_ns)
{
    for (size_t i = 0; i < benches->count; i++) {
        struct bench *bench = &benches->items[i];

        bench->slices = i > 0 && bench->kind->call == bench[-1].kind->call
                            ? bench[-1].slices
                            : slices_for(bench->kind->call, phase_ns);
    }
}

/* A phase that is being measured. */
struct meter {
    const struct bench *bench;
    uint64_t calls;
    uint64_t readings; /* system calls of the meter's own */
};

static void make_slice(struct meter *meter)
{
    const struct call *call = meter->bench->kind->call;

    call->make(call->slice);
    meter->calls += call->slice;
}

static int64_t read_clock(struct meter *meter)
{
    meter->readings++;
    return meter->bench->kind->call->cpu_ns();
}

static struct counted read_counted(struct meter *meter)
{
    meter->readings++;
    return attachment_counted(&meter->bench->subject);
}

static uint64_t passes_of(const struct kind *kind, uint64_t calls, uint64_t readings)
{
    if (kind->never)
        return 0;
    return calls + (kind->by_all_calls ? readings : 0);
}

/* The reading of the clock at the end of a slice is a call like the others. */
static double measure_call(struct meter *meter)
{
    const struct bench *bench = meter->bench;
    const unsigned slice = bench->kind->call->slice + (bench->kind->by_all_calls ? 1 : 0);
    double *slices = reallocarray(NULL, bench->slices, sizeof(*slices));
    int64_t start_ns = read_clock(meter);
    double median_ns;

    if (!slices)
        err(EXIT_FAILURE, "cannot allocate %zu slices", bench->slices);
    for (size_t i = 0; i < bench->slices; i++) {
        int64_t end_ns;

        make_slice(meter);
        end_ns = read_clock(meter);
        slices[i] = (double)(end_ns - start_ns) / slice;
        start_ns = end_ns;
    }
    median_ns = interval_of_median(slices, bench->slices).value;
    free(slices);
    return median_ns;
}

/* Programs on system calls run for whoever makes one. */
static void measure_own_runs(struct meter *meter, struct phase *phase)
{
    const struct kind *kind = meter->bench->kind;
    const uint64_t own_passes = passes_of(kind, kind->call->slice, 1);
    struct counted before = read_counted(meter);

    for (size_t i = 0; i < 1 + meter->bench->slices / COUNTED_PART; i++) {
        struct counted after;

        make_slice(meter);
        after = read_counted(meter);
        phase_add_slice(phase, before, after, own_passes);
        before = after;
    }
}

static struct phase measure(const struct bench *bench, enum state state)
{
    struct meter meter = {.bench = bench};
    struct phase phase = {0};
    struct counted before, after;
    uint64_t watched_before;

    bench->kind->call->make(bench->kind->call->slice * (1 + bench->slices / GUARD_PART));
    before = attachment_counted(&bench->subject);
    watched_before = bench->subject.shared->watched_runs;
    phase.call_ns = measure_call(&meter);
    if (state == COUNTED)
        measure_own_runs(&meter, &phase);
    /* Of the first and this reading, one has passed in between, whichever end of a system call it is. */
    after = read_counted(&meter);
    phase.watched_runs = bench->subject.shared->watched_runs - watched_before;
    phase.runs = after.runs - before.runs;
    phase.run_time_ns = after.run_time_ns - before.run_time_ns;
    phase.passes = passes_of(bench->kind, meter.calls, meter.readings);
    return phase;
}

static void check(const struct bench *bench, enum state state, const struct phase *phase)
{
    const uint64_t watched = bench->work != EMPTY && state != OFF ? phase->passes : 0;

    if (state != COUNTED && phase->runs != 0)
        errx(EXIT_FAILURE, "somebody else has switched on the run-time statistics of BPF: expected them off");
    if (state == COUNTED && phase->runs < phase->passes)
        errx(EXIT_FAILURE, "%s: the kernel counted %" PRIu64 " runs of at least %" PRIu64,
             kind_name(bench->kind), phase->runs, phase->passes);
    if (phase->watched_runs != watched)
        errx(EXIT_FAILURE, "%s: the program ran %" PRIu64 " times in this thread, expected %" PRIu64,
             kind_name(bench->kind), phase->watched_runs, watched);
}

static void attach(struct attachment *attachment)
{
    const char *problem = attachment_attach(attachment);

    if (problem)
        errx(EXIT_FAILURE, "%s", problem);
}

static void add_round(struct bench *bench, const struct phase phases[ROUND_PHASES])
{
    bench->rounds = reallocarray(bench->rounds, bench->round_count + 1, sizeof(*bench->rounds));
    if (!bench->rounds)
        err(EXIT_FAILURE, "cannot allocate %zu rounds", bench->round_count + 1);
    bench->rounds[bench->round_count++] = costs_of(phases, 1 + (unsigned)bench->held_count);
}

/* From one state to another, which differ in one thing. */
static void switch_to(struct bench *bench, enum state state, int *statistics)
{
    if (state != OFF && !bench->subject.link)
        attach(&bench->subject);
    if (state == OFF && bench->subject.link)
        attachment_detach(&bench->subject);
    if (state == COUNTED && *statistics < 0)
        *statistics = statistics_start();
    if (state != COUNTED && *statistics >= 0) {
        statistics_stop(*statistics);
        *statistics = -1;
    }
}

/* A call that passes what is switched also passes what is held. */
static void check_held(const struct bench *bench, const struct counted *before,
                       const struct phase phases[ROUND_PHASES])
{
    uint64_t passes = 0;

    for (size_t i = 0; i < ROUND_PHASES; i++)
        if (round_phases[i] == COUNTED)
            passes += phases[i].passes;
    for (size_t i = 0; i < bench->held_count; i++) {
        const uint64_t runs = attachment_counted(&bench->held[i]).runs - before[i].runs;

        if (runs < passes)
            errx(EXIT_FAILURE,
                 "%s: the kernel counted %" PRIu64 " runs of another program there, of at least %" PRIu64,
                 kind_name(bench->kind), runs, passes);
    }
}

void bench_round(struct bench *bench, struct phase phases[ROUND_PHASES])
{
    struct counted held[HELD_MAX];
    int statistics = -1;

    for (size_t i = 0; i < bench->held_count; i++) {
        held[i] = attachment_counted(&bench->held[i]);
        attach(&bench->held[i]);
    }
    for (size_t i = 0; i < ROUND_PHASES; i++) {
        switch_to(bench, round_phases[i], &statistics);
        phases[i] = measure(bench, round_phases[i]);
        check(bench, round_phases[i], &phases[i]);
    }
    check_held(bench, held, phases);
    for (size_t i = 0; i < bench->held_count; i++)
        attachment_detach(&bench->held[i]);
    add_round(bench, phases);
}

void benches_free(struct benches *benches)
{
    for (size_t i = 0; i < benches->count; i++) {
        struct bench *bench = &benches->items[i];

        for (size_t j = 0; j < bench->held_count; j++)
            attachment_free(&bench->held[j]);
        reader_end(bench->reader);
        attachment_free(&bench->subject);
        free(bench->rounds);
    }
    free(benches->items);
    *benches = (struct benches){0};
}
