#include "stopped.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/pids.h"
#include "../common/textfile.h"
#include "report.h"

int stopped_open(pid_t pid)
{
    char folder[32];
    int fd;

    snprintf(folder, sizeof(folder), "/proc/%d", pid);
    fd = textfile_open(folder, "stat");
    if (fd < 0)
        report_errno("cannot read %s/stat, so nobody looks whether process %d is stopped", folder, pid);
    return fd;
}

bool stopped_is(int stat_fd)
{
    const char *stat = stat_fd < 0 ? NULL : textfile_read(stat_fd);

    return stat && pids_stat_is_stopped(stat);
}

/* Not if that would have to be waited for: a terminal can be stopped as well, and a pipe be full. */
static void write_at_once(int fd, const char *text, int length)
{
    struct pollfd polled = {.fd = fd, .events = POLLOUT};

    if (poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT) && write(fd, text, (size_t)length) < 0)
        report_errno("cannot say on its stderr that it is stopped");
}

/* Older kernels, and those who may not trace the process, have to do with the log. */
static int open_stderr_of(int pidfd)
{
    return (int)syscall(SYS_pidfd_getfd, pidfd, STDERR_FILENO, 0);
}

void stopped_tell(int pidfd, const struct options *options)
{
    const int fd = open_stderr_of(pidfd);
    char text[256];
    int length;

    report("process %d has been stopped for %u s", options->pid, options->stopped_warning_s);
    if (fd < 0)
        return;
    length = snprintf(text, sizeof(text),
                      "exectax: stopped for %u s while the host is changed; `fg` or `kill -CONT %d` goes on. "
                      "Stopped for %u s, it is killed, and the host is put back.\n",
                      options->stopped_warning_s, options->pid, options->stopped_limit_s);
    write_at_once(fd, text, length);
    close(fd);
}

void stopped_kill(int pidfd, const struct options *options)
{
    report("process %d has been stopped for %u s: killing it", options->pid, options->stopped_limit_s);
    if (syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) < 0)
        report_errno("cannot kill process %d", options->pid);
}
