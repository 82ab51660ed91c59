#include "run.h"

#include <err.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/usage.h"
#include "base.h"
#include "csv.h"
#include "memory.h"
#include "number.h"

void run_open(struct run *run, const char *path)
{
    char manifest[PATH_MAX];
    json_error_t error;

    *run = (struct run){.path = path};
    snprintf(manifest, sizeof(manifest), "%s/manifest.json", path);
    if (access(manifest, R_OK) != 0)
        err(EXIT_USAGE, "'%s': expected the folder of a run, with a manifest.json", path);
    run->manifest = json_load_file(manifest, 0, &error);
    if (!json_is_object(run->manifest))
        errx(EXIT_USAGE, "'%s': manifest.json is no JSON object: %s (line %d)", path, error.text, error.line);
}

static bool is_of_kind(const struct run *run, const char *wanted)
{
    const char *kind = json_string_value(json_object_get(run->manifest, "kind"));

    return kind && strcmp(kind, wanted) == 0;
}

bool run_is_saturation(const struct run *run)
{
    return is_of_kind(run, "saturate");
}

bool run_is_of_rules(const struct run *run)
{
    return is_of_kind(run, "rules");
}

bool run_has_set(const struct run *run)
{
    return json_is_string(json_object_get(json_object_get(run->manifest, "options"), "set"));
}

bool run_is_of_engines(const struct run *run)
{
    return is_of_kind(run, "engines");
}

double run_number(const struct run *run, const char *path)
{
    return json_number(run->manifest, path);
}

void run_note_problem(struct run *run, const char *folder, const struct problem *problem)
{
    warnx("%s: %s", folder, problem->text);
    run->problems++;
}

static bool parse_planned(char *fields[], struct planned *planned)
{
    enum { CELL, REP, MONITOR, RATE };

    *planned = (struct planned){.turn = 1};
    if (!number_parse(fields[CELL], &planned->cell) || !number_parse(fields[REP], &planned->rep) ||
        !number_parse(fields[RATE], &planned->rate) || !*fields[MONITOR] || strchr(fields[MONITOR], '/'))
        return false;
    planned->monitor = memory_copy(fields[MONITOR]);
    return true;
}

enum { TURN = 4, DETAILED, FIELDS };

/* Plans of older runs have no turns, or don't say what is detailed: everything is. columns: how many there
 * are. */
static bool open_plan(struct csv *csv, const char *path, int *columns, struct problem *problem)
{
    static const char *const older[] = {"cell,rep,monitor,rate,turn,detailed", "cell,rep,monitor,rate,turn"};

    for (int i = 0; i < 2; i++) {
        struct problem without = {""};

        *columns = FIELDS - i;
        if (csv_open(csv, path, LINES_PLAIN, older[i], &without))
            return true;
    }
    *columns = TURN;
    return csv_open(csv, path, LINES_PLAIN, "cell,rep,monitor,rate", problem);
}

/* What not all plans have. */
static bool parse_rest(char *fields[], int columns, struct planned *planned)
{
    if (columns > TURN && !number_parse(fields[TURN], &planned->turn))
        return false;
    if (columns <= DETAILED)
        return true;
    planned->coarse = strcmp(fields[DETAILED], "0") == 0;
    return planned->coarse || strcmp(fields[DETAILED], "1") == 0;
}

static void read_plan(struct run *run, struct problem *problem)
{
    char path[PATH_MAX], *fields[FIELDS];
    size_t capacity = 0;
    struct csv csv;
    int columns;

    snprintf(path, sizeof(path), "%s/plan.csv", run->path);
    if (!open_plan(&csv, path, &columns, problem))
        return;
    while (csv_next(&csv, fields, problem)) {
        struct planned planned;

        if (!parse_planned(fields, &planned) || !parse_rest(fields, columns, &planned)) {
            problem_set(problem, "line %lu: expected a cell, a pass, a monitor, a rate, a turn and 0 or 1",
                        csv.row);
            break;
        }
        run->cells = memory_grow(run->cells, run->cell_count, &capacity, sizeof(*run->cells));
        cell_init(&run->cells[run->cell_count++], &planned);
    }
    csv_close(&csv);
}

/* cells/MONITOR/RATE-REP, and .TURN after that from the second on. */
static void cell_folder(char folder[PATH_MAX], const struct planned *planned)
{
    int length =
        snprintf(folder, PATH_MAX, "cells/%s/%.0f-%.0f", planned->monitor, planned->rate, planned->rep);

    if (planned->turn > 1 && length < PATH_MAX)
        snprintf(folder + length, PATH_MAX - (size_t)length, ".%.0f", planned->turn);
}

static bool cell_has(const struct run *run, const struct planned *planned, const char *file)
{
    char folder[PATH_MAX];
    bool has;
    char *path;

    cell_folder(folder, planned);
    path = memory_print("%s/%s/%s", run->path, folder, file);
    has = access(path, F_OK) == 0;
    free(path);
    return has;
}

/* Whether any cell of the same monitor under load has that file. What a monitor leaves in one cell, it leaves
 * in all. */
static bool monitor_has(const struct run *run, const struct planned *planned, const char *file)
{
    for (size_t i = 0; i < run->cell_count; i++)
        if (run->cells[i].planned.rate > 0 && strcmp(run->cells[i].planned.monitor, planned->monitor) == 0 &&
            cell_has(run, &run->cells[i].planned, file))
            return true;
    return false;
}

/* Sessions of older runs are one, and not in the manifest. */
const char *run_session_tag(const struct run *run, double session, struct problem *problem)
{
    const json_t *sessions = json_object_get(run->manifest, "sessions");
    const char *tag;

    if (!is_known(session))
        return json_string_value(json_object_get(run->manifest, "run_tag"));
    tag = json_string_value(
        json_object_get(json_array_get(sessions, session >= 1 ? (size_t)session - 1 : SIZE_MAX), "tag"));
    if (!tag)
        problem_set(problem, "cell.json is of session %.0f, which is not in manifest.json", session);
    return tag;
}

/* At rest there is no load, and nothing is recorded. */
static struct expected expected_of(const struct run *run, const struct planned *planned, const char *tag)
{
    bool under_load = planned->rate > 0;
    bool has_window_b = run_number(run, "options.instrumented_s") > 0 && !planned->coarse;

    return (struct expected){
        .load = under_load,
        .window_b = has_window_b,
        .side = !planned->coarse,
        .count = under_load &&
                 (monitor_has(run, planned, "count.json") || monitor_has(run, planned, "drain.json")),
        .delivery = under_load && has_window_b && monitor_has(run, planned, "delivery.csv.gz"),
        .samples = run_number(run, "options.duration_s"),
        .run_tag = tag,
        .cell = planned->cell,
    };
}

static bool is_other(double number, double expected)
{
    return is_known(number) && fabs(number - expected) > 0;
}

/* cell.json must say what the plan says. */
static void check_identity(const json_t *json, const struct planned *planned, struct problem *problem)
{
    const char *test = json_string_value(json_object_get(json, "test"));

    if (!test || strcmp(test, planned->monitor) != 0)
        problem_set(problem, "cell.json is of another monitor: %s, expected %s", test ? test : "none",
                    planned->monitor);
    if (is_other(json_number(json, "cell"), planned->cell))
        problem_set(problem, "cell.json is of another cell: %.0f, expected %.0f", json_number(json, "cell"),
                    planned->cell);
    if (is_other(json_number(json, "exec_per_sec"), planned->rate))
        problem_set(problem, "cell.json is of another rate: %.0f, expected %.0f",
                    json_number(json, "exec_per_sec"), planned->rate);
    if (is_other(json_number(json, "rep"), planned->rep) ||
        is_other(json_number(json, "turn"), planned->turn))
        problem_set(problem, "cell.json is of another repetition: %.0f, expected %.0f",
                    json_number(json, "rep"), planned->rep);
}

static bool went_well(const json_t *json)
{
    const char *status = json_string_value(json_object_get(json, "status"));

    return status && strcmp(status, "ok") == 0;
}

static double number_in(const char *folder, enum raw_json file, const char *key)
{
    struct problem problem = {""};
    json_t *json = raw_read_json(folder, file, &problem);
    double number = json_number(json, key);

    json_decref(json);
    return number;
}

/* What a monitor has recorded is counted for good when it is stopped. A cell whose run was killed before that
 * may have been recorded to the end all the same: then there is nothing more to count. */
static bool lacks_count(const json_t *json, const char *folder)
{
    return went_well(json) && json_is_false(json_object_get(json, "counted")) &&
           !(number_in(folder, RAW_COUNT, "recorded") >= number_in(folder, RAW_LOAD, "launched"));
}

static void set_not_run(struct cell *cell, const char *reason)
{
    cell_set_text(cell, "status", memory_copy("not-run"));
    cell_set_text(cell, "reason", memory_copy(reason));
}

static void take_raw(const struct run *run, struct cell *cell, const char *path, json_t *json,
                     struct problem *problem)
{
    const char *tag = run_session_tag(run, json_number(json, "session"), problem);
    struct expected expected = expected_of(run, &cell->planned, tag);
    struct raw raw;

    raw_read(&raw, path, went_well(json) ? &expected : NULL, problem);
    raw.json[RAW_CELL] = json_incref(json);
    syscalls_read(&cell->syscalls, path, problem);
    if (!problem_is_set(problem))
        cell_take_figures(cell, &raw);
    raw_free(&raw);
}

static void read_cell(struct run *run, struct cell *cell)
{
    struct problem problem = {""};
    char folder[PATH_MAX], *path;
    json_t *json;

    cell_folder(folder, &cell->planned);
    path = memory_print("%s/%s", run->path, folder);
    json = raw_read_json(path, RAW_CELL, &problem);
    if (json)
        check_identity(json, &cell->planned, &problem);
    if (!problem_is_set(&problem)) {
        if (!json)
            set_not_run(cell, "the run was interrupted before");
        else if (lacks_count(json, path))
            set_not_run(cell, "the run was interrupted before what was recorded had been counted");
        else
            take_raw(run, cell, path, json, &problem);
    }
    json_decref(json);
    if (problem_is_set(&problem)) {
        cell_set_text(cell, "status", memory_copy("unreadable"));
        cell_set_text(cell, "reason", memory_copy(problem.text));
        run_note_problem(run, folder, &problem);
    }
    free(path);
}

void run_read_cells(struct run *run)
{
    struct problem problem = {""};

    read_plan(run, &problem);
    if (problem_is_set(&problem))
        errx(EXIT_FAILURE, "'%s': plan.csv %s", run->path, problem.text);
    for (size_t i = 0; i < run->cell_count; i++)
        read_cell(run, &run->cells[i]);
    cells_derive(run->cells, run->cell_count);
}

void run_close(struct run *run)
{
    for (size_t i = 0; i < run->cell_count; i++)
        cell_free(&run->cells[i]);
    free(run->cells);
    json_decref(run->manifest);
}
