/* Becoming a member of a group, by which a monitor can leave a process alone. */
#ifndef EXECTAX_GROUP_H
#define EXECTAX_GROUP_H

#include <sys/types.h>

/* Real and effective group id of this thread alone: libc's function would change those of all threads. Alike,
 * since otherwise the loader has extra work in what is executed (AT_SECURE). 0, or -1 with errno. The saved
 * one stays, which is the way back. */
int group_take(gid_t group);

/* Ends the program with one line on stderr and EXIT_USAGE if it may not take both, and its own again. */
void group_check(const gid_t groups[2]);

#endif
