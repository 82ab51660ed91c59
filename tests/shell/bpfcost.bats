#!/usr/bin/env bats
# bpfcost as its callers see it: what it refuses, and that what it counts is exact.

bats_require_minimum_version 1.5.0

load process

setup_file() {
  make -C "$BATS_TEST_DIRNAME/../.." --silent all
}

setup() {
  BPFCOST=$(realpath "$BATS_TEST_DIRNAME/../../build")/bpfcost
  [[ -x $BPFCOST ]] || skip "bpfcost is not built here"
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  end_started
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$BPFCOST" "$@"
}

needs_bpf() {
  "$BPFCOST" --list >kinds.txt 2>list.txt || skip "no BPF here: $(cat list.txt)"
}

# works KIND
works() {
  grep -qx "$1"$'\t'works kinds.txt || skip "$(grep "^$1"$'\t' kinds.txt)"
}

# ids: of all BPF programs there are.
ids() {
  "${BPFCOST%/*}/cpumeter" --once --bpf | awk -F, '$2 == "bpf" && $3 ~ /:(empty|work)_/ { print $3 }' | sort
}

@test "bad options are refused in one line, with what was expected" {
  refused "--duration '0': expected seconds from 1 to 3600" --duration 0
  refused "--duration '3601': expected seconds*" --duration 3601
  refused "--duration 'x': expected seconds*" --duration x
  refused "--phase-ms '0': expected a whole number from 1 to 1000" --phase-ms 0
  refused "--phase-ms '1.5': expected a whole number*" --phase-ms 1.5
  refused "--cpu '-1': expected a whole number from 0 *" --cpu -1
  refused "--cpu '8191': expected a CPU that may be used: *" --cpu 8191
  refused "--kinds 'uprobe': expected a kind that --list writes*" --kinds raw_tracepoint,uprobe
  refused "--kinds '': expected a kind*" --kinds ''
  refused "--rows and --summary: expected only one of them on stdout" --rows -
  refused "'more': expected options only" more
  refused "unrecognized option '--nonsense'" --nonsense
}

@test "files that can't be written are refused" {
  needs_bpf
  refused "--rows '/nonexistent/rows': cannot write to it: *" --rows /nonexistent/rows
  refused "--summary '/nonexistent/summary': cannot write to it: *" --summary /nonexistent/summary
}

@test "the version, and a help that names every column" {
  [[ $("$BPFCOST" --version) =~ ^bpfcost\ \(exectax\)\ [0-9]+\. ]]
  "$BPFCOST" --help >help.txt
  local column
  for column in call_ns true_ns counted_ns uncounted_ns statistics_ns passes runs run_time_ns own_runs watched_runs; do
    grep -q "\b$column\b" help.txt
  done
}

@test "without root: what was not permitted" {
  ((EUID == 0)) || skip "needs root"
  local folder=/tmp/bpfcost-bats.$BATS_ROOT_PID
  mkdir -m 0777 "$folder"
  cp "$BPFCOST" "$folder"
  cd "$folder"
  run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups ./bpfcost --duration 1 --rows rows.csv
  ls "$folder"
  local left
  left=$(ls "$folder")
  cd /
  rm -r "$folder"
  echo "status $status, stderr '$stderr'"
  [[ $status -eq 1 && -z $output ]]
  [[ $stderr == 'bpfcost: cannot switch on the run-time statistics of BPF: Operation not permitted' ]]
  [[ $left == bpfcost ]]
}

@test "each kind works, or there is a reason" {
  needs_bpf
  [[ $(wc -l <kinds.txt) -ge 20 ]]
  awk -F'\t' 'NF != 2 || $2 == "" { exit 1 }' kinds.txt
  [[ $(cut -f1 kinds.txt | sort | uniq -d) == '' ]]
  "$BPFCOST" --list --kinds tp_btf | cut -f1 | diff - <(cut -f1 kinds.txt | grep '^tp_btf:')
}

@test "a kind that does not work is named, and measuring nothing fails" {
  needs_bpf
  local kind
  kind=$(awk -F'\t' '$2 != "works" { print $1; exit }' kinds.txt)
  [[ -n $kind ]] || skip "all kinds work here"
  run --separate-stderr "$BPFCOST" --duration 1 --kinds "$kind"
  [[ $status -eq 1 && -z $output && $stderr == "bpfcost: nothing can be measured: $kind: "* ]]
  "$BPFCOST" --duration 1 --kinds "$kind,sham" >summary.json 2>said.txt
  [[ $(cat said.txt) == "bpfcost: left out: $kind: "* ]]
  jq -e --arg kind "$kind" '.unavailable == [{kind: $kind, reason: .unavailable[0].reason}] and (.unavailable[0].reason | length > 0)' summary.json
}

# The program counts its runs in the measuring thread by itself; the kernel counts those of all threads.
@test "runs are counted exactly" {
  needs_bpf
  works raw_tracepoint:sys_enter
  works tracepoint:syscalls:sys_enter_getppid
  "$BPFCOST" --duration 2 --kinds raw_tracepoint:sys_enter,raw_tracepoint:sys_exit,tracepoint:syscalls:sys_enter_getppid \
    --rows rows.csv --summary summary.json
  mlr --icsv --ojson cat rows.csv | jq -e '
    length > 0 and (length % 6 == 0)
    and all(.[]; .passes > 0)
    and all(.[] | select(.state == "counted"); .runs >= .passes and .run_time_ns > 0 and .own_runs <= .runs and .own_run_time_ns <= .run_time_ns)
    and all(.[] | select(.state != "counted"); .runs == 0 and .run_time_ns == 0 and .own_runs == 0)
    and all(.[] | select(.program == "work"); .watched_runs == if .state == "off" then 0 else .passes end)
    and all(.[] | select(.program == "empty"); .watched_runs == "")
    and ([.[] | select(.program == "work" and .state == "on")] | length > 0)
    and ([.[] | .kind] | unique | length == 3)'
  # Of getppid alone, the passes are whole slices of 200 calls; of all system calls, the readings are passes, too.
  mlr --icsv --ojson cat rows.csv | jq -e '
    all(.[] | select(.kind == "tracepoint:syscalls:sys_enter_getppid"); .passes % 200 == 0)
    and all(.[] | select(.kind != "tracepoint:syscalls:sys_enter_getppid" and .state != "counted"); .passes % 201 == 2)'
}

@test "the summary is that of the rows" {
  needs_bpf
  works raw_tracepoint:sys_enter
  "$BPFCOST" --duration 3 --kinds raw_tracepoint:sys_enter --rows rows.csv --summary summary.json
  mlr --icsv --ojson cat rows.csv >rows.json
  jq -e --slurpfile rows rows.json '
    def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
    def mean(state): [.[] | select(.state == state) | .call_ns] | add / length;
    def counted: (map(.own_run_time_ns) | add) / (map(.own_runs) | add);
    def programs: {first: 1, second: 2, third: 3, beside: 2}[.place];
    # Figures are written to 0.01 ns, and calculated from more digits than are in the rows.
    def near(value): . - value | fabs < 0.02;
    all(.costs[]; . as $case
      | [$rows[0][] | select(.place == $case.place and .program == $case.program)] | group_by(.round)
      | length == $case.rounds
        and (map(mean("off")) | median | near($case.call_ns.value))
        and (map(mean("on") - mean("off")) | median | near($case.true_ns.value))
        and (map((mean("counted") - mean("on")) / ($case | programs)) | median | near($case.statistics_ns.value))
        and (map(select(any(.own_runs > 0))) | length == $case.counted_ns.rounds and length == $case.uncounted_ns.rounds
          and (map(counted) | median | near($case.counted_ns.value))
          and (map(mean("on") - mean("off") - counted) | median | near($case.uncounted_ns.value))))' summary.json
  jq -e 'all(.costs[]; . as $case | [.call_ns, .true_ns, .statistics_ns | .rounds == $case.rounds and (.low == null or (.low <= .value and .value <= .high))] | all)' summary.json
}

# wakes: interrupts of the kind that wakes readers, so far.
wakes() {
  awk '/IRQ work interrupts/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' /proc/interrupts
}

@test "a reader is woken each time" {
  needs_bpf
  works wake:raw_tracepoint:sched_process_wait
  local before runs
  before=$(wakes)
  "$BPFCOST" --duration 2 --kinds wake --rows rows.csv --summary summary.json
  runs=$(mlr --icsv --onidx stats1 -a sum -f watched_runs rows.csv)
  echo "$runs runs, $(($(wakes) - before)) interrupts"
  ((runs > 0 && $(wakes) - before >= runs * 9 / 10))
  jq -e '.costs | map([.kind, .place, .program]) == [["wake:raw_tracepoint:sched_process_wait", "first", "wake"]]' summary.json
}

@test "nothing is left, however it ends" {
  needs_bpf
  wait_for eval '[[ -z $(ids) ]]'
  start env --default-signal=INT "$BPFCOST" --duration 60 --kinds raw_tracepoint:sys_enter
  wait_for eval '[[ -n $(ids) ]]'
  kill -s KILL "$pid"
  finish
  wait_for eval '[[ -z $(ids) ]]'
  "$BPFCOST" --duration 1 --kinds sham >summary.json
  wait_for eval '[[ -z $(ids) ]]'
}

@test "statistics that somebody else has switched on are noticed" {
  needs_bpf
  works raw_tracepoint:sys_enter
  start "${BPFCOST%/*}/cpumeter" --bpf --output readings.csv
  wait_for grep -q ,self, readings.csv
  run --separate-stderr "$BPFCOST" --duration 1 --kinds raw_tracepoint:sys_enter
  [[ $status -eq 1 && -z $output ]]
  [[ $stderr == 'bpfcost: somebody else has switched on the run-time statistics of BPF: expected them off' ]]
}
