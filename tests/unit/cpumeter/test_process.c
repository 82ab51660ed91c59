#include "../unit.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../src/cpumeter/process.h"

/* A child that uses cpu_ns, says so, and waits to be killed; with the given number, or any for 0. */
static pid_t start_child(int64_t cpu_ns, pid_t number)
{
    struct clone_args args = {.exit_signal = SIGCHLD};
    struct timespec used;
    int ready[2];
    char byte;
    pid_t child;

    if (number) {
        args.set_tid = (uintptr_t)&number;
        args.set_tid_size = 1;
    }
    assert_int_equal(pipe(ready), 0);
    child = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
    if (child == 0) {
        do
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        while (used.tv_sec == 0 && used.tv_nsec < cpu_ns);
        if (write(ready[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    if (child > 0)
        assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void end_child(pid_t child)
{
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void an_ended_process_keeps_its_last_figure(void **state)
{
    pid_t child = start_child(5000000, 0);
    struct process process;
    uint64_t last_ns;

    (void)state;
    assert_true(process_open(&process, "child", child));
    assert_false(process_update(&process));
    assert_false(process.gone);
    last_ns = counter_value(&process.counter);
    assert_true(last_ns >= 5000000);
    end_child(child);
    assert_false(process_update(&process));
    assert_true(process.gone);
    assert_true(counter_value(&process.counter) == last_ns);
}

static void another_process_of_the_same_number_is_not_it(void **state)
{
    pid_t child = start_child(20000000, 0);
    struct process process;
    uint64_t last_ns;
    pid_t successor;

    (void)state;
    assert_true(process_open(&process, "child", child));
    process_update(&process);
    last_ns = counter_value(&process.counter);
    end_child(child);
    successor = start_child(0, child);
    if (successor < 0 && (errno == EPERM || errno == EEXIST))
        skip(); /* needs root, and nobody else to have taken the number meanwhile */
    assert_int_equal(successor, child);
    assert_false(process_update(&process));
    assert_true(process.gone);
    assert_true(counter_value(&process.counter) == last_ns);
    end_child(successor);
}

static void a_process_that_is_not_there_cannot_be_opened(void **state)
{
    pid_t child = start_child(0, 0);
    struct process process;

    (void)state;
    end_child(child);
    assert_false(process_open(&process, "child", child));
    assert_int_equal(errno, ESRCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ended_process_keeps_its_last_figure),
        cmocka_unit_test(another_process_of_the_same_number_is_not_it),
        cmocka_unit_test(a_process_that_is_not_there_cannot_be_opened),
    };

    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
