#include "../unit.h"

#include "../../../src/common/signals.h"

static void all_are_blocked_and_those_to_wait_for_returned(void **state)
{
    sigset_t wanted, before, blocked;

    (void)state;
    wanted = signals_block(&before);
    sigprocmask(SIG_SETMASK, &before, &blocked);
    for (int signal = 1; signal < 32; signal++) {
        const int ends = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;

        assert_int_equal(sigismember(&wanted, signal), ends);
        assert_int_equal(sigismember(&blocked, signal), signal != SIGKILL && signal != SIGSTOP);
        assert_false(sigismember(&before, signal));
    }
}

static void an_ignored_signal_is_not_waited_for(void **state)
{
    sigset_t wanted, before;

    (void)state;
    signal(SIGHUP, SIG_IGN);
    wanted = signals_block(&before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(sigismember(&wanted, SIGHUP), 0);
    assert_int_equal(sigismember(&wanted, SIGINT), 1);
    assert_int_equal(sigismember(&wanted, SIGTERM), 1);
}

/* bash and others start what runs in the background with some of them ignored. */
static int as_by_default(void **state)
{
    (void)state;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_blocked_and_those_to_wait_for_returned),
        cmocka_unit_test(an_ignored_signal_is_not_waited_for),
    };

    return cmocka_run_group_tests_name("signals", tests, as_by_default, NULL);
}
