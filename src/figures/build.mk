# The figures of a run, their unit tests and their benchmark. Included by the top Makefile.

figures_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/figures/*.c) src/common/percentile.c src/common/usage.c)
figures_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/figures/test_*.c))
figures_libraries := -lgsl -lgslcblas -ljansson -lz -lm
programs += $(BUILD)/figures
unit_tests += $(figures_unit_tests)
benchmarks += bench-report

$(BUILD)/figures: $(figures_objects)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(figures_libraries)

$(figures_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tests/unit/figures/test_%,$(wildcard tests/unit/figures/*.c))) \
	$(filter-out %/main.o,$(figures_objects))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(figures_libraries)

$(BUILD)/manycells: $(BUILD)/obj/bench/manycells.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lz

.PHONY: bench-report bench-compare
bench-report: $(BUILD)/figures $(BUILD)/manycells
	bench/report.sh

# Hours: not among the benchmarks of make bench.
bench-compare: all $(BUILD)/planted
	bench/compare.sh
