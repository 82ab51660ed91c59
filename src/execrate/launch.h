/* One launch: its record, and the cheapest way to start it. */
#ifndef EXECRATE_LAUNCH_H
#define EXECRATE_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/cpulist.h"
#include "../common/tag.h"
#include "action.h"
#include "pidtable.h"

struct launch {
    int64_t start_ns;  /* CLOCK_MONOTONIC, just before clone(); 0: never started */
    int64_t reaped_ns; /* CLOCK_MONOTONIC, wait4() has returned; 0: no child */
    int64_t cpu_usec;  /* the child's user and system time */
    /* With groups only: the thread's own CPU time in clone(), while it was not suspended. */
    int64_t launcher_cpu_ns;
    int64_t minor_faults;
    int64_t voluntary_switches, involuntary_switches;
    pid_t pid;
    int error;       /* errno of clone() or of the action; 0: it was done, of exec: the command runs */
    int wait_status; /* as wait4() gave it */
    /* With groups only. */
    uint16_t group; /* index into the setup's groups */
    uint16_t cpu;   /* that the thread was on just before clone() */
};

/* What every launch of a run has in common. */
struct launch_setup {
    const struct action *const *actions; /* taken in turn, by sequence */
    unsigned action_count;
    const char *command;
    const char *tag;              /* NULL: no arguments, and the process keeps its name */
    sigset_t signal_mask;         /* the child's, as execrate was given it */
    unsigned long timer_slack_ns; /* likewise */
    bool has_groups;
    gid_t groups[2];
    struct cpulist cpus; /* that execrate may run on */
    struct pidtable *pids;
};

/* What a thread needs to start processes, one after the other. */
struct launcher {
    const struct launch_setup *setup;
    unsigned cpu;          /* that it launches from, with groups */
    struct launch *launch; /* the current one */
    const struct action *action;
    uint64_t seq;
    char *stack_top;
    char *argv[4];
    char tag[TAG_MAX + 24];
};

/* 0, or -1 with errno. */
int launcher_init(struct launcher *launcher, const struct launch_setup *setup);

/* Makes launch seq ready, so that as little as possible is left to do when it is due. Ends the program if the
 * thread can't become a member of the launch's group. */
void launcher_prepare(struct launcher *launcher, struct launch *launch, uint64_t seq);

/*
 * Starts the prepared launch and comes back when its action is done (of exec: when the command runs), or has
 * failed (launch->error). There is a child to reap if launch->pid is not 0. All signals must be blocked. Ends
 * the program if the thread can't move to its CPU.
 */
void launcher_start(struct launcher *launcher);

#endif
