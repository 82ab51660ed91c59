#include "../unit.h"

#include "../../../src/execrate/run.h"

#define GIB (UINT64_C(1) << 30)

static const struct action opens = {.name = "opens"}, executes = {.name = "executes", .executes = true};

static struct options options_of(const struct action *action, const char *tag, int64_t duration_ns)
{
    return (struct options){
        .max = true, .duration_ns = duration_ns, .actions = {action}, .action_count = 1, .tag = tag};
}

static void room_grows_with_time_and_cpus(void **state)
{
    struct options options = options_of(&opens, NULL, 5000000000);

    (void)state;
    assert_int_equal(run_room(&options, 2, GIB), 1000000);
    assert_int_equal(run_room(&options, 4, GIB), 2000000);
    options.duration_ns /= 5;
    assert_int_equal(run_room(&options, 2, GIB), 200000);
}

static void no_more_room_than_memory(void **state)
{
    const struct options options = options_of(&opens, NULL, 5000000000);

    (void)state;
    assert_int_equal(run_room(&options, 2, 1000 * sizeof(struct launch) + 1), 1000);
    /* Nor than a table of processes has numbers for. */
    assert_int_equal(run_room(&options, 1000000, UINT64_MAX), UINT32_MAX - 1);
}

/* Of 15 characters, the tag and the dash leave 2 and 9 for the launch's number. */
static void no_more_room_than_tags(void **state)
{
    struct options options = options_of(&opens, "x12345678901", 5000000000);

    (void)state;
    assert_int_equal(run_room(&options, 2, GIB), 100);
    options.tag = "x1234";
    assert_int_equal(run_room(&options, 2, GIB), 1000000);
    /* What is executed has it as an argument. */
    options = options_of(&executes, "x12345678901", 5000000000);
    assert_int_equal(run_room(&options, 2, GIB), 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_grows_with_time_and_cpus),
        cmocka_unit_test(no_more_room_than_memory),
        cmocka_unit_test(no_more_room_than_tags),
    };

    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
