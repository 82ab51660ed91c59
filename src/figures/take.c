#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

/* With fewer launches in it, those that were under way at the ends of a window that was cut short are too
 * many. */
#define CUT_WINDOW_MIN_LAUNCHES 200

/* The load may have ended within window B, on a host that is slow to start what measures there. Its figures
 * are per execution, so what is left of it will do if it is long enough. */
static bool window_b_is_cut(const struct raw *raw)
{
    double load_end_ns =
        raw_number(raw, RAW_LOAD, "start_mono_ns") + raw_number(raw, RAW_LOAD, "duration_s") * 1e9;

    return window_end_ns(&raw->window[WINDOW_B]) > load_end_ns;
}

/* Launches that figures of the window can be based on. */
static double launches_in(const struct raw *raw, int window)
{
    double count = raw->launches.in[window].count;

    if (window == WINDOW_B && window_b_is_cut(raw) && !(count >= CUT_WINDOW_MIN_LAUNCHES))
        return UNKNOWN;
    return count;
}

double take_per_execution(const struct raw *raw, int window, double ns)
{
    return ns / 1000 / launches_in(raw, window);
}

double take_per_window(const struct raw *raw, int window, double ns)
{
    return ns / 1e7 / window_seconds(&raw->window[window]);
}

double take_growth(const struct raw *raw, const struct growth *growth)
{
    double ns = window_growth(&raw->window[growth->window], growth->source, growth->name);

    return growth->per == PER_EXECUTION ? take_per_execution(raw, growth->window, ns)
                                        : take_per_window(raw, growth->window, ns);
}

double take_field(const struct raw *raw, const struct field *field)
{
    const json_t *value = json_object_get(raw->json[field->file], field->path);

    if (json_is_boolean(value))
        return json_is_true(value);
    return raw_number(raw, field->file, field->path);
}

/* Of an attached process there is no group. */
static double daemon_ns(const struct raw *raw)
{
    double group_ns = window_growth(&raw->window[WINDOW_A], "cgroup", "monitor");

    return is_known(group_ns) ? group_ns : window_growth(&raw->window[WINDOW_A], "pid", "monitor");
}

/* With less of the CPUs idle, other work on the host takes what is left, and less of it where a monitor takes
 * more: the machine's busy time does not tell what the monitor adds. */
#define LEAST_IDLE 0.05

/* Of what is done besides executing, at a steady rate. */
static double mix_ns(const struct raw *raw)
{
    if (!raw->json[RAW_MIX])
        return 0;
    return raw_number(raw, RAW_MIX, "self_cpu_us_per_launch") * raw_number(raw, RAW_MIX, "launched") /
           raw_number(raw, RAW_MIX, "covered_s") * window_seconds(&raw->window[WINDOW_A]) * 1e3;
}

static double loaded_ns(const struct raw *raw)
{
    return window_growth(&raw->window[WINDOW_A], "cgroup", "load") - mix_ns(raw);
}

static double sampler_ns(const struct raw *raw)
{
    return window_growth(&raw->window[WINDOW_A], "cgroup", "sampler");
}

static double host_ns(const struct raw *raw, int window, const char *name)
{
    return window_growth(&raw->window[window], "host", name);
}

static double helpers_ns(const struct raw *raw)
{
    struct helper *helpers;
    size_t count = window_helpers(&raw->window[WINDOW_A], &helpers);
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += helpers[i].cpu_ns;
        free(helpers[i].name);
    }
    free(helpers);
    return sum;
}

double take_daemon_us(const struct raw *raw)
{
    return take_per_execution(raw, WINDOW_A, daemon_ns(raw));
}

double take_daemon_cpu(const struct raw *raw)
{
    return take_per_window(raw, WINDOW_A, daemon_ns(raw));
}

static double bpf_ns(const struct raw *raw)
{
    return raw->bpf_metered ? window_bpf_ns(&raw->window[WINDOW_B]) : UNKNOWN;
}

double take_bpf_us(const struct raw *raw)
{
    return take_per_execution(raw, WINDOW_B, bpf_ns(raw));
}

/* The machine's busy time per execution that so many of the samples stand for. */
static double sampled_us(const struct raw *raw, double samples)
{
    double busy_us = take_per_execution(raw, WINDOW_B, host_ns(raw, WINDOW_B, "busy"));

    return raw->profile.busy > 0 ? samples / raw->profile.busy * busy_us : UNKNOWN;
}

/* Three standard errors of the sampling, and never less than 2 us. */
static double tolerance_us(const struct raw *raw, double samples)
{
    return fmax(2, 3 * sampled_us(raw, sqrt(fmax(samples, 1))));
}

/* Whether the counted run time is out of what perf sampled: it is the time within programs, and some of that
 * around them, in which the clock is read. */
static bool perf_differs(const struct raw *raw)
{
    double least = raw->profile.bpf, most = fmax(least, raw->payers.all_runs);

    return take_bpf_us(raw) < sampled_us(raw, least) - tolerance_us(raw, least) ||
           take_bpf_us(raw) > sampled_us(raw, most) + tolerance_us(raw, most);
}

/* What is split. Programs that run with interrupts off are counted and never sampled, so nobody knows in
 * whose time that was: where the two differ for that reason, only what was sampled is split. */
static double split_us(const struct raw *raw)
{
    return perf_differs(raw) ? fmin(take_bpf_us(raw), take_bpf_perf_us(raw)) : take_bpf_us(raw);
}

static double share_of(const struct raw *raw, enum payer payer)
{
    return raw->payers.all_runs > 1 ? raw->payers.runs[payer] / raw->payers.all_runs : UNKNOWN;
}

/* Of so many samples, each is that payer's or not: a binomial share. A share of nothing or all is as
 * uncertain as one of a single sample. */
static double share_error_of(const struct raw *raw, enum payer payer)
{
    double all = raw->payers.all_runs, of_payer = fmin(fmax(raw->payers.runs[payer], 1), all - 1);

    if (!(all > 1))
        return UNKNOWN;
    return sqrt(of_payer * (all - of_payer) / all) / all;
}

static double paid_us(const struct raw *raw, enum payer payer)
{
    return split_us(raw) * share_of(raw, payer);
}

static double paid_error_us(const struct raw *raw, enum payer payer)
{
    return split_us(raw) * share_error_of(raw, payer);
}

double take_bpf_program_us(const struct raw *raw)
{
    return paid_us(raw, PAYER_WATCHED);
}

double take_bpf_program_error_us(const struct raw *raw)
{
    return paid_error_us(raw, PAYER_WATCHED);
}

double take_bpf_parent_us(const struct raw *raw)
{
    return paid_us(raw, PAYER_LAUNCHER);
}

double take_bpf_parent_error_us(const struct raw *raw)
{
    return paid_error_us(raw, PAYER_LAUNCHER);
}

double take_bpf_daemon_us(const struct raw *raw)
{
    return paid_us(raw, PAYER_DAEMON);
}

double take_bpf_other_us(const struct raw *raw)
{
    return paid_us(raw, PAYER_OTHER);
}

double take_bpf_cpu(const struct raw *raw)
{
    return is_known(launches_in(raw, WINDOW_B)) ? take_per_window(raw, WINDOW_B, bpf_ns(raw)) : UNKNOWN;
}

double take_bpf_runs(const struct raw *raw)
{
    if (!raw->bpf_metered)
        return UNKNOWN;
    return window_bpf_runs(&raw->window[WINDOW_B]) / launches_in(raw, WINDOW_B);
}

double take_child_cpu_mean_us(const struct raw *raw)
{
    return raw->launches.in[WINDOW_A].child_cpu_mean_us;
}

double take_parent_cpu_us(const struct raw *raw)
{
    return take_per_execution(raw, WINDOW_A, loaded_ns(raw)) - take_child_cpu_mean_us(raw);
}

static bool has_no_idle_time(const struct raw *raw)
{
    return host_ns(raw, WINDOW_A, "busy") > (1 - LEAST_IDLE) * host_ns(raw, WINDOW_A, "elapsed");
}

double take_host_busy_us(const struct raw *raw)
{
    if (has_no_idle_time(raw))
        return UNKNOWN;
    return take_per_execution(raw, WINDOW_A, host_ns(raw, WINDOW_A, "busy") - sampler_ns(raw));
}

double take_busy_cpu(const struct raw *raw)
{
    if (has_no_idle_time(raw))
        return UNKNOWN;
    return take_per_window(raw, WINDOW_A, host_ns(raw, WINDOW_A, "busy") - sampler_ns(raw));
}

double take_other_tasks_us(const struct raw *raw)
{
    return take_per_execution(raw, WINDOW_A,
                              host_ns(raw, WINDOW_A, "tasks") - daemon_ns(raw) - loaded_ns(raw) -
                                  sampler_ns(raw) - helpers_ns(raw));
}

double take_outside_tasks_us(const struct raw *raw)
{
    return take_per_execution(raw, WINDOW_A,
                              host_ns(raw, WINDOW_A, "busy") - host_ns(raw, WINDOW_A, "tasks"));
}

double take_pidstat_daemon(const struct raw *raw)
{
    return raw->pidstat.cpu[ROLE_DAEMON];
}

double take_pidstat_services(const struct raw *raw)
{
    return raw->pidstat.cpu[ROLE_HELPER];
}

double take_bpf_perf_us(const struct raw *raw)
{
    return sampled_us(raw, raw->profile.bpf);
}

double take_bpf_perf_error_us(const struct raw *raw)
{
    return sampled_us(raw, sqrt(fmax(raw->profile.bpf, 1)));
}

/* perf counts for as long as window B is, but not from the same instant on, so both are taken per second. */
static double instructions(const struct raw *raw, const char *counter)
{
    double per_sec =
        raw_number(raw, RAW_INSTRUCTIONS, counter) / raw_number(raw, RAW_INSTRUCTIONS, "seconds");

    return per_sec / (launches_in(raw, WINDOW_B) / window_seconds(&raw->window[WINDOW_B]));
}

double take_load_instructions_user(const struct raw *raw)
{
    return instructions(raw, "load_user");
}

double take_load_instructions_kernel(const struct raw *raw)
{
    return instructions(raw, "load_kernel");
}

double take_daemon_instructions_user(const struct raw *raw)
{
    return instructions(raw, "monitor_user");
}

double take_daemon_instructions_kernel(const struct raw *raw)
{
    return instructions(raw, "monitor_kernel");
}

double take_achieved_per_sec(const struct raw *raw)
{
    return launches_in(raw, WINDOW_A) / window_seconds(&raw->window[WINDOW_A]);
}

double take_lost(const struct raw *raw)
{
    return raw_number(raw, RAW_LOAD, "launched") - raw_number(raw, RAW_COUNT, "recorded");
}

/* At most: when the last record was seen, to the length of one look at the log. */
double take_behind_s(const struct raw *raw)
{
    double load_end_s =
        raw_number(raw, RAW_LOAD, "start_real_ns") / 1e9 + raw_number(raw, RAW_LOAD, "duration_s");
    double behind_s = raw_number(raw, RAW_DRAIN, "last_record_us") / 1e6 - load_end_s;

    if (raw_clock_stepped(raw) || !is_known(behind_s))
        return UNKNOWN;
    return fmax(0, behind_s);
}

static double delivery_ms(const struct raw *raw, double delay_ns)
{
    if (raw_clock_stepped(raw) || !is_known(launches_in(raw, WINDOW_B)))
        return UNKNOWN;
    return delay_ns / 1e6;
}

double take_delivery_p50_ms(const struct raw *raw)
{
    return delivery_ms(raw, raw->launches.in[WINDOW_B].delay_p50_ns);
}

double take_delivery_p99_ms(const struct raw *raw)
{
    return delivery_ms(raw, raw->launches.in[WINDOW_B].delay_p99_ns);
}

double take_delivery_max_ms(const struct raw *raw)
{
    return delivery_ms(raw, raw->launches.in[WINDOW_B].delay_max_ns);
}

double take_memory_peak_bytes(const struct raw *raw)
{
    return window_memory_peak_bytes(&raw->window[WINDOW_A]);
}

double take_log_bytes(const struct raw *raw)
{
    double written = raw_number(raw, RAW_LOG_BYTES, "end") - raw_number(raw, RAW_LOG_BYTES, "start");

    return is_known(raw_number(raw, RAW_COUNT, "recorded")) ? written / launches_in(raw, WINDOW_A) : UNKNOWN;
}

double take_spawn_to_exit_p50_us(const struct raw *raw)
{
    return raw->launches.in[WINDOW_A].spawn_to_exit_p50_ns / 1000;
}

double take_spawn_to_exit_p99_us(const struct raw *raw)
{
    return raw->launches.in[WINDOW_A].spawn_to_exit_p99_ns / 1000;
}

double take_window_s(const struct raw *raw)
{
    return window_seconds(&raw->window[WINDOW_A]);
}

double take_window_b_s(const struct raw *raw)
{
    return window_seconds(&raw->window[WINDOW_B]);
}

double take_side_program_us(const struct raw *raw)
{
    return raw->side.cpu_us.value;
}

double take_side_program_error_us(const struct raw *raw)
{
    return raw->side.cpu_us.error;
}

double take_side_parent_us(const struct raw *raw)
{
    return raw->side.parent_us.value;
}

double take_side_parent_error_us(const struct raw *raw)
{
    return raw->side.parent_us.error;
}

double take_side_slowdown_p50_us(const struct raw *raw)
{
    return raw->side.p50_us;
}

double take_side_slowdown_p99_us(const struct raw *raw)
{
    return raw->side.p99_us;
}

double take_side_minor_faults(const struct raw *raw)
{
    return raw->side.minor_faults.value;
}

double take_side_switches(const struct raw *raw)
{
    return raw->side.switches.value;
}

double take_side_launches(const struct raw *raw)
{
    return raw->side.launches;
}

char *take_side_problem(const struct raw *raw)
{
    return raw->side.reason[0] ? memory_copy(raw->side.reason) : NULL;
}

static bool is_counted(const struct raw *raw)
{
    return take_bpf_us(raw) > 0 && raw->payers.known;
}

/* What could be watched and not watched side by side is never compared with other cells instead; nor is what
 * has eBPF programs and a known share of their run time. */
char *take_inprogram_method(const struct raw *raw)
{
    if (!raw->json[RAW_LOAD])
        return NULL;
    if (raw->side.exists)
        return memory_copy(strcmp(raw->side.way, "groups") == 0 ? "side-by-side" : "switched");
    if (!is_counted(raw))
        return memory_copy("apart");
    return memory_copy("run-time");
}

static char *text_of(const struct raw *raw, const char *key)
{
    const char *text = json_string_value(json_object_get(raw->json[RAW_CELL], key));

    return text ? memory_copy(text) : NULL;
}

char *take_status(const struct raw *raw)
{
    return text_of(raw, "status");
}

char *take_reason(const struct raw *raw)
{
    return text_of(raw, "reason");
}

/* Takes over list; the words have blanks between them. */
static char *add_word(char *list, const char *word)
{
    char *longer = memory_print("%s%s%s", list, *list ? " " : "", word);

    free(list);
    return longer;
}

char *take_loss_counters(const struct raw *raw)
{
    const json_t *before = raw->json[RAW_BEFORE];
    json_t *after = json_object_get(raw->json[RAW_AFTER], "losses"), *value;
    char number[NUMBER_TEXT_SIZE], *list, *word;
    const char *name;

    if (!before || !after)
        return NULL;
    list = memory_copy("");
    json_object_foreach(after, name, value)
    {
        double then = json_number(json_object_get(json_object_get(before, "losses"), name), "");

        number_format(json_number(value, "") - (is_known(then) ? then : 0), number);
        word = memory_print("%s=%s", name, number);
        list = add_word(list, word);
        free(word);
    }
    return list;
}

/* pidstat counts 10 ms ticks of processes that are alive; the cgroup counts ns of all. They must agree. */
static bool pidstat_differs(const struct raw *raw)
{
    double daemon_cpu = take_daemon_cpu(raw);

    return fabs(take_pidstat_daemon(raw) - daemon_cpu) > fmax(0.3, 0.05 * daemon_cpu);
}

static double cores_showed(const struct raw *raw, int shows)
{
    const struct window *last = &raw->window[raw->window[WINDOW_B].count ? WINDOW_B : WINDOW_A];

    return cores_percent(&raw->cores, shows, window_begin_ns(&raw->window[WINDOW_A]), window_end_ns(last));
}

double take_shared_cores(const struct raw *raw)
{
    return cores_showed(raw, LOOK_SHARED);
}

double take_far_cores(const struct raw *raw)
{
    return cores_showed(raw, LOOK_FAR);
}

/* Where the cell does not say so itself, more than 5 % of a CPU. */
static bool is_disturbed(const struct raw *raw)
{
    static const struct growth steal = {PER_WINDOW, WINDOW_A, "host", "steal"};
    const json_t *said = json_object_get(raw->json[RAW_CELL], "disturbed");

    return json_is_boolean(said) ? json_is_true(said) : take_growth(raw, &steal) > 5;
}

/* A monitor that still writes so long after the load's end was further behind there than at its beginning,
 * and did less in the window than it would have had to. Auditbeat writes once a second. */
#define BEHIND_S 2

char *take_marks(const struct raw *raw)
{
    const struct {
        bool applies;
        const char *mark;
    } doubts[] = {
        {pidstat_differs(raw), "pidstat-and-cpumeter-differ"},
        {perf_differs(raw), "perf-and-bpf-differ"},
        {raw->window[WINDOW_A].count && !raw->same_processes, "processes-changed"},
        {window_b_is_cut(raw), "window-b-cut"},
        {raw_clock_stepped(raw), "clock-step"},
        {take_lost(raw) < 0, "more-recorded-than-launched"},
        {is_disturbed(raw), "steal"},
        {has_no_idle_time(raw), "no-idle-time"},
        {take_behind_s(raw) > BEHIND_S, "fell-behind"},
        {raw->side.reason[0] != '\0', "side-by-side-failed"},
    };
    char *marks = memory_copy("");

    for (size_t i = 0; i < sizeof(doubts) / sizeof(*doubts); i++)
        if (doubts[i].applies)
            marks = add_word(marks, doubts[i].mark);
    return marks;
}
