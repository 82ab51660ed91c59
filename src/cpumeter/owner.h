/* Whose BPF programs: those held through the file descriptors of a process, or of a cgroup's processes. */
#ifndef CPUMETER_OWNER_H
#define CPUMETER_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct owner {
    const char *cgroup; /* NULL: the process pid */
    pid_t pid;
};

typedef void owner_visit(uint32_t program_id, void *context);

/* The program in the /proc/PID/fdinfo of a program or a link. */
bool owner_parse_fdinfo(const char *text, uint32_t *program_id);

/* Ends the program if there is no such process or cgroup. */
void owner_check(const struct owner *owner);

/* Visits each program as often as it is held. An owner that is no more has none. */
void owner_each_program(const struct owner *owner, owner_visit *visit, void *context);

#endif
