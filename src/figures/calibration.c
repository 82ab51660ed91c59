#include "calibration.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "raw.h"

/* Half a 95 % interval, in standard errors. */
#define REACH 1.96

const char *const place_names[PLACES] = {"first", "second", "third", "beside"};

static bool find_place(const char *name, enum place *place)
{
    for (int i = 0; i < PLACES; i++)
        if (strcmp(name, place_names[i]) == 0) {
            *place = (enum place)i;
            return true;
        }
    return false;
}

/* What an interval could not be had of, in too few rounds, is not known. */
static bool take_cost(json_t *json, struct cost *cost)
{
    const double value = json_number(json, "uncounted_ns.value"), low = json_number(json, "uncounted_ns.low"),
                 high = json_number(json, "uncounted_ns.high");
    const char *kind, *place, *program;

    if (json_unpack(json, "{s:s, s:s, s:s}", "kind", &kind, "place", &place, "program", &program) != 0 ||
        !is_known(value) || !is_known(low) || !is_known(high) || strcmp(program, "work") == 0 ||
        !find_place(place, &cost->place))
        return false;
    cost->kind = memory_copy(kind);
    cost->uncounted_ns = value;
    cost->error_ns = (high - low) / 2 / REACH;
    return true;
}

void calibration_read(struct calibration *calibration, const char *path, struct problem *problem)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *item;
    const json_t *costs = json_object_get(json, "costs");
    size_t i;

    *calibration = (struct calibration){0};
    if (!json)
        problem_set(problem, "is no JSON: %s (line %d)", error.text, error.line);
    else if (!json_is_array(costs))
        problem_set(problem, "has no list of costs");
    calibration->costs = memory_new(json_array_size(costs), sizeof(*calibration->costs));
    json_array_foreach(costs, i, item)
    {
        if (take_cost(item, &calibration->costs[calibration->count]))
            calibration->count++;
    }
    json_decref(json);
}

void calibration_free(struct calibration *calibration)
{
    for (size_t i = 0; i < calibration->count; i++)
        free(calibration->costs[i].kind);
    free(calibration->costs);
    *calibration = (struct calibration){0};
}

const struct cost *calibration_find(const struct calibration *calibration, const char *kind, enum place place)
{
    for (size_t i = 0; i < calibration->count; i++)
        if (calibration->costs[i].place == place && strcmp(calibration->costs[i].kind, kind) == 0)
            return &calibration->costs[i];
    return NULL;
}
