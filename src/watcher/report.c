#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void put(const char *format, va_list arguments, const char *error)
{
    const time_t now = time(NULL);
    char at[32] = "", text[1024];
    struct tm utc;

    if (gmtime_r(&now, &utc))
        strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ ", &utc);
    vsnprintf(text, sizeof(text), format, arguments);
    /* A full disk must not keep the host from being put back: whether this succeeds does not matter. */
    fprintf(stderr, "%swatcher: %s%s%s\n", at, text, error ? ": " : "", error ? error : "");
}

void report(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put(format, arguments, NULL);
    va_end(arguments);
}

void report_errno(const char *format, ...)
{
    const char *error = strerror(errno);
    va_list arguments;

    va_start(arguments, format);
    put(format, arguments, error);
    va_end(arguments);
}
