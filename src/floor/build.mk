# The reference monitors and their unit tests. Included by the top Makefile.

floor_shared := src/floor/append.c src/floor/losses.c src/floor/options.c src/floor/stop.c
floor_bpf_objects := $(patsubst %.c,$(BUILD)/obj/%.o,src/floor/floor_bpf.c src/floor/exec_json.c $(floor_shared)) \
	$(BUILD)/obj/src/floor/exec_object.o
floor_audit_objects := $(patsubst %.c,$(BUILD)/obj/%.o,src/floor/floor_audit.c src/floor/audit_events.c $(floor_shared))
floor_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/floor/test_*.c))

programs += $(BUILD)/floor-audit
unit_tests += $(floor_unit_tests)
benchmarks += bench-floor

ifeq ($(builds_bpf),)
$(warning floor-bpf is not built: it needs clang and libbpf 1.0 or later with its headers)
else
programs += $(BUILD)/floor-bpf
endif

$(BUILD)/floor-bpf: $(floor_bpf_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lm

$(BUILD)/floor-audit: $(floor_audit_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -laudit -lm

$(BUILD)/obj/src/floor/exec.bpf.o: src/floor/exec_event.h
$(BUILD)/obj/src/floor/exec_object.o: $(BUILD)/obj/src/floor/exec.bpf.o

$(floor_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o \
	$(patsubst %.c,$(BUILD)/obj/%.o,src/floor/exec_json.c src/floor/audit_events.c src/floor/append.c) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -laudit -lm

.PHONY: bench-floor
bench-floor: $(BUILD)/execrate $(filter $(BUILD)/floor-%,$(programs))
	bench/floor.sh
