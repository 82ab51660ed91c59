#include "logfile.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/clock.h"

#define BUFFER_SIZE 262144

/* False if it is not there (yet). */
static bool open_if_there(struct logfile *file, int exit_status)
{
    struct stat st;

    /* A FIFO without a writer would block. */
    file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0 && errno == ENOENT)
        return false;
    if (file->fd < 0 || fstat(file->fd, &st) < 0)
        err(exit_status, "cannot open '%s'", file->path);
    if (!S_ISREG(st.st_mode))
        errx(exit_status, "'%s': expected a regular file", file->path);
    file->device = st.st_dev;
    file->inode = st.st_ino;
    file->offset = 0;
    return true;
}

static void check_directory(const char *path)
{
    char copy[PATH_MAX];
    const char *directory;
    struct stat st;

    /* dirname() writes to what it is given. */
    snprintf(copy, sizeof(copy), "%s", path);
    directory = dirname(copy);
    if (stat(directory, &st) < 0)
        err(EXIT_USAGE, "cannot wait for '%s' in '%s'", path, directory);
}

void logfile_init(struct logfile *file, const char *path, const struct options *options)
{
    *file = (struct logfile){.path = path};
    scanner_init(&file->scanner, options->tag);
    if (!open_if_there(file, EXIT_USAGE)) {
        check_directory(path);
    } else if (!options->from_start) {
        file->offset = lseek(file->fd, 0, SEEK_END);
        if (file->offset < 0)
            err(EXIT_FAILURE, "cannot find the end of '%s'", path);
    }
}

static void read_new(struct logfile *file, struct tally *tally)
{
    static char buffer[BUFFER_SIZE];
    ssize_t n;

    do {
        n = read(file->fd, buffer, sizeof(buffer));
        if (n < 0)
            err(EXIT_FAILURE, "cannot read '%s'", file->path);
        if (n == 0)
            return;
        tally->time_real_ns = clock_ns(CLOCK_REALTIME);
        file->offset += n;
        scanner_feed(&file->scanner, buffer, (size_t)n, tally_add, tally);
    } while ((size_t)n == sizeof(buffer));
}

void logfile_look(struct logfile *file, struct tally *tally)
{
    struct stat st;

    if (file->fd < 0 && !open_if_there(file, EXIT_FAILURE))
        return;
    read_new(file, tally);
    if (stat(file->path, &st) < 0) {
        /* Moved away, but perhaps still written to. */
        if (errno == ENOENT)
            return;
        err(EXIT_FAILURE, "cannot look at '%s'", file->path);
    }
    if (st.st_dev != file->device || st.st_ino != file->inode) {
        read_new(file, tally);
        logfile_finish(file, tally);
        if (open_if_there(file, EXIT_FAILURE))
            read_new(file, tally);
    } else if (st.st_size < file->offset) {
        scanner_finish(&file->scanner, tally_add, tally);
        if (lseek(file->fd, 0, SEEK_SET) < 0)
            err(EXIT_FAILURE, "cannot go to the beginning of '%s'", file->path);
        file->offset = 0;
        read_new(file, tally);
    }
}

void logfile_finish(struct logfile *file, struct tally *tally)
{
    scanner_finish(&file->scanner, tally_add, tally);
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
