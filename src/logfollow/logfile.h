/* One file that grows, and may be truncated, replaced, or not there yet. */
#ifndef LOGFOLLOW_LOGFILE_H
#define LOGFOLLOW_LOGFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "scanner.h"
#include "tally.h"

struct logfile {
    const char *path;
    int fd; /* -1: not there yet */
    dev_t device;
    ino_t inode;
    int64_t offset; /* bytes read */
    struct scanner scanner;
};

/* Opens it if it is there; ends the program with EXIT_USAGE if it can't be followed. */
void logfile_init(struct logfile *file, const char *path, const struct options *options);
/* Reads and scans whatever is new, in the file that was read before and in one that has taken its place. */
void logfile_look(struct logfile *file, struct tally *tally);
/* Nothing more will be read. */
void logfile_finish(struct logfile *file, struct tally *tally);

#endif
