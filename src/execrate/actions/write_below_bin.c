#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../action.h"

#define BINARIES "/usr/sbin"

/*
 * The files appear in a tmpfs over the binaries, in a mount namespace of execrate's own: nobody else sees it,
 * and it is gone with execrate, however that ends.
 */
static void prepare(void)
{
    struct stat st;

    /* Where it is another name of /usr/bin, a mount would hide what is to be executed. */
    if (lstat(BINARIES, &st) < 0 || !S_ISDIR(st.st_mode))
        errx(EXIT_FAILURE, "write-below-bin: " BINARIES " is no folder of its own here");
    if (unshare(CLONE_NEWNS) < 0)
        err(EXIT_FAILURE, "write-below-bin: cannot get a mount namespace");
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        err(EXIT_FAILURE, "write-below-bin: cannot make the mounts private");
    if (mount("tmpfs", BINARIES, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") < 0)
        err(EXIT_FAILURE, "write-below-bin: cannot mount a tmpfs on " BINARIES);
}

static int run(const struct action_request *request)
{
    char path[128];
    int fd;

    /* Without a tag, the pid tells those apart that run at the same time. */
    if (request->tag)
        snprintf(path, sizeof(path), BINARIES "/%s", request->tag);
    else
        snprintf(path, sizeof(path), BINARIES "/%d", (int)getpid());
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (fd < 0)
        return errno;
    close(fd);
    return unlink(path) < 0 ? errno : 0;
}

static const struct action action = {
    .name = "write-below-bin",
    .summary = "create and remove a file below /usr/sbin, in a tmpfs that only execrate sees",
    .prepare = prepare,
    .run = run,
};

ACTION_REGISTER(action);
