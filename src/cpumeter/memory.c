#include "memory.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/textfile.h"
#include "field.h"
#include "options.h"

bool memory_parse_status(const char *text, uint64_t *bytes, uint64_t *peak_bytes)
{
    uint64_t kib;
    uint64_t peak_kib;

    if (!field_find(text, "VmRSS:", &kib) || !field_find(text, "VmHWM:", &peak_kib))
        return false;
    *bytes = field_scale(kib, 1024);
    *peak_bytes = field_scale(peak_kib, 1024);
    return true;
}

bool memory_open_cgroup(struct memory *memory, const char *name, const char *path)
{
    *memory = (struct memory){.name = name};
    memory->fd = textfile_open(path, "memory.current");
    memory->peak_fd = textfile_open(path, "memory.peak");
    if (memory->fd < 0) {
        memory->fd = textfile_open(path, "memory.usage_in_bytes");
        memory->peak_fd = textfile_open(path, "memory.max_usage_in_bytes");
    }
    return memory->fd >= 0;
}

void memory_open_process(struct memory *memory, const char *name, pid_t pid)
{
    char folder[32];

    *memory = (struct memory){.name = name, .is_process = true, .peak_fd = -1};
    snprintf(folder, sizeof(folder), "/proc/%d", pid);
    memory->fd = textfile_open(folder, "status");
    if (memory->fd < 0)
        err(EXIT_USAGE, "--pid '%s=%d': cannot read its memory", name, pid);
}

static const char *read_text(const struct memory *memory, int fd)
{
    const char *text = textfile_read(fd);

    if (!text && !textfile_is_gone(errno))
        err(EXIT_FAILURE, "cannot read the memory of %s", memory->name);
    return text;
}

static bool read_process(struct memory *memory)
{
    const char *text = read_text(memory, memory->fd);

    if (!text || !memory_parse_status(text, &memory->last.memory_bytes, &memory->last.memory_peak_bytes))
        return false;
    memory->last.fields = ROW_MEMORY | ROW_MEMORY_PEAK;
    return true;
}

static bool read_cgroup(struct memory *memory)
{
    const char *text = read_text(memory, memory->fd);

    if (!text || !field_next(&text, &memory->last.memory_bytes))
        return false;
    memory->last.fields = ROW_MEMORY;
    if (memory->peak_fd < 0)
        return true;
    text = read_text(memory, memory->peak_fd);
    if (!text || !field_next(&text, &memory->last.memory_peak_bytes))
        return false;
    memory->last.fields |= ROW_MEMORY_PEAK;
    return true;
}

void memory_read(struct memory *memory, struct rows *rows)
{
    struct row *row = rows_add(rows, "memory", memory->name);

    memory->gone = memory->gone || !(memory->is_process ? read_process(memory) : read_cgroup(memory));
    row->fields = memory->last.fields;
    row->memory_bytes = memory->last.memory_bytes;
    row->memory_peak_bytes = memory->last.memory_peak_bytes;
    if (memory->gone)
        row->status = STATUS_GONE;
}
