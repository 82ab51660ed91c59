/* The lines of a text file, gzipped or not, one after the other. */
#ifndef FIGURES_LINES_H
#define FIGURES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#include "problem.h"

#define LINES_BUFFER_SIZE (256 * 1024)

struct lines {
    gzFile file;
    size_t begin, end; /* what of the buffer has been read and not been given out yet */
    bool at_end;
    char buffer[LINES_BUFFER_SIZE + 1];
};

enum lines_form { LINES_PLAIN, LINES_GZIPPED };

/* NULL, with a problem, if the file can't be read or does not have that form. */
struct lines *lines_open(const char *path, enum lines_form form, struct problem *problem);

/* The next line without its newline, up to *end, where there is a NUL; NULL at the end of the file or at a
 * problem. A last line without a newline is one: what wrote the file was cut off. */
char *lines_next(struct lines *lines, char **end, struct problem *problem);

void lines_close(struct lines *lines);

#endif
