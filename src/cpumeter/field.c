#include "field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool field_next(const char **text, uint64_t *value)
{
    const char *start = *text + strspn(*text, " \t");
    unsigned long long number;
    char *end;

    if (*start < '0' || *start > '9')
        return false;
    errno = 0;
    number = strtoull(start, &end, 10);
    if (errno != 0)
        return false;
    *value = number;
    *text = end;
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
