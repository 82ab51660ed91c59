#!/usr/bin/env bats
# What the scripts of Tracee and Tetragon make of a binary and of its metrics, with doubles of both.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state MONITOR_CGROUP=monitor
  export MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log
  mkdir -p "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR" "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/bpf"
  echo 1 >"$MONITOR_RUN_DIR/port"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

call() {
  bash lib/monitor/call.sh "$@"
}

# program NAME TEXT: a script in the PATH.
program() {
  printf '#!/bin/bash\n%s\n' "$2" >"$BATS_TEST_TMPDIR/bin/$1"
  chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

@test "Tracee is told its buffer by the name that its version has for it" {
  export EXECTAX_TRACEE=$BATS_TEST_TMPDIR/bin/tracee
  program tracee 'if [[ $1 == --help ]]; then echo "-b, --perf-buffer-size int"; else echo "$@"; fi'
  run call tracee monitor_start
  [[ $output == *"--perf-buffer-size 1024 "* && $output != *"--buffers"* ]]
  program tracee 'if [[ $1 == --help ]]; then echo "-b, --buffers stringArray"; else echo "$@"; fi'
  run call tracee monitor_start
  [[ $output == *"--buffers kernel.events=1024 "* && $output != *"--perf-buffer-size"* ]]
}

@test "Tracee's lost events are read under the names of both versions" {
  for name in tracee_ebpf_lostevents_total tracee_lostevents_total; do
    program curl "printf '# TYPE $name counter\n$name 1.1641e+04\ntracee_write_lostevents_total 5\n'"
    [ "$(call tracee monitor_losses)" = "tracee_lost_events 1.1641e+04" ]
  done
}

@test "Tetragon's missed executions are told apart from its other missed events" {
  program curl "cat <<'METRICS'
# TYPE tetragon_bpf_missed_events_total counter
tetragon_bpf_missed_events_total{error=\"EAGAIN\",msg_op=\"23\"} 7
tetragon_bpf_missed_events_total{error=\"EAGAIN\",msg_op=\"5\"} 11641
tetragon_bpf_missed_events_total{error=\"ENOSPC\",msg_op=\"5\"} 2
tetragon_observer_ringbuf_queue_events_lost_total 3
METRICS"
  run call tetragon monitor_losses
  [[ $output == *"tetragon_missed_execs 11643"* && $output == *"tetragon_missed_others 7"* && $output == *"tetragon_queue_lost 3"* ]]
}

@test "Tetragon that does not answer has lost nothing that we know of" {
  program curl 'exit 7'
  run call tetragon monitor_losses
  [ "$status" -ne 0 ]
  [ -z "$output" ]
}

@test "Tetragon without its BPF objects can't run, and with them beside it, it can" {
  [[ -r /sys/kernel/btf/vmlinux ]] || skip "the kernel has no type information"
  export EXECTAX_TETRAGON=$BATS_TEST_TMPDIR/bin/tetragon
  program tetragon true
  [[ ! -d /var/lib/tetragon ]] || skip "Tetragon is installed here"
  [[ $(call tetragon obstacles) == *"BPF objects are not beside"* ]]
  touch "$BATS_TEST_TMPDIR/bpf/bpf_execve_event_v61.o"
  [ -z "$(call tetragon obstacles)" ]
}

@test "Tetragon's version is in its build information, or else unknown" {
  export EXECTAX_TETRAGON=$BATS_TEST_TMPDIR/bin/tetragon
  printf '\0x-ldflags="-X %s=v1.7.0-rc.1 -s"\0' "'github.com/cilium/tetragon/pkg/version.Version" >"$EXECTAX_TETRAGON"
  [ "$(call tetragon monitor_version)" = 1.7.0-rc.1 ]
  echo nothing >"$EXECTAX_TETRAGON"
  [ "$(call tetragon monitor_version)" = "$EXECTAX_TETRAGON" ]
}
