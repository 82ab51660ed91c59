/* How fast memory is, every 20 ms until it is ended: `time_ns,walk_ns,faults_ns` a line on stdout. time_ns is
 * CLOCK_MONOTONIC, the others CPU time of this thread: of a walk through 8 MiB in an order that no prefetcher
 * knows, and of first touches of fresh pages. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../src/common/clock.h"

enum { LINE = 64, LINES = 8 * 1024 * 1024 / LINE, STEPS = 500, PAGES = 32 };
#define PERIOD_NS (20 * 1000 * 1000)

/* A cache line that names the next one. */
struct line {
    uint32_t next;
    char rest[LINE - sizeof(uint32_t)];
};

/* One cycle through all lines, in an order drawn with a fixed seed (Sattolo). */
static struct line *new_walk(void)
{
    struct line *lines = aligned_alloc(LINE, LINES * sizeof(*lines));

    if (!lines)
        err(EXIT_FAILURE, "cannot get %zu bytes", LINES * sizeof(*lines));
    srandom(1);
    for (uint32_t i = 0; i < LINES; i++)
        lines[i].next = i;
    for (uint32_t i = LINES - 1; i > 0; i--) {
        const uint32_t other = (uint32_t)random() % i, next = lines[i].next;

        lines[i].next = lines[other].next;
        lines[other].next = next;
    }
    return lines;
}

static uint32_t walk(const struct line *lines, uint32_t at)
{
    for (int step = 0; step < STEPS; step++)
        at = lines[at].next;
    return at;
}

static void touch_fresh_pages(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *pages =
        mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        err(EXIT_FAILURE, "cannot map %d pages", PAGES);
    for (size_t i = 0; i < PAGES; i++)
        pages[i * page] = 1;
    munmap((void *)pages, PAGES * page);
}

int main(void)
{
    const struct line *lines = new_walk();
    volatile uint32_t at = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int64_t due_ns = now_ns();; due_ns += PERIOD_NS) {
        const struct timespec due = to_timespec(due_ns);
        int64_t start_ns, walked_ns, end_ns;

        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0)
            ;
        start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        at = walk(lines, at);
        walked_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        touch_fresh_pages();
        end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        printf("%" PRId64 ",%" PRId64 ",%" PRId64 "\n", now_ns(), walked_ns - start_ns, end_ns - walked_ns);
    }
}
