/* Audit records: each line of the input is one, its type first, a tab in place of a line break. A line
 * without a type lets events expire. */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "../../src/floor/audit_events.h"

static struct append log_file;
static int log_fd = -1;

static void open_log(void)
{
    char path[32];

    log_fd = memfd_create("log", MFD_CLOEXEC);
    EXPECT(log_fd >= 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", log_fd);
    append_open(&log_file, path, AUDIT_LINE_BYTES_MAX);
}

static void take_line(struct audit_events *events, const char *line, size_t length, int64_t now_ns)
{
    size_t digits = 0;
    int type = 0;
    char *text;

    while (digits < length && digits < 4 && line[digits] >= '0' && line[digits] <= '9')
        type = type * 10 + (line[digits++] - '0');
    if (digits == 0 || digits == length) {
        audit_events_expire(events, now_ns);
        return;
    }
    text = fuzz_text(line + digits + 1, length - digits - 1);
    length = strlen(text);
    for (char *p = text; (p = strchr(p, '\t')); p++)
        *p = '\n';
    /* Without a NUL, as from the socket. */
    text = realloc(text, length ? length : 1);
    EXPECT(text);
    audit_events_add(events, type, text, length, now_ns);
    free(text);
}

/* Each record is a line. */
static void check_log(uint64_t records)
{
    off_t bytes;
    char *text;

    append_flush(&log_file);
    bytes = lseek(log_fd, 0, SEEK_END);
    EXPECT(bytes >= 0);
    text = malloc((size_t)bytes + 1);
    EXPECT(text && pread(log_fd, text, (size_t)bytes, 0) == bytes);
    for (const char *p = text, *end = text + bytes; p < end; records--) {
        EXPECT(records > 0 && end - p > 5 && memcmp(p, "type=", 5) == 0);
        p = memchr(p, '\n', (size_t)(end - p));
        EXPECT(p);
        p++;
    }
    EXPECT(records == 0);
    free(text);
    EXPECT(ftruncate(log_fd, 0) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data, *end = line + size;
    struct audit_events events;
    int64_t now_ns = 0;

    if (log_fd < 0)
        open_log();
    audit_events_init(&events, &log_file);
    while (line < end) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));

        if (!line_end)
            line_end = end;
        take_line(&events, line, (size_t)(line_end - line), ++now_ns);
        line = line_end + 1;
    }
    audit_events_expire(&events, INT64_MAX);
    EXPECT(events.open == 0);
    EXPECT(events.events > 0 || audit_events_serial_gaps(&events) == 0);
    check_log(events.records);
    audit_events_free(&events);
    return 0;
}
