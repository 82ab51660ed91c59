#!/usr/bin/env bats
# exectax estimate: known figures times known rates.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host monitor measure report command
  RUN=$BATS_TEST_TMPDIR/run
  mkdir "$RUN"
  touch "$RUN/plan.csv"
  printf '{"kind": "sweep", "host": {"kernel": "%s", "cpu_model": "a model", "cpus": 2}}\n' "$(uname -r)" >"$RUN/manifest.json"
  {
    echo "test,exec_per_sec,achieved_per_sec,saturated,status,reason,inprogram_method,counted_us,counted_us_low,counted_us_high,daemon_us,daemon_us_low,daemon_us_high,services_us,services_us_low,services_us_high,program_us,program_us_low,program_us_high,parent_us,parent_us_low,parent_us_high"
    echo "none,100,100,false,ok,,,,,,0,0,0,,,,,,,,,"
    echo "a,100,100,false,ok,,side-by-side,300,280,320,200,190,210,0,0,0,80,70,90,20,18,22"
    echo "a,400,400,false,ok,,side-by-side,200,190,210,120,115,125,0,0,0,70,60,80,10,8,12"
    echo "a,1600,1200,true,ok,,side-by-side,100,90,110,50,45,55,0,0,0,40,30,50,10,8,12"
  } >"$RUN/perf.csv"
  {
    echo "test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason"
    echo "a,getppid,side-by-side,100,300,200,180,220,3,"
    echo "a,read,side-by-side,100,350,250,200,300,3,"
    echo "a,connect,side-by-side,100,400,300,300,300,3,"
    echo "a,open-close,side-by-side,100,500,400,380,420,3,"
  } >"$RUN/syscalls.csv"
}

# of RATES FILTER: of the estimate's row of the last monitor, rounded to four digits.
of() {
  estimate_rows "$RUN" "$1" | jq -c "def four: if type == \"number\" then . * 10000 | round / 10000 elif type == \"object\" or type == \"array\" then map_values(four) else . end; .[-1] | $2 | four"
}

executions() {
  printf '{"exec_per_sec": %s, "syscalls": null}' "$1"
}

@test "at a measured rate it is the measured figure, in % of a CPU" {
  # 400 × 200 µs.
  [ "$(of "$(executions 400)" '[.where, .cpu]')" = '["measured",{"value":8,"low":7.6,"high":8.4}]' ]
  [ "$(of "$(executions 400)" '[.daemon.value, .helpers.value, .programs]')" = '[4.8,0,{"value":3.2,"low":2.72,"high":3.68}]' ]
  # Its rate as reached may be a little lower than it was asked for.
  sed -i 's/^a,400,400,/a,400,399.5,/' "$RUN/perf.csv"
  [ "$(of "$(executions 400)" '[.where, .cpu.value]')" = '["measured",8]' ]
}

@test "between two measured rates, a line in the logarithm; errors go together" {
  # 200 is half-way from 100 to 400: 250 µs (235 to 265).
  [ "$(of "$(executions 200)" '[.where, .from_per_sec, .to_per_sec, .cpu]')" = '["between",100,400,{"value":5,"low":4.7,"high":5.3}]' ]
  [ "$(of "$(executions 200)" '[.daemon, .programs.value]')" = '[{"value":3.2,"low":3.05,"high":3.35},1.8]' ]
}

@test "below the measured rates, a range and no more" {
  # 10 × 280 µs; 100 × 320 µs.
  [ "$(of "$(executions 10)" '[.where, .cpu]')" = '["below",{"value":null,"low":0.28,"high":3.2}]' ]
  [ "$(of "$(executions 0)" '.cpu')" = '{"value":null,"low":0,"high":3.2}' ]
  [[ $(estimate_rows "$RUN" "$(executions 10)" | estimate_table "$(executions 10)") == *"| a | 0.28 to 3.2 | 0.19 to 2.1 |"*"below the measured rates, from 100/s on |"*"no interval but a range"* ]]
}

@test "above the measured rates there is no figure; a rate at which the host was saturated is none" {
  [ "$(of "$(executions 800)" '[.where, .highest_per_sec, .cpu.value, .cpu.high]')" = '["above",400,null,null]' ]
  [[ $(estimate_rows "$RUN" "$(executions 800)" | estimate_table "$(executions 800)") == *"| a | – | – | – | – | – | above the measured rates, up to 400/s: not estimated |"* ]]
}

@test "system calls cost what they cost by kind; the errors of the two windows are independent" {
  local rates='{"exec_per_sec": 200, "syscalls": {"reads": 2000, "connects": 100, "opens": 500, "others": 10000}}'
  # 10000 × 200 + 2000 × 250 + 100 × 300 + 500 × 400 ns: 0.273 % (0.18 + 0.04 + 0.003 + 0.019 to 0.22 + 0.06 + 0.003 + 0.021).
  [ "$(of "$rates" '.syscalls')" = '{"value":0.273,"low":0.242,"high":0.304}' ]
  # 5 ± 0.3 and that ± 0.031.
  [ "$(of "$rates" '.cpu')" = '{"value":5.273,"low":4.9714,"high":5.5746}' ]
  [ "$(of "${rates/200/10}" '.cpu')" = '{"value":null,"low":0.522,"high":3.504}' ]
  # What no call of that kind is made of need not be known.
  sed -i '/connect/d' "$RUN/syscalls.csv"
  [ "$(of "$rates" '[.syscalls, .without_syscalls, .cpu.value]')" = '[null,true,5]' ]
  [ "$(of "${rates/100,/0,}" '.without_syscalls')" = false ]
  [[ $(estimate_rows "$RUN" "$rates" | estimate_table "$rates") == *"; system calls not measured |"* ]]
}

@test "without repetitions there is no interval; without figures it says why" {
  sed -i -E 's/^(a,400,400,false,ok,,side-by-side,200),190,210/\1,,/' "$RUN/perf.csv"
  [ "$(of "$(executions 400)" '.cpu')" = '{"value":8,"low":null,"high":null}' ]
  [[ $(estimate_rows "$RUN" "$(executions 400)" | estimate_table "$(executions 400)") == *"| a | 8 | 4.8 ("* ]]
  echo "b,,,,skipped,no such program,,,,,,,,,,,,,,,," >>"$RUN/perf.csv"
  [ "$(of "$(executions 400)" '[.test, .where, .reason]')" = '["b","unknown","no such program"]' ]
  sed -i '/^b,/d; s/^a,\([0-9]*\),\([0-9]*\),false/a,\1,\2,true/' "$RUN/perf.csv"
  [ "$(of "$(executions 400)" '.reason')" = '"the host was saturated at all of its rates"' ]
}

counted='{"duration_s": 10, "executions": {"count": 200, "per_sec": 20, "lowest_per_sec": 1, "highest_per_sec": 77.25}, "forks": {"per_sec": 31},
  "syscalls": {"count": 100000, "per_sec": 10000, "reads": 20000, "connects": 1000, "opens": 5000}, "missed": 0}'

@test "what was counted becomes rates by kind, less what executions have in their own figure" {
  # 100000 - 20000 - 1000 - 2 × 5000 in 10 s, less 31 × 20 a second.
  [ "$(estimate_rates "$counted" | jq -c '[.exec_per_sec, .syscalls.reads, .syscalls.connects, .syscalls.opens, .syscalls.others]')" = '[20,2000,100,500,6280]' ]
  [ "$(estimate_rates "$(jq '.executions.per_sec = 900' <<<"$counted")" | jq .syscalls.others)" = 0 ]
  [ "$(estimate_rates "$(jq '.syscalls = null' <<<"$counted")" | jq -c .)" = '{"exec_per_sec":20,"syscalls":null}' ]
  [ "$(estimate_given_rates 20 10000 | jq -c .)" = '{"exec_per_sec":20,"syscalls":{"reads":0,"connects":0,"opens":0,"others":9380}}' ]
  [ "$(estimate_given_rates 0.5 '' | jq -c .)" = '{"exec_per_sec":0.5,"syscalls":null}' ]
}

@test "how a line says what was counted" {
  [ "$(estimate_counted_line "$counted")" = "Counted for 10 s: 20 executions per second (1 to 77.3 in single seconds), 31 forks and new threads, 10000 system calls (counting them took some 0.1 % of a CPU)." ]
}

@test "whole, from rates that are given: text, JSON, and a warning of another host" {
  run --separate-stderr ./exectax estimate --exec-rate 200 "$RUN"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [[ ${lines[2]} == "| a | 5 (4.7 to 5.3) | 3.2 (3.1 to 3.4) | 0 (0 to 0) | 1.8 (1.6 to 2) | – | between 100/s and 400/s |" ]]
  [[ $stderr == "exectax: warning: the run was made on another host"*"CPU a model, here "* ]]
  run --separate-stderr ./exectax estimate --exec-rate 200 --syscall-rate 16200 --json "$RUN"
  [ "$status" -eq 0 ]
  # 16200 - 31 × 200 others.
  [ "$(jq -c '[.counted, .rates.syscalls.others, .monitors[0].test, .monitors[0].syscalls.value]' <<<"$output")" = '[null,10000,"a",0.2]' ]
  [ ! -e "$EXECTAX_LOCK" ]
}

@test "counting is asked for, under the lock of the host, which is given back" {
  ((EUID == 0)) || skip "needs root"
  BUILD=$BATS_TEST_TMPDIR
  HOST_LOCK=$EXECTAX_LOCK
  cat >"$BUILD/hostrates" <<TEXT
#!/bin/sh
[ -e "$EXECTAX_LOCK" ] || exit 1
echo "\$*" >"$BATS_TEST_TMPDIR/arguments"
cat <<'JSON'
$counted
JSON
TEXT
  chmod +x "$BUILD/hostrates"
  run --separate-stderr estimate_main --seconds 7 --no-syscalls "$RUN"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [ "$(<"$BATS_TEST_TMPDIR/arguments")" = "--duration 7 --no-syscalls" ]
  [[ ${lines[0]} == "Counted for 10 s: 20 executions per second"* && $output == *"| a | "* ]]
  [ ! -e "$EXECTAX_LOCK" ]
  printf '#!/bin/sh\necho "hostrates: no" >&2\nexit 1\n' >"$BUILD/hostrates"
  run --separate-stderr estimate_main --quiet "$RUN"
  [[ $status -eq 1 && -z $output && $stderr == "hostrates: no"*"nothing could be counted"* && $stderr != *Counting* ]]
  [ ! -e "$EXECTAX_LOCK" ]
}

# refused PATTERN ARGUMENT...: exit status 2, one line.
refused() {
  local pattern=$1
  shift
  run --separate-stderr ./exectax estimate "$@"
  echo "$status $output $stderr"
  # shellcheck disable=SC2053 # it is a pattern
  [[ $status -eq 2 && -z $output && $stderr == $pattern && ${#stderr_lines[@]} -eq 1 ]]
}

@test "bad input is one line and exit status 2" {
  refused "*expected one argument, the folder of a run*"
  refused "*is not a run*" "$BATS_TEST_TMPDIR"
  refused "*--exec-rate is '-1', expected a number per second*" --exec-rate=-1 "$RUN"
  refused "*--exec-rate is '1e3', expected*" --exec-rate 1e3 "$RUN"
  refused "*--syscall-rate is 'x', expected*" --exec-rate 1 --syscall-rate x "$RUN"
  refused "*--syscall-rate: expected with --exec-rate" --syscall-rate 5 "$RUN"
  refused "*--seconds is '0', expected whole seconds from 1 to 86400" --seconds 0 "$RUN"
  sed -i 's/counted_us/total_us/g' "$RUN/perf.csv"
  refused "*is older than the figure counted_us*" --exec-rate 1 "$RUN"
  rm "$RUN/perf.csv"
  refused "*has no perf.csv*" --exec-rate 1 "$RUN"
  echo '{"kind": "rules"}' >"$RUN/manifest.json"
  refused "*is a run of exectax rules, expected one of exectax sweep" --exec-rate 1 "$RUN"
}

# Skips where it can't count, as in a container.
needs_counting() {
  ((EUID == 0)) || skip "needs root"
  [[ -x build/hostrates ]] || skip "build/hostrates is not built"
  build/hostrates --duration 1 >/dev/null 2>"$BATS_TEST_TMPDIR/problem" || skip "no BPF here: $(<"$BATS_TEST_TMPDIR/problem")"
}

@test "hostrates counts what is launched, and whose system calls they are" {
  needs_counting
  # The lock of the host is not needed: others' executions only make it more.
  build/hostrates --duration 2 --output "$BATS_TEST_TMPDIR/counted.json" &
  local pid=$!
  pause 0.7
  build/execrate --rate 200 --duration 0.5 --json "$BATS_TEST_TMPDIR/load.json"
  wait_for_pid "$pid" 30
  jq -e '.executions.count >= 100 and .forks.count >= 100 and .syscalls.count >= 100 * 20 and .syscalls.opens >= 100 and .syscalls.reads >= 100
    and .duration_s >= 2 and .duration_s < 10 and .executions.highest_per_sec >= .executions.per_sec and (.interrupted | not)' "$BATS_TEST_TMPDIR/counted.json"
  build/hostrates --duration 1 --no-syscalls | jq -e '.syscalls == null and .executions.count >= 0'
}

@test "a signal ends the counting early, with what there is" {
  needs_counting
  build/hostrates --duration 60 --output "$BATS_TEST_TMPDIR/counted.json" &
  local pid=$!
  pause 1
  kill -TERM "$pid"
  wait_for_pid "$pid" 30
  jq -e '.interrupted and .duration_s < 30' "$BATS_TEST_TMPDIR/counted.json"
  run build/hostrates --duration 0
  [[ $status -eq 2 && $output == "hostrates: --duration '0': expected a whole number from 1 to 86400" ]]
}
