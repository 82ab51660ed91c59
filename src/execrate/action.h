/* What a launch does: executes a program, or something else that security monitors watch for. */
#ifndef EXECRATE_ACTION_H
#define EXECRATE_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct action_request {
    const char *command; /* exec only */
    char *const *argv;
    char *const *environment;
    const char *tag; /* NULL: none; otherwise unique to this launch */
};

struct action {
    const char *name;
    const char *summary; /* what a launch does, on one line */
    /* A command that has the tag among its arguments. The process of one that doesn't has the tag as its
     * name.
     */
    bool executes;
    /* Once, in the only thread, before the first launch; ends the program if it can't. NULL: nothing to do.
     */
    void (*prepare)(void);
    /*
     * In a child of its own that shares execrate's memory and whose parent is suspended meanwhile: no
     * allocations, no streams. 0, or an errno value; exec comes back only with the latter.
     */
    int (*run)(const struct action_request *request);
};

/*
 * Makes an action known to --action, --help and --list-actions, from its own file: the linker puts the
 * pointers of all files one behind the other, in the order of the files' names.
 */
#define ACTION_REGISTER(one)                                                                                 \
    static const struct action *const registered __attribute__((section("actions"), used)) = &(one)

size_t action_count(void);
const struct action *action_at(size_t i);

#define ACTIONS_MAX 64

/*
 * Commas between names; each may be named once. actions gets *count of them. Returns NULL, or what was
 * expected instead of the text.
 */
const char *parse_actions(const char *text, const struct action **actions, unsigned *count);

/* A line for each: its name, a tab, its summary. */
void actions_list(FILE *out);

/* The same for people, in columns. */
void actions_help(FILE *out);

/* What a launch does unless it is told otherwise. */
extern const struct action action_exec;

#endif
