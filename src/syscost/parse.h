/* Values of options. Each returns NULL, or what was expected instead of the text. */
#ifndef SYSCOST_PARSE_H
#define SYSCOST_PARSE_H

#include <stdint.h>

#include "calls.h"

const char *parse_slice(const char *text, int64_t *slice_ns);

/* Names with commas between them. */
const char *parse_calls(const char *text, const struct call *found[CALLS_MAX], unsigned *count);

#endif
