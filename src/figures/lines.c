#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Moves what is left to the front, so that a line is always in one piece, and reads on. */
static void fill(struct lines *lines, struct problem *problem)
{
    size_t left = lines->end - lines->begin;
    int got, error = Z_OK;

    memmove(lines->buffer, lines->buffer + lines->begin, left);
    lines->begin = 0;
    lines->end = left;
    got = gzread(lines->file, lines->buffer + left, (unsigned)(LINES_BUFFER_SIZE - left));
    if (got > 0)
        lines->end += (size_t)got;
    lines->at_end = got <= 0;
    gzerror(lines->file, &error);
    if (error == Z_BUF_ERROR)
        problem_set(problem, "ends early");
    else if (error == Z_ERRNO)
        problem_set(problem, "cannot be read: %s", strerror(errno));
    else if (got < 0)
        problem_set(problem, "is damaged: %s", gzerror(lines->file, &error));
}

struct lines *lines_open(const char *path, enum lines_form form, struct problem *problem)
{
    struct lines *lines = memory_new(1, sizeof(*lines));

    lines->file = gzopen(path, "rbe");
    if (!lines->file) {
        problem_set(problem, "cannot be opened: %s", strerror(errno));
        free(lines);
        return NULL;
    }
    gzbuffer(lines->file, 128 * 1024);
    fill(lines, problem);
    if (form == LINES_GZIPPED && gzdirect(lines->file))
        problem_set(problem, "is no gzip file");
    if (problem_is_set(problem)) {
        lines_close(lines);
        return NULL;
    }
    return lines;
}

char *lines_next(struct lines *lines, char **end, struct problem *problem)
{
    char *line, *newline;

    for (;;) {
        line = lines->buffer + lines->begin;
        newline = memchr(line, '\n', lines->end - lines->begin);
        if (newline)
            break;
        if (!lines->at_end && lines->end - lines->begin == LINES_BUFFER_SIZE)
            problem_set(problem, "has a line of more than %d characters", LINES_BUFFER_SIZE);
        else if (!lines->at_end)
            fill(lines, problem);
        else if (lines->begin < lines->end)
            problem_set(problem, "ends within a line");
        else
            return NULL;
        if (problem_is_set(problem))
            return NULL;
    }
    *newline = '\0';
    *end = newline;
    lines->begin = (size_t)(newline + 1 - lines->buffer);
    return line;
}

void lines_close(struct lines *lines)
{
    gzclose(lines->file);
    free(lines);
}
