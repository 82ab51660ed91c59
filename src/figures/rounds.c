#include "rounds.h"

#include <err.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "memory.h"
#include "number.h"
#include "soak.h"

/* The CPUs are at their end when they are busy for that much of the time. */
#define BUSY_PERCENT 95

struct round {
    char *folder;     /* within the run */
    json_t *json;     /* cell.json; NULL if it can't be read */
    struct cell cell; /* its figures */
    struct raw raw;
    struct problem problem;
    struct soak soak; /* of a soak */
    double cpus;
};

static bool is_host_busy(const struct round *round)
{
    return cell_number(&round->cell, "host_busy") >= BUSY_PERCENT * round->cpus;
}

static double achieved_per_sec(const struct round *round)
{
    return raw_number(&round->raw, RAW_LOAD, "achieved_hz");
}

static double reached(const struct round *round)
{
    const json_t *value = json_object_get(round->raw.json[RAW_LOAD], "reached");

    return json_is_boolean(value) ? json_is_true(value) : UNKNOWN;
}

static double host_saturated(const struct round *round)
{
    return cell_number(&round->cell, "saturated") > 0 && is_host_busy(round);
}

static double recorded_percent(const struct round *round)
{
    double launched = cell_number(&round->cell, "launched");

    return launched > 0 ? 100 * cell_number(&round->cell, "recorded") / launched : UNKNOWN;
}

static double written_per_sec(const struct round *round)
{
    return cell_number(&round->cell, "recorded") /
           (raw_number(&round->raw, RAW_LOAD, "duration_s") + cell_number(&round->cell, "behind_s"));
}

static const char *verdict(const struct round *round)
{
    double lost = cell_number(&round->cell, "lost");

    if (!is_known(lost) || !is_known(reached(round)))
        return "failed";
    if (lost > 0)
        return "lossy";
    if (reached(round) > 0)
        return "clean";
    return is_host_busy(round) ? "host-saturated" : "load-limited";
}

/* The figures of a cell that went wrong are not the monitor's under load. */
static double cpu(const struct round *round)
{
    return round->cell.ok ? cell_number(&round->cell, "daemon_cpu") : UNKNOWN;
}

static double services_cpu(const struct round *round)
{
    double sum = 0;

    if (!round->cell.ok)
        return UNKNOWN;
    for (size_t i = 0; i < round->cell.own_helper_count; i++) {
        double helper_cpu = cell_helper_cpu(&round->cell, round->cell.own_helpers[i]);

        sum += is_known(helper_cpu) ? helper_cpu : 0;
    }
    return sum;
}

/* From the load's start on: the monitor's own start can be made to wait, too. */
static double limits_grew(const struct round *round, const char *key)
{
    return raw_number(&round->raw, RAW_LIMITS_AFTER, key) - raw_number(&round->raw, RAW_LIMITS_START, key);
}

/* A group, and those in it, can be made to wait at the same time: it was at least the longer of both. What is
 * not known is none. */
static double throttled_ms(const struct round *round)
{
    return fmax(limits_grew(round, "throttled_us"), limits_grew(round, "below_throttled_us")) / 1000;
}

static double throttled_periods(const struct round *round)
{
    return fmax(limits_grew(round, "throttled_periods"), limits_grew(round, "below_throttled_periods"));
}

/* A monitor is killed for lack of memory as it starts, too. */
static double oom_kills(const struct round *round)
{
    return raw_number(&round->raw, RAW_LIMITS_AFTER, "oom_kills") -
           raw_number(&round->raw, RAW_LIMITS_BEFORE, "oom_kills");
}

static double kernel_events_per_sec(const struct round *round)
{
    return round->raw.events_per_sec;
}

static double memory_readings(const struct round *round)
{
    return round->soak.readings;
}

static double memory_first_bytes(const struct round *round)
{
    return round->soak.first_bytes;
}

static double memory_last_bytes(const struct round *round)
{
    return round->soak.last_bytes;
}

static double growth(const struct round *round)
{
    return round->soak.bytes_per_s.value;
}

static double growth_low(const struct round *round)
{
    return round->soak.bytes_per_s.low;
}

static double growth_high(const struct round *round)
{
    return round->soak.bytes_per_s.high;
}

static double load_s(const struct round *round)
{
    return raw_number(&round->raw, RAW_LOAD, "duration_s");
}

static const char *said(const struct round *round, const char *key)
{
    return json_string_value(json_object_get(round->json, key));
}

/* A limit of - is none. */
static const char *limit(const struct round *round, const char *key)
{
    const char *text = said(round, key);

    return text && strcmp(text, "-") != 0 ? text : "";
}

static const char *cpus(const struct round *round)
{
    return limit(round, "cpus");
}

static const char *memory(const struct round *round)
{
    return limit(round, "memory");
}

static const char *combination(const struct round *round)
{
    const char *parts[] = {limit(round, "cpus"), limit(round, "memory"), limit(round, "knobs")};
    static char text[400];

    text[0] = '\0';
    for (size_t i = 0; i < 3; i++)
        if (*parts[i])
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s", *text ? ", " : "", parts[i],
                     i == 0 ? " CPU" : "");
    return *text ? text : "no limits";
}

static const char *status(const struct round *round)
{
    return cell_text(&round->cell, "status");
}

static const char *reason(const struct round *round)
{
    return cell_text(&round->cell, "reason");
}

enum row_kind { BOTH, ROUND, SOAK };

/* A column: one of the last five members says where its value is from. */
struct source {
    const char *name, *unit, *explanation;
    enum row_kind only; /* of rows of this kind */
    const char *said;   /* cell.json, as a text or a number */
    const char *figure; /* of a cell */
    double (*number)(const struct round *round);
    double (*truth)(const struct round *round);
    const char *(*text)(const struct round *round);
};

static const struct source sources[] = {
    {.name = "search", .said = "search", .explanation = "which search of the plan"},
    {.name = "test", .said = "test", .explanation = "the monitor, its limits and knobs"},
    {.name = "monitor", .said = "monitor", .explanation = "the monitor"},
    {.name = "combination", .text = combination, .explanation = "the limits and knobs"},
    {.name = "cpus", .text = cpus, .explanation = "the limit on its CPUs"},
    {.name = "memory", .text = memory, .explanation = "the limit on its memory"},
    {.name = "knobs", .said = "knobs", .explanation = "its knobs"},
    {.name = "rep", .said = "rep", .explanation = "the repetition"},
    {.name = "round", .only = ROUND, .said = "round", .explanation = "its number within the search"},
    {.name = "search_rounds",
     .only = ROUND,
     .said = "search_rounds",
     .explanation = "in the last round of a search that came to its end: how many it had"},
    {.name = "phase", .only = ROUND, .said = "phase", .explanation = "ramp (doubling) or bisect"},
    {.name = "start",
     .said = "start",
     .explanation = "which start of the monitor in this search: it is started again where it has died"},
    {.name = "lossless_per_sec",
     .only = SOAK,
     .unit = "1/s",
     .said = "lossless_per_sec",
     .explanation = "the highest rate of the search without loss"},
    {.name = "asked_per_sec", .unit = "1/s", .said = "exec_per_sec", .explanation = "events asked for"},
    {.name = "achieved_per_sec",
     .unit = "1/s",
     .number = achieved_per_sec,
     .explanation = "events, over the whole load"},
    {.name = "load_s",
     .only = SOAK,
     .unit = "s",
     .number = load_s,
     .explanation = "how long the load lasted"},
    {.name = "host_saturated",
     .truth = host_saturated,
     .explanation = "the load was late, and all CPUs were busy for 95 % of the window"},
    {.name = "reached",
     .only = ROUND,
     .truth = reached,
     .explanation = "at least 99 % of the rate asked for"},
    {.name = "launched", .figure = "launched", .explanation = "events, over the whole load"},
    {.name = "failed", .figure = "failed", .explanation = "events that could not be made"},
    {.name = "recorded", .figure = "recorded", .explanation = "distinct events found in the monitor's log"},
    {.name = "lost", .figure = "lost", .explanation = "launched − recorded"},
    {.name = "recorded_percent",
     .unit = "%",
     .number = recorded_percent,
     .explanation = "recorded of launched"},
    {.name = "behind_s",
     .unit = "s",
     .figure = "behind_s",
     .explanation = "how long after the load's end the last of its records was seen in the log, at most"},
    {.name = "written_per_sec",
     .only = ROUND,
     .unit = "1/s",
     .number = written_per_sec,
     .explanation = "recorded, over the time from the load's start to the last record"},
    {.name = "verdict",
     .only = ROUND,
     .text = verdict,
     .explanation =
         "clean (reached, nothing lost), lossy, host-saturated (nothing lost, not reached, all CPUs busy), "
         "load-limited (nor were the CPUs), failed"},
    {.name = "loss_counters",
     .figure = "loss_counters",
     .explanation = "by how much the kernel's and the monitor's own loss counters grew"},
    {.name = "cpu", .unit = "% of one CPU", .number = cpu, .explanation = "the monitor's processes"},
    {.name = "services_cpu", .unit = "% of one CPU", .number = services_cpu, .explanation = "its services"},
    {.name = "memory_readings",
     .only = SOAK,
     .number = memory_readings,
     .explanation = "how often the memory of the monitor's processes was read"},
    {.name = "memory_first_bytes",
     .only = SOAK,
     .unit = "bytes",
     .number = memory_first_bytes,
     .explanation = "resident memory of the monitor's processes at the window's begin"},
    {.name = "memory_last_bytes",
     .only = SOAK,
     .unit = "bytes",
     .number = memory_last_bytes,
     .explanation = "the same at its end"},
    {.name = "memory_peak_bytes",
     .unit = "bytes",
     .figure = "memory_peak_bytes",
     .explanation = "peak resident memory since the monitor's start"},
    {.name = "growth_bytes_per_s",
     .only = SOAK,
     .unit = "bytes/s",
     .number = growth,
     .explanation = "slope of that memory over time"},
    {.name = "growth_bytes_per_s_low",
     .only = SOAK,
     .unit = "bytes/s",
     .number = growth_low,
     .explanation = "the lower end of its 95 % interval"},
    {.name = "growth_bytes_per_s_high",
     .only = SOAK,
     .unit = "bytes/s",
     .number = growth_high,
     .explanation = "the upper end"},
    {.name = "throttled_ms",
     .unit = "ms",
     .number = throttled_ms,
     .explanation = "how long the limit kept the monitor from running, over all CPUs"},
    {.name = "throttled_periods",
     .number = throttled_periods,
     .explanation = "in how many of the limit's periods that was"},
    {.name = "oom_kills", .number = oom_kills, .explanation = "processes of its killed for lack of memory"},
    {.name = "kernel_events_per_sec",
     .only = ROUND,
     .unit = "1/s",
     .number = kernel_events_per_sec,
     .explanation = "events of any kind that the monitor saw"},
    {.name = "host_busy",
     .unit = "% of one CPU",
     .figure = "host_busy",
     .explanation = "busy time of the whole machine"},
    {.name = "host_steal",
     .unit = "% of one CPU",
     .figure = "host_steal",
     .explanation = "what the hypervisor took"},
    {.name = "marks", .only = SOAK, .figure = "marks", .explanation = "as in a sweep"},
    {.name = "status", .text = status, .explanation = "ok, not-ready, failed or unreadable, as in a sweep"},
    {.name = "reason", .text = reason, .explanation = "why the status is not ok"},
};

#define SOURCE_COUNT (sizeof(sources) / sizeof(*sources))

/* What rows of one kind are made of. */
struct table {
    enum row_kind kind;
    const char *folders; /* of the run, as a pattern */
    const char *seconds; /* the option that says how long its window is */
};

static const struct table round_table = {ROUND, "cells/*/*", "options.round_s"};
static const struct table soak_table = {SOAK, "soaks/*/*", "options.soak_s"};

static bool has_column(const struct table *table, const struct source *source)
{
    return source->only == BOTH || source->only == table->kind;
}

static void write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fputs(text, out);
}

static void write_text(FILE *out, const char *text)
{
    csv_write(out, text ? text : "");
}

static void write_truth(FILE *out, double truth)
{
    if (is_known(truth))
        fputs(truth > 0 ? "true" : "false", out);
}

static void write_said(FILE *out, const struct round *round, const char *key)
{
    if (json_is_string(json_object_get(round->json, key)))
        write_text(out, said(round, key));
    else
        write_number(out, json_number(round->json, key));
}

static void write_field(FILE *out, const struct round *round, const struct source *source)
{
    if (source->said)
        write_said(out, round, source->said);
    else if (source->figure)
        cell_write_field(out, &round->cell, figure_index(source->figure));
    else if (source->text)
        write_text(out, source->text(round));
    else if (source->truth)
        /* Of a round that can't be read, not even that is known. */
        write_truth(out, problem_is_set(&round->problem) ? UNKNOWN : source->truth(round));
    else
        write_number(out, source->number(round));
}

/* cells/TEST/REP-ROUND, or soaks/TEST/REP, must be what cell.json says. */
static void check_identity(struct round *round, const struct table *table)
{
    const char *test = said(round, "test") ? said(round, "test") : "";
    double rep = json_number(round->json, "rep");
    char *folder = table == &soak_table
                       ? memory_print("soaks/%s/%.0f", test, rep)
                       : memory_print("cells/%s/%.0f-%02.0f", test, rep, json_number(round->json, "round"));

    if (strcmp(folder, round->folder) != 0)
        problem_set(&round->problem, "cell.json is of another round: %s", folder);
    free(folder);
}

static void read_raw(struct round *round, const struct run *run, const struct table *table)
{
    struct expected expected = {
        .load = true,
        .count = true,
        .limits = true,
        .samples = run_number(run, table->seconds),
        .run_tag = run_session_tag(run, json_number(round->json, "session"), &round->problem),
        .cell = round->cell.planned.cell,
    };
    const char *how = said(round, "status");
    char *path = memory_print("%s/%s", run->path, round->folder);

    if (!problem_is_set(&round->problem))
        raw_read(&round->raw, path, how && strcmp(how, "ok") == 0 ? &expected : NULL, &round->problem);
    free(path);
}

/* false if the folder holds no round. */
static bool round_read(struct round *round, const struct run *run, const struct table *table,
                       const char *path)
{
    struct planned planned = {.cell = UNKNOWN, .rep = UNKNOWN, .rate = UNKNOWN, .turn = 1};

    *round = (struct round){.folder = memory_copy(path + strlen(run->path) + 1),
                            .cpus = run_number(run, "host.cpus")};
    round->json = raw_read_json(path, RAW_CELL, &round->problem);
    if (!round->json && !problem_is_set(&round->problem)) {
        free(round->folder);
        return false;
    }
    if (round->json) {
        planned.cell = json_number(round->json, "cell");
        planned.rate = json_number(round->json, "exec_per_sec");
        check_identity(round, table);
    }
    planned.monitor = memory_copy(said(round, "test") ? said(round, "test") : "");
    cell_init(&round->cell, &planned);
    if (!problem_is_set(&round->problem))
        read_raw(round, run, table);
    if (!problem_is_set(&round->problem)) {
        round->raw.json[RAW_CELL] = json_incref(round->json);
        cell_take_figures(&round->cell, &round->raw);
    } else {
        cell_set_text(&round->cell, "status", memory_copy("unreadable"));
        cell_set_text(&round->cell, "reason", memory_copy(round->problem.text));
        raw_free(&round->raw);
        round->raw = (struct raw){.events_per_sec = UNKNOWN};
    }
    /* As of what it costs, nothing is told of one that went wrong. */
    round->soak = soak_of(round->cell.ok ? &round->raw.window[WINDOW_A] : &(const struct window){0});
    return true;
}

static void round_free(struct round *round)
{
    raw_free(&round->raw);
    cell_free(&round->cell);
    json_decref(round->json);
    free(round->folder);
}

/* Those that can't be read come last. */
static int by_cell(const void *left, const void *right)
{
    const struct round *a = left, *b = right;
    double cell_a = a->cell.planned.cell, cell_b = b->cell.planned.cell;

    if (is_known(cell_a) != is_known(cell_b))
        return is_known(cell_a) ? -1 : 1;
    return (cell_a > cell_b) - (cell_a < cell_b);
}

static size_t read_rounds(struct round **rounds, struct run *run, const struct table *table)
{
    char *pattern = memory_print("%s/%s", run->path, table->folders);
    size_t count = 0;
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == GLOB_NOSPACE)
        errx(EXIT_FAILURE, "cannot list %s: no memory left", pattern);
    *rounds = memory_new(found.gl_pathc, sizeof(**rounds));
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct round *round = &(*rounds)[count];

        if (!round_read(round, run, table, found.gl_pathv[i]))
            continue;
        count++;
        if (problem_is_set(&round->problem))
            run_note_problem(run, round->folder, &round->problem);
    }
    globfree(&found);
    free(pattern);
    if (count)
        qsort(*rounds, count, sizeof(**rounds), by_cell);
    return count;
}

static void table_write(FILE *out, struct run *run, const struct table *table)
{
    struct round *rounds;
    size_t count = read_rounds(&rounds, run, table);
    const char *separator = "";

    for (size_t i = 0; i < SOURCE_COUNT; i++) {
        if (!has_column(table, &sources[i]))
            continue;
        fprintf(out, "%s%s", separator, sources[i].name);
        separator = ",";
    }
    putc('\n', out);
    for (size_t row = 0; row < count; row++) {
        separator = "";
        for (size_t i = 0; i < SOURCE_COUNT; i++) {
            if (!has_column(table, &sources[i]))
                continue;
            fputs(separator, out);
            write_field(out, &rounds[row], &sources[i]);
            separator = ",";
        }
        putc('\n', out);
        round_free(&rounds[row]);
    }
    free(rounds);
}

void rounds_write(FILE *out, struct run *run)
{
    table_write(out, run, &round_table);
}

void soaks_write(FILE *out, struct run *run)
{
    table_write(out, run, &soak_table);
}
