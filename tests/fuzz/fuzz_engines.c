/* A run of rule engines. */
#include "folder.h"

#include "../../src/figures/engines.h"
#include "../../src/figures/run.h"

static const char *const names[] = {"manifest.json",
                                    "plan.csv",
                                    "cells/1.txt",
                                    "cells/2.txt",
                                    "cells/3.txt",
                                    "cells/4.txt",
                                    "engines.csv",
                                    "engine-fits.csv",
                                    "engine-differences.csv",
                                    NULL};

static void read_run(const char *folder)
{
    struct run run;

    run_open(&run, folder);
    engines_write(&run);
    run_close(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, read_run);
    return 0;
}
