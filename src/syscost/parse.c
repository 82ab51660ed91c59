#include "parse.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/number.h"

const char *parse_slice(const char *text, int64_t *slice_ns)
{
    double seconds;

    if (!number_parse_real(text, 0.001, 10, &seconds))
        return "expected seconds, a number from 0.001 to 10";
    *slice_ns = (int64_t)(seconds * (double)NS_PER_SEC);
    return NULL;
}

static bool is_among(const struct call *call, const struct call *const *found, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (found[i] == call)
            return true;
    return false;
}

const char *parse_calls(const char *text, const struct call *found[CALLS_MAX], unsigned *count)
{
    unsigned n = 0;

    for (;;) {
        const size_t length = strcspn(text, ",");
        const struct call *call = call_find(text, length);

        if (!call)
            return "expected some of getppid, read, connect, open-close, with commas between them";
        if (is_among(call, found, n))
            return "expected each call once";
        found[n++] = call;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *count = n;
    return NULL;
}
