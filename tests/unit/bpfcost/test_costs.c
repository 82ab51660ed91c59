#include "../unit.h"

#include <math.h>

#include "../../../src/bpfcost/costs.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* off 300, on 380, counted 460, of which 50 are counted; drift is added from each phase to the next. */
static void fill(struct phase phases[ROUND_PHASES], double drift_ns)
{
    const double call_ns[STATES] = {300, 380, 460};

    for (int i = 0; i < ROUND_PHASES; i++) {
        phases[i] = (struct phase){.passes = 1003, .call_ns = call_ns[round_phases[i]] + i * drift_ns};
        if (round_phases[i] == COUNTED)
            phases[i] = (struct phase){.passes = 1003,
                                       .call_ns = phases[i].call_ns,
                                       .runs = 1500,
                                       .run_time_ns = 90000,
                                       .own_runs = 400,
                                       .own_run_time_ns = 20000};
    }
}

static void differences_of_the_states(void **state)
{
    struct phase phases[ROUND_PHASES];
    struct round_costs costs;

    (void)state;
    fill(phases, 0);
    costs = costs_of(phases, 1);
    assert_near(costs.ns[COST_CALL], 300);
    assert_near(costs.ns[COST_TRUE], 80);
    assert_near(costs.ns[COST_COUNTED], 50);
    assert_near(costs.ns[COST_UNCOUNTED], 30);
    assert_near(costs.ns[COST_STATISTICS], 80);
}

static void a_steady_drift_cancels(void **state)
{
    struct phase phases[ROUND_PHASES];
    struct round_costs costs;

    (void)state;
    fill(phases, 7);
    costs = costs_of(phases, 1);
    assert_near(costs.ns[COST_TRUE], 80);
    assert_near(costs.ns[COST_UNCOUNTED], 30);
    assert_near(costs.ns[COST_STATISTICS], 80);
}

static void counting_is_shared_by_the_programs(void **state)
{
    struct phase phases[ROUND_PHASES];

    (void)state;
    fill(phases, 0);
    assert_near(costs_of(phases, 2).ns[COST_STATISTICS], 40);
}

/* Phases weigh by their runs, not each the same. */
static void counted_is_a_run_of_all(void **state)
{
    struct phase phases[ROUND_PHASES];

    (void)state;
    fill(phases, 0);
    phases[2].own_runs = 100;
    phases[2].own_run_time_ns = 10000;
    assert_near(costs_of(phases, 1).ns[COST_COUNTED], 30000 / 500.0);
}

static void a_slice_with_others_in_it_is_left_out(void **state)
{
    const struct counted start = {.runs = 1000, .run_time_ns = 50000};
    struct phase phase = {0};

    (void)state;
    phase_add_slice(&phase, start, (struct counted){.runs = 1201, .run_time_ns = 60050}, 201);
    phase_add_slice(&phase, start, (struct counted){.runs = 1202, .run_time_ns = 90000}, 201);
    phase_add_slice(&phase, start, (struct counted){.runs = 1201, .run_time_ns = 60050}, 201);
    assert_int_equal(phase.own_runs, 402);
    assert_int_equal(phase.own_run_time_ns, 20100);
}

static void with_others_all_the_time_it_is_unknown(void **state)
{
    struct phase phases[ROUND_PHASES];
    struct round_costs costs;

    (void)state;
    fill(phases, 0);
    for (int i = 0; i < ROUND_PHASES; i++)
        phases[i].own_runs = phases[i].own_run_time_ns = 0;
    costs = costs_of(phases, 1);
    assert_true(isnan(costs.ns[COST_COUNTED]) && isnan(costs.ns[COST_UNCOUNTED]));
    assert_near(costs.ns[COST_TRUE], 80);
}

static void where_nothing_passes_nothing_is_counted(void **state)
{
    struct phase phases[ROUND_PHASES];

    (void)state;
    fill(phases, 0);
    for (int i = 0; i < ROUND_PHASES; i++)
        phases[i].passes = phases[i].own_runs = phases[i].own_run_time_ns = 0;
    assert_near(costs_of(phases, 1).ns[COST_COUNTED], 0);
}

static void unknown_rounds_are_left_out(void **state)
{
    struct round_costs rounds[8];
    struct interval interval;
    size_t used;

    (void)state;
    for (int i = 0; i < 8; i++)
        for (int cost = 0; cost < COSTS; cost++)
            rounds[i].ns[cost] = i;
    rounds[0].ns[COST_UNCOUNTED] = NAN;
    interval = costs_interval(rounds, 8, COST_UNCOUNTED, &used);
    assert_int_equal(used, 7);
    assert_near(interval.value, 4);
    assert_near(interval.low, 1);
    assert_near(interval.high, 7);
    assert_near(costs_interval(rounds, 8, COST_TRUE, &used).value, 3.5);
    assert_int_equal(used, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_of_the_states),
        cmocka_unit_test(a_steady_drift_cancels),
        cmocka_unit_test(counting_is_shared_by_the_programs),
        cmocka_unit_test(counted_is_a_run_of_all),
        cmocka_unit_test(a_slice_with_others_in_it_is_left_out),
        cmocka_unit_test(with_others_all_the_time_it_is_unknown),
        cmocka_unit_test(where_nothing_passes_nothing_is_counted),
        cmocka_unit_test(unknown_rounds_are_left_out),
    };

    return cmocka_run_group_tests_name("costs", tests, NULL, NULL);
}
