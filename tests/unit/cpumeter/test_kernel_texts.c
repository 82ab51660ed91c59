#include "../unit.h"

#include "../../../src/cpumeter/cgroup.h"
#include "../../../src/cpumeter/kthread.h"
#include "../../../src/cpumeter/memory.h"
#include "../../../src/cpumeter/owner.h"
#include "../../../src/cpumeter/procstat.h"
#include "../../../src/cpumeter/timerlist.h"

static void cgroup_v1_counts_ns(void **state)
{
    uint64_t ns;

    (void)state;
    assert_true(cgroup_parse("9038462350429\n", true, &ns));
    assert_true(ns == UINT64_C(9038462350429));
    assert_false(cgroup_parse("", true, &ns));
}

static void cgroup_v2_counts_us(void **state)
{
    uint64_t ns;

    (void)state;
    assert_true(cgroup_parse("usage_usec 8802633375\nuser_usec 1\nsystem_usec 2\n", false, &ns));
    assert_true(ns == UINT64_C(8802633375000));
    assert_true(cgroup_parse("user_usec 1\nusage_usec 3\n", false, &ns));
    assert_true(ns == 3000);
    assert_true(cgroup_parse("usage_usec 18446744073709551615\n", false, &ns));
    assert_true(ns == UINT64_MAX);
    /* The cpu.stat of v1. */
    assert_false(cgroup_parse("nr_periods 0\nnr_throttled 0\nthrottled_time 0\n", false, &ns));
}

#define CPU(n, stopped, entry, idle, iowait)                                                                 \
    "\ncpu: " #n "\n clock 0:\n  .base:       000\nactive timers:\n #0: <0>, tick, S:01\n"                   \
    "  .expires_next   : 1 nsecs\n  .tick_stopped   : " #stopped "\n  .idle_entrytime : " #entry " nsecs\n"  \
    "  .idle_waketime  : 1 nsecs\n  .idle_exittime  : 2 nsecs\n  .idle_sleeptime : " #idle " nsecs\n"        \
    "  .iowait_sleeptime: " #iowait " nsecs\n  .last_jiffies   : 3\njiffies: 3\n"

#define TIMERLIST "Timer List Version: v0.10\nHRTIMER_MAX_CLOCK_BASES: 8\nnow at 5000 nsecs\n"

static void timer_list_is_summed(void **state)
{
    struct timerlist list;

    (void)state;
    assert_true(timerlist_parse(
        TIMERLIST CPU(0, 0, 4000, 100, 10) CPU(3, 0, 4500, 200, 20) "\nTick Device:\n", &list));
    assert_true(list.now_ns == 5000);
    assert_int_equal(list.cpus, 2);
    assert_true(list.idle_ns == 300);
    assert_true(list.iowait_ns == 30);
}

static void an_idle_period_under_way_counts(void **state)
{
    struct timerlist list;

    (void)state;
    assert_true(timerlist_parse(TIMERLIST CPU(0, 1, 4000, 100, 10) CPU(1, 0, 4500, 200, 20), &list));
    assert_true(list.idle_ns == 1300);
    /* It began between the top of the list and the line of its CPU. */
    assert_true(timerlist_parse(TIMERLIST CPU(0, 1, 5001, 100, 10), &list));
    assert_true(list.idle_ns == 100);
}

static void a_timer_list_without_idle_times_is_no_use(void **state)
{
    struct timerlist list;

    (void)state;
    assert_false(timerlist_parse("", &list));
    assert_false(timerlist_parse(TIMERLIST, &list));
    assert_false(timerlist_parse(CPU(0, 1, 4000, 100, 10), &list));
    assert_false(timerlist_parse(TIMERLIST "\ncpu: 0\n  .iowait_sleeptime: 1 nsecs\n", &list));
    assert_false(
        timerlist_parse(TIMERLIST CPU(0, 0, 1, 2, 3) "cpu: 1\n  .iowait_sleeptime: 1 nsecs\n", &list));
}

static void proc_stat_is_in_ticks(void **state)
{
    const char *text = "cpu  249874 287732 339130 1313980 6981 1 3525 99307 0 1\n"
                       "cpu0 117208 146052 170050 665492 1427 0 425 49444 0 0\n"
                       "cpu7 132666 141679 169080 648487 5554 0 3100 49862 0 1\n"
                       "intr 1 2 3\n";
    struct procstat stat;

    (void)state;
    assert_true(procstat_parse(text, 10000000, &stat));
    assert_int_equal(stat.cpus, 2);
    assert_true(stat.idle_ns == UINT64_C(13139800000000));
    assert_true(stat.iowait_ns == UINT64_C(69810000000));
    assert_true(stat.irq_ns == UINT64_C(10000000));
    assert_true(stat.softirq_ns == UINT64_C(35250000000));
    assert_true(stat.steal_ns == UINT64_C(993070000000));
    assert_false(procstat_parse("cpu0 1 2 3 4 5 6 7 8\n", 1, &stat));
    assert_false(procstat_parse("cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n", 1, &stat));
    assert_false(procstat_parse("", 1, &stat));
}

static void a_kernel_thread_has_the_name_and_kthreadd_as_its_parent(void **state)
{
    (void)state;
    assert_true(kthread_matches("30 (kauditd) S 2 0 0 0 -1 2129984 0 0", "kauditd"));
    assert_true(kthread_matches("9 (a) b (c)) S 2 0 0", "a) b (c)"));
    assert_false(kthread_matches("30 (kauditd) S 1 0 0 0", "kauditd"));
    assert_false(kthread_matches("30 (kauditd) S 20 0 0 0", "kauditd"));
    assert_false(kthread_matches("30 (kauditd2) S 2 0 0 0", "kauditd"));
    assert_false(kthread_matches("30 (kaudit) S 2 0 0 0", "kauditd"));
    assert_false(kthread_matches("", "kauditd"));
    assert_false(kthread_matches(")(", ""));
}

static void programs_and_links_tell_their_program(void **state)
{
    uint32_t id = 42;

    (void)state;
    assert_true(owner_parse_fdinfo("pos:\t0\nflags:\t02000002\nprog_type:\t1\nprog_id:\t420\n", &id));
    assert_int_equal(id, 420);
    assert_true(owner_parse_fdinfo("link_type:\traw_tracepoint\nlink_id:\t5\nprog_id:\t4294967295\n", &id));
    assert_true(id == UINT32_MAX);
    id = 42;
    assert_false(owner_parse_fdinfo("map_type:\t1\nmap_id:\t3\n", &id));
    assert_false(owner_parse_fdinfo("prog_id:\t0\n", &id));
    assert_false(owner_parse_fdinfo("prog_id:\t4294967296\n", &id));
    assert_int_equal(id, 42);
}

static void memory_of_a_process(void **state)
{
    uint64_t bytes = 42;
    uint64_t peak_bytes = 42;

    (void)state;
    assert_true(
        memory_parse_status("Name:\tx\nVmHWM:\t    5164 kB\nVmRSS:\t    5160 kB\n", &bytes, &peak_bytes));
    assert_true(bytes == 5160 * 1024);
    assert_true(peak_bytes == 5164 * 1024);
    assert_false(memory_parse_status("Name:\tx\nState:\tZ (zombie)\n", &bytes, &peak_bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cgroup_v1_counts_ns),
        cmocka_unit_test(cgroup_v2_counts_us),
        cmocka_unit_test(timer_list_is_summed),
        cmocka_unit_test(an_idle_period_under_way_counts),
        cmocka_unit_test(a_timer_list_without_idle_times_is_no_use),
        cmocka_unit_test(proc_stat_is_in_ticks),
        cmocka_unit_test(a_kernel_thread_has_the_name_and_kthreadd_as_its_parent),
        cmocka_unit_test(programs_and_links_tell_their_program),
        cmocka_unit_test(memory_of_a_process),
    };

    return cmocka_run_group_tests_name("kernel texts", tests, NULL, NULL);
}
