/* What the fuzzers share. Each hands one input to parsers, and checks what they say of it; the sanitizers
 * check what they do. */
#ifndef EXECTAX_FUZZ_H
#define EXECTAX_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unlike assert(), in every build. */
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* A parser with a bug, which each fuzzer is shown to find when built with -DPLANTED_BUG: a number that is
 * longer than any in the corpus overruns its buffer. */
static inline void fuzz_planted_parser(const char *text)
{
#ifdef PLANTED_BUG
    char digits[24];
    size_t count = 0;

    for (text += strcspn(text, "0123456789"); *text >= '0' && *text <= '9'; text++)
        digits[count++] = *text;
    digits[count] = '\0';
    EXPECT(strlen(digits) == count);
#else
    (void)text;
#endif
}

/* A copy with a NUL behind it, and nothing behind that; the caller frees it. */
static inline char *fuzz_text(const void *data, size_t size)
{
    char *text = malloc(size + 1);

    EXPECT(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    fuzz_planted_parser(text);
    return text;
}

#endif
