#include "../unit.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../../../src/figures/side.h"
#include "numbers.h"

/* A launch every 10 ms, the first one at 0 by the time of day; it takes 500 us of CPU, 40 us of its
 * launcher's. */
#define LAUNCHES 400
#define APART_US 10000
#define TAG "x1s.7"

/* A window as it might have been. */
static struct made {
    const char *way;
    const char *reason, *records, *tag;
    const char *phases;
    double watched_us; /* more, of a watched launch */
    double group_1_us; /* more, of one in group 1, watched or not */
    double jitter_us;  /* more, of a watched one in an even block, and less in an odd one */
    double next_us;    /* more, of one after a watched one */
    double drift_us;   /* more, from each launch to the next */
    int failed;        /* the number of a launch that failed; -1: none */
    int block;         /* launches in a block, as the load says; 0: it does not */
    int leaked,
        missed; /* the number of an unwatched launch that is in the log, and how many watched ones are not */
    long step_ns;
    int shared_from, shared_to; /* CPUs shared a core from this launch to before that one */
    double shared_us;           /* more, of a watched one meanwhile */
    int stopped_every;          /* so many apart are launches that take 33 ms; 0: none does */
} made;

#define GROUPS "0,0,2000000\n1,2000000,4000000\n"
/* Two cycles of phases of half a second. */
#define SWITCHED                                                                                             \
    "none,0,500000\nall,500000,1000000\nall,1000000,1500000\nnone,1500000,2000000\n"                         \
    "all,2000000,2500000\nnone,2500000,3000000\nnone,3000000,3500000\nall,3500000,4000000\n"

/* Four cycles of phases of a quarter of a second. */
#define SWITCHED_OFTEN                                                                                       \
    "none,0,250000\nall,250000,500000\nall,500000,750000\nnone,750000,1000000\n"                             \
    "all,1000000,1250000\nnone,1250000,1500000\nnone,1500000,1750000\nall,1750000,2000000\n"                 \
    "none,2000000,2250000\nall,2250000,2500000\nall,2500000,2750000\nnone,2750000,3000000\n"                 \
    "all,3000000,3250000\nnone,3250000,3500000\nnone,3500000,3750000\nall,3750000,4000000\n"

static char folder[] = "/tmp/side-unit-XXXXXX";
static char names[5][PATH_MAX];

static int setup_folder(void **state)
{
    static const char *const files[] = {"side.json", "load.json", "phases.csv", "recorded.csv.gz",
                                        "launches.csv.gz"};
    char path[PATH_MAX];

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < 5; i++)
        snprintf(names[i], sizeof(names[i]), "%s/side/%s", folder, files[i]);
    snprintf(path, sizeof(path), "%s/side", folder);
    return mkdir(path, 0700);
}

static int teardown_folder(void **state)
{
    char path[PATH_MAX];

    (void)state;
    for (size_t i = 0; i < 5; i++)
        unlink(names[i]);
    snprintf(path, sizeof(path), "%s/side", folder);
    rmdir(path);
    return rmdir(folder);
}

static int setup(void **state)
{
    (void)state;
    made = (struct made){.way = "groups",
                         .reason = "",
                         .records = "exec",
                         .tag = TAG,
                         .phases = GROUPS,
                         .watched_us = 50,
                         .failed = -1,
                         .leaked = -1};
    return 0;
}

static void write_text(const char *path, const char *format, ...)
{
    FILE *file = fopen(path, "we");
    va_list arguments;

    va_start(arguments, format);
    if (!file || vfprintf(file, format, arguments) < 0 || fclose(file) != 0)
        abort();
    va_end(arguments);
}

/* Two of each four, in one order and then in the opposite one: blocks of four, and of eight, and of 16. */
static int group_of(int seq)
{
    return ((seq & 3) == 1 || (seq & 3) == 2) ^ ((seq & 4) != 0);
}

static bool is_watched(int seq)
{
    long at_us = (long)seq * APART_US;
    const char *phase = made.phases;
    char unwatched[8] = "";
    long from_us, to_us;

    while (sscanf(phase, "%7[^,],%ld,%ld", unwatched, &from_us, &to_us) == 3 && at_us >= to_us)
        phase = strchr(phase, '\n') + 1;
    return strcmp(unwatched, "none") == 0 ||
           (strcmp(unwatched, "all") != 0 && atoi(unwatched) != group_of(seq));
}

static void write_launches(void)
{
    gzFile launches = gzopen(names[4], "wb"), recorded = gzopen(names[3], "wb");
    int missing = made.missed;

    gzputs(recorded, "seq\n");
    gzputs(launches, "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,"
                     "status,group,launcher_cpu_ns,minor_faults,voluntary_switches,involuntary_switches\n");
    for (int seq = 0; seq < LAUNCHES; seq++) {
        long start_ns = (long)seq * APART_US * 1000;
        bool watched = is_watched(seq);
        bool shared = seq >= made.shared_from && seq < made.shared_to;
        double more_us =
            (watched ? made.watched_us + (seq & 4 ? -1 : 1) * made.jitter_us : 0) +
            (watched && shared ? made.shared_us : 0) +
            (made.stopped_every && seq % made.stopped_every == made.stopped_every - 1 ? 32500 : 0) +
            (seq > 0 && is_watched(seq - 1) ? made.next_us : 0) + group_of(seq) * made.group_1_us +
            seq * made.drift_us;

        if (seq == made.failed)
            gzprintf(launches, "%d,0,%ld,0,%ld,,,EAGAIN,%d,,,,\n", seq, start_ns, start_ns, group_of(seq));
        else
            gzprintf(launches, "%d,0,%ld,0,%ld,%.0f,%.0f,0,%d,%d,%d,%d,1\n", seq, start_ns, start_ns,
                     500 + more_us, 900e3 + more_us * 2e3, group_of(seq), watched ? 42000 : 40000,
                     watched ? 51 : 50, watched ? 3 : 1);
        if ((watched && missing-- <= 0) || seq == made.leaked)
            gzprintf(recorded, "%d\n", seq);
    }
    if (gzclose(launches) != Z_OK || gzclose(recorded) != Z_OK)
        abort();
}

/* A look just after each launch. */
static struct cores look_made(struct look looks[LAUNCHES])
{
    for (int seq = 0; seq < LAUNCHES; seq++)
        looks[seq] = (struct look){(int64_t)seq * APART_US * 1000 + 1,
                                   seq >= made.shared_from && seq < made.shared_to ? LOOK_SHARED : LOOK_NEAR};
    return (struct cores){looks, LAUNCHES};
}

static struct side read_made(struct problem *problem)
{
    struct look looks[LAUNCHES];
    const struct cores cores = look_made(looks);
    char block[64];
    struct side side;

    write_text(names[0], "{\"way\": \"%s\", \"problem\": \"%s\", \"records\": \"%s\"}", made.way, made.reason,
               made.records);
    snprintf(block, sizeof(block), made.block ? "\"block_launches\": %d, " : "", made.block);
    write_text(names[1], "{\"tag\": \"%s\", %s\"real_step_ns\": %ld}", made.tag, block, made.step_ns);
    write_text(names[2], "unwatched,from_real_us,to_real_us\n%s", made.phases);
    write_launches();
    side_read(&side, folder, TAG, &cores, problem);
    return side;
}

static struct side read_good(void)
{
    struct problem problem = {""};
    struct side side = read_made(&problem);

    assert_string_equal(problem.text, "");
    return side;
}

static void watched_ones_cost_what_was_planted(void **state)
{
    struct side side = read_good();

    (void)state;
    assert_string_equal(side.reason, "");
    assert_string_equal(side.way, "groups");
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.cpu_us.error, 0, 1e-9);
    assert_number(side.parent_us.value, 2, 1e-9);
    assert_number(side.minor_faults.value, 1, 1e-9);
    assert_number(side.switches.value, 2, 1e-9);
    assert_number(side.p50_us, 100, 1e-9);
    assert_number(side.p99_us, 100, 1e-9);
}

static void what_else_differs_between_the_groups_cancels_out(void **state)
{
    struct side side;

    (void)state;
    made.group_1_us = 30;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.cpu_us.error, 0, 1e-9);
}

static void a_drift_cancels_out(void **state)
{
    struct side side;

    (void)state;
    made.drift_us = 3;
    side = read_good();
    /* Of the four, the outer two and the inner two are as far along in the mean. */
    assert_number(side.cpu_us.value, 50, 1e-9);
}

static void launches_near_a_switch_are_left_out(void **state)
{
    struct side side = read_good();

    (void)state;
    /* Of each phase of 200, those before 20 ms and from 50 ms before its end. */
    assert_number(side.launches, 2 * (200 - 2 - 5), 0);
}

static void a_block_with_a_failed_launch_is_left_out(void **state)
{
    struct side side;

    (void)state;
    made.failed = 101;
    made.drift_us = 100;
    side = read_good();
    assert_number(side.launches, 2 * (200 - 2 - 5) - 1, 0);
    /* Of 46 and 47 blocks, by numpy's lstsq: their orders go to and fro, so that half a launch of the drift
     * is taken for what a launch does to the next. */
    assert_number(side.cpu_us.value, 50.53191489361702, 1e-9);
}

static void what_a_launch_leaves_for_the_next_is_not_that_ones_cost(void **state)
{
    struct side side;

    (void)state;
    made.next_us = 20;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.cpu_us.error, 0, 1e-9);
    made.block = 16;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
}

static void launches_whose_cpu_was_stopped_are_left_out(void **state)
{
    struct side side;

    (void)state;
    made.stopped_every = 150;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.launches, 2 * (200 - 2 - 5) - 2, 0);
    made.way = "switched";
    made.phases = SWITCHED_OFTEN;
    made.stopped_every = 260;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    /* More than one in a hundred: that is how the program is. */
    made.stopped_every = 60;
    side = read_good();
    assert_true(fabs(side.cpu_us.value - 50) > 1);
}

static void launches_while_cpus_shared_a_core_are_left_out(void **state)
{
    struct side side;

    (void)state;
    made.shared_from = 40;
    made.shared_to = 80;
    made.shared_us = 40;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    /* The one after the last look at it as well. */
    assert_number(side.launches, 2 * (200 - 2 - 5) - 41, 0);
    assert_number(side.p99_us, 100, 1e-9);
    made.way = "switched";
    made.phases = SWITCHED_OFTEN;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
}

static void where_too_few_others_remain_they_count(void **state)
{
    struct side side;

    (void)state;
    made.shared_to = 190;
    made.shared_us = 40;
    side = read_good();
    assert_number(side.launches, 2 * (200 - 2 - 5), 0);
    assert_true(side.cpu_us.value > 65);
}

static void the_error_is_that_of_a_mean_of_blocks(void **state)
{
    /* Of either phase, blocks 1 to 47 and 51 to 97, whose differences are 40 and 60 by turns: by numpy's
     * lstsq, with the scatter of blocks. */
    struct side side;

    (void)state;
    made.jitter_us = 10;
    side = read_good();
    assert_number(side.cpu_us.error, 1.276595744680852, 1e-9);
}

static void blocks_are_as_long_as_the_load_says(void **state)
{
    /* Launches 2 to 194 and 202 to 394: of either phase, 11 blocks of 16. In either, the differences of its
     * four blocks of four are 40 and 60 by turns, so nothing scatters. */
    struct side side;

    (void)state;
    made.block = 16;
    made.jitter_us = 10;
    side = read_good();
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.cpu_us.error, 0, 1e-9);
}

static void assert_no_block(int launches)
{
    struct problem problem = {""};

    made.block = launches;
    read_made(&problem);
    assert_string_equal(problem.text, "side/load.json has no even block_launches from 2 to 1024");
}

static void blocks_of_an_impossible_length_are_a_problem(void **state)
{
    (void)state;
    assert_no_block(-2);
    assert_no_block(15);
    assert_no_block(1026);
}

static void a_window_that_was_never_swapped_says_nothing(void **state)
{
    struct side side;

    (void)state;
    made.phases = "0,0,4000000\n";
    side = read_good();
    assert_true(isnan(side.cpu_us.value));
    assert_string_equal(side.reason, "too few launches: 393");
}

static void two_cycles_are_too_few(void **state)
{
    struct side side;

    (void)state;
    made.way = "switched";
    made.phases = SWITCHED;
    side = read_good();
    assert_string_equal(side.reason, "too few launches: 344");
}

static void a_switched_monitor_is_compared_by_cycles(void **state)
{
    struct side side;

    (void)state;
    made.way = "switched";
    made.records = "count";
    made.drift_us = 2;
    made.phases = "none,0,250000\nall,250000,500000\nall,500000,750000\nnone,750000,1000000\n"
                  "all,1000000,1250000\nnone,1250000,1500000\nnone,1500000,1750000\nall,1750000,2000000\n"
                  "none,2000000,2250000\nall,2250000,2500000\nall,2500000,2750000\nnone,2750000,3000000\n"
                  "none,3000000,3250000\n";
    side = read_good();
    assert_string_equal(side.reason, "");
    assert_number(side.cpu_us.value, 50, 1e-9);
    assert_number(side.cpu_us.error, 0, 1e-9);
    assert_number(side.parent_us.value, 2, 1e-9);
}

static void what_is_left_out_of_a_short_phase_is_short_as_well(void **state)
{
    char phases[1024] = "";
    struct side side;

    (void)state;
    made.way = "switched";
    made.records = "count";
    for (int i = 0; i < 16; i++)
        snprintf(phases + strlen(phases), sizeof(phases) - strlen(phases), "%s,%d,%d\n",
                 i & 2 ? "all" : "none", i * 40000, (i + 1) * 40000);
    made.phases = phases;
    side = read_good();
    /* Of each phase of four, the first one lies in its first tenth and the last one in its last quarter. */
    assert_string_equal(side.reason, "");
    assert_number(side.launches, 16 * 2, 0);
    assert_number(side.cpu_us.value, 50, 1e-9);
}

static void an_unwatched_launch_in_the_log_voids_the_window(void **state)
{
    struct side side;

    (void)state;
    made.leaked = 101;
    assert_false(is_watched(101));
    side = read_good();
    assert_string_equal(side.reason, "1 launches that were not to be watched are in the log");
    assert_true(isnan(side.cpu_us.value));
}

static void watched_launches_must_be_in_the_log(void **state)
{
    struct side side;

    (void)state;
    made.missed = 90;
    side = read_good();
    assert_string_equal(side.reason, "");
    made.missed = 110;
    side = read_good();
    assert_non_null(strstr(side.reason, " of 193 watched launches are in the log"));
    assert_true(isnan(side.cpu_us.value));
    /* One that does not record arguments tells nothing of the kind. */
    made.records = "count";
    side = read_good();
    assert_string_equal(side.reason, "");
}

static void what_went_wrong_voids_the_window(void **state)
{
    struct side side;

    (void)state;
    made.reason = "the monitor died";
    side = read_good();
    assert_true(side.exists);
    assert_string_equal(side.reason, "the monitor died");
    assert_true(isnan(side.cpu_us.value));
    made.reason = "";
    made.step_ns = 2000000;
    side = read_good();
    assert_string_equal(side.reason, "the time of day was stepped");
}

static void damage_is_a_problem(void **state)
{
    struct problem problem = {""};
    struct side side;

    (void)state;
    made.tag = "x1s.8";
    read_made(&problem);
    assert_string_equal(problem.text, "side/load.json is of another cell: its tag is x1s.8, expected x1s.7");
    made.tag = TAG;
    problem = (struct problem){""};
    made.way = "guessed";
    read_made(&problem);
    assert_string_equal(problem.text, "side/side.json has no way, problem or records that are known");
    made.way = "groups";
    problem = (struct problem){""};
    made.phases = "2,0,4000000\n";
    read_made(&problem);
    assert_string_equal(problem.text, "side/phases.csv line 2 has '2', expected 0, 1, none or all");
    for (size_t i = 1; i < 5; i++) {
        setup(NULL);
        read_good();
        unlink(names[i]);
        problem = (struct problem){""};
        side_read(&side, folder, TAG, &(struct cores){0}, &problem);
        assert_true(strncmp(problem.text, "side/", 5) == 0);
        assert_true(isnan(side.cpu_us.value));
    }
}

static void without_the_window_nothing_is_known(void **state)
{
    struct problem problem = {""};
    struct side side;

    (void)state;
    read_good();
    unlink(names[0]);
    side_read(&side, folder, TAG, &(struct cores){0}, &problem);
    assert_false(side.exists);
    assert_string_equal(problem.text, "");
    assert_true(isnan(side.cpu_us.value) && isnan(side.launches) && isnan(side.p50_us));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(watched_ones_cost_what_was_planted, setup),
        cmocka_unit_test_setup(what_else_differs_between_the_groups_cancels_out, setup),
        cmocka_unit_test_setup(a_drift_cancels_out, setup),
        cmocka_unit_test_setup(launches_near_a_switch_are_left_out, setup),
        cmocka_unit_test_setup(a_block_with_a_failed_launch_is_left_out, setup),
        cmocka_unit_test_setup(what_a_launch_leaves_for_the_next_is_not_that_ones_cost, setup),
        cmocka_unit_test_setup(launches_whose_cpu_was_stopped_are_left_out, setup),
        cmocka_unit_test_setup(launches_while_cpus_shared_a_core_are_left_out, setup),
        cmocka_unit_test_setup(where_too_few_others_remain_they_count, setup),
        cmocka_unit_test_setup(the_error_is_that_of_a_mean_of_blocks, setup),
        cmocka_unit_test_setup(blocks_are_as_long_as_the_load_says, setup),
        cmocka_unit_test_setup(blocks_of_an_impossible_length_are_a_problem, setup),
        cmocka_unit_test_setup(a_window_that_was_never_swapped_says_nothing, setup),
        cmocka_unit_test_setup(two_cycles_are_too_few, setup),
        cmocka_unit_test_setup(a_switched_monitor_is_compared_by_cycles, setup),
        cmocka_unit_test_setup(what_is_left_out_of_a_short_phase_is_short_as_well, setup),
        cmocka_unit_test_setup(an_unwatched_launch_in_the_log_voids_the_window, setup),
        cmocka_unit_test_setup(watched_launches_must_be_in_the_log, setup),
        cmocka_unit_test_setup(what_went_wrong_voids_the_window, setup),
        cmocka_unit_test_setup(damage_is_a_problem, setup),
        cmocka_unit_test_setup(without_the_window_nothing_is_known, setup),
    };

    return cmocka_run_group_tests_name("side", tests, setup_folder, teardown_folder);
}
