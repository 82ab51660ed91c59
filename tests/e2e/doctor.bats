#!/usr/bin/env bats
# exectax doctor and exectax estimate on the real host: they look at it, count, and leave it as it was.

load helpers

bats_require_minimum_version 1.5.0

setup() {
  require_root
  cd "$BATS_TEST_TMPDIR" || return
}

teardown_file() {
  remove_state
}

unchanged() {
  "$BATS_TEST_DIRNAME/host-state.sh" --without processes >"$1"
}

@test "doctor looks at everything, and changes nothing" {
  unchanged before
  run --separate-stderr "$ROOT/exectax" doctor --json
  unchanged after
  echo "$output" "$stderr"
  diff before after
  [[ $status -eq 0 || $status -eq 1 ]]
  [ "$(jq .can_begin <<<"$output")" = "$( ((status)) && echo false || echo true)" ]
  [ -z "$stderr" ]
  # Each check has said something that can be read, and none could not be looked at.
  jq -e '.checks | length > 25 and all(.name != "" and .found != "" and (.grade | IN("good", "degraded", "missing", "unseen")))' <<<"$output"
  jq -e '.checks | all(.found != "it could not be looked at")' <<<"$output"
  # What is not as it should be says what that costs, and what is to be done.
  jq -e '.checks | map(select(.grade | IN("degraded", "missing"))) | all(.costs != null and .mend != null)' <<<"$output"
  # The self-test has been made, and what it says of its load is so.
  jq -e '.checks | map(.name) | contains(["noise-rate", "noise-lateness", "noise-scatter", "noise-steal"])' <<<"$output"
  if (EXECTAX_ROOT=$ROOT && cd "$ROOT" && source lib/measure/cores.sh && cores_can_change); then
    jq -e '.checks | map(.name) | contains(["noise-cores"])' <<<"$output"
  fi
}

@test "doctor agrees with what refuses a run" {
  local rules=no
  "$ROOT/exectax" doctor --no-noise --json >doctor.json || true
  auditctl -l 2>/dev/null | grep -qE '^(No rules|-a never,task)$' || rules=yes
  if [[ $rules == no ]] && auditctl -s >/dev/null 2>&1; then
    jq -e '.checks[] | select(.name == "audit-rules").grade == "good"' doctor.json
  fi
  [ "$(jq -r '.checks[] | select(.name == "btf").grade' doctor.json)" = "$([[ -r /sys/kernel/btf/vmlinux ]] && echo good || echo missing)" ]
}

# A run of one monitor at one rate, as tables alone.
run_folder() {
  mkdir run
  touch run/plan.csv
  echo '{"kind": "sweep", "host": {"kernel": "x", "cpu_model": "x", "cpus": 1}}' >run/manifest.json
  printf 'test,exec_per_sec,achieved_per_sec,saturated,status,reason,inprogram_method,counted_us,counted_us_low,counted_us_high,daemon_us\na,1,1,false,ok,,side-by-side,100,90,110,50\na,100000,100000,false,ok,,side-by-side,100,90,110,50\n' >run/perf.csv
  printf 'test,call,added_ns,added_ns_low,added_ns_high\na,getppid,100,90,110\na,read,100,90,110\na,connect,100,90,110\na,open-close,200,180,220\n' >run/syscalls.csv
}

@test "estimate counts the host's own executions, multiplies, and changes nothing" {
  unchanged before
  "$ROOT/build/hostrates" --duration 1 >/dev/null 2>problem || skip "no BPF here: $(<problem)"
  run_folder
  "$ROOT/build/execrate" --rate "$RATE" --duration 6 --json load.json &
  # Outside of the load's ends.
  sleep 1
  "$ROOT/exectax" estimate --seconds 3 --json run >estimate.json
  wait $!
  # The kernel takes its time to forget a program whose process has ended.
  local deadline=$((SECONDS + 20))
  until unchanged after && diff before after || ((SECONDS > deadline)); do
    sleep 0.5
  done
  diff before after
  cat estimate.json
  # At least the load's own; 100 µs each.
  jq -e --argjson rate "$RATE" '.rates.exec_per_sec > 0.9 * $rate and .counted.syscalls.per_sec > 20 * $rate' estimate.json
  jq -e '.monitors[0] | .where == "between"' estimate.json
  jq -e '(.monitors[0].executions.value - .rates.exec_per_sec / 100) | fabs < 0.001' estimate.json
  jq -e '.monitors[0] | .cpu.value > .executions.value and .cpu.low < .cpu.value and .cpu.high > .cpu.value' estimate.json
}
