/* hostrates: how many executions and system calls a second this host has of its own. */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "../common/outfile.h"
#include "../common/signals.h"
#include "../common/textfile.h"
#include "counting.h"
#include "options.h"
#include "output.h"
#include "tally.h"

static void take_reading(struct tally *tally, const struct counting *counting)
{
    const char *stat = textfile_read_once("/proc", "stat");
    struct reading reading;

    if (!stat)
        err(EXIT_FAILURE, "cannot read /proc/stat");
    if (!forks_parse(stat, &reading.counts[FORKS]))
        errx(EXIT_FAILURE, "/proc/stat: expected a line with the number of processes");
    counting_read(counting, reading.counts);
    reading.time_ns = now_ns();
    tally_add(tally, &reading);
}

/* False: a signal came first. */
static bool wait_until(int64_t due_ns, const sigset_t *ending)
{
    for (;;) {
        const int64_t left_ns = due_ns - now_ns();
        const struct timespec timeout = to_timespec(left_ns > 0 ? left_ns : 0);

        if (sigtimedwait(ending, NULL, &timeout) >= 0)
            return false;
        if (errno == EAGAIN && now_ns() >= due_ns)
            return true;
        if (errno != EAGAIN && errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for the next reading");
    }
}

/* A reading each second, and one at the end. False: a signal ended it. */
static bool count(struct tally *tally, const struct counting *counting, int64_t duration_ns,
                  const sigset_t *ending)
{
    const int64_t start_ns = now_ns();
    bool goes_on = true;

    take_reading(tally, counting);
    for (int64_t passed_ns = NS_PER_SEC; goes_on && passed_ns <= duration_ns; passed_ns += NS_PER_SEC) {
        goes_on = wait_until(start_ns + passed_ns, ending);
        take_reading(tally, counting);
    }
    return goes_on;
}

int main(int argc, char **argv)
{
    struct options options;
    struct counting counting;
    struct tally tally = {0};
    struct outfile out;
    sigset_t ending;
    bool complete;

    options_parse(&options, argc, argv);
    outfile_open(&out, "output", options.output_path);
    ending = signals_block(NULL);
    counting_begin(&counting, options.syscalls);
    complete = count(&tally, &counting, options.duration_ns, &ending);
    output_write(out.stream, &tally, options.syscalls, counting_missed(&counting), !complete);
    outfile_close(&out);
    counting_end(&counting);
    return EXIT_SUCCESS;
}
