#include "profile.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "csv.h"
#include "lines.h"
#include "number.h"

/* The symbol of a program: bpf_prog_, its tag, and an underscore with its name if it has one. The kernel's
 * functions that begin alike have no tag. */
static bool is_bpf_program(const char *frame)
{
    static const char prefix[] = "bpf_prog_";
    const size_t tag_length = 16;

    if (strncmp(frame, prefix, sizeof(prefix) - 1) != 0)
        return false;
    frame += sizeof(prefix) - 1;
    for (size_t i = 0; i < tag_length; i++, frame++)
        if (!isdigit((unsigned char)*frame) && !(*frame >= 'a' && *frame <= 'f'))
            return false;
    return *frame == '_' || *frame == ';' || *frame == '\0';
}

static bool is_idle(const char *stack)
{
    static const char idle[] = ";[idle]";
    size_t length = strlen(stack), idle_length = sizeof(idle) - 1;

    return length >= idle_length && strcmp(stack + length - idle_length, idle) == 0;
}

static bool has_bpf_program(const char *stack)
{
    while ((stack = strchr(stack, ';')))
        if (is_bpf_program(++stack))
            return true;
    return false;
}

void profile_read(struct profile *profile, const char *path, struct problem *problem)
{
    struct lines *lines = lines_open(path, LINES_GZIPPED, problem);
    char *line, *end;

    *profile = (struct profile){0};
    if (!lines)
        return;
    while ((line = lines_next(lines, &end, problem))) {
        char *number = strrchr(line, ' ');
        int64_t samples;

        if (!number || !number_parse_whole(number + 1, end, &samples) || samples < 0) {
            problem_set(problem, "has a stack without a number of samples: %.80s", line);
            break;
        }
        *number = '\0';
        if (is_idle(line))
            continue;
        profile->busy += (double)samples;
        if (has_bpf_program(line))
            profile->bpf += (double)samples;
    }
    lines_close(lines);
    if (problem_is_set(problem))
        *profile = (struct profile){0};
}

static bool find_payer(const char *name, enum payer *payer)
{
    static const char *const names[PAYERS] = {"watched", "launcher", "daemon", "other"};

    for (size_t i = 0; i < PAYERS; i++)
        if (strcmp(name, names[i]) == 0) {
            *payer = (enum payer)i;
            return true;
        }
    return false;
}

static bool open_payers(struct csv *csv, const char *path, struct problem *problem)
{
    struct problem without = {""};

    return csv_open(csv, path, LINES_PLAIN, "payer,run_samples", &without) ||
           csv_open(csv, path, LINES_PLAIN, "payer,bpf_samples", problem);
}

void payers_read(struct payers *payers, const char *path, struct problem *problem)
{
    enum { NAME, RUN_SAMPLES, FIELDS };
    char *fields[FIELDS];
    enum payer payer;
    double samples;
    struct csv csv;

    *payers = (struct payers){0};
    if (!open_payers(&csv, path, problem))
        return;
    while (!problem_is_set(problem) && csv_next(&csv, fields, problem)) {
        if (!find_payer(fields[NAME], &payer) || !number_parse(fields[RUN_SAMPLES], &samples) ||
            samples < 0) {
            problem_set(problem,
                        "line %lu has %s,%s, expected watched, launcher, daemon or other, and a number",
                        csv.row, fields[NAME], fields[RUN_SAMPLES]);
            break;
        }
        payers->known = true;
        payers->runs[payer] += samples;
        payers->all_runs += samples;
    }
    csv_close(&csv);
    if (problem_is_set(problem))
        *payers = (struct payers){0};
}
