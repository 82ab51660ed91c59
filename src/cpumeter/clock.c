#include "clock.h"

#include "../common/clock.h"

/* The two clocks are read one after the other: a preemption in between is no sleep. */
#define SLEEP_MIN_NS (NS_PER_SEC / 10)

bool sleep_watch_update(struct sleep_watch *watch, int64_t monotonic_ns, int64_t boottime_ns)
{
    int64_t slept_ns = boottime_ns - monotonic_ns;
    bool suspended = watch->started && slept_ns - watch->slept_ns >= SLEEP_MIN_NS;

    watch->slept_ns = slept_ns;
    watch->started = true;
    return suspended;
}

void clock_read(struct sleep_watch *watch, struct rows *rows)
{
    int64_t monotonic_ns = now_ns();
    int64_t boottime_ns = clock_ns(CLOCK_BOOTTIME);
    bool suspended = sleep_watch_update(watch, monotonic_ns, boottime_ns);
    const char *status = suspended ? STATUS_SUSPENDED : STATUS_OK;

    rows_add_cpu(rows, "clock", "monotonic", (uint64_t)monotonic_ns, status);
    rows_add_cpu(rows, "clock", "boottime", (uint64_t)boottime_ns, status);
}
