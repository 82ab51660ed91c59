/* The signals that end a program early. */
#ifndef EXECTAX_SIGNALS_H
#define EXECTAX_SIGNALS_H

#include <signal.h>

/* Blocks all signals, for all threads and processes to come as well. Returns those of SIGINT, SIGTERM and
 * SIGHUP to sigwait() for: under nohup, SIGHUP stays ignored. inherited: the mask before; may be NULL. */
sigset_t signals_block(sigset_t *inherited);

#endif
