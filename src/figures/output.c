#include "output.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"

static void forget(struct output *output)
{
    free(output->path);
    free(output->new_path);
}

/* The run may be somebody else's: what is at that name already, a link above all, is not written to. */
static FILE *open_new(const char *path)
{
    FILE *file = NULL;
    int fd;

    if (unlink(path) != 0 && errno != ENOENT)
        return NULL;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0)
        file = fdopen(fd, "w");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

bool output_begin(struct output *output, const char *folder, const char *file)
{
    output->path = memory_print("%s/%s", folder, file);
    output->new_path = memory_print("%s.new", output->path);
    output->file = open_new(output->new_path);
    if (output->file)
        return true;
    warn("cannot write %s", output->new_path);
    forget(output);
    return false;
}

bool output_end(struct output *output)
{
    /* fclose() alone reports only what was still in the buffer. */
    bool failed = ferror(output->file);

    failed = fclose(output->file) != 0 || failed;
    if (failed)
        warn("cannot write %s", output->new_path);
    else if (rename(output->new_path, output->path) != 0) {
        warn("cannot rename %s to %s", output->new_path, output->path);
        failed = true;
    }
    if (failed)
        unlink(output->new_path);
    forget(output);
    return !failed;
}
