#include "timerlist.h"

#include <string.h>

#include "field.h"

struct cpu {
    uint64_t tick_stopped;
    uint64_t idle_entry_ns;
    uint64_t idle_ns;
    uint64_t iowait_ns;
    unsigned found;
};

/* The number behind "  .key   : ", in which the blanks are for alignment. */
static bool find(const char *line, const char *key, uint64_t *value)
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) != 0)
        return false;
    line += length;
    line += strspn(line, " ");
    if (*line != ':')
        return false;
    line++;
    return field_next(&line, value);
}

static void add_cpu(struct timerlist *list, const struct cpu *cpu)
{
    list->idle_ns += cpu->idle_ns;
    list->iowait_ns += cpu->iowait_ns;
    /* The sums lack the idle period under way. The list doesn't say whether there is one, but while the tick
     * is stopped there is; one that is too short to have stopped the tick is left out. */
    if (cpu->tick_stopped && cpu->idle_entry_ns < list->now_ns)
        list->idle_ns += list->now_ns - cpu->idle_entry_ns;
}

bool timerlist_parse(const char *text, struct timerlist *list)
{
    struct cpu cpu = {0};

    *list = (struct timerlist){0};
    if (!field_find(text, "now at", &list->now_ns))
        return false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n");
        if (strncmp(line, "cpu:", 4) == 0)
            cpu = (struct cpu){0};
        if (strncmp(line, "  .", 3) != 0)
            continue;
        cpu.found += find(line + 3, "tick_stopped", &cpu.tick_stopped);
        cpu.found += find(line + 3, "idle_entrytime", &cpu.idle_entry_ns);
        cpu.found += find(line + 3, "idle_sleeptime", &cpu.idle_ns);
        if (!find(line + 3, "iowait_sleeptime", &cpu.iowait_ns))
            continue;
        if (cpu.found != 3)
            return false;
        list->cpus++;
        add_cpu(list, &cpu);
    }
    return list->cpus > 0;
}
