#include "action.h"

#include <string.h>

static const struct action *const all[] = {
    &action_exec,    &action_open, &action_read_sensitive, &action_write_below_bin, &action_change_namespace,
    &action_connect,
};

#define ALL_COUNT (sizeof(all) / sizeof(*all))

_Static_assert(ALL_COUNT <= ACTIONS_MAX, "a list of all actions must fit");

static const struct action *find(const char *name, size_t length)
{
    for (size_t i = 0; i < ALL_COUNT; i++)
        if (strlen(all[i]->name) == length && strncmp(all[i]->name, name, length) == 0)
            return all[i];
    return NULL;
}

const char *parse_actions(const char *text, const struct action **actions, unsigned *count)
{
    *count = 0;
    for (const char *name = text;; name++) {
        size_t length = strcspn(name, ",");
        const struct action *action = find(name, length);

        if (!action)
            return "expected some of exec, open, read-sensitive, write-below-bin, change-namespace, connect, "
                   "with "
                   "commas between them";
        for (unsigned i = 0; i < *count; i++)
            if (actions[i] == action)
                return "expected each action once";
        actions[(*count)++] = action;
        name += length;
        if (*name == '\0')
            return NULL;
    }
}
