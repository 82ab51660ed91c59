# What tells where CPUs are placed. Included by the top Makefile.

corewatch_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/corewatch/*.c))
corewatch_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/corewatch/test_*.c))
programs += $(BUILD)/corewatch
unit_tests += $(corewatch_unit_tests)

$(BUILD)/corewatch: $(corewatch_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(corewatch_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(corewatch_objects)) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm
