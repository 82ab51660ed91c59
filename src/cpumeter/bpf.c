#include "bpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "owner.h"

void bpf_open(struct bpf *bpf, const struct options *options)
{
    *bpf = (struct bpf){.options = options};
    for (size_t i = 0; i < options->owner_count; i++)
        owner_check(&options->owners[i]);
    bpf->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
    if (bpf->stats_fd < 0)
        err(EXIT_FAILURE, "cannot switch on the run-time statistics of BPF");
}

/* False if there is no such program (any more). It is held no longer than it takes: its end must not wait. */
static bool get_info(uint32_t id, struct bpf_prog_info *info)
{
    uint32_t length = sizeof(*info);
    int fd = bpf_prog_get_fd_by_id(id);
    int result;

    if (fd < 0 && errno == ENOENT)
        return false;
    if (fd < 0)
        err(EXIT_FAILURE, "cannot open BPF program %u", id);
    *info = (struct bpf_prog_info){0};
    result = bpf_obj_get_info_by_fd(fd, info, &length);
    if (result < 0)
        err(EXIT_FAILURE, "cannot ask about BPF program %u", id);
    close(fd);
    return true;
}

static char *make_name(uint32_t id, const struct bpf_prog_info *info)
{
    const char *type = libbpf_bpf_prog_type_str(info->type);
    char *name;
    int length;

    if (type)
        length = asprintf(&name, "%u:%s:%s", id, info->name, type);
    else
        length = asprintf(&name, "%u:%s:%u", id, info->name, info->type);
    if (length < 0)
        err(EXIT_FAILURE, "cannot allocate the name of BPF program %u", id);
    return name;
}

/* Where the program is, or would have to be inserted. */
static size_t position(const struct bpf *bpf, uint32_t id)
{
    size_t low = 0;
    size_t high = bpf->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (bpf->programs[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct bpf *bpf, size_t at, const struct bpf_program *program)
{
    bpf->programs = reallocarray(bpf->programs, bpf->count + 1, sizeof(*program));
    if (!bpf->programs)
        err(EXIT_FAILURE, "cannot allocate %zu BPF programs", bpf->count + 1);
    memmove(&bpf->programs[at + 1], &bpf->programs[at], (bpf->count - at) * sizeof(*program));
    bpf->programs[at] = *program;
    bpf->count++;
}

static void look_for(uint32_t id, void *context)
{
    struct bpf *bpf = context;
    size_t at = position(bpf, id);
    struct bpf_prog_info info;

    if (at < bpf->count && bpf->programs[at].id == id)
        return;
    if (get_info(id, &info))
        insert(bpf, at, &(struct bpf_program){.id = id, .name = make_name(id, &info)});
}

static void look_for_ids_above(struct bpf *bpf, uint32_t id)
{
    while (bpf_prog_get_next_id(id, &id) == 0)
        look_for(id, bpf);
    if (errno != ENOENT)
        err(EXIT_FAILURE, "cannot list BPF programs");
}

static void read_program(struct bpf_program *program, struct rows *rows)
{
    struct bpf_prog_info info;
    struct row *row;
    bool reset = false;

    program->gone = program->gone || !get_info(program->id, &info);
    row = rows_add(rows, "bpf", program->name);
    if (!program->gone) {
        reset = counter_update(&program->run_time_ns, info.run_time_ns);
        reset = counter_update(&program->run_count, info.run_cnt) || reset;
    }
    row->fields = ROW_CPU | ROW_COUNT;
    row->cpu_ns = counter_value(&program->run_time_ns);
    row->count = counter_value(&program->run_count);
    row->status = program->gone ? STATUS_GONE : (reset ? STATUS_RESET : STATUS_OK);
}

void bpf_read(struct bpf *bpf, struct rows *rows)
{
    const struct options *options = bpf->options;

    if (!options->owner_count && !options->has_bpf_since)
        look_for_ids_above(bpf, 0);
    if (options->has_bpf_since)
        look_for_ids_above(bpf, options->bpf_since);
    for (size_t i = 0; i < options->owner_count; i++)
        owner_each_program(&options->owners[i], look_for, bpf);
    for (size_t i = 0; i < bpf->count; i++)
        read_program(&bpf->programs[i], rows);
}
