/* The host's times, from files that are written by hand in place of the kernel's. */
#include "../unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../src/cpumeter/host.h"

static int file_with(const char *text)
{
    int fd = memfd_create("text", 0);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    return fd;
}

static uint64_t value_of(const struct rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].source, "host") == 0 && strcmp(rows->rows[i].name, name) == 0)
            return rows->rows[i].cpu_ns;
    fail_msg("no row of %s", name);
    return 0;
}

/* Two CPUs for 5000 ns: idle for 300, waiting for a disk for 30. */
static void who_is_neither_idle_nor_waiting_is_busy(void **state)
{
    struct host host = {
        .stat_fd =
            file_with("cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n"),
        .timerlist_fd = file_with("now at 5000 nsecs\n"
                                  "cpu: 0\n  .tick_stopped   : 0\n  .idle_entrytime : 1 nsecs\n"
                                  "  .idle_sleeptime : 100 nsecs\n  .iowait_sleeptime: 10 nsecs\n"
                                  "cpu: 1\n  .tick_stopped   : 0\n  .idle_entrytime : 1 nsecs\n"
                                  "  .idle_sleeptime : 200 nsecs\n  .iowait_sleeptime: 20 nsecs\n"),
        .tasks_fd = -1,
        .ns_per_tick = 10,
    };
    struct rows rows = {0};

    (void)state;
    host_read(&host, &rows);
    assert_int_equal(value_of(&rows, "elapsed"), 10000);
    assert_int_equal(value_of(&rows, "idle"), 300);
    assert_int_equal(value_of(&rows, "iowait"), 30);
    assert_int_equal(value_of(&rows, "busy"), 10000 - 300 - 30);
    assert_int_equal(value_of(&rows, "irq"), 60);
    assert_int_equal(value_of(&rows, "softirq"), 70);
    assert_int_equal(value_of(&rows, "steal"), 80);
    free(rows.rows);
    close(host.stat_fd);
    close(host.timerlist_fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_neither_idle_nor_waiting_is_busy),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
