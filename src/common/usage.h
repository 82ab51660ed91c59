/* What all programs do alike with their command lines: a wrong one ends them with one line on stderr and
 * EXIT_USAGE. */
#ifndef EXECTAX_USAGE_H
#define EXECTAX_USAGE_H

#include <argp.h>
#include <stdint.h>

#define EXIT_USAGE 2

#ifndef EXECTAX_VERSION
#define EXECTAX_VERSION "unknown"
#endif

/* For argp_program_version; name: a string literal. */
#define USAGE_VERSION(name) name " (exectax) " EXECTAX_VERSION

/* argp_parse, with the program's short name in messages. */
void usage_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What an argp parser returns for the keys that are not its own; refuses arguments, ARGP_KEY_ARG. */
error_t usage_default(int key, const char *arg, struct argp_state *state);

/* expected: what a parser of values returned, NULL if it took the value. */
void usage_check_value(const char *option, const char *value, const char *expected);

/* The option's value, a whole number; it ends the program if it is not within the bounds. */
uint64_t usage_number(const char *option, const char *value, uint64_t min, uint64_t max);

#endif
