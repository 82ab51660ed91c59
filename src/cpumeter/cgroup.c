#include "cgroup.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/textfile.h"
#include "field.h"
#include "options.h"

bool cgroup_parse(const char *text, bool is_v1, uint64_t *cpu_ns)
{
    uint64_t usec;

    if (is_v1)
        return field_next(&text, cpu_ns);
    if (!field_find(text, "usage_usec", &usec))
        return false;
    *cpu_ns = field_scale(usec, 1000);
    return true;
}

void cgroup_open(struct cgroup *cgroup, const char *name, const char *path)
{
    const char *text = NULL;
    uint64_t cpu_ns;

    *cgroup = (struct cgroup){.name = name, .path = path, .is_v1 = true};
    cgroup->fd = textfile_open(path, "cpuacct.usage");
    if (cgroup->fd < 0) {
        cgroup->is_v1 = false;
        cgroup->fd = textfile_open(path, "cpu.stat");
    }
    if (cgroup->fd >= 0)
        text = textfile_read(cgroup->fd);
    if (!text)
        err(EXIT_USAGE, "--cgroup '%s=%s': expected a cgroup with cpuacct.usage or cpu.stat", name, path);
    if (!cgroup_parse(text, cgroup->is_v1, &cpu_ns))
        errx(EXIT_USAGE,
             "--cgroup '%s=%s': it has no CPU time; expected cpuacct.usage or usage_usec in cpu.stat", name,
             path);
}

static bool read_cpu_ns(struct cgroup *cgroup, uint64_t *cpu_ns)
{
    const char *text = textfile_read(cgroup->fd);

    if (!text && textfile_is_gone(errno))
        return false;
    if (!text)
        err(EXIT_FAILURE, "cannot read the CPU time of cgroup %s", cgroup->path);
    if (!cgroup_parse(text, cgroup->is_v1, cpu_ns))
        errx(EXIT_FAILURE, "cgroup %s: cannot understand its CPU time", cgroup->path);
    return true;
}

void cgroup_read(struct cgroup *cgroup, struct rows *rows)
{
    const char *status = STATUS_OK;
    uint64_t cpu_ns;

    cgroup->gone = cgroup->gone || !read_cpu_ns(cgroup, &cpu_ns);
    if (cgroup->gone)
        status = STATUS_GONE;
    else if (counter_update(&cgroup->counter, cpu_ns))
        status = STATUS_RESET;
    rows_add_cpu(rows, "cgroup", cgroup->name, counter_value(&cgroup->counter), status);
}
