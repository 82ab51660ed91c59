.DEFAULT_GOAL := all
.PHONY: all check check-vm bench unit-tests install-deps clean help

VERSION ?= 0.1.0
CFLAGS ?= -O2 -g
exectax_cflags := -std=c11 -D_GNU_SOURCE -DEXECTAX_VERSION='"$(VERSION)"' \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -pthread -MMD -MP

# Each program's build.mk adds to these what it builds.
programs :=
unit_tests :=
benchmarks :=
include $(wildcard src/*/build.mk)

all: $(programs)

build/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(exectax_cflags) $(CFLAGS) -c -o $@ $<

-include $(shell find build/obj -name '*.d' 2>/dev/null)

unit-tests: $(unit_tests)
	@failed=0; for test in $^; do ./$$test || failed=1; done; exit $$failed

check:
	@lib/install-deps.sh check
	@$(MAKE) --no-print-directory --silent all
	@tests/run

check-vm:
	@tests/vm/check.sh $(SUITE)

bench: $(benchmarks)

install-deps:
	@lib/install-deps.sh run

clean:
	rm -rf build

help:
	@echo 'make               the programs in src/'
	@echo 'make check         install what the tests need, run them all (as root)'
	@echo 'make check-vm      the same and more in emulated machines, Debian 12 and 13 (hours); SUITE=bookworm or trixie'
	@echo 'make bench         the programs against the limits of this machine (keep it otherwise idle)'
	@echo 'make install-deps  install what building and running need'
	@echo 'make clean         remove build/'
