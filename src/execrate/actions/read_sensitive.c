#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../action.h"

static int run(const struct action_request *request)
{
    int fd = open("/etc/shadow", O_RDONLY | O_CLOEXEC);

    (void)request;
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

static const struct action action = {
    .name = "read-sensitive",
    .summary = "open /etc/shadow for reading",
    .run = run,
};

ACTION_REGISTER(action);
