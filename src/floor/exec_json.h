/* An exec as one line of JSON. */
#ifndef FLOOR_EXEC_JSON_H
#define FLOOR_EXEC_JSON_H

#include <stdint.h>

#include "../common/json.h"
#include "exec_event.h"

/* More than names, numbers and punctuation take. */
#define EXEC_JSON_BYTES_MAX (JSON_GROWTH * (EXE_BYTES_MAX + ARGS_BYTES_MAX) + 256)

/* Writes the line into out, which has room for EXEC_JSON_BYTES_MAX; returns its end.
 * real_offset_ns: CLOCK_REALTIME - CLOCK_MONOTONIC. */
char *exec_json(char *out, const struct exec_event *event, int64_t real_offset_ns);

#endif
