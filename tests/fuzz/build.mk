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
# What reads the files of a run, and ends the program where it refuses one.
fuzz_figures := cell engines launches rounds run series side syscalls windows
$(foreach name,$(fuzz_figures),$(eval fuzz_$(name)_objects := $(filter-out %/main.o,$(figures_objects))))
$(foreach name,$(fuzz_figures),$(eval fuzz_$(name)_libraries := $(figures_libraries) -Wl,--wrap=err,--wrap=errx,--wrap=warnx))
# A list of launches has room for the highest number that one can have.
fuzz_options := -malloc_limit_mb=8192 -rss_limit_mb=4096

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
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ -laudit -lbpf -lm $(fuzz_$*_libraries)

$(BUILD)/planted_%: $(BUILD)/obj/tests/fuzz/planted_%.o $$(fuzz_$$*_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ -laudit -lbpf -lm $(fuzz_$*_libraries)

# What is found on the way is kept for the next time.
fuzz: fuzzers
	@set -e; for name in $(fuzz_names); do \
		echo "$$name"; \
		mkdir -p build/fuzz/corpus/$$name; \
		build/fuzz/fuzz_$$name $(fuzz_options) -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/$$name- \
			build/fuzz/corpus/$$name tests/fuzz/corpus/$$name; \
	done
