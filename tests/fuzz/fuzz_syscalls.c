/* The window with system calls of a cell. */
#include "cell.h"

static const char *const names[] = {"syscalls/syscalls.json", "syscalls/load.json", "syscalls/phases.csv",
                                    "syscalls/slices.csv.gz", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, cell_fuzz);
    return 0;
}
