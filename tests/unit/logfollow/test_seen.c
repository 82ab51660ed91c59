#include "../unit.h"

#include "../../../src/logfollow/seen.h"

static void each_is_new_once(void **state)
{
    struct seen seen = {0};

    (void)state;
    for (uint64_t seq = 0; seq < 200000; seq += 3)
        assert_int_equal(seen_add(&seen, seq), 1);
    for (uint64_t seq = 0; seq < 200000; seq++)
        assert_int_equal(seen_add(&seen, seq), seq % 3 != 0);
    for (uint64_t seq = 0; seq < 200000; seq++)
        assert_int_equal(seen_add(&seen, seq), 0);
    seen_free(&seen);
}

static void growing_forgets_nothing(void **state)
{
    const uint64_t seqs[] = {0, 63, 64, 65535, 65536, UINT64_C(1) << 31, SEEN_MAX};
    struct seen seen = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(seqs) / sizeof(*seqs); i++)
        assert_int_equal(seen_add(&seen, seqs[i]), 1);
    for (size_t i = 0; i < sizeof(seqs) / sizeof(*seqs); i++)
        assert_int_equal(seen_add(&seen, seqs[i]), 0);
    assert_int_equal(seen_add(&seen, SEEN_MAX - 1), 1);
    seen_free(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_new_once),
        cmocka_unit_test(growing_forgets_nothing),
    };

    return cmocka_run_group_tests_name("seen", tests, NULL, NULL);
}
