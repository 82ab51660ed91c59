#include "attached.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/textfile.h"
#include "bpf.h"
#include "field.h"
#include "procdir.h"

#define TARGET_SIZE 128

static struct attachment *find(struct attached *attached, const char *name)
{
    for (size_t i = 0; i < attached->count; i++)
        if (strcmp(attached->list[i].name, name) == 0)
            return &attached->list[i];
    attached->list = reallocarray(attached->list, attached->count + 1, sizeof(*attached->list));
    if (!attached->list)
        err(EXIT_FAILURE, "cannot allocate %zu attachments", attached->count + 1);
    attached->list[attached->count] = (struct attachment){.name = strdup(name)};
    if (!attached->list[attached->count].name)
        err(EXIT_FAILURE, "cannot allocate the name of an attachment");
    return &attached->list[attached->count++];
}

static struct attachment *find_of(struct attached *attached, uint32_t program, const char *kind,
                                  const char *target)
{
    char name[TARGET_SIZE + 64];

    snprintf(name, sizeof(name), "%u:%s:%s", program, kind, target);
    return find(attached, name);
}

static const char *kind_of_tracing(uint32_t attach_type)
{
    switch (attach_type) {
    case BPF_TRACE_FENTRY:
        return "fentry";
    case BPF_TRACE_FEXIT:
        return "fexit";
    case BPF_MODIFY_RETURN:
        return "fmod_ret";
    case BPF_LSM_MAC:
        return "lsm";
    default:
        return "tracing";
    }
}

static void add_link(struct attached *attached, const struct bpf_link_info *link, const char *tracepoint)
{
    struct bpf_prog_info program;

    switch (link->type) {
    /* Those of perf events are found by these. */
    case BPF_LINK_TYPE_PERF_EVENT:
        return;
    case BPF_LINK_TYPE_RAW_TRACEPOINT:
        if (bpf_info(link->prog_id, &program))
            find_of(attached, link->prog_id,
                    program.type == BPF_PROG_TYPE_TRACING ? "tp_btf" : "raw_tracepoint", tracepoint)
                ->count++;
        return;
    case BPF_LINK_TYPE_TRACING:
        find_of(attached, link->prog_id, kind_of_tracing(link->tracing.attach_type), "")->count++;
        return;
    default:
        find_of(attached, link->prog_id, "link", "")->count++;
    }
}

static void look_for_links(struct attached *attached)
{
    char tracepoint[TARGET_SIZE];
    uint32_t id = 0;

    while (bpf_link_get_next_id(id, &id) == 0) {
        struct bpf_link_info link = {0};
        uint32_t length = sizeof(link);
        int fd = bpf_link_get_fd_by_id(id);

        /* It is gone, or not there yet. */
        if (fd < 0 && (errno == ENOENT || errno == EAGAIN))
            continue;
        if (fd < 0)
            err(EXIT_FAILURE, "cannot open BPF link %u", id);
        link.raw_tracepoint.tp_name = (uintptr_t)tracepoint;
        link.raw_tracepoint.tp_name_len = sizeof(tracepoint);
        tracepoint[0] = '\0';
        if (bpf_obj_get_info_by_fd(fd, &link, &length) == 0)
            add_link(attached, &link, tracepoint);
        close(fd);
    }
    /* Before Linux 5.8, links were not listed. */
    if (errno != ENOENT && errno != EINVAL)
        err(EXIT_FAILURE, "cannot list BPF links");
}

struct scan {
    struct attached *attached;
    int pid;
};

static bool is_perf_event(const struct scan *scan, int fd)
{
    static const char wanted[] = "anon_inode:[perf_event]";
    char path[64], target[sizeof(wanted)];
    ssize_t length;

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", scan->pid, fd);
    length = readlink(path, target, sizeof(target));
    return length == sizeof(wanted) - 1 && memcmp(target, wanted, sizeof(wanted) - 1) == 0;
}

/* What a probe is on may be any text, and is not needed. Several processes may hold the same event. */
static void visit_fd(int fd, void *context)
{
    const struct scan *scan = context;
    char target[TARGET_SIZE] = "";
    __u32 length = sizeof(target), program, type;
    __u64 offset, address;

    if (!is_perf_event(scan, fd) ||
        bpf_task_fd_query(scan->pid, fd, 0, target, &length, &program, &type, &offset, &address) != 0)
        return;
    if (type == BPF_FD_TYPE_TRACEPOINT)
        find_of(scan->attached, program, "tracepoint", target)->count = 1;
    else
        find_of(scan->attached, program, "probe", "")->count = 1;
}

static void visit_process(int pid, void *context)
{
    struct scan scan = {.attached = context, .pid = pid};
    char folder[32];

    snprintf(folder, sizeof(folder), "/proc/%d/fd", pid);
    if (!procdir_each_number(folder, visit_fd, &scan) && !textfile_is_gone(errno))
        err(EXIT_FAILURE, "cannot list %s", folder);
}

bool attached_parse_wakes(const char *text, uint64_t *wakes)
{
    bool known = false;

    *wakes = 0;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        static const char what[] = "IRQ work interrupts";
        const char *number = strchr(line, ':');
        uint64_t count;

        end = strchrnul(line, '\n');
        if (!number || number > end || end - line < (ptrdiff_t)sizeof(what) ||
            memcmp(end - (sizeof(what) - 1), what, sizeof(what) - 1) != 0)
            continue;
        known = true;
        for (number++; field_next(&number, &count);)
            *wakes += count;
    }
    return known;
}

static void read_wakes(struct rows *rows)
{
    const char *text = textfile_read_once("/proc", "interrupts");
    struct row *row = rows_add(rows, "interrupts", "irq_work");

    if (!text)
        err(EXIT_FAILURE, "cannot read /proc/interrupts");
    if (attached_parse_wakes(text, &row->count))
        row->fields = ROW_COUNT;
}

void attached_read(struct attached *attached, struct rows *rows)
{
    for (size_t i = 0; i < attached->count; i++)
        attached->list[i].count = 0;
    look_for_links(attached);
    if (!procdir_each_number("/proc", visit_process, attached))
        err(EXIT_FAILURE, "cannot list /proc");
    for (size_t i = 0; i < attached->count; i++) {
        struct row *row = rows_add(rows, "attached", attached->list[i].name);

        row->fields = ROW_COUNT;
        row->count = attached->list[i].count;
        row->status = row->count ? STATUS_OK : STATUS_GONE;
    }
    read_wakes(rows);
}
