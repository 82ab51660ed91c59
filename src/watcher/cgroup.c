#include "cgroup.h"

#include <errno.h>
#include <fts.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/pids.h"
#include "../common/textfile.h"
#include "report.h"

/* How many processes are held at the same time: well below the usual limit of 1024 descriptors. */
#define HELD_MAX 256

/* Rounds without a pause in between, lest processes that fork be faster. */
#define ROUNDS_AT_ONCE 1000
#define ROUND_PAUSE_MS 10

static void list_one(struct pids *pids, const char *folder)
{
    if (!pids_read(pids, folder) && !textfile_is_gone(errno))
        report_errno("cannot read %s/cgroup.procs", folder);
}

/* All of them, dead or alive, sorted. */
static void list(struct pids *pids, const char *cgroup)
{
    char *const roots[] = {(char *)cgroup, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
    FTSENT *entry;

    pids->count = 0;
    if (!tree) {
        report_errno("cannot list the cgroups below '%s'", cgroup);
        list_one(pids, cgroup);
        return;
    }
    while ((entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_D)
            list_one(pids, entry->fts_path);
        else if ((entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) &&
                 !textfile_is_gone(entry->fts_errno))
            report("cannot list '%s': %s", entry->fts_path, strerror(entry->fts_errno));
    }
    fts_close(tree);
    pids_sort(pids);
}

static bool is_spared(pid_t pid)
{
    return pid == getpid() || pid == 1;
}

static bool is_alive(pid_t pid)
{
    char folder[32];
    const char *stat;

    snprintf(folder, sizeof(folder), "/proc/%d", pid);
    stat = textfile_read_once(folder, "stat");
    return stat ? !pids_stat_is_dead(stat) : !textfile_is_gone(errno);
}

static bool is_empty(const char *cgroup)
{
    struct pids pids = {0};
    bool empty = true;

    list(&pids, cgroup);
    for (size_t i = 0; i < pids.count && empty; i++)
        empty = is_spared(pids.list[i]) || !is_alive(pids.list[i]);
    pids_free(&pids);
    return empty;
}

bool cgroups_are_empty(const struct paths *cgroups)
{
    for (size_t i = 0; i < cgroups->count; i++)
        if (!is_empty(cgroups->list[i]))
            return false;
    return true;
}

/* The kernel does it at once, those that are being forked included: from Linux 5.14 on, in cgroup v2. */
static bool kill_by_kernel(const char *cgroup)
{
    return textfile_write(cgroup, "cgroup.kill", "1");
}

/* A pid may come to mean another process between two lines of code, a pidfd may not. One that is opened
 * before the cgroup is listed, and whose pid is then in the list, is that of a process in the cgroup, or of
 * none. */
static void signal_some(int signal, const char *cgroup, const pid_t *some, size_t count)
{
    struct pids now = {0};
    int pidfds[HELD_MAX];

    for (size_t i = 0; i < count; i++)
        pidfds[i] = is_spared(some[i]) ? -1 : (int)syscall(SYS_pidfd_open, some[i], 0);
    list(&now, cgroup);
    for (size_t i = 0; i < count; i++) {
        if (pidfds[i] < 0)
            continue;
        if (pids_has(&now, some[i]))
            syscall(SYS_pidfd_send_signal, pidfds[i], signal, NULL, 0);
        close(pidfds[i]);
    }
    pids_free(&now);
}

static void signal_all(int signal, const char *cgroup, const struct pids *pids)
{
    for (size_t i = 0; i < pids->count; i += HELD_MAX)
        signal_some(signal, cgroup, pids->list + i, pids->count - i < HELD_MAX ? pids->count - i : HELD_MAX);
}

static void kill_round(const char *cgroup)
{
    struct pids pids = {0};

    list(&pids, cgroup);
    if (pids_has(&pids, getpid()) || pids_has(&pids, 1) || !kill_by_kernel(cgroup))
        signal_all(SIGKILL, cgroup, &pids);
    pids_free(&pids);
}

void cgroups_continue(const struct paths *cgroups)
{
    struct pids pids = {0};

    for (size_t i = 0; i < cgroups->count; i++) {
        list(&pids, cgroups->list[i]);
        signal_all(SIGCONT, cgroups->list[i], &pids);
    }
    pids_free(&pids);
}

static void report_left(const struct paths *cgroups)
{
    struct pids pids = {0};

    for (size_t i = 0; i < cgroups->count; i++) {
        list(&pids, cgroups->list[i]);
        for (size_t k = 0; k < pids.count; k++)
            if (!is_spared(pids.list[k]) && is_alive(pids.list[k]))
                report("process %d in cgroup %s does not die", pids.list[k], cgroups->list[i]);
    }
    pids_free(&pids);
}

bool cgroups_kill(const struct paths *cgroups, int64_t deadline_ns)
{
    for (unsigned round = 0; !cgroups_are_empty(cgroups); round++) {
        if (now_ns() > deadline_ns) {
            report_left(cgroups);
            return false;
        }
        for (size_t i = 0; i < cgroups->count; i++)
            kill_round(cgroups->list[i]);
        if (round >= ROUNDS_AT_ONCE)
            poll(NULL, 0, ROUND_PAUSE_MS);
    }
    return true;
}
