#include "command.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon.h"
#include "report.h"

#define RETRIES_MAX 3
#define RETRY_PAUSE_MS 1000

static bool run_once(char **command)
{
    const pid_t child = fork();
    int status;

    if (child < 0) {
        report_errno("cannot fork for '%s'", command[0]);
        return false;
    }
    if (child == 0) {
        daemon_reset_child();
        execvp(command[0], command);
        report_errno("cannot execute '%s'", command[0]);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            report_errno("cannot wait for '%s', process %d", command[0], child);
            return false;
        }
    }
    if (WIFSIGNALED(status))
        report("'%s' was ended by signal %d (%s)", command[0], WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        report("'%s' failed with exit status %d", command[0], WEXITSTATUS(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool command_run(char **command)
{
    for (int retry = 0; retry <= RETRIES_MAX; retry++) {
        if (retry > 0)
            poll(NULL, 0, RETRY_PAUSE_MS);
        if (run_once(command))
            return true;
    }
    return false;
}
