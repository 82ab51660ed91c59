/* Numbers in the texts that the kernel writes. */
#ifndef CPUMETER_FIELD_H
#define CPUMETER_FIELD_H

#include <stdbool.h>
#include <stdint.h>

/* The decimal number at *text, after blanks; *text moves behind it. False if there is none or it does not
 * fit. */
bool field_next(const char **text, uint64_t *value);

/* The number on the line that begins with key, after which there must be a blank or a tab. */
bool field_find(const char *text, const char *key, uint64_t *value);

/* value * factor, or UINT64_MAX if that is too much. */
uint64_t field_scale(uint64_t value, uint64_t factor);

#endif
