#include "cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "memory.h"
#include "number.h"
#include "take.h"

void cell_init(struct cell *cell, const struct planned *planned)
{
    *cell = (struct cell){
        .planned = *planned,
        .numbers = memory_new(figure_count, sizeof(double)),
        .texts = memory_new(figure_count, sizeof(char *)),
    };
    for (size_t i = 0; i < figure_count; i++)
        cell->numbers[i] = UNKNOWN;
    cell_set_number(cell, "cell", planned->cell);
    cell_set_text(cell, "test", memory_copy(planned->monitor));
    cell_set_number(cell, "exec_per_sec", planned->rate);
    cell_set_number(cell, "rep", planned->rep);
    cell_set_number(cell, "turn", planned->turn);
}

static void take_helpers(struct cell *cell, const struct raw *raw)
{
    struct helper *grown;
    size_t count = window_helpers(&raw->window[WINDOW_A], &grown);

    cell->helpers = memory_new(count, sizeof(*cell->helpers));
    cell->helper_count = count;
    for (size_t i = 0; i < count; i++)
        cell->helpers[i] = (struct helper_cpu){.name = grown[i].name,
                                               .cpu = take_per_window(raw, WINDOW_A, grown[i].cpu_ns)};
    free(grown);
}

static void take_own_helpers(struct cell *cell, const struct raw *raw)
{
    json_t *own = json_object_get(raw->json[RAW_BEFORE], "helpers"), *name;
    size_t i;

    cell->own_helpers = memory_new(json_array_size(own), sizeof(*cell->own_helpers));
    json_array_foreach(own, i, name)
    {
        if (json_is_string(name))
            cell->own_helpers[cell->own_helper_count++] = memory_copy(json_string_value(name));
    }
}

static void take_figure(struct cell *cell, size_t i, const struct raw *raw)
{
    const struct figure *figure = &figures[i];

    if (figure->growth.per)
        cell->numbers[i] = take_growth(raw, &figure->growth);
    else if (figure->field.path)
        cell->numbers[i] = take_field(raw, &figure->field);
    else if (figure->take)
        cell->numbers[i] = figure->take(raw);
    else if (figure->take_text) {
        free(cell->texts[i]);
        cell->texts[i] = figure->take_text(raw);
    }
}

void cell_take_figures(struct cell *cell, const struct raw *raw)
{
    const char *status;

    for (size_t i = 0; i < figure_count; i++)
        take_figure(cell, i, raw);
    take_helpers(cell, raw);
    take_own_helpers(cell, raw);
    cell_round(cell);
    status = cell_text(cell, "status");
    cell->ok = status && strcmp(status, "ok") == 0;
}

void cell_free(struct cell *cell)
{
    for (size_t i = 0; i < figure_count; i++)
        free(cell->texts[i]);
    for (size_t i = 0; i < cell->helper_count; i++)
        free(cell->helpers[i].name);
    for (size_t i = 0; i < cell->own_helper_count; i++)
        free(cell->own_helpers[i]);
    free(cell->numbers);
    free(cell->texts);
    free(cell->helpers);
    free(cell->own_helpers);
    free(cell->planned.monitor);
}

double cell_number(const struct cell *cell, const char *figure)
{
    return cell->numbers[figure_index(figure)];
}

void cell_set_number(struct cell *cell, const char *figure, double number)
{
    cell->numbers[figure_index(figure)] = number;
}

const char *cell_text(const struct cell *cell, const char *figure)
{
    return cell->texts[figure_index(figure)];
}

void cell_set_text(struct cell *cell, const char *figure, char *text)
{
    char **place = &cell->texts[figure_index(figure)];

    free(*place);
    *place = text;
}

double cell_helper_cpu(const struct cell *cell, const char *name)
{
    for (size_t i = 0; i < cell->helper_count; i++)
        if (strcmp(cell->helpers[i].name, name) == 0)
            return cell->helpers[i].cpu;
    return UNKNOWN;
}

void cell_round(struct cell *cell)
{
    for (size_t i = 0; i < figure_count; i++)
        cell->numbers[i] = number_round(cell->numbers[i]);
}

void cell_write_field(FILE *out, const struct cell *cell, size_t figure)
{
    char text[NUMBER_TEXT_SIZE];

    if (figures[figure].type == FIGURE_TEXT) {
        if (cell->texts[figure])
            csv_write(out, cell->texts[figure]);
    } else if (figures[figure].type == FIGURE_BOOLEAN) {
        if (is_known(cell->numbers[figure]))
            fputs(cell->numbers[figure] != 0 ? "true" : "false", out);
    } else {
        number_format(cell->numbers[figure], text);
        fputs(text, out);
    }
}
