#include "../unit.h"

#include <string.h>

#include "../../../src/bpfcost/options.h"

static void without_a_list_all_are_named(void **state)
{
    (void)state;
    assert_true(options_names(NULL, "tp_btf:sys_enter"));
}

static void whole_names_and_what_is_before_a_colon(void **state)
{
    (void)state;
    assert_true(options_names("tp_btf:sys_enter", "tp_btf:sys_enter"));
    assert_true(options_names("fentry:x,tp_btf", "tp_btf:sys_enter"));
    assert_true(options_names("tracepoint:raw_syscalls", "tracepoint:raw_syscalls:sys_enter"));
    assert_true(options_names("sham", "sham:raw_tracepoint:sched_process_exec"));
}

static void other_parts_name_nothing(void **state)
{
    (void)state;
    assert_false(options_names("tp", "tp_btf:sys_enter"));
    assert_false(options_names("sys_enter", "tp_btf:sys_enter"));
    assert_false(options_names("tracepoint", "raw_tracepoint:sys_enter"));
    assert_false(options_names("raw_tracepoint", "sham:raw_tracepoint:sched_process_exec"));
    assert_false(options_names("tp_btf:", "tp_btf:sys_enter"));
    assert_false(options_names("tp_btf:sys_enter_", "tp_btf:sys_enter"));
    assert_false(options_names("", "tp_btf:sys_enter"));
}

static void assert_unknown(const char *list, const char *expected)
{
    int length;
    const char *unknown = options_unknown(list, &length);

    assert_non_null(unknown);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(unknown, expected, strlen(expected));
}

static void the_first_unknown_part_is_found(void **state)
{
    int length;

    (void)state;
    assert_null(options_unknown("raw_tracepoint,sham,tracepoint:syscalls:sys_enter_getppid", &length));
    assert_unknown("raw_tracepoint,uprobe,xdp", "uprobe");
    assert_unknown("raw_tracepoint:", "raw_tracepoint:");
    assert_unknown("", "");
    assert_unknown("raw_tracepoint,", "");
    assert_unknown(",raw_tracepoint", "");
    assert_unknown("RAW_TRACEPOINT", "RAW_TRACEPOINT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_list_all_are_named),
        cmocka_unit_test(whole_names_and_what_is_before_a_colon),
        cmocka_unit_test(other_parts_name_nothing),
        cmocka_unit_test(the_first_unknown_part_is_found),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
