#!/usr/bin/env bats
# Every monitor's script keeps to the interface.

load ../rooms

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  cd "$ROOT" || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state MONITOR_CGROUP=monitor
  export MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log
}

call() {
  bash lib/monitor/call.sh "$@"
}

each_monitor() {
  local file
  for file in monitors/*.sh; do
    "$1" "$(basename "$file" .sh)" || {
      echo "monitor: $file"
      return 1
    }
  done
}

has_functions() {
  local function
  local -a functions=(requires install version start ready helpers log losses stop)
  [[ $(call "$1" facts | sed -n 3p) != count ]] || functions+=(count)
  for function in "${functions[@]}"; do
    EXECTAX_ROOT=$ROOT bash -c 'source "$1" && declare -F "$2"' - "monitors/$1.sh" "monitor_$function" >/dev/null || {
      echo "no monitor_$function"
      return 1
    }
  done
}

@test "every function is there" {
  each_monitor has_functions
}

has_facts() {
  local -a facts
  mapfile -t facts < <(call "$1" facts)
  [[ ${#facts[@]} == 5 && -n ${facts[0]} && ${facts[2]} =~ ^(exec|count|nothing)$ && ${facts[3]} == exec* && ${facts[4]} =~ ^(yes|no)$ ]]
}

# Each knob says which values it takes and what it is, and every action has what makes the monitor record it.
has_knobs_and_actions() {
  local name values what action
  while read -r name values what; do
    [[ $name =~ ^[a-z][a-z0-9_]*$ && -n $values && -n $what ]] || return 1
  done < <(call "$1" knobs)
  for action in $(call "$1" facts | sed -n 4p); do
    [[ $action == exec || -n $(echo configs/*/action-"$action".*) ]] || return 1
  done
}

@test "knobs and actions are what they should be" {
  each_monitor has_knobs_and_actions
}

@test "a knob has its first value unless it is given another" {
  [ "$(call floor-bpf knob buffer)" = 4194304 ]
  [ "$(EXECTAX_KNOB_BUFFER=8192 call floor-bpf knob buffer)" = 8192 ]
  run call floor-bpf knob nothing
  [ "$status" -ne 0 ]
}

@test "description and what is recorded are given" {
  each_monitor has_facts
}

verification_is_said() {
  [[ -n $(call "$1" verified) ]]
}

@test "how a download is verified is said, and what nothing verifies needs to be allowed" {
  each_monitor verification_is_said
  for monitor in kunai sysdig; do
    [[ $(call "$monitor" verified) == *--allow-unverified* ]]
  done
  [[ $(call falco verified) == *478B2FBBC75F4237B731DA4365106822B35B1B1F* ]]
}

@test "the files under test are the programs that a monitor needs and what else it names, where they are" {
  mkdir "$BATS_TEST_TMPDIR/monitors"
  printf 'monitor_requires() { requires_binary one remedy; requires_binary two remedy; }\nmonitor_files() { echo "$EXECTAX_ROOT/Makefile"; }\n' \
    >"$BATS_TEST_TMPDIR/monitors/files.sh"
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/one"
  chmod +x "$BATS_TEST_TMPDIR/one"
  [ "$(EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors EXECTAX_ONE=$BATS_TEST_TMPDIR/one call files binaries)" = "$BATS_TEST_TMPDIR/one"$'\n'"$ROOT/Makefile" ]
}

asks_quietly() {
  local before after
  before=$(find "$BATS_TEST_TMPDIR" | sort)
  call "$1" obstacles >/dev/null || return 1
  after=$(find "$BATS_TEST_TMPDIR" | sort)
  [[ $before == "$after" ]]
}

@test "asking whether it can run leaves nothing behind" {
  each_monitor asks_quietly
}

@test "an override that is no program is the reason why it can't run" {
  for pair in auditd-raw:EXECTAX_AUDITD laurel:EXECTAX_LAUREL auditbeat:EXECTAX_AUDITBEAT go-audit:EXECTAX_GO_AUDIT \
    execsnoop:EXECTAX_EXECSNOOP execsnoop-bpftrace:EXECTAX_BPFTRACE forkstat:EXECTAX_FORKSTAT acct:EXECTAX_ACCTON \
    floor-bpf:EXECTAX_FLOOR_BPF floor-audit:EXECTAX_FLOOR_AUDIT \
    osquery-audit:EXECTAX_OSQUERYD osquery-bpf:EXECTAX_OSQUERYD sysdig:EXECTAX_SYSDIG kunai:EXECTAX_KUNAI \
    falco:EXECTAX_FALCO falco-kmod:EXECTAX_FALCO tracee:EXECTAX_TRACEE tetragon:EXECTAX_TETRAGON; do
    run env "${pair#*:}=/nonexistent/binary" bash lib/monitor/call.sh "${pair%%:*}" obstacles
    [[ $output == *"/nonexistent/binary is no executable file"* ]]
  done
}

@test "what a monitor itself says of events that it lost is added up" {
  mkdir -p "$MONITOR_RUN_DIR"
  printf '%s\n' 'Lost 7 events on CPU #0!' 'Lost 30 events' 'Looked at 5 events' >"$MONITOR_RUN_DIR/stderr.txt"
  [ "$(call execsnoop monitor_losses)" = "execsnoop_lost_events 37" ]
}

# accounting_record FLAGS PARENT: 64 bytes, of which the first is the flags and four from the 20th on are the parent's pid.
accounting_record() {
  printf "$1%19s$2%24s%s" $'\n' '' true
  head -c 12 /dev/zero
}

@test "accounting records are counted by the parent that they name, without processes that executed nothing" {
  mkdir -p "$MONITOR_LOG_DIR"
  {
    accounting_record '\0' '\x0a\x01\0\0'
    accounting_record '\x10' '\x0a\x01\0\0'
    accounting_record '\x11' '\x0a\x01\0\0'
    accounting_record '\0' '\x0a\0\0\0'
  } >"$MONITOR_LOG_DIR/pacct"
  [ "$(stat -c %s "$MONITOR_LOG_DIR/pacct")" -eq 256 ]
  [ "$(call acct monitor_count 266)" -eq 2 ]
  [ "$(call acct monitor_count 10)" -eq 1 ]
  [ "$(call acct monitor_count 2570)" -eq 0 ]
}

# started NAME VARIABLE: the arguments with which a monitor starts its program, one a line, from a double that prints them.
started() {
  mkdir -p "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR"
  printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s"\n' "$BATS_TEST_TMPDIR/arguments" >"$BATS_TEST_TMPDIR/program"
  chmod +x "$BATS_TEST_TMPDIR/program"
  export "$2=$BATS_TEST_TMPDIR/program"
  call "$1" monitor_start
  cat "$BATS_TEST_TMPDIR/arguments"
}

@test "osquery is given a query and flags of this run, and its losses are read" {
  run started osquery-bpf EXECTAX_OSQUERYD
  [ "$status" -eq 0 ]
  [[ $output == *"--flagfile=$MONITOR_RUN_DIR/osquery.flags"*"--enable_bpf_events=true"* ]]
  jq -e '.schedule.bpf_process_events.query | test("FROM bpf_process_events;$")' "$MONITOR_RUN_DIR/osquery.conf"
  grep -qx -- "--logger_path=$MONITOR_LOG_DIR" "$MONITOR_RUN_DIR/osquery.flags"
  printf '%s\n' 'I1121 bpferrorstate.cpp:51] Lost BPF event count: 12' 'I1121 x.cpp:1] Lost BPF event count: 30' \
    'I1121 x.cpp:1] Buffers/strings that could not be captured by the probe: 4' >"$MONITOR_RUN_DIR/stderr.txt"
  [ "$(call osquery-bpf monitor_losses | paste -sd ' ')" = "osquery_bpf_lost_events 42 osquery_bpf_lost_strings 4" ]
}

@test "osquery without its BPF publisher can't be the monitor with it" {
  printf '#!/bin/sh\necho "--enable_file_events"\n' >"$BATS_TEST_TMPDIR/osqueryd"
  chmod +x "$BATS_TEST_TMPDIR/osqueryd"
  EXECTAX_OSQUERYD=$BATS_TEST_TMPDIR/osqueryd run call osquery-bpf obstacles
  [[ $output == *"no BPF publisher"* ]]
  printf '#!/bin/sh\necho "--enable_bpf_events"\n' >"$BATS_TEST_TMPDIR/osqueryd"
  EXECTAX_OSQUERYD=$BATS_TEST_TMPDIR/osqueryd run call osquery-bpf obstacles
  [[ $output != *"no BPF publisher"* ]]
}

@test "sysdig is given a filter for execs, and its modern probe where it has one" {
  run started sysdig EXECTAX_SYSDIG
  [[ $output != *"--modern-bpf"* && $output == *"evt.type in (execve, execveat)"* ]]
  cat >"$BATS_TEST_TMPDIR/sysdig" <<'SCRIPT'
#!/bin/sh
echo "$@"
[ "$1" != --help ] || echo " --modern-bpf"
SCRIPT
  chmod +x "$BATS_TEST_TMPDIR/sysdig"
  EXECTAX_SYSDIG=$BATS_TEST_TMPDIR/sysdig call sysdig monitor_start
  grep -q -- '--modern-bpf.*evt.type in (execve, execveat)' "$MONITOR_LOG_DIR/sysdig.txt"
}

@test "sysdig without its modern probe is told to have its kernel module" {
  [[ ! -d /sys/module/scap ]] || skip "the kernel module scap is loaded"
  printf '#!/bin/sh\necho " --bpf"\n' >"$BATS_TEST_TMPDIR/sysdig"
  chmod +x "$BATS_TEST_TMPDIR/sysdig"
  EXECTAX_SYSDIG=$BATS_TEST_TMPDIR/sysdig run call sysdig obstacles
  [[ $output == *"kernel module"* ]]
}

@test "kunai is given a configuration of this run, and the last of its loss warnings counts" {
  run started kunai EXECTAX_KUNAI
  [ "$output" = "$(printf '%s\n' run --config "$MONITOR_RUN_DIR/kunai.yaml")" ]
  grep -qx "  path: $MONITOR_LOG_DIR/kunai.ndjson" "$MONITOR_RUN_DIR/kunai.yaml"
  : >"$MONITOR_RUN_DIR/stderr.txt"
  [ "$(call kunai monitor_losses)" = "kunai_lost_events 0" ]
  printf 'ERROR some events have been lost in the way from kernel read=%s lost=%s loss-ratio=1%% eps=9: more\n' 100 3 200 8 >"$MONITOR_RUN_DIR/stderr.txt"
  [ "$(call kunai monitor_losses)" = "kunai_lost_events 8" ]
}

@test "a template with a key that nobody filled in is refused" {
  echo 'path = @SOMETHING@' >"$BATS_TEST_TMPDIR/template"
  mkdir "$BATS_TEST_TMPDIR/monitors"
  cat >"$BATS_TEST_TMPDIR/monitors/renders.sh" <<'SCRIPT'
monitor_start() { render "$TEMPLATE" "$TARGET" "$@"; }
SCRIPT
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors TEMPLATE=$BATS_TEST_TMPDIR/template TARGET=$BATS_TEST_TMPDIR/target
  run call renders monitor_start
  [ "$status" -ne 0 ]
  [[ $output == *"no value for @SOMETHING@"* ]]
  [ ! -e "$TARGET" ]
}

# obstacles_of HELPER: what a monitor that requires just that is told.
obstacles_of() {
  mkdir -p "$BATS_TEST_TMPDIR/monitors"
  echo "monitor_requires() { $1; }" >"$BATS_TEST_TMPDIR/monitors/asks.sh"
  EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors call asks obstacles
}

kernel_option() {
  [[ -r /proc/config.gz ]] || skip "the kernel does not show its configuration"
  zgrep -q "^$1=y" /proc/config.gz
}

@test "kprobes, modules and type information are missed exactly where the kernel was built without them" {
  for pair in requires_kprobes:CONFIG_KPROBE_EVENTS requires_modules:CONFIG_MODULES requires_btf:CONFIG_DEBUG_INFO_BTF; do
    run obstacles_of "${pair%:*}"
    [ "$status" -eq 0 ]
    if kernel_option "${pair#*:}"; then
      [ -z "$output" ]
    else
      [[ $output == *"no ${pair#*:}"* ]]
    fi
  done
}

@test "root that may not lift its limit on locked memory is told so" {
  ((EUID == 0)) || skip "needs root"
  obstacles_of requires_memlock
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  run setpriv --bounding-set=-sys_resource bash -c 'ulimit -l 64; bash "$@"' - "$ROOT/lib/monitor/call.sh" asks obstacles
  [[ $output == *"no CAP_SYS_RESOURCE"* ]]
}

# A monitor's script that only needs mounts: monitor_start KINDS COMMAND.
make_mounts_double() {
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  mkdir -p "$EXECTAX_MONITORS"
  cat >"$EXECTAX_MONITORS/mounts-double.sh" <<'SCRIPT'
monitor_start() { exec_with_mounts "$1" bash -c "$2"; }
monitor_requires() { requires_syscall_tracepoints; }
SCRIPT
}

@test "what a monitor needs mounted is there for it alone" {
  ((EUID == 0)) || skip "needs root"
  make_mounts_double
  cp /proc/self/mounts "$BATS_TEST_TMPDIR/before"
  # As on a fresh machine, where nobody has mounted them.
  run unshare --mount bash -c '
    while mountpoint -q /sys/kernel/tracing; do umount /sys/kernel/tracing; done
    cp /proc/self/mounts "$1/inside"
    bash lib/monitor/call.sh mounts-double monitor_start tracefs,bpf,run "[[ -e /sys/kernel/tracing/available_events ]] && mountpoint /sys/fs/bpf && touch /run/exectax-test && ls /run" &&
      cmp /proc/self/mounts "$1/inside"' - "$BATS_TEST_TMPDIR"
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *exectax-test ]]
  [ ! -e /run/exectax-test ]
  cmp /proc/self/mounts "$BATS_TEST_TMPDIR/before"
}

@test "a kernel without tracepoints on system calls is told before a monitor is started" {
  ((EUID == 0)) || skip "needs root"
  make_mounts_double
  # A tracefs without them: an empty folder that is mounted in its place.
  run unshare --mount bash -c \
    'mount -t tmpfs tmpfs /sys/kernel/tracing && bash lib/monitor/call.sh mounts-double obstacles'
  [ "$status" -eq 0 ]
  [ "$output" = "needs tracepoints on system calls, which this kernel was built without (no CONFIG_FTRACE_SYSCALLS)" ]
}

@test "root that may not mount is told so" {
  ((EUID == 0)) || skip "needs root"
  make_mounts_double
  run setpriv --bounding-set=-sys_admin bash lib/monitor/call.sh mounts-double obstacles
  [ "$output" = "needs tracefs in a mount namespace of its own, which root may not make here (no CAP_SYS_ADMIN)" ]
}

@test "what is mounted already is taken as it is, and arguments arrive as they were" {
  ((EUID == 0)) || skip "needs root"
  make_mounts_double
  run unshare --mount bash -c 'mountpoint -q /sys/kernel/tracing || mount -t tracefs own /sys/kernel/tracing
    bash lib/monitor/call.sh mounts-double monitor_start tracefs "cat /proc/self/mounts; echo \"a  b\" \"\\\$HOME *\""'
  [ "$(grep -c ' /sys/kernel/tracing tracefs ' <<<"$output")" -eq 1 ]
  [ "${lines[-1]}" = 'a  b $HOME *' ]
}

@test "execsnoop is found by either of its names, and an override goes before both" {
  ((EUID == 0)) || skip "needs root"
  mkdir "$BATS_TEST_TMPDIR/found"
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/found/execsnoop-libbpf"
  chmod +x "$BATS_TEST_TMPDIR/found/execsnoop-libbpf"
  # The folder in which distributions have either is empty here.
  name() {
    unshare --mount bash -c 'mount -t tmpfs tmpfs /usr/sbin; PATH=$PATH:$1 bash lib/monitor/call.sh execsnoop execsnoop_name' - "$BATS_TEST_TMPDIR/found"
  }
  [ "$(name)" = execsnoop-libbpf ]
  [ "$(EXECTAX_EXECSNOOP=/nonexistent/execsnoop name)" = execsnoop ]
}

@test "a user to whom a daemon drops its privileges gets to its own log folder and sees no other" {
  ((EUID == 0)) || skip "needs root"
  local scratch
  # Where bats keeps its files, nobody may get to.
  EXECTAX_STATE_DIR=$(mktemp -d /var/tmp/exectax-test.XXXXXX)
  scratch=$EXECTAX_STATE_DIR/scratch/1-1-laurel
  (umask 077 && mkdir -p "$scratch/log" "$scratch/run" && echo secret >"$scratch/run/stderr.txt")
  MONITOR_LOG_DIR=$scratch/log call laurel log_folder_of nobody laurel
  run setpriv --reuid nobody --clear-groups touch "$scratch/log/laurel/audit.log"
  local could_write=$status
  run setpriv --reuid nobody --clear-groups cat "$scratch/run/stderr.txt"
  local could_read=$status
  run setpriv --reuid nobody --clear-groups ls "$scratch"
  local could_list=$status
  run setpriv --reuid daemon --clear-groups ls "$scratch/log/laurel"
  local could_others=$status
  rm -r "$EXECTAX_STATE_DIR"
  [[ $could_write == 0 && $could_read != 0 && $could_list != 0 && $could_others != 0 ]]
}

@test "the state folder has the mode that it had before the run" {
  ((EUID == 0)) || skip "needs root"
  mkdir -m 1777 "$EXECTAX_STATE_DIR"
  use_rooms base host
  host_record_lasting() { UNDO=("$@"); }
  host_make_scratch
  mkdir "$STATE_DIR/scratch/log"
  MONITOR_LOG_DIR=$STATE_DIR/scratch/log call laurel log_folder_of nobody laurel
  "${UNDO[@]}"
  [ "$(stat -c %a "$STATE_DIR")" = 1777 ]
}

@test "a reader of the list that has seen enough is no internal error" {
  local seen
  ((EUID == 0)) || skip "needs root"
  seen=$({ "$ROOT/exectax" list | true; } 2>&1) || true
  echo "$seen"
  [ -z "$seen" ]
}
