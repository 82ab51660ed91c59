# The CPU meter, its unit tests and its benchmarks. Included by the top Makefile.

cpumeter_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/cpumeter/*.c))
cpumeter_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/cpumeter/test_*.c))
programs += $(BUILD)/cpumeter
unit_tests += $(cpumeter_unit_tests)
benchmarks += bench-cpumeter $(if $(builds_bpf),bench-runtime)

$(BUILD)/cpumeter: $(cpumeter_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lm

$(cpumeter_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(cpumeter_objects)) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lbpf -lm

$(BUILD)/burner: $(BUILD)/obj/bench/burner.o
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^

$(BUILD)/bpfload: $(BUILD)/obj/bench/bpfload.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

$(BUILD)/bpfmonitor: $(BUILD)/obj/bench/bpfmonitor.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

.PHONY: bench-cpumeter bench-runtime
bench-cpumeter: $(BUILD)/cpumeter $(BUILD)/burner $(BUILD)/bpfload
	bench/cpumeter.sh

bench-runtime: all $(BUILD)/bpfmonitor
	bench/runtime.sh
