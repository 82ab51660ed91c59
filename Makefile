include src/build.mk

.DEFAULT_GOAL := all
.PHONY: all check bench install-deps clean help

all: build/execrate

check:
	@lib/install-deps.sh check
	@$(MAKE) --no-print-directory --silent all
	@tests/run

bench: bench-execrate

install-deps:
	@lib/install-deps.sh run

clean:
	rm -rf build

help:
	@echo 'make               build/execrate, the load generator'
	@echo 'make check         install what the tests need, run them all (as root)'
	@echo 'make bench         execrate against the limits of this machine (keep it otherwise idle)'
	@echo 'make install-deps  install what building and running need'
	@echo 'make clean         remove build/'
