/*
 * What /bin/true does, and a known cost on top, in the program itself, unless it is left alone: what window S
 * is measured against.
 *
 * Reads `GID US` from the file of its own name with .plan behind it: US of CPU time more, by the process's
 * own clock (CLOCK_PROCESS_CPUTIME_ID), unless GID is its real group id.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SEC INT64_C(1000000000)

static int64_t cpu_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) < 0)
        err(EXIT_FAILURE, "cannot read the CPU time");
    return (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static void burn(int64_t ns)
{
    const int64_t until_ns = cpu_ns() + ns;

    while (cpu_ns() < until_ns)
        ;
}

int main(int argc, char **argv)
{
    char path[4096], plan[64] = "";
    unsigned gid;
    double us;
    int fd;

    (void)argc;
    snprintf(path, sizeof(path), "%s.plan", argv[0]);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, plan, sizeof(plan) - 1) <= 0 || sscanf(plan, "%u %lf", &gid, &us) != 2)
        errx(EXIT_FAILURE, "%s: expected a group id and µs", path);
    if (getgid() != gid)
        burn((int64_t)(us * 1000));
    return EXIT_SUCCESS;
}
