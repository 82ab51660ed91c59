/* bpfcost: what BPF programs cost whoever triggers them, beside what the kernel counts. */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "../common/cpulist.h"
#include "../common/outfile.h"
#include "../common/usage.h"
#include "bench.h"
#include "options.h"
#include "output.h"
#include "statistics.h"
#include "trial.h"

static void stay_on_cpu(struct options *options)
{
    if (options->cpu < 0)
        options->cpu = sched_getcpu();
    if (options->cpu < 0)
        err(EXIT_FAILURE, "cannot find out which CPU this is");
    if (cpulist_bind((unsigned)options->cpu) < 0)
        err(EXIT_USAGE, "--cpu '%d': expected a CPU that may be used", options->cpu);
}

static void list_kinds(FILE *out, const char *list)
{
    for (size_t i = 0; i < kind_count; i++) {
        const char *problem;

        if (!options_names(list, kind_name(&kinds[i])))
            continue;
        problem = trial_of(&kinds[i]);
        fprintf(out, "%s\t%s\n", kind_name(&kinds[i]), problem ? problem : "works");
    }
}

static bool is_wanted(const struct kind *kind, const char *list)
{
    return list ? options_names(list, kind_name(kind)) : !kind_is_dear(kind);
}

static void prepare(struct benches *benches, struct refusals *refusals, const struct options *options)
{
    for (size_t i = 0; i < kind_count; i++) {
        const char *problem;

        if (!is_wanted(&kinds[i], options->kinds))
            continue;
        problem = trial_of(&kinds[i]);
        if (problem)
            refusals_add(refusals, &kinds[i], problem);
        else
            benches_add(benches, &kinds[i]);
    }
    if (benches->count == 0)
        errx(EXIT_FAILURE, "nothing can be measured: %s: %s", kind_name(refusals->items[0].kind),
             refusals->items[0].reason);
    for (size_t i = 0; i < refusals->count; i++)
        warnx("left out: %s: %s", kind_name(refusals->items[i].kind), refusals->items[i].reason);
}

/* All cases in turn, so that an unlucky second is not all of one of them. The first round is taken to its
 * end. */
static void run(struct benches *benches, const struct options *options, FILE *rows)
{
    const int64_t end_ns = now_ns() + options->duration_ns;

    benches_size(benches, options->phase_ns);
    for (size_t round = 0;; round++) {
        for (size_t i = 0; i < benches->count; i++) {
            struct phase phases[ROUND_PHASES];

            if (round > 0 && now_ns() >= end_ns)
                return;
            bench_round(&benches->items[i], phases);
            if (rows)
                rows_write(rows, &benches->items[i], round, phases);
        }
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct benches benches = {0};
    struct refusals refusals = {0};
    struct outfile summary, rows = {0};

    options_parse(&options, argc, argv);
    stay_on_cpu(&options);
    attachment_init();
    statistics_stop(statistics_start());
    outfile_open(&summary, "summary", options.summary_path);
    if (options.list) {
        list_kinds(summary.stream, options.kinds);
        outfile_close(&summary);
        return EXIT_SUCCESS;
    }
    if (options.rows_path) {
        outfile_open(&rows, "rows", options.rows_path);
        rows_write_header(rows.stream);
    }
    prepare(&benches, &refusals, &options);
    run(&benches, &options, rows.stream);
    if (rows.stream)
        outfile_close(&rows);
    summary_write(summary.stream, &options, &benches, &refusals);
    outfile_close(&summary);
    benches_free(&benches);
    refusals_free(&refusals);
    return EXIT_SUCCESS;
}
