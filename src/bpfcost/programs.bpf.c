/* What is attached: for each kind of program one that does nothing, and one that does a little of what
 * monitors do. */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

/* The kernel's own type, as far as it is used. libbpf finds out at load time where the fields are. */
struct task_struct {
    int tgid;
    struct task_struct *real_parent;
} __attribute__((preserve_access_index));

struct seen {
    __u64 time_ns;
    __u32 parent;
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 8192);
    __type(key, __u32);
    __type(value, struct seen);
} threads SEC(".maps");

/* Read by a thread of bpfcost's own. */
struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1 << 16);
} ring SEC(".maps");

volatile struct shared shared;

static __always_inline int work(void)
{
    struct task_struct *task = (struct task_struct *)bpf_get_current_task();
    struct seen seen = {.time_ns = bpf_ktime_get_ns(),
                        .parent = (__u32)BPF_CORE_READ(task, real_parent, tgid)};
    __u32 thread = (__u32)bpf_get_current_pid_tgid();

    bpf_map_update_elem(&threads, &thread, &seen, BPF_ANY);
    if (thread == shared.watched_thread)
        shared.watched_runs++;
    return 0;
}

#define PROGRAMS(section, name)                                                                              \
    SEC(section) int empty_##name(void *context)                                                             \
    {                                                                                                        \
        return 0;                                                                                            \
    }                                                                                                        \
    SEC(section) int work_##name(void *context)                                                              \
    {                                                                                                        \
        return work();                                                                                       \
    }

PROGRAMS("raw_tp", raw_tracepoint)
PROGRAMS("tp_btf", tp_btf)
PROGRAMS("tp", tracepoint)
PROGRAMS("fentry", fentry)
PROGRAMS("fexit", fexit)
PROGRAMS("kprobe", kprobe)
PROGRAMS("kretprobe", kretprobe)
PROGRAMS("lsm", lsm)

SEC("raw_tp") int wake_raw_tracepoint(void *context)
{
    __u64 record = 0;

    if ((__u32)bpf_get_current_pid_tgid() != shared.watched_thread)
        return 0;
    shared.watched_runs++;
    bpf_ringbuf_output(&ring, &record, sizeof(record), BPF_RB_FORCE_WAKEUP);
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
