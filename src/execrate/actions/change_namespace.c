#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "../action.h"

/* Into the UTS namespace that the child is in already: watched as any other, and without effect. */
static int run(const struct action_request *request)
{
    int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
    int error;

    (void)request;
    if (fd < 0)
        return errno;
    error = setns(fd, CLONE_NEWUTS) < 0 ? errno : 0;
    close(fd);
    return error;
}

static const struct action action = {
    .name = "change-namespace",
    .summary = "setns() to the UTS namespace that the process is in already",
    .run = run,
};

ACTION_REGISTER(action);
