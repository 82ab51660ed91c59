#include "owner.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/pids.h"
#include "../common/textfile.h"
#include "field.h"
#include "options.h"
#include "procdir.h"

struct scan {
    char folder[32]; /* /proc/PID */
    owner_visit *visit;
    void *context;
};

bool owner_parse_fdinfo(const char *text, uint32_t *program_id)
{
    uint64_t id;

    if (!field_find(text, "prog_id:", &id) || id == 0 || id > UINT32_MAX)
        return false;
    *program_id = (uint32_t)id;
    return true;
}

void owner_check(const struct owner *owner)
{
    char path[PATH_MAX];

    if (owner->cgroup) {
        snprintf(path, sizeof(path), "%s/cgroup.procs", owner->cgroup);
        if (access(path, R_OK) < 0)
            err(EXIT_USAGE, "--bpf-owner 'cgroup=%s': expected a cgroup", owner->cgroup);
    } else {
        snprintf(path, sizeof(path), "/proc/%d/fdinfo", owner->pid);
        if (access(path, R_OK) < 0)
            err(EXIT_USAGE, "--bpf-owner 'pid=%d': expected a running process", owner->pid);
    }
}

/* Names of files are quicker to come by than fdinfo, and most files are not BPF's. */
static bool may_hold_program(const struct scan *scan, int fd)
{
    char path[64];
    char target[64];
    ssize_t length;

    snprintf(path, sizeof(path), "%s/fd/%d", scan->folder, fd);
    length = readlink(path, target, sizeof(target) - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    return strncmp(target, "anon_inode:", 11) == 0 && strstr(target, "bpf") && !strstr(target, "bpf-map");
}

static void visit_fd(int fd, void *context)
{
    const struct scan *scan = context;
    char file[32];
    const char *text;
    uint32_t id;

    if (!may_hold_program(scan, fd))
        return;
    snprintf(file, sizeof(file), "fdinfo/%d", fd);
    text = textfile_read_once(scan->folder, file);
    if (text && owner_parse_fdinfo(text, &id))
        scan->visit(id, scan->context);
}

static void visit_process(pid_t pid, owner_visit *visit, void *context)
{
    struct scan scan = {.visit = visit, .context = context};
    char path[PATH_MAX];

    snprintf(scan.folder, sizeof(scan.folder), "/proc/%d", pid);
    snprintf(path, sizeof(path), "%s/fd", scan.folder);
    if (!procdir_each_number(path, visit_fd, &scan) && !textfile_is_gone(errno))
        err(EXIT_FAILURE, "cannot list %s", path);
}

static void visit_cgroup(const char *cgroup, owner_visit *visit, void *context)
{
    char path[PATH_MAX];
    struct pids pids = {0};
    struct dirent *entry;
    DIR *dir;

    /* One that can't be read has none: it is gone, or its processes are listed by the cgroup above it. */
    pids_read(&pids, cgroup);
    for (size_t i = 0; i < pids.count; i++)
        visit_process(pids.list[i], visit, context);
    pids_free(&pids);
    dir = opendir(cgroup);
    if (!dir)
        return;
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        if (snprintf(path, sizeof(path), "%s/%s", cgroup, entry->d_name) < (int)sizeof(path))
            visit_cgroup(path, visit, context);
    }
    closedir(dir);
}

void owner_each_program(const struct owner *owner, owner_visit *visit, void *context)
{
    if (owner->cgroup)
        visit_cgroup(owner->cgroup, visit, context);
    else
        visit_process(owner->pid, visit, context);
}
