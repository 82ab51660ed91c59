#include "attachment.h"

#include <err.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "shared.h"
#include "tracefs.h"

/* programs_object.S */
extern const char programs_object[], programs_object_end[];

static char problem_text[256];

static const char *problem(const char *what, const char *target, int error)
{
    snprintf(problem_text, sizeof(problem_text), "cannot %s %s: %s", what, target, strerror(error));
    return problem_text;
}

static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
    (void)level, (void)format, (void)args;
    return 0;
}

void attachment_init(void)
{
    libbpf_set_print(print_nothing);
}

static struct bpf_program *choose_program(struct bpf_object *object, enum type type, enum work work)
{
    struct bpf_program *program, *chosen = NULL;
    char name[64];

    snprintf(name, sizeof(name), "%s_%s", work_names[work], type_names[type]);
    bpf_object__for_each_program(program, object)
    {
        const bool wanted = strcmp(bpf_program__name(program), name) == 0;

        bpf_program__set_autoload(program, wanted);
        if (wanted)
            chosen = program;
    }
    if (!chosen)
        errx(EXIT_FAILURE, "there is no BPF program %s", name);
    return chosen;
}

/* Those programs are loaded for one target; the others get theirs when they are attached. */
static bool has_target_at_load(enum type type)
{
    return type == TP_BTF || type == FENTRY || type == FEXIT || type == LSM;
}

/* The object has its variables in a map of this name. */
static void share(struct attachment *attachment)
{
    const int map = bpf_object__find_map_fd_by_name(attachment->object, ".bss");

    attachment->shared = mmap(NULL, sizeof(*attachment->shared), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
    if (attachment->shared == MAP_FAILED)
        err(EXIT_FAILURE, "cannot map the variables of the BPF program");
    attachment->shared->watched_thread = (uint32_t)gettid();
}

const char *attachment_load(struct attachment *attachment, enum type type, const char *target, enum work work)
{
    LIBBPF_OPTS(bpf_object_open_opts, open_options, .object_name = "bpfcost");
    int error = 0;

    *attachment = (struct attachment){.type = type, .target = target};
    attachment->object =
        bpf_object__open_mem(programs_object, (size_t)(programs_object_end - programs_object), &open_options);
    if (!attachment->object)
        err(EXIT_FAILURE, "cannot read the BPF programs");
    attachment->program = choose_program(attachment->object, type, work);
    attachment->ring = bpf_object__find_map_by_name(attachment->object, "ring");
    bpf_map__set_autocreate(attachment->ring, work == WAKE);
    if (has_target_at_load(type))
        error = bpf_program__set_attach_target(attachment->program, 0, target);
    if (error) {
        attachment_free(attachment);
        return problem("find in the kernel's BTF", target, -error);
    }
    error = bpf_object__load(attachment->object);
    if (error) {
        attachment_free(attachment);
        return problem("load a program for", target, -error);
    }
    share(attachment);
    return NULL;
}

static int open_tracepoint(const char *target)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attributes), .sample_period = 1, .wakeup_events = 1};

    if (!tracefs_event_id(target, &attributes.config))
        return -1;
    return (int)syscall(SYS_perf_event_open, &attributes, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct bpf_link *attach_to_tracepoint(const struct attachment *attachment)
{
    const int event = open_tracepoint(attachment->target);
    struct bpf_link *link;

    if (event < 0)
        return NULL;
    link = bpf_program__attach_perf_event(attachment->program, event);
    if (!link)
        close(event);
    return link;
}

static bool is_kprobe(enum type type)
{
    return type == KPROBE || type == KRETPROBE;
}

const char *attachment_attach(struct attachment *attachment)
{
    if (is_kprobe(attachment->type) && access("/sys/bus/event_source/devices/kprobe", F_OK) != 0)
        return "the kernel has no kprobes";
    switch (attachment->type) {
    case RAW_TRACEPOINT:
        attachment->link = bpf_program__attach_raw_tracepoint(attachment->program, attachment->target);
        break;
    case TRACEPOINT:
        attachment->link = attach_to_tracepoint(attachment);
        break;
    case KPROBE:
    case KRETPROBE:
        attachment->link = bpf_program__attach_kprobe(attachment->program, attachment->type == KRETPROBE,
                                                      attachment->target);
        break;
    default:
        attachment->link = bpf_program__attach(attachment->program);
    }
    return attachment->link ? NULL : problem("attach to", attachment->target, errno);
}

void attachment_detach(struct attachment *attachment)
{
    const int error = bpf_link__destroy(attachment->link);

    attachment->link = NULL;
    if (error)
        errx(EXIT_FAILURE, "cannot detach from %s: %s", attachment->target, strerror(-error));
}

void attachment_free(struct attachment *attachment)
{
    bpf_link__destroy(attachment->link);
    bpf_object__close(attachment->object);
    if (attachment->shared)
        munmap((void *)attachment->shared, sizeof(*attachment->shared));
    *attachment = (struct attachment){0};
}

struct counted attachment_counted(const struct attachment *attachment)
{
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof(info);

    if (bpf_obj_get_info_by_fd(bpf_program__fd(attachment->program), &info, &size) != 0)
        err(EXIT_FAILURE, "cannot get the BPF program's counters");
    return (struct counted){.runs = info.run_cnt, .run_time_ns = info.run_time_ns};
}
