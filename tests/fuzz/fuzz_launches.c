/* The launches of a cell, and when their records came. */
#include "cell.h"

static const char *const names[] = {"launches.csv.gz", "delivery.csv.gz", "load.json",
                                    "window-a.csv",    "window-b.csv",    NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, cell_fuzz);
    return 0;
}
