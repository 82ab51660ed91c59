/* What runs in the kernel: at each successful exec, in the task that did it, one event into the ring buffer.
 */
#include <stdbool.h>
#include <stddef.h>

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "exec_event.h"

/* The kernel's own types, as far as they are used. libbpf finds out at load time where the fields are. */
struct mm_struct {
    unsigned long arg_start, arg_end;
} __attribute__((preserve_access_index));

struct task_struct {
    int tgid;
    struct task_struct *real_parent;
    struct mm_struct *mm;
} __attribute__((preserve_access_index));

struct linux_binprm {
    const char *filename;
} __attribute__((preserve_access_index));

/* The loader sets its size. */
struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4096);
} ring SEC(".maps");

/* Where an event is put together: it is too large for the BPF stack, and its size is known only afterwards.
 * The kernel does not run a tracing program within itself on the same CPU, so one for each CPU is enough. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct exec_event);
} scratch SEC(".maps");

/* Events for which the ring buffer had no room. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} lost SEC(".maps");

/* Makes the compiler forget what it knows of a value: it then keeps comparisons that the verifier needs. */
#define VERIFIER_SEES(value) asm volatile("" : "+r"(value))

/* The reader looks by itself every few milliseconds; it is woken only if the buffer fills faster than that.
 */
static __always_inline __u64 wakeup_flag(void)
{
    __u64 waiting = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
    __u64 size = bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE);

    return waiting >= size / 4 ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline void send(const struct exec_event *event, __u64 size)
{
    __u32 zero = 0;
    __u64 *count;

    if (bpf_ringbuf_output(&ring, (void *)event, size, wakeup_flag()) == 0)
        return;
    count = bpf_map_lookup_elem(&lost, &zero);
    if (count)
        ++*count;
}

static __always_inline int record_exec(int ppid, const char *filename, unsigned long arg_start,
                                       unsigned long arg_end)
{
    __u64 exe_bytes, args_bytes = arg_end - arg_start;
    __u32 zero = 0;
    struct exec_event *event = bpf_map_lookup_elem(&scratch, &zero);
    long result;

    if (!event)
        return 0;
    event->time_ns = bpf_ktime_get_ns();
    event->pid = bpf_get_current_pid_tgid() >> 32;
    event->ppid = (__u32)ppid;
    event->uid = (__u32)bpf_get_current_uid_gid();
    event->flags = 0;

    result = bpf_probe_read_kernel_str(event->text, EXE_BYTES_MAX, filename);
    exe_bytes = result < 0 ? 0 : (__u64)result;
    VERIFIER_SEES(exe_bytes);
    if (exe_bytes > EXE_BYTES_MAX)
        return 0;

    if (args_bytes > ARGS_BYTES_MAX) {
        args_bytes = ARGS_BYTES_MAX;
        event->flags |= ARGS_TRUNCATED;
    }
    VERIFIER_SEES(args_bytes);
    if (args_bytes > ARGS_BYTES_MAX)
        return 0;
    /* exec has just written them, so they are in memory; a program of this kind can't wait for a page that
     * isn't. */
    if (bpf_probe_read_user(event->text + exe_bytes, args_bytes, (const void *)arg_start) != 0) {
        args_bytes = 0;
        event->flags |= ARGS_UNREADABLE;
    }

    event->exe_bytes = (__u16)exe_bytes;
    event->args_bytes = (__u16)args_bytes;
    send(event, offsetof(struct exec_event, text) + exe_bytes + args_bytes);
    return 0;
}

/* Kernel memory is read directly where the kernel's BTF vouches for the types of the tracepoint's
 * arguments... */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(exec_typed, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
    return record_exec(task->real_parent->tgid, bprm->filename, task->mm->arg_start, task->mm->arg_end);
}

/* ...and by calls that check the address where it doesn't. */
SEC("raw_tp/sched_process_exec")
int BPF_PROG(exec_untyped, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
    return record_exec(BPF_CORE_READ(task, real_parent, tgid), BPF_CORE_READ(bprm, filename),
                       BPF_CORE_READ(task, mm, arg_start), BPF_CORE_READ(task, mm, arg_end));
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
