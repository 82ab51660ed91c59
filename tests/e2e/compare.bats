#!/usr/bin/env bats
# Two builds of a monitor in turn within one run, and how they compare.

load helpers

setup_file() {
  require_root
  [[ -x $ROOT/build/floor-bpf ]] || skip "floor-bpf is not built here"
  [[ -r /sys/kernel/btf/vmlinux ]] || skip "the kernel does not describe its types"
  mkdir -p "$STATE"
  touch "$STATE/lock"
  ! auditctl -s >/dev/null 2>&1 || host_keep_audit_state
  host_state >"$BATS_FILE_TMPDIR/before"
  # Another file, so that its SHA-256 is another one.
  cp "$ROOT/build/floor-bpf" "$BATS_FILE_TMPDIR/floor-bpf"
  printf 'another build' >>"$BATS_FILE_TMPDIR/floor-bpf"
  export RUN=$BATS_FILE_TMPDIR/run
  sweep --build old="$ROOT/build/floor-bpf" --build new="$BATS_FILE_TMPDIR/floor-bpf" --reps 2 --warmup 1 --duration 1 --instrumented 0 --seed 1 --out "$RUN" \
    >"$BATS_FILE_TMPDIR/stdout" 2>"$BATS_FILE_TMPDIR/stderr" || {
    cat "$BATS_FILE_TMPDIR/stderr"
    return 1
  }
  host_state >"$BATS_FILE_TMPDIR/after"
}

teardown_file() {
  [[ ! -s $BATS_FILE_TMPDIR/audit-state ]] || host_take_audit_state_back
  remove_state
}

@test "builds are measured as monitors of their own, each with its own program" {
  diff "$BATS_FILE_TMPDIR/before" "$BATS_FILE_TMPDIR/after"
  [ "$(mlr --icsv --onidx filter '$status == "ok"' then count-distinct -f test then sort -f test "$RUN/cells.csv" | paste -sd ' ')" = "floor-bpf@new 2 floor-bpf@old 2 none 4" ]
  [ "$(jq -r '.binaries["floor-bpf@new"][0].sha256' "$RUN/manifest.json")" = "$(sha256sum <"$BATS_FILE_TMPDIR/floor-bpf" | cut -d ' ' -f 1)" ]
  [ "$(jq -r '.binaries["floor-bpf@old"][0].sha256' "$RUN/manifest.json")" = "$(sha256sum <"$ROOT/build/floor-bpf" | cut -d ' ' -f 1)" ]
  [ "$(jq -c '.options.builds | keys' "$RUN/manifest.json")" = '["floor-bpf@new","floor-bpf@old"]' ]
  # Each recorded what was launched under it.
  cells test,launched,recorded | jq -e 'all(.[] | select(.test != "none"); .launched == .recorded and .launched > 0)'
  [ "$(column "$RUN/perf.csv" reps floor-bpf@old)" = "$(counted floor-bpf@old "$RATE")" ]
}

@test "they can be compared" {
  local comparison
  comparison=$("$ROOT/exectax" compare --format json --figure daemon_us,lost,cells_failed "$RUN:@old" "$RUN:@new")
  echo "$comparison"
  # Intervals need repetitions.
  jq -e --argjson old "$(counted floor-bpf@old "$RATE")" --argjson new "$(counted floor-bpf@new "$RATE")" '
    .one_run and .comparable and ([.comparisons[].figure] == ["daemon_us", "lost", "cells_failed"])
    and (.comparisons[0] | (.difference.value | type) == "number" and ((.difference.low | type) == if $old > 1 and $new > 1 then "number" else "null" end))
    and .comparisons[1].verdict == "no difference shown" and .comparisons[1].a.count == 0 and .comparisons[2].b.of == 2' <<<"$comparison"
}

@test "a complete run with builds takes more repetitions of them" {
  "$ROOT/exectax" sweep --yes --repeat "$RUN" --build old="$ROOT/build/floor-bpf" --build new="$BATS_FILE_TMPDIR/floor-bpf" --dry-run | grep -qE '^[0-9]+ +3 +floor-bpf@old '
}

# tree: a source tree of its own to publish into.
tree() {
  mkdir "$1"
  cp -R "$ROOT"/{exectax,lib,plots,src,monitors,configs,docs,Makefile,perf.csv} "$1"
  ln -s "$ROOT/build" "$1/build"
}

@test "published, a run is the tree's table, its pictures, and a page that names no path" {
  local tree=$BATS_TEST_TMPDIR/tree
  tree "$tree"
  run "$tree/exectax" publish "$RUN"
  echo "$output"
  [ "$status" -eq 0 ]
  cmp "$RUN/perf.csv" "$tree/perf.csv"
  cmp "$RUN/parts.svg" "$tree/docs/parts.svg"
  grep -q '^| floor-bpf@old | ' "$tree/docs/results.md"
  grep -q '](results.html)' "$tree/docs/results.md"
  # All of them went well.
  grep -q "\. $(mlr --icsv --onidx count "$RUN/cells.csv") cells were planned: $(mlr --icsv --onidx count "$RUN/cells.csv") ok\. " "$tree/docs/results.md"
  grep -q 'floor-bpf@old' "$tree/docs/results.html"
  ! grep -qF -e "$BATS_FILE_TMPDIR" "$tree/docs/results.html" || return 1
}
