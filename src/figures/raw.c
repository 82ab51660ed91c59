#include "raw.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv.h"
#include "memory.h"
#include "number.h"

/* By how much the time of day left the other clocks behind during the cell; more than this is no reading's
 * error. */
#define CLOCKS_AGREE_US 50000

/* On a slow host, window B may outlast the load. Of one that lies behind it there are no figures; later than
 * that, it is another's. */
#define WINDOW_B_LATE_S 120

static const struct json_file {
    const char *name;
    const char *keys; /* that it must have, with blanks between them */
} json_files[RAW_JSON_FILES] = {
    [RAW_CELL] = {"cell.json", "cell test exec_per_sec rep status reason"},
    [RAW_LOAD] = {"load.json",
                  "launched failed missed saturated duration_s start_mono_ns start_real_ns lateness_us"},
    [RAW_BEFORE] = {"before.json", "losses helpers"},
    [RAW_AFTER] = {"after.json", "losses helpers"},
    [RAW_CLOCK] = {"clock.json", "before_us after_us"},
    [RAW_LOG_BYTES] = {"log-bytes.json", "start end"},
    [RAW_COUNT] = {"count.json", "recorded"},
    [RAW_DRAIN] = {"drain.json", "last_record_us"},
    [RAW_LIMITS_BEFORE] = {"limits-before.json", "throttled_us oom_kills"},
    [RAW_LIMITS_START] = {"limits-start.json", "throttled_us oom_kills"},
    [RAW_LIMITS_AFTER] = {"limits-after.json", "throttled_us oom_kills"},
    [RAW_INSTRUCTIONS] = {"instructions.json", "seconds load_user load_kernel"},
    [RAW_MIX] = {"mix.json", "launched covered_s self_cpu_us_per_launch"},
};

static void file_path(char path[PATH_MAX], const char *folder, const char *file)
{
    snprintf(path, PATH_MAX, "%s/%s", folder, file);
}

enum presence { MISSING, EMPTY, PRESENT };

static enum presence look_at(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return MISSING;
    return st.st_size == 0 ? EMPTY : PRESENT;
}

static void check_keys(const json_t *object, const char *keys, struct problem *problem)
{
    char key[32];
    int length;

    for (; sscanf(keys, " %31s%n", key, &length) == 1; keys += length)
        if (!json_object_get(object, key))
            problem_set(problem, "has no %s", key);
}

/* Whether all numbers in it are possible ones. */
static bool is_possible(json_t *json)
{
    const char *key;
    json_t *item;
    size_t i;

    json_object_foreach(json, key, item)
    {
        if (!is_possible(item))
            return false;
    }
    json_array_foreach(json, i, item)
    {
        if (!is_possible(item))
            return false;
    }
    return !json_is_number(json) || number_is_possible(json_number_value(json));
}

static json_t *load_json(const char *path, const char *keys, struct problem *problem)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!json)
        problem_set(problem, "is no JSON: %s (line %d)", error.text, error.line);
    else if (!is_possible(json))
        problem_set(problem, "has a number beyond %.3g, which nothing measured is", (double)NUMBER_MAX);
    else
        check_keys(json, keys, problem);
    if (problem_is_set(problem)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

json_t *raw_read_json(const char *folder, enum raw_json file, struct problem *problem)
{
    char path[PATH_MAX];
    struct problem what = {""};
    json_t *json = NULL;

    file_path(path, folder, json_files[file].name);
    switch (look_at(path)) {
    case MISSING:
        return NULL;
    case EMPTY:
        problem_set(&what, "is empty");
        break;
    case PRESENT:
        json = load_json(path, json_files[file].keys, &what);
    }
    if (problem_is_set(&what))
        problem_set(problem, "%s %s", json_files[file].name, what.text);
    return json;
}

enum need {
    NEEDED = 1,       /* must be there */
    MAY_BE_EMPTY = 2, /* which otherwise is as bad as damaged */
    STRICT = 4,       /* must be sound if it is there; without, what is not is left out */
};

static unsigned needed_if(bool needed)
{
    return needed ? NEEDED : 0;
}

/* Reads one file into something. */
static void read_file(const char *folder, const char *file, unsigned need, void *into,
                      void (*read)(void *into, const char *path, struct problem *), struct problem *problem)
{
    char path[PATH_MAX];
    struct problem what = {""};

    file_path(path, folder, file);
    switch (look_at(path)) {
    case MISSING:
        if (need & NEEDED)
            problem_set(&what, "is missing");
        break;
    case EMPTY:
        if (!(need & MAY_BE_EMPTY))
            problem_set(&what, "is empty");
        break;
    case PRESENT:
        read(into, path, &what);
    }
    if ((need & STRICT) && problem_is_set(&what))
        problem_set(problem, "%s %s", file, what.text);
}

static void read_json(struct raw *raw, const char *folder, enum raw_json file, unsigned need,
                      struct problem *problem)
{
    struct problem what = {""};

    raw->json[file] = raw_read_json(folder, file, &what);
    if (!raw->json[file] && (need & NEEDED))
        problem_set(&what, "%s is missing", json_files[file].name);
    if ((need & STRICT) && problem_is_set(&what))
        problem_set(problem, "%s", what.text);
}

static void read_window(void *window, const char *path, struct problem *problem)
{
    window_read(window, path, problem);
}

static void read_profile(void *profile, const char *path, struct problem *problem)
{
    profile_read(profile, path, problem);
}

static void read_payers(void *payers, const char *path, struct problem *problem)
{
    payers_read(payers, path, problem);
}

static void read_processes(void *processes, const char *path, struct problem *problem)
{
    processes_read(processes, path, problem);
}

static void read_arrivals(void *arrivals, const char *path, struct problem *problem)
{
    arrivals_read(arrivals, path, problem);
}

/* Events that the monitor has seen, before the load and after it. */
static void read_events(void *events_per_sec, const char *path, struct problem *problem)
{
    struct lines *lines = lines_open(path, LINES_PLAIN, problem);
    double time_us[2], events[2];
    char *line, *end;
    int count = 0;

    if (!lines)
        return;
    while ((line = lines_next(lines, &end, problem))) {
        char *comma = strchr(line, ',');

        if (comma)
            *comma = '\0';
        if (count == 2 || !comma || !number_parse(line, &time_us[count]) ||
            !number_parse(comma + 1, &events[count]))
            problem_set(problem, "expected two lines of time_us,events");
        if (problem_is_set(problem))
            break;
        count++;
    }
    lines_close(lines);
    if (count == 2 && time_us[1] > time_us[0])
        *(double *)events_per_sec = number_round((events[1] - events[0]) / (time_us[1] - time_us[0]) * 1e6);
}

static struct span span_of(const struct window *window)
{
    return (struct span){window_begin_ns(window), window_end_ns(window)};
}

struct launches_reading {
    struct launches *launches;
    struct span spans[WINDOWS];
    struct arrivals arrivals;
};

static void read_launches_file(void *into, const char *path, struct problem *problem)
{
    struct launches_reading *reading = into;

    launches_read(reading->launches, path, reading->spans, &reading->arrivals, problem);
}

static void read_launches(struct raw *raw, const char *folder, const struct expected *needs, unsigned strict,
                          struct problem *problem)
{
    struct launches_reading reading = {
        .launches = &raw->launches,
        .spans = {span_of(&raw->window[WINDOW_A]), span_of(&raw->window[WINDOW_B])},
    };

    read_file(folder, "delivery.csv.gz", strict | needed_if(needs->delivery), &reading.arrivals,
              read_arrivals, problem);
    read_file(folder, "launches.csv.gz", strict | needed_if(needs->load), &reading, read_launches_file,
              problem);
    arrivals_free(&reading.arrivals);
}

/* Whether two files are there and the same, byte for byte. */
static bool same_contents(const char *folder, const char *file_a, const char *file_b)
{
    char path[PATH_MAX];
    FILE *a, *b;
    int byte_a = EOF, byte_b = EOF;
    bool both;

    file_path(path, folder, file_a);
    a = fopen(path, "re");
    file_path(path, folder, file_b);
    b = fopen(path, "re");
    both = a && b;
    while (both) {
        byte_a = getc(a);
        byte_b = getc(b);
        if (byte_a != byte_b || byte_a == EOF)
            break;
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return both && byte_a == byte_b;
}

static void read_cores(void *into, const char *path, struct problem *problem)
{
    cores_read(into, path, problem);
    if (problem_is_set(problem))
        cores_free(into);
}

/* Its load's tag is the cell's, with an s behind the run's part. */
static void read_side(struct raw *raw, const char *folder, const struct expected *expected,
                      struct problem *problem)
{
    const char *way = json_string_value(json_object_get(raw->json[RAW_BEFORE], "side"));
    char *tag =
        expected && expected->run_tag ? memory_print("%ss.%.0f", expected->run_tag, expected->cell) : NULL;
    struct problem what = {""};

    side_read(&raw->side, folder, tag, &raw->cores, &what);
    free(tag);
    /* At rest there is nothing to compare. */
    if (way && *way && !raw->side.exists && expected && expected->side && expected->load)
        problem_set(&what, "side/side.json is missing");
    if (problem_is_set(&what))
        side_unknown(&raw->side);
    if (expected && problem_is_set(&what))
        problem_set(problem, "%s", what.text);
}

static void check_samples(const struct raw *raw, double expected_samples, struct problem *problem)
{
    if (raw->pidstat.samples == 0)
        problem_set(problem, "pidstat.txt has none of the processes in pids.csv");
    /* A process that ended has fewer. */
    else if (raw->same_processes && raw->pidstat.samples < expected_samples)
        problem_set(problem, "pidstat.txt has %u samples, expected %.0f", raw->pidstat.samples,
                    expected_samples);
}

struct pidstat_reading {
    struct pidstat *pidstat;
    struct processes processes;
};

static void read_pidstat_file(void *into, const char *path, struct problem *problem)
{
    struct pidstat_reading *reading = into;

    pidstat_read(reading->pidstat, path, &reading->processes, problem);
}

/* Where the monitor has no process, the lists of them are empty, and pidstat was not run. */
static void read_pidstat(struct raw *raw, const char *folder, const struct expected *needs, unsigned strict,
                         struct problem *problem)
{
    struct pidstat_reading reading = {.pidstat = &raw->pidstat};
    unsigned list = strict ? strict | NEEDED | MAY_BE_EMPTY : MAY_BE_EMPTY;
    struct processes after = {0};

    read_file(folder, "pids.csv", list, &reading.processes, read_processes, problem);
    read_file(folder, "pids-after.csv", list, &after, read_processes, problem);
    raw->same_processes = same_contents(folder, "pids.csv", "pids-after.csv");
    read_file(folder, "pidstat.txt", strict | needed_if(reading.processes.count > 0), &reading,
              read_pidstat_file, problem);
    if (strict && reading.processes.count)
        check_samples(raw, needs->samples, problem);
    processes_free(&reading.processes);
    processes_free(&after);
}

static bool exists(const char *folder, const char *file)
{
    char path[PATH_MAX];

    file_path(path, folder, file);
    return access(path, F_OK) == 0;
}

static bool is_step(double us)
{
    return fabs(us) > CLOCKS_AGREE_US;
}

bool raw_clock_stepped(const struct raw *raw)
{
    return is_step(raw_number(raw, RAW_CLOCK, "after_us") - raw_number(raw, RAW_CLOCK, "before_us")) ||
           is_step(raw_number(raw, RAW_LOAD, "real_step_ns") / 1000);
}

/* The load tells which cell it was for. */
static void check_tag(const struct raw *raw, const struct expected *expected, struct problem *problem)
{
    const char *tag = json_string_value(json_object_get(raw->json[RAW_LOAD], "tag"));
    char *own;

    if (!tag || !expected->run_tag)
        return;
    own = memory_print("%s.%.0f", expected->run_tag, expected->cell);
    if (strcmp(tag, own) != 0)
        problem_set(problem, "load.json is of another cell: its tag is %s, expected %s", tag, own);
    free(own);
}

/* Each launch is the load's. */
static void check_launches(const struct raw *raw, struct problem *problem)
{
    double launched = raw_number(raw, RAW_LOAD, "launched") + raw_number(raw, RAW_LOAD, "failed");

    if (raw->launches.first_start_ns < raw_number(raw, RAW_LOAD, "start_mono_ns") ||
        raw->launches.last_start_ns > raw_number(raw, RAW_LOAD, "end_mono_ns"))
        problem_set(problem,
                    "launches.csv.gz is of another cell: its launches are not within the load's time");
    if (raw->launches.rows < launched || raw->launches.rows > launched)
        problem_set(problem, "launches.csv.gz has %.0f launches, expected %.0f", raw->launches.rows,
                    launched);
    if (!raw_clock_stepped(raw) && raw->launches.shortest_delay_ns / 1000 < -CLOCKS_AGREE_US)
        problem_set(problem, "delivery.csv.gz is of another cell: it has records from before their launch");
}

static void check_window(const struct raw *raw, int which, struct problem *problem)
{
    const struct window *window = &raw->window[which];
    const char *file = which == WINDOW_A ? "window-a.csv" : "window-b.csv";
    double start_ns = raw_number(raw, RAW_LOAD, "start_mono_ns");
    double end_ns = start_ns + raw_number(raw, RAW_LOAD, "duration_s") * 1e9;
    struct problem what = {""};

    if (window->count == 0)
        return;
    window_check_whole(window, &what);
    if (problem_is_set(&what))
        problem_set(problem, "%s %s", file, what.text);
    else if (window_begin_ns(window) < start_ns ||
             window_end_ns(window) > (which == WINDOW_A ? end_ns : end_ns + WINDOW_B_LATE_S * 1e9))
        problem_set(problem, "%s is of another cell: it is not within the load's time", file);
}

static void check_all(const struct raw *raw, const struct expected *expected, struct problem *problem)
{
    check_tag(raw, expected, problem);
    check_window(raw, WINDOW_A, problem);
    check_window(raw, WINDOW_B, problem);
    check_launches(raw, problem);
    if (!raw_clock_stepped(raw) && raw_number(raw, RAW_DRAIN, "last_record_us") + CLOCKS_AGREE_US <
                                       raw_number(raw, RAW_LOAD, "start_real_ns") / 1000)
        problem_set(problem, "drain.json is of another cell: its last record is from before the load");
}

void raw_read(struct raw *raw, const char *folder, const struct expected *expected, struct problem *problem)
{
    const struct expected nothing = {0}, *needs = expected ? expected : &nothing;
    unsigned strict = expected ? STRICT : 0, always = expected ? STRICT | NEEDED : 0;

    *raw = (struct raw){.pidstat = {.cpu = {NAN, NAN}}, .events_per_sec = UNKNOWN};
    launches_unknown(&raw->launches);
    side_unknown(&raw->side);
    read_json(raw, folder, RAW_LOAD, strict | needed_if(needs->load), problem);
    read_json(raw, folder, RAW_BEFORE, always, problem);
    read_json(raw, folder, RAW_AFTER, always, problem);
    read_json(raw, folder, RAW_CLOCK, always, problem);
    read_json(raw, folder, RAW_LOG_BYTES, always, problem);
    read_json(raw, folder, RAW_COUNT, strict | needed_if(needs->count), problem);
    read_json(raw, folder, RAW_DRAIN, strict | needed_if(needs->count), problem);
    read_json(raw, folder, RAW_LIMITS_BEFORE, strict | needed_if(needs->limits), problem);
    read_json(raw, folder, RAW_LIMITS_START, strict, problem);
    read_json(raw, folder, RAW_LIMITS_AFTER, strict | needed_if(needs->limits), problem);
    read_json(raw, folder, RAW_INSTRUCTIONS, strict, problem);
    read_json(raw, folder, RAW_MIX, strict, problem);
    read_file(folder, "window-a.csv", always, &raw->window[WINDOW_A], read_window, problem);
    read_file(folder, "window-b.csv", strict | needed_if(needs->window_b), &raw->window[WINDOW_B],
              read_window, problem);
    read_file(folder, "stacks.folded.gz", strict, &raw->profile, read_profile, problem);
    /* Older runs have none, and don't say how window S was measured either. */
    read_file(folder, "payers.csv",
              strict | needed_if(expected && raw->profile.busy > 0 &&
                                 json_object_get(raw->json[RAW_BEFORE], "side")),
              &raw->payers, read_payers, problem);
    read_file(folder, "events.csv", strict, &raw->events_per_sec, read_events, problem);
    read_pidstat(raw, folder, needs, strict, problem);
    read_file(folder, "cores.csv", strict, &raw->cores, read_cores, problem);
    read_side(raw, folder, expected, problem);
    /* Which launches are in a window that was not read, nobody knows. */
    if (raw->window[WINDOW_A].count)
        read_launches(raw, folder, needs, strict, problem);
    raw->bpf_metered = exists(folder, "bpf-metered");
    if (strict && !problem_is_set(problem))
        check_all(raw, expected, problem);
}

void raw_free(struct raw *raw)
{
    for (int file = 0; file < RAW_JSON_FILES; file++)
        json_decref(raw->json[file]);
    window_free(&raw->window[WINDOW_A]);
    window_free(&raw->window[WINDOW_B]);
    cores_free(&raw->cores);
}

double json_number(const json_t *object, const char *path)
{
    char key[64];

    while (object && *path) {
        size_t length = strcspn(path, ".");

        snprintf(key, sizeof(key), "%.*s", (int)length, path);
        object = json_object_get(object, key);
        path += length + (path[length] == '.');
    }
    return json_is_number(object) && number_is_possible(json_number_value(object)) ? json_number_value(object)
                                                                                   : UNKNOWN;
}

double raw_number(const struct raw *raw, enum raw_json file, const char *path)
{
    return json_number(raw->json[file], path);
}
