#include "pidstat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "memory.h"
#include "number.h"

#define FIELDS_MAX 32

static bool parse_process(char *line, struct process *process)
{
    char *pid = strtok(line, ","), *role = strtok(NULL, ",");

    if (!pid || !role || !strtok(NULL, "") || strlen(pid) >= sizeof(process->pid))
        return false;
    *process = (struct process){0};
    strcpy(process->pid, pid);
    process->role = strcmp(role, "helper") == 0 ? ROLE_HELPER : ROLE_DAEMON;
    return strcmp(role, "helper") == 0 || strcmp(role, "daemon") == 0;
}

void processes_read(struct processes *processes, const char *path, struct problem *problem)
{
    struct lines *lines = lines_open(path, LINES_PLAIN, problem);
    size_t capacity = 0;
    char *line, *end;

    if (!lines)
        return;
    while (!problem_is_set(problem) && (line = lines_next(lines, &end, problem))) {
        struct process process;

        if (!parse_process(line, &process)) {
            problem_set(problem, "expected pid,role,name on every line");
            break;
        }
        processes->list = memory_grow(processes->list, processes->count, &capacity, sizeof(*processes->list));
        processes->list[processes->count++] = process;
    }
    lines_close(lines);
    if (problem_is_set(problem))
        processes_free(processes);
}

void processes_free(struct processes *processes)
{
    free(processes->list);
    *processes = (struct processes){0};
}

static struct process *find(struct processes *processes, const char *pid)
{
    for (size_t i = 0; i < processes->count; i++)
        if (strcmp(processes->list[i].pid, pid) == 0)
            return &processes->list[i];
    return NULL;
}

static int split(char *line, char *fields[FIELDS_MAX])
{
    int count = 0;

    for (char *field = strtok(line, " \t"); field && count < FIELDS_MAX; field = strtok(NULL, " \t"))
        fields[count++] = field;
    return count;
}

/* Where the columns are in a sample: the header has a # of its own before them. */
struct columns {
    int pid, cpu;
};

static void read_header(struct columns *columns, char *fields[], int count)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(fields[i], "PID") == 0)
            columns->pid = i - 1;
        if (strcmp(fields[i], "%CPU") == 0)
            columns->cpu = i - 1;
    }
}

static void add_sample(struct pidstat *pidstat, struct processes *processes, const struct columns *columns,
                       char *fields[], int count, struct problem *problem)
{
    struct process *process;
    double cpu;

    if (columns->pid == 0 || count <= columns->pid || !(process = find(processes, fields[columns->pid])))
        return;
    if (columns->cpu == 0 || count <= columns->cpu || !number_parse(fields[columns->cpu], &cpu)) {
        problem_set(problem, "a sample of process %s has no %%CPU", process->pid);
        return;
    }
    pidstat->cpu[process->role] += cpu;
    if (++process->samples > pidstat->samples)
        pidstat->samples = process->samples;
}

/* pidstat's own figures have two decimals. */
static double rounded_mean(double sum, unsigned count)
{
    char text[NUMBER_TEXT_SIZE];

    snprintf(text, sizeof(text), "%.3f", sum / count);
    return strtod(text, NULL);
}

void pidstat_read(struct pidstat *pidstat, const char *path, struct processes *processes,
                  struct problem *problem)
{
    struct lines *lines = lines_open(path, LINES_PLAIN, problem);
    struct columns columns = {0};
    char *line, *end, *fields[FIELDS_MAX];

    *pidstat = (struct pidstat){0};
    if (!lines)
        return;
    /* A sample is a line for each process, with a header only where there are several of them. */
    while (!problem_is_set(problem) && (line = lines_next(lines, &end, problem))) {
        bool is_header = strncmp(line, "# Time", 6) == 0;
        int count = split(line, fields);

        if (is_header)
            read_header(&columns, fields, count);
        else
            add_sample(pidstat, processes, &columns, fields, count, problem);
    }
    lines_close(lines);
    for (int role = 0; role < ROLES; role++)
        pidstat->cpu[role] = pidstat->samples ? rounded_mean(pidstat->cpu[role], pidstat->samples) : UNKNOWN;
    if (problem_is_set(problem))
        *pidstat = (struct pidstat){.cpu = {NAN, NAN}};
}
