#include "../unit.h"

#include "../../../src/execrate/draws.h"

enum { LAUNCHES = 4800, CPUS = 3 };

static const char *const three_cpus = "1,4-5";

static void draw(struct launch *launches, uint64_t seed, const char *list)
{
    struct cpulist cpus;

    assert_null(cpulist_parse(list, &cpus));
    draws_make(launches, LAUNCHES, seed, &cpus);
}

static void half_of_each_block_is_in_either_group(void **state)
{
    static struct launch launches[LAUNCHES];

    (void)state;
    draw(launches, 1, three_cpus);
    for (unsigned first = 0; first < LAUNCHES; first += BLOCK_LAUNCHES) {
        unsigned ones = 0;

        for (unsigned i = 0; i < BLOCK_LAUNCHES; i++)
            ones += launches[first + i].group;
        assert_int_equal(ones, BLOCK_LAUNCHES / 2);
    }
}

/* Of three launches of a group, one after the other, each comes from another CPU. */
static void a_group_takes_the_cpus_in_turn(void **state)
{
    static struct launch launches[LAUNCHES];
    unsigned seen[2] = {0}, made[2] = {0};

    (void)state;
    draw(launches, 2, three_cpus);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const unsigned group = launches[i].group;

        assert_true(launches[i].cpu == 1 || launches[i].cpu == 4 || launches[i].cpu == 5);
        seen[group] |= 1U << launches[i].cpu;
        if (++made[group] % CPUS == 0) {
            assert_int_equal(seen[group], 1U << 1 | 1U << 4 | 1U << 5);
            seen[group] = 0;
        }
    }
}

/* Neither the place in the turn nor the group says which CPU it is: each of three in a third of the cases,
 * within six standard deviations. */
static void any_cpu_may_be_next(void **state)
{
    static struct launch launches[LAUNCHES];
    unsigned first[2][6] = {0}, made[2] = {0};

    (void)state;
    draw(launches, 3, three_cpus);
    for (unsigned i = 0; i < LAUNCHES; i++)
        if (made[launches[i].group]++ % CPUS == 0)
            first[launches[i].group][launches[i].cpu]++;
    for (unsigned group = 0; group < 2; group++) {
        assert_in_range(first[group][1], 267 - 81, 267 + 81);
        assert_in_range(first[group][4], 267 - 81, 267 + 81);
        assert_in_range(first[group][5], 267 - 81, 267 + 81);
    }
}

static void one_cpu_is_always_next(void **state)
{
    static struct launch launches[LAUNCHES];

    (void)state;
    draw(launches, 4, "8000");
    for (unsigned i = 0; i < LAUNCHES; i++)
        assert_int_equal(launches[i].cpu, 8000);
}

static unsigned same_cpus(uint64_t seed_a, uint64_t seed_b)
{
    static struct launch a[LAUNCHES], b[LAUNCHES];
    unsigned same = 0;

    draw(a, seed_a, three_cpus);
    draw(b, seed_b, three_cpus);
    for (unsigned i = 0; i < LAUNCHES; i++)
        same += a[i].cpu == b[i].cpu;
    return same;
}

static void a_seed_repeats_its_draws_and_no_other_ones(void **state)
{
    (void)state;
    assert_int_equal(same_cpus(5, 5), LAUNCHES);
    assert_in_range(same_cpus(5, 6), LAUNCHES / 4, LAUNCHES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_each_block_is_in_either_group),
        cmocka_unit_test(a_group_takes_the_cpus_in_turn),
        cmocka_unit_test(any_cpu_may_be_next),
        cmocka_unit_test(one_cpu_is_always_next),
        cmocka_unit_test(a_seed_repeats_its_draws_and_no_other_ones),
    };

    return cmocka_run_group_tests_name("draws", tests, NULL, NULL);
}
