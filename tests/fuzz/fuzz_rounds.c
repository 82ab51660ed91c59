/* A run of saturate with two rounds and a soak. */
#include "folder.h"

#include "../../src/figures/rounds.h"
#include "../../src/figures/run.h"

#define CELL(folder)                                                                                         \
    folder "/cell.json", folder "/load.json", folder "/before.json", folder "/after.json",                   \
        folder "/clock.json", folder "/log-bytes.json", folder "/count.json", folder "/drain.json",          \
        folder "/window-a.csv", folder "/launches.csv.gz", folder "/events.csv",                             \
        folder "/limits-before.json", folder "/limits-start.json", folder "/limits-after.json",              \
        folder "/pids.csv", folder "/pids-after.csv", folder "/pidstat.txt"

static const char *const names[] = {"manifest.json", CELL("cells/m/1-01"), CELL("cells/m/1-02"),
                                    CELL("soaks/m/1"), NULL};

static void read_run(const char *folder)
{
    static FILE *out;
    struct run run;

    /* A refused run does not come back to close it. */
    if (!out)
        out = fopen("/dev/null", "we");
    EXPECT(out);
    run_open(&run, folder);
    rounds_write(out, &run);
    soaks_write(out, &run);
    run_close(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, read_run);
    return 0;
}
