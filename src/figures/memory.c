#include "memory.h"

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        err(EXIT_FAILURE, "cannot allocate %zu times %zu bytes", count, size);
    return memory;
}

void *memory_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    array = reallocarray(array, *capacity, size);
    if (!array)
        err(EXIT_FAILURE, "cannot allocate %zu times %zu bytes", *capacity, size);
    return array;
}

char *memory_copy(const char *text)
{
    return memory_print("%s", text);
}

char *memory_print(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        err(EXIT_FAILURE, "cannot allocate a string");
    va_end(arguments);
    return text;
}
