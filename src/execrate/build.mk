# The load generator, its unit tests and its benchmark. Included by the top Makefile.

execrate_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard src/execrate/*.c src/execrate/actions/*.c)))
execrate_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/execrate/test_*.c))
programs += $(BUILD)/execrate
unit_tests += $(execrate_unit_tests)
benchmarks += bench-execrate bench-environment bench-accuracy bench-covariate bench-reaping bench-ways $(if $(EXECPERSEC),bench-execpersec) $(if $(EVENT_GENERATOR),bench-event-generator)

# An action that was taken away leaves nothing behind that is newer than what was linked with it.
$(BUILD)/obj/src/execrate/action.o: src/execrate/actions

$(BUILD)/execrate: $(execrate_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/bareloop: $(BUILD)/obj/bench/bareloop.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(execrate_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(execrate_objects)) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(BUILD)/environment: $(BUILD)/obj/bench/environment.o $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/planted: $(BUILD)/obj/bench/planted.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/planting: $(BUILD)/obj/bench/planting.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

.PHONY: bench-execrate bench-environment bench-accuracy bench-covariate bench-reaping bench-ways bench-event-generator bench-execpersec check-noisy
bench-execrate: $(BUILD)/execrate $(BUILD)/bareloop
	bench/execrate.sh

$(BUILD)/memoryprobe: $(BUILD)/obj/bench/memoryprobe.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

bench-covariate: all $(BUILD)/memoryprobe
	bench/covariate.sh

bench-reaping: all
	bench/reaping.sh

bench-ways: all
	bench/ways.sh

bench-event-generator: all
	bench/event-generator.sh

bench-accuracy: all $(BUILD)/planted $(BUILD)/planting $(BUILD)/bpfmonitor
	bench/accuracy.sh

# Beside neighbours who take a third of each CPU at random. 25 minutes.
check-noisy: all $(BUILD)/planted $(BUILD)/planting
	@lib/host/install-deps.sh noisy
	@rm -rf $(BUILD)/noisy
	@COUNT=20 SIDE=4 PLANTED_US=20 PARTS="itself program daemon" NOISE_PERCENT=33 OUT=$(BUILD)/noisy bench/accuracy.sh

bench-environment: $(BUILD)/execrate $(BUILD)/environment
	bench/environment.sh

# Against the load of 2021, which is not in this tree.
bench-execpersec: $(BUILD)/execrate
	bench/execpersec.sh
