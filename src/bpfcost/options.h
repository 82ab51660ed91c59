#ifndef BPFCOST_OPTIONS_H
#define BPFCOST_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    int64_t duration_ns;
    int64_t phase_ns;
    int cpu; /* -1: the one that it is on */
    bool list;
    const char *kinds; /* NULL: all */
    const char *rows_path, *summary_path;
};

void options_parse(struct options *options, int argc, char **argv);

/* Whether a list, as --kinds has it, names the kind, or what is before one of its colons. list: NULL is all.
 */
bool options_names(const char *list, const char *kind);

/* NULL, or the first part of the list that names none; it is not terminated, but *length long. */
const char *options_unknown(const char *list, int *length);

#endif
