#include "counter.h"

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

bool counter_update(struct counter *counter, uint64_t raw)
{
    bool reset = counter->started && raw < counter->raw;

    if (reset)
        counter->before = add(counter->before, counter->raw);
    counter->raw = raw;
    counter->started = true;
    return reset;
}

uint64_t counter_value(const struct counter *counter)
{
    return add(counter->before, counter->raw);
}
