/* The result. */
#ifndef HOSTRATES_OUTPUT_H
#define HOSTRATES_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tally.h"

void output_write(FILE *out, const struct tally *tally, bool with_syscalls, uint64_t missed,
                  bool interrupted);

#endif
