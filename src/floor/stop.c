#include "stop.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>

int stop_open(void)
{
    sigset_t stopping, blocked;
    int fd;

    sigemptyset(&stopping);
    sigaddset(&stopping, SIGTERM);
    sigaddset(&stopping, SIGINT);
    sigaddset(&stopping, SIGHUP);
    /* An output that nobody reads is an error of write(), so that the program still ends in good order. */
    blocked = stopping;
    sigaddset(&blocked, SIGPIPE);
    if (sigprocmask(SIG_BLOCK, &blocked, NULL) != 0)
        err(EXIT_FAILURE, "cannot block signals");
    fd = signalfd(-1, &stopping, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        err(EXIT_FAILURE, "cannot get signals through a file descriptor");
    return fd;
}
