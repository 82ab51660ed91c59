/* Audit events: the kernel sends an event's records one by one, and those of several events mixed. Here they
 * are put together by the event's serial number, so that each event stands in the log as one piece. */
#ifndef FLOOR_AUDIT_EVENTS_H
#define FLOOR_AUDIT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "append.h"

/* Events in the making at the same time: about one for each CPU. */
#define AUDIT_EVENTS_OPEN_MAX 1024

/* Of a record's text. The kernel sets no limit: a path of 4,096 bytes, in hex, with the file's security label
 * is more than 9,000. */
#define AUDIT_RECORD_BYTES_MAX (16 * 1024)

/* With what is put around it. */
#define AUDIT_LINE_BYTES_MAX (AUDIT_RECORD_BYTES_MAX + 64)

struct audit_event {
    uint32_t serial;
    bool of_syscall; /* then the last of its records is of type EOE */
    int64_t begun_ns;
    char *text; /* its records as lines */
    size_t used, capacity;
};

struct audit_events {
    struct append *log;
    struct audit_event *slots; /* the first ones are open; all keep their memory */
    size_t open;
    uint64_t events;     /* begun */
    uint64_t records;    /* in them */
    uint64_t incomplete; /* written without their last record */
    uint64_t truncated;  /* records that were cut off at AUDIT_RECORD_BYTES_MAX */
    uint32_t serial_first, serial_last;
};

void audit_events_init(struct audit_events *events, struct append *log);

/* One record, its text as the kernel sent it: `audit(TIME:SERIAL): ...`. What is too long is cut off, and
 * counted. */
void audit_events_add(struct audit_events *events, int type, const char *text, size_t length, int64_t now_ns);

/* Writes the events that were begun before that time as they are. */
void audit_events_expire(struct audit_events *events, int64_t before_ns);

/* Serial numbers between the lowest and the highest seen of which no record came. */
uint64_t audit_events_serial_gaps(const struct audit_events *events);

void audit_events_free(struct audit_events *events);

#endif
