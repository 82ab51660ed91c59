/* A log file: many small pieces go to it in few large writes. */
#ifndef FLOOR_APPEND_H
#define FLOOR_APPEND_H

#include <stddef.h>
#include <stdint.h>

struct append {
    const char *path;
    int fd;
    char *bytes; /* not written yet */
    size_t used, capacity;
    uint64_t written_bytes;
};

/* All of these end the program with a message if the file can't be written. */

/* piece_max: the largest piece that will be asked for. */
void append_open(struct append *log, const char *path, size_t piece_max);

/* Room for a piece of up to that size; what of it was filled is said to append_filled(). */
char *append_room(struct append *log, size_t bytes);
void append_filled(struct append *log, const char *end);

void append_flush(struct append *log);

/* Flushes, too. */
void append_close(struct append *log);

#endif
