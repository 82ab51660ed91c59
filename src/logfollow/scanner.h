/* Finds PREFIX-<digits> in a stream that comes in pieces. Knows nothing of files or clocks. */
#ifndef LOGFOLLOW_SCANNER_H
#define LOGFOLLOW_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/tag.h"

struct scanner {
    char pattern[TAG_MAX + 1]; /* the prefix and its '-'; no '\0' */
    size_t length;
    /* border[n]: length of the longest proper suffix of the pattern's first n characters that it begins with
     * (Knuth, Morris, Pratt). */
    unsigned char border[TAG_MAX + 2];
    size_t matched; /* characters of the pattern that the stream ends with so far */
    bool has_digits;
    uint64_t seq; /* stays at UINT64_MAX once it is too large */
};

/* Called for each tag when the first byte after its digits is seen. */
typedef void scanner_found(void *arg, uint64_t seq);

void scanner_init(struct scanner *scanner, const char *prefix);
void scanner_feed(struct scanner *scanner, const char *chunk, size_t size, scanner_found *found, void *arg);
/* The stream is over: digits that it ends with are a whole number. What comes next is another stream. */
void scanner_finish(struct scanner *scanner, scanner_found *found, void *arg);

#endif
