/*
 * Uses a known share of a CPU, and accounts for it itself: what cpumeter is measured against.
 *
 *     burner process|children|threads|kernel PERCENT SECONDS
 *
 * In each period of 10 ms it uses PERCENT of it: the process itself in user mode; a child or a thread started
 * for that; the process itself in the kernel. Prints "ready", waits for a line on stdin, burns, prints
 *     OWN_CPU_NS WALL_NS UNREPORTED_NS PERIODS
 * and waits for another line, asleep. OWN_CPU_NS: its CLOCK_PROCESS_CPUTIME_ID, and that of each child,
 * read after the child's end. UNREPORTED_NS: the part of it that the children used after they read that clock
 * themselves, as their last act.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SEC INT64_C(1000000000)
#define PERIOD_NS INT64_C(10000000)

enum kind { PROCESS, CHILDREN, THREADS, KERNEL, KINDS };

static const char *const kind_names[KINDS] = {"process", "children", "threads", "kernel"};

struct burner {
    enum kind kind;
    int64_t burn_ns; /* per period */
    int64_t *reported_ns;
    int64_t children_ns;
    int64_t unreported_ns;
    int64_t periods;
};

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        err(EXIT_FAILURE, "cannot read clock %d", (int)clock);
    return (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static void compute(void)
{
    for (volatile int i = 0; i < 5000; i++)
        ;
}

static void enter_kernel(void)
{
    static char buffer[4096];

    if (getrandom(buffer, sizeof(buffer), 0) < 0)
        err(EXIT_FAILURE, "cannot get random bytes");
}

static void burn(const struct burner *burner)
{
    int64_t end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + burner->burn_ns;

    do {
        if (burner->kind == KERNEL)
            enter_kernel();
        else
            compute();
    } while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns);
}

static int64_t ended_child_cpu_ns(pid_t child)
{
    siginfo_t info;
    clockid_t clock;
    int error;

    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0)
        if (errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for child %d", child);
    error = clock_getcpuclockid(child, &clock);
    if (error != 0)
        errx(EXIT_FAILURE, "cannot find the CPU clock of child %d: %s", child, strerror(error));
    return clock_ns(clock);
}

static void burn_in_child(struct burner *burner)
{
    pid_t child = fork();
    int64_t cpu_ns;
    int status;

    if (child < 0)
        err(EXIT_FAILURE, "cannot fork");
    if (child == 0) {
        burn(burner);
        *burner->reported_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        _exit(EXIT_SUCCESS);
    }
    cpu_ns = ended_child_cpu_ns(child);
    if (waitpid(child, &status, 0) < 0 || status != 0)
        errx(EXIT_FAILURE, "child %d failed", child);
    burner->children_ns += cpu_ns;
    burner->unreported_ns += cpu_ns - *burner->reported_ns;
}

static void *burn_thread(void *burner)
{
    burn(burner);
    return NULL;
}

static void burn_in_thread(struct burner *burner)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, burn_thread, burner);

    if (error == 0)
        error = pthread_join(thread, NULL);
    if (error != 0)
        errx(EXIT_FAILURE, "cannot start and join a thread: %s", strerror(error));
}

static void burn_for(struct burner *burner, int64_t duration_ns)
{
    int64_t due_ns = clock_ns(CLOCK_MONOTONIC);

    for (int64_t end_ns = due_ns + duration_ns; clock_ns(CLOCK_MONOTONIC) < end_ns; due_ns += PERIOD_NS) {
        struct timespec due = {.tv_sec = due_ns / NS_PER_SEC, .tv_nsec = due_ns % NS_PER_SEC};

        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        if (burner->kind == CHILDREN)
            burn_in_child(burner);
        else if (burner->kind == THREADS)
            burn_in_thread(burner);
        else
            burn(burner);
        burner->periods++;
    }
}

static enum kind parse_kind(const char *text)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (strcmp(text, kind_names[kind]) == 0)
            return (enum kind)kind;
    errx(2, "'%s': expected process, children, threads or kernel", text);
}

static void wait_for_line(void)
{
    int c;

    do
        c = getchar();
    while (c != '\n' && c != EOF);
}

int main(int argc, char **argv)
{
    struct burner burner = {0};
    double percent;
    double seconds;
    int64_t start_ns;
    int64_t cpu_ns;

    if (argc != 4)
        errx(2, "expected process|children|threads|kernel PERCENT SECONDS");
    burner.kind = parse_kind(argv[1]);
    percent = atof(argv[2]);
    seconds = atof(argv[3]);
    if (!(percent > 0 && percent <= 100) || !(seconds > 0 && seconds <= 3600))
        errx(2, "expected more than 0 and at most 100 percent, at most 3600 seconds");
    burner.burn_ns = (int64_t)(percent / 100 * (double)PERIOD_NS);
    burner.reported_ns =
        mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (burner.reported_ns == MAP_FAILED)
        err(EXIT_FAILURE, "cannot share memory with children");
    puts("ready");
    fflush(stdout);
    wait_for_line();

    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    start_ns = clock_ns(CLOCK_MONOTONIC);
    burn_for(&burner, (int64_t)(seconds * (double)NS_PER_SEC));
    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns + burner.children_ns;
    printf("%jd %jd %jd %jd\n", (intmax_t)cpu_ns, (intmax_t)(clock_ns(CLOCK_MONOTONIC) - start_ns),
           (intmax_t)burner.unreported_ns, (intmax_t)burner.periods);
    fflush(stdout);
    wait_for_line();
    return EXIT_SUCCESS;
}
