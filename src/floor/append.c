#include "append.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "options.h"

#define WRITE_BYTES (256 * 1024)

void append_open(struct append *log, const char *path, size_t piece_max)
{
    *log = (struct append){.path = path, .capacity = WRITE_BYTES + piece_max};
    log->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log->fd < 0)
        err(EXIT_USAGE, "cannot open '%s' for appending", path);
    log->bytes = malloc(log->capacity);
    if (!log->bytes)
        err(EXIT_FAILURE, "no memory for the %zu bytes that wait to be written", log->capacity);
}

char *append_room(struct append *log, size_t bytes)
{
    if (log->capacity - log->used < bytes)
        append_flush(log);
    return log->bytes + log->used;
}

void append_filled(struct append *log, const char *end)
{
    log->used = (size_t)(end - log->bytes);
}

void append_flush(struct append *log)
{
    for (size_t done = 0; done < log->used;) {
        ssize_t written = write(log->fd, log->bytes + done, log->used - done);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            err(EXIT_FAILURE, "cannot write to '%s'", log->path);
        done += (size_t)written;
    }
    log->written_bytes += log->used;
    log->used = 0;
}

void append_close(struct append *log)
{
    append_flush(log);
    if (close(log->fd) != 0)
        err(EXIT_FAILURE, "cannot write to '%s'", log->path);
    free(log->bytes);
}
