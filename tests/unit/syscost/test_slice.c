#include "../unit.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "../../../src/common/clock.h"
#include "../../../src/syscost/slice.h"

/* Calls of the test's own, which note in which order they are made. */
enum { ROUNDS_MAX = 200 };
static unsigned made[CALLS_MAX];
static unsigned batches_made;
static int sequence[ROUNDS_MAX * CALLS_MAX];
static atomic_bool stop;

static void note(int fd, unsigned count)
{
    made[fd] += count;
    if (batches_made < sizeof(sequence) / sizeof(*sequence))
        sequence[batches_made] = fd;
    if (++batches_made == sizeof(sequence) / sizeof(*sequence))
        atomic_store(&stop, true);
}

static bool run_noted(int fd, unsigned count)
{
    note(fd, count);
    return true;
}

static bool run_sleeping(int fd, unsigned count)
{
    const struct timespec nap = {.tv_nsec = 5000000};

    note(fd, count);
    return nanosleep(&nap, NULL) == 0;
}

#define BURNT_NS 1000000

static bool run_burning(int fd, unsigned count)
{
    const int64_t end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (int64_t)count * BURNT_NS;

    note(fd, count);
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
        ;
    return true;
}

/* The third batch of the second call: the second one after the warm-up. */
static bool run_failing(int fd, unsigned count)
{
    note(fd, count);
    errno = EMFILE;
    return made[fd] < 3 * count;
}

static const struct call first = {.name = "first", .batch = 10, .run = run_noted};
static const struct call second = {.name = "second", .batch = 3, .run = run_noted};
static const struct call third = {.name = "third", .batch = 7, .run = run_noted};
static const struct call sleeping = {.name = "sleeping", .batch = 1, .run = run_sleeping};
static const struct call burning = {.name = "burning", .batch = 1, .run = run_burning};
static const struct call failing = {.name = "failing", .batch = 4, .run = run_failing};
static const int fds[CALLS_MAX] = {0, 1, 2, 3};

static int nothing_made(void **state)
{
    (void)state;
    memset(made, 0, sizeof(made));
    batches_made = 0;
    atomic_store(&stop, false);
    return 0;
}

static void each_call_has_the_same_number_of_batches(void **state)
{
    const struct call *const three[] = {&first, &second, &third};
    const struct batches batches = {
        .calls = three, .fds = fds, .call_count = 3, .slice_ns = NS_PER_SEC * 1000, .stop = &stop};
    struct slice slice = {0};

    (void)state;
    assert_null(slice_measure(&batches, (struct prng){1}, &slice));
    for (unsigned i = 0; i < 3; i++) {
        const unsigned batch = three[i]->batch;

        /* Each was made once more, as the warm-up, which does not count. */
        assert_int_equal(slice.tallies[i].calls + batch, made[i]);
        assert_int_equal(slice.tallies[i].calls / batch, slice.tallies[0].calls / 10);
        assert_int_equal(slice.tallies[i].calls % batch, 0);
        assert_true(slice.tallies[i].cpu_ns > 0);
        assert_true(slice.tallies[i].elapsed_ns > 0);
        assert_true(slice.tallies[i].end_ns > slice.tallies[i].start_ns);
        assert_true(slice.tallies[i].elapsed_ns <= slice.tallies[i].end_ns - slice.tallies[i].start_ns);
    }
    assert_true(slice.tallies[0].calls > 100 * first.batch);
}

/* Which of six orders each round of three is in. */
static void the_order_is_drawn_anew_in_each_round(void **state)
{
    const struct call *const three[] = {&first, &second, &third};
    const struct batches batches = {
        .calls = three, .fds = fds, .call_count = 3, .slice_ns = NS_PER_SEC * 1000, .stop = &stop};
    unsigned seen[3][3] = {0};
    struct slice slice;

    (void)state;
    assert_null(slice_measure(&batches, (struct prng){1}, &slice));
    for (unsigned i = 3; i + 3 <= batches_made && i + 3 <= ROUNDS_MAX * CALLS_MAX; i += 3) {
        assert_int_equal((1 << sequence[i]) | (1 << sequence[i + 1]) | (1 << sequence[i + 2]), 7);
        for (unsigned place = 0; place < 3; place++)
            seen[place][sequence[i + place]]++;
    }
    /* Of 265 rounds, each call is in each place in 88; six standard deviations are 46. */
    for (unsigned place = 0; place < 3; place++)
        for (unsigned call = 0; call < 3; call++)
            assert_in_range(seen[place][call], 88 - 46, 88 + 46);
}

static void the_same_seed_gives_the_same_order(void **state)
{
    const struct call *const three[] = {&first, &second, &third};
    const struct batches batches = {
        .calls = three, .fds = fds, .call_count = 3, .slice_ns = NS_PER_SEC * 1000, .stop = &stop};
    int before[60], differing = 0;
    struct slice slice;

    assert_null(slice_measure(&batches, (struct prng){5}, &slice));
    memcpy(before, sequence, sizeof(before));
    nothing_made(state);
    assert_null(slice_measure(&batches, (struct prng){5}, &slice));
    assert_memory_equal(before, sequence, sizeof(before));
    nothing_made(state);
    assert_null(slice_measure(&batches, (struct prng){6}, &slice));
    for (unsigned i = 0; i < 60; i++)
        differing += before[i] != sequence[i];
    assert_true(differing > 10);
}

static void time_without_the_cpu_is_no_cpu_time(void **state)
{
    const struct call *const two[] = {&sleeping, &first};
    const struct batches batches = {
        .calls = two, .fds = fds, .call_count = 2, .slice_ns = 12000000, .stop = &stop};
    struct slice slice;
    uint64_t naps;

    (void)state;
    assert_null(slice_measure(&batches, (struct prng){1}, &slice));
    naps = slice.tallies[0].calls;
    assert_true(naps >= 1);
    assert_true(slice.tallies[0].elapsed_ns >= (int64_t)naps * 5000000);
    assert_true(slice.tallies[0].cpu_ns < slice.tallies[0].elapsed_ns / 2);
    /* The naps are not in what the other call was charged with. */
    assert_true(slice.tallies[1].cpu_ns < (int64_t)naps * 2500000);
}

static void what_is_burnt_is_charged_to_who_burns_it(void **state)
{
    const struct call *const two[] = {&first, &burning};
    const struct batches batches = {
        .calls = two, .fds = fds, .call_count = 2, .slice_ns = 500000000, .stop = &stop};
    struct slice slice;
    int64_t burnt_ns;

    (void)state;
    assert_null(slice_measure(&batches, (struct prng){1}, &slice));
    assert_true(slice.tallies[1].calls >= 2);
    burnt_ns = (int64_t)slice.tallies[1].calls * BURNT_NS;
    assert_true(slice.tallies[1].cpu_ns >= burnt_ns);
    assert_true(slice.tallies[0].cpu_ns < burnt_ns / 2);
}

static void a_slice_has_one_round_at_least(void **state)
{
    const struct call *const two[] = {&first, &second};
    const struct batches batches = {.calls = two, .fds = fds, .call_count = 2, .slice_ns = 0, .stop = &stop};
    struct slice slice;

    (void)state;
    atomic_store(&stop, true);
    assert_null(slice_measure(&batches, (struct prng){1}, &slice));
    assert_int_equal(slice.tallies[0].calls, first.batch);
    assert_int_equal(slice.tallies[1].calls, second.batch);
    assert_int_equal(made[0], 2 * first.batch);
}

static void the_call_that_failed_is_told(void **state)
{
    const struct call *const two[] = {&first, &failing};
    const struct batches batches = {
        .calls = two, .fds = fds, .call_count = 2, .slice_ns = NS_PER_SEC * 1000, .stop = &stop};
    struct slice slice;

    (void)state;
    assert_ptr_equal(slice_measure(&batches, (struct prng){1}, &slice), &failing);
    assert_int_equal(errno, EMFILE);
    assert_int_equal(made[1], 3 * failing.batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_call_has_the_same_number_of_batches, nothing_made),
        cmocka_unit_test_setup(the_order_is_drawn_anew_in_each_round, nothing_made),
        cmocka_unit_test_setup(the_same_seed_gives_the_same_order, nothing_made),
        cmocka_unit_test_setup(time_without_the_cpu_is_no_cpu_time, nothing_made),
        cmocka_unit_test_setup(what_is_burnt_is_charged_to_who_burns_it, nothing_made),
        cmocka_unit_test_setup(a_slice_has_one_round_at_least, nothing_made),
        cmocka_unit_test_setup(the_call_that_failed_is_told, nothing_made),
    };

    return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
