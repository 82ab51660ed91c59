#include "procdir.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "../common/number.h"

bool procdir_each_number(const char *folder, void (*visit)(int number, void *context), void *context)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    uint64_t number;
    int error;

    if (!dir)
        return false;
    while (errno = 0, (entry = readdir(dir)) != NULL)
        if (number_parse(entry->d_name, 0, INT_MAX, &number))
            visit((int)number, context);
    error = errno;
    closedir(dir);
    errno = error;
    return error == 0;
}
