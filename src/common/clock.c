#include "clock.h"

int64_t clock_offset_ns(void)
{
    int64_t narrowest_ns = INT64_MAX, offset_ns = 0;

    /* Being descheduled between two readings would show as an offset: keep the closest of some tries. */
    for (int i = 0; i < 16; i++) {
        int64_t before_ns = now_ns();
        int64_t real_ns = clock_ns(CLOCK_REALTIME);
        int64_t width_ns = now_ns() - before_ns;

        if (width_ns < narrowest_ns) {
            narrowest_ns = width_ns;
            offset_ns = real_ns - (before_ns + width_ns / 2);
        }
    }
    return offset_ns;
}
