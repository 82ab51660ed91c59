#include "textfile.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_in(const char *folder, const char *file, int flags)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC);
}

int textfile_open(const char *folder, const char *file)
{
    return open_in(folder, file, O_RDONLY);
}

const char *textfile_read(int fd)
{
    static char *buffer;
    static size_t size = 16384;
    size_t length = 0;
    ssize_t got;

    if (!buffer)
        buffer = malloc(size);
    do {
        if (length + 1 == size) {
            size *= 2;
            buffer = realloc(buffer, size);
        }
        if (!buffer)
            err(EXIT_FAILURE, "cannot allocate %zu bytes", size);
        got = pread(fd, buffer + length, size - 1 - length, (off_t)length);
        if (got < 0)
            return NULL;
        length += (size_t)got;
    } while (got > 0);
    buffer[length] = '\0';
    return buffer;
}

const char *textfile_read_once(const char *folder, const char *file)
{
    int fd = textfile_open(folder, file);
    const char *text;
    int error;

    if (fd < 0)
        return NULL;
    text = textfile_read(fd);
    error = errno;
    close(fd);
    errno = error;
    return text;
}

bool textfile_write(const char *folder, const char *file, const char *text)
{
    int fd = open_in(folder, file, O_WRONLY);
    ssize_t length = (ssize_t)strlen(text), written;
    int error;

    if (fd < 0)
        return false;
    written = write(fd, text, (size_t)length);
    error = errno;
    close(fd);
    errno = error;
    return written == length;
}

bool textfile_is_gone(int error)
{
    return error == ENODEV || error == ENOENT || error == ESRCH;
}
