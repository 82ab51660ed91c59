#!/usr/bin/env bats
# deploy/ansible: what it does on a host, and one call of the playbook with a stand-in for exectax. `make check-ansible` has real runs.

bats_require_minimum_version 1.5.0

load process
load ../ansible/hosts

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  ((EUID == 0)) || skip "as root alone"
  DIR=$BATS_TEST_TMPDIR/exectax
  DOUBLE=$ROOT/tests/ansible/exectax-double
  HOSTS=
}

teardown() {
  local file process
  rm -f "$DIR/hold"
  for file in "$DIR"/jobs/*.process; do
    read -r process _ <"$file" && wait_for ended "$process"
  done 2>/dev/null
  [[ -z $HOSTS ]] || hosts_end
}

# on_host COMMAND ARGUMENT...
on_host() {
  local command=$1
  shift
  bash "$ROOT/deploy/ansible/roles/exectax/files/host.sh" "$command" "$DIR" "$@" 3>&-
}

# set_up: with the stand-in for exectax.
set_up() {
  mkdir -p "$DIR/incoming"
  on_host install installed "$DOUBLE"
}

# is_state NAME STATE
is_state() {
  [ "$(on_host state "$1" | jq -r .state)" = "$2" ]
}

# kill_run NAME: as a machine that dies does.
kill_run() {
  local process
  read -r process _ <"$DIR/jobs/$1.process"
  # Of those that it has, some may end by themselves meanwhile.
  hosts_tree "$process" | xargs kill -s KILL 2>/dev/null || true
  wait_for ended "$process"
}

@test "a host: a run is begun once, outlives who began it, and is waited for" {
  [ "$(on_host has "$DOUBLE")" = no ]
  set_up
  [ "$(on_host has "$DOUBLE")" = yes ]
  [ "$(on_host has /other)" = no ]
  is_state one none
  [ "$(on_host digest one)" = none ]
  touch "$DIR/hold"
  [ "$(on_host start one --monitors 'a b')" = started ]
  [ "$(on_host start one --monitors 'a b')" = running ]
  [ "$(on_host wait one 1 | jq -r .state)" = running ]
  [ "$(on_host digest one)" = running ]
  # In a session of its own: what ends that of ssh does not end it.
  [ "$(ps -o sid= -p "$(cut -d ' ' -f 1 "$DIR/jobs/one.process")" | tr -d ' ')" != "$(ps -o sid= -p $$ | tr -d ' ')" ]
  rm "$DIR/hold"
  [ "$(on_host wait one 20)" = '{"state": "complete", "why": ""}' ]
  [ "$(on_host start one --monitors 'a b')" = complete ]
  [ "$(cat "$DIR/called")" = "sweep --out $DIR/runs/one --monitors a b" ]
}

@test "a host: a run that was cut off goes on with what such a run takes, and with other options it does not" {
  set_up
  touch "$DIR/hold"
  on_host start one --reps 3 --yes
  wait_for test -s "$DIR/runs/one/perf.csv"
  kill_run one
  is_state one interrupted
  run -1 --separate-stderr on_host start one --reps 4 --yes
  [[ $stderr == "the run 'one' was begun with the options --reps 3 --yes - expected the same, or another exectax_name" ]]
  rm "$DIR/hold"
  [ "$(on_host start one --reps 3 --yes)" = resumed ]
  on_host wait one 20
  is_state one complete
  [ "$(tail -n 1 "$DIR/called")" = "sweep --resume $DIR/runs/one --yes" ]
}

@test "a host: why a run failed; a process of another boot is not the run" {
  set_up
  echo 2 >"$DIR/status"
  on_host start one
  [ "$(on_host wait one 20)" = '{"state": "failed", "why": "exit status 2: exectax: the last word"}' ]
  # Of the same number and the same start.
  echo "$$ $(sed 's/.*) //' /proc/$$/stat | cut -d ' ' -f 20) another-boot" >"$DIR/jobs/two.process"
  is_state two interrupted
  echo "$$ 1 $(</proc/sys/kernel/random/boot_id)" >"$DIR/jobs/two.process"
  is_state two interrupted
}

@test "a host: what is packed is what the run has written, and the same has the same digest" {
  local before
  set_up
  on_host start one
  on_host wait one 20
  before=$(on_host digest one)
  [ "$(on_host digest one)" = "$before" ]
  on_host pack one
  [ "$(tar -tzf "$DIR/one.tar.gz" | sort | paste -sd ' ')" = "./ ./manifest.json ./perf.csv ./plan.csv" ]
  echo more >>"$DIR/runs/one/perf.csv"
  [ "$(on_host digest one)" != "$before" ]
}

@test "a host: clean ends a run, puts the host back, and leaves nothing" {
  set_up
  touch "$DIR/hold"
  on_host start one
  wait_for test -s "$DIR/runs/one/perf.csv"
  echo change >"$DIR/state/journal"
  echo "#!/bin/sh" >"$BATS_TEST_TMPDIR/policy"
  [ "$(on_host exists)" = yes ]
  on_host clean
  [ "$(on_host exists)" = no ]
  [ ! -e "$DIR" ]
  on_host clean
}

@test "a host: what a dead run has left is put back before all is removed, and if it can't be, nothing is" {
  set_up
  mkdir -p "$DIR/state"
  echo change >"$DIR/state/journal"
  printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>$BATS_TEST_TMPDIR/restored" "exit \$(cat $BATS_TEST_TMPDIR/status)" >"$BATS_TEST_TMPDIR/program"
  chmod +x "$BATS_TEST_TMPDIR/program"
  echo "$BATS_TEST_TMPDIR/program" >"$DIR/program"
  echo 1 >"$BATS_TEST_TMPDIR/status"
  run -1 on_host clean
  [[ $output == *"the host could not be put back: nothing was removed" ]]
  [ -e "$DIR/state/journal" ]
  echo 0 >"$BATS_TEST_TMPDIR/status"
  on_host clean
  [ "$(tail -n 1 "$BATS_TEST_TMPDIR/restored")" = "restore --wait 120" ]
  [ ! -e "$DIR" ]
}

@test "a host: a folder that is somebody else's is left alone" {
  mkdir -p "$DIR"
  run -1 on_host clean
  [[ $output == *"was not made by this playbook"* ]]
  [ -d "$DIR" ]
}

@test "a host: clean removes the packages that exectax has installed since, unless something needs them" {
  local bin=$BATS_TEST_TMPDIR/bin
  set_up
  echo "2026-03-01  10:00:00" >"$DIR/.exectax-fleet"
  mkdir -p "$bin" "$BATS_TEST_TMPDIR/apt"
  # Of what is no longer needed, too, somebody else's stays.
  printf '%s\n' '#!/bin/sh' "echo \"apt-get \$*\" >>$BATS_TEST_TMPDIR/apt.called" 'case "$*" in *autoremove*) printf "%s\n" "Purg jq [1.6]" "Purg stranger [1]";; esac' >"$bin/apt-get"
  printf '%s\n' '#!/bin/sh' "echo \"apt-mark \$*\" >>$BATS_TEST_TMPDIR/apt.called" >"$bin/apt-mark"
  chmod +x "$bin"/*
  printf '%s\n' 'Start-Date: 2026-02-01  10:00:00' 'Commandline: apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends older' 'Install: older:amd64 (1)' '' \
    'Start-Date: 2026-03-01  10:00:05' 'Commandline: apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends jq miller' \
    'Install: jq:amd64 (1.6), libjq1:amd64 (1.6, automatic), miller:amd64 (6)' '' \
    'Start-Date: 2026-03-01  11:00:00' 'Commandline: apt install foreign' 'Install: foreign:amd64 (2)' | gzip >"$BATS_TEST_TMPDIR/apt/history.log.1.gz"
  PATH=$bin:$PATH EXECTAX_APT_HISTORY=$BATS_TEST_TMPDIR/apt on_host clean
  diff - "$BATS_TEST_TMPDIR/apt.called" <<'TEXT'
apt-mark auto jq libjq1 miller
apt-get -q -s --purge autoremove
apt-get -q -y -o DPkg::Lock::Timeout=300 purge jq
TEXT
}

@test "results: what was fetched is replaced, what was not is not" {
  local results=$ROOT/deploy/ansible/roles/exectax/files/results.sh folder=$BATS_TEST_TMPDIR/results
  mkdir -p "$folder" "$BATS_TEST_TMPDIR/run"
  echo '{}' >"$BATS_TEST_TMPDIR/run/manifest.json"
  tar -C "$BATS_TEST_TMPDIR/run" -czf "$folder/.web1.tar.gz" .
  [ -z "$(bash "$results" digest "$folder" web1)" ]
  bash "$results" unpack "$folder" web1 abc
  [ "$(bash "$results" digest "$folder" web1)" = abc ]
  [ "$(ls -A "$folder" | paste -sd ' ')" = ".web1.digest web1" ]
  tar -C "$BATS_TEST_TMPDIR/run" -czf "$folder/.own.tar.gz" .
  mkdir "$folder/own"
  echo '{}' >"$folder/own/manifest.json"
  run -1 bash "$results" unpack "$folder" own abc
  [[ $output == *"has a run that was not fetched, expected another exectax_name" ]]
}

@test "a copy of the checkout is that of the commit, with its version, and the same each time" {
  local tree=$BATS_TEST_TMPDIR/tree first
  git init -q "$tree"
  echo one >"$tree/file"
  git -C "$tree" add file
  git -C "$tree" -c user.name=n -c user.email=e commit -qm one
  echo changed >"$tree/file"
  echo new >"$tree/other"
  first=$(bash "$ROOT/deploy/ansible/roles/exectax/files/checkout.sh" "$tree")
  [ "$(bash "$ROOT/deploy/ansible/roles/exectax/files/checkout.sh" "$tree")" = "$first" ]
  [ "$(tar -xzOf "${first#* }" ./file ./VERSION | sort | paste -sd ' ')" = "$(printf '%s\n' one "$(git -C "$tree" describe --always)" | sort | paste -sd ' ')" ]
  [ "$(tar -tzf "${first#* }" | sort | paste -sd ' ')" = "./ ./VERSION ./file" ]
}

@test "the playbook: one host after the other; one whose key is not known is told, and the others go on" {
  hosts_begin
  hosts_add strange unknown
  hosts_add web1
  run -2 playbook -e exectax_from=installed -e exectax_program="$DOUBLE" -e '{"exectax_options": ["--reps", "1"]}'
  echo "$output"
  [[ $output == *"strange failed in 'Wait for the host'"* ]]
  [[ $output == *'"web1 complete"'* ]]
  [ "$(jq -r .exectax "$HOSTS/results/fleet/web1/manifest.json")" = double ]
  [ "$(cat "$HOSTS/web1/exectax/called")" = "sweep --out $HOSTS/web1/exectax/runs/fleet --reps 1" ]
  [ ! -e "$HOSTS/strange/exectax" ]
}

# In mid-run: one host's connection is lost, and its run ends only after that; another one dies.
trouble() {
  wait_for_run blinks
  hosts_die blinks
  sleep 1
  hosts_start blinks
  sleep 1
  rm "$HOSTS/blinks/exectax/hold"
  wait_for_run dies
  hosts_die dies
  DIR=$HOSTS/dies/exectax kill_run fleet
}

# Until the playbook waits for the run on that host.
wait_for_run() {
  local deadline=$((SECONDS + 250))
  until pgrep -f "host.sh wait $HOSTS/$1/" >/dev/null; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}

@test "the playbook: a run outlives its connection; a host that dies is told, the others go on, and the same command resumes it" {
  local name
  local -a call=(playbook -e exectax_from=installed -e exectax_program="$DOUBLE" -e exectax_lost_seconds=8)
  hosts_begin
  for name in blinks dies well; do
    hosts_add "$name"
    mkdir -p "$HOSTS/$name/exectax"
    [[ $name == well ]] || touch "$HOSTS/$name/exectax/hold"
  done
  trouble 3>&- >/dev/null &
  run -2 "${call[@]}"
  echo "$output"
  [[ $output == *'"blinks complete"'* ]]
  [[ $output == *"dies failed in 'Wait until the host answers again'"* ]]
  [[ $output == *'"well complete"'* ]]
  [ "$(wc -l <"$HOSTS/blinks/exectax/called")" = 1 ]
  [ ! -e "$HOSTS/results/fleet/dies" ]
  rm "$HOSTS/dies/exectax/hold"
  hosts_start dies
  run -0 "${call[@]}"
  echo "$output"
  [ "$(tail -n 1 "$HOSTS/dies/exectax/called")" = "sweep --resume $HOSTS/dies/exectax/runs/fleet" ]
  [ -e "$HOSTS/results/fleet/dies/perf.csv" ]
  [[ $output =~ blinks\ +:\ .*changed=0 ]]
}
