#include "run.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../common/blocks.h"
#include "../common/clock.h"
#include "../common/group.h"
#include "../common/signals.h"
#include "parse.h"
#include "reaper.h"
#include "rusage.h"
#include "schedule.h"

/* Time for all threads to reach their first sleep before the first launch is due. */
#define LEAD_NS INT64_C(10000000)
/* After a launch that failed under --max: a full process table is no reason to fail all the faster. */
#define FAILED_PAUSE_NS 1000000
/* Room for --max, where the number of launches isn't known before. Static programs reach some 5000/s, and a
 * child that executes nothing takes a CPU some 20 us at least. */
#define MAX_HZ_PER_CPU UINT64_C(100000)
/* What the kernel leaves of a process's name. */
#define NAME_MAX_LENGTH 15

struct worker {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
    struct launcher launcher;
};

/* What the threads of a run share. */
struct crew {
    struct run *run;
    struct worker *workers;
    struct launch_setup setup;
    struct pidtable pids;
    struct reaper reaper;
    pthread_barrier_t barrier;
    _Atomic uint64_t next_seq; /* --max only */
    atomic_bool stop;
    int64_t interrupted_ns; /* the supervising thread's alone */
};

/* The one place where a worker may be cancelled, by an interrupt. */
static void sleep_until(int64_t ns)
{
    const struct timespec until = to_timespec(ns);

    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

/* Worker k owns the launches k, k + threads, ... */
static void launch_paced(struct worker *worker)
{
    struct crew *crew = worker->crew;
    const struct run *run = crew->run;

    for (uint64_t seq = worker->number; seq < run->capacity; seq += run->threads) {
        struct launch *launch = &run->launches[seq];

        launcher_prepare(&worker->launcher, launch, seq);
        sleep_until(run->start_ns + schedule_due_ns(run->options->rate_uhz, seq));
        if (atomic_load(&crew->stop) || now_ns() >= run->stop_ns)
            return;
        launcher_start(&worker->launcher);
        if (launch->pid)
            reaper_child(&crew->reaper);
    }
    sleep_until(run->stop_ns);
}

static void launch_max(struct worker *worker)
{
    struct crew *crew = worker->crew;
    const struct run *run = crew->run;

    sleep_until(run->start_ns);
    while (!atomic_load(&crew->stop) && now_ns() < run->stop_ns) {
        uint64_t seq = atomic_fetch_add(&crew->next_seq, 1);
        struct launch *launch = &run->launches[seq];

        if (seq >= run->capacity)
            return;
        launcher_prepare(&worker->launcher, launch, seq);
        launcher_start(&worker->launcher);
        if (launch->pid)
            reap_own(launch, &crew->pids);
        if (launch->error)
            sleep_until(now_ns() + FAILED_PAUSE_NS);
    }
}

static void worker_ended(void *arg)
{
    reaper_worker_ended(arg);
}

static void *worker_main(void *arg)
{
    struct worker *worker = arg;
    struct crew *crew = worker->crew;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    /* The default of 50 us would be added to every launch's lateness. */
    prctl(PR_SET_TIMERSLACK, 1UL);

    pthread_cleanup_push(worker_ended, &crew->reaper);
    pthread_barrier_wait(&crew->barrier); /* all are ready */
    pthread_barrier_wait(&crew->barrier); /* run->start_ns is set */
    if (crew->run->options->max)
        launch_max(worker);
    else
        launch_paced(worker);
    pthread_cleanup_pop(1);
    return NULL;
}

static void must_create(int error)
{
    if (error) {
        errno = error;
        err(EXIT_FAILURE, "cannot create a thread or process");
    }
}

static void create_workers(struct crew *crew)
{
    struct run *run = crew->run;

    crew->workers = calloc(run->threads, sizeof(*crew->workers));
    if (!crew->workers)
        err(EXIT_FAILURE, "cannot allocate %u threads", run->threads);
    pthread_barrier_init(&crew->barrier, NULL, run->threads + 1);
    for (unsigned i = 0; i < run->threads; i++) {
        struct worker *worker = &crew->workers[i];

        worker->crew = crew;
        worker->number = i;
        if (launcher_init(&worker->launcher, &crew->setup) < 0)
            err(EXIT_FAILURE, "cannot allocate the stack of thread %u", i);
        if (run->thread_cpus)
            worker->launcher.cpu = run->thread_cpus[i];
        must_create(pthread_create(&worker->thread, NULL, worker_main, worker));
    }
}

static void stop_workers(struct crew *crew, int signal)
{
    struct run *run = crew->run;

    run->interrupted_by = signal;
    crew->interrupted_ns = now_ns();
    atomic_store(&crew->stop, true);
    for (unsigned i = 0; i < run->threads; i++)
        pthread_cancel(crew->workers[i].thread);
}

/* Waits for the end, or for signals: the first stops the launching, any further kills what doesn't end by
 * itself. */
static void supervise(struct crew *crew, const sigset_t *signals)
{
    struct run *run = crew->run;

    while (!reaper_has_finished(&crew->reaper)) {
        int signal;

        sigwait(signals, &signal);
        if (signal == REAPER_FINISHED)
            continue;
        if (run->interrupted_by) {
            pidtable_kill(&crew->pids, SIGKILL);
            continue;
        }
        stop_workers(crew, signal);
    }
}

/* Launching stopped before its time if it was interrupted, or (--max) there was no room for more records. */
static void set_stop(struct crew *crew)
{
    struct run *run = crew->run;

    run->room_used_up = atomic_load(&crew->next_seq) > run->capacity;
    if (run->room_used_up && run->end_ns < run->stop_ns)
        run->stop_ns = run->end_ns;
    if (run->interrupted_by && crew->interrupted_ns < run->stop_ns)
        run->stop_ns = crew->interrupted_ns > run->start_ns ? crew->interrupted_ns : run->start_ns;
}

/* Of --max: what was not launched is looked at by nobody any more, and may be a thousand times as much as
 * what was. */
static void give_back_room(struct run *run, uint64_t launches)
{
    if (launches == 0)
        launches = 1;
    if (launches >= run->capacity)
        return;
    if (mremap(run->launches, run->capacity * sizeof(*run->launches), launches * sizeof(*run->launches), 0) ==
        MAP_FAILED)
        err(EXIT_FAILURE, "cannot give back the room for launches that were not made");
    run->capacity = launches;
}

static int64_t self_cpu_usec(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) < 0)
        err(EXIT_FAILURE, "cannot get own CPU time");
    return rusage_cpu_usec(&usage);
}

void run_launches(struct run *run)
{
    struct crew crew = {.run = run};
    sigset_t signals;
    int64_t cpu_before_usec;

    signals = signals_block(&crew.setup.signal_mask);
    sigaddset(&signals, REAPER_FINISHED);
    if (pidtable_init(&crew.pids) < 0)
        err(EXIT_FAILURE, "cannot allocate the table of processes");
    crew.setup.actions = run->options->actions;
    crew.setup.action_count = run->options->action_count;
    crew.setup.command = run->options->command;
    crew.setup.tag = run->options->tag;
    crew.setup.timer_slack_ns = (unsigned long)prctl(PR_GET_TIMERSLACK);
    crew.setup.has_groups = run->options->has_groups;
    memcpy(crew.setup.groups, run->options->groups, sizeof(crew.setup.groups));
    crew.setup.cpus = run->cpus;
    crew.setup.pids = &crew.pids;
    crew.reaper = (struct reaper){.launches = run->launches,
                                  .pids = &crew.pids,
                                  .workers_reap = run->options->max,
                                  .workers = run->threads,
                                  .waker = pthread_self()};
    must_create(reaper_start(&crew.reaper));
    create_workers(&crew);

    pthread_barrier_wait(&crew.barrier);
    cpu_before_usec = self_cpu_usec();
    run->real_offset_ns = clock_offset_ns();
    run->start_ns = now_ns() + LEAD_NS;
    run->stop_ns = run->start_ns + run->options->duration_ns;
    pthread_barrier_wait(&crew.barrier);

    supervise(&crew, &signals);
    run->end_ns = now_ns();
    run->real_step_ns = clock_offset_ns() - run->real_offset_ns;
    run->self_cpu_usec = self_cpu_usec() - cpu_before_usec;

    for (unsigned i = 0; i < run->threads; i++)
        pthread_join(crew.workers[i].thread, NULL);
    reaper_join(&crew.reaper);
    set_stop(&crew);
    if (run->options->max)
        give_back_room(run, atomic_load(&crew.next_seq));
    free(crew.workers);
    pidtable_free(&crew.pids);
}

/* Enough for launches that overlap. On a noisy host with 2 CPUs, 4 to 16 threads could not be told apart. */
static unsigned auto_threads(unsigned cpus)
{
    return cpus * 4 > THREADS_MAX ? THREADS_MAX : cpus * 4;
}

static bool all_execute(const struct options *options)
{
    for (unsigned i = 0; i < options->action_count; i++)
        if (!options->actions[i]->executes)
            return false;
    return true;
}

/* Launches whose tags fit into a process's name, where that is where an action has its tag. */
static uint64_t tag_room(const struct options *options)
{
    uint64_t room = 1;

    if (!options->tag || all_execute(options))
        return UINT64_MAX;
    for (size_t length = strlen(options->tag) + 1; length < NAME_MAX_LENGTH; length++)
        room *= 10;
    return room;
}

uint64_t run_room(const struct options *options, unsigned cpus, uint64_t memory_bytes)
{
    uint64_t room = schedule_count(MAX_HZ_PER_CPU * cpus * UHZ_PER_HZ, options->duration_ns);
    const uint64_t limits[] = {memory_bytes / sizeof(struct launch), UINT32_MAX - 1, tag_room(options)};

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        if (room > limits[i])
            room = limits[i];
    return room;
}

static void check_room(uint64_t asked, uint64_t memory_bytes)
{
    uint64_t limit = memory_bytes / sizeof(struct launch);

    if (limit > UINT32_MAX - 1)
        limit = UINT32_MAX - 1;
    if (asked > limit)
        errx(EXIT_USAGE,
             "%llu launches are too many to record in half of this machine's memory, expected up to %llu: "
             "a lower rate or a shorter duration",
             (unsigned long long)asked, (unsigned long long)limit);
}

/* The records: all of it before the start, so that launching neither allocates nor faults. */
static void allocate_launches(struct run *run, unsigned cpus)
{
    const uint64_t half_memory = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
    const struct options *options = run->options;
    /* Under --max most of the room stays unused: leave it to be filled in as it is. */
    int populate = options->max ? MAP_NORESERVE : MAP_POPULATE;

    run->capacity = options->max ? run_room(options, cpus, half_memory)
                                 : schedule_count(options->rate_uhz, options->duration_ns);
    check_room(run->capacity, half_memory);
    run->launches = mmap(NULL, run->capacity * sizeof(*run->launches), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
    if (run->launches == MAP_FAILED)
        err(EXIT_FAILURE, "cannot allocate %llu launch records", (unsigned long long)run->capacity);
}

/* Neighbours in time are in one block, whichever thread launches them. */
static void draw_groups(struct run *run, struct blocks *blocks)
{
    for (uint64_t seq = 0; seq < run->capacity; seq++)
        run->launches[seq].group = (uint16_t)blocks_next(blocks);
}

/* As many threads, or one more or less, for each CPU, in any order. */
static void draw_cpus(struct run *run, struct prng *prng)
{
    int cpu = -1;

    run->thread_cpus = calloc(run->threads, sizeof(*run->thread_cpus));
    if (!run->thread_cpus)
        err(EXIT_FAILURE, "cannot allocate the CPUs of %u threads", run->threads);
    for (unsigned i = 0; i < run->threads; i++) {
        const unsigned drawn = prng_below(prng, i + 1);

        cpu = cpulist_next(&run->cpus, (unsigned)(cpu + 1));
        if (cpu < 0)
            cpu = cpulist_next(&run->cpus, 0);
        run->thread_cpus[i] = run->thread_cpus[drawn];
        run->thread_cpus[drawn] = (uint16_t)cpu;
    }
}

static void draw(struct run *run)
{
    struct blocks blocks;

    blocks_init(&blocks, run->options->seed, BLOCK_LAUNCHES);
    draw_groups(run, &blocks);
    draw_cpus(run, &blocks.prng);
}

/* An action that executes nothing has its tag where the kernel leaves 15 characters. */
static void check_tag(const struct run *run)
{
    const struct options *options = run->options;
    char last[32];
    int room;

    if (!options->tag || all_execute(options))
        return;
    room = NAME_MAX_LENGTH - snprintf(last, sizeof(last), "-%llu", (unsigned long long)run->capacity - 1);
    if (strlen(options->tag) > (size_t)(room > 0 ? room : 0))
        errx(EXIT_USAGE, "--tag '%s': expected at most %d characters with these actions and %llu launches",
             options->tag, room > 0 ? room : 0, (unsigned long long)run->capacity);
}

void run_init(struct run *run, const struct options *options)
{
    memset(run, 0, sizeof(*run));
    run->options = options;
    if (options->has_cpus && cpulist_set_affinity(&options->cpus) < 0)
        err(EXIT_FAILURE, "cannot set the CPU affinity");
    if (cpulist_get_affinity(&run->cpus) < 0)
        err(EXIT_FAILURE, "cannot get the CPU affinity");
    run->threads = options->threads ? options->threads : auto_threads(cpulist_count(&run->cpus));
    allocate_launches(run, cpulist_count(&run->cpus));
    if (run->threads > run->capacity)
        run->threads = (unsigned)run->capacity;
    check_tag(run);
    if (options->has_groups) {
        group_check(options->groups);
        draw(run);
    }
    for (unsigned i = 0; i < options->action_count; i++)
        if (options->actions[i]->prepare)
            options->actions[i]->prepare();
}

void run_free(struct run *run)
{
    free(run->thread_cpus);
    munmap(run->launches, run->capacity * sizeof(*run->launches));
}
