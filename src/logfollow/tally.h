/* Where the scanners' findings go: a CSV record for each sequence that was not seen before. */
#ifndef LOGFOLLOW_TALLY_H
#define LOGFOLLOW_TALLY_H

#include <stdint.h>

#include "../common/outfile.h"
#include "options.h"
#include "seen.h"

struct tally {
    struct outfile out;
    struct seen seen;
    int64_t time_real_ns; /* of the read that is being scanned */
    uint64_t too_large;
};

void tally_open(struct tally *tally, const struct options *options);
/* Tells whoever waits for the output's first line that the files are being followed. */
void tally_begin(struct tally *tally);
/* A scanner_found; arg is the tally. */
void tally_add(void *arg, uint64_t seq);
void tally_close(struct tally *tally);

#endif
