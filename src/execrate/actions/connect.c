#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../action.h"

/* UDP: connect() alone sends nothing, and nobody needs to listen. */
#define DISCARD_PORT 9

static int run(const struct action_request *request)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(DISCARD_PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int error;

    (void)request;
    if (fd < 0)
        return errno;
    error = connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ? errno : 0;
    close(fd);
    return error;
}

static const struct action action = {
    .name = "connect",
    .summary = "connect() a UDP socket to port 9 of 127.0.0.1; nothing is sent",
    .run = run,
};

ACTION_REGISTER(action);
