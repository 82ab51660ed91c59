#include "../unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../src/execrate/pidtable.h"

static int setup(void **state)
{
    static struct pidtable table;

    *state = &table;
    return pidtable_init(&table);
}

static int teardown(void **state)
{
    pidtable_free(*state);
    return 0;
}

static void take_gives_back_once(void **state)
{
    uint64_t seq = 99;

    pidtable_set(*state, 1234, 0);
    pidtable_set(*state, PIDTABLE_SLOTS - 1, UINT32_MAX - 1);
    assert_true(pidtable_take(*state, 1234, &seq));
    assert_int_equal(seq, 0);
    assert_false(pidtable_take(*state, 1234, &seq));
    assert_true(pidtable_take(*state, PIDTABLE_SLOTS - 1, &seq));
    assert_int_equal(seq, UINT32_MAX - 1);
}

static void a_pid_can_come_again(void **state)
{
    uint64_t seq;

    pidtable_set(*state, 77, 5);
    assert_true(pidtable_take(*state, 77, &seq));
    pidtable_set(*state, 77, 6);
    assert_true(pidtable_take(*state, 77, &seq));
    assert_int_equal(seq, 6);
}

static void strangers_are_not_in_it(void **state)
{
    uint64_t seq;

    assert_false(pidtable_take(*state, 1, &seq));
    assert_false(pidtable_take(*state, -1, &seq));
    assert_false(pidtable_take(*state, 0, &seq));
    assert_false(pidtable_take(*state, PIDTABLE_SLOTS, &seq));
}

/* Not for ever, so that a signal that never comes is a failure, not a hang. */
static pid_t fork_idle(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        alarm(10);
        for (;;)
            pause();
    }
    return pid;
}

static void kill_reaches_only_what_is_listed(void **state)
{
    pid_t listed, other;
    int status;

    listed = fork_idle();
    other = fork_idle();
    pidtable_set(*state, listed, 0);
    pidtable_kill(*state, SIGTERM);
    assert_int_equal(waitpid(listed, &status, 0), listed);
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(waitpid(other, &status, WNOHANG), 0);
    kill(other, SIGKILL);
    waitpid(other, &status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(take_gives_back_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pid_can_come_again, setup, teardown),
        cmocka_unit_test_setup_teardown(strangers_are_not_in_it, setup, teardown),
        cmocka_unit_test_setup_teardown(kill_reaches_only_what_is_listed, setup, teardown),
    };

    return cmocka_run_group_tests_name("pidtable", tests, NULL, NULL);
}
