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

# make_monitor NAME TEXT: a script outside the tree that defines the least, and TEXT.
make_monitor() {
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  mkdir -p "$EXECTAX_MONITORS"
  printf '%s\n' 'DESCRIPTION="a double"' 'monitor_start() { :; }' 'monitor_log() { echo "$MONITOR_LOG_DIR/log"; }' "$2" >"$EXECTAX_MONITORS/$1.sh"
}

has_no_problems() {
  local problems
  problems=$(call "$1" script_problems)
  [[ -z $problems ]] || {
    echo "$problems"
    return 1
  }
}

@test "every script says and defines what it must" {
  each_monitor has_no_problems
}

# problem_with TEXT: what keeps a script with TEXT in it from being run.
problem_with() {
  make_monitor wrong "$1"
  call wrong obstacles
}

@test "what is wrong with a script is the reason why it can't run" {
  [ -z "$(problem_with '')" ]
  [ "$(problem_with 'DESCRIPTION=')" = "its script sets DESCRIPTION to '', expected one line" ]
  [ "$(problem_with "DESCRIPTION=\$'two\nlines'")" = "its script sets DESCRIPTION to \$'two\nlines', expected one line" ]
  [ "$(problem_with 'USES=audti')" = "its script sets USES to 'audti', expected audit or nothing" ]
  [ "$(problem_with 'SETS=all')" = "its script sets SETS to 'all', expected audit, falco or nothing" ]
  [ "$(problem_with 'RULES_MAX=many')" = "its script sets RULES_MAX to 'many', expected a number of rules, or nothing" ]
  [ "$(problem_with 'RECORDS=all')" = "its script sets RECORDS to 'all', expected exec, count or nothing" ]
  [ "$(problem_with 'VERIFIED_BY=')" = "its script sets VERIFIED_BY to '', expected one line" ]
  [ "$(problem_with 'KNOBS="buffer 1,N"')" = "its script has 'buffer 1,N' among its KNOBS, expected NAME VALUE,VALUE... WHAT" ]
  [ "$(problem_with 'BUILD_MINUTES=long; monitor_build() { :; }')" = "its script sets BUILD_MINUTES to 'long', expected a number of minutes, or nothing" ]
  [ "$(problem_with 'BUILD_MINUTES=6')" = "its script does not define monitor_build" ]
  [ "$(problem_with 'monitor_build() { :; }')" = "its script defines monitor_build, but does not say in BUILD_MINUTES how long that takes" ]
  [ "$(problem_with 'unset -f monitor_start')" = "its script does not define monitor_start" ]
  [ "$(problem_with 'unset -f monitor_log')" = "its script does not define monitor_log" ]
  [ "$(problem_with 'RECORDS=count')" = "its script does not define monitor_count" ]
  [ "$(problem_with 'RECORDS=nothing')" = "its script does not define monitor_ready" ]
  [ -z "$(problem_with 'RECORDS=nothing; unset -f monitor_log; monitor_ready() { false; }')" ]
}

@test "how executions can be watched and not watched side by side follows from what its script defines" {
  make_monitor both 'monitor_unwatch() { :; }; monitor_switch() { :; }'
  call both facts | grep -x 'side groups'
  make_monitor switch 'monitor_switch() { :; }'
  call switch facts | grep -x 'side switched'
}

@test "switching: as long off as on, in orders that change, and on at the end" {
  make_monitor switch 'monitor_switch() { echo "$1" >>"$MONITOR_RUN_DIR/switched"; }'
  MONITOR_RUN_DIR=$BATS_TEST_TMPDIR call switch switch_phases 4 60000 >"$BATS_TEST_TMPDIR/phases"
  cat "$BATS_TEST_TMPDIR/phases"
  [ "$(tail -n 1 "$BATS_TEST_TMPDIR/switched")" = on ]
  # Whole cycles of four phases, two of each, in one of two orders, each of which is there.
  awk -F, '{ cycle = cycle substr($1, 1, 1) } NR % 4 == 0 { print cycle; cycle = "" } END { if (cycle != "") print "cut" }' "$BATS_TEST_TMPDIR/phases" |
    sort -u | paste -sd ' ' | grep -x 'anna naan'
  # One after the other, and as long as it was to be.
  awk -F, '$2 < last || $3 - $2 < 59000 || $3 - $2 > 1000000 { bad = 1 } { last = $3 } NR == 1 { first = $2 } END { exit bad || !(NR > 20 && last - first >= 4e6) }' "$BATS_TEST_TMPDIR/phases"
}

@test "a script that only says what it is, starts it and names its log gets the defaults" {
  make_monitor least 'monitor_signal() { echo "signal $1"; }'
  [ "$(call least facts)" = "$(printf '%s\n' 'description a double' uses 'records exec' 'actions exec' rules rules_max sets 'events no' side build_minutes 'reference no' \
    "verified_by the distribution's signature" knobs)" ]
  for function in requires install files helpers losses ready; do
    run call least "monitor_$function"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
  done
  [ "$(call least monitor_version)" = unknown ]
  [ "$(call least monitor_stop)" = "signal TERM" ]
}

# A monitor whose program is to be built, and what else keeps it from running, if anything.
make_built() {
  make_monitor built "BUILD_MINUTES=7
    monitor_requires() { requires_built some-daemon 'exectax sweep --install'; $1 }
    monitor_build() { echo built; }"
}

@test "what has to be built says how long that takes: in a run that has looked for something ready, that alone" {
  make_built ''
  [ "$(call built facts | grep build_minutes)" = "build_minutes 7" ]
  [ "$(call built obstacles)" = "some-daemon is not installed (exectax sweep --install, or --install all, which builds it in about 7 min)" ]
  [ "$(MONITOR_INSTALL=yes call built obstacles)" = "some-daemon is not installed: building it takes about 7 min (--install all)" ]
  [ "$(call built programs)" = some-daemon ]
}

@test "nothing is built that is there, or that would not run" {
  make_built ''
  [ "$(call built build)" = built ]
  make_built 'SKIP_REASONS+=("needs another kernel");'
  [ -z "$(call built build)" ]
  make_built ''
  export EXECTAX_SOME_DAEMON=/bin/true
  [ -z "$(call built build)" ]
  [ -z "$(call built obstacles)" ]
  make_monitor least ''
  [ -z "$(call least build)" ]
}

@test "a version that can't be found out is unknown" {
  make_monitor secretive 'monitor_version() { false; }'
  [ "$(call secretive monitor_version)" = unknown ]
  make_monitor secretive 'monitor_version() { echo 1.2; }'
  [ "$(call secretive monitor_version)" = 1.2 ]
}

# A tagged execution is looked for in a log, so a monitor without one would be measured without having shown anything.
@test "by default a monitor that records is not ready without a log" {
  make_monitor logless 'monitor_log() { :; }'
  run call logless monitor_ready
  [ "$status" -ne 0 ]
}

@test "what neither the script nor a default defines, and a monitor that there is not, are errors" {
  make_monitor least 'unset -f monitor_start'
  for function in start count events; do
    run call least "monitor_$function"
    [ "$status" -eq 2 ]
    [ "$output" = "least: its script does not define monitor_$function" ]
  done
  run call nobody facts
  [ "$status" -eq 2 ]
  [ "$output" = "there is no monitor 'nobody', expected one of those that 'exectax list' shows" ]
}

@test "a fact is found by its name, wherever it is, and one that there is not is an error" {
  use_rooms base host monitor
  monitor_call() { printf '%s\n' 'knobs buffer 1,N bytes' uses 'records exec' 'knobs flush yes,no at once' 'description uses what it records' "$*"; }
  [ "$(monitor_fact one records)" = exec ]
  [ "$(monitor_fact one description)" = "uses what it records" ]
  [ -z "$(monitor_fact one uses)" ]
  [ "$(monitor_fact one one)" = facts ]
  [ "$(monitor_knobs one)" = $'buffer 1,N bytes\nflush yes,no at once' ]
  run monitor_fact one recods
  [ "$status" -eq 2 ]
  [ "$output" = "monitor_fact: 'recods' is no fact of a monitor" ]
}

@test "what is recorded: nothing for the baseline and its check, a count for accounting, executions for all others" {
  for monitor in $(basename -s .sh monitors/*.sh); do
    echo "$(call "$monitor" facts | sed -n 's/^records //p') $monitor"
  done | grep -v '^exec ' | sort >"$BATS_TEST_TMPDIR/others"
  diff "$BATS_TEST_TMPDIR/others" - <<<$'count acct\nnothing auditd-norules\nnothing none'
}

@test "who owns the audit socket says so, and has kauditd as its helper and the kernel's losses among its own" {
  printf '#!/bin/sh\necho "lost 12"\n' >"$BATS_TEST_TMPDIR/auditctl"
  chmod +x "$BATS_TEST_TMPDIR/auditctl"
  mkdir -p "$MONITOR_RUN_DIR"
  touch "$MONITOR_RUN_DIR/"{losses,stderr}.txt
  PATH=$BATS_TEST_TMPDIR:$PATH
  for monitor in $(grep -lE "families/auditd?\\.sh" monitors/*.sh | xargs basename -s .sh); do
    echo "$monitor"
    call "$monitor" facts | grep -qx 'uses audit'
    call "$monitor" monitor_helpers | grep -qx 'kthread kauditd'
    [ "$(call "$monitor" monitor_losses 2>/dev/null | grep kernel_audit_lost)" = "kernel_audit_lost 12" ]
  done
}

@test "a fact of a script that fails is an error" {
  make_monitor fails 'false'
  use_rooms base host monitor
  run monitor_fact fails records
  [ "$status" -eq 1 ]
  [ -z "$output" ]
}

# what_records MONITOR: the names of its files for actions, a line each.
what_records() {
  local file
  for file in configs/"$1"/action-*; do
    file=${file##*/action-}
    echo "${file%%.*}"
  done
}

@test "a monitor can be made to record the actions that its folder has files for" {
  make_monitor acts ''
  mkdir -p "$EXECTAX_MONITORS/configs/acts"
  touch "$EXECTAX_MONITORS/configs/acts/"{action-fly.rules,action-fly.conf,action-dive-deep.rules,fiction-walk.rules,action-run}
  [ "$(call acts facts | grep ^actions)" = "actions exec dive-deep fly" ]
  [ -z "$(call acts action_files)" ]
  [ "$(MONITOR_ACTIONS="fly exec dive-deep" call acts action_files)" = \
    "$(printf "$EXECTAX_MONITORS/configs/acts/action-%s\n" fly.conf fly.rules dive-deep.rules)" ]
  MONITOR_ACTIONS="exec swim" run call acts action_files
  [ "$status" -ne 0 ]
  [ "$output" = "cannot record swim: there is no $EXECTAX_MONITORS/configs/acts/action-swim.*" ]
}

@test "a family shares one folder" {
  [[ -n $(what_records falco) && -n $(what_records audit) ]]
  for monitor in falco falco-rules falco-kmod; do
    [ "$(call "$monitor" facts | grep ^actions)" = "actions exec $(what_records falco | paste -sd ' ')" ]
  done
  for monitor in auditd-raw auditd-enriched laurel floor-audit; do
    [ "$(call "$monitor" facts | grep ^actions)" = "actions exec $(what_records audit | paste -sd ' ')" ]
  done
  for monitor in auditbeat go-audit osquery-audit tracee; do
    [ "$(call "$monitor" facts | grep ^actions)" = "actions exec" ]
  done
}

@test "every action of the load is one that some monitor records, and no file is for another" {
  local folder
  for folder in configs/*; do
    what_records "${folder#configs/}"
  done | grep -vx '\*' | sort -u >"$BATS_TEST_TMPDIR/configured"
  sed -nE 's/^ *\.name = "(.*)",$/\1/p' src/execrate/actions/*.c | grep -vx exec | sort >"$BATS_TEST_TMPDIR/actions"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/actions")" -eq "$(ls src/execrate/actions/*.c | grep -cv '/exec\.c$')" ]
  diff "$BATS_TEST_TMPDIR/configured" "$BATS_TEST_TMPDIR/actions"
}

# Falco's is tested with Falco.
@test "the audit rules of a run are those for executions and those for its other actions" {
  local action
  local -a actions
  mapfile -t actions < <(what_records audit)
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "$@" >"%s"\n' "$BATS_TEST_TMPDIR/auditctl" >"$BATS_TEST_TMPDIR/bin/auditctl"
  chmod +x "$BATS_TEST_TMPDIR/bin/auditctl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH MONITOR_ACTIONS="exec ${actions[*]}" EXECTAX_KNOB_BACKLOG=77 run started floor-audit EXECTAX_FLOOR_AUDIT
  [ "$status" -eq 0 ]
  [ "$(cat "$BATS_TEST_TMPDIR/auditctl")" = "-R $MONITOR_RUN_DIR/audit.rules" ]
  {
    sed 's/@BACKLOG@/77/; s/@RULES_[A-Z]*@//' configs/audit/exec.rules
    for action in "${actions[@]}"; do
      sed "s|@EXECRATE@|$ROOT/build/execrate|" "configs/audit/action-$action.rules"
    done
  } | diff - "$MONITOR_RUN_DIR/audit.rules"
}

@test "every template that a monitor fills in is in its folder" {
  ((EUID == 0)) || skip "needs root"
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/auditctl"
  chmod +x "$BATS_TEST_TMPDIR/bin/auditctl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  for pair in auditd-raw:EXECTAX_AUDITD auditd-enriched:EXECTAX_AUDITD auditd-norules:EXECTAX_AUDITD auditbeat:EXECTAX_AUDITBEAT \
    go-audit:EXECTAX_GO_AUDIT osquery-audit:EXECTAX_OSQUERYD; do
    run started "${pair%%:*}" "${pair#*:}"
    echo "$pair: $output"
    [ "$status" -eq 0 ]
    [ -n "$output" ]
  done
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/laurel"
  chmod +x "$BATS_TEST_TMPDIR/bin/laurel"
  EXECTAX_LAUREL=$BATS_TEST_TMPDIR/bin/laurel run started laurel EXECTAX_AUDITD
  [ "$output" = "$(printf '%s\n' -n -c "$MONITOR_RUN_DIR")" ]
  grep -qx "args = --config $MONITOR_RUN_DIR/laurel.toml" "$MONITOR_RUN_DIR/plugins.d/laurel.conf"
  grep -q "$MONITOR_LOG_DIR/laurel" "$MONITOR_RUN_DIR/laurel.toml"
}

@test "a script reads its own folder of configurations, which it or its family names at most once" {
  run grep -nE '\bconfigs/' monitors/*.sh monitors/families/*.sh
  run grep -vE ':(export (CONFIGS|RULES)=\$EXECTAX_ROOT/configs/[a-z-]+|# .*)$' <<<"$output"
  echo "$output"
  [ -z "$output" ]
}

@test "the machine is named as vendors name it, and one that they have nothing for is refused" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  for pair in x86_64:amd64 aarch64:arm64; do
    printf '#!/bin/sh\necho %s\n' "${pair%:*}" >"$BATS_TEST_TMPDIR/bin/uname"
    chmod +x "$BATS_TEST_TMPDIR/bin/uname"
    [ "$(PATH=$BATS_TEST_TMPDIR/bin:$PATH call none download_machine)" = "${pair#*:}" ]
  done
  printf '#!/bin/sh\necho riscv64\n' >"$BATS_TEST_TMPDIR/bin/uname"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run call none download_machine
  [ "$status" -ne 0 ]
  [ -z "$output" ]
}

@test "a knob has its first value unless it is given another" {
  [ "$(call floor-bpf knob buffer)" = 4194304 ]
  [ "$(EXECTAX_KNOB_BUFFER=8192 call floor-bpf knob buffer)" = 8192 ]
  run call floor-bpf knob nothing
  [ "$status" -ne 0 ]
}

# The default is true of what the distribution has only.
says_who_verifies() {
  local getters='(install_from_(repository|tarball|url)|in_build_folder|vendor_packages) '
  ! grep -qE "$getters" $(sources_of "$1") || [[ $(call "$1" facts | sed -n 's/^verified_by //p') != "the distribution's signature" ]]
}

# sources_of MONITOR: its script, and those of families and other monitors that it sources.
sources_of() {
  local source
  echo "monitors/$1.sh"
  sed -nE 's|^source "\$EXECTAX_ROOT/(.*)"$|\1|p' "monitors/$1.sh"
}

@test "a monitor that the distribution does not have says what its download is verified by" {
  each_monitor says_who_verifies
  [ "$(grep -lE 'install_from_(repository|tarball|url) ' monitors/*.sh monitors/families/*.sh | wc -l)" -gt 5 ]
}

@test "what nothing verifies needs to be allowed, and a key is named" {
  for monitor in kunai sysdig; do
    [[ $(call "$monitor" facts | sed -n "s/^verified_by //p") == *--allow-unverified* ]]
  done
  [[ $(call falco facts) == *478B2FBBC75F4237B731DA4365106822B35B1B1F* ]]
}

@test "the files under test are the programs that a monitor needs and what else it names, where they are" {
  make_monitor files 'monitor_requires() { requires_binary one remedy; requires_binary two remedy; }
    monitor_files() { echo "$EXECTAX_ROOT/Makefile"; }'
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/one"
  chmod +x "$BATS_TEST_TMPDIR/one"
  [ "$(EXECTAX_ONE=$BATS_TEST_TMPDIR/one call files binaries)" = "$BATS_TEST_TMPDIR/one"$'\n'"$ROOT/Makefile" ]
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
  make_monitor renders 'monitor_start() { render "$TEMPLATE" "$TARGET" "$@"; }'
  export TEMPLATE=$BATS_TEST_TMPDIR/template TARGET=$BATS_TEST_TMPDIR/target
  run call renders monitor_start
  [ "$status" -ne 0 ]
  [[ $output == *"no value for @SOMETHING@"* ]]
  [ ! -e "$TARGET" ]
}

# obstacles_of HELPER: what a monitor that requires just that is told.
obstacles_of() {
  make_monitor asks "monitor_requires() { $1; }"
  call asks obstacles
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
  run setpriv --bounding-set=-sys_resource bash -c 'ulimit -l 64; bash "$@"' - "$ROOT/lib/monitor/call.sh" asks obstacles
  [[ $output == *"no CAP_SYS_RESOURCE"* ]]
}

# A monitor's script that only needs mounts: monitor_start KINDS COMMAND.
make_mounts_double() {
  make_monitor mounts-double 'monitor_start() { exec_with_mounts "$1" bash -c "$2"; }
    monitor_requires() { requires_syscall_tracepoints; }'
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
  mkdir "$HOST_STATE_DIR/scratch/log"
  MONITOR_LOG_DIR=$HOST_STATE_DIR/scratch/log call laurel log_folder_of nobody laurel
  "${UNDO[@]}"
  [ "$(stat -c %a "$HOST_STATE_DIR")" = 1777 ]
}

@test "a reader of the list that has seen enough is no internal error" {
  local seen
  ((EUID == 0)) || skip "needs root"
  seen=$({ "$ROOT/exectax" list | true; } 2>&1) || true
  echo "$seen"
  [ -z "$seen" ]
}
