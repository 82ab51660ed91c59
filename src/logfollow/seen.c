#include "seen.h"

#include <stdlib.h>
#include <string.h>

#define BITS 64

/* calloc() gives pages that take no memory until they are written, so one large number among small ones is
 * cheap. */
static int grow(struct seen *seen, size_t needed)
{
    size_t capacity = seen->capacity ? seen->capacity : 1024;
    uint64_t *words;

    while (capacity < needed)
        capacity *= 2;
    words = calloc(capacity, sizeof(*words));
    if (!words)
        return -1;
    if (seen->capacity)
        memcpy(words, seen->words, seen->capacity * sizeof(*words));
    free(seen->words);
    seen->words = words;
    seen->capacity = capacity;
    return 0;
}

int seen_add(struct seen *seen, uint64_t seq)
{
    size_t word = seq / BITS;
    uint64_t bit = UINT64_C(1) << (seq % BITS);

    if (word >= seen->capacity && grow(seen, word + 1) < 0)
        return -1;
    if (seen->words[word] & bit)
        return 0;
    seen->words[word] |= bit;
    return 1;
}

void seen_free(struct seen *seen)
{
    free(seen->words);
    *seen = (struct seen){0};
}
