# Fuzzers of the parsers, each twice: as it is, and with a planted bug. Included by the top Makefile, whose other parts
# are built anew for them, by clang.

FUZZ_SECONDS ?= 60
fuzz_names := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

fuzz_proc_objects := $(filter-out %/main.o,$(cpumeter_objects))
fuzz_cgroup_objects := $(fuzz_proc_objects)
fuzz_cpumeter_objects := $(fuzz_proc_objects)
fuzz_execrate_objects := $(filter-out %/main.o,$(execrate_objects))
fuzz_log_objects := $(filter-out %/main.o,$(logfollow_objects))
fuzz_audit_objects := $(filter-out %/floor_audit.o,$(floor_audit_objects))

.PHONY: fuzz fuzzers fuzzers-by-clang
fuzzers:
	@$(MAKE) --no-print-directory --silent BUILD=build/fuzz CC=clang \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' fuzzers-by-clang

fuzzers-by-clang: $(fuzz_names:%=$(BUILD)/fuzz_%) $(fuzz_names:%=$(BUILD)/planted_%)

$(BUILD)/obj/tests/fuzz/planted_%.o: tests/fuzz/fuzz_%.c
	@mkdir -p $(@D)
	$(CC) $(exectax_cflags) $(CFLAGS) -DPLANTED_BUG -c -o $@ $<

.SECONDEXPANSION:
$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $$(fuzz_$$*_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ -laudit -lbpf -lm

$(BUILD)/planted_%: $(BUILD)/obj/tests/fuzz/planted_%.o $$(fuzz_$$*_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ -laudit -lbpf -lm

# What is found on the way is kept for the next time.
fuzz: fuzzers
	@set -e; for name in $(fuzz_names); do \
		echo "$$name"; \
		mkdir -p build/fuzz/corpus/$$name; \
		build/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/$$name- \
			build/fuzz/corpus/$$name tests/fuzz/corpus/$$name; \
	done
