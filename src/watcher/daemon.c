#include "daemon.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/pids.h"
#include "../common/textfile.h"

static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ};

#define IGNORED_COUNT (sizeof(ignored) / sizeof(*ignored))

static char oom_score_adj_before[16]; /* empty: it was not changed */

void daemon_close_inherited(void)
{
    int fd;

    /* None of the first three may be free: a file opened later would get its number. */
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd < 0)
        err(EXIT_FAILURE, "cannot open /dev/null");
    if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
        err(EXIT_FAILURE, "cannot close the inherited descriptors");
}

static bool enter_cgroup(const char *folder, pid_t pid)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", pid);
    return textfile_write(folder, "cgroup.procs", text);
}

/* Made here, for whoever starts this may be killed before it could remove the folder again. */
static void enter_own_cgroup(const char *folder)
{
    const bool is_new = mkdir(folder, 0755) == 0;

    if (enter_cgroup(folder, getpid()))
        return;
    warn("cannot go into cgroup '%s'", folder);
    if (is_new)
        rmdir(folder);
    exit(EXIT_FAILURE);
}

static void set_signals(void)
{
    sigset_t term;

    for (size_t i = 0; i < IGNORED_COUNT; i++)
        signal(ignored[i], SIG_IGN);
    /* The caller may have it ignored, and then there would be no child to wait for. */
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    if (sigprocmask(SIG_SETMASK, &term, NULL) < 0)
        err(EXIT_FAILURE, "cannot block SIGTERM");
}

static void spare_from_oom_killer(void)
{
    const char *before = textfile_read_once("/proc/self", "oom_score_adj");

    if (before && strlen(before) < sizeof(oom_score_adj_before) &&
        textfile_write("/proc/self", "oom_score_adj", "-1000"))
        strcpy(oom_score_adj_before, before);
}

/* stderr last: what fails before is told to the caller. */
static void set_streams(const char *log_path)
{
    int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (log < 0)
        err(EXIT_USAGE, "--log '%s': cannot open it for appending", log_path);
    if (null < 0)
        err(EXIT_FAILURE, "cannot open /dev/null");
    if (dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        err(EXIT_FAILURE, "cannot replace the standard streams");
    close(null);
    close(log);
}

static void become_daemon(const struct options *options)
{
    if (setsid() < 0)
        err(EXIT_FAILURE, "cannot begin a session");
    set_signals();
    if (chdir("/") < 0)
        err(EXIT_FAILURE, "cannot go to /");
    for (size_t i = 0; i < options->own.count; i++)
        enter_own_cgroup(options->own.list[i]);
    spare_from_oom_killer();
    set_streams(options->log_path);
}

/* A byte says that the daemon is ready; the end of the pipe, that it ended before. */
static _Noreturn void wait_in_foreground(pid_t daemon, int ready)
{
    ssize_t got;
    int status;
    char byte;

    do
        got = read(ready, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        err(EXIT_FAILURE, "cannot wait for the daemon");
    if (got > 0) {
        printf("%d\n", daemon);
        if (fflush(stdout) != 0)
            err(EXIT_FAILURE, "cannot write the daemon's process id");
        exit(EXIT_SUCCESS);
    }
    while (waitpid(daemon, &status, 0) < 0)
        if (errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for the daemon");
    if (WIFSIGNALED(status))
        errx(EXIT_FAILURE, "the daemon was ended by signal %d", WTERMSIG(status));
    /* It has said why. */
    exit(WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : EXIT_FAILURE);
}

void daemon_start(const struct options *options)
{
    int ready[2];
    pid_t child;

    if (pipe2(ready, O_CLOEXEC) < 0)
        err(EXIT_FAILURE, "cannot create a pipe");
    child = fork();
    if (child < 0)
        err(EXIT_FAILURE, "cannot fork");
    if (child > 0) {
        close(ready[1]);
        wait_in_foreground(child, ready[0]);
    }
    close(ready[0]);
    become_daemon(options);
    if (write(ready[1], "", 1) != 1)
        err(EXIT_FAILURE, "cannot tell the foreground part that the daemon is ready");
    close(ready[1]);
}

void daemon_reset_child(void)
{
    sigset_t none;

    /* A shell can't trap what was ignored when it began. */
    for (size_t i = 0; i < IGNORED_COUNT; i++)
        signal(ignored[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (oom_score_adj_before[0] != '\0')
        textfile_write("/proc/self", "oom_score_adj", oom_score_adj_before);
}

/* Services that COMMAND started again are in there, too. */
static void leave_cgroup(const char *folder)
{
    struct pids pids = {0};
    char *copy = strdup(folder);

    if (copy && pids_read(&pids, folder)) {
        const char *parent = dirname(copy);

        for (size_t i = 0; i < pids.count; i++)
            enter_cgroup(parent, pids.list[i]);
        rmdir(folder);
    }
    pids_free(&pids);
    free(copy);
}

void daemon_leave_cgroups(const struct paths *own)
{
    for (size_t i = 0; i < own->count; i++)
        leave_cgroup(own->list[i]);
}
