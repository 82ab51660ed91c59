#include "../unit.h"

#include <stdbool.h>

#include "../../../src/common/blocks.h"

#define BLOCK_SIZE 4
#define ORDERS (1 << BLOCK_SIZE)

/* The next block, its first draw in the lowest bit. */
static unsigned next_order(struct blocks *blocks)
{
    unsigned order = 0;

    for (unsigned i = 0; i < BLOCK_SIZE; i++) {
        unsigned group = blocks_next(blocks);

        assert_in_range(group, 0, 1);
        order |= group << i;
    }
    return order;
}

static bool has_two_of_each(unsigned order)
{
    return __builtin_popcount(order) == BLOCK_SIZE / 2;
}

static void each_block_has_two_of_each_group(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct blocks blocks;

        blocks_init(&blocks, seed, BLOCK_SIZE);
        for (unsigned i = 0; i < 100; i++)
            assert_true(has_two_of_each(next_order(&blocks)));
    }
}

/* Six standard deviations of the count of one of many equally likely cases. */
static void assert_near(unsigned seen, double expected)
{
    const double away = (double)seen - expected;

    assert_true(away * away <= 36 * expected);
}

static void all_six_orders_are_equally_likely(void **state)
{
    enum { BLOCKS = 60000 };
    unsigned seen[ORDERS] = {0};
    struct blocks blocks;

    (void)state;
    blocks_init(&blocks, 7, BLOCK_SIZE);
    for (unsigned i = 0; i < BLOCKS; i++)
        seen[next_order(&blocks)]++;
    for (unsigned order = 0; order < ORDERS; order++) {
        if (has_two_of_each(order))
            assert_near(seen[order], (double)BLOCKS / 6);
        else
            assert_int_equal(seen[order], 0);
    }
}

static void a_block_says_nothing_of_the_next(void **state)
{
    enum { PAIRS = 72000 };
    unsigned seen[ORDERS][ORDERS] = {0};
    struct blocks blocks;

    (void)state;
    blocks_init(&blocks, 8, BLOCK_SIZE);
    for (unsigned i = 0; i < PAIRS; i++) {
        const unsigned first = next_order(&blocks), second = next_order(&blocks);

        seen[first][second]++;
    }
    for (unsigned first = 0; first < ORDERS; first++)
        for (unsigned second = 0; second < ORDERS; second++)
            if (has_two_of_each(first) && has_two_of_each(second))
                assert_near(seen[first][second], (double)PAIRS / 36);
}

/* What a launch leaves behind for the next must meet both groups nearly alike. */
static void in_long_blocks_a_group_is_followed_by_itself_nearly_half_of_the_time(void **state)
{
    enum { LONG_BLOCK = 16, DRAWS = 160000 };
    /* Within a block, 7 of the 15 others are of the same group; across, half of all. */
    const double expected = DRAWS * (15.0 / 16 * 7 / 15 + 1.0 / 16 / 2);
    unsigned before, same = 0, ones = 0;
    struct blocks blocks;

    (void)state;
    blocks_init(&blocks, 9, LONG_BLOCK);
    before = blocks_next(&blocks);
    ones = before;
    for (unsigned i = 1; i <= DRAWS; i++) {
        const unsigned group = blocks_next(&blocks);

        if (i % LONG_BLOCK == 0) {
            assert_int_equal(ones, LONG_BLOCK / 2);
            ones = 0;
        }
        ones += group;
        same += group == before;
        before = group;
    }
    assert_near(same, expected);
}

static unsigned same_draws(uint64_t seed_a, uint64_t seed_b, unsigned draws)
{
    struct blocks a, b;
    unsigned same = 0;

    blocks_init(&a, seed_a, BLOCK_SIZE);
    blocks_init(&b, seed_b, BLOCK_SIZE);
    for (unsigned i = 0; i < draws; i++)
        same += blocks_next(&a) == blocks_next(&b);
    return same;
}

static void a_seed_repeats_its_draws_and_no_other_ones(void **state)
{
    (void)state;
    assert_int_equal(same_draws(42, 42, 1000), 1000);
    /* Seeds that are neighbours, as callers give them to their threads, have nothing in common. */
    assert_in_range(same_draws(42, 43, 1000), 400, 600);
    assert_in_range(same_draws(0, 1, 1000), 400, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_has_two_of_each_group),
        cmocka_unit_test(all_six_orders_are_equally_likely),
        cmocka_unit_test(a_block_says_nothing_of_the_next),
        cmocka_unit_test(in_long_blocks_a_group_is_followed_by_itself_nearly_half_of_the_time),
        cmocka_unit_test(a_seed_repeats_its_draws_and_no_other_ones),
    };

    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
