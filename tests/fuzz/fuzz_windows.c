/* What was read of a cell in its windows, by us, pidstat and perf. */
#include "cell.h"

static const char *const names[] = {"window-a.csv", "window-b.csv",     "cores.csv",   "payers.csv",
                                    "events.csv",   "stacks.folded.gz", "pids.csv",    "pids-after.csv",
                                    "pidstat.txt",  "load.json",        "bpf-metered", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, cell_fuzz);
    return 0;
}
