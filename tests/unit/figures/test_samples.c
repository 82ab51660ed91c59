/* What pidstat and perf saw. */
#include "../unit.h"

#include <math.h>

#include "../../../src/figures/pidstat.h"
#include "../../../src/figures/profile.h"
#include "files.h"
#include "numbers.h"

#define TITLE "Linux 6.1 (host) \t2026-01-02 \t_x86_64_\t(2 CPU)\n\n"
#define COLUMNS "# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"

static struct processes processes_of(const char *text)
{
    struct processes processes = {0};
    struct problem problem = {""};

    processes_read(&processes, file_with(text), &problem);
    assert_string_equal(problem.text, "");
    return processes;
}

static struct pidstat pidstat_of(const char *text, const char *pids, struct problem *problem)
{
    struct processes processes = processes_of(pids);
    struct pidstat pidstat;

    pidstat_read(&pidstat, file_with(text), &processes, problem);
    processes_free(&processes);
    return pidstat;
}

/* For each role, the sum of all samples over their number; %wait is not %CPU. */
static void samples_are_added_up_by_role(void **state)
{
    struct problem problem = {""};
    struct pidstat pidstat =
        pidstat_of(TITLE COLUMNS "03:04:01  0  11  0.00  0.00  0.00  9.00  4.00  1  dd\n"
                                 "03:04:01  0  12  0.00  0.00  0.00  9.00  1.50  1  kauditd\n"
                                 "03:04:01  0  99  0.00  0.00  0.00  9.00  50.0  1  other\n"
                                 "\n" COLUMNS "03:04:02  0  11  0.00  0.00  0.00  9.00  5.00  1  dd\n"
                                 "03:04:02  0  12  0.00  0.00  0.00  9.00  0.00  1  kauditd\n"
                                 "03:04:02  0  14  0.00  0.00  0.00  9.00  2.00  1  dd\n",
                   "11,daemon,dd\n12,helper,kauditd\n14,daemon,dd\n", &problem);

    (void)state;
    assert_string_equal(problem.text, "");
    assert_int_equal(pidstat.samples, 2);
    assert_number(pidstat.cpu[ROLE_DAEMON], 5.5, 0);
    assert_number(pidstat.cpu[ROLE_HELPER], 0.75, 0);
}

/* Of a single process, it prints one header for all. */
static void one_header_serves_all_samples(void **state)
{
    struct problem problem = {""};
    struct pidstat pidstat = pidstat_of(TITLE COLUMNS "03:04:01  0  11  0  0  0  9  1.00  1  dd\n"
                                                      "03:04:02  0  11  0  0  0  9  1.00  1  dd\n"
                                                      "03:04:03  0  11  0  0  0  9  0.00  1  dd\n",
                                        "11,daemon,dd\n", &problem);

    (void)state;
    assert_int_equal(pidstat.samples, 3);
    assert_number(pidstat.cpu[ROLE_DAEMON], 0.667, 0);
}

static void nothing_sampled_is_unknown(void **state)
{
    struct problem problem = {""};
    struct pidstat pidstat = pidstat_of(TITLE, "11,daemon,dd\n", &problem);

    (void)state;
    assert_int_equal(pidstat.samples, 0);
    assert_true(isnan(pidstat.cpu[ROLE_DAEMON]));
    pidstat = pidstat_of(TITLE COLUMNS "03:04:01  0  11  0\n", "11,daemon,dd\n", &problem);
    assert_string_equal(problem.text, "a sample of process 11 has no %CPU");
    assert_true(isnan(pidstat.cpu[ROLE_DAEMON]));
}

static void lists_of_processes_have_three_fields(void **state)
{
    struct processes processes = {0};
    struct problem problem = {""};

    (void)state;
    processes_read(&processes, file_with("11,daemon\n"), &problem);
    assert_string_equal(problem.text, "expected pid,role,name on every line");
    problem.text[0] = '\0';
    processes_read(&processes, file_with("11,boss,dd\n"), &problem);
    assert_string_equal(problem.text, "expected pid,role,name on every line");
    assert_int_equal(processes.count, 0);
}

/* A program anywhere in the stack; the kernel's bpf_prog_load() is none, nor is what has no whole tag. */
static void samples_within_programs_are_told_from_others(void **state)
{
    struct profile profile;
    struct problem problem = {""};

    (void)state;
    profile_read(&profile,
                 gzip_with("swapper;[idle] 1000\n"
                           "true;do_execve_[k];bpf_prog_0123456789abcdef_on_exec 7\n"
                           "true;bpf_prog_0123456789abcdef;bpf_ringbuf_output_[k] 20\n"
                           "bpftool;bpf_prog_load_[k] 100\n"
                           "bpftool;bpf_prog_0123456789abcdeg_x 100\n"
                           "bpftool;bpf_prog_0123456789abcdeff_[k] 1000\n"
                           "a name with blanks;do_exit_[k] 300\n"),
                 &problem);
    assert_string_equal(problem.text, "");
    assert_number(profile.busy, 1527, 0);
    assert_number(profile.bpf, 27, 0);
    profile_read(&profile, gzip_with("true;do_exit_[k] 3\ntrue;do_exit_[k]\n"), &problem);
    assert_string_equal(problem.text, "has a stack without a number of samples: true;do_exit_[k]");
    assert_number(profile.busy, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_added_up_by_role),
        cmocka_unit_test(one_header_serves_all_samples),
        cmocka_unit_test(nothing_sampled_is_unknown),
        cmocka_unit_test(lists_of_processes_have_three_fields),
        cmocka_unit_test(samples_within_programs_are_told_from_others),
    };

    return cmocka_run_group_tests_name("samples", tests, files_setup, files_teardown);
}
