#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../../src/floor/exec_json.h"

/* args: as the kernel has them, the NULs included. */
static void assert_line(const struct exec_event *numbers, const char *exe, const char *args,
                        size_t args_bytes, const char *expected)
{
    struct exec_event *event = malloc(sizeof(*event));
    char *line = malloc(EXEC_JSON_BYTES_MAX);

    assert_non_null(event);
    assert_non_null(line);
    *event = *numbers;
    event->exe_bytes = exe ? (uint16_t)(strlen(exe) + 1) : 0;
    event->args_bytes = (uint16_t)args_bytes;
    if (exe)
        memcpy(event->text, exe, event->exe_bytes);
    memcpy(event->text + event->exe_bytes, args, args_bytes);
    *exec_json(line, event, INT64_C(1700000000000000000)) = '\0';
    assert_string_equal(line, expected);
    free(line);
    free(event);
}

static const struct exec_event numbers = {
    .time_ns = 5000007999, .pid = 4194304, .ppid = 0, .uid = 4294967294};

#define NUMBERS "{\"time\":1700000005.000007,\"pid\":4194304,\"ppid\":0,\"uid\":4294967294,"

static void an_exec_is_one_line(void **state)
{
    const char args[] = "/bin/true\0tag-1";

    (void)state;
    assert_line(&numbers, "/bin/true", args, sizeof(args),
                NUMBERS "\"exe\":\"/bin/true\",\"argv\":[\"/bin/true\",\"tag-1\"]}\n");
}

static void any_byte_can_be_in_an_argument(void **state)
{
    const char args[] = "a\"b\\\0\n\x1f\x7f\0\xff\xc3\xa9\xc3";

    (void)state;
    assert_line(&numbers, "./\"x\n", args, sizeof(args),
                NUMBERS "\"exe\":\"./\\\"x\\u000a\","
                        "\"argv\":[\"a\\\"b\\\\\",\"\\u000a\\u001f\x7f\",\"\\ufffd\xc3\xa9\\ufffd\"]}\n");
}

static void empty_arguments_count(void **state)
{
    (void)state;
    assert_line(&numbers, "x", "x\0\0", 3, NUMBERS "\"exe\":\"x\",\"argv\":[\"x\",\"\"]}\n");
    assert_line(&numbers, "x", "\0", 1, NUMBERS "\"exe\":\"x\",\"argv\":[\"\"]}\n");
    assert_line(&numbers, "x", "", 0, NUMBERS "\"exe\":\"x\",\"argv\":[]}\n");
}

static void what_is_cut_off_is_said(void **state)
{
    struct exec_event event = numbers;

    (void)state;
    event.flags = ARGS_TRUNCATED;
    assert_line(&event, "x", "x\0ab\xc3", 5,
                NUMBERS "\"exe\":\"x\",\"argv\":[\"x\",\"ab\\ufffd\"],\"truncated\":true}\n");
}

static void what_could_not_be_read_is_null(void **state)
{
    struct exec_event event = numbers;

    (void)state;
    event.flags = ARGS_UNREADABLE;
    assert_line(&event, NULL, "", 0, NUMBERS "\"exe\":null,\"argv\":null}\n");
}

static void the_longest_line_fits(void **state)
{
    struct exec_event *event = malloc(sizeof(*event));
    char *line = malloc(EXEC_JSON_BYTES_MAX);

    (void)state;
    assert_non_null(event);
    assert_non_null(line);
    *event = (struct exec_event){
        .time_ns = UINT64_MAX / 2, .pid = UINT32_MAX, .ppid = UINT32_MAX, .uid = UINT32_MAX};
    event->exe_bytes = EXE_BYTES_MAX;
    event->args_bytes = ARGS_BYTES_MAX;
    event->flags = ARGS_TRUNCATED;
    memset(event->text, '\xff', sizeof(event->text));
    assert_in_range(exec_json(line, event, 0) - line, 1, EXEC_JSON_BYTES_MAX);
    memset(event->text, 0, sizeof(event->text));
    assert_in_range(exec_json(line, event, 0) - line, 1, EXEC_JSON_BYTES_MAX);
    free(line);
    free(event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exec_is_one_line),
        cmocka_unit_test(any_byte_can_be_in_an_argument),
        cmocka_unit_test(empty_arguments_count),
        cmocka_unit_test(what_is_cut_off_is_said),
        cmocka_unit_test(what_could_not_be_read_is_null),
        cmocka_unit_test(the_longest_line_fits),
    };

    return cmocka_run_group_tests_name("exec_json", tests, NULL, NULL);
}
