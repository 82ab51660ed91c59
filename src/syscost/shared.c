#include "shared.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void vfail(struct shared *shared, int error, const char *format, va_list values)
{
    if (!atomic_exchange(&shared->failed, true)) {
        const size_t size = sizeof(shared->failure);
        const int length = vsnprintf(shared->failure, size, format, values);

        if (error && length >= 0 && (size_t)length < size)
            snprintf(shared->failure + length, size - (size_t)length, ": %s", strerror(error));
    }
    atomic_store(&shared->stop, true);
}

void shared_fail(struct shared *shared, const char *format, ...)
{
    const int error = errno;
    va_list values;

    va_start(values, format);
    vfail(shared, error, format, values);
    va_end(values);
}

void shared_failx(struct shared *shared, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vfail(shared, 0, format, values);
    va_end(values);
}
