#include "values.h"

#include <stdbool.h>
#include <stddef.h>

#include "number.h"

/* (gid_t)-1 says "none" to the kernel, and root's own group is nobody to be told apart by. */
static bool is_group(uint64_t id)
{
    return id > 0 && id < UINT32_MAX;
}

const char *parse_duration(const char *text, int64_t *duration_ns)
{
    if (!number_parse_seconds(text, 1e-9, duration_ns))
        return "expected seconds, a number above 0 and up to 315360000";
    return NULL;
}

const char *parse_groups(const char *text, gid_t groups[2])
{
    uint64_t first, second;

    if (!number_next(&text, UINT32_MAX, &first) || *text++ != ',' ||
        !number_next(&text, UINT32_MAX, &second) || *text != '\0' || !is_group(first) || !is_group(second) ||
        first == second)
        return "expected two different group ids from 1 to 4294967294, with a comma between them";
    groups[0] = (gid_t)first;
    groups[1] = (gid_t)second;
    return NULL;
}
