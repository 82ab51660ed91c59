/* How many calls a forked process of syscost's needs until they cost what they cost from then on: for each
 * call, the median over many processes of ns a call, by place behind the fork. Fails if the first batch that
 * counts differs from later ones by more than LIMIT. */
#include <err.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/common/clock.h"
#include "../src/syscost/calls.h"

enum { PROCESSES = 300, FEW = 20, SHORT = 6, BATCHES = 9 };
#define LIMIT 0.02

struct costs {
    double few_ns[SHORT];       /* of 20 calls at a time, the first ones */
    double batches_ns[BATCHES]; /* of the batches behind the one that warms up */
};

static double cost_ns(const struct call *call, int fd, unsigned count)
{
    const int64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

    if (!call->run(fd, count))
        err(EXIT_FAILURE, "cannot %s", call->attempt);
    return (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / count;
}

static void measure(const struct call *call, int fd, struct costs *costs)
{
    struct costs own;
    unsigned left = call->batch;

    for (int i = 0; i < SHORT; i++, left -= FEW)
        own.few_ns[i] = cost_ns(call, fd, FEW);
    cost_ns(call, fd, left);
    for (int i = 0; i < BATCHES; i++)
        own.batches_ns[i] = cost_ns(call, fd, call->batch);
    *costs = own;
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

/* Of what lies at the same place in all of them. */
static double median(const struct costs *costs, size_t offset)
{
    double values[PROCESSES];

    for (int i = 0; i < PROCESSES; i++)
        values[i] = *(const double *)((const char *)&costs[i] + offset);
    qsort(values, PROCESSES, sizeof(*values), compare);
    return values[PROCESSES / 2];
}

static void fork_all(const struct call *call, struct costs *costs)
{
    const int fd = call->open ? call->open() : -1;

    for (int i = 0; i < PROCESSES; i++) {
        int status;
        pid_t pid = fork();

        if (pid < 0)
            err(EXIT_FAILURE, "cannot create a process");
        if (pid == 0) {
            measure(call, fd, &costs[i]);
            _exit(EXIT_SUCCESS);
        }
        if (waitpid(pid, &status, 0) < 0 || status != 0)
            errx(EXIT_FAILURE, "a process ended without a result");
    }
}

/* Returns whether the first batch that counts is like the later ones. */
static int report(const struct call *call, const struct costs *costs)
{
    double first_ns = median(costs, offsetof(struct costs, batches_ns[0])), later_ns = 0;

    for (size_t i = 1; i < BATCHES; i++)
        later_ns += median(costs, offsetof(struct costs, batches_ns) + i * sizeof(double)) / (BATCHES - 1);
    printf("%-11s", call->name);
    for (size_t i = 0; i < SHORT; i++)
        printf(" %6.0f", median(costs, offsetof(struct costs, few_ns) + i * sizeof(double)));
    printf("  | %7.1f %7.1f %+6.2f %%\n", first_ns, later_ns, 100 * (first_ns / later_ns - 1));
    return first_ns < later_ns * (1 + LIMIT) && first_ns > later_ns * (1 - LIMIT);
}

int main(void)
{
    struct costs *costs = mmap(NULL, PROCESSES * sizeof(*costs), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    int good = 1;

    if (costs == MAP_FAILED)
        err(EXIT_FAILURE, "cannot allocate the results");
    printf("ns a call  calls 1-20, 21-40, ... 101-120            | 1st batch, 2nd to %dth, difference\n",
           BATCHES);
    fflush(stdout);
    for (const struct call *call = calls; call->name; call++) {
        fork_all(call, costs);
        good &= report(call, costs);
        fflush(stdout);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
