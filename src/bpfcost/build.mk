# The calibration of what BPF programs cost beyond what is counted, and its unit tests. Included by the top Makefile.

bpfcost_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %.bpf.c,$(wildcard src/bpfcost/*.c))) \
	$(BUILD)/obj/src/bpfcost/programs_object.o
bpfcost_tested := $(patsubst %,$(BUILD)/obj/src/bpfcost/%.o,call costs interval kind options schedule)
bpfcost_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/bpfcost/test_*.c))

unit_tests += $(bpfcost_unit_tests)

ifneq ($(builds_bpf),)
programs += $(BUILD)/bpfcost
benchmarks += bench-calibration bench-runtime
endif

$(BUILD)/bpfcost: $(bpfcost_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lm

$(BUILD)/obj/src/bpfcost/programs.bpf.o: src/bpfcost/shared.h
$(BUILD)/obj/src/bpfcost/programs_object.o: $(BUILD)/obj/src/bpfcost/programs.bpf.o

$(bpfcost_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(bpfcost_tested) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(BUILD)/bpfmonitor: $(BUILD)/obj/bench/bpfmonitor.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

$(BUILD)/manycalls: $(BUILD)/obj/bench/manycalls.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

.PHONY: bench-calibration bench-runtime
bench-calibration: all $(BUILD)/bpfmonitor $(BUILD)/manycalls
	bench/calibration.sh

bench-runtime: all $(BUILD)/bpfmonitor
	bench/runtime.sh
