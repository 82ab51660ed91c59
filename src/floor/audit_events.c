#include "audit_events.h"

#include <err.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void audit_events_init(struct audit_events *events, struct append *log)
{
    *events = (struct audit_events){.log = log};
    events->slots = calloc(AUDIT_EVENTS_OPEN_MAX, sizeof(*events->slots));
    if (!events->slots)
        err(EXIT_FAILURE, "no memory for audit events");
}

void audit_events_free(struct audit_events *events)
{
    for (size_t i = 0; i < AUDIT_EVENTS_OPEN_MAX; i++)
        free(events->slots[i].text);
    free(events->slots);
}

/* The number in `audit(SECONDS.MILLISECONDS:SERIAL)`; false if there is none. */
static bool parse_serial(const char *text, size_t length, uint32_t *serial)
{
    const char *p = memchr(text, ':', length), *end = text + length;
    uint64_t number = 0;

    if (!p || ++p == end || *p < '0' || *p > '9')
        return false;
    for (; p < end && *p >= '0' && *p <= '9' && number <= UINT32_MAX; p++)
        number = number * 10 + (uint64_t)(*p - '0');
    *serial = (uint32_t)number;
    return p < end && *p == ')' && number <= UINT32_MAX;
}

static size_t put_line(char *out, int type, const char *text, size_t length)
{
    const char *name = audit_msg_type_to_name(type);
    char unknown[32], *p, *end;

    if (!name) {
        snprintf(unknown, sizeof(unknown), "UNKNOWN[%d]", type);
        name = unknown;
    }
    p = stpcpy(stpcpy(stpcpy(out, "type="), name), " msg=");
    end = mempcpy(p, text, length);
    /* A user-space program's message may contain line breaks; in the log they would look like records. */
    while ((p = memchr(p, '\n', (size_t)(end - p))))
        *p = ' ';
    *end++ = '\n';
    return (size_t)(end - out);
}

static void write_text(struct append *log, const char *text, size_t bytes)
{
    while (bytes > 0) {
        size_t part = bytes < AUDIT_LINE_BYTES_MAX ? bytes : AUDIT_LINE_BYTES_MAX;

        append_filled(log, mempcpy(append_room(log, part), text, part));
        text += part;
        bytes -= part;
    }
}

static void close_event(struct audit_events *events, struct audit_event *event)
{
    struct audit_event *last_open = &events->slots[--events->open], closed = *event;

    write_text(events->log, closed.text, closed.used);
    *event = *last_open;
    *last_open = closed;
}

static void give_up(struct audit_events *events, struct audit_event *event)
{
    if (event->of_syscall)
        events->incomplete++;
    close_event(events, event);
}

static struct audit_event *find_oldest(struct audit_events *events)
{
    struct audit_event *oldest = &events->slots[0];

    for (size_t i = 1; i < events->open; i++) {
        if (events->slots[i].begun_ns < oldest->begun_ns)
            oldest = &events->slots[i];
    }
    return oldest;
}

static void note_serial(struct audit_events *events, uint32_t serial)
{
    /* They wrap around: lower and higher are within half of the circle. */
    if (events->events == 0 || (int32_t)(serial - events->serial_first) < 0)
        events->serial_first = serial;
    if (events->events == 0 || (int32_t)(serial - events->serial_last) > 0)
        events->serial_last = serial;
    events->events++;
}

static struct audit_event *find_event(struct audit_events *events, uint32_t serial, int64_t now_ns)
{
    struct audit_event *event;

    for (size_t i = events->open; i > 0; i--) {
        if (events->slots[i - 1].serial == serial)
            return &events->slots[i - 1];
    }
    if (events->open == AUDIT_EVENTS_OPEN_MAX)
        give_up(events, find_oldest(events));
    event = &events->slots[events->open++];
    event->serial = serial;
    event->begun_ns = now_ns;
    event->of_syscall = false;
    event->used = 0;
    note_serial(events, serial);
    return event;
}

static void add_line(struct audit_event *event, int type, const char *text, size_t length)
{
    if (event->capacity - event->used < AUDIT_LINE_BYTES_MAX) {
        size_t capacity = 2 * event->capacity + AUDIT_LINE_BYTES_MAX;
        char *grown = realloc(event->text, capacity);

        if (!grown)
            err(EXIT_FAILURE, "no memory for an audit event of %zu bytes", capacity);
        event->text = grown;
        event->capacity = capacity;
    }
    event->used += put_line(event->text + event->used, type, text, length);
}

/* The kernel's own records can belong to a system call, whose last one has the type EOE; others stand alone.
 */
static bool has_more_records(int type)
{
    return type >= AUDIT_FIRST_EVENT && type <= AUDIT_INTEGRITY_LAST_MSG;
}

void audit_events_add(struct audit_events *events, int type, const char *text, size_t length, int64_t now_ns)
{
    struct audit_event *event;
    uint32_t serial;

    if (!parse_serial(text, length, &serial))
        return;
    if (length > AUDIT_RECORD_BYTES_MAX) {
        length = AUDIT_RECORD_BYTES_MAX;
        events->truncated++;
    }
    event = find_event(events, serial, now_ns);
    if (type == AUDIT_SYSCALL)
        event->of_syscall = true;
    if (type != AUDIT_EOE) {
        add_line(event, type, text, length);
        events->records++;
    }
    if (type == AUDIT_EOE || !has_more_records(type))
        close_event(events, event);
}

void audit_events_expire(struct audit_events *events, int64_t before_ns)
{
    /* Closing one moves the last one into its place: from the last to the first. */
    for (size_t i = events->open; i > 0; i--) {
        if (events->slots[i - 1].begun_ns < before_ns)
            give_up(events, &events->slots[i - 1]);
    }
}

uint64_t audit_events_serial_gaps(const struct audit_events *events)
{
    uint64_t span = (uint64_t)(events->serial_last - events->serial_first) + 1;

    return events->events > 0 && span > events->events ? span - events->events : 0;
}
