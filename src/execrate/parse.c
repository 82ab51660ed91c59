#include "parse.h"

#include <math.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/number.h"
#include "schedule.h"

const char *parse_rate(const char *text, uint64_t *rate_uhz)
{
    const char *expected = "expected launches per second, a number from 0.000001 to 1000000000";
    struct timespec resolution;
    double rate_hz;

    if (!number_parse_real(text, 1e-6, 1e12, &rate_hz))
        return expected;
    if (clock_getres(CLOCK_MONOTONIC, &resolution) == 0 &&
        rate_hz * ((double)resolution.tv_sec * 1e9 + (double)resolution.tv_nsec) > 1e9)
        return "the time between two launches would be below the resolution of the clock; expected a lower "
               "rate";
    if (rate_hz > 1e9)
        return expected;
    *rate_uhz = (uint64_t)llround(rate_hz * (double)UHZ_PER_HZ);
    return NULL;
}

const char *parse_threads(const char *text, unsigned *threads)
{
    uint64_t value;

    if (strcmp(text, "auto") == 0) {
        *threads = 0;
        return NULL;
    }
    if (!number_parse(text, 1, THREADS_MAX, &value))
        return "expected 'auto' or a number from 1 to 1024";
    *threads = (unsigned)value;
    return NULL;
}
