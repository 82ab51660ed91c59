#!/usr/bin/env bats
# What Falco is given and what is read from it. Falco itself is a script that waits.

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  cd "$ROOT" || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state MONITOR_CGROUP=monitor
  export MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log
  export EXECTAX_FALCO=$BATS_TEST_TMPDIR/falco EXECTAX_FALCO_RULES=$BATS_TEST_TMPDIR/default_rules.yaml
  mkdir "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR"
  printf '#!/bin/sh\necho "started with $*"\n' >"$EXECTAX_FALCO"
  chmod +x "$EXECTAX_FALCO"
}

call() {
  bash lib/monitor/call.sh "$@"
}

@test "falco is given the exec rule alone" {
  [ "$(call falco monitor_start)" = "started with -c $MONITOR_RUN_DIR/falco.yaml" ]
  grep -qx "rules_files: \[$MONITOR_RUN_DIR/exec_rule.yaml\]" "$MONITOR_RUN_DIR/falco.yaml"
  grep -qx 'load_plugins: \[\]' "$MONITOR_RUN_DIR/falco.yaml"
  cmp "$MONITOR_RUN_DIR/exec_rule.yaml" configs/falco/exec_rule.yaml
}

@test "falco-rules is given the default rules and the exec rule, and looks at every rule" {
  call falco-rules monitor_start
  grep -qx "rules_files: \[$EXECTAX_FALCO_RULES, $MONITOR_RUN_DIR/exec_rule.yaml\]" "$MONITOR_RUN_DIR/falco.yaml"
  grep -qx 'load_plugins: \[container\]' "$MONITOR_RUN_DIR/falco.yaml"
  grep -qx 'rule_matching: all' "$MONITOR_RUN_DIR/falco.yaml"
}

@test "falco is given what records the other actions of the load, and its knobs" {
  MONITOR_ACTIONS="exec connect read-sensitive" EXECTAX_KNOB_BUFFERED=yes EXECTAX_KNOB_BUF_SIZE_PRESET=7 call falco monitor_start
  grep -qx "rules_files: \[$MONITOR_RUN_DIR/exec_rule.yaml, $MONITOR_RUN_DIR/action-connect.yaml, $MONITOR_RUN_DIR/action-read-sensitive.yaml\]" \
    "$MONITOR_RUN_DIR/falco.yaml"
  [ -s "$MONITOR_RUN_DIR/action-connect.yaml" ]
  grep -qx 'buffered_outputs: true' "$MONITOR_RUN_DIR/falco.yaml"
  [ "$(grep -cx '    buf_size_preset: 7' "$MONITOR_RUN_DIR/falco.yaml")" -eq 2 ]
}

@test "each variant runs its own driver" {
  call falco monitor_start
  grep -qx '  kind: modern_ebpf' "$MONITOR_RUN_DIR/falco.yaml"
  mkdir "$BATS_TEST_TMPDIR/monitors"
  cat >"$BATS_TEST_TMPDIR/monitors/kmod.sh" <<'SCRIPT'
source "$EXECTAX_ROOT/monitors/falco-kmod.sh"
module_load() { echo "loads $1"; }
SCRIPT
  [[ $(EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors call kmod monitor_start) == "loads falco"* ]]
  grep -qx '  kind: kmod' "$MONITOR_RUN_DIR/falco.yaml"
}

@test "the limit on locked memory is a reason for a released falco, not for a build that somebody names" {
  ((EUID == 0)) || skip "needs root"
  bounded() { setpriv --bounding-set=-sys_resource bash -c 'ulimit -l 64; bash lib/monitor/call.sh falco obstacles'; }
  run bounded
  [[ $output != *"locked memory"* ]]
  unset EXECTAX_FALCO
  run bounded
  [[ $output == *"locked memory"* ]]
}

@test "falco-rules misses the default rules where they are not" {
  [ -e /sys/kernel/btf/vmlinux ] || skip "needs the kernel's type information"
  run call falco-rules obstacles
  [[ $output == *"$EXECTAX_FALCO_RULES is not there"* ]]
}

@test "loss counters are the driver's, those of executions, and those of the outputs" {
  mkdir "$BATS_TEST_TMPDIR/monitors"
  cat >"$BATS_TEST_TMPDIR/monitors/scraped.sh" <<'SCRIPT'
source "$EXECTAX_ROOT/monitors/falco.sh"
falco_metrics() { cat "$METRICS"; }
SCRIPT
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors METRICS=$BATS_TEST_TMPDIR/metrics
  cat >"$METRICS" <<'TEXT'
# TYPE falcosecurity_falco_outputs_queue_num_drops_total counter
falcosecurity_falco_outputs_queue_num_drops_total 3
falcosecurity_scap_n_evts_total 90000
falcosecurity_scap_n_drops_total 700
falcosecurity_scap_n_drops_buffer_total{dir="exit",drop="clone_fork"} 40
falcosecurity_scap_n_drops_buffer_total{dir="exit",drop="execve"} 20
falcosecurity_scap_n_drops_buffer_total{dir="enter",drop="execve"} 0
TEXT
  run call scraped monitor_losses
  [ "$(sort <<<"$output")" = $'falco_outputs_queue_num_drops 3\nscap_n_drops 700\nscap_n_drops_buffer_execve_exit 20' ]
}

@test "a port that somebody listens on is not given out" {
  mkdir "$BATS_TEST_TMPDIR/monitors"
  # With one seed, the first port that is tried is the same each time.
  cat >"$BATS_TEST_TMPDIR/monitors/ports.sh" <<'SCRIPT'
monitor_start() {
  RANDOM=7
  free_port
}
SCRIPT
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  port=$(call ports monitor_start)
  mkfifo "$BATS_TEST_TMPDIR/said"
  perl -MIO::Socket::INET -e '
    $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1:$ARGV[0]") or die "$ARGV[0]: $!";
    $| = 1;
    print "listening\n";
    sleep' "$port" >"$BATS_TEST_TMPDIR/said" 3>&- &
  read -r -t 10 _ <"$BATS_TEST_TMPDIR/said"
  other=$(call ports monitor_start)
  kill $!
  [ -n "$other" ]
  [ "$other" != "$port" ]
}
