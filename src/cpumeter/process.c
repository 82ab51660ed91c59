#include "process.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/clock.h"

bool process_open(struct process *process, const char *name, pid_t pid)
{
    int error;

    *process = (struct process){.name = name, .pid = pid};
    process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process->pidfd < 0)
        return false;
    error = clock_getcpuclockid(pid, &process->clock);
    if (error != 0) {
        close(process->pidfd);
        errno = error;
        return false;
    }
    return true;
}

/* Unlike its number, a pidfd can't come to mean another process. */
static bool exists(const struct process *process)
{
    if (syscall(SYS_pidfd_send_signal, process->pidfd, 0, NULL, 0) == 0 || errno == EPERM)
        return true;
    if (errno != ESRCH)
        err(EXIT_FAILURE, "cannot tell whether process %d still exists", process->pid);
    return false;
}

bool process_update(struct process *process)
{
    struct timespec cpu;
    bool known;

    if (process->gone)
        return false;
    /* In this order: if the process exists after the clock was read, it was its clock. */
    known = clock_gettime(process->clock, &cpu) == 0;
    if (!known && errno != EINVAL && errno != ESRCH)
        err(EXIT_FAILURE, "cannot read the CPU clock of process %d", process->pid);
    process->gone = !known || !exists(process);
    if (process->gone)
        return false;
    return counter_update(&process->counter, (uint64_t)from_timespec(&cpu));
}

void process_read(struct process *process, struct rows *rows)
{
    bool reset = process_update(process);

    rows_add_cpu(rows, "pid", process->name, counter_value(&process->counter),
                 process->gone ? STATUS_GONE : (reset ? STATUS_RESET : STATUS_OK));
}
