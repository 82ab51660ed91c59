#include "schedule.h"

#include "../common/clock.h"

/* i * 1e15 leaves 64 bits behind at the 18447th launch. */
__extension__ typedef unsigned __int128 u128;

static const u128 NS_UHZ = (u128)NS_PER_SEC * UHZ_PER_HZ;

uint64_t schedule_count(uint64_t rate_uhz, int64_t duration_ns)
{
    u128 count = ((u128)(uint64_t)duration_ns * rate_uhz + NS_UHZ - 1) / NS_UHZ;

    return count > UINT64_MAX ? UINT64_MAX : (uint64_t)count;
}

int64_t schedule_due_ns(uint64_t rate_uhz, uint64_t i)
{
    return (int64_t)(i * NS_UHZ / rate_uhz);
}
