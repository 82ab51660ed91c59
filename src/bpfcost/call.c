#include "call.h"

#include <err.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/clock.h"

static int64_t thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int64_t from_timeval(const struct timeval *time)
{
    return (int64_t)time->tv_sec * NS_PER_SEC + (int64_t)time->tv_usec * NS_PER_USEC;
}

static int64_t thread_and_children_cpu_ns(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
        err(EXIT_FAILURE, "cannot read the CPU time of children");
    return thread_cpu_ns() + from_timeval(&usage.ru_utime) + from_timeval(&usage.ru_stime);
}

static void make_getppid(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        syscall(SYS_getppid);
}

static void make_getpgid(uint64_t count)
{
    const pid_t self = getpid();

    for (uint64_t i = 0; i < count; i++)
        syscall(SYS_getpgid, self);
}

static void make_wait(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        syscall(SYS_wait4, -1, NULL, WNOHANG, NULL);
}

/* Not by the clock: what an interrupt took would be left out. */
static void compute(void)
{
    for (volatile unsigned i = 0; i < 20000; i++)
        ;
}

static void make_wait_rarely(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        make_wait(1);
        compute();
    }
}

/* NULL: a child that executes nothing. */
static pid_t start_child(const char *program)
{
    char *const argv[] = {"true", NULL};
    char *const environment[] = {NULL};
    const pid_t child = vfork();

    if (child != 0)
        return child;
    if (!program)
        _exit(0);
    execve(program, argv, environment);
    _exit(127);
}

static void make_children(uint64_t count, const char *program)
{
    for (uint64_t i = 0; i < count; i++) {
        const pid_t child = start_child(program);
        int status;

        if (child < 0)
            err(EXIT_FAILURE, "cannot start a child");
        if (waitpid(child, &status, 0) != child)
            err(EXIT_FAILURE, "cannot wait for a child");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            errx(EXIT_FAILURE, "cannot execute %s: the child's status is %#x", program ? program : "nothing",
                 (unsigned)status);
    }
}

static void make_fork(uint64_t count)
{
    make_children(count, NULL);
}

static void make_exec(uint64_t count)
{
    make_children(count, "/bin/true");
}

const struct call call_getppid = {"getppid", 200, make_getppid, thread_cpu_ns};
const struct call call_getpgid = {"getpgid", 200, make_getpgid, thread_cpu_ns};
const struct call call_wait = {"wait", 200, make_wait, thread_cpu_ns};
const struct call call_wait_rarely = {"wait-rarely", 10, make_wait_rarely, thread_cpu_ns};
const struct call call_fork = {"fork", 16, make_fork, thread_and_children_cpu_ns};
const struct call call_exec = {"exec", 4, make_exec, thread_and_children_cpu_ns};
