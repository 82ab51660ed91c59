#include "calls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Raw: what a C library might remember would cost nothing. */
static bool run_getppid(int fd, unsigned count)
{
    (void)fd;
    for (unsigned i = 0; i < count; i++)
        if (syscall(SYS_getppid) < 0)
            return false;
    return true;
}

static int open_zero(void)
{
    return open("/dev/zero", O_RDONLY | O_CLOEXEC);
}

/* From /dev/zero: it never runs empty, so that no write is needed in between as for a pipe, and it belongs to
 * no file system. */
static bool run_read(int fd, unsigned count)
{
    char byte;

    errno = ENODATA;
    for (unsigned i = 0; i < count; i++)
        if (read(fd, &byte, 1) != 1)
            return false;
    return true;
}

/* Of /dev/null: what "/" costs depends on the file system that it is of, overlayfs in a container for one. */
static bool run_open_close(int fd, unsigned count)
{
    (void)fd;
    for (unsigned i = 0; i < count; i++) {
        int opened = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);

        if (opened < 0 || close(opened) < 0)
            return false;
    }
    return true;
}

static int open_udp_socket(void)
{
    return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* UDP: connect() sends nothing, nobody needs to listen, and the socket may be connected again as often as one
 * likes. TCP would take a port for each call and measure the loopback's packets. */
static bool run_connect(int fd, unsigned count)
{
    const struct sockaddr_in discard = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    for (unsigned i = 0; i < count; i++)
        if (connect(fd, (const struct sockaddr *)&discard, sizeof(discard)) < 0)
            return false;
    return true;
}

const struct call calls[] = {
    {.name = "getppid", .attempt = "get the parent's process ID", .batch = 2000, .run = run_getppid},
    {.name = "read",
     .attempt = "read a byte of /dev/zero",
     .batch = 1000,
     .open = open_zero,
     .run = run_read},
    {.name = "connect",
     .attempt = "connect a UDP socket to 127.0.0.1",
     .batch = 500,
     .open = open_udp_socket,
     .run = run_connect},
    {.name = "open-close", .attempt = "open and close /dev/null", .batch = 200, .run = run_open_close},
    {0},
};

const struct call *call_find(const char *name, unsigned long length)
{
    for (const struct call *call = calls; call->name; call++)
        if (strlen(call->name) == length && memcmp(call->name, name, length) == 0)
            return call;
    return NULL;
}
