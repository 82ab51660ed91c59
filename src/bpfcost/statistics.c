#include "statistics.h"

#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>

int statistics_start(void)
{
    const int statistics = bpf_enable_stats(BPF_STATS_RUN_TIME);

    if (statistics < 0)
        err(EXIT_FAILURE, "cannot switch on the run-time statistics of BPF");
    return statistics;
}

void statistics_stop(int statistics)
{
    if (close(statistics) != 0)
        err(EXIT_FAILURE, "cannot switch off the run-time statistics of BPF");
}
