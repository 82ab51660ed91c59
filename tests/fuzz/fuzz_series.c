/* Tables of series: what changed in them, and what hosts differ by. */
#include "folder.h"

#include "../../src/figures/changes.h"
#include "../../src/figures/spreads.h"

static const char *const names[] = {"changes.csv", "spreads.csv", NULL};

static void read_tables(const char *folder)
{
    FILE *out = fopen("/dev/null", "we");
    char path[PATH_MAX];

    EXPECT(out);
    snprintf(path, sizeof(path), "%s/%s", folder, names[0]);
    changes_write(out, path);
    snprintf(path, sizeof(path), "%s/%s", folder, names[1]);
    spreads_write(out, path);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, read_tables);
    return 0;
}
