/* Folders whose entries are numbers, as /proc has them: processes, file descriptors. */
#ifndef CPUMETER_PROCDIR_H
#define CPUMETER_PROCDIR_H

#include <stdbool.h>

/* Calls visit for each number; false and errno if the folder can't be listed. */
bool procdir_each_number(const char *folder, void (*visit)(int number, void *context), void *context);

#endif
