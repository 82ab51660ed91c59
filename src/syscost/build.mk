# What cheap system calls cost, its unit tests and its benchmark. Included by the top Makefile.

syscost_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/syscost/*.c))
syscost_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/syscost/test_*.c))
programs += $(BUILD)/syscost
unit_tests += $(syscost_unit_tests)
benchmarks += bench-syscost

$(BUILD)/syscost: $(syscost_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(syscost_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(syscost_objects)) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(BUILD)/warmup: $(BUILD)/obj/bench/warmup.o $(filter-out %/main.o,$(syscost_objects)) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

.PHONY: bench-syscost
bench-syscost: $(BUILD)/warmup
	$(BUILD)/warmup
