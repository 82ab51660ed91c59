/* CPU lists as the kernel writes them ("0,2-3"), and the affinity of this process. */
#ifndef EXECTAX_CPULIST_H
#define EXECTAX_CPULIST_H

#include <sched.h>
#include <stddef.h>

/* A cpu_set_t holds 1024 CPUs, fewer than a large host may have: sched_getaffinity() then fails with EINVAL.
 */
#define CPULIST_MAX 8192

struct cpulist {
    cpu_set_t set[CPULIST_MAX / CPU_SETSIZE];
};

/* Returns NULL, or what is wrong with the text. */
const char *cpulist_parse(const char *text, struct cpulist *cpus);

/* Writes the list in the kernel's form; cut off if size is too small. */
void cpulist_format(const struct cpulist *cpus, char *text, size_t size);

unsigned cpulist_count(const struct cpulist *cpus);

/* The lowest of the CPUs that is not below from, or -1. */
int cpulist_next(const struct cpulist *cpus, unsigned from);

/* The lowest CPU that is in cpus but not in allowed, or -1. */
int cpulist_outside(const struct cpulist *cpus, const struct cpulist *allowed);

/* The CPUs this thread may run on; 0, or -1 with errno. */
int cpulist_get_affinity(struct cpulist *cpus);
int cpulist_set_affinity(const struct cpulist *cpus);

/* Lets this thread run on that CPU alone; 0, or -1 with errno. */
int cpulist_bind(unsigned cpu);

/* Ends the program with one line on stderr and EXIT_USAGE if one of the CPUs that the option has named is not
 * available. */
void cpulist_check_option(const char *option, const struct cpulist *cpus);

#endif
