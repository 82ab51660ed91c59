# The CPU meter, its unit tests and its accuracy benchmark. Included by the top Makefile.

cpumeter_objects := $(patsubst %.c,build/obj/%.o,$(wildcard src/cpumeter/*.c) src/common/textfile.c src/common/usage.c)
cpumeter_unit_tests := $(patsubst tests/unit/%.c,build/unit/%,$(wildcard tests/unit/cpumeter/test_*.c))
programs += build/cpumeter
unit_tests += $(cpumeter_unit_tests)
benchmarks += bench-cpumeter

build/cpumeter: $(cpumeter_objects)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lm

$(cpumeter_unit_tests): build/unit/%: build/obj/tests/unit/%.o $(filter-out %/main.o,$(cpumeter_objects))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lbpf -lm

build/burner: build/obj/bench/burner.o
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^

build/bpfload: build/obj/bench/bpfload.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

.PHONY: bench-cpumeter
bench-cpumeter: build/cpumeter build/burner build/bpfload
	bench/cpumeter.sh
