#include "distance.h"

#include "../common/clock.h"

#define BATCHES 5
#define BATCH_TRIPS 10
#define INTERVAL_THROWS (2 * BATCHES * BATCH_TRIPS)
/* Reading the clock takes as long as a trip. */
#define TRIES_BETWEEN_CLOCKS 256

static bool wait_for(const struct thrown *thrown, uint64_t throws, int64_t until_ns)
{
    for (unsigned tries = 1; atomic_load_explicit(&thrown->throws, memory_order_acquire) != throws; tries++)
        if (tries % TRIES_BETWEEN_CLOCKS == 0 && now_ns() > until_ns)
            return false;
    return true;
}

int64_t distance_ask_ns(struct thrown *thrown, uint64_t interval, int64_t until_ns)
{
    uint64_t throws = interval * INTERVAL_THROWS;
    int64_t shortest_ns = INT64_MAX;

    for (unsigned batch = 0; batch < BATCHES; batch++) {
        const int64_t begin_ns = now_ns();
        int64_t took_ns;

        for (unsigned trip = 0; trip < BATCH_TRIPS; trip++, throws += 2) {
            atomic_store_explicit(&thrown->throws, throws + 1, memory_order_release);
            if (!wait_for(thrown, throws + 2, until_ns))
                return 0;
        }
        took_ns = (now_ns() - begin_ns) / BATCH_TRIPS;
        shortest_ns = took_ns < shortest_ns ? took_ns : shortest_ns;
    }
    return shortest_ns;
}

void distance_answer(struct thrown *thrown, uint64_t interval, int64_t until_ns)
{
    const uint64_t first = interval * INTERVAL_THROWS;

    for (uint64_t throws = first; throws < first + INTERVAL_THROWS; throws += 2) {
        if (!wait_for(thrown, throws + 1, until_ns))
            return;
        atomic_store_explicit(&thrown->throws, throws + 2, memory_order_release);
    }
}
