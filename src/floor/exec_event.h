/* One exec, as the BPF program hands it to the reader. */
#ifndef FLOOR_EXEC_EVENT_H
#define FLOOR_EXEC_EVENT_H

#include <linux/types.h>

#define EXE_BYTES_MAX 4096 /* PATH_MAX, with the NUL */
#define ARGS_BYTES_MAX 16384

enum { ARGS_TRUNCATED = 1, ARGS_UNREADABLE = 2 };

struct exec_event {
    __u64 time_ns; /* CLOCK_MONOTONIC */
    __u32 pid;
    __u32 ppid;
    __u32 uid;
    __u16 exe_bytes;  /* with the NUL; 0: could not be read */
    __u16 args_bytes; /* each argument ends with a NUL, except the last one if ARGS_TRUNCATED */
    __u32 flags;
    char text[EXE_BYTES_MAX + ARGS_BYTES_MAX]; /* exe, then args; what is sent ends with them */
};

#endif
