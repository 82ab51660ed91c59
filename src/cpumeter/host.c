#include "host.h"

#include <err.h>
#include <mntent.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/textfile.h"
#include "cgroup.h"

uint64_t held_update(struct held *held, uint64_t raw, bool rebase)
{
    if (rebase)
        held->offset = held->value - raw;
    if (raw + held->offset > held->value)
        held->value = raw + held->offset;
    return held->value;
}

/* The CPU time of all tasks is that of the v1 root cgroup. That of the v2 root is sampled by the tick. */
static int open_tasks(void)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent *mount;
    int fd = -1;

    if (!mounts)
        err(EXIT_FAILURE, "cannot read /proc/self/mounts");
    while (fd < 0 && (mount = getmntent(mounts)) != NULL)
        if (hasmntopt(mount, "cpuacct"))
            fd = textfile_open(mount->mnt_dir, "cpuacct.usage");
    endmntent(mounts);
    return fd;
}

void host_open(struct host *host)
{
    *host = (struct host){.tasks_fd = open_tasks()};
    host->ns_per_tick = (uint64_t)(NS_PER_SEC / sysconf(_SC_CLK_TCK));
    host->timerlist_fd = textfile_open("/proc", "timer_list");
    host->stat_fd = textfile_open("/proc", "stat");
    if (host->stat_fd < 0)
        err(EXIT_FAILURE, "cannot open /proc/stat");
}

static void read_stat(const struct host *host, struct procstat *stat)
{
    const char *text = textfile_read(host->stat_fd);

    if (!text)
        err(EXIT_FAILURE, "cannot read /proc/stat");
    if (!procstat_parse(text, host->ns_per_tick, stat))
        errx(EXIT_FAILURE, "/proc/stat: cannot understand it");
}

static bool read_timerlist(const struct host *host, struct timerlist *list)
{
    const char *text = host->timerlist_fd < 0 ? NULL : textfile_read(host->timerlist_fd);

    return text && timerlist_parse(text, list);
}

static void read_tasks(struct host *host, struct rows *rows)
{
    struct row *row = rows_add(rows, "host", "tasks");
    const char *text;
    uint64_t cpu_ns;

    if (host->tasks_fd < 0)
        return;
    text = textfile_read(host->tasks_fd);
    if (!text || !cgroup_parse(text, true, &cpu_ns))
        err(EXIT_FAILURE, "cannot read the CPU time of the root cgroup");
    if (counter_update(&host->tasks, cpu_ns))
        row->status = STATUS_RESET;
    row->fields = ROW_CPU;
    row->cpu_ns = counter_value(&host->tasks);
}

static void add_counter(struct rows *rows, const char *name, struct counter *counter, uint64_t raw)
{
    const char *status = counter_update(counter, raw) ? STATUS_RESET : STATUS_OK;

    rows_add_cpu(rows, "host", name, counter_value(counter), status);
}

static void add_held(struct rows *rows, const char *name, struct held *held, uint64_t raw, const char *status,
                     bool rebase)
{
    rows_add_cpu(rows, "host", name, held_update(held, raw, rebase), rebase ? STATUS_RESET : status);
}

void host_read(struct host *host, struct rows *rows)
{
    const char *idle_status = "ok:timer_list";
    struct timerlist list;
    struct procstat stat;
    uint64_t elapsed_ns;
    bool rebase;

    read_stat(host, &stat);
    if (!read_timerlist(host, &list)) {
        idle_status = "ok:stat";
        list = (struct timerlist){.now_ns = (uint64_t)now_ns(),
                                  .cpus = stat.cpus,
                                  .idle_ns = stat.idle_ns,
                                  .iowait_ns = stat.iowait_ns};
    }
    elapsed_ns = list.now_ns * list.cpus;
    rebase = host->cpus && host->cpus != list.cpus;
    host->cpus = list.cpus;

    add_held(rows, "elapsed", &host->elapsed, elapsed_ns, STATUS_OK, rebase);
    add_held(rows, "idle", &host->idle, list.idle_ns, idle_status, rebase);
    add_held(rows, "iowait", &host->iowait, list.iowait_ns, idle_status, rebase);
    add_counter(rows, "steal", &host->steal, stat.steal_ns);
    add_counter(rows, "irq", &host->irq, stat.irq_ns);
    add_counter(rows, "softirq", &host->softirq, stat.softirq_ns);
    add_held(rows, "busy", &host->busy, elapsed_ns - list.idle_ns - list.iowait_ns, STATUS_OK, rebase);
    read_tasks(host, rows);
}
