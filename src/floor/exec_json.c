#include "exec_json.h"

#include <string.h>

/* printf would take longer than all the rest of a line. */
static char *put_number(char *out, uint64_t number, int digits_min)
{
    char digits[20], *p = digits + sizeof(digits);

    while (number > 0 || digits_min > 0) {
        *--p = (char)('0' + number % 10);
        number /= 10;
        digits_min--;
    }
    return mempcpy(out, p, (size_t)(digits + sizeof(digits) - p));
}

static char *put_text(char *out, const char *text)
{
    return stpcpy(out, text);
}

static char *put_args(char *out, const char *args, size_t bytes)
{
    const char *end = args + bytes;

    *out++ = '[';
    while (args < end) {
        size_t length = strnlen(args, (size_t)(end - args));

        out = json_put_string(out, args, length);
        args += length + 1;
        if (args < end)
            *out++ = ',';
    }
    *out++ = ']';
    return out;
}

char *exec_json(char *out, const struct exec_event *event, int64_t real_offset_ns)
{
    const uint64_t time_usec = (event->time_ns + (uint64_t)real_offset_ns) / 1000;

    out = put_number(put_text(out, "{\"time\":"), time_usec / 1000000, 1);
    out = put_number(put_text(out, "."), time_usec % 1000000, 6);
    out = put_number(put_text(out, ",\"pid\":"), event->pid, 1);
    out = put_number(put_text(out, ",\"ppid\":"), event->ppid, 1);
    out = put_number(put_text(out, ",\"uid\":"), event->uid, 1);
    out = put_text(out, ",\"exe\":");
    if (event->exe_bytes > 0)
        out = json_put_string(out, event->text, event->exe_bytes - 1U);
    else
        out = put_text(out, "null");
    out = put_text(out, ",\"argv\":");
    if (event->flags & ARGS_UNREADABLE)
        out = put_text(out, "null");
    else
        out = put_args(out, event->text + event->exe_bytes, event->args_bytes);
    if (event->flags & ARGS_TRUNCATED)
        out = put_text(out, ",\"truncated\":true");
    return put_text(out, "}\n");
}
