/* execrate: launches a command at a fixed rate, open loop, and reports what became of each launch. */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "options.h"
#include "output.h"
#include "run.h"
#include "stats.h"

/* --max had no room for more launches before its time was over. */
#define EXIT_ROOM_USED_UP 3

/* What is launched inherits it. */
static void stdin_from_dev_null(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        err(EXIT_FAILURE, "cannot open /dev/null");
    if (fd != STDIN_FILENO && (dup2(fd, STDIN_FILENO) < 0 || close(fd) < 0))
        err(EXIT_FAILURE, "cannot make /dev/null the standard input");
}

static int exit_status(const struct run *run, const struct stats *stats)
{
    if (run->interrupted_by)
        return 128 + run->interrupted_by;
    if (!run->room_used_up)
        return EXIT_SUCCESS;
    warnx("--max ended after %.3f s: there is room for %llu launches, and no more; the figures are of that "
          "time",
          stats->covered_s, (unsigned long long)run->capacity);
    return EXIT_ROOM_USED_UP;
}

int main(int argc, char **argv)
{
    struct options options;
    struct output output;
    struct run run;
    struct stats stats;

    options_parse(&options, argc, argv);
    stdin_from_dev_null();
    run_init(&run, &options);
    output_open(&output, &options);

    run_launches(&run);

    stats_compute(&stats, &run);
    output_write(&output, &run, &stats);
    run_free(&run);
    return exit_status(&run, &stats);
}
