#include "reaper.h"

#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/clock.h"
#include "rusage.h"

#define SENTINEL_STACK_SIZE 16384

static pid_t wait_for_end(idtype_t type, pid_t pid)
{
    siginfo_t ended;
    int result;

    do
        result = waitid(type, (id_t)pid, &ended, WEXITED | WNOWAIT);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        err(EXIT_FAILURE, "cannot wait for process %d", (int)pid);
    return ended.si_pid;
}

/* Of one that has ended: it does not block. */
static void reap(pid_t pid, int *status, struct rusage *usage)
{
    if (wait4(pid, status, 0, usage) < 0)
        err(EXIT_FAILURE, "cannot reap process %d", (int)pid);
}

static void record_exit(struct launch *launch, int status, const struct rusage *usage)
{
    launch->reaped_ns = now_ns();
    launch->cpu_usec = rusage_cpu_usec(usage);
    launch->minor_faults = usage->ru_minflt;
    launch->voluntary_switches = usage->ru_nvcsw;
    launch->involuntary_switches = usage->ru_nivcsw;
    launch->wait_status = status;
}

void reap_own(struct launch *launch, struct pidtable *pids)
{
    struct rusage usage;
    uint64_t seq;
    int status;

    wait_for_end(P_PID, launch->pid);
    pidtable_take(pids, launch->pid, &seq);
    reap(launch->pid, &status, &usage);
    record_exit(launch, status, &usage);
}

static void *reaper_main(void *arg)
{
    struct reaper *reaper = arg;
    uint64_t reaped = 0;
    bool sentinel_ended = false;

    /* A child may be reaped before it is counted, but all are counted when the workers have ended. */
    while (!sentinel_ended || atomic_load(&reaper->workers) || reaped != atomic_load(&reaper->children)) {
        struct rusage usage;
        uint64_t seq;
        int status;
        pid_t pid = reaper->workers_reap ? wait_for_end(P_PID, reaper->sentinel) : wait_for_end(P_ALL, 0);
        /* Before it is reaped: its pid can be another child's as soon as it is. */
        bool launched = pidtable_take(reaper->pids, pid, &seq);

        reap(pid, &status, &usage);
        if (pid == reaper->sentinel) {
            sentinel_ended = true;
        } else if (launched) {
            record_exit(&reaper->launches[seq], status, &usage);
            reaped++;
        }
        /* Others were children of this process before it became execrate. */
    }
    atomic_store(&reaper->finished, true);
    pthread_kill(reaper->waker, REAPER_FINISHED);
    return NULL;
}

/* It shares execrate's memory, so that its presence makes no page copy-on-write. All signals are blocked. */
static int sentinel_main(void *arg)
{
    (void)arg;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Not pause(), a cancellation point: it would write to the main thread's state, which is shared too. */
    for (;;)
        syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
    return 0;
}

int reaper_start(struct reaper *reaper)
{
    reaper->sentinel_stack = mmap(NULL, SENTINEL_STACK_SIZE, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (reaper->sentinel_stack == MAP_FAILED)
        return errno;
    reaper->sentinel =
        clone(sentinel_main, (char *)reaper->sentinel_stack + SENTINEL_STACK_SIZE, CLONE_VM | SIGCHLD, NULL);
    if (reaper->sentinel < 0)
        return errno;
    return pthread_create(&reaper->thread, NULL, reaper_main, reaper);
}

void reaper_join(struct reaper *reaper)
{
    pthread_join(reaper->thread, NULL);
    munmap(reaper->sentinel_stack, SENTINEL_STACK_SIZE);
}

void reaper_child(struct reaper *reaper)
{
    atomic_fetch_add(&reaper->children, 1);
}

void reaper_worker_ended(struct reaper *reaper)
{
    if (atomic_fetch_sub(&reaper->workers, 1) == 1)
        kill(reaper->sentinel, SIGKILL);
}

bool reaper_has_finished(const struct reaper *reaper)
{
    return atomic_load(&reaper->finished);
}
