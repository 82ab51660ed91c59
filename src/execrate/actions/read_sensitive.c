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

const struct action action_read_sensitive = {
    .name = "read-sensitive",
    .run = run,
};
