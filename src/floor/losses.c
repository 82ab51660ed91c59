#include "losses.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

static void print_to(const struct losses *losses, FILE *out)
{
    for (int i = 0; i < LOSSES_MAX && losses->names[i]; i++)
        fprintf(out, "%s %" PRIu64 "\n", losses->names[i], losses->counts[i]);
}

void losses_write(const struct losses *losses, const char *path)
{
    char *new_path;
    FILE *file;

    if (!path)
        return;
    if (asprintf(&new_path, "%s.new", path) < 0)
        err(EXIT_FAILURE, "no memory for a file name");
    file = fopen(new_path, "we");
    if (!file)
        err(EXIT_USAGE, "cannot open '%s' for writing", new_path);
    print_to(losses, file);
    if (fclose(file) != 0)
        err(EXIT_FAILURE, "cannot write to '%s'", new_path);
    if (rename(new_path, path) != 0)
        err(EXIT_FAILURE, "cannot rename '%s' to '%s'", new_path, path);
    free(new_path);
}

void losses_print(const struct losses *losses)
{
    print_to(losses, stdout);
}
