#!/usr/bin/env bats
# exectax saturate: its options, the combinations that it measures, and its figures from rounds written by hand.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" saturate --out "$BATS_TEST_TMPDIR/run" "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $BATS_TEST_TMPDIR/run ]]
}

@test "bad options are refused, each in one line" {
  refused "*--start is '0'*" --start 0
  refused "*--max-rate is '50'*from 100 to*" --max-rate 50
  refused "*--precision is '101'*" --precision 101
  refused "*--repeat is 'x'*" --repeat x
  refused "*--round is '0'*" --round 0
  refused "*--soak is '4', expected 0 or whole seconds from 5 to 86400" --soak 4
  refused "*--profile: there is no profile 'falco', expected one of: falco-2021" --profile falco
  refused "*--profile can be given once, and not be shortened" --prof falco-2021
  refused "*--action 'exec,fork'*expected some of *exec, open*" --action exec,fork
  refused "*--limit-cpus: '0'*" --limit-cpus 1,0
  refused "*--limit-cpus: '0.001'*" --limit-cpus 0.001
  refused "*--limit-memory: '1T'*" --limit-memory 1T
  refused "*--monitors: there is no monitor 'auditdd'*" --monitors auditdd
  refused "*--monitors: expected a monitor that records something" --monitors none
  refused "*--vary is 'buffered'*" --vary buffered
  refused "*none of the monitors has a knob 'nothing'*" --vary nothing=1
  refused "*--vary backlog: auditd-raw does not take 'many', expected 8192,N" --monitors auditd-raw --vary backlog=many
  refused "*--vary buffered: falco does not take 'maybe', expected no,yes" --monitors falco --vary buffered=maybe
  refused "*unexpected argument 'x'*" x
}

# options ARGUMENT...: OPTIONS of a command line, as NAME=VALUE a line.
options() (
  use_rooms base host monitor measure report command
  nproc() { echo "${NPROC:-64}"; }
  saturate_options --out "$BATS_TEST_TMPDIR/run" "$@"
  local name
  for name in "${!OPTIONS[@]}"; do
    echo "$name=${OPTIONS[$name]}"
  done
)

@test "a profile's options count where no others are given, as far as this machine has the CPUs" {
  options --profile falco-2021 >"$BATS_TEST_TMPDIR/options"
  grep -qx 'monitors=falco-rules' "$BATS_TEST_TMPDIR/options"
  grep -qx 'actions=change-namespace read-sensitive write-below-bin' "$BATS_TEST_TMPDIR/options"
  grep -qx 'limit_cpus=0.5 1 2' "$BATS_TEST_TMPDIR/options"
  grep -qx 'limit_memory=512M 1G' "$BATS_TEST_TMPDIR/options"
  grep -qx 'vary_driver=modern_ebpf kmod' "$BATS_TEST_TMPDIR/options"
  grep -qx 'round=10' "$BATS_TEST_TMPDIR/options"
  grep -qx 'profile=falco-2021' "$BATS_TEST_TMPDIR/options"
  # Given before it, too.
  NPROC=1 options --round 3 --profile=falco-2021 --monitors auditd-raw --vary flush=NONE >"$BATS_TEST_TMPDIR/options" 2>"$BATS_TEST_TMPDIR/stderr"
  grep -qx 'round=3' "$BATS_TEST_TMPDIR/options"
  grep -qx 'monitors=auditd-raw' "$BATS_TEST_TMPDIR/options"
  grep -qx 'limit_cpus=0.5 1' "$BATS_TEST_TMPDIR/options"
  grep -qx "Leaving out the limit of 2 CPUs: this machine has 1" "$BATS_TEST_TMPDIR/stderr"
  # Its knobs need not be the monitor's, others' must.
  refused "*none of the monitors has a knob 'nothing'*" --profile falco-2021 --monitors auditd-raw --vary nothing=1
  NPROC=1 run options --profile falco-2021 --limit-cpus 2
  [ "$status" -eq 2 ]
  [[ $output == *"exectax: --limit-cpus: all of '2' are more than this machine's 1 CPUs" ]]
}

@test "every profile has options that there are, and published values in the table's columns" {
  local file name
  for file in "$ROOT"/configs/profiles/*.options; do
    name=${file##*/} name=${name%.options}
    NPROC=64 options --profile "$name" >/dev/null
    [ "$(grep -cvE '^(#|--)' "$file")" = 0 ]
    head -n 1 "${file%.options}.csv" | grep -qE '^cpus,memory,(.*,)?place,round,eps_with_drops,success_percent,success_eps,lossless_eps,syscalls_per_sec,source$'
    # Each has a source.
    [ "$(mlr --icsv --onidx filter 'is_empty($source)' "${file%.options}.csv")" = "" ]
  done
}

@test "every monitor under every limit, with the knobs that it has" {
  use_rooms base host monitor measure
  RUN_MONITORS=(auditd-raw execsnoop)
  OPTIONS=([limit_cpus]="- 0.5" [limit_memory]="512M" [vary_flush]="NONE SYNC" [vary_backlog]="64" [seed]=3 [repeat]=2)
  [ "$(saturate_combinations)" = "$(
    cat <<'LIST'
auditd-raw+memory=512M+backlog=64+flush=NONE,auditd-raw,-,512M,backlog=64 flush=NONE
auditd-raw+memory=512M+backlog=64+flush=SYNC,auditd-raw,-,512M,backlog=64 flush=SYNC
auditd-raw+cpus=0.5+memory=512M+backlog=64+flush=NONE,auditd-raw,0.5,512M,backlog=64 flush=NONE
auditd-raw+cpus=0.5+memory=512M+backlog=64+flush=SYNC,auditd-raw,0.5,512M,backlog=64 flush=SYNC
execsnoop+memory=512M,execsnoop,-,512M,
execsnoop+cpus=0.5+memory=512M,execsnoop,0.5,512M,
LIST
  )" ]
  monitor_obstacles() { :; }
  [ "$(saturate_plan | wc -l)" -eq 13 ]
  [ "$(saturate_plan | cut -d, -f2- | sort -u | wc -l)" -eq 13 ]
}

@test "a combination whose knob asks for what is not here is skipped, the others are not" {
  use_rooms base host monitor measure
  RUN_MONITORS=(auditd-raw)
  OPTIONS=([limit_cpus]=- [limit_memory]=- [vary_backlog]="64 128" [seed]=3 [repeat]=1)
  monitor_obstacles() { [[ $EXECTAX_KNOB_BACKLOG != 64 ]] || echo "needs more than $1 has"; }
  saturate_plan >"$BATS_TEST_TMPDIR/plan" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/plan")" = "1,1,auditd-raw+backlog=128,auditd-raw,-,-,backlog=128" ]
  [ "${RUN_SKIPPED[auditd-raw+backlog=64]}" = "needs more than auditd-raw has" ]
  grep -qx 'Skipping auditd-raw+backlog=64: needs more than auditd-raw has' "$BATS_TEST_TMPDIR/stderr"
}

@test "where no combination can run, nothing is measured" {
  use_rooms base host monitor measure
  OPTIONS=([out]=$BATS_TEST_TMPDIR [limits]=no)
  saturate_ceilings() { echo measured; }
  echo "search,rep,test,monitor,cpus,memory,knobs" >"$BATS_TEST_TMPDIR/plan.csv"
  run saturate_measure
  [ "$status" -eq 1 ]
  [ "$output" = "exectax: none of these monitors can run here with the given options (see above)" ]
}

# A row of rounds.csv as JSON. round KEY=JSON...
round() {
  local pair row
  row='{"test": "m", "monitor": "m", "combination": "no limits", "rep": 1, "round": 1, "phase": "ramp", "asked_per_sec": 100, "achieved_per_sec": 100,
    "host_saturated": "false", "verdict": "clean", "recorded_percent": 100, "cpu": 5, "behind_s": 2, "written_per_sec": 80, "status": "ok", "reason": ""}'
  for pair in "$@"; do
    row=$(jq ".${pair%%=*} = ${pair#*=}" <<<"$row")
  done
  echo "$row"
}

@test "the lossless rate: medians over searches; loss, host and load as what bounds it" {
  {
    # Three searches of m: lossless 400, 600 and 500; each loses at 800.
    round rep=1 round=1 asked_per_sec=400 achieved_per_sec=400
    round rep=1 round=2 asked_per_sec=800 achieved_per_sec=790 'verdict="lossy"' recorded_percent=90
    round rep=1 round=3 asked_per_sec=600 achieved_per_sec=600 'verdict="lossy"' recorded_percent=99 'phase="bisect"'
    round rep=2 round=1 asked_per_sec=400 achieved_per_sec=400
    round rep=2 round=2 asked_per_sec=800 achieved_per_sec=800 'verdict="lossy"' recorded_percent=80
    round rep=2 round=3 asked_per_sec=600 achieved_per_sec=600 'phase="bisect"' cpu=9
    round rep=3 round=1 asked_per_sec=500 achieved_per_sec=500
    round rep=3 round=2 asked_per_sec=800 achieved_per_sec=780 'verdict="lossy"' recorded_percent=90
    # A clean round above a lossy one is luck.
    round rep=3 round=3 asked_per_sec=900 achieved_per_sec=900 'phase="bisect"'
    round 'test="h"' asked_per_sec=400 achieved_per_sec=400
    round 'test="h"' round=2 asked_per_sec=800 achieved_per_sec=700 'verdict="host-saturated"'
    # Asked for more, the overloaded host does less.
    round 'test="o"' asked_per_sec=400 achieved_per_sec=395
    round 'test="o"' round=2 asked_per_sec=800 achieved_per_sec=390 'verdict="host-saturated"'
    round 'test="l"' asked_per_sec=400 achieved_per_sec=300 'verdict="load-limited"'
    round 'test="x"' asked_per_sec=400 achieved_per_sec=400
    # What ends early is no limit of the monitor's, nor has --max-rate been tried.
    round 'test="f"' asked_per_sec=400 achieved_per_sec=400 start=1
    round 'test="f"' round=2 asked_per_sec=800 achieved_per_sec=null 'verdict="failed"' 'status="failed"' 'reason="why"' start=3
  } >"$BATS_TEST_TMPDIR/rounds"
  jq -s . "$BATS_TEST_TMPDIR/rounds" | jq -c -L "$ROOT/lib/report/tables" --slurpfile manifest <(echo '{"skipped": {"gone": "not here"}}') -f "$ROOT/lib/report/tables/searches.jq" >"$BATS_TEST_TMPDIR/rows"
  of() { jq -r "select(.test == \"$1\") | $2" "$BATS_TEST_TMPDIR/rows"; }
  [ "$(of m '"\(.lossless_per_sec) \(.lossless_lowest) \(.lossless_highest) \(.bound) \(.reps) \(.rounds)"')" = "500 400 600 monitor 3 9" ]
  [ "$(of m '"\(.dropped_at_per_sec) \(.success_percent) \(.success_per_sec)"')" = "790 90 702" ]
  [ "$(of m .cpu)" = 5 ]
  [ "$(of m '"\(.behind_s) \(.written_per_sec)"')" = "2 80" ]
  [ "$(of h '"\(.lossless_per_sec) \(.bound) \(.dropped_at_per_sec)"')" = "700 host null" ]
  [ "$(of o '"\(.lossless_per_sec) \(.bound)"')" = "395 host" ]
  [ "$(of l '"\(.lossless_per_sec) \(.bound)"')" = "300 load" ]
  [ "$(of x '"\(.lossless_per_sec) \(.bound)"')" = "400 --max-rate" ]
  [ "$(of f '"\(.lossless_per_sec) \(.bound) \(.restarts) \(.reason)"')" = "400 failed 2 why" ]
  [ "$(of x .restarts)" = null ]
  jq -s 'map(select(.test == "f"))' "$BATS_TEST_TMPDIR/rows" |
    jq -r -L "$ROOT/lib/report/tables" --argjson ceilings '[]' --slurpfile manifest <(echo '{"options": {"reps": 1, "load_s": 5}}') -f "$ROOT/lib/report/tables/saturation-table.jq" >"$BATS_TEST_TMPDIR/table"
  grep -q '^| m | no limits | ≥ 400 (failed) | .* | started again 2 times; failed: why |$' "$BATS_TEST_TMPDIR/table"
  [ "$(of gone '"\(.status) \(.reason)"')" = "skipped not here" ]
}

@test "a search in which no round has figures has a table and says that there is no picture" {
  local run=$BATS_TEST_TMPDIR/none-has-figures
  mkdir -p "$run/cells/m/1-01"
  echo "search,rep,test,monitor,cpus,memory,knobs" >"$run/plan.csv"
  echo '{"kind": "saturate", "state": "complete", "started": "2026-01-01T00:00:00+00:00", "skipped": {}, "options": {"reps": 1, "round_s": 2, "load_s": 5, "actions": ["exec"]},
    "host": {"cpus": 2, "virtualisation": "none"}}' >"$run/manifest.json"
  echo '{"actions": ["exec"], "achieved_hz": 3000}' >"$run/ceiling-exec.json"
  echo '{"cell": 1, "test": "m", "monitor": "m", "exec_per_sec": 100, "rep": 1, "search": 1, "round": 1, "phase": "ramp", "cpus": "-", "memory": "-",
    "knobs": "", "status": "not-ready", "reason": "not ready after 2 s"}' >"$run/cells/m/1-01/cell.json"
  run --separate-stderr "$ROOT/exectax" report "$run"
  [ "$status" -eq 0 ]
  [ "$stderr" = "exectax: warning: no round has figures, so there is no picture" ]
  [[ $output == *"| m | no limits | – (failed) |"*"not-ready: not ready after 2 s"* ]]
  [ "$(cd "$run" && echo *)" = "ceiling-exec.json cells manifest.json plan.csv report.html rounds.csv saturation.csv saturation.md" ]
}

# A run of rounds and soaks of m; rounds.csv and soak.csv are written by hand.
run_with_tables() {
  RUN=$BATS_TEST_TMPDIR/tables
  mkdir -p "$RUN"
  echo '{"kind": "saturate", "started": "2026-01-01T00:00:00+00:00", "skipped": {}, "options": {"reps": 3, "round_s": 2, "load_s": 5, "soak_s": 120, "soak_percent": 80, "actions": ["exec"],
    "profile": "p"}, "host": {"cpus": 2, "virtualisation": "none"}}' >"$RUN/manifest.json"
}

# soak_row KEY=VALUE,...: of soak.csv; what is not said is of a soak that lost nothing, of a monitor that does not grow.
soak_row() {
  echo "monitor=m,combination=no limits,cpus=,memory=,rep=1,start=1,achieved_per_sec=400,launched=49200,lost=0,behind_s=0.2,cpu=5,memory_first_bytes=10485760,memory_last_bytes=10590618,\
growth_bytes_per_s=900,growth_bytes_per_s_low=-1200.5,growth_bytes_per_s_high=3000.1,throttled_ms=,throttled_periods=,oom_kills=0,host_saturated=false,marks=,status=ok,reason=,$1" |
    mlr --idkvp --ocsv --no-dedupe-field-names cat
}

@test "the table of soaks says whether memory grows, or how much would not have been seen" {
  use_rooms base report
  run_with_tables
  {
    soak_row rep=1
    soak_row rep=2,growth_bytes_per_s_low=100,lost=3,start=2
    soak_row rep=3,growth_bytes_per_s=-900,growth_bytes_per_s_low=-1500,growth_bytes_per_s_high=-300,cpus=0.5,throttled_ms=76.4,throttled_periods=3
    soak_row rep=4,growth_bytes_per_s_low=,growth_bytes_per_s_high=
    soak_row rep=5,growth_bytes_per_s=,growth_bytes_per_s_low=,growth_bytes_per_s_high=,launched=,lost=,status=not-ready,reason=why
  } | awk 'NR == 1 || !/^monitor,/' >"$RUN/soak.csv"
  saturation_further_table "$RUN" soak >"$BATS_TEST_TMPDIR/table"
  cat "$BATS_TEST_TMPDIR/table"
  grep -qx 'Soak: 120 s at 80 % of the highest rate of a search without loss.*' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | no limits | 1 | 400 | 49200 | 0 | 0.2 | 5 | 10–10.1 | no growth shown, up to 3.01 kB/s would not have been seen | – |  |' "$BATS_TEST_TMPDIR/table"
  grep -qF '| 3 | 0.2 | 5 | 10–10.1 | grows by 0.9 kB/s (0.1 to 3) | – | the monitor had been started again (start 2 of the search) |' "$BATS_TEST_TMPDIR/table"
  grep -qF '| shrinks by 0.9 kB/s (0.3 to 1.5) | 76 ms in 3 periods |' "$BATS_TEST_TMPDIR/table"
  grep -qF '| not known: too few readings |' "$BATS_TEST_TMPDIR/table"
  grep -qF '| – | – | 0.2 | 5 | 10–10.1 | not known | – | not-ready: why |' "$BATS_TEST_TMPDIR/table"
}

@test "a published experiment: means over searches with intervals, each before the published values of the same limits and knobs" {
  use_rooms base report
  run_with_tables
  local knobs='cpus=1 | .memory="1G" | .knobs="driver=kmod buffered=no" | .monitor="m" | .kernel_events_per_sec=2000'
  {
    # Loses at 800: 790, 800 and 810 events/s, of which 80, 90 and 100 % are recorded.
    round 'test="a"' rep=1 round=1 asked_per_sec=400 achieved_per_sec=400 "$knobs"
    round 'test="a"' rep=1 round=2 asked_per_sec=800 achieved_per_sec=790 'verdict="lossy"' recorded_percent=80 "$knobs"
    # Later rounds are no part of the way up.
    round 'test="a"' rep=1 round=3 asked_per_sec=600 achieved_per_sec=600 'phase="bisect"' "$knobs"
    round 'test="a"' rep=2 round=1 asked_per_sec=400 achieved_per_sec=400 "$knobs"
    round 'test="a"' rep=2 round=2 asked_per_sec=800 achieved_per_sec=800 'verdict="lossy"' recorded_percent=90 "$knobs"
    round 'test="a"' rep=3 round=1 asked_per_sec=400 achieved_per_sec=400 "$knobs"
    round 'test="a"' rep=3 round=2 asked_per_sec=800 achieved_per_sec=810 'verdict="lossy"' recorded_percent=100 "$knobs"
    # Nothing was lost, and nothing was published.
    round 'test="b"' rep=1 asked_per_sec=400 achieved_per_sec=300 'verdict="host-saturated"' cpus=0.25 'memory="64M"' 'knobs=""'
    round 'test="b"' rep=2 asked_per_sec=400 achieved_per_sec=310 'verdict="host-saturated"' cpus=0.25 'memory="64M"' 'knobs=""'
  } | jq -s . | mlr --ijson --ocsv unsparsify >"$RUN/rounds.csv"
  cat >"$RUN/published.csv" <<'CSV'
cpus,memory,driver,knob_driver,buffered,knob_buffered,place,round,eps_with_drops,success_percent,success_eps,lossless_eps,syscalls_per_sec,source
1,1G,module,kmod,no,no,cluster,16,11134.6,89.90,10010.0,,,The cluster
1,1G,eBPF,modern_ebpf,no,no,cluster,16,10362.6,89.30,9253.8,,,The cluster
1,1G,,,,,machine,,,,,4200,250000,The machine
CSV
  saturation_experiment "$RUN"
  [ "$(mlr --icsv --onidx --ofs , cut -o -f whose,cpus,round,eps_with_drops "$RUN/experiment.csv")" = "ours,1,2,800
published, cluster,1,16,11134.6
published, machine,1,,
ours,0.25,,
published, cluster,1,16,10362.6" ]
  saturation_further_table "$RUN" experiment >"$BATS_TEST_TMPDIR/table"
  cat "$BATS_TEST_TMPDIR/table"
  # 800 ± 4.303 · 10 / √3; 90 ± 4.303 · 10 / √3, but no more than all; the products are 632, 720 and 810.
  grep -qxF '| ours, m; 3 of 3 searches lost events | 1 | 1G | kmod | no | 2 | 800 (775.2 to 824.8) | 90 (65.16 to 100) | 720.7 (499.6 to 941.8) | 400 (400 to 400) | 2000 (2000 to 2000) |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| published, cluster | 1 | 1G | module | no | 16 | 11134.6 | 89.9 | 10010 | – | – |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| published, machine | 1 | 1G | – | – | – | – | – | – | 4200 | 250000 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| ours, m; 0 of 2 searches lost events | 0.25 | 64M | – | – | – | – | – | – | ≥ 305 | – |' "$BATS_TEST_TMPDIR/table"
  grep -q 'Sources: The cluster; The machine\.$' "$BATS_TEST_TMPDIR/table"
}

@test "what a limit or knob does: pairs of searches that are alike in all else, and how much they scatter" {
  use_rooms base report
  run_with_tables
  local cpus memory buffered rep
  # Twice as much with 1 CPU; buffering takes a tenth or a fifth, by the repetition; memory does nothing, and of its last value there is no search that lost.
  for cpus in 0.5 1; do
    for buffered in no yes; do
      for memory in 512M 1G 2G; do
        for rep in 1 2; do
          round "test=\"$cpus-$memory-$buffered\"" "rep=$rep" 'monitor="m"' "cpus=$cpus" "memory=\"$memory\"" "knobs=\"buffered=$buffered\"" round=1 \
            "achieved_per_sec=$(jq -n "$cpus * 400")"
          [[ $memory == 2G ]] || round "test=\"$cpus-$memory-$buffered\"" "rep=$rep" 'monitor="m"' "cpus=$cpus" "memory=\"$memory\"" "knobs=\"buffered=$buffered\"" round=2 \
            'verdict="lossy"' "achieved_per_sec=$(jq -n "$cpus * 1000")" "recorded_percent=$([[ $buffered == no ]] && echo 50 || echo $((50 - 5 * rep)))"
        done
      done
    done
  done | jq -s . | mlr --ijson --ocsv unsparsify >"$RUN/rounds.csv"
  head -n 1 "$ROOT/configs/profiles/falco-2021.csv" >"$RUN/published.csv"
  saturation_experiment "$RUN"
  saturation_further_table "$RUN" factors >"$BATS_TEST_TMPDIR/table"
  cat "$BATS_TEST_TMPDIR/table"
  # √(0.9 · 0.8), of eight pairs; ln 0.9 and ln 0.8 differ from their mean by 0.0589, so half the interval of the logarithm is 2.365 · 0.0589 / √7 = 0.0526.
  grep -qxF '| buffered | no | yes | 0.85 (0.81 to 0.89) | 1 (1 to 1) | 8 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| cpus | 0.5 | 1 | 2 (2 to 2) | 2 (2 to 2) | 8 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| memory | 512M | 1G | 1 (1 to 1) | 1 (1 to 1) | 8 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| memory | 1G | 2G | – | – | 0 |' "$BATS_TEST_TMPDIR/table"
}

@test "a soak is at 80 % of the highest rate reached without loss, for its own time, and what it changes is as before" {
  use_rooms base host monitor measure
  OPTIONS=([out]=$BATS_TEST_TMPDIR/run [soak]=7 [round]=2 [duration]=2 [read_every]=)
  monitor_limit_counters() { echo "{}"; }
  saturate_show_progress() { :; }
  block_cell() {
    echo "$1 $3/s for ${OPTIONS[duration]} s, read every ${OPTIONS[read_every]} s"
    jq -n --argjson what "$5" '$what' >"$1/cell.json"
  }
  local round=$BATS_TEST_TMPDIR/round
  mkdir "$round"
  SATURATE_LOSSLESS=0
  search_verdict clean
  echo '{"achieved_hz": 99.9}' >"$round/load.json"
  saturate_note_lossless "$round"
  search_verdict unreached
  echo '{"achieved_hz": 350.7}' >"$round/load.json"
  saturate_note_lossless "$round"
  search_verdict lossy
  echo '{"achieved_hz": 800}' >"$round/load.json"
  saturate_note_lossless "$round"
  [ "$SATURATE_LOSSLESS" = 350 ]
  [ "$(saturate_soak m 2 m 1/1 '{"test": "m", "rep": 2}')" = "$BATS_TEST_TMPDIR/run/soaks/m/2 280/s for 7 s, read every 0.1 s" ]
  [ "$(jq -c '[.test, .rep, .phase, .lossless_per_sec, .exec_per_sec]' "$BATS_TEST_TMPDIR/run/soaks/m/2/cell.json")" = '["m",2,"soak",350,280]' ]
  saturate_soak m 2 m 1/1 '{}' >/dev/null
  [ "${OPTIONS[duration]}${OPTIONS[read_every]}" = 2 ]
  # A day of it does not need ten readings a second.
  [ "$(saturate_read_every 60)" = 1 ]
  SATURATE_LOSSLESS=1
  [ -z "$(saturate_soak m 3 m 1/1 '{"test": "m", "rep": 3}')" ]
  [ "$(jq -c '[.status, .reason]' "$BATS_TEST_TMPDIR/run/soaks/m/3/cell.json")" = '["not-ready","no rate without loss was found, so there is none to soak at"]' ]
}

@test "what the load reaches without a monitor is known where its room was used up, and nothing is measured where it failed" {
  use_rooms base host monitor measure
  OPTIONS=([out]=$BATS_TEST_TMPDIR [round]=1 [actions]="open connect")
  BUILD=$BATS_TEST_TMPDIR
  host_spawn() { "${@:2}" & }
  printf '#!/bin/sh\necho "$@" >>"%s"\n[ "$3" != connect ] || exit 3\n' "$BATS_TEST_TMPDIR/loads" >"$BUILD/execrate"
  chmod +x "$BUILD/execrate"
  run saturate_ceilings
  [ "$status" -eq 0 ]
  [ "$(cut -d ' ' -f 1-3 "$BATS_TEST_TMPDIR/loads" | paste -sd ';')" = "--max --action open;--max --action connect;--max --action open,connect" ]
  sed -i 's/exit 3/exit 1/' "$BUILD/execrate"
  run saturate_ceilings
  [ "$status" -eq 1 ]
  [[ $output == *"exectax: the load generator can't do connect here (see above)" ]]
}

@test "what is attached to needs a log, is measured as it is, and only with --yes, after how much that sends at most" {
  local attach=(--attach "pid:$$")
  refused "*--attach pid:$$: expected --log with it, since nothing else tells what it has lost" "${attach[@]}" --yes
  attach+=(--log /etc/hostname)
  refused "*--limit-cpus, --limit-memory, --vary and --profile: not expected with --attach, *" "${attach[@]}" --limit-cpus 0.5
  refused "*--limit-cpus, --limit-memory, *" "${attach[@]}" --limit-memory 64M
  refused "*--limit-cpus, --limit-memory, *" "${attach[@]}" --vary buffered=yes
  refused "*--limit-cpus, --limit-memory, *" "${attach[@]}" --profile falco-2021
  refused "*--monitors and --attach: expected one of them, *" "${attach[@]}" --monitors falco
  refused "*--journald-audit, --keep-logs and --install: not expected with --attach, *" "${attach[@]}" --keep-logs
  refused "*--attach is 'falco', expected unit:NAME, *" --attach falco
  # (100 + 200) up, and twice 200, for 8 s; 4 rounds may be followed by 100 each; three times.
  refused "*--attach: pid:$$ will have at most 18000 events of the load to record and to pass on, about 27MB, expected --yes if that is intended" "${attach[@]}" --max-rate 200 --precision 50
  # 80 % of 200 for 13 s.
  refused "*--attach: pid:$$ will have at most 24240 events *" "${attach[@]}" --max-rate 200 --precision 50 --soak 10
}

@test "no search sends more than was said, whatever it finds" {
  use_rooms base host monitor measure
  MONITOR_WAY=attached ATTACHED_NAMES=(a)
  local -i sent most try
  round() {
    # What is made of it, and what may follow it.
    sent+=$(($1 * 5 + SATURATE_FOLLOWING_EVENTS))
    search_verdict "$( ((RANDOM % 100 < clean)) && echo clean || echo lossy)"
  }
  RANDOM=7
  local range clean
  for range in "1 1 5" "100 102400 5" "100 130 1" "50 200 50" "100 102400 100" "3 1000000 7" "1000 1000 1"; do
    read -r start max precision <<<"$range"
    OPTIONS=([start]=$start [max_rate]=$max [precision]=$precision [repeat]=2 [soak]=0 [warmup]=1 [duration]=2 [instrumented]=0 [load_margin]=2)
    most=$(saturate_attached_launches | cut -d ' ' -f 2)
    [ "$(saturate_attached_launches)" = "$((2 * most)) $most" ]
    for clean in 100 95 70 50 0; do
      for try in {1..5}; do
        sent=0
        search_lossless "$start" "$max" "$precision" round
        echo "$range: $sent of $most"
        ((sent <= most))
      done
    done
  done
}

@test "of what is attached to: the limits that it has are the plan's, none are set, and nothing is sent but the rounds" {
  use_rooms base host monitor measure
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN"
  MONITOR_WAY=attached ATTACHED_NAMES=(pod:a.b pid:7) RUN_MONITORS=(pod:a.b pid:7)
  OPTIONS=([out]=$RUN [seed]=1 [repeat]=1 [limits]=theirs [profile]='' [start]=100 [max_rate]=200 [precision]=5 [soak]=0 [actions]=exec [warmup]=1 [duration]=2 [instrumented]=0 [load_margin]=2)
  attached_limits() { [[ $1 == pid:7 ]] && echo "- -" || echo "0.5 512M"; }
  saturate_plan >"$RUN/plan.csv"
  [ "$(tail -n +2 "$RUN/plan.csv" | cut -d , -f 3- | sort | paste -sd ' ')" = "pid:7,pid:7,-,-, pod:a.b,pod:a.b,0.5,512M," ]
  manifest_sessions() { echo 1; }
  touched() { echo "$*" >>"$RUN/touched"; }
  limits_set() { touched set "$@"; }
  limits_lift() { touched lift; }
  limits_problem() { touched problem; }
  saturate_ceilings() { touched ceilings; }
  block_begin() { :; }
  block_end() { :; }
  saturate_note_end() { :; }
  saturate_round() {
    echo "$1 at $6" >>"$RUN/rounds"
    search_verdict clean
  }
  saturate_measure 2>"$RUN/stderr"
  [ ! -e "$RUN/touched" ]
  [ "$(sort "$RUN/rounds" | paste -sd ';')" = "pid:7 at 100;pid:7 at 200;pod:a.b at 100;pod:a.b at 200" ]
  [[ $(<"$RUN/stderr") == "pod:a.b pid:7 will have at most "*" events of the load to record and to pass on, about "*"B." ]]
}

@test "the load has the CPUs that it was given, in each of its kinds" {
  refused "*--load-cpus 'x'*" --load-cpus x
  refused "*--load-cpus: CPU 1000 is not available, expected some of *" --load-cpus 1000
  use_rooms base host monitor measure
  OPTIONS=([out]=$BATS_TEST_TMPDIR [round]=1 [actions]="exec" [load_cpus]=0-1 [warmup]=1 [duration]=1 [instrumented]=0 [load_margin]=1 [mix]=open [side]=1)
  host_spawn() {
    echo "$*" >>"$BATS_TEST_TMPDIR/loads"
    true &
  }
  saturate_ceilings
  cell_begin_mix "$BATS_TEST_TMPDIR" 100
  [ "$(grep -c -- 'execrate --cpus 0-1 ' "$BATS_TEST_TMPDIR/loads")" = 2 ]
  options --load-cpus 0 >"$BATS_TEST_TMPDIR/options"
  grep -qx load_cpus=0 "$BATS_TEST_TMPDIR/options"
}

@test "the table says what its load had, and that what ran already was not compared with no monitor" {
  use_rooms base report
  run_with_tables
  printf 'test,monitor,status,reason\nm,m,skipped,why\n' >"$RUN/saturation.csv"
  cp "$RUN/manifest.json" "$BATS_TEST_TMPDIR/manifest.json"
  jq '.options += {attached: true}' "$BATS_TEST_TMPDIR/manifest.json" >"$RUN/manifest.json"
  [ "$(saturation_table "$RUN" | head -n 1)" = "Of what was running already, under limits of its own, with the load on all CPUs. What the load reaches without a monitor was not tried." ]
  jq '.options += {load_cpus: "2-3"}' "$BATS_TEST_TMPDIR/manifest.json" >"$RUN/manifest.json"
  echo '{"actions": ["exec"], "achieved_hz": 3000}' >"$RUN/ceiling-exec.json"
  [ "$(saturation_table "$RUN" | head -n 1)" = "Without a monitor: exec 3000/s, on CPUs 2-3." ]
}
