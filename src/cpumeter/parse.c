#include "parse.h"

#include <limits.h>
#include <string.h>

#include "../common/number.h"

const char *parse_name(const char *text)
{
    size_t length = strlen(text);

    if (length == 0 || length > 100 ||
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@/+-") != length)
        return "expected a name of 1 to 100 characters from A-Z a-z 0-9 . _ : @ / + -";
    return NULL;
}

const char *parse_named(char *text, const char **name, const char **value)
{
    char *equals = strchr(text, '=');
    const char *expected;

    if (!equals || equals[1] == '\0')
        return "expected NAME=VALUE";
    *equals = '\0';
    expected = parse_name(text);
    if (expected) {
        *equals = '=';
        return expected;
    }
    *name = text;
    *value = equals + 1;
    return NULL;
}

const char *parse_pid(const char *text, pid_t *pid)
{
    uint64_t number;

    if (!number_parse(text, 1, INT_MAX, &number))
        return "expected the number of a process";
    *pid = (pid_t)number;
    return NULL;
}

const char *parse_seconds(const char *text, int64_t *ns)
{
    if (!number_parse_seconds(text, 0.001, ns))
        return "expected seconds, a number from 0.001 to 315360000";
    return NULL;
}

const char *parse_program_id(const char *text, uint32_t *id)
{
    uint64_t number;

    if (!number_parse(text, 0, UINT32_MAX, &number))
        return "expected the id of a BPF program, from 0 to 4294967295";
    *id = (uint32_t)number;
    return NULL;
}

const char *parse_owner(const char *text, struct owner *owner)
{
    *owner = (struct owner){0};
    if (strncmp(text, "cgroup=", 7) == 0 && text[7] != '\0') {
        owner->cgroup = text + 7;
        return NULL;
    }
    if (strncmp(text, "pid=", 4) == 0)
        return parse_pid(text + 4, &owner->pid);
    return "expected cgroup=PATH or pid=N";
}
