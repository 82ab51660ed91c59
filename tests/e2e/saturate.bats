#!/usr/bin/env bats
# The saturation test, end to end.

source "$BATS_TEST_DIRNAME/helpers.bash"

setup() {
  require_root
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_state >"$BATS_TEST_TMPDIR/before"
  RUN=$BATS_TEST_TMPDIR/run
}

teardown() {
  if [[ -n ${saturate:-} ]] && kill -0 "$saturate" 2>/dev/null; then
    kill "$saturate"
    wait "$saturate" || true
  fi
}

teardown_file() {
  remove_state
}

saturate() {
  "$ROOT/exectax" saturate --yes --out "$RUN" --repeat 1 --round 2 --monitors "$@"
}

# rounds COLUMN: of all rounds, in order.
rounds() {
  mlr --icsv --onidx --ofs ' ' cut -o -f "$1" "$RUN/rounds.csv" | paste -sd ' '
}

# What the load launched, missed (a busy host is too late) or failed to launch, of all rounds, in order.
loads() {
  jq '.launched + .missed + .failed' "$RUN"/cells/*/*/load.json | paste -sd ' '
}

left_as_it_was() {
  host_state | diff "$BATS_TEST_TMPDIR/before" -
}

@test "a monitor that loses nothing is held up by the highest rate allowed; tables and picture say so" {
  require_full_rate
  saturate floor-bpf --start 100 --max-rate 200 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(rounds asked_per_sec)" = "100 200" ]
  [ "$(rounds lost)" = "0 0" ]
  [ "$(rounds verdict)" = "clean clean" ]
  # 5 s of load at each rate.
  [ "$(loads)" = "500 1000" ]
  grep -q '^| floor-bpf | no limits | ≥ [0-9]* (--max-rate) |' "$BATS_TEST_TMPDIR/stdout"
  grep -q '^Without a monitor: exec [0-9]*/s' "$RUN/saturation.md"
  [ -s "$RUN/saturation.png" ] && grep -q floor-bpf "$RUN/saturation.svg"
  left_as_it_was
  # The same again from the raw files alone.
  cp "$RUN/saturation.csv" "$BATS_TEST_TMPDIR/"
  "$ROOT/exectax" report "$RUN" >/dev/null
  cmp "$RUN/saturation.csv" "$BATS_TEST_TMPDIR/saturation.csv"
}

@test "a monitor held with SIGSTOP for part of a round loses exactly what found no room" {
  require_full_rate
  "$ROOT/exectax" saturate --yes --out "$RUN" --repeat 1 --round 3 --precision 50 --monitors floor-bpf --vary buffer=16384 \
    --start 400 --max-rate 400 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  saturate=$!
  wait_for_file "$RUN/cells/floor-bpf+buffer=16384/1-01/launches.csv"
  local pid
  pid=$(awk -F, '$2 == "daemon" { print $1 }' "$RUN/cells/floor-bpf+buffer=16384/1-01/pids.csv")
  # The harness executes nothing in the middle of its window, nor does this.
  local quiet
  exec {quiet}<> <(:)
  read -r -t 2 -u "$quiet" || true
  kill -STOP "$pid"
  read -r -t 1.5 -u "$quiet" || true
  kill -CONT "$pid"
  wait "$saturate"
  local -i launched recorded lost
  read -r launched recorded lost < <(mlr --icsv --onidx --ofs ' ' filter '$round == 1' then cut -o -f launched,recorded,lost "$RUN/rounds.csv")
  echo "launched $launched, recorded $recorded, lost $lost, counters $(rounds loss_counters)"
  [ "$(loads | cut -d ' ' -f1)" = 2400 ]
  ((lost > 0 && recorded > 0 && recorded + lost == launched))
  # The BPF program itself counts every event that it had no room for, those of others on this host included.
  local -i full
  full=$(mlr --icsv --onidx filter '$round == 1' then cut -f loss_counters "$RUN/rounds.csv" | grep -oE 'ring_buffer_full=[0-9]+' | cut -d= -f2)
  ((full >= lost && full <= lost + 5))
  [ "$(rounds verdict | cut -d' ' -f1)" = lossy ]
  # It was not held in the rounds after that, at lower rates.
  [ "$(rounds asked_per_sec)" = "400 200 300" ]
  [ "$(rounds verdict)" = "lossy clean clean" ]
  left_as_it_was
}

@test "a monitor that is held beyond the load's end loses nothing, and is told to be behind" {
  require_full_rate
  "$ROOT/exectax" saturate --yes --out "$RUN" --repeat 1 --round 2 --monitors floor-bpf --start 100 --max-rate 100 \
    >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  saturate=$!
  local round=$RUN/cells/floor-bpf/1-01 pid
  wait_for_file "$round/launches.csv"
  pid=$(awk -F, '$2 == "daemon" { print $1 }' "$round/pids.csv")
  kill -STOP "$pid"
  # Empty until the load is over.
  until [[ -s $round/load.json ]]; do
    sleep 0.1
  done
  sleep 1
  kill -CONT "$pid"
  wait "$saturate"
  [ "$(rounds verdict)" = clean ]
  [ "$(loads)" = 500 ]
  mlr --icsv --oxtab cut -f behind_s,written_per_sec "$RUN/rounds.csv"
  # 500 events in 5 s of load and at least one more.
  [ "$(mlr --icsv --onidx filter '$behind_s >= 1 && $written_per_sec <= 500 / 6' then count "$RUN/rounds.csv")" -eq 1 ]
  left_as_it_was
}

@test "a soak after the search loses nothing, and its memory is read many times" {
  require_full_rate
  saturate floor-bpf --start 100 --max-rate 100 --soak 5
  cat "$RUN/saturation.md"
  [ "$(rounds asked_per_sec)" = 100 ]
  of() { mlr --icsv --onidx --ofs ' ' cut -o -f "$1" "$RUN/soak.csv"; }
  # 80 % of what was reached of 100/s, for 5 s and 3 s around it.
  (($(of asked_per_sec) > 70 && $(of asked_per_sec) <= 80))
  [ "$(jq '.launched + .missed + .failed' "$RUN/soaks/floor-bpf/1/load.json")" = $((8 * $(of asked_per_sec))) ]
  [ "$(of status,lost,start)" = "ok 0 1" ]
  (($(of memory_readings) >= 18))
  [ -n "$(of growth_bytes_per_s_low)" ]
  grep -q '^| floor-bpf | no limits | 1 | .* kB/s' "$RUN/saturation.md"
  jq -e '.options.soak_s == 5 and .options.soak_percent == 80' "$RUN/manifest.json"
  left_as_it_was
}

@test "a published experiment with another monitor: ours before the published values of the same limits" {
  require_full_rate
  saturate floor-bpf --profile falco-2021 --action exec --limit-cpus 1 --limit-memory 1G --start 100 --max-rate 100
  cat "$RUN/saturation.md"
  grep -qE '^\| ours, floor-bpf; 0 of 1 searches lost events \| 1 \| 1G \| – \| – \| – \| – \| – \| – \| ≥ (100|99) \| – \|$' "$RUN/saturation.md"
  [ "$(grep -c '^| published, managed cluster | 1 | 1G |' "$RUN/saturation.md")" = 3 ]
  jq -e '.options.profile == "falco-2021"' "$RUN/manifest.json"
  left_as_it_was
}

@test "every action of the load is recorded, each by its tag" {
  require_audit
  saturate auditd-raw --action exec,open,read-sensitive,write-below-bin,change-namespace,connect --start 120 --max-rate 120
  [ "$(loads)" = 600 ]
  [ "$(rounds failed)" = 0 ]
  [ "$(rounds lost)" = 0 ]
  [ "$(ls "$RUN"/ceiling-*.json | wc -l)" -eq 7 ]
  left_as_it_was
}

@test "a limit on the monitor holds for it alone, and is gone afterwards" {
  require_full_rate
  # It would take 2 to 5 %.
  saturate execsnoop --limit-cpus 0.01 --start 1000 --max-rate 1000 --precision 50
  [[ $(rounds combination) == "0.01 CPU"* ]]
  # It can't have used more (a period of grace at both ends), and it was kept waiting.
  mlr --icsv --oxtab cat "$RUN/rounds.csv"
  [ "$(mlr --icsv --onidx filter '$round == 1 && $cpu < 2 && $throttled_ms > 0' then count "$RUN/rounds.csv")" -eq 1 ]
  left_as_it_was
}

@test "a search in which no round has figures says so, and draws nothing" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_READY_SECONDS=2 \
    saturate never-ready-double --start 100 --max-rate 100 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr"
  grep -q 'no round has figures, so there is no picture' "$BATS_TEST_TMPDIR/stderr"
  ! grep -q gnuplot "$BATS_TEST_TMPDIR/stderr" || return 1
  [ ! -e "$RUN/saturation.png" ]
  [ "$(rounds status)" = not-ready ]
  left_as_it_was
}
