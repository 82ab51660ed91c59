#include "tally.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tally_open(struct tally *tally, const struct options *options)
{
    memset(tally, 0, sizeof(*tally));
    outfile_open(&tally->out, "output", options->output_path);
}

void tally_begin(struct tally *tally)
{
    fputs("seq,time_real_ns\n", tally->out.stream);
    outfile_flush(&tally->out);
}

void tally_add(void *arg, uint64_t seq)
{
    struct tally *tally = arg;
    int new;

    if (seq > SEEN_MAX) {
        tally->too_large++;
        return;
    }
    new = seen_add(&tally->seen, seq);
    if (new < 0)
        err(EXIT_FAILURE, "cannot allocate memory for sequences up to %" PRIu64, seq);
    if (new > 0 && fprintf(tally->out.stream, "%" PRIu64 ",%" PRId64 "\n", seq, tally->time_real_ns) < 0)
        outfile_fail(&tally->out);
}

void tally_close(struct tally *tally)
{
    outfile_close(&tally->out);
    if (tally->too_large)
        warnx("%" PRIu64 " tags left out: their sequences are above %" PRIu32, tally->too_large, SEEN_MAX);
    seen_free(&tally->seen);
}
