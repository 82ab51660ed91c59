# Make rules of execrate, its unit tests and its benchmark; for the top Makefile to include, run from the top.

VERSION ?= 0.1.0
CFLAGS ?= -O2 -g
execrate_cflags := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -pthread -MMD -MP

execrate_sources := $(wildcard src/execrate/*.c) src/common/cpulist.c src/common/json.c
execrate_objects := $(execrate_sources:%.c=build/obj/%.o)
execrate_unit_sources := $(wildcard tests/unit/test_*.c)
execrate_unit_tests := $(execrate_unit_sources:tests/unit/%.c=build/unit/%)
execrate_unit_objects := $(execrate_unit_sources:%.c=build/obj/%.o)

build/execrate: $(execrate_objects)
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^ -lm

build/bareloop: build/obj/bench/bareloop.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(execrate_unit_tests): build/unit/%: build/obj/tests/unit/%.o \
		$(filter-out build/obj/src/execrate/main.o,$(execrate_objects))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(execrate_objects) $(execrate_unit_objects) build/obj/bench/bareloop.o: build/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(execrate_cflags) $(CFLAGS) -c -o $@ $<

build/obj/src/execrate/options.o: execrate_cflags += -DEXECTAX_VERSION='"$(VERSION)"'

.PHONY: unit-tests bench-execrate
unit-tests: $(execrate_unit_tests)
	@failed=0; for test in $^; do ./$$test || failed=1; done; exit $$failed

bench-execrate: build/execrate build/bareloop
	bench/execrate.sh

-include $(execrate_objects:.o=.d) $(execrate_unit_objects:.o=.d) build/obj/bench/bareloop.d
