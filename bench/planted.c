/*
 * Costs that are known, which the harness's figures are compared with. All are by the process's own clock,
 * CLOCK_PROCESS_CPUTIME_ID.
 *
 * As a launched program it does what /bin/true does, and uses US of CPU time more unless it is left alone:
 * what window S is compared with. It reads `GID US` from the file of its own name with .plan behind it, and
 * is left alone if GID is its real group id. What it has really used goes into the file with .burnt behind
 * its name (struct burnt, made by who launches it): a clock of CPU time runs on while an interrupt is served
 * or the hypervisor has the CPU, and that is past US when it happens late in the loop.
 *
 * `planted daemon PERCENT [FILE]` is a monitor's daemon: every 20 ms it has used PERCENT of one CPU since its
 * start, its timers included, but not what its process used before, as the shell that became it. It has to be
 * killed. A window holds one period more or less by chance, so what it has used by when goes into FILE: the
 * time of CLOCK_MONOTONIC and its own, in ns, a line after each period.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "planted.h"

#define NS_PER_SEC INT64_C(1000000000)

/* Waking up takes some tens of µs, which have to be less than what is to be used in a period. */
#define PERIOD_NS INT64_C(20000000)

#define WARM_PASSES 10

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        err(EXIT_FAILURE, "cannot read a clock");
    return (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static void burn_until(int64_t cpu_ns)
{
    while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < cpu_ns)
        ;
}

static _Noreturn void be_daemon(const char *percent, const char *path)
{
    const int64_t start_ns = clock_ns(CLOCK_MONOTONIC);
    const int64_t used_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double share = atof(percent) / 100;
    const struct timespec period = {.tv_nsec = PERIOD_NS};
    FILE *file = NULL;

    if (!(share > 0 && share < 1))
        errx(EXIT_FAILURE, "daemon '%s': expected a percentage between 0 and 100", percent);
    if (path && !(file = fopen(path, "w")))
        err(EXIT_FAILURE, "cannot write '%s'", path);
    for (;;) {
        nanosleep(&period, NULL);
        burn_until(used_ns + (int64_t)((double)(clock_ns(CLOCK_MONOTONIC) - start_ns) * share));
        if (!file)
            continue;
        fprintf(file, "%" PRId64 " %" PRId64 "\n", clock_ns(CLOCK_MONOTONIC),
                clock_ns(CLOCK_PROCESS_CPUTIME_ID));
        /* Whoever kills it reads what there is. */
        if (fflush(file) == EOF)
            err(EXIT_FAILURE, "cannot write '%s'", path);
    }
}

static struct burnt *map_burnt(const char *program)
{
    char path[4096];
    struct burnt *burnt;
    int fd;

    snprintf(path, sizeof(path), "%s.burnt", program);
    fd = open(path, O_RDWR | O_CLOEXEC);
    burnt = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*burnt), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (burnt == MAP_FAILED)
        err(EXIT_FAILURE, "cannot map '%s'", path);
    return burnt;
}

int main(int argc, char **argv)
{
    char path[4096], plan[64] = "";
    struct burnt *burnt;
    unsigned gid;
    double us;
    int64_t burn_ns, start_ns;
    int fd, group;

    if ((argc == 3 || argc == 4) && strcmp(argv[1], "daemon") == 0)
        be_daemon(argv[2], argv[3]);
    snprintf(path, sizeof(path), "%s.plan", argv[0]);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, plan, sizeof(plan) - 1) <= 0 || sscanf(plan, "%u %lf", &gid, &us) != 2)
        errx(EXIT_FAILURE, "%s: expected a group id and µs", path);
    group = getgid() != gid;
    burn_ns = group ? (int64_t)(us * 1000) : 0;
    burnt = map_burnt(argv[0]);
    atomic_fetch_add(&burnt->launches[group], 1);
    /* Either way through the same code. Its first passes take some µs: within what is to be used of one
     * group, on top of nothing in the other. */
    for (int i = 0; i < WARM_PASSES; i++)
        burn_until(clock_ns(CLOCK_PROCESS_CPUTIME_ID));
    start_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    burn_until(start_ns + burn_ns);
    atomic_fetch_add(&burnt->ns[group], clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start_ns);
    return EXIT_SUCCESS;
}
