#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "schedule.h"

/* Digits with at most one point: strtod() alone would also take "0x1p3", "inf" and " 5". */
static bool parse_decimal(const char *text, double *value)
{
    char *end;

    if (*text == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
        return false;
    errno = 0;
    *value = strtod(text, &end);
    return *end == '\0' && errno == 0 && isfinite(*value);
}

const char *parse_rate(const char *text, uint64_t *rate_uhz)
{
    const char *expected = "expected launches per second, a number from 0.000001 to 1000000000";
    struct timespec resolution;
    double rate_hz;

    if (!parse_decimal(text, &rate_hz) || rate_hz < 1e-6 || rate_hz > 1e12)
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

const char *parse_duration(const char *text, int64_t *duration_ns)
{
    double duration_s;

    /* Ten years: any more and the sums with clock readings need a second look. */
    if (!parse_decimal(text, &duration_s) || duration_s < 1e-9 || duration_s > 315360000)
        return "expected seconds, a number above 0 and up to 315360000";
    *duration_ns = llround(duration_s * (double)NS_PER_SEC);
    return NULL;
}

const char *parse_threads(const char *text, unsigned *threads)
{
    unsigned long value;
    char *end;

    if (strcmp(text, "auto") == 0) {
        *threads = 0;
        return NULL;
    }
    errno = 0;
    value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < 1 || value > THREADS_MAX)
        return "expected 'auto' or a number from 1 to 1024";
    *threads = (unsigned)value;
    return NULL;
}
