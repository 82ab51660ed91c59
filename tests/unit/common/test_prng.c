#include "../unit.h"

#include "../../../src/common/prng.h"

/* What other implementations give for these seeds. */
static void numbers_are_those_of_splitmix64(void **state)
{
    const struct {
        uint64_t seed, first, second, third;
    } cases[] = {
        {0, UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f)},
        {1234567, UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
         UINT64_C(9817491932198370423)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct prng prng;

        prng_init(&prng, cases[i].seed);
        assert_true(prng_next(&prng) == cases[i].first);
        assert_true(prng_next(&prng) == cases[i].second);
        assert_true(prng_next(&prng) == cases[i].third);
    }
}

/* Beyond 6 standard deviations, for every count: with these seeds it is so or not, never by chance. */
static void each_number_below_is_equally_likely(void **state)
{
    enum { DRAWS = 60000 };

    (void)state;
    for (uint32_t count = 1; count <= 9; count++) {
        const double expected = (double)DRAWS / count;
        unsigned seen[9] = {0};
        struct prng prng;

        prng_init(&prng, count);
        for (unsigned i = 0; i < DRAWS; i++) {
            uint32_t number = prng_below(&prng, count);

            assert_in_range(number, 0, count - 1);
            seen[number]++;
        }
        for (uint32_t number = 0; number < count; number++) {
            const double away = (double)seen[number] - expected;

            assert_true(away * away <= 36 * expected);
        }
    }
}

static void the_largest_count(void **state)
{
    struct prng prng;
    unsigned upper_half = 0;

    (void)state;
    prng_init(&prng, 1);
    for (unsigned i = 0; i < 1000; i++)
        upper_half += prng_below(&prng, UINT32_MAX) > UINT32_MAX / 2;
    assert_in_range(upper_half, 400, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_splitmix64),
        cmocka_unit_test(each_number_below_is_equally_likely),
        cmocka_unit_test(the_largest_count),
    };

    return cmocka_run_group_tests_name("prng", tests, NULL, NULL);
}
