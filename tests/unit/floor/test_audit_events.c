#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libaudit.h>

#include "../../../src/floor/audit_events.h"

struct fixture {
    char path[32];
    struct append log;
    struct audit_events events;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    int fd;

    assert_non_null(fixture);
    strcpy(fixture->path, "/tmp/audit_events.XXXXXX");
    fd = mkstemp(fixture->path);
    assert_true(fd >= 0);
    close(fd);
    append_open(&fixture->log, fixture->path, AUDIT_LINE_BYTES_MAX);
    audit_events_init(&fixture->events, &fixture->log);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    audit_events_free(&fixture->events);
    append_close(&fixture->log);
    unlink(fixture->path);
    free(fixture);
    return 0;
}

static void add(struct fixture *fixture, int type, const char *text)
{
    audit_events_add(&fixture->events, type, text, strlen(text), 0);
}

static void assert_log(struct fixture *fixture, const char *expected)
{
    char written[4096];
    FILE *file;
    size_t length;

    append_flush(&fixture->log);
    file = fopen(fixture->path, "r");
    assert_non_null(file);
    length = fread(written, 1, sizeof(written) - 1, file);
    fclose(file);
    written[length] = '\0';
    assert_string_equal(written, expected);
}

static void an_event_is_written_when_its_last_record_is_there(void **state)
{
    add(*state, AUDIT_SYSCALL, "audit(1700000000.123:7): arch=c000003e");
    add(*state, AUDIT_EXECVE, "audit(1700000000.123:7): argc=1 a0=\"x\"");
    assert_log(*state, "");
    add(*state, AUDIT_EOE, "audit(1700000000.123:7): ");
    assert_log(*state, "type=SYSCALL msg=audit(1700000000.123:7): arch=c000003e\n"
                       "type=EXECVE msg=audit(1700000000.123:7): argc=1 a0=\"x\"\n");
}

static void mixed_records_are_sorted_out(void **state)
{
    struct fixture *fixture = *state;

    add(fixture, AUDIT_SYSCALL, "audit(1.000:7): a");
    add(fixture, AUDIT_SYSCALL, "audit(1.000:8): b");
    add(fixture, AUDIT_SYSCALL, "audit(1.000:9): c");
    add(fixture, AUDIT_CWD, "audit(1.000:7): d");
    add(fixture, AUDIT_EOE, "audit(1.000:8): ");
    add(fixture, AUDIT_EOE, "audit(1.000:7): ");
    add(fixture, AUDIT_CWD, "audit(1.000:9): e");
    add(fixture, AUDIT_EOE, "audit(1.000:9): ");
    assert_log(fixture, "type=SYSCALL msg=audit(1.000:8): b\n"
                        "type=SYSCALL msg=audit(1.000:7): a\n"
                        "type=CWD msg=audit(1.000:7): d\n"
                        "type=SYSCALL msg=audit(1.000:9): c\n"
                        "type=CWD msg=audit(1.000:9): e\n");
    assert_int_equal(fixture->events.events, 3);
    assert_int_equal(fixture->events.records, 5);
    assert_int_equal(fixture->events.incomplete, 0);
    assert_int_equal(fixture->events.open, 0);
}

static void a_message_from_user_space_stands_alone(void **state)
{
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:7): pid=1 msg='a\nb'");
    add(*state, 2999, "audit(1.000:8): x");
    assert_log(*state, "type=USER_LOGIN msg=audit(1.000:7): pid=1 msg='a b'\n"
                       "type=UNKNOWN[2999] msg=audit(1.000:8): x\n");
}

static void an_event_without_its_end_is_written_in_time(void **state)
{
    struct fixture *fixture = *state;

    audit_events_add(&fixture->events, AUDIT_SYSCALL, "audit(1.000:7): a", 17, 100);
    audit_events_add(&fixture->events, AUDIT_SYSCALL, "audit(1.000:8): b", 17, 200);
    audit_events_add(&fixture->events, AUDIT_CONFIG_CHANGE, "audit(1.000:9): c", 17, 150);
    audit_events_expire(&fixture->events, 100);
    assert_log(fixture, "");
    audit_events_expire(&fixture->events, 101);
    assert_log(fixture, "type=SYSCALL msg=audit(1.000:7): a\n");
    assert_int_equal(fixture->events.incomplete, 1);
    audit_events_expire(&fixture->events, 151);
    /* That one has no end to wait for if it was not part of a system call. */
    assert_log(fixture, "type=SYSCALL msg=audit(1.000:7): a\ntype=CONFIG_CHANGE msg=audit(1.000:9): c\n");
    assert_int_equal(fixture->events.incomplete, 1);
    assert_int_equal(fixture->events.open, 1);
}

static void too_many_open_events_push_out_the_oldest(void **state)
{
    struct fixture *fixture = *state;
    char text[64];

    for (int i = 0; i <= AUDIT_EVENTS_OPEN_MAX; i++) {
        int length = snprintf(text, sizeof(text), "audit(1.000:%d): a", i);

        audit_events_add(&fixture->events, AUDIT_SYSCALL, text, (size_t)length, 10000 - (i == 5 ? 1 : 0));
    }
    assert_log(fixture, "type=SYSCALL msg=audit(1.000:5): a\n");
    assert_int_equal(fixture->events.incomplete, 1);
    assert_int_equal(fixture->events.open, AUDIT_EVENTS_OPEN_MAX);
}

/* A record of length bytes; the caller frees it. */
static char *new_record(size_t length)
{
    char *text = malloc(length + 1);

    assert_non_null(text);
    memset(text, 'x', length);
    text[length] = '\0';
    memcpy(text, "audit(1.000:7): ", 16);
    return text;
}

static void an_event_may_have_many_records(void **state)
{
    struct fixture *fixture = *state;
    char *text = new_record(8000);

    for (int i = 0; i < 100; i++)
        add(fixture, AUDIT_EXECVE, text);
    add(fixture, AUDIT_EOE, "audit(1.000:7): ");
    append_flush(&fixture->log);
    assert_int_equal(fixture->log.written_bytes, 100 * (8000 + strlen("type=EXECVE msg=\n")));
    free(text);
}

static void a_long_record_is_written_whole(void **state)
{
    struct fixture *fixture = *state;
    char *text = new_record(AUDIT_RECORD_BYTES_MAX);

    add(fixture, AUDIT_USER_CMD, text);
    append_flush(&fixture->log);
    assert_int_equal(fixture->log.written_bytes, AUDIT_RECORD_BYTES_MAX + strlen("type=USER_CMD msg=\n"));
    assert_int_equal(fixture->events.truncated, 0);
    free(text);
}

static void a_record_that_is_too_long_is_cut_off_and_counted(void **state)
{
    struct fixture *fixture = *state;
    char *text = new_record(AUDIT_RECORD_BYTES_MAX + 1);

    add(fixture, AUDIT_USER_CMD, text);
    append_flush(&fixture->log);
    assert_int_equal(fixture->log.written_bytes, AUDIT_RECORD_BYTES_MAX + strlen("type=USER_CMD msg=\n"));
    assert_int_equal(fixture->events.records, 1);
    assert_int_equal(fixture->events.truncated, 1);
    free(text);
}

static void gaps_are_serial_numbers_that_never_came(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(audit_events_serial_gaps(&fixture->events), 0);
    add(fixture, AUDIT_USER_LOGIN, "audit(1.000:4294967295): a");
    add(fixture, AUDIT_USER_LOGIN, "audit(1.000:4294967293): b");
    assert_int_equal(audit_events_serial_gaps(&fixture->events), 1);
    add(fixture, AUDIT_USER_LOGIN, "audit(1.000:4294967294): c");
    assert_int_equal(audit_events_serial_gaps(&fixture->events), 0);
    add(fixture, AUDIT_USER_LOGIN, "audit(1.000:3): d");
    assert_int_equal(audit_events_serial_gaps(&fixture->events), 3);
}

static void what_has_no_serial_is_no_record(void **state)
{
    add(*state, AUDIT_USER_LOGIN, "");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:12");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:x): a");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:4294967296): a");
    add(*state, AUDIT_USER_LOGIN, "audit(1.000:99999999999999999999999): a");
    assert_log(*state, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_event_is_written_when_its_last_record_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mixed_records_are_sorted_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_message_from_user_space_stands_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_event_without_its_end_is_written_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_open_events_push_out_the_oldest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_event_may_have_many_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_record_is_written_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_record_that_is_too_long_is_cut_off_and_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gaps_are_serial_numbers_that_never_came, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_has_no_serial_is_no_record, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("audit_events", tests, NULL, NULL);
}
