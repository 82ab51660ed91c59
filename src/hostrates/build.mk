# What counts a host's own executions and system calls, and its unit tests. Included by the top Makefile.

hostrates_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %.bpf.c,$(wildcard src/hostrates/*.c))) \
	$(BUILD)/obj/src/hostrates/counting_object.o
hostrates_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/hostrates/test_*.c))

unit_tests += $(hostrates_unit_tests)

ifneq ($(builds_bpf),)
programs += $(BUILD)/hostrates
endif

$(BUILD)/hostrates: $(hostrates_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lm

$(BUILD)/obj/src/hostrates/counting.bpf.o: src/hostrates/counts.h
$(BUILD)/obj/src/hostrates/counting_object.o: $(BUILD)/obj/src/hostrates/counting.bpf.o

$(hostrates_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(patsubst %,$(BUILD)/obj/src/hostrates/%.o,tally output) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm
