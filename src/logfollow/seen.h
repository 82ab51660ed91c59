/* The sequences that were seen before: a bitmap that grows. */
#ifndef LOGFOLLOW_SEEN_H
#define LOGFOLLOW_SEEN_H

#include <stddef.h>
#include <stdint.h>

/* execrate counts its launches in 32 bits; all of them take 512 MiB. */
#define SEEN_MAX UINT32_MAX

struct seen {
    uint64_t *words;
    size_t capacity;
};

/* 1 if seq is new, 0 if it was seen before, -1 if there is no memory. seq: 0 to SEEN_MAX. */
int seen_add(struct seen *seen, uint64_t seq);
void seen_free(struct seen *seen);

#endif
