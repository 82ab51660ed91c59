/* How far two clocks are apart. */
#ifndef EXECRATE_CLOCK_H
#define EXECRATE_CLOCK_H

#include "../common/clock.h"

/*
 * CLOCK_REALTIME minus CLOCK_MONOTONIC. NTP slews both alike, so that it changes only when the time of day is
 * stepped.
 */
int64_t clock_offset_ns(void);

#endif
