#include "slice.h"

#include "../common/clock.h"

/* The first calls after fork() copy pages and fill caches; from the 20th on, all cost the same. Each warms up
 * with a batch, 200 or more. */
static const struct call *warm_up(const struct batches *batches)
{
    for (unsigned i = 0; i < batches->call_count; i++)
        if (!batches->calls[i]->run(batches->fds[i], batches->calls[i]->batch))
            return batches->calls[i];
    return NULL;
}

static bool measure_batch(const struct call *call, int fd, struct tally *tally)
{
    const int64_t start_ns = now_ns();
    const int64_t start_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    const bool done = call->run(fd, call->batch);

    tally->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_cpu_ns;
    tally->end_ns = now_ns();
    tally->elapsed_ns += tally->end_ns - start_ns;
    if (tally->calls == 0)
        tally->start_ns = start_ns;
    tally->calls += call->batch;
    return done;
}

static void shuffle(unsigned *order, unsigned count, struct prng *prng)
{
    for (unsigned left = count; left > 1; left--) {
        const unsigned drawn = prng_below(prng, left), last = order[left - 1];

        order[left - 1] = order[drawn];
        order[drawn] = last;
    }
}

const struct call *slice_measure(const struct batches *batches, struct prng prng, struct slice *slice)
{
    const int64_t end_ns = now_ns() + batches->slice_ns;
    const struct call *failed = warm_up(batches);
    struct tally tallies[CALLS_MAX] = {0};
    unsigned order[CALLS_MAX];

    if (failed)
        return failed;
    for (unsigned i = 0; i < batches->call_count; i++)
        order[i] = i;
    do {
        shuffle(order, batches->call_count, &prng);
        for (unsigned i = 0; i < batches->call_count; i++) {
            const unsigned k = order[i];

            if (!measure_batch(batches->calls[k], batches->fds[k], &tallies[k]))
                return batches->calls[k];
        }
    } while (now_ns() < end_ns && !atomic_load(batches->stop));
    for (unsigned i = 0; i < batches->call_count; i++)
        slice->tallies[i] = tallies[i];
    return NULL;
}
