/* What is counted, in the kernel and here. */
#ifndef HOSTRATES_COUNTS_H
#define HOSTRATES_COUNTS_H

enum count {
    EXECUTIONS,
    SYSCALLS, /* all of them, those below included */
    READS,
    CONNECTS,
    OPENS,
    COUNTED_BY_BPF,
    FORKS = COUNTED_BY_BPF, /* threads, too: the kernel's own counter */
    COUNTS,
};

#endif
