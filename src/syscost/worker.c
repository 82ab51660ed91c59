#include "worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/blocks.h"
#include "../common/clock.h"
#include "../common/group.h"

/* Of so many slices of a CPU, one after the other, as many are in one group as in the other. */
#define BLOCK_SLICES 4

/* Nothing of this outlives who has started it, whatever ends that. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}

/* Of this process: what a worker needs beyond what it was given. */
struct own {
    struct worker *worker;
    const struct options *options;
    struct shared *shared;
    pid_t parent;
    gid_t group;
    struct blocks blocks;
    struct prng prng;
    int fds[CALLS_MAX];
    struct batches batches;
};

static void pin(const struct own *own)
{
    if (cpulist_bind(own->worker->cpu) < 0) {
        shared_fail(own->shared, "cannot run on CPU %u", own->worker->cpu);
        _exit(EXIT_FAILURE);
    }
}

static void open_files(struct own *own)
{
    for (unsigned i = 0; i < own->options->call_count; i++) {
        const struct call *call = own->options->calls[i];

        own->fds[i] = call->open ? call->open() : -1;
        if (call->open && own->fds[i] < 0) {
            shared_fail(own->shared, "cannot %s", call->attempt);
            _exit(EXIT_FAILURE);
        }
    }
}

static void take_group(const struct own *own, gid_t group)
{
    if (!own->options->has_groups)
        return;
    if (group_take(group) < 0) {
        shared_fail(own->shared, "cannot take group %u", group);
        _exit(EXIT_FAILURE);
    }
    /* Another group ID, and the kernel forgets the signal. */
    die_with(own->parent);
}

static _Noreturn void slice_main(const struct own *own, pid_t parent, struct prng prng, struct slice *slice)
{
    const struct call *failed;

    die_with(parent);
    failed = slice_measure(&own->batches, prng, slice);
    if (failed)
        shared_fail(own->shared, "cannot %s", failed->attempt);
    _exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

static void wait_for_slice(const struct own *own, pid_t pid)
{
    int status;

    if (waitpid(pid, &status, 0) < 0)
        shared_fail(own->shared, "cannot wait for a slice");
    else if (WIFSIGNALED(status))
        shared_failx(own->shared, "a slice on CPU %u was ended by SIG%s", own->worker->cpu,
                     sigabbrev_np(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == EXIT_SUCCESS)
        return;
    else
        shared_failx(own->shared, "a slice on CPU %u ended without a result", own->worker->cpu);
    _exit(EXIT_FAILURE);
}

/* The group is taken by the worker, before the fork: the kernel looks at it there, and decides then whether a
 * process is audited. Back in between, so that all slices come from the same. */
static void one_slice(struct own *own)
{
    struct worker *worker = own->worker;
    struct slice *slice = &worker->slices[worker->count];
    const struct prng prng = {prng_next(&own->prng)};
    const pid_t self = getpid();
    pid_t pid;

    slice->group = own->options->has_groups ? blocks_next(&own->blocks) : 0;
    take_group(own, own->options->groups[slice->group]);
    pid = fork();
    if (pid < 0) {
        shared_fail(own->shared, "cannot create a process");
        _exit(EXIT_FAILURE);
    }
    if (pid == 0)
        slice_main(own, self, prng, slice);
    take_group(own, own->group);
    wait_for_slice(own, pid);
    worker->count++;
}

void worker_main(struct worker *worker, const struct options *options, struct shared *shared, int64_t stop_ns,
                 pid_t parent)
{
    struct own own = {.worker = worker,
                      .options = options,
                      .shared = shared,
                      .parent = parent,
                      .group = getegid(),
                      .batches = {.calls = options->calls,
                                  .fds = own.fds,
                                  .call_count = options->call_count,
                                  .slice_ns = options->slice_ns,
                                  .stop = &shared->stop}};

    die_with(parent);
    pin(&own);
    open_files(&own);
    prng_init(&own.prng, worker->seed);
    blocks_init(&own.blocks, prng_next(&own.prng), BLOCK_SLICES);
    while (worker->count < worker->capacity && now_ns() < stop_ns && !atomic_load(&shared->stop))
        one_slice(&own);
    _exit(EXIT_SUCCESS);
}
