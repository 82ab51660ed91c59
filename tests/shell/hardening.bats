#!/usr/bin/env bats
# The C code under the tools that find what tests don't: sanitizers, fuzzers, libc's own checks.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
}

@test "the programs' calls into libc check the sizes of buffers" {
  local program
  for program in cpumeter execrate floor-audit logfollow syscost watcher; do
    nm --dynamic "build/$program" | grep -q '__snprintf_chk\|__fprintf_chk' || {
      echo "$program: none has a check"
      return 1
    }
  done
}

@test "the C unit tests, with ASan and UBSan" {
  make -j"$(nproc)" check-sanitizers
  nm build/sanitized/unit/cpumeter/test_field | grep -q __asan_init
  nm build/sanitized/unit/cpumeter/test_field | grep -q __ubsan
}

# parsers: a line each.
parsers() {
  local file
  for file in tests/fuzz/fuzz_*.c; do
    basename "${file#tests/fuzz/fuzz_}" .c
  done
}

# fuzz PROGRAM PARSER RUNS: on the corpus, and inputs made from it, always the same ones. A list of launches has room for the highest number that
# one can have.
fuzz() {
  # It adds what it found to the first folder.
  rm -rf "$BATS_TEST_TMPDIR/found"
  mkdir "$BATS_TEST_TMPDIR/found"
  "build/fuzz/$1_$2" -seed=1 -runs="$3" -malloc_limit_mb=8192 -rss_limit_mb=4096 -artifact_prefix="build/fuzz/$1_$2-" "$BATS_TEST_TMPDIR/found" "tests/fuzz/corpus/$2" \
    >"$BATS_TEST_TMPDIR/output" 2>&1
}

# runs PARSER: those that read a folder write it first, which takes some ms.
runs() {
  if grep -q '"folder.h"\|"cell.h"' "tests/fuzz/fuzz_$1.c"; then
    echo 2000
  else
    echo 20000
  fi
}

@test "the parsers stand 20000 inputs each, those of folders 2000 (make fuzz: more)" {
  local parser
  make -j"$(nproc)" fuzzers
  for parser in $(parsers); do
    fuzz fuzz "$parser" "$(runs "$parser")" || {
      tail -n 40 "$BATS_TEST_TMPDIR/output"
      return 1
    }
  done
}

@test "each fuzzer finds a planted bug, which the corpus alone does not show" {
  local parser
  make -j"$(nproc)" fuzzers
  for parser in $(parsers); do
    echo "$parser"
    fuzz planted "$parser" 0
    run ! fuzz planted "$parser" 20000
    grep 'fuzz.h:.*index 24 out of bounds' "$BATS_TEST_TMPDIR/output"
  done
}
