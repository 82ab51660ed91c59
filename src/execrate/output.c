#include "output.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../common/clock.h"
#include "../common/json.h"
#include "environment.h"
#include "schedule.h"

void output_open(struct output *output, const struct options *options)
{
    *output = (struct output){0};
    outfile_open(&output->json, "json", options->json_path);
    if (!options->launches_path)
        return;
    outfile_open(&output->launches, "launches", options->launches_path);
    if (outfile_is_same(&output->json, &output->launches))
        errx(EXIT_USAGE, "--json and --launches: expected two different files");
}

static void write_failures(FILE *out, const struct stats *stats)
{
    const char *separator = "";

    fputs("  \"failures\": {", out);
    for (int error = 0; error < ERRNO_MAX; error++) {
        const char *name = strerrorname_np(error);

        if (!stats->failures[error])
            continue;
        fprintf(out, "%s\"%s\": %" PRIu64, separator, name ? name : "unknown", stats->failures[error]);
        separator = ", ";
    }
    fputs("},\n", out);
}

static void write_percentiles_us(FILE *out, const char *name, const struct percentiles *ns)
{
    fprintf(out, "  \"%s\": {\"p50\": %.3f, \"p90\": %.3f, \"p99\": %.3f, \"p999\": %.3f, \"max\": %.3f},\n",
            name, (double)ns->p50 / 1e3, (double)ns->p90 / 1e3, (double)ns->p99 / 1e3, (double)ns->p999 / 1e3,
            (double)ns->max / 1e3);
}

static void write_string(FILE *out, const char *name, const char *value)
{
    fprintf(out, "  \"%s\": ", name);
    if (value)
        json_string(out, value);
    else
        fputs("null", out);
    fputs(",\n", out);
}

static void write_count(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, value);
}

static void write_time(FILE *out, const char *name, int64_t ns)
{
    fprintf(out, "  \"%s\": %" PRId64 ",\n", name, ns);
}

static void write_bool(FILE *out, const char *name, bool value)
{
    fprintf(out, "  \"%s\": %s,\n", name, value ? "true" : "false");
}

static void write_actions(FILE *out, const struct options *options)
{
    fputs("  \"actions\": [", out);
    for (unsigned i = 0; i < options->action_count; i++) {
        fputs(i ? ", " : "", out);
        json_string(out, options->actions[i]->name);
    }
    fputs("],\n", out);
}

static void write_asked_for(FILE *out, const struct run *run)
{
    const struct options *options = run->options;
    char text[1024] = "";

    if (options->max)
        fputs("  \"rate_hz\": null,\n", out);
    else
        fprintf(out, "  \"rate_hz\": %.16g,\n", (double)options->rate_uhz / (double)UHZ_PER_HZ);
    fprintf(out, "  \"duration_s\": %.16g,\n", (double)options->duration_ns / (double)NS_PER_SEC);
    write_count(out, "threads", run->threads);
    cpulist_format(&run->cpus, text, sizeof(text));
    write_string(out, "cpus", text);
    write_actions(out, options);
    write_string(out, "command", options->command);
    write_string(out, "tag", options->tag);
    if (options->has_groups)
        fprintf(out, "  \"groups\": [%u, %u],\n  \"block_launches\": %u,\n  \"seed\": %" PRIu64 ",\n",
                options->groups[0], options->groups[1], BLOCK_LAUNCHES, options->seed);
    fprintf(out, "  \"environment\": {\"variables\": %zu, \"bytes\": %zu},\n", environment_variables(),
            environment_bytes());
}

void write_json(FILE *out, const struct run *run, const struct stats *stats)
{
    fputs("{\n", out);
    write_asked_for(out, run);
    write_count(out, "asked", stats->asked);
    write_count(out, "launched", stats->launched);
    write_count(out, "failed", stats->failed);
    write_count(out, "missed", stats->missed);
    write_failures(out, stats);
    write_count(out, "child_nonzero_exits", stats->nonzero_exits);
    fprintf(out, "  \"covered_s\": %.9f,\n", stats->covered_s);
    fprintf(out, "  \"achieved_hz\": %.6f,\n", stats->achieved_hz);
    if (run->options->max)
        fputs("  \"reached\": null,\n", out);
    else
        write_bool(out, "reached", stats->reached);
    write_bool(out, "saturated", stats->saturated);
    write_bool(out, "interrupted", run->interrupted_by != 0);
    write_bool(out, "room_used_up", run->room_used_up);
    if (run->options->max)
        fputs("  \"lateness_us\": null,\n", out);
    else
        write_percentiles_us(out, "lateness_us", &stats->lateness_ns);
    write_percentiles_us(out, "spawn_to_exit_us", &stats->spawn_to_exit_ns);
    fprintf(out, "  \"child_cpu_us\": {\"mean\": %.3f, \"p50\": %" PRId64 ", \"p99\": %" PRId64 "},\n",
            stats->child_cpu_mean_usec, stats->child_cpu_usec.p50, stats->child_cpu_usec.p99);
    fprintf(out, "  \"self_cpu_us_per_launch\": %.3f,\n", stats->self_cpu_usec_per_launch);
    write_time(out, "start_mono_ns", run->start_ns);
    write_time(out, "end_mono_ns", run->end_ns);
    write_time(out, "start_real_ns", run->start_ns + run->real_offset_ns);
    write_time(out, "end_real_ns", run->end_ns + run->real_offset_ns);
    fprintf(out, "  \"real_step_ns\": %" PRId64 "\n}\n", run->real_step_ns);
}

static void write_status(FILE *out, const struct launch *launch)
{
    const char *name = launch->error ? strerrorname_np(launch->error) : NULL;

    if (name)
        fputs(name, out);
    else if (launch->error)
        fprintf(out, "E%d", launch->error);
    else if (WIFSIGNALED(launch->wait_status))
        fprintf(out, "SIG%s", sigabbrev_np(WTERMSIG(launch->wait_status)));
    else
        fprintf(out, "%d", WEXITSTATUS(launch->wait_status));
}

static void write_group(FILE *out, const struct launch *launch)
{
    fprintf(out, ",%u", launch->group);
    if (launch->error)
        fputs(",,,,", out);
    else
        fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, launch->launcher_cpu_ns,
                launch->minor_faults, launch->voluntary_switches, launch->involuntary_switches);
    fprintf(out, ",%u", launch->cpu);
}

static void write_launch(FILE *out, const struct run *run, uint64_t seq)
{
    const struct launch *launch = &run->launches[seq];
    int64_t due_ns = run->start_ns;

    fprintf(out, "%" PRIu64, seq);
    if (run->options->max) {
        fprintf(out, ",,%" PRId64 ",,%" PRId64, launch->start_ns, launch->start_ns + run->real_offset_ns);
    } else {
        due_ns += schedule_due_ns(run->options->rate_uhz, seq);
        fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, due_ns, launch->start_ns,
                due_ns + run->real_offset_ns, launch->start_ns + run->real_offset_ns);
    }
    if (launch->error)
        fputs(",,,", out);
    else
        fprintf(out, ",%" PRId64 ",%" PRId64 ",", launch->cpu_usec, launch->reaped_ns - launch->start_ns);
    write_status(out, launch);
    if (run->options->has_groups)
        write_group(out, launch);
    putc('\n', out);
}

void write_launches(FILE *out, const struct run *run)
{
    fputs("seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status",
          out);
    if (run->options->has_groups)
        fputs(",group,launcher_cpu_ns,minor_faults,voluntary_switches,involuntary_switches,cpu", out);
    putc('\n', out);
    for (uint64_t seq = 0; seq < run->capacity; seq++)
        if (run->launches[seq].start_ns)
            write_launch(out, run, seq);
}

void output_write(const struct output *output, const struct run *run, const struct stats *stats)
{
    if (output->launches.stream) {
        write_launches(output->launches.stream, run);
        outfile_close(&output->launches);
    }
    write_json(output->json.stream, run, stats);
    outfile_close(&output->json);
}
