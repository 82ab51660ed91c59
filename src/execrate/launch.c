#include "launch.h"

#include <err.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/group.h"
#include "environment.h"

#define STACK_SIZE 65536UL

/*
 * Follows the tag. The true of coreutils, given one argument alone, sets its locale up to be able to answer
 * --help: with LANG=C.UTF-8 that makes 110 system calls of 31, and half as much again of CPU time. With two
 * it does not.
 */
static char second_argument[] = "exectax";

int launcher_init(struct launcher *launcher, const struct launch_setup *setup)
{
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_POPULATE, -1, 0);

    if (stack == MAP_FAILED)
        return -1;
    memset(launcher, 0, sizeof(*launcher));
    launcher->setup = setup;
    launcher->stack_top = stack + STACK_SIZE;
    launcher->argv[0] = (char *)setup->command;
    return 0;
}

/*
 * The child begins with the name of the thread that made it. Some monitors take the name from there and don't
 * look at it again, so it is set before the child is made. What executes must not look like another launch.
 */
static void name_thread(const struct launcher *launcher)
{
    if (!launcher->action->executes)
        prctl(PR_SET_NAME, launcher->tag);
    else if (launcher->setup->action_count > 1)
        prctl(PR_SET_NAME, program_invocation_short_name);
}

/* Always, so that both groups' launches have the same past. */
static void join_group(gid_t gid)
{
    if (group_take(gid) < 0)
        err(EXIT_FAILURE, "cannot take group %u", gid);
}

void launcher_prepare(struct launcher *launcher, struct launch *launch, uint64_t seq)
{
    launcher->launch = launch;
    launcher->seq = seq;
    launcher->action = launcher->setup->actions[seq % launcher->setup->action_count];
    if (launcher->setup->tag) {
        snprintf(launcher->tag, sizeof(launcher->tag), "%s-%llu", launcher->setup->tag,
                 (unsigned long long)seq);
        launcher->argv[1] = launcher->tag;
        launcher->argv[2] = second_argument;
        name_thread(launcher);
    }
    if (launcher->setup->has_groups)
        join_group(launcher->setup->groups[launch->group]);
}

/*
 * Runs in the memory of the launching thread, which is suspended until execve() or _exit(). There are no
 * signal handlers to reset: execrate installs none.
 */
static int child(void *arg)
{
    const struct launcher *launcher = arg;
    const struct launch_setup *setup = launcher->setup;
    const struct action_request request = {.command = setup->command,
                                           .argv = launcher->argv,
                                           .environment = environment,
                                           .tag = setup->tag ? launcher->tag : NULL};

    /* The kernel wrote the pid before this process could run, so no reaper can meet a pid that isn't listed.
     */
    pidtable_set(setup->pids, launcher->launch->pid, launcher->seq);
    sigprocmask(SIG_SETMASK, &setup->signal_mask, NULL);
    prctl(PR_SET_TIMERSLACK, setup->timer_slack_ns);
    launcher->launch->error = launcher->action->run(&request);
    _exit(launcher->launch->error ? 127 : 0);
}

static void clone_child(struct launcher *launcher)
{
    struct launch *launch = launcher->launch;

    launch->start_ns = now_ns();
    if (clone(child, launcher->stack_top, CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD, launcher,
              &launch->pid) < 0) {
        launch->error = errno;
        launch->pid = 0;
    }
}

/*
 * Left to the scheduler, threads stay where they are, but gather on a CPU while it is slower than the others.
 * Where a monitor makes the scheduler run what is launched on another CPU than it is launched from, unwatched
 * launches would pay for the slow one, and watched ones would not (docs/accuracy.md). Bound for a moment
 * only: what is launched may run wherever execrate may.
 */
static void be_on_own_cpu(const struct launcher *launcher)
{
    if (sched_getcpu() == (int)launcher->cpu)
        return;
    if (cpulist_bind(launcher->cpu) < 0 || cpulist_set_affinity(&launcher->setup->cpus) < 0)
        err(EXIT_FAILURE, "cannot move to CPU %u", launcher->cpu);
}

/* Reading the thread's CPU time is a system call, so only where it is asked for. */
void launcher_start(struct launcher *launcher)
{
    int64_t before_ns;

    if (!launcher->setup->has_groups) {
        clone_child(launcher);
        return;
    }
    be_on_own_cpu(launcher);
    launcher->launch->cpu = (uint16_t)sched_getcpu();
    before_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    clone_child(launcher);
    launcher->launch->launcher_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns;
}
