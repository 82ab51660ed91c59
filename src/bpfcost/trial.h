/* Whether a kind of attachment works here. */
#ifndef BPFCOST_TRIAL_H
#define BPFCOST_TRIAL_H

#include "kind.h"

/* NULL if it does, or what was in its way, in a buffer that the next call reuses. */
const char *trial_of(const struct kind *kind);

#endif
