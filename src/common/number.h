/* Decimal numbers in texts. No signs before whole numbers, no blanks, no other bases, nothing that overflows:
 * strtoul() and strtod() alone would take all of these. */
#ifndef EXECTAX_NUMBER_H
#define EXECTAX_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* All return false if there is no such number within the bounds, and leave what they were given alone then.
 */

/* The whole number that *text begins with; *text moves behind it. */
bool number_next(const char **text, uint64_t max, uint64_t *value);

/* The text is a whole number, and nothing else. */
bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* The text is a number, and nothing else; it may have a fraction and an exponent. */
bool number_parse_real(const char *text, double min, double max, double *value);

/* The text is seconds, as number_parse_real() takes them, at most SECONDS_MAX; rounded to the nearest ns. */
bool number_parse_seconds(const char *text, double min_s, int64_t *ns);

/* Ten years: any more, and the sums with clock readings might overflow. In messages: "315360000". */
#define SECONDS_MAX 315360000

#endif
