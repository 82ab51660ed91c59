/* A program's output: a file, or stdout. Whatever goes wrong with it ends the program with one line on
 * stderr. */
#ifndef EXECTAX_OUTFILE_H
#define EXECTAX_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *stream;     /* to write to; errors are looked for in outfile_flush() and outfile_close() */
    const char *path; /* NULL: stdout */
};

/* Empties the file, or creates it. path: the value of that option; NULL or "-" is stdout. */
void outfile_open(struct outfile *file, const char *option, const char *path);

/* Both write to stdout, or to one regular file. */
bool outfile_is_same(const struct outfile *a, const struct outfile *b);

/* What was written so far is in the file afterwards. */
void outfile_flush(const struct outfile *file);

void outfile_close(const struct outfile *file);

/* For those who can't wait for that: after a write that has failed, with its errno. */
_Noreturn void outfile_fail(const struct outfile *file);

#endif
