/* Values of options. Each returns NULL, or what was expected instead of the text. */
#ifndef EXECRATE_PARSE_H
#define EXECRATE_PARSE_H

#include <stdint.h>

#define THREADS_MAX 1024

const char *parse_rate(const char *text, uint64_t *rate_uhz);
/* "auto" is 0. */
const char *parse_threads(const char *text, unsigned *threads);

#endif
