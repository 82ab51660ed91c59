#include "verdict.h"

/* In between of what was seen of CPUs that share one, 1.5 and more, and of others, 1.2 and seldom more. */
#define SHARED_FROM 1.4

/* In between of what was seen of CPUs with a cache in common, 40 to 110 ns, and of others, 240 and more. */
#define FAR_FROM_NS 150

void verdict_note_alone(struct times *times)
{
    if (times->alone_ns > 0 && (times->fastest_ns == 0 || times->alone_ns < times->fastest_ns))
        times->fastest_ns = times->alone_ns;
}

double verdict_slowdown(const struct times *times, unsigned count)
{
    double slowest = 0;

    for (unsigned i = 0; i < count; i++) {
        double slowdown;

        if (times[i].together_ns <= 0 || times[i].fastest_ns <= 0)
            return 0;
        slowdown = (double)times[i].together_ns / (double)times[i].fastest_ns;
        slowest = slowdown > slowest ? slowdown : slowest;
    }
    return slowest;
}

bool verdict_is_shared(double slowdown)
{
    return slowdown >= SHARED_FROM;
}

int64_t verdict_distance_ns(const struct times *times, unsigned count)
{
    int64_t longest = 0;

    for (unsigned i = 0; i < count; i++)
        longest = times[i].distance_ns > longest ? times[i].distance_ns : longest;
    return longest;
}

bool verdict_is_far(int64_t distance_ns)
{
    return distance_ns >= FAR_FROM_NS;
}
