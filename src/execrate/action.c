#include "action.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

/* The ends of the section that ACTION_REGISTER() fills; the linker names them after it. */
extern const struct action *const __start_actions[], *const __stop_actions[];

size_t action_count(void)
{
    return (size_t)(__stop_actions - __start_actions);
}

const struct action *action_at(size_t i)
{
    return __start_actions[i];
}

static const struct action *find(const char *name, size_t length)
{
    for (size_t i = 0; i < action_count(); i++)
        if (strlen(action_at(i)->name) == length && strncmp(action_at(i)->name, name, length) == 0)
            return action_at(i);
    return NULL;
}

/* "expected some of NAME, NAME, ...": kept for the next time. */
static const char *expected_names(void)
{
    static char *text;
    size_t size;
    FILE *out;

    if (text)
        return text;
    out = open_memstream(&text, &size);
    if (!out)
        err(EXIT_FAILURE, "no memory for a list of actions");
    fputs("expected some of ", out);
    for (size_t i = 0; i < action_count(); i++)
        fprintf(out, "%s, ", action_at(i)->name);
    fputs("with commas between them", out);
    if (fclose(out) != 0)
        err(EXIT_FAILURE, "no memory for a list of actions");
    return text;
}

const char *parse_actions(const char *text, const struct action **actions, unsigned *count)
{
    *count = 0;
    for (const char *name = text;; name++) {
        size_t length = strcspn(name, ",");
        const struct action *action = find(name, length);

        if (!action)
            return expected_names();
        for (unsigned i = 0; i < *count; i++)
            if (actions[i] == action)
                return "expected each action once";
        if (*count == ACTIONS_MAX)
            return "expected fewer actions";
        actions[(*count)++] = action;
        name += length;
        if (*name == '\0')
            return NULL;
    }
}

void actions_list(FILE *out)
{
    for (size_t i = 0; i < action_count(); i++)
        fprintf(out, "%s\t%s\n", action_at(i)->name, action_at(i)->summary);
}

void actions_help(FILE *out)
{
    int width = 0;

    for (size_t i = 0; i < action_count(); i++)
        if ((int)strlen(action_at(i)->name) > width)
            width = (int)strlen(action_at(i)->name);
    for (size_t i = 0; i < action_count(); i++)
        fprintf(out, "  %-*s  %s\n", width, action_at(i)->name, action_at(i)->summary);
}
