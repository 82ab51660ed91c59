#include "output.h"

#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"

static void forget(struct output *output)
{
    free(output->path);
    free(output->new_path);
}

bool output_begin(struct output *output, const char *folder, const char *file)
{
    output->path = memory_print("%s/%s", folder, file);
    output->new_path = memory_print("%s.new", output->path);
    output->file = fopen(output->new_path, "we");
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
