#include "output.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "../common/usage.h"
#include "summary.h"

void output_open(struct output *output, const struct options *options)
{
    *output = (struct output){0};
    outfile_open(&output->json, "json", options->json_path);
    if (!options->output_path)
        return;
    outfile_open(&output->csv, "output", options->output_path);
    if (outfile_is_same(&output->json, &output->csv))
        errx(EXIT_USAGE, "--json and --output: expected two different files");
}

static void write_settings(FILE *out, const struct run *run)
{
    const struct options *options = run->options;
    char cpus[1024];

    cpulist_format(&options->cpus, cpus, sizeof(cpus));
    fprintf(out, "  \"duration_s\": %.16g,\n", (double)options->duration_ns / (double)NS_PER_SEC);
    fprintf(out, "  \"slice_s\": %.16g,\n", (double)options->slice_ns / (double)NS_PER_SEC);
    fprintf(out, "  \"cpus\": \"%s\",\n", cpus);
    fputs("  \"calls\": [", out);
    for (unsigned i = 0; i < options->call_count; i++)
        fprintf(out, "%s\"%s\"", i ? ", " : "", options->calls[i]->name);
    fputs("],\n", out);
    if (options->has_groups)
        fprintf(out, "  \"groups\": [%u, %u],\n", options->groups[0], options->groups[1]);
    else
        fputs("  \"groups\": null,\n", out);
    fprintf(out, "  \"seed\": %" PRIu32 ",\n", options->seed);
}

static void write_summary(FILE *out, const struct run *run, unsigned call, unsigned group)
{
    const struct options *options = run->options;
    const struct summary summary = summarize(run, call, group);

    fprintf(out, "    {\"call\": \"%s\", ", options->calls[call]->name);
    if (options->has_groups)
        fprintf(out, "\"group\": %u, ", options->groups[group]);
    else
        fputs("\"group\": null, ", out);
    fprintf(out, "\"slices\": %" PRIu64 ", \"calls\": %" PRIu64 ", ", summary.slices, summary.calls);
    if (summary.slices)
        fprintf(out, "\"mean_ns\": %.3f, \"median_ns\": %.3f}", summary.mean_ns, summary.median_ns);
    else
        fputs("\"mean_ns\": null, \"median_ns\": null}", out);
}

void write_json(FILE *out, const struct run *run)
{
    const unsigned groups = run->options->has_groups ? 2 : 1;
    const char *separator = "\n";

    fputs("{\n", out);
    write_settings(out, run);
    fputs("  \"costs\": [", out);
    for (unsigned call = 0; call < run->options->call_count; call++)
        for (unsigned group = 0; group < groups; group++) {
            fputs(separator, out);
            write_summary(out, run, call, group);
            separator = ",\n";
        }
    fputs("\n  ],\n", out);
    fprintf(out, "  \"interrupted\": %s,\n", run->interrupted_by ? "true" : "false");
    fprintf(out, "  \"start_mono_ns\": %" PRId64 ",\n", run->start_ns);
    fprintf(out, "  \"end_mono_ns\": %" PRId64 ",\n", run->end_ns);
    fprintf(out, "  \"real_offset_ns\": %" PRId64 ",\n", run->real_offset_ns);
    fprintf(out, "  \"real_step_ns\": %" PRId64 "\n}\n", run->real_step_ns);
}

static void write_slice(FILE *out, const struct options *options, const struct worker *worker, size_t number)
{
    const struct slice *slice = &worker->slices[number];

    for (unsigned i = 0; i < options->call_count; i++) {
        const struct tally *tally = &slice->tallies[i];

        fprintf(out, "%zu,%u,", number, worker->cpu);
        if (options->has_groups)
            fprintf(out, "%u", options->groups[slice->group]);
        fprintf(out, ",%s,%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
                options->calls[i]->name, tally->calls, tally->cpu_ns, tally->elapsed_ns, tally->start_ns,
                tally->end_ns);
    }
}

void write_csv(FILE *out, const struct run *run)
{
    fputs("slice,cpu,group,call,calls,cpu_ns,elapsed_ns,start_mono_ns,end_mono_ns\n", out);
    for (unsigned i = 0; i < run->worker_count; i++)
        for (size_t number = 0; number < run->workers[i].count; number++)
            write_slice(out, run->options, &run->workers[i], number);
}

void output_write(const struct output *output, const struct run *run)
{
    if (output->csv.stream) {
        write_csv(output->csv.stream, run);
        outfile_close(&output->csv);
    }
    write_json(output->json.stream, run);
    outfile_close(&output->json);
}
