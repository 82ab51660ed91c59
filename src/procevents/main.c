/* procevents: switches on or off what the process connector tells a process that listens to it. */
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../common/number.h"
#include "options.h"

static bool socket_option_is(int fd, int option, int expected)
{
    int value;
    socklen_t size = sizeof(value);

    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 && value == expected;
}

static bool is_connector(int fd)
{
    return socket_option_is(fd, SO_DOMAIN, AF_NETLINK) &&
           socket_option_is(fd, SO_PROTOCOL, NETLINK_CONNECTOR);
}

/* The kernel looks at the socket that the message came through, whoever sent it. */
static void ask_through(int fd, enum proc_cn_mcast_op op)
{
    struct cn_msg message = {.id = {.idx = CN_IDX_PROC, .val = CN_VAL_PROC}, .len = sizeof(op)};
    struct nlmsghdr header = {.nlmsg_len = sizeof(header) + sizeof(message) + sizeof(op),
                              .nlmsg_type = NLMSG_DONE};
    const struct iovec parts[] = {
        {&header, sizeof(header)},
        {&message, sizeof(message)},
        {&op, sizeof(op)},
    };

    if (writev(fd, parts, sizeof(parts) / sizeof(*parts)) != (ssize_t)header.nlmsg_len)
        err(EXIT_FAILURE, "cannot send to the process connector");
}

/* How many sockets of it were used. */
static unsigned ask_for(pid_t pid, enum proc_cn_mcast_op op)
{
    const struct dirent *entry;
    unsigned found = 0;
    char path[32];
    DIR *folder;
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);

    if (pidfd < 0)
        err(EXIT_FAILURE, "process %d", pid);
    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    folder = opendir(path);
    if (!folder)
        err(EXIT_FAILURE, "cannot list '%s'", path);
    while ((entry = readdir(folder)) != NULL) {
        uint64_t number;
        int fd;

        if (!number_parse(entry->d_name, 0, INT32_MAX, &number))
            continue;
        fd = (int)syscall(SYS_pidfd_getfd, pidfd, (int)number, 0);
        /* It has been closed meanwhile. */
        if (fd < 0 && errno == EBADF)
            continue;
        if (fd < 0)
            err(EXIT_FAILURE, "cannot reach descriptor %d of process %d", (int)number, pid);
        if (is_connector(fd)) {
            ask_through(fd, op);
            found++;
        }
        close(fd);
    }
    closedir(folder);
    close(pidfd);
    return found;
}

int main(int argc, char **argv)
{
    struct options options;

    options_parse(&options, argc, argv);
    if (!ask_for(options.pid, options.on ? PROC_CN_MCAST_LISTEN : PROC_CN_MCAST_IGNORE))
        errx(EXIT_FAILURE, "process %d has no socket of the process connector", options.pid);
    return EXIT_SUCCESS;
}
