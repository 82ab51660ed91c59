#include "kind.h"

#include <stdio.h>

const char *const type_names[TYPES] = {"raw_tracepoint", "tp_btf", "tracepoint", "fentry",
                                       "fexit",          "kprobe", "kretprobe",  "lsm"};
const char *const place_names[PLACES] = {"first", "second", "third", "beside"};
const char *const work_names[WORKS] = {"empty", "work", "wake"};

/* sched_process_wait stands for all tracepoints that are not of system calls: nothing else passes it as
 * cheaply and as rarely by itself. Those of processes are what monitors use, but their calls are so dear that
 * a dispatch is hard to find in them. */
const struct kind kinds[] = {
    {.type = RAW_TRACEPOINT,
     .target = "sys_enter",
     .call = &call_getppid,
     .beside = "sys_exit",
     .by_all_calls = true},
    {.type = RAW_TRACEPOINT,
     .target = "sys_exit",
     .call = &call_getppid,
     .beside = "sys_enter",
     .by_all_calls = true},
    {.type = RAW_TRACEPOINT, .target = "sched_process_wait", .call = &call_wait},
    {.type = TP_BTF,
     .target = "sys_enter",
     .call = &call_getppid,
     .beside = "sys_exit",
     .by_all_calls = true},
    {.type = TP_BTF,
     .target = "sys_exit",
     .call = &call_getppid,
     .beside = "sys_enter",
     .by_all_calls = true},
    {.type = TP_BTF, .target = "sched_process_wait", .call = &call_wait},
    {.type = TRACEPOINT, .target = "syscalls/sys_enter_getppid", .call = &call_getppid, .beside = "sys_exit"},
    {.type = TRACEPOINT, .target = "syscalls/sys_exit_getppid", .call = &call_getppid, .beside = "sys_enter"},
    {.type = TRACEPOINT,
     .target = "raw_syscalls/sys_enter",
     .call = &call_getppid,
     .beside = "sys_exit",
     .by_all_calls = true},
    {.type = TRACEPOINT, .target = "sched/sched_process_wait", .call = &call_wait},
    {.type = FENTRY, .target = "security_task_getpgid", .call = &call_getpgid},
    {.type = FEXIT, .target = "security_task_getpgid", .call = &call_getpgid},
    {.type = KPROBE, .target = "security_task_getpgid", .call = &call_getpgid},
    {.type = KRETPROBE, .target = "security_task_getpgid", .call = &call_getpgid},
    {.type = LSM, .target = "task_getpgid", .call = &call_getpgid},
    {.type = RAW_TRACEPOINT, .target = "sched_process_fork", .call = &call_fork},
    {.type = RAW_TRACEPOINT, .target = "sched_process_exit", .call = &call_fork, .by_another_process = true},
    {.type = RAW_TRACEPOINT, .target = "sched_process_exec", .call = &call_exec, .by_another_process = true},
    {.type = TP_BTF, .target = "sched_process_fork", .call = &call_fork},
    {.type = TP_BTF, .target = "sched_process_exit", .call = &call_fork, .by_another_process = true},
    {.type = TP_BTF, .target = "sched_process_exec", .call = &call_exec, .by_another_process = true},
    {.type = RAW_TRACEPOINT, .target = "sched_process_exec", .call = &call_getppid, .never = true},
    {.type = RAW_TRACEPOINT, .target = "sched_process_wait", .call = &call_wait_rarely, .wakes = true},
};
const size_t kind_count = sizeof(kinds) / sizeof(*kinds);

const char *kind_name(const struct kind *kind)
{
    static char name[128];
    const char *prefix = kind->never ? "sham:" : kind->wakes ? "wake:" : "";
    const int length = snprintf(name, sizeof(name), "%s%s:%s", prefix, type_names[kind->type], kind->target);

    for (int i = 0; i < length; i++)
        if (name[i] == '/')
            name[i] = ':';
    return name;
}

bool kind_is_dear(const struct kind *kind)
{
    return kind->call == &call_fork || kind->call == &call_exec;
}

/* A tracepoint calls its first program directly, and goes through a list from the second one on: the third is
 * the first that adds itself alone. */
static bool has_iterator(enum type type)
{
    return type == RAW_TRACEPOINT || type == TP_BTF;
}

bool kind_has(const struct kind *kind, enum place place, enum work work)
{
    if (kind->wakes || work == WAKE)
        return kind->wakes && work == WAKE && place == FIRST;
    if (place == FIRST && work == EMPTY)
        return true;
    if (kind_is_dear(kind) || kind->never)
        return false;
    if (work == WORK)
        return place == FIRST;
    if (place == BESIDE)
        return kind->beside != NULL;
    return place == SECOND || has_iterator(kind->type);
}
