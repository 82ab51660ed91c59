#include "work.h"

#include "../common/clock.h"

/* An interrupt lengthens one of them, seldom all. */
#define TRIES 3
#define CALIBRATION_ROUNDS 20000
#define CALIBRATION_TRIES 20

/* Four chains that don't wait for each other: one alone would leave units idle that another thread of the
 * core could use, and sharing it would not show. */
static void work(uint64_t rounds)
{
    uint64_t a = 1, b = 2, c = 3, d = 4;

    for (uint64_t i = 0; i < rounds; i++) {
        a = a * 3 + 1;
        b = b * 5 + 1;
        c = c * 7 + 1;
        d = d * 9 + 1;
        a ^= b >> 3;
        c ^= d >> 5;
        /* So that the compiler leaves it as it is. */
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
}

static int64_t shortest_ns(uint64_t rounds, unsigned tries)
{
    int64_t shortest = INT64_MAX;

    for (unsigned i = 0; i < tries; i++) {
        const int64_t begin_ns = now_ns();
        int64_t took_ns;

        work(rounds);
        took_ns = now_ns() - begin_ns;
        shortest = took_ns < shortest ? took_ns : shortest;
    }
    return shortest;
}

uint64_t work_rounds(int64_t ns)
{
    const int64_t took_ns = shortest_ns(CALIBRATION_ROUNDS, CALIBRATION_TRIES);

    return (uint64_t)(CALIBRATION_ROUNDS * ns / (took_ns > 0 ? took_ns : 1)) + 1;
}

int64_t work_ns(uint64_t rounds)
{
    return shortest_ns(rounds, TRIES);
}
