#include "procdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

bool procdir_each_number(const char *folder, void (*visit)(int number, void *context), void *context)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int error;

    if (!dir)
        return false;
    while (errno = 0, (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
            visit(atoi(entry->d_name), context);
    error = errno;
    closedir(dir);
    errno = error;
    return error == 0;
}
