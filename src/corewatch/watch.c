#include "watch.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "../common/clock.h"
#include "distance.h"
#include "verdict.h"
#include "work.h"

#define WORK_NS (20 * NS_PER_USEC)
/* Threads that are woken at the same time come some µs to some 100 µs later, the later while CPUs share a
 * core. So long they wait for the last. */
#define WAIT_NS NS_PER_MSEC

struct watched {
    pthread_t thread;
    int cpu;
    unsigned place, count;
    int64_t first_ns, interval_ns;
    uint64_t rounds;
    _Atomic uint64_t *arrived; /* of all threads in all intervals */
    struct thrown *thrown; /* in common with the one that it is paired with; NULL for a last one without */
    _Atomic int64_t together_ns, distance_ns, alone_ns; /* of the last interval; 0: came too late */
};

static void sleep_until(int64_t mono_ns)
{
    const struct timespec until = to_timespec(mono_ns);

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* Who comes too late finds that all have arrived, but those who have waited in vain say so. */
static bool meet(const struct watched *watched, uint64_t interval, int64_t due_ns)
{
    const uint64_t all = (interval + 1) * watched->count;

    atomic_fetch_add(watched->arrived, 1);
    while (atomic_load(watched->arrived) < all)
        if (now_ns() > due_ns + WAIT_NS)
            return false;
    return true;
}

static void work_together(struct watched *watched, uint64_t interval, int64_t due_ns)
{
    const int64_t until_ns = due_ns + 2 * WAIT_NS;

    sleep_until(due_ns);
    if (!meet(watched, interval, due_ns))
        return;
    watched->together_ns = work_ns(watched->rounds);
    if (watched->thrown && watched->place % 2 == 0)
        watched->distance_ns = distance_ask_ns(watched->thrown, interval, until_ns);
    else if (watched->thrown)
        distance_answer(watched->thrown, interval, until_ns);
}

/* The second half of an interval is divided among the CPUs. */
static int64_t work_alone(const struct watched *watched, int64_t due_ns)
{
    sleep_until(due_ns + watched->interval_ns / 2 +
                watched->interval_ns / 2 * watched->place / (watched->count + 1));
    return work_ns(watched->rounds);
}

static void take_place(const struct watched *watched)
{
    if (cpulist_bind((unsigned)watched->cpu) < 0)
        err(EXIT_FAILURE, "cannot run on CPU %d", watched->cpu);
}

/* For the threads that this one starts as well. Without it, more looks show nothing. */
static void take_priority(void)
{
    const struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};

    (void)sched_setscheduler(0, SCHED_FIFO, &lowest);
    (void)prctl(PR_SET_TIMERSLACK, 1UL);
}

static void *run(void *argument)
{
    struct watched *watched = argument;

    take_place(watched);
    for (uint64_t interval = 0;; interval++) {
        const int64_t due_ns = watched->first_ns + (int64_t)interval * watched->interval_ns;

        work_together(watched, interval, due_ns);
        watched->alone_ns = work_alone(watched, due_ns);
    }
    return NULL;
}

static struct watched *start(const struct options *options, unsigned count, int64_t first_ns)
{
    struct watched *all = calloc(count, sizeof(*all));
    const uint64_t rounds = work_rounds(WORK_NS);
    static _Atomic uint64_t arrived;
    struct thrown *pairs = aligned_alloc(_Alignof(struct thrown), (count / 2 + 1) * sizeof(*pairs));
    int cpu = -1;

    if (!all || !pairs)
        err(EXIT_FAILURE, "cannot allocate memory for %u CPUs", count);
    memset(pairs, 0, (count / 2 + 1) * sizeof(*pairs));
    for (unsigned i = 0; i < count; i++) {
        cpu = cpulist_next(&options->cpus, (unsigned)(cpu + 1));
        all[i] = (struct watched){.cpu = cpu,
                                  .place = i,
                                  .count = count,
                                  .first_ns = first_ns,
                                  .interval_ns = options->interval_ns,
                                  .rounds = rounds,
                                  .arrived = &arrived,
                                  .thrown = (i | 1) < count ? &pairs[i / 2] : NULL};
        errno = pthread_create(&all[i].thread, NULL, run, &all[i]);
        if (errno)
            err(EXIT_FAILURE, "cannot start a thread for CPU %d", cpu);
    }
    return all;
}

/* False if a signal came. */
static bool wait_until(int64_t mono_ns, const sigset_t *signals)
{
    for (;;) {
        const int64_t left_ns = mono_ns - now_ns();
        const struct timespec left = to_timespec(left_ns > 0 ? left_ns : 0);

        if (sigtimedwait(signals, NULL, &left) > 0)
            return false;
        if (errno == EAGAIN)
            return true;
        if (errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for the end of the interval");
    }
}

static void write_interval(struct watched *all, struct times *times, unsigned count, int64_t due_ns,
                           FILE *output)
{
    double slowdown;
    int64_t distance_ns;

    for (unsigned i = 0; i < count; i++) {
        times[i].together_ns = atomic_exchange(&all[i].together_ns, 0);
        times[i].distance_ns = atomic_exchange(&all[i].distance_ns, 0);
        times[i].alone_ns = atomic_exchange(&all[i].alone_ns, 0);
        verdict_note_alone(&times[i]);
    }
    slowdown = verdict_slowdown(times, count);
    distance_ns = verdict_distance_ns(times, count);
    if (slowdown > 0 && distance_ns > 0)
        fprintf(output, "%" PRId64 ",%.3f,%d,%" PRId64 ",%d\n", due_ns, slowdown, verdict_is_shared(slowdown),
                distance_ns, verdict_is_far(distance_ns));
    else
        fprintf(output, "%" PRId64 ",,,,\n", due_ns);
}

void watch(const struct options *options, FILE *output, const sigset_t *signals)
{
    const unsigned count = cpulist_count(&options->cpus);
    const int64_t first_ns = now_ns() + options->interval_ns;
    struct times *times = calloc(count, sizeof(*times));
    struct watched *all;

    take_priority();
    all = start(options, count, first_ns);
    if (!times)
        err(EXIT_FAILURE, "cannot allocate memory for %u CPUs", count);
    fprintf(output, "mono_ns,slowdown,shared,distance_ns,far\n");
    /* Read shortly before the next interval: by then, all have worked. */
    for (int64_t due_ns = first_ns; wait_until(due_ns + options->interval_ns * 99 / 100, signals);
         due_ns += options->interval_ns)
        write_interval(all, times, count, due_ns, output);
    for (unsigned i = 0; i < count; i++)
        pthread_cancel(all[i].thread);
    for (unsigned i = 0; i < count; i++)
        pthread_join(all[i].thread, NULL);
    free(all[0].thrown);
    free(all);
    free(times);
}
