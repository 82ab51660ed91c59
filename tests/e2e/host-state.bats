#!/usr/bin/env bats
# Each part of the host's state is seen to change, and to be back: what host-state.sh overlooks, no test of the host finds.

load helpers
load accounting

setup() {
  require_root
  WORK=$(mktemp -d)
  PUT_BACK=()
}

# What a test that failed half-way has not put back.
teardown() {
  local command
  for command in "${PUT_BACK[@]}"; do
    eval "$command"
  done
  rm -rf "$WORK"
}

differ() {
  if diff -q "$1" "$2"; then
    return 1
  fi
}

section() {
  "$BATS_TEST_DIRNAME/host-state.sh" | grep "^$1: " || true
}

# notices SECTION CHANGE PUT_BACK: two commands.
notices() {
  local section=$1 change=$2
  section "$section" >"$WORK/before"
  PUT_BACK=("$3")
  eval "$change"
  section "$section" >"$WORK/changed"
  PUT_BACK=()
  eval "$3"
  section "$section" >"$WORK/after"
  differ "$WORK/before" "$WORK/changed"
  diff "$WORK/before" "$WORK/after"
}

# start_floor PROGRAM: in the background, ready.
start_floor() {
  "$ROOT/build/$1" --output "$WORK/log" --losses "$WORK/losses" >"$WORK/ready" 3>&- &
  FLOOR=$!
  wait_for_line "$WORK/ready" ready
}

wait_for_line() {
  local deadline=$((SECONDS + 30))
  until grep -qx "$2" "$1"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

stop_floor() {
  kill "$FLOOR"
  wait "$FLOOR" || true
}

@test "the state of a host that nobody changes is the same twice, and tells what it is about" {
  "$BATS_TEST_DIRNAME/host-state.sh" --without processes >"$WORK/one"
  "$BATS_TEST_DIRNAME/host-state.sh" --without processes >"$WORK/two"
  diff "$WORK/one" "$WORK/two"
  for section in sysctls mounts cgroups etc sbin var-lib run; do
    grep -q "^$section: ." "$WORK/one"
  done
}

@test "--without leaves a section out; another word is a bad option" {
  "$BATS_TEST_DIRNAME/host-state.sh" --without etc --without mounts >"$WORK/state"
  [ "$(grep -c '^etc: \|^mounts: ' "$WORK/state")" -eq 0 ]
  grep -q '^sysctls: ' "$WORK/state"
  run "$BATS_TEST_DIRNAME/host-state.sh" --without nonsense
  [ "$status" -eq 2 ]
}

@test "audit rules, and their order" {
  require_audit
  host_give_audit_state
  PUT_BACK=(host_take_audit_state_back)
  section audit-rules >"$WORK/before"
  auditctl -D
  auditctl -a always,exit -F arch=b64 -S sethostname -k exectax-test
  auditctl -w /etc/hostname -p wa -k exectax-test
  section audit-rules >"$WORK/other-order"
  PUT_BACK=()
  host_take_audit_state_back
  differ "$WORK/before" "$WORK/other-order"
  diff <(sort "$WORK/before") <(sort "$WORK/other-order")
}

@test "audit flags" {
  require_audit
  local failure rate
  failure=$(auditctl -s | awk '$1 == "failure" { print $2 }')
  notices audit-flags "auditctl -f $((1 - (failure > 0)))" "auditctl -f $failure"
  rate=$(auditctl -s | awk '$1 == "rate_limit" { print $2 }')
  notices audit-flags "auditctl -r 1234" "auditctl -r $rate"
}

@test "the audit socket's owner, a dead one is none" {
  require_audit
  [ "$(section audit-owner)" = "audit-owner: none" ] || skip "audit belongs to the host's own daemon"
  local enabled
  enabled=$(auditctl -s | awk '$1 == "enabled" { print $2 }')
  PUT_BACK=("auditctl -e $enabled")
  notices audit-owner "start_floor floor-audit" "stop_floor; auditctl -e $enabled"
}

@test "units that are enabled or masked" {
  notices units "ln -s /dev/null /etc/systemd/system/exectax-test.service" "rm /etc/systemd/system/exectax-test.service"
  notices units "ln -s ../init.d/exectax-test /etc/rc3.d/S01exectax-test" "rm /etc/rc3.d/S01exectax-test"
}

@test "sysctls, those of perf and BPF too" {
  local before
  before=$(</proc/sys/kernel/printk_ratelimit_burst)
  notices sysctls "echo $((before + 1)) >/proc/sys/kernel/printk_ratelimit_burst" "echo $before >/proc/sys/kernel/printk_ratelimit_burst"
  before=$(</proc/sys/kernel/bpf_stats_enabled)
  notices sysctls "echo $((1 - before)) >/proc/sys/kernel/bpf_stats_enabled" "echo $before >/proc/sys/kernel/bpf_stats_enabled"
  section sysctls | grep -q perf_event
}

@test "mounts" {
  notices mounts "mount -t tmpfs exectax-test $WORK" "umount $WORK"
}

@test "control groups" {
  notices cgroups "mkdir $MOUNT/exectax-test" "rmdir $MOUNT/exectax-test"
}

@test "BPF programs and links, under any other name" {
  [[ -x $ROOT/build/floor-bpf ]] || skip "floor-bpf is not built"
  notices bpf "start_floor floor-bpf" stop_floor
  grep -q link_type "$WORK/changed"
}

@test "process accounting" {
  accounting_can_be_switched || skip "needs a kernel with process accounting, on x86-64"
  : >"$WORK/pacct"
  export HOST_STATE_PACCT=$WORK/pacct
  notices accounting 'accounting_switch "$WORK/pacct"' accounting_switch
  grep -qx "accounting: $WORK/pacct: on" "$WORK/changed"
}

@test "files below /etc, /usr/sbin, /var/lib and /run: new ones, contents, modes, owners" {
  notices etc "touch /etc/exectax-test" "rm /etc/exectax-test"
  echo one >/etc/exectax-test
  PUT_BACK=("rm -f /etc/exectax-test")
  notices etc "echo two >/etc/exectax-test" "echo one >/etc/exectax-test"
  notices etc "chmod 0600 /etc/exectax-test" "chmod 0644 /etc/exectax-test"
  notices etc "chown daemon /etc/exectax-test" "chown root /etc/exectax-test"
  rm /etc/exectax-test
  notices var-lib "touch /var/lib/exectax-test" "rm /var/lib/exectax-test"
  notices run "touch /run/exectax-test" "rm /run/exectax-test"
}

@test "a policy-rc.d" {
  local guard=/usr/sbin/policy-rc.d
  if [[ -e $guard ]]; then
    cp -a "$guard" "$WORK/saved"
    notices sbin "echo >>$guard" "cp -a $WORK/saved $guard"
  else
    notices sbin "touch $guard" "rm $guard"
  fi
}

@test "processes, but not those of the test itself" {
  # Of one group: others come and go.
  export HOST_STATE_CGROUP=$MOUNT/exectax-test
  mkdir "$HOST_STATE_CGROUP"
  (
    echo "$BASHPID" >"$HOST_STATE_CGROUP/cgroup.procs"
    exec setsid --fork sleep 1000.25 3>&-
  )
  stranger=$(<"$HOST_STATE_CGROUP/cgroup.procs")
  PUT_BACK=("kill $stranger; until rmdir $HOST_STATE_CGROUP; do sleep 0.1; done")
  [ "$(section processes)" = "processes: sleep           sleep 1000.25" ]
  unset HOST_STATE_CGROUP
  "$BATS_TEST_DIRNAME/host-state.sh" >"$WORK/state"
  grep -qx "processes: sleep           sleep 1000.25" "$WORK/state"
  [ "$(grep -c '^processes: .*host-state\.sh' "$WORK/state")" -eq 0 ]
}
