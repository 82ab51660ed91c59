/* The window side by side of a cell. */
#include "cell.h"

static const char *const names[] = {"side/side.json",
                                    "side/load.json",
                                    "side/phases.csv",
                                    "side/recorded.csv.gz",
                                    "side/launches.csv.gz",
                                    "cores.csv",
                                    NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, cell_fuzz);
    return 0;
}
