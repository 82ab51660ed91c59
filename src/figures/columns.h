/* The table of figures for people and for other programs. */
#ifndef FIGURES_COLUMNS_H
#define FIGURES_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

/* As Markdown or as JSON; false, with a message, if it can't be written. */
bool columns_write(FILE *out, bool json);

#endif
