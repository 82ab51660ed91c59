/* A thread for each CPU, which works beside the others and by itself. */
#ifndef COREWATCH_WATCH_H
#define COREWATCH_WATCH_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "options.h"

/* Writes a record an interval until one of these signals comes. */
void watch(const struct options *options, FILE *output, const sigset_t *signals);

#endif
