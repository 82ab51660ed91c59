/* watcher: puts the host back if the harness was killed. */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/clock.h"
#include "cgroup.h"
#include "command.h"
#include "daemon.h"
#include "options.h"
#include "report.h"
#include "stopped.h"

#define KILL_NS_MAX (30 * NS_PER_SEC)
#define INSTALL_LOOK_MS 100
/* It runs beside what is measured, and takes less than 0.1 ms for a look. */
#define STOPPED_LOOK_MAX_S 5

static int open_pidfd(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);

    if (fd < 0)
        err(EXIT_FAILURE, "cannot watch process %d", pid);
    return fd;
}

/* Readable once SIGTERM came, which has to be blocked. */
static int open_term(void)
{
    sigset_t term;
    int fd;

    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    fd = signalfd(-1, &term, SFD_CLOEXEC);
    if (fd < 0)
        err(EXIT_FAILURE, "cannot open a descriptor for SIGTERM");
    return fd;
}

static void leave(const struct options *options, int status)
{
    daemon_leave_cgroups(&options->own);
    exit(status);
}

/* Waits until fd is readable, but not longer than max_ms: true then. SIGTERM ends the program. */
static bool wait_for(int fd, int term_fd, int max_ms, const struct options *options)
{
    struct pollfd polled[] = {{.fd = term_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    int count;

    do
        count = poll(polled, 2, max_ms);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        report_errno("cannot wait for process %d", options->pid);
    if (count < 0 || polled[0].revents)
        leave(options, count < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    return polled[1].revents != 0;
}

/* One that can't be looked at may have something in it. */
static bool journal_is_empty(const char *path)
{
    struct stat journal;

    return stat(path, &journal) == 0 ? journal.st_size == 0 : errno == ENOENT;
}

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A look that finds it stopped counts for the time between two looks, whatever the clocks say: a machine that
 * was suspended, or on which this got no CPU, has given nobody the time to go on. */
static void wait_for_end(const struct options *options, int pidfd, int term_fd)
{
    const unsigned look_s =
        min(STOPPED_LOOK_MAX_S, min(options->stopped_warning_s, options->stopped_limit_s));
    const int stat_fd = stopped_open(options->pid);
    unsigned stopped_s = 0;

    while (!wait_for(pidfd, term_fd, (int)look_s * 1000, options)) {
        const unsigned before_s = stopped_s;

        stopped_s = stopped_is(stat_fd) ? before_s + look_s : 0;
        if (before_s < options->stopped_warning_s && stopped_s >= options->stopped_warning_s)
            stopped_tell(pidfd, options);
        if (stopped_s >= options->stopped_limit_s && !journal_is_empty(options->journal_path))
            stopped_kill(pidfd, options);
    }
    close(stat_fd);
}

static void wait_for_installation(const struct options *options, int term_fd)
{
    const int64_t deadline_ns = now_ns() + options->install_wait_ns;

    cgroups_continue(&options->install);
    while (!cgroups_are_empty(&options->install)) {
        if (now_ns() > deadline_ns) {
            report("an installation has not ended after %lld s; it is not waited for any longer",
                   (long long)(options->install_wait_ns / NS_PER_SEC));
            return;
        }
        /* No descriptor to wait for: poll() leaves out a negative one. */
        wait_for(-1, term_fd, INSTALL_LOOK_MS, options);
        if (journal_is_empty(options->journal_path)) {
            report("somebody else has put the host back");
            leave(options, EXIT_SUCCESS);
        }
    }
}

int main(int argc, char **argv)
{
    struct options options;
    int pidfd, term_fd;
    bool restored;

    daemon_close_inherited();
    options_parse(&options, argc, argv);
    pidfd = open_pidfd(options.pid);
    daemon_start(&options);
    term_fd = open_term();

    wait_for_end(&options, pidfd, term_fd);
    if (journal_is_empty(options.journal_path))
        leave(&options, EXIT_SUCCESS);
    report("process %d has ended without putting the host back", options.pid);
    wait_for_installation(&options, term_fd);
    cgroups_kill(&options.harness, now_ns() + KILL_NS_MAX);
    restored = command_run(options.command);
    report(restored ? "'%s' has put the host back" : "'%s' has not put the host back", options.command[0]);
    leave(&options, restored ? EXIT_SUCCESS : EXIT_FAILURE);
}
