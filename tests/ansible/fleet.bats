#!/usr/bin/env bats
# deploy/ansible with real runs on hosts that are all this machine. One sweep at a time is possible on a kernel: that all end well shows that hosts are
# measured in turn. Needs root; takes minutes.

bats_require_minimum_version 1.5.0

load ../shell/process
load hosts

# A short sweep: acct changes nothing but its own mount namespace.
OPTIONS='["--monitors", "acct", "--rates", "20", "--reps", "2", "--warmup", "1", "--duration", "1", "--instrumented", "0", "--side", "0", "--syscalls", "0", "--yes"]'

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  hosts_begin
}

teardown() {
  local process file
  for file in "$HOSTS"/*/exectax/jobs/*.process; do
    read -r process _ <"$file" && kill -s TERM "$process"
  done 2>/dev/null
  hosts_end
}

installed() {
  playbook -e exectax_from=installed -e exectax_program="$ROOT/exectax" -e "{\"exectax_options\": $OPTIONS}" "$@"
}

# changed HOST: how many of its tasks have changed something, by what ansible said last.
changed() {
  sed -nE "s/^$1 .* changed=([0-9]+) .*/\1/p" <<<"$output"
}

@test "ansible-lint has nothing to say" {
  cd "$PLAYBOOK"
  ansible-lint --offline --profile production -q fleet.yml
}

@test "--check changes nothing; then hosts are measured in turn, once, and clean leaves nothing" {
  hosts_add one
  hosts_add two
  run installed --check
  echo "$output"
  [ "$status" = 0 ]
  [[ $output == *'"one no run to fetch"'* ]]
  [ ! -e "$HOSTS/one/exectax" ]
  run installed
  echo "$output"
  [ "$status" = 0 ]
  [ "$(jq -r .state "$HOSTS"/results/fleet/{one,two}/manifest.json | sort -u)" = complete ]
  run -0 "$ROOT/exectax" report "$HOSTS/results/fleet"
  [[ $output == *"| acct | one |"*"| acct | two |"* ]]
  # What is complete is neither measured nor fetched again.
  run installed
  echo "$output"
  [ "$status" = 0 ]
  [ "$(changed one) $(changed two)" = "0 0" ]
  run installed --tags clean
  echo "$output"
  [ "$status" = 0 ]
  [ ! -e "$HOSTS/one/exectax" ]
  [ ! -e "$HOSTS/two/exectax" ]
  [ -e "$HOSTS/results/fleet/one/perf.csv" ]
}

# Ends sshd and the run of a host, as a machine that dies does, when the run has begun.
die_in_mid_run() {
  local process
  wait_for_long pgrep -f "host.sh wait $HOSTS/$1/" >/dev/null
  wait_for_long test -s "$HOSTS/$1/exectax/jobs/fleet.process"
  wait_for_long test -s "$HOSTS/$1/exectax/runs/fleet/manifest.json"
  read -r process _ <"$HOSTS/$1/exectax/jobs/fleet.process"
  hosts_die "$1"
  hosts_tree "$process" | xargs kill -s KILL 2>/dev/null || true
}

# Starting takes a while where nobody waits.
wait_for_long() {
  local deadline=$((SECONDS + 200))
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}

@test "a host that dies in mid-run is told, the others go on, and the same command resumes it" {
  hosts_add one
  hosts_add two
  start die_in_mid_run one
  run installed -e exectax_lost_seconds=10
  echo "$output"
  [ "$status" = 2 ]
  finish
  echo "$output"
  [[ $output == *"one failed in 'Wait until the host answers again'"* ]]
  [[ $output == *'"two complete"'* ]]
  [ ! -e "$HOSTS/results/fleet/one" ]
  hosts_start one
  run installed
  echo "$output"
  [ "$status" = 0 ]
  [ "$(jq '.sessions | length' "$HOSTS/results/fleet/one/manifest.json")" = 2 ]
  [ "$(jq -r .state "$HOSTS/results/fleet/one/manifest.json")" = complete ]
}

@test "a connection that is lost does not end the run" {
  hosts_add one
  start lose_connection one
  run installed
  echo "$output"
  [ "$status" = 0 ]
  finish
  [[ $output == *'"one complete"'* ]]
  [ "$(jq '.sessions | length' "$HOSTS/results/fleet/one/manifest.json")" = 1 ]
}

# Ends sshd and all logins in mid-run, and starts it again.
lose_connection() {
  wait_for_long pgrep -f "host.sh wait $HOSTS/$1/" >/dev/null
  wait_for_long test -s "$HOSTS/$1/exectax/runs/fleet/manifest.json"
  hosts_die "$1"
  sleep 3
  hosts_start "$1"
}

@test "a clean copy of the checkout is built on the host" {
  hosts_add one
  run playbook --tags setup
  echo "$output"
  [ "$status" = 0 ]
  [ "$("$HOSTS/one/exectax/tree/exectax" --version)" = "exectax $(git -C "$ROOT" describe --always)" ]
  [ -x "$HOSTS/one/exectax/tree/build/figures" ]
  run playbook --tags setup
  echo "$output"
  [ "$status" = 0 ]
  [ "$(changed one)" = 0 ]
}
