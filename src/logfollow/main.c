/* logfollow: writes down when each execution's tag became readable in a log. */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "logfile.h"
#include "options.h"
#include "tally.h"

static void block_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    /* A blocked signal comes even if the parent had it ignored, as shells do for background commands. */
    if (sigprocmask(SIG_BLOCK, signals, NULL) < 0)
        err(EXIT_FAILURE, "cannot block SIGINT and SIGTERM");
}

/* False if a signal came. */
static bool sleep_until(int64_t mono_ns, const sigset_t *signals)
{
    int64_t left_ns = mono_ns - now_ns();
    struct timespec left = {0};

    if (left_ns > 0)
        left = to_timespec(left_ns);
    if (sigtimedwait(signals, NULL, &left) > 0)
        return false;
    if (errno != EAGAIN && errno != EINTR)
        err(EXIT_FAILURE, "cannot wait for the next look");
    return true;
}

static void look_at_all(struct logfile *files, size_t count, struct tally *tally)
{
    for (size_t i = 0; i < count; i++)
        logfile_look(&files[i], tally);
}

static void follow(struct logfile *files, const struct options *options, struct tally *tally,
                   const sigset_t *signals)
{
    int64_t began_ns;

    do {
        began_ns = now_ns();
        look_at_all(files, options->count, tally);
    } while (sleep_until(began_ns + options->interval_ns, signals));
    look_at_all(files, options->count, tally);
}

int main(int argc, char **argv)
{
    struct options options;
    struct tally tally;
    struct logfile *files;
    sigset_t signals;

    options_parse(&options, argc, argv);
    files = calloc(options.count, sizeof(*files));
    if (!files)
        err(EXIT_FAILURE, "cannot allocate memory for %zu files", options.count);
    for (size_t i = 0; i < options.count; i++)
        logfile_init(&files[i], options.paths[i], &options);
    tally_open(&tally, &options);
    block_signals(&signals);
    tally_begin(&tally);

    follow(files, &options, &tally, &signals);

    for (size_t i = 0; i < options.count; i++)
        logfile_finish(&files[i], &tally);
    tally_close(&tally);
    free(files);
    return EXIT_SUCCESS;
}
