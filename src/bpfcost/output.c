#include "output.h"

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "../common/clock.h"
#include "../common/json.h"

void refusals_add(struct refusals *refusals, const struct kind *kind, const char *reason)
{
    refusals->items = reallocarray(refusals->items, refusals->count + 1, sizeof(*refusals->items));
    if (!refusals->items)
        err(EXIT_FAILURE, "cannot allocate %zu reasons", refusals->count + 1);
    refusals->items[refusals->count] = (struct refusal){.kind = kind, .reason = strdup(reason)};
    if (!refusals->items[refusals->count++].reason)
        err(EXIT_FAILURE, "cannot allocate a reason");
}

void refusals_free(struct refusals *refusals)
{
    for (size_t i = 0; i < refusals->count; i++)
        free(refusals->items[i].reason);
    free(refusals->items);
}

void rows_write_header(FILE *out)
{
    fputs("kind,place,program,call,round,phase,state,call_ns,passes,runs,run_time_ns,own_runs,own_run_time_"
          "ns,watched_runs\n",
          out);
}

void rows_write(FILE *out, const struct bench *bench, size_t round, const struct phase phases[ROUND_PHASES])
{
    for (size_t i = 0; i < ROUND_PHASES; i++) {
        const struct phase *phase = &phases[i];

        fprintf(out, "%s,%s,%s,%s,%zu,%zu,%s,%.3f,", kind_name(bench->kind), place_names[bench->place],
                work_names[bench->work], bench->kind->call->name, round, i, state_names[round_phases[i]],
                phase->call_ns);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", phase->passes,
                phase->runs, phase->run_time_ns, phase->own_runs, phase->own_run_time_ns);
        if (bench->work != EMPTY)
            fprintf(out, "%" PRIu64, phase->watched_runs);
        putc('\n', out);
    }
}

static void write_number(FILE *out, const char *name, double value)
{
    if (isnan(value))
        fprintf(out, "\"%s\": null", name);
    else
        fprintf(out, "\"%s\": %.2f", name, value);
}

static void write_cost(FILE *out, const struct bench *bench, enum cost cost)
{
    size_t used;
    const struct interval interval = costs_interval(bench->rounds, bench->round_count, cost, &used);

    fprintf(out, ",\n     \"%s\": {", cost_names[cost]);
    write_number(out, "value", interval.value);
    fputs(", ", out);
    write_number(out, "low", interval.low);
    fputs(", ", out);
    write_number(out, "high", interval.high);
    fprintf(out, ", \"rounds\": %zu}", used);
}

static void write_bench(FILE *out, const struct bench *bench)
{
    fprintf(out,
            "    {\"kind\": \"%s\", \"place\": \"%s\", \"program\": \"%s\", \"call\": \"%s\", "
            "\"rounds\": %zu",
            kind_name(bench->kind), place_names[bench->place], work_names[bench->work],
            bench->kind->call->name, bench->round_count);
    for (int cost = 0; cost < COSTS; cost++)
        write_cost(out, bench, (enum cost)cost);
    putc('}', out);
}

static void write_host(FILE *out, const struct options *options)
{
    struct utsname host;

    if (uname(&host) != 0)
        err(EXIT_FAILURE, "cannot get the kernel's version");
    fputs("  \"kernel\": ", out);
    json_string(out, host.release);
    fprintf(out, ",\n  \"cpu\": %d,\n  \"duration_s\": %.3f,\n", options->cpu,
            (double)options->duration_ns / (double)NS_PER_SEC);
}

void summary_write(FILE *out, const struct options *options, const struct benches *benches,
                   const struct refusals *refusals)
{
    fputs("{\n", out);
    write_host(out, options);
    fputs("  \"costs\": [", out);
    for (size_t i = 0; i < benches->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        write_bench(out, &benches->items[i]);
    }
    fputs("\n  ],\n  \"unavailable\": [", out);
    for (size_t i = 0; i < refusals->count; i++) {
        fprintf(out, "%s    {\"kind\": \"%s\", \"reason\": ", i > 0 ? ",\n" : "\n",
                kind_name(refusals->items[i].kind));
        json_string(out, refusals->items[i].reason);
        putc('}', out);
    }
    fputs(refusals->count > 0 ? "\n  ]\n}\n" : "]\n}\n", out);
}
