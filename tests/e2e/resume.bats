#!/usr/bin/env bats
# A sweep that dies, and goes on: nothing of it is lost, and nothing is measured twice.

load helpers
load resume

RATES="20 40"

setup_file() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_give_audit_state
  host_state >"$BATS_FILE_TMPDIR/before"
  export RUN=$BATS_FILE_TMPDIR/run WORK=$BATS_FILE_TMPDIR
  : >"$WORK/kept"

  # floor-bpf, none, auditd-raw, none: killed in the second block.
  begin sweep --monitors floor-bpf,auditd-raw --rates "$RATES" --warmup 1 --duration 1 --instrumented 0 --side 2 --syscalls 0 --reps 1 --seed 2 --out "$RUN"
  wait_for_count 3
  kill_harness
  note_kept
  # At the third block's end: both of its cells are measured, and may not be counted.
  begin sweep --resume "$RUN"
  wait_for_line '"session": 2' "$RUN/cells/none/40-1.3/cell.json"
  run "$ROOT/exectax" sweep --resume "$RUN" --yes
  printf '%s\n' "$status" "$output" >"$WORK/beside"
  wait_for_line '"session": 2' "$RUN/cells/auditd-raw/20-1/cell.json"
  wait_for_line '"session": 2' "$RUN/cells/auditd-raw/40-1/cell.json"
  kill_harness
  cp "$RUN/manifest.json" "$WORK/killed-twice.json"
  uncount_double "$RUN/cells/auditd-raw/40-1"
  note_kept
  begin sweep --resume "$RUN"
  wait "$HARNESS"
  HARNESS=''
  cp -a "$RUN" "$WORK/resumed"
}

# uncount_double CELL: as a cell is left of a monitor that writes its last records when it is stopped.
uncount_double() {
  jq '.counted = false' "$1/cell.json" >"$WORK/cell.json"
  cp "$WORK/cell.json" "$1/cell.json"
  echo '{"recorded": 7}' >"$1/count.json"
}

teardown_file() {
  end_harness
  host_take_audit_state_back
  remove_state
}

@test "a run that was killed twice is resumed to its end: every cell went well, every launch was recorded" {
  cells "test,exec_per_sec,rep,turn,status,reason,launched,missed,recorded,lost" | jq -e --argjson seconds $((2 + MARGIN)) '
    all(.status == "ok" and .launched + .missed == $seconds * .exec_per_sec)
    and (map(select(.test != "none")) | length == 4 and all(.recorded == .launched and .lost == 0))
    and (map(select(.test == "none") | .exec_per_sec) | unique == [20, 40])'
  [ "$(jq -r .state "$RUN/manifest.json")" = complete ]
}

@test "a cell that was not counted when the run was killed is measured again" {
  [ "$(jq -c '[.session, .status]' "$WORK/resumed/cells/auditd-raw/40-1/cell.json")" = '[3,"ok"]' ]
  [ "$(jq .recorded "$WORK/resumed/cells/auditd-raw/40-1/count.json")" -eq "$(jq .launched "$WORK/resumed/cells/auditd-raw/40-1/load.json")" ]
}

@test "the manifest tells of each session: when, under which boot and tag, and how it ended" {
  jq -e --arg boot "$(</proc/sys/kernel/random/boot_id)" '.state == "complete" and .reason == null and .started == .sessions[0].started and .ended == .sessions[2].ended
    and (.sessions | map([.state, .reason]) == [["interrupted", "killed"], ["interrupted", "killed"], ["complete", null]])
    and (.sessions | map(.tag) | unique | length) == 3 and (.sessions | all(.boot_id == $boot and (.started | type) == "string"))' "$WORK/resumed/manifest.json"
  # Before anybody could say so, the run was not complete.
  [ "$(jq -c '[.state, .sessions[-1].state, .ended]' "$WORK/killed-twice.json")" = '["started","started",null]' ]
}

@test "each cell has the tag of its session, whose records alone are counted" {
  find "$WORK/resumed/cells" -name cell.json | while IFS= read -r file; do
    jq -e --slurpfile manifest "$WORK/resumed/manifest.json" --slurpfile load "${file%/*}/load.json" \
      '$load[0].tag == "\($manifest[0].sessions[.session - 1].tag).\(.cell)"' "$file"
  done
  # Window S, too, of which the figures are: of the one cell of a start that is detailed.
  [ "$(find "$WORK/resumed/cells/auditd-raw" -path '*/side/load.json' | wc -l)" -eq 1 ]
  [ "$(find "$WORK/resumed/cells" -name cell.json -exec jq .session {} + | sort -u | paste -sd ' ')" = "1 2 3" ]
}

@test "what had been measured and counted before a kill is as it was" {
  [ "$(wc -l <"$WORK/kept")" -gt 10 ]
  sort -u "$WORK/kept" | sha256sum --check --quiet
}

@test "each session begins with the baseline, and the plan is in the order of measurement" {
  local session
  [ "$(tail -n +2 "$WORK/resumed/plan.csv" | cut -d, -f1 | sort -n | uniq -d)" = "" ]
  tail -n +2 "$WORK/resumed/plan.csv" | while IFS=, read -r cell rep monitor rate turn _; do
    [[ $turn == 1 ]] && folder=$monitor/$rate-$rep || folder=$monitor/$rate-$rep.$turn
    echo "$(jq .session "$WORK/resumed/cells/$folder/cell.json") $(jq .start_mono_ns "$WORK/resumed/cells/$folder/load.json") $monitor"
  done >"$BATS_TEST_TMPDIR/measured"
  cat "$BATS_TEST_TMPDIR/measured"
  sort -s -k2,2n "$BATS_TEST_TMPDIR/measured" | diff "$BATS_TEST_TMPDIR/measured" -
  for session in 2 3; do
    [ "$(awk -v session="$session" '$1 == session { print $3; exit }' "$BATS_TEST_TMPDIR/measured")" = none ]
  done
}

@test "beside a run that is under way nothing goes on" {
  [ "$(head -n 1 "$WORK/beside")" = 1 ]
  grep -q 'another run is under way: pid ' "$WORK/beside"
}

@test "what is complete is not resumed: said, exit status 0, nothing changed" {
  cp "$RUN/manifest.json" "$BATS_TEST_TMPDIR/manifest.json"
  run "$ROOT/exectax" sweep --resume "$RUN"
  [ "$status" -eq 0 ]
  [ "$output" = "$RUN is complete: there is nothing left to measure." ]
  cmp "$RUN/manifest.json" "$BATS_TEST_TMPDIR/manifest.json"
}

@test "another binary is not measured into the same run: exit status 2, nothing changed" {
  cp "$ROOT/build/floor-bpf" "$BATS_TEST_TMPDIR/floor-bpf"
  echo >>"$BATS_TEST_TMPDIR/floor-bpf"
  find "$RUN" -type f -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/before"
  EXECTAX_FLOOR_BPF=$BATS_TEST_TMPDIR/floor-bpf run "$ROOT/exectax" sweep --repeat "$RUN" --yes
  echo "$output"
  [ "$status" -eq 2 ]
  [[ $output == "exectax: '$RUN' can't go on: the SHA-256 of $ROOT/build/floor-bpf was "*", now it is $(sha256sum <"$BATS_TEST_TMPDIR/floor-bpf" | cut -d ' ' -f 1)" ]]
  find "$RUN" -type f -exec sha256sum {} + | sort | diff "$BATS_TEST_TMPDIR/before" -
}

@test "a raw file that was damaged: its cell alone is measured again" {
  local cell
  cell=$RUN/cells/floor-bpf/20-1
  : >"$cell/launches.csv.gz"
  find "$RUN/cells" -name cell.json ! -path "$cell/*" -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/others"
  "$ROOT/exectax" sweep --resume "$RUN" --yes
  sha256sum --check --quiet "$BATS_TEST_TMPDIR/others"
  [ "$(jq -c '[.session, .status, .counted]' "$cell/cell.json")" = '[4,"ok",true]' ]
  [ "$(column "$RUN/cells.csv" status floor-bpf 20)" = ok ]
}

# Those that were measured before are all but the damaged one's.
@test "--repeat adds passes; one that is ended by SIGTERM is resumed, and not repeated" {
  find "$RUN/cells" -name cell.json -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/first"
  begin sweep --repeat "$RUN"
  wait_for_file "$RUN/cells/*/*-2/cell.json"
  kill -TERM "$HARNESS"
  status=0
  wait "$HARNESS" || status=$?
  [ "$status" -eq 143 ]
  [ "$(jq -c '[.state, .reason, .options.reps, .sessions[-1].reason]' "$RUN/manifest.json")" = '["interrupted","SIGTERM",2,"SIGTERM"]' ]
  run "$ROOT/exectax" sweep --repeat "$RUN" --yes
  [ "$status" -eq 2 ]
  [ "$output" = "exectax: '$RUN' is not complete, expected a complete run (--resume makes it one)" ]
  "$ROOT/exectax" sweep --resume "$RUN" --yes
  sha256sum --check --quiet "$BATS_TEST_TMPDIR/first"
  cells "test,exec_per_sec,rep,status,reason,launched,recorded" | jq -e '
    all(.status == "ok") and (map(select(.test != "none")) | length == 8 and all(.launched == .recorded)
      and (group_by([.test, .exec_per_sec]) | all(map(.rep) | sort == [1, 2])))'
  # Intervals need repetitions.
  (($(counted auditd-raw 40) < 2)) || [ -n "$(column "$RUN/perf.csv" daemon_us_low auditd-raw 40)" ]
}

# Without time for a pass: what is known is told all the same.
@test "--repeat --reps auto adds nothing that does not fit into its time, and tells what is not known" {
  find "$RUN/cells" -type f -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/before"
  [[ $("$ROOT/exectax" sweep --repeat "$RUN" --reps auto --budget 60s --yes --dry-run) == *$'\nPasses:      until all is known to 5 % or 5 µs, or --budget (1m) is used; '* ]]
  "$ROOT/exectax" sweep --repeat "$RUN" --reps auto --budget 60s --precision 1% --yes >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" || {
    cat "$BATS_TEST_TMPDIR/stderr"
    false
  }
  find "$RUN/cells" -type f -exec sha256sum {} + | sort | diff "$BATS_TEST_TMPDIR/before" -
  [ "$(grep -c 'internal error' "$BATS_TEST_TMPDIR/stderr")" -eq 0 ]
  grep -q '^Time: about .* a pass, more than --budget (1m) has time for' "$BATS_TEST_TMPDIR/stderr"
  grep -q '^counted is known to 1 % or 5 µs (half of its 95 % interval) in ' "$BATS_TEST_TMPDIR/stdout"
  rows=$(mlr --icsv --ojson cat "$RUN/precision.csv" | jq -sc 'add // []')
  # Where nothing is known: a host that is saturated at this rate already.
  ((RATE < 100)) || [ "$(jq length <<<"$rows")" -gt 0 ]
  jq -e --argjson rows "$rows" '.state == "complete" and .options.reps == null and .options.budget_s == 60 and .precision.percent == 1
    and .precision.known + (.precision.not_reached | length) == ($rows | length)
    and .outcome == "2 passes in \(.sessions | length) sessions; --budget of 1m used"' "$RUN/manifest.json"
}

@test "the host is as it was" {
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}
