#include "tally.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tally_open(struct tally *tally, const struct options *options)
{
    memset(tally, 0, sizeof(*tally));
    tally->path = options->output_path;
    tally->out = stdout;
    if (!tally->path)
        return;
    tally->out = fopen(tally->path, "we");
    if (!tally->out)
        err(EXIT_USAGE, "--output '%s': cannot write to it", tally->path);
}

static void cannot_write(const struct tally *tally)
{
    err(EXIT_FAILURE, "cannot write %s", tally->path ? tally->path : "to stdout");
}

void tally_begin(struct tally *tally)
{
    if (fputs("seq,time_real_ns\n", tally->out) < 0 || fflush(tally->out) != 0)
        cannot_write(tally);
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
    if (new > 0 && fprintf(tally->out, "%" PRIu64 ",%" PRId64 "\n", seq, tally->time_real_ns) < 0)
        cannot_write(tally);
}

void tally_close(struct tally *tally)
{
    if (fclose(tally->out) != 0)
        cannot_write(tally);
    if (tally->too_large)
        warnx("%" PRIu64 " tags left out: their sequences are above %" PRIu32, tally->too_large, SEEN_MAX);
    seen_free(&tally->seen);
}
