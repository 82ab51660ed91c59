#!/usr/bin/env bats
# Runs of saturate and rules that are killed, and go on.

load helpers
load resume

setup() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_state >"$BATS_TEST_TMPDIR/before"
  RUN=$BATS_TEST_TMPDIR/run WORK=$BATS_TEST_TMPDIR
  HARNESS=''
}

teardown() {
  end_harness
}

teardown_file() {
  remove_state
}

# resumed KIND: to its end; then there is nothing left, and what was kept is as it was.
resumed() {
  "$ROOT/exectax" "$1" --resume "$RUN" --yes >"$WORK/stdout" 2>"$WORK/stderr" 3>&- || {
    cat "$WORK/stderr"
    return 1
  }
  jq -e '.state == "complete" and (.sessions | map([.state, .reason]) == [["interrupted", "killed"], ["complete", null]])' "$RUN/manifest.json"
  [ "$(wc -l <"$WORK/kept")" -gt 3 ]
  sha256sum --check --quiet "$WORK/kept"
  run "$ROOT/exectax" "$1" --resume "$RUN" --yes
  [ "$status $output" = "0 $RUN is complete: there is nothing left to measure." ]
  host_state | diff "$WORK/before" -
}

@test "a run of saturate that was killed within a search: what is complete stays, that search is made anew" {
  begin saturate --monitors floor-audit --repeat 2 --round 1 --start 5 --max-rate 10 --seed 3 --out "$RUN"
  # Two rounds a search.
  wait_for_count 3
  kill_harness
  note_kept '.search == 1'
  sha256sum "$RUN/ceiling-exec.json" "$RUN/plan.csv" >>"$WORK/kept"
  resumed saturate
  mlr --icsv --ojson cut -f search,round,search_rounds,verdict,lost,status "$RUN/rounds.csv" | tee "$WORK/rounds" |
    jq -e 'map([.search, .round, .search_rounds]) == [[1, 1, ""], [1, 2, 2], [2, 1, ""], [2, 2, 2]] and all(.verdict == "clean" and .lost == 0 and .status == "ok")' || {
    cat "$WORK/rounds"
    false
  }
  [ "$(find "$RUN/cells" -name cell.json -exec jq -c '[.search, .session]' {} + | sort -u | paste -sd ' ')" = "[1,1] [2,2]" ]
}

@test "a run of a set of rules that was killed: the rest is measured with the rules that it has kept, beside a baseline of its own" {
  printf '%s\n' "-w $WORK/watched -p wa" '-a always,exit -F arch=b64 -S sethostname' >"$WORK/30-some.rules"
  begin rules --monitors floor-audit --rules "$WORK/30-some.rules" --mix none --rate 10 --warmup 1 --duration 1 --instrumented 0 --side 0 --syscalls 0 --reps 1 --seed 3 --out "$RUN"
  wait_for_count 2 start_ms
  kill_harness
  note_kept .start_ms
  rm "$WORK/30-some.rules"
  resumed rules
  cells test,status,launched,recorded,start_ms | jq -e 'all(.status == "ok" and .start_ms != "") and (map(.test) | unique == ["floor-audit", "floor-audit+some=2", "none"])
    and (map(select(.test != "none")) | length == 2 and all(.launched == .recorded))'
  [ "$(awk -F, '$3 == "none"' "$RUN/plan.csv" | wc -l)" -ge 1 ]
  [ "$(find "$RUN/cells" -name cell.json -exec jq .session {} + | sort -u | paste -sd ' ')" = "1 2" ]
  # What a session measures first is a baseline.
  [ "$(find "$RUN/cells" -name cell.json -exec jq -r 'select(.session == 2) | "\(.cell) \(.test)"' {} + | sort -n | head -n 1 | cut -d ' ' -f 2)" = none ]
}
