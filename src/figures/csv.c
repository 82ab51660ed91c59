#include "csv.h"

#include <string.h>

#include "number.h"

/* Cuts line at its commas; how many fields it has. Fields from CSV_FIELDS_MAX on are counted only. */
static int split(char *line, char *fields[CSV_FIELDS_MAX])
{
    int count = 0;

    for (char *field = line; field; count++) {
        char *comma = strchr(field, ',');

        if (count < CSV_FIELDS_MAX)
            fields[count] = field;
        if (comma)
            *comma++ = '\0';
        field = comma;
    }
    return count;
}

static int find(char *fields[], int count, const char *name, size_t length)
{
    for (int i = 0; i < count && i < CSV_FIELDS_MAX; i++)
        if (strlen(fields[i]) == length && memcmp(fields[i], name, length) == 0)
            return i;
    return -1;
}

static void read_header(struct csv *csv, const char *wanted, struct problem *problem)
{
    char *fields[CSV_FIELDS_MAX], *end;
    char *line = lines_next(csv->lines, &end, problem);

    if (!line) {
        problem_set(problem, "has no header");
        return;
    }
    csv->row = 1;
    csv->columns = split(line, fields);
    for (int i = 0; *wanted; i++) {
        size_t length = strcspn(wanted, ",");

        csv->wanted[i] = find(fields, csv->columns, wanted, length);
        if (csv->wanted[i] < 0)
            problem_set(problem, "has no column %.*s", (int)length, wanted);
        wanted += length + (wanted[length] == ',');
        csv->wanted[i + 1] = -1;
    }
}

bool csv_open(struct csv *csv, const char *path, enum lines_form form, const char *wanted,
              struct problem *problem)
{
    *csv = (struct csv){.lines = lines_open(path, form, problem)};
    if (!csv->lines)
        return false;
    read_header(csv, wanted, problem);
    if (problem_is_set(problem)) {
        csv_close(csv);
        return false;
    }
    return true;
}

bool csv_next(struct csv *csv, char *fields[], struct problem *problem)
{
    char *all[CSV_FIELDS_MAX], *end;
    char *line = lines_next(csv->lines, &end, problem);
    int count;

    if (!line)
        return false;
    csv->row++;
    count = split(line, all);
    if (count != csv->columns) {
        problem_set(problem, "line %lu has %d fields, expected %d", csv->row, count, csv->columns);
        return false;
    }
    for (int i = 0; csv->wanted[i] >= 0; i++)
        fields[i] = all[csv->wanted[i]];
    return true;
}

int64_t csv_whole(const struct csv *csv, const char *field, struct problem *problem)
{
    int64_t value = 0;

    if (!number_parse_whole(field, field + strlen(field), &value))
        problem_set(problem, "line %lu has '%s', expected a whole number", csv->row, field);
    return value;
}

void csv_close(struct csv *csv)
{
    lines_close(csv->lines);
}

void csv_write(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

void csv_write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fprintf(out, ",%s", text);
}
