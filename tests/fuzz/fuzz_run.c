/* A sweep or a run of rules with a cell of the baseline and one of a monitor: the files of the run itself,
 * and with all that is made of them. */
#include "folder.h"

#include "../../src/figures/run.h"
#include "../../src/figures/sweep.h"

#define CELL(folder)                                                                                         \
    "cells/" folder "/cell.json", "cells/" folder "/load.json", "cells/" folder "/before.json",              \
        "cells/" folder "/after.json", "cells/" folder "/clock.json", "cells/" folder "/log-bytes.json",     \
        "cells/" folder "/count.json", "cells/" folder "/drain.json", "cells/" folder "/window-a.csv",       \
        "cells/" folder "/window-b.csv", "cells/" folder "/launches.csv.gz", "cells/" folder "/pids.csv",    \
        "cells/" folder "/pids-after.csv", "cells/" folder "/pidstat.txt", "cells/" folder "/payers.csv",    \
        "cells/" folder "/stacks.folded.gz", "cells/" folder "/bpf-metered"

static const char *const names[] = {
    "manifest.json",    "plan.csv",  CELL("none/4-1"), CELL("m/4-1"),     CELL("m/4-2"),
    CELL("m+k=10/4-1"), "cells.csv", "perf.csv",       "differences.csv", "syscalls.csv",
    "precision.csv",    "rules.csv", "fits.csv",       "sets.csv",        NULL};

static void read_run(const char *folder)
{
    struct run run;

    run_open(&run, folder);
    sweep_write(&run);
    run_close(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, read_run);
    return 0;
}
