/* What runs in the kernel: at each successful exec, and at the beginning of each system call, a number goes
 * up. */
#include <asm/unistd.h>
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "counts.h"

struct counts {
    __u64 numbers[COUNTED_BY_BPF];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct counts);
} counted SEC(".maps");

static __always_inline struct counts *own(void)
{
    __u32 zero = 0;

    return bpf_map_lookup_elem(&counted, &zero);
}

SEC("raw_tp/sched_process_exec")
int count_executions(struct bpf_raw_tracepoint_args *context)
{
    struct counts *counts = own();

    if (counts)
        counts->numbers[EXECUTIONS]++;
    return 0;
}

/* Of programs for another architecture than the kernel's, the numbers say something else. */
SEC("raw_tp/sys_enter")
int count_syscalls(struct bpf_raw_tracepoint_args *context)
{
    struct counts *counts = own();

    if (!counts)
        return 0;
    counts->numbers[SYSCALLS]++;
    switch ((long)context->args[1]) {
    case __NR_read:
        counts->numbers[READS]++;
        break;
    case __NR_connect:
        counts->numbers[CONNECTS]++;
        break;
#ifdef __NR_open
    case __NR_open:
#endif
    case __NR_openat:
        counts->numbers[OPENS]++;
        break;
    default:
        break;
    }
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
