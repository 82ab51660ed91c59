#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

bool number_next(const char **text, uint64_t max, uint64_t *value)
{
    unsigned long long number;
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    number = strtoull(*text, &end, 10);
    if (errno != 0 || number > max)
        return false;
    *value = number;
    *text = end;
    return true;
}

bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    uint64_t number;

    if (!number_next(&text, max, &number) || *text != '\0' || number < min)
        return false;
    *value = number;
    return true;
}

bool number_parse_real(const char *text, double min, double max, double *value)
{
    double number;
    char *end;

    if (*text == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
        return false;
    errno = 0;
    number = strtod(text, &end);
    if (*end != '\0' || errno != 0 || !(number >= min && number <= max))
        return false;
    *value = number;
    return true;
}

bool number_parse_seconds(const char *text, double min_s, int64_t *ns)
{
    double seconds;

    if (!number_parse_real(text, min_s, SECONDS_MAX, &seconds))
        return false;
    *ns = llround(seconds * (double)NS_PER_SEC);
    return true;
}
