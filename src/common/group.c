#include "group.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "usage.h"

int group_take(gid_t group)
{
    return (int)syscall(SYS_setresgid, group, group, (gid_t)-1);
}

/* In a process of its own: taking a group forgets which signal a parent's death sends. Returns an errno, or
 * 0. */
static int try_to_take(gid_t group)
{
    const gid_t own = getegid();
    int status;
    pid_t pid = fork();

    if (pid < 0)
        err(EXIT_FAILURE, "cannot create a process");
    if (pid == 0)
        _exit(group_take(group) < 0 || group_take(own) < 0 ? errno : 0);
    if (waitpid(pid, &status, 0) < 0)
        err(EXIT_FAILURE, "cannot wait for a process");
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

void group_check(const gid_t groups[2])
{
    for (int i = 0; i < 2; i++) {
        errno = try_to_take(groups[i]);
        if (errno)
            err(EXIT_USAGE, "--groups '%u,%u': cannot take group %u, expected to run as root", groups[0],
                groups[1], groups[i]);
    }
}
