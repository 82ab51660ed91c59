#include "scanner.h"

#include <string.h>

void scanner_init(struct scanner *scanner, const char *prefix)
{
    size_t border = 0;

    memset(scanner, 0, sizeof(*scanner));
    scanner->length = strlen(prefix) + 1;
    memcpy(scanner->pattern, prefix, scanner->length - 1);
    scanner->pattern[scanner->length - 1] = '-';
    for (size_t n = 2; n <= scanner->length; n++) {
        char last = scanner->pattern[n - 1];

        while (border > 0 && scanner->pattern[border] != last)
            border = scanner->border[border];
        if (scanner->pattern[border] == last)
            border++;
        scanner->border[n] = (unsigned char)border;
    }
}

static void add_digit(struct scanner *scanner, unsigned digit)
{
    scanner->has_digits = true;
    if (scanner->seq > (UINT64_MAX - digit) / 10)
        scanner->seq = UINT64_MAX;
    else
        scanner->seq = scanner->seq * 10 + digit;
}

static void step(struct scanner *scanner, char byte, scanner_found *found, void *arg)
{
    if (scanner->matched == scanner->length) {
        if (byte >= '0' && byte <= '9') {
            add_digit(scanner, (unsigned)(byte - '0'));
            return;
        }
        if (scanner->has_digits)
            scanner_finish(scanner, found, arg);
        else
            scanner->matched = scanner->border[scanner->length];
    }
    while (scanner->matched > 0 && scanner->pattern[scanner->matched] != byte)
        scanner->matched = scanner->border[scanner->matched];
    if (scanner->pattern[scanner->matched] == byte)
        scanner->matched++;
}

void scanner_feed(struct scanner *scanner, const char *chunk, size_t size, scanner_found *found, void *arg)
{
    const char *end = chunk + size;

    while (chunk < end) {
        /* Most of a log is not a tag, and memmem() is many times faster than byte by byte. */
        if (scanner->matched == 0) {
            size_t left = (size_t)(end - chunk);
            const char *next = memmem(chunk, left, scanner->pattern, scanner->length);

            if (next) {
                scanner->matched = scanner->length;
                chunk = next + scanner->length;
                continue;
            }
            if (left >= scanner->length)
                chunk = end - (scanner->length - 1);
            while (chunk < end)
                step(scanner, *chunk++, found, arg);
            return;
        }
        step(scanner, *chunk++, found, arg);
    }
}

void scanner_finish(struct scanner *scanner, scanner_found *found, void *arg)
{
    if (scanner->has_digits)
        found(arg, scanner->seq);
    scanner->matched = 0;
    scanner->has_digits = false;
    scanner->seq = 0;
}
