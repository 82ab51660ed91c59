.DEFAULT_GOAL := all
.PHONY: all man completion install deb check check-ansible check-faults check-kills check-kubernetes check-mutants check-report check-resume check-sanitizers check-vm lint columns bench unit-tests install-deps clean help

VERSION ?= 0.1.0
BUILD := build

# The highest level that compiler and libc know; they warn about one that they don't. Distributions set one of their own.
fortify := $(firstword $(foreach level,3 2,$(shell printf '\043include <stdio.h>\n' | \
	$(CC) -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(level) -Werror -E - >/dev/null 2>&1 && echo $(level))))
CFLAGS ?= -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(fortify)
exectax_cflags := -std=c11 -D_GNU_SOURCE -DEXECTAX_VERSION='"$(VERSION)"' \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -pthread -MMD -MP

# What attaches BPF programs needs clang, and libbpf 1.0: Ubuntu 22.04 has 0.5, which has no version header, and reports errors in
# another way.
libbpf_major := $(shell printf '\043include <bpf/libbpf_version.h>\nLIBBPF_MAJOR_VERSION\n' | $(CC) -E -P - 2>/dev/null | tail -n 1)
builds_bpf := $(and $(filter-out 0,$(libbpf_major)),$(shell command -v clang))

# Each program's build.mk adds to these what it builds.
programs :=
unit_tests :=
benchmarks :=
include $(wildcard src/*/build.mk) tests/fuzz/build.mk

all: $(programs)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(exectax_cflags) $(CFLAGS) -c -o $@ $<

# The kernel's headers have their asm/ part in the folder of the host's architecture.
$(BUILD)/obj/%.bpf.o: %.bpf.c
	@mkdir -p $(@D)
	clang -target bpf -g -O2 -Wall -Wextra -Wno-unused-parameter \
		-isystem /usr/include/$(shell $(CC) -print-multiarch) -c -o $@ $<

# A BPF object within a program.
$(BUILD)/obj/%.o: %.S
	@mkdir -p $(@D)
	$(CC) -Wa,-I,$(@D) -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# Made from the texts of --help.
man: $(BUILD)/exectax.1
completion: $(BUILD)/exectax.bash

$(BUILD)/exectax.1: exectax packaging/manpage packaging/manpage.awk $(wildcard lib/*/*.sh)
	@mkdir -p $(@D)
	@packaging/manpage >$@.new && mv $@.new $@

$(BUILD)/exectax.bash: exectax packaging/completion $(wildcard lib/*/*.sh monitors/*.sh)
	@mkdir -p $(@D)
	@packaging/completion >$@.new && mv $@.new $@

PREFIX ?= /usr/local

install: all man completion
	@BUILD='$(BUILD)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' packaging/install $(notdir $(programs))

# A Debian package for the release that it is built on.
deb: all man completion
	@VERSION='$(VERSION)' packaging/deb

unit-tests: $(unit_tests)
	@tests/units $(filter-out $(NOT_TESTED),$^)

# Reads and writes out of bounds, leaks, undefined arithmetic: each ends a test. Thousands of simulated runs go through the same code as the other tests.
check-sanitizers:
	@$(MAKE) --no-print-directory --silent BUILD=build/sanitized NOT_TESTED='%/test_simulation %/test_stopping' \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' unit-tests

check:
	@lib/host/install-deps.sh check
	@$(MAKE) --no-print-directory --silent -j"$$(nproc)" all
	@tests/run

lint:
	@lib/host/install-deps.sh check
	@bats tests/shell/style.bats tests/shell/rooms.bats

# The page of columns in results/README.md.
columns: $(BUILD)/figures
	@{ sed '/^<!-- columns/q' results/README.md; $(BUILD)/figures --columns; sed -n '/^<!-- end of columns/,$$p' results/README.md; } \
		>$(BUILD)/columns.md && cp $(BUILD)/columns.md results/README.md

check-kills: KILLS ?= 100
check-kills:
	@lib/host/install-deps.sh check
	@$(MAKE) --no-print-directory --silent all
	@tests/e2e/kills/run --kills $(KILLS)

# What can go wrong while a run measures.
check-faults:
	@lib/host/install-deps.sh check
	@$(MAKE) --no-print-directory --silent all
	@bats tests/e2e/measuring-faults.bats

check-resume: KILLS ?= 20
check-resume:
	@lib/host/install-deps.sh check
	@$(MAKE) --no-print-directory --silent all
	@tests/e2e/kills/resume --kills $(KILLS)
	@bats tests/e2e/resume-others.bats

check-mutants:
	@lib/host/install-deps.sh check
	@tests/mutants/run $(if $(ONLY),--only '$(ONLY)')

# The playbook with real runs, some of them cut off.
check-ansible:
	@lib/host/install-deps.sh ansible
	@$(MAKE) --no-print-directory --silent all
	@bats tests/ansible/fleet.bats

# Jobs and exectax cluster on the cluster that KUBECONFIG names.
check-kubernetes:
	@lib/host/install-deps.sh kubernetes
	@$(MAKE) --no-print-directory --silent all
	@deploy/kubernetes/test.sh $(if $(IMAGE),--image '$(IMAGE)')

# The page of a run in a browser, which is a download of a hundred megabytes.
check-report:
	@lib/host/install-deps.sh browser
	@$(MAKE) --no-print-directory --silent all $(BUILD)/manycells
	@bats tests/browser/page.bats

check-vm:
	@tests/vm/check.sh $(SUITE)

bench: $(benchmarks)

install-deps:
	@lib/host/install-deps.sh run

clean:
	rm -rf build

help:
	@echo 'make                   the programs in src/'
	@echo 'make install           into PREFIX (/usr/local), below DESTDIR: programs, scripts, pages, manual page, completion'
	@echo 'make deb               a Debian package of it, for the release that it is built on, in build/'
	@echo 'make man               the manual page alone, build/exectax.1; make completion: build/exectax.bash'
	@echo 'make check             install what the tests need, run them all (as root)'
	@echo 'make lint              formatters, linters, and the rules of the source tree, alone'
	@echo 'make columns           write the page of columns in results/README.md again'
	@echo 'make check-sanitizers  the C unit tests, built with ASan and UBSan (part of make check)'
	@echo 'make check-kills       100 sweeps that are killed, each of which leaves the host as it was (KILLS=N: as many)'
	@echo 'make check-faults      what can go wrong while a run measures, such as a sampler that dies, beyond what make check has (five minutes)'
	@echo 'make check-resume      a sweep that is killed 20 times and resumed, which ends complete and valid (KILLS=N: as often); runs of saturate and rules'
	@echo 'make check-noisy       figures against what is known, beside neighbours who take a third of each CPU (25 minutes)'
	@echo 'make check-ansible     the playbook of deploy/ansible with real runs, of which some are cut off (a quarter of an hour)'
	@echo 'make check-kubernetes  Jobs and exectax cluster on the cluster that KUBECONFIG names; IMAGE=NAME: with that image'
	@echo 'make check-mutants     faults put in on purpose, each of which a test must notice (half an hour); ONLY=PATTERN: those'
	@echo 'make check-report      the page of a run in a browser, which is installed (a hundred megabytes)'
	@echo 'make check-vm          the same and more in emulated machines, Debian 12 and 13 (hours); SUITE=bookworm or trixie'
	@echo 'make fuzz              the parsers on random input, FUZZ_SECONDS=60 each (make check has a short run)'
	@echo 'make bench-compare     how often a build is told from itself, and from one that is dearer (hours)'
	@echo 'make bench             the programs against the limits of this machine (keep it otherwise idle)'
	@echo 'make install-deps      install what building and running need'
	@echo 'make clean             remove build/'
