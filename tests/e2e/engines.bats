#!/usr/bin/env bats
# Rule engines, built and run as exectax rules --engines does, once and without Rego and WASM, which take long to build (a run tests those before
# it measures them).

load ../rooms

setup() {
  ((EUID == 0)) || skip "needs root"
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  local obstacle
  obstacle=$(engines_obstacle)
  [[ -z $obstacle ]] || skip "$obstacle"
}

# In the builder's folder.
engines_tested() {
  build_give "$EXECTAX_ROOT/bench/engines" sources || return 1
  engines_as_builder CGO_ENABLED=0 bash -euc 'cd sources
    go list -tags no_opa -deps -test . >/dev/null || { echo "modules are out of reach"; exit; }
    go test -mod=readonly -tags no_opa -vet=off -v -bench . -benchtime 1x -benchmem .' 2>&1
}

@test "all engines find the same in the same events, and each says what that costs" {
  in_build_folder engines_tested >"$BATS_TEST_TMPDIR/output"
  tail -n 40 "$BATS_TEST_TMPDIR/output"
  ! grep -qx 'modules are out of reach' "$BATS_TEST_TMPDIR/output" || skip "Go modules can't be got here"
  [ "$(grep -cE '^ *--- PASS: TestEnginesFindTheSame/' "$BATS_TEST_TMPDIR/output")" = 18 ]
  [ "$(grep -E '^BenchmarkLook/.* ns/op.* compile-ns.* cpu-ns/op.* resident-bytes.* B/op.* allocs/op$' "$BATS_TEST_TMPDIR/output" | cut -d/ -f2 | uniq -c | awk '{ print $2 "=" $1 }' | paste -sd ' ')" = \
    "cel=3 expr=3 go=3" ]
  grep -qx PASS "$BATS_TEST_TMPDIR/output"
  [ ! -e "$EXECTAX_STATE_DIR/journal" ]
}
