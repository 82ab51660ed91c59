/*
 * What the size of its environment costs a launched program: one launch with each environment in turn, in an
 * order that is drawn anew each time, so that whatever else the machine does meets all of them alike.
 *
 *     environment LAUNCHES PAUSE_USEC COMMAND FILE...     LAUNCHES with each FILE, which is as
 * /proc/PID/environ
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/common/clock.h"
#include "../src/common/number.h"
#include "../src/execrate/rusage.h"

/* Launches that follow each other are alike; means of as many are not. */
#define BLOCK 100

struct environment {
    const char *name;
    size_t variable_count, bytes;
    char **variables;
    double *cpu_usec, *elapsed_usec; /* of each launch */
};

static void environment_read(struct environment *environment, const char *path, size_t launches)
{
    FILE *file = fopen(path, "re");
    size_t size = 0;
    char *text = NULL;

    *environment = (struct environment){.name = path};
    if (!file)
        err(2, "'%s'", path);
    environment->cpu_usec = calloc(launches, sizeof(double));
    environment->elapsed_usec = calloc(launches, sizeof(double));
    environment->variables = calloc(1, sizeof(char *));
    while (getdelim(&text, &size, '\0', file) > 0) {
        environment->bytes += strlen(text) + 1;
        environment->variables =
            reallocarray(environment->variables, environment->variable_count + 2, sizeof(char *));
        if (!environment->variables)
            err(EXIT_FAILURE, "cannot allocate an environment");
        environment->variables[environment->variable_count++] = strdup(text);
        environment->variables[environment->variable_count] = NULL;
    }
    if (!environment->cpu_usec || !environment->elapsed_usec || ferror(file))
        err(EXIT_FAILURE, "cannot read '%s'", path);
    free(text);
    fclose(file);
}

static void launch(const struct environment *environment, size_t i, char *command)
{
    char *argv[] = {command, "environment-0", "exectax", NULL};
    int64_t start_ns = now_ns();
    pid_t pid = vfork();
    struct rusage usage;
    int status;

    if (pid == 0) {
        execve(command, argv, environment->variables);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
        err(EXIT_FAILURE, "cannot launch '%s'", command);
    if (status != 0)
        errx(EXIT_FAILURE, "'%s' failed", command);
    environment->elapsed_usec[i] = (double)(now_ns() - start_ns) / 1e3;
    environment->cpu_usec[i] = (double)rusage_cpu_usec(&usage);
}

static void shuffle(size_t *order, size_t count)
{
    for (size_t i = count - 1; i > 0; i--) {
        size_t k = (size_t)random() % (i + 1), swapped = order[i];

        order[i] = order[k];
        order[k] = swapped;
    }
}

static double block_mean(const double *values, const double *less, size_t block)
{
    double sum = 0;

    for (size_t i = block * BLOCK; i < (block + 1) * BLOCK; i++)
        sum += values[i] - (less ? less[i] : 0);
    return sum / BLOCK;
}

/* The mean, and half of its 95 % interval from the scatter of block means. less: what to subtract, or NULL.
 */
static void print_mean(const double *values, const double *less, size_t blocks)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < blocks; i++)
        mean += block_mean(values, less, i) / (double)blocks;
    for (size_t i = 0; i < blocks; i++)
        squares += pow(block_mean(values, less, i) - mean, 2);
    printf(" %.2f ± %.2f |", mean, 1.98 * sqrt(squares / (double)(blocks - 1) / (double)blocks));
}

static void print(const struct environment *environment, const struct environment *first, size_t blocks)
{
    printf("| %s | %zu | %zu |", basename(environment->name), environment->variable_count,
           environment->bytes);
    print_mean(environment->cpu_usec, NULL, blocks);
    print_mean(environment->cpu_usec, first->cpu_usec, blocks);
    print_mean(environment->elapsed_usec, first->elapsed_usec, blocks);
    printf("\n");
}

int main(int argc, char **argv)
{
    const size_t count = argc > 4 ? (size_t)argc - 4 : 0;
    struct environment environments[count ? count : 1];
    size_t order[count ? count : 1];
    uint64_t launches, pause_usec;

    if (!count || !number_parse(argv[1], 100 * BLOCK, 100000000, &launches) ||
        !number_parse(argv[2], 0, 1000000, &pause_usec))
        errx(2, "expected LAUNCHES (at least %d) PAUSE_USEC COMMAND FILE...", 100 * BLOCK);
    for (size_t i = 0; i < count; i++) {
        environment_read(&environments[i], argv[i + 4], launches);
        order[i] = i;
    }
    for (size_t i = 0; i < launches; i++) {
        shuffle(order, count);
        for (size_t k = 0; k < count; k++) {
            const struct timespec pause = to_timespec((int64_t)pause_usec * NS_PER_USEC);

            nanosleep(&pause, NULL);
            launch(&environments[order[k]], i, argv[3]);
        }
    }
    printf("| environment | variables | bytes | CPU, µs | more than the first | launch to exit, µs more than "
           "the first |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < count; i++)
        print(&environments[i], &environments[0], launches / BLOCK);
    return EXIT_SUCCESS;
}
