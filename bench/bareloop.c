/*
 * What execrate is measured against: loops that do nothing but launch, or nothing but sleep.
 *
 *     bareloop launch SECONDS PROCESSES COMMAND   vfork, execve, wait: launches per second, own CPU us per
 * launch bareloop sleep SECONDS RATE_HZ              clock_nanosleep to absolute times: lateness us p50, p99
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/common/clock.h"

struct tally {
    uint64_t launched;
    int64_t cpu_usec;
};

static void launch_until(int64_t end_ns, char *command, struct tally *tally)
{
    char *argv[] = {command, NULL};
    struct rusage usage;

    while (now_ns() < end_ns) {
        pid_t pid = vfork();
        int status;

        if (pid == 0) {
            execve(command, argv, environ);
            _exit(127);
        }
        if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || status != 0)
            err(EXIT_FAILURE, "cannot launch '%s'", command);
        tally->launched++;
    }
    getrusage(RUSAGE_SELF, &usage);
    tally->cpu_usec = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                      usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void launch(double seconds, int processes, char *command)
{
    size_t size = (size_t)processes * sizeof(struct tally);
    struct tally *tallies = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int64_t end_ns = now_ns() + (int64_t)(seconds * 1e9);
    uint64_t launched = 0;
    int64_t cpu_usec = 0;

    if (tallies == MAP_FAILED)
        err(EXIT_FAILURE, "cannot allocate the tallies");
    for (int i = 0; i < processes; i++) {
        pid_t pid = fork();

        if (pid < 0)
            err(EXIT_FAILURE, "cannot fork");
        if (pid == 0) {
            launch_until(end_ns, command, &tallies[i]);
            _exit(EXIT_SUCCESS);
        }
    }
    for (int i = 0; i < processes; i++) {
        int status;

        if (wait(&status) < 0 || status != 0)
            errx(EXIT_FAILURE, "a launching process failed");
        launched += tallies[i].launched;
        cpu_usec += tallies[i].cpu_usec;
    }
    printf("%.1f %.3f\n", (double)launched / seconds, (double)cpu_usec / (double)launched);
    munmap(tallies, size);
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void sleep_at(double seconds, double rate_hz)
{
    size_t count = (size_t)(seconds * rate_hz);
    int64_t *late_ns = calloc(count + 1, sizeof(*late_ns));
    int64_t start_ns = now_ns(), p50_ns, p99_ns;

    if (!late_ns || count == 0)
        errx(EXIT_FAILURE, "cannot sleep %zu times", count);
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (size_t i = 0; i < count; i++) {
        int64_t due_ns = start_ns + (int64_t)((double)i * 1e9 / rate_hz);
        struct timespec due = to_timespec(due_ns);

        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        late_ns[i] = now_ns() - due_ns;
    }
    qsort(late_ns, count, sizeof(*late_ns), compare);
    p50_ns = late_ns[count / 2];
    p99_ns = late_ns[count * 99 / 100];
    printf("%.3f %.3f\n", (double)p50_ns / 1e3, (double)p99_ns / 1e3);
    free(late_ns);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "launch") == 0 && atof(argv[2]) > 0 && atoi(argv[3]) > 0)
        launch(atof(argv[2]), atoi(argv[3]), argv[4]);
    else if (argc == 4 && strcmp(argv[1], "sleep") == 0 && atof(argv[2]) > 0 && atof(argv[3]) > 0)
        sleep_at(atof(argv[2]), atof(argv[3]));
    else
        errx(2, "expected 'launch SECONDS PROCESSES COMMAND' or 'sleep SECONDS RATE_HZ'");
    return EXIT_SUCCESS;
}
