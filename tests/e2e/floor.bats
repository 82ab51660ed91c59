#!/usr/bin/env bats
# The reference monitors on the real kernel: every execution is recorded once, what is lost is counted, nothing stays behind.

load helpers

EXECRATE=$ROOT/build/execrate

setup_file() {
  require_root
  ! auditctl -s >/dev/null 2>&1 || host_keep_audit_state
}

# The file's last act: audit's rules and flags are as they were.
teardown_file() {
  [[ -s $BATS_FILE_TMPDIR/audit-state ]] || return 0
  host_take_audit_state_back
  remove_state
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  pids=()
}

teardown() {
  local pid
  tail -v stderr* 2>/dev/null || true
  for pid in "${pids[@]}"; do
    if kill -s CONT "$pid" 2>/dev/null && kill "$pid" 2>/dev/null; then
      wait "$pid" || true
    fi
  done
}

require_bpf() {
  [[ -x $ROOT/build/floor-bpf ]] || skip "floor-bpf is not built here"
  [[ -r /sys/kernel/btf/vmlinux ]] || skip "the kernel does not describe its types"
}

# The audit socket is free, and every exec is audited from now on.
audit_execs() {
  require_audit
  [[ $(auditctl -s | awk '$1 == "pid" { print $2 }') == 0 ]] || skip "the audit socket is taken here"
  sed 's/@BACKLOG@/8192/; s/@RULES_[A-Z]*@//' "$ROOT/configs/audit/exec.rules" >"$BATS_TEST_TMPDIR/exec.rules"
  auditctl -R "$BATS_TEST_TMPDIR/exec.rules"
}

audit_pid() {
  auditctl -s | awk '$1 == "pid" { print $2 }'
}

# wait_for COMMAND...: until it succeeds, 20 s at most.
wait_for() {
  local deadline=$((SECONDS + 20))
  until "$@"; do
    if ((SECONDS > deadline)); then
      echo "waited in vain for: $*"
      return 1
    fi
    sleep 0.05
  done
}

# start NAME PROGRAM OPTIONS...: in the background, its log, losses, stdout and stderr in files that end with NAME.
# Sets pid once it is ready.
start() {
  local name=$1 program=$2
  shift 2
  "$ROOT/build/$program" --output "log$name" --losses "losses$name" "$@" >"stdout$name" 2>"stderr$name" 3>&- &
  pid=$!
  pids+=("$pid")
  wait_for is_ready_or_dead "$name" "$pid"
  grep -qx ready "stdout$name"
}

is_ready_or_dead() {
  grep -qx ready "stdout$1" || ! kill -0 "$2" 2>/dev/null
}

# stop PID [SIGNAL]: its exit status in status.
stop() {
  status=0
  kill -s "${2:-TERM}" "$1"
  wait "$1" || status=$?
}

# load OPTIONS...: launches tagged executions; sets launched.
load() {
  "$EXECRATE" "$@" --json load.json
  launched=$(jq .launched load.json)
  ((launched > 0))
}

# value FILE NAME
value() {
  awk -v name="$2" '$1 == name { print $2 }' "$1"
}

# How often each tag PREFIX-N is in a log of JSON lines, as `COUNT TAG`.
tags_in_json() {
  jq -r '.argv[1] // empty' "$1" | grep -a "^$2-[0-9]*$" | sort | uniq -c
}

# each_exactly_once COUNT: of `COUNT TAG` lines.
each_exactly_once() {
  awk -v wanted="$1" '$1 != 1 { print "more than once:", $0; exit 1 } END { if (NR != wanted) { print NR, "of", wanted; exit 1 } }'
}

records_at_full_rate() {
  start '' floor-bpf "$@"
  load --max --duration 3 --tag full
  stop "$pid"
  [ "$status" -eq 0 ]
  tags_in_json log full | each_exactly_once "$launched"
  [ "$(value stdout recorded)" -eq "$(wc -l <log)" ]
  [ "$(value stdout written_bytes)" -eq "$(stat -c %s log)" ]
  [ "$(value losses ring_buffer_full)" -eq 0 ]
  [ "$(value losses missed_runs)" -eq 0 ]
  jq -se --arg exec "$EXECRATE" '(map(select(.exe == $exec)) | last | .pid) as $load
    | map(select(.argv[1] // "" | startswith("full-")))
    | all(.exe == "/bin/true" and .argv[0] == "/bin/true" and .uid == 0 and .ppid == $load)
    and (map(.pid) | unique | length) > 100' log
}

@test "floor-bpf records every execution once at the highest rate that this machine has" {
  require_full_rate
  require_bpf
  records_at_full_rate
}

@test "floor-bpf does so without BTF types, too" {
  require_full_rate
  require_bpf
  records_at_full_rate --raw-tracepoint
}

@test "floor-bpf's times are those of the executions" {
  require_bpf
  start '' floor-bpf
  local before=$EPOCHREALTIME
  /bin/true the-time
  local after=$EPOCHREALTIME
  stop "$pid"
  jq -se --argjson before "$before" --argjson after "$after" 'map(select(.argv[1] == "the-time").time)
    | length == 1 and .[0] >= $before - 0.001 and .[0] <= $after + 0.001' log
}

# odd N CONDITION: there is one record of odd-N, and it is like that.
odd() {
  jq -se "map(select(.argv[1] == \"odd-$1\")) | length == 1 and all($2)" log
}

@test "floor-bpf records any bytes as valid JSON" {
  require_bpf
  local long
  long=$(printf 'x%.0s' {1..100000})
  start '' floor-bpf
  cp /bin/true $'tr"u\ne'
  /bin/true odd-1 'a"b\c' $'new\nline\ttab\x01' $'\xff\xc3' '' 'é€🐧' \'
  $'./tr"u\ne' odd-2
  /bin/true odd-3 "$long" odd-4
  stop "$pid"
  odd 1 '.argv[2:] == ["a\"b\\c", "new\nline\ttab\u0001", "\ufffd\ufffd", "", "é€🐧", "'\''"] and (has("truncated") | not)'
  odd 2 '.exe == "./tr\"u\ne"'
  odd 3 '.truncated == true and (.argv | length) == 3 and (.argv[2] | test("^x+$")) and (.argv | map(length + 1) | add) == 16385'
  [ "$(wc -l <log)" -eq "$(jq -c . log | wc -l)" ]
}

# between_markers LOG: executions recorded between the two markers.
between_markers() {
  jq -r '.argv[1] // ""' "$1" | tr -d '\r' | awk '$0 == "mark-2" { inside = 0 } inside { n++ } $0 == "mark-1" { inside = 1 } END { print n + 0 }'
}

marked() {
  grep -q "\"$1\"" "$2"
}

@test "floor-bpf counts what its buffer had no room for: launched - recorded" {
  require_full_rate
  require_bpf
  local lost witnessed recorded reader
  # Beside it another one, with room enough: it knows of executions that are not the test's own.
  start -witness floor-bpf
  start '' floor-bpf --buffer 8192
  reader=$pid
  /bin/true mark-1
  wait_for marked mark-1 log
  kill -s STOP "$reader"
  load --rate 400 --duration 2 --tag stopped
  kill -s CONT "$reader"
  wait_for losses_grew
  /bin/true mark-2
  wait_for marked mark-2 log
  stop "$reader"
  [ "$status" -eq 0 ]
  stop "${pids[0]}"
  lost=$(value losses ring_buffer_full)
  recorded=$(tags_in_json log stopped | wc -l)
  witnessed=$(tags_in_json log-witness stopped | wc -l)
  echo "launched $launched, recorded $recorded, lost $lost, witness recorded $witnessed"
  [ "$witnessed" -eq "$launched" ]
  [ "$recorded" -lt "$launched" ]
  [ "$lost" -eq "$(($(between_markers log-witness) - $(between_markers log)))" ]
  [ "$lost" -eq "$(value stdout ring_buffer_full)" ]
  # What is left are executions that were not the test's own.
  [ "$lost" -ge "$((launched - recorded))" ]
}

losses_grew() {
  (($(value losses ring_buffer_full) > 0))
}

@test "floor-bpf's records wait no longer than it was told" {
  require_bpf
  start '' floor-bpf --delay-ms 5000
  local began=$SECONDS
  /bin/true patient
  sleep 0.5
  [ ! -s log ]
  wait_for marked patient log
  ((SECONDS - began <= 8))
}

@test "floor-bpf is woken before its buffer is full" {
  require_bpf
  start '' floor-bpf --delay-ms 10000 --buffer 65536
  load --rate 400 --duration 4 --tag woken
  stop "$pid"
  tags_in_json log woken | each_exactly_once "$launched"
  [ "$(value losses ring_buffer_full)" -eq 0 ]
}

ends_in_good_order() {
  local signal
  for signal in TERM INT HUP; do
    start "-$signal" "$1"
    /bin/true "last-$signal"
    stop "$pid" "$signal"
    [ "$status" -eq 0 ] || return 1
    grep -q "last-$signal" "log-$signal" || return 1
    [[ $(value "stdout-$signal" written_bytes) == $(stat -c %s "log-$signal") ]] || return 1
  done
}

@test "floor-bpf: a signal to stop, and what happened just before is written" {
  require_bpf
  ends_in_good_order floor-bpf
}

@test "floor-bpf: an output that is full is an error" {
  require_bpf
  # There must be something to write.
  for _ in {1..50}; do sleep 0.1; done 3>&- &
  run timeout 20 "$ROOT/build/floor-bpf" --output /dev/full
  echo "$output"
  wait
  [ "$status" -eq 1 ]
  [[ $output == *"floor-bpf: cannot write to '/dev/full': No space left on device"* ]]
}

# How often each tag PREFIX-N is in EXECVE records, as `COUNT TAG`.
tags_in_records() {
  sed -nE "s/^type=EXECVE .* a1=\"($2-[0-9]+)\".*/\1/p" "$1" | sort | uniq -c
}

# Each serial number's records stand together.
events_in_one_piece() {
  sed -nE 's/^type=[^ ]+ msg=audit\([0-9.]+:([0-9]+)\): .*/\1/p' "$1" >serials
  [ "$(wc -l <serials)" -eq "$(wc -l <"$1")" ]
  uniq serials | sort | uniq -d >twice
  [ ! -s twice ]
}

@test "floor-audit records every execution once, as other tools read it" {
  audit_execs
  start '' floor-audit
  [ "$(audit_pid)" -eq "$pid" ]
  load --rate 200 --duration 3 --tag calm
  stop "$pid"
  echo "launched $launched, recorded $(tags_in_records log calm | wc -l): $(paste -sd' ' stdout)"
  [ "$status" -eq 0 ]
  [ "$(audit_pid)" -eq 0 ]
  tags_in_records log calm | each_exactly_once "$launched"
  events_in_one_piece log
  [ "$(value stdout kernel_lost)" -eq 0 ]
  [ "$(value losses overruns) $(value losses incomplete_events) $(value losses serial_gaps)" = "0 0 0" ]
  [ "$(value stdout records)" -eq "$(wc -l <log)" ]
  [ "$(value stdout written_bytes)" -eq "$(stat -c %s log)" ]
  ausearch --input log --message EXECVE --raw | tags_in_records /dev/stdin calm | each_exactly_once "$launched"
}

@test "floor-audit at the highest rate: nothing is lost unless the kernel says so" {
  audit_execs
  start '' floor-audit
  load --max --duration 3 --tag full
  stop "$pid"
  echo "launched $launched, recorded $(tags_in_records log full | wc -l), kernel lost $(value stdout kernel_lost)"
  [ "$(value stdout kernel_lost)" -ne 0 ] || tags_in_records log full | each_exactly_once "$launched"
  [ "$(value losses overruns)" -eq 0 ]
  events_in_one_piece log
}

@test "floor-audit takes records of more than 8192 bytes whole" {
  local dots path
  audit_execs
  # With a blank in it, a path is recorded in hex.
  mkdir 'a b'
  cp /bin/true 'a b'
  printf -v dots './%.0s' {1..2100}
  path="a b/${dots:0:4080}/true"
  start '' floor-audit
  "$path"
  stop "$pid"
  [ "$status" -eq 0 ]
  awk 'length > 8192' log | grep -F "name=$(printf %s "$path" | od -An -v -t x1 | tr -d ' \n' | tr a-f A-F) "
  [ "$(value losses truncated_records)" -eq 0 ]
  events_in_one_piece log
}

@test "floor-audit survives a full backlog, says that there was a loss, and goes on" {
  audit_execs
  start '' floor-audit --buffer 65536
  auditctl -b 64
  kill -s STOP "$pid"
  load --rate 400 --duration 4 --tag stopped
  kill -s CONT "$pid"
  wait_for records_again
  stop "$pid"
  [ "$status" -eq 0 ]
  cat stdout
  [ "$(tags_in_records log stopped | wc -l)" -lt "$launched" ]
  [ "$(value stdout kernel_lost)" -gt 0 ]
  [ "$(value stdout overruns)" -gt 0 ]
}

records_again() {
  /bin/true again
  grep -q 'a1="again"' log
}

@test "floor-audit: a signal to stop, and what happened just before is written" {
  audit_execs
  ends_in_good_order floor-audit
  [ "$(audit_pid)" -eq 0 ]
}

@test "floor-audit: an output that is full is an error, and the audit socket is given back" {
  audit_execs
  run timeout 20 "$ROOT/build/floor-audit" --output /dev/full
  echo "$output"
  [ "$status" -eq 1 ]
  [[ $output == *"floor-audit: cannot write to '/dev/full': No space left on device"* ]]
  [ "$(audit_pid)" -eq 0 ]
}

@test "floor-audit takes the audit socket from nobody" {
  audit_execs
  start '' floor-audit
  run "$ROOT/build/floor-audit" --output other
  [ "$status" -eq 1 ]
  [[ $output == "floor-audit: another process receives the audit records"* ]]
  [ "$(audit_pid)" -eq "$pid" ]
  load --rate 100 --duration 0.5 --tag owner
  stop "$pid"
  tags_in_records log owner | each_exactly_once "$launched"
}

left_by_a_sweep() {
  host_audit_state
  find "$MOUNT" -maxdepth 2 -path '*exectax*'
  pgrep -l '^floor-' || true
}

@test "a sweep measures both, and leaves nothing behind" {
  require_bpf
  require_audit
  auditctl -D
  mkdir -p "$STATE"
  touch "$STATE/lock"
  left_by_a_sweep >before
  sweep --monitors "floor-bpf floor-audit" --rates "$((2 * RATE))" --out run 2>stderr-sweep
  left_by_a_sweep | diff before -
  mlr --icsv --ojson cat run/cells.csv | jq -e 'map(select(.test != "none"))
    | length == 2 and all(.status == "ok" and .recorded == .launched and .lost == 0)'
  mlr --icsv --onidx cut -f loss_counters run/cells.csv >counters
  grep 'floor_bpf_ring_buffer_full=0 floor_bpf_missed_runs=0' counters
  grep 'kernel_audit_lost=0 floor_audit_overruns=0 floor_audit_incomplete_events=0 floor_audit_serial_gaps=0' counters
  # In whose time its program ran is known where perf can sample.
  if compgen -G 'run/cells/floor-bpf/*/payers.csv'; then
    mlr --icsv --ojson cat run/cells.csv | jq -e 'any(.test == "floor-bpf" and .inprogram_method == "run-time")'
  fi
}
