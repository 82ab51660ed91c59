/* Values of options. Each returns NULL, or what was expected instead of the text. */
#ifndef CPUMETER_PARSE_H
#define CPUMETER_PARSE_H

#include <stdint.h>
#include <sys/types.h>

#include "owner.h"

/* A name must fit into a field of CSV without quotes. */
const char *parse_name(const char *text);
/* NAME=VALUE, cut in two at the first '='. */
const char *parse_named(char *text, const char **name, const char **value);
const char *parse_pid(const char *text, pid_t *pid);
const char *parse_seconds(const char *text, int64_t *ns);
const char *parse_program_id(const char *text, uint32_t *id);
/* cgroup=PATH or pid=N. */
const char *parse_owner(const char *text, struct owner *owner);

#endif
