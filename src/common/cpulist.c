#include "cpulist.h"

#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "usage.h"

static const char *parse_cpu(const char **text, unsigned *cpu)
{
    uint64_t number;

    if (!isdigit((unsigned char)**text))
        return "a CPU number is missing";
    if (!number_next(text, CPULIST_MAX - 1, &number))
        return "a CPU number is too large";
    *cpu = (unsigned)number;
    return NULL;
}

const char *cpulist_parse(const char *text, struct cpulist *cpus)
{
    memset(cpus, 0, sizeof(*cpus));
    for (;;) {
        unsigned first, last;
        const char *wrong = parse_cpu(&text, &first);

        if (wrong)
            return wrong;
        last = first;
        if (*text == '-') {
            text++;
            wrong = parse_cpu(&text, &last);
            if (wrong)
                return wrong;
            if (last < first)
                return "a range ends before it begins";
        }
        for (unsigned cpu = first; cpu <= last; cpu++)
            CPU_SET_S(cpu, sizeof(cpus->set), cpus->set);
        if (*text == '\0')
            return NULL;
        if (*text != ',')
            return "only digits, '-' and ',' may be in it";
        text++;
    }
}

static int has(const struct cpulist *cpus, unsigned cpu)
{
    return cpu < CPULIST_MAX && CPU_ISSET_S(cpu, sizeof(cpus->set), cpus->set);
}

void cpulist_format(const struct cpulist *cpus, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (unsigned cpu = 0; cpu < CPULIST_MAX; cpu++) {
        unsigned last = cpu;
        int n;

        if (!has(cpus, cpu))
            continue;
        while (has(cpus, last + 1))
            last++;
        if (last > cpu)
            n = snprintf(text + used, size - used, "%s%u-%u", used ? "," : "", cpu, last);
        else
            n = snprintf(text + used, size - used, "%s%u", used ? "," : "", cpu);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
        cpu = last;
    }
}

unsigned cpulist_count(const struct cpulist *cpus)
{
    return (unsigned)CPU_COUNT_S(sizeof(cpus->set), cpus->set);
}

int cpulist_next(const struct cpulist *cpus, unsigned from)
{
    for (unsigned cpu = from; cpu < CPULIST_MAX; cpu++)
        if (has(cpus, cpu))
            return (int)cpu;
    return -1;
}

int cpulist_outside(const struct cpulist *cpus, const struct cpulist *allowed)
{
    for (unsigned cpu = 0; cpu < CPULIST_MAX; cpu++)
        if (has(cpus, cpu) && !has(allowed, cpu))
            return (int)cpu;
    return -1;
}

int cpulist_get_affinity(struct cpulist *cpus)
{
    memset(cpus, 0, sizeof(*cpus));
    return sched_getaffinity(0, sizeof(cpus->set), cpus->set);
}

int cpulist_set_affinity(const struct cpulist *cpus)
{
    return sched_setaffinity(0, sizeof(cpus->set), cpus->set);
}

int cpulist_bind(unsigned cpu)
{
    struct cpulist cpus = {0};

    CPU_SET_S(cpu, sizeof(cpus.set), cpus.set);
    return cpulist_set_affinity(&cpus);
}

void cpulist_check_option(const char *option, const struct cpulist *cpus)
{
    struct cpulist allowed;
    char text[256];
    int outside;

    if (cpulist_get_affinity(&allowed) < 0)
        err(EXIT_FAILURE, "cannot get the CPU affinity");
    outside = cpulist_outside(cpus, &allowed);
    cpulist_format(&allowed, text, sizeof(text));
    if (outside >= 0)
        errx(EXIT_USAGE, "--%s: CPU %d is not available, expected some of %s", option, outside, text);
}
