#include "field.h"

#include <string.h>

#include "../common/number.h"

bool field_next(const char **text, uint64_t *value)
{
    const char *start = *text + strspn(*text, " \t");

    if (!number_next(&start, UINT64_MAX, value))
        return false;
    *text = start;
    return true;
}

bool field_find(const char *text, const char *key, uint64_t *value)
{
    size_t length = strlen(key);

    while (text) {
        if (strncmp(text, key, length) == 0 && (text[length] == ' ' || text[length] == '\t')) {
            text += length;
            return field_next(&text, value);
        }
        text = strchr(text, '\n');
        if (text)
            text++;
    }
    return false;
}

uint64_t field_scale(uint64_t value, uint64_t factor)
{
    uint64_t product;

    return __builtin_mul_overflow(value, factor, &product) ? UINT64_MAX : product;
}
