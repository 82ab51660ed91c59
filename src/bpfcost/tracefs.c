#include "tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not <sys/mount.h>: older versions of it don't have these. */
#include <linux/mount.h>

#include "../common/number.h"

/* A mount without a place: it ends with its descriptor. */
static int open_tracefs(void)
{
    const int context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
    int mount = -1, error;

    if (context < 0)
        return -1;
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
    error = errno;
    close(context);
    errno = error;
    return mount;
}

static bool read_number(int folder, const char *path, uint64_t *number)
{
    const int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    char text[32];
    const char *next = text;
    ssize_t length;

    if (file < 0)
        return false;
    length = read(file, text, sizeof(text) - 1);
    close(file);
    if (length < 0)
        return false;
    text[length] = '\0';
    errno = EINVAL;
    return number_next(&next, INT32_MAX, number);
}

bool tracefs_event_id(const char *event, __u64 *id)
{
    static int tracefs = -1;
    char path[128];
    uint64_t number;

    if (tracefs < 0)
        tracefs = open_tracefs();
    if (tracefs < 0)
        return false;
    snprintf(path, sizeof(path), "events/%s/id", event);
    if (!read_number(tracefs, path, &number))
        return false;
    *id = number;
    return true;
}
