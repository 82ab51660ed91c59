/* When launch i is due: integers only, from i alone, so that nothing adds up over a long run. */
#ifndef EXECRATE_SCHEDULE_H
#define EXECRATE_SCHEDULE_H

#include <stdint.h>

#define UHZ_PER_HZ UINT64_C(1000000)

/* Launches with due times in [0, duration): launch 0 is due at once. UINT64_MAX if there are more. */
uint64_t schedule_count(uint64_t rate_uhz, int64_t duration_ns);

/* When launch i is due, from the start of the schedule, rounded down to 1 ns. */
int64_t schedule_due_ns(uint64_t rate_uhz, uint64_t i);

#endif
