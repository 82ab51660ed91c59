/* The JSON files of a cell. */
#include "cell.h"

static const char *const names[] = {"cell.json",          "load.json",
                                    "before.json",        "after.json",
                                    "clock.json",         "log-bytes.json",
                                    "count.json",         "drain.json",
                                    "limits-before.json", "limits-start.json",
                                    "limits-after.json",  "instructions.json",
                                    "window-a.csv",       NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_fuzz(data, size, names, cell_fuzz);
    return 0;
}
