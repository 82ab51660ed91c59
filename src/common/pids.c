#include "pids.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "textfile.h"

static void add(struct pids *pids, pid_t pid)
{
    if (pids->count == pids->capacity) {
        pids->capacity = 2 * pids->capacity + 64;
        pids->list = reallocarray(pids->list, pids->capacity, sizeof(*pids->list));
        if (!pids->list)
            err(EXIT_FAILURE, "no memory for a list of %zu processes", pids->capacity);
    }
    pids->list[pids->count++] = pid;
}

bool pids_parse(struct pids *pids, const char *text)
{
    while (*text != '\0') {
        uint64_t pid;

        if (!number_next(&text, INT_MAX, &pid) || *text != '\n')
            return false;
        /* 0 is a process of another PID namespace. */
        if (pid != 0)
            add(pids, (pid_t)pid);
        text++;
    }
    return true;
}

bool pids_read(struct pids *pids, const char *folder)
{
    const char *text = textfile_read_once(folder, "cgroup.procs");

    if (!text)
        return false;
    errno = EBADMSG;
    return pids_parse(pids, text);
}

static int compare(const void *a, const void *b)
{
    const pid_t first = *(const pid_t *)a, second = *(const pid_t *)b;

    return (first > second) - (first < second);
}

void pids_sort(struct pids *pids)
{
    if (pids->count > 0)
        qsort(pids->list, pids->count, sizeof(*pids->list), compare);
}

bool pids_has(const struct pids *pids, pid_t pid)
{
    return pids->count > 0 && bsearch(&pid, pids->list, pids->count, sizeof(pid), compare);
}

void pids_free(struct pids *pids)
{
    free(pids->list);
    *pids = (struct pids){0};
}

/* A program's name may have anything in it, but nothing behind it has a bracket. */
static const char *stat_name_end(const char *stat)
{
    return strrchr(stat, ')');
}

bool pids_stat_is_dead(const char *stat)
{
    const char *name_end = stat_name_end(stat);
    long threads;
    char state;

    if (!name_end ||
        sscanf(name_end, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &state,
               &threads) != 2)
        return false;
    /* A process whose first thread has ended is a zombie with others that go on. */
    return (state == 'Z' || state == 'X') && threads <= 1;
}

bool pids_stat_is_stopped(const char *stat)
{
    const char *name_end = stat_name_end(stat);

    return name_end && strncmp(name_end, ") T ", 4) == 0;
}
