#include "outfile.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "usage.h"

void outfile_open(struct outfile *file, const char *option, const char *path)
{
    *file = (struct outfile){.stream = stdout};
    if (!path || strcmp(path, "-") == 0)
        return;
    file->path = path;
    file->stream = fopen(path, "we");
    if (!file->stream)
        err(EXIT_USAGE, "--%s '%s': cannot write to it", option, path);
}

bool outfile_is_same(const struct outfile *a, const struct outfile *b)
{
    struct stat x, y;

    return a->stream == b->stream ||
           (fstat(fileno(a->stream), &x) == 0 && fstat(fileno(b->stream), &y) == 0 && S_ISREG(x.st_mode) &&
            x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

void outfile_fail(const struct outfile *file)
{
    err(EXIT_FAILURE, "cannot write %s", file->path ? file->path : "to stdout");
}

/* fflush() and fclose() report only what was still in the buffer. The errno of a write that failed before
 * that is gone. */
static bool failed_before(const struct outfile *file)
{
    errno = EIO;
    return ferror(file->stream);
}

void outfile_flush(const struct outfile *file)
{
    bool failed = failed_before(file);

    if (fflush(file->stream) != 0 || failed)
        outfile_fail(file);
}

void outfile_close(const struct outfile *file)
{
    bool failed = failed_before(file);

    if (fclose(file->stream) != 0 || failed)
        outfile_fail(file);
}
