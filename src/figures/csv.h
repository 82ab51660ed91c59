/* Comma-separated values. Those that are read have no quotes. */
#ifndef FIGURES_CSV_H
#define FIGURES_CSV_H

#include <stdint.h>
#include <stdio.h>

#include "lines.h"

#define CSV_FIELDS_MAX 16

struct csv {
    struct lines *lines;
    int columns;
    int wanted[CSV_FIELDS_MAX + 1]; /* where each of the wanted columns is; -1 after the last */
    unsigned long row;              /* that was read last, the header being 1 */
};

/* Opens the file, whose header must name all of wanted, a list of columns with commas between them. false at
 * a problem. */
bool csv_open(struct csv *csv, const char *path, enum lines_form form, const char *wanted,
              struct problem *problem);

/* The wanted columns of the next row into fields. false at the end of the file or at a problem, which a row
 * with more or fewer fields than the header is. */
bool csv_next(struct csv *csv, char *fields[], struct problem *problem);

/* A field of the row that was read last, as a whole number; a problem, and 0, if it is none. */
int64_t csv_whole(const struct csv *csv, const char *field, struct problem *problem);

void csv_close(struct csv *csv);

/* text as a field, in quotes where it needs them. */
void csv_write(FILE *out, const char *text);

/* A comma, and a number as a field, rounded; nothing behind the comma if it is unknown. */
void csv_write_number(FILE *out, double number);

#endif
