/*
 * What build/planted costs a launch besides what its own clock says that it used: the rest of the program's
 * life may take longer for it, such as with caches that are cold when it ends.
 *
 *   planting PROGRAM US RATE_HZ LAUNCHES    as root, with nothing else at work
 *
 * Launches PROGRAM at an even pace, half of them with the cost and half without, each pair in random order,
 * and prints three numbers in µs: by how much the CPU time of those with it is more (wait4), the standard
 * error of that, and by how much it is by PROGRAM's own clock. Overwrites PROGRAM.plan and PROGRAM.burnt.
 * Shares no code with the harness, whose figures are compared with this.
 */
#include <err.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "planted.h"

#define NS_PER_SEC INT64_C(1000000000)

#define GID_WITHOUT 61001
#define GID_WITH 61002

struct tally {
    double sum, squares;
    long pairs;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static void sleep_until(int64_t ns)
{
    struct timespec until = {.tv_sec = ns / NS_PER_SEC, .tv_nsec = ns % NS_PER_SEC};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
        ;
}

/* µs of CPU time. */
static double launch(const char *program, gid_t gid)
{
    struct rusage usage;
    int status;
    pid_t pid = fork();

    if (pid < 0)
        err(EXIT_FAILURE, "cannot fork");
    if (pid == 0) {
        if (setresgid(gid, gid, gid) == 0)
            execl(program, program, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    if (wait4(pid, &status, 0, &usage) < 0 || status != 0)
        errx(EXIT_FAILURE, "%s failed", program);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void work(struct tally *tally, const char *program, int64_t first_ns, int64_t apart_ns, long pairs)
{
    srandom((unsigned)getpid());
    for (long pair = 0; pair < pairs; pair++) {
        double us[2];
        int first = (int)(random() & 1);
        double more;

        for (int i = 0; i < 2; i++) {
            int with = first ^ i;

            sleep_until(first_ns + (2 * pair + i) * apart_ns);
            us[with] = launch(program, with ? GID_WITH : GID_WITHOUT);
        }
        more = us[1] - us[0];
        tally->sum += more;
        tally->squares += more * more;
        tally->pairs++;
    }
}

static void write_plan(const char *program, const char *us)
{
    char path[4096];
    FILE *plan;

    snprintf(path, sizeof(path), "%s.plan", program);
    plan = fopen(path, "w");
    if (!plan || fprintf(plan, "%d %s\n", GID_WITHOUT, us) < 0 || fclose(plan) != 0)
        err(EXIT_FAILURE, "cannot write '%s'", path);
}

/* Empty, for PROGRAM to count in. */
static struct burnt *make_burnt(const char *program)
{
    char path[4096];
    struct burnt *burnt = MAP_FAILED;
    int fd;

    snprintf(path, sizeof(path), "%s.burnt", program);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && ftruncate(fd, sizeof(*burnt)) == 0)
        burnt = mmap(NULL, sizeof(*burnt), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (burnt == MAP_FAILED)
        err(EXIT_FAILURE, "cannot make '%s'", path);
    return burnt;
}

static double burnt_us(const struct burnt *burnt, int group)
{
    return (double)burnt->ns[group] / 1000 / (double)burnt->launches[group];
}

int main(int argc, char **argv)
{
    const long workers = sysconf(_SC_NPROCESSORS_ONLN);
    struct tally *tallies, all = {0};
    const struct burnt *burnt;
    int64_t apart_ns, start_ns;
    double mean;
    long pairs;

    if (argc != 5 || atof(argv[3]) <= 0 || atol(argv[4]) < 4 * workers)
        errx(2, "expected PROGRAM US RATE_HZ LAUNCHES, %ld launches or more", 4 * workers);
    write_plan(argv[1], argv[2]);
    burnt = make_burnt(argv[1]);
    pairs = atol(argv[4]) / 2 / workers;
    apart_ns = (int64_t)((double)NS_PER_SEC * (double)workers / atof(argv[3]));
    tallies = mmap(NULL, (size_t)workers * sizeof(*tallies), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED)
        err(EXIT_FAILURE, "cannot share memory");
    start_ns = now_ns() + NS_PER_SEC;
    for (long i = 0; i < workers; i++)
        switch (fork()) {
        case -1:
            err(EXIT_FAILURE, "cannot fork");
        case 0:
            work(&tallies[i], argv[1], start_ns + i * apart_ns / workers, apart_ns, pairs);
            _exit(EXIT_SUCCESS);
        }
    for (long i = 0; i < workers; i++) {
        int status;

        if (wait(&status) < 0 || status != 0)
            errx(EXIT_FAILURE, "a worker failed");
    }
    for (long i = 0; i < workers; i++) {
        all.sum += tallies[i].sum;
        all.squares += tallies[i].squares;
        all.pairs += tallies[i].pairs;
    }
    mean = all.sum / (double)all.pairs;
    printf("%.3f %.3f %.3f\n", mean,
           sqrt((all.squares / (double)all.pairs - mean * mean) / (double)(all.pairs - 1)),
           burnt_us(burnt, 1) - burnt_us(burnt, 0));
    return EXIT_SUCCESS;
}
