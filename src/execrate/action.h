/* What a launch does: executes a program, or something else that security monitors watch for. */
#ifndef EXECRATE_ACTION_H
#define EXECRATE_ACTION_H

#include <stddef.h>

struct action_request {
    const char *command; /* exec only */
    char *const *argv;
    char *const *environment;
    const char *tag; /* NULL: none; otherwise unique to this launch */
};

struct action {
    const char *name;
    /* Once, in the only thread, before the first launch; ends the program if it can't. NULL: nothing to do.
     */
    void (*prepare)(void);
    /*
     * In a child of its own that shares execrate's memory and whose parent is suspended meanwhile: no
     * allocations, no streams. 0, or an errno value; exec comes back only with the latter.
     */
    int (*run)(const struct action_request *request);
};

#define ACTIONS_MAX 16

/*
 * Commas between names; each may be named once. actions gets *count of them. Returns NULL, or what was
 * expected instead of the text.
 */
const char *parse_actions(const char *text, const struct action **actions, unsigned *count);

extern const struct action action_exec;
extern const struct action action_open;
extern const struct action action_read_sensitive;
extern const struct action action_write_below_bin;
extern const struct action action_change_namespace;
extern const struct action action_connect;

#endif
