#!/usr/bin/env bats
# Sets of rules: what of a file is taken for a rule and what never is, how the kernel is asked, and the table of what a set adds. auditctl is a
# double throughout.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_RULE_SETS=$BATS_TEST_TMPDIR/sets
  mkdir "$BATS_TEST_TMPDIR/sets" "$BATS_TEST_TMPDIR/bin"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  printf '#!/bin/sh\necho "$@" >>"%s"\n' "$BATS_TEST_TMPDIR/auditctl" >"$BATS_TEST_TMPDIR/bin/auditctl"
  chmod +x "$BATS_TEST_TMPDIR/bin/auditctl"
}

# parsed LINE...: of a file with these lines.
parsed() {
  use_rooms base host monitor measure
  printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/some.rules"
  rulesets_parse "$BATS_TEST_TMPDIR/some.rules"
}

@test "rules come through as they are, but for spaces; comments and empty lines are nothing" {
  parsed '## comment' '' '  # another' '-w /etc/passwd -p wa -k identity' '  -a  always,exit	-F arch=b64   -S open,openat -F exit=-EACCES -C uid!=euid -k access ' \
    '-A exit,never -F dir=/tmp' $'-w /etc/shadow -p r\r' '-a always,exclude -F msgtype=CWD' '-a never,task -F uid=3' >"$BATS_TEST_TMPDIR/parsed"
  diff - "$BATS_TEST_TMPDIR/parsed" <<'RULES'
rule	-w /etc/passwd -p wa -k identity
rule	-a always,exit -F arch=b64 -S open,openat -F exit=-EACCES -C uid!=euid -k access
rule	-A exit,never -F dir=/tmp
rule	-w /etc/shadow -p r
rule	-a always,exclude -F msgtype=CWD
rule	-a never,task -F uid=3
RULES
}

@test "values without a space before them are given one" {
  [ "$(parsed '-a always,exit -Sopen -Fauid=0 -kfoo')" = $'rule\t-a always,exit -S open -F auid=0 -k foo' ]
}

@test "what locks audit, panics, removes, or changes a setting is left out, with its place and why" {
  parsed '-D' '-e 2' ' -e 1' '-f 2' '-b 8192' '-r 100' '--backlog_wait_time 60000' '--loginuid-immutable' '-c' '-i' >"$BATS_TEST_TMPDIR/parsed"
  cat "$BATS_TEST_TMPDIR/parsed"
  [ "$(grep -c ^left-out "$BATS_TEST_TMPDIR/parsed")" -eq 10 ]
  run ! grep ^rule "$BATS_TEST_TMPDIR/parsed"
  grep -qx $'left-out\tsome.rules:2\tswitches audit on or off, or locks it until the next boot\t-e 2' "$BATS_TEST_TMPDIR/parsed"
  grep -qx $'left-out\tsome.rules:4\tsays whether the kernel panics when audit fails\t-f 2' "$BATS_TEST_TMPDIR/parsed"
  grep -qx $'left-out\tsome.rules:8\tholds until the next boot\t--loginuid-immutable' "$BATS_TEST_TMPDIR/parsed"
}

# Each would be done by auditctl if it came through.
@test "however -e 2 is written, or hidden in a rule, nothing of the line comes through" {
  local line
  for line in '-e2' '-ie 2' '-ie2' '-De2' '--enable 2' '-e	2' '-a always,exit -S open -e 2' '-a always,exit -S open -k x -e 2' '-a always,exit -e2 -S open' \
    '-a always,exit -S open -k -e 2' '-w /f -k -e2' '-w /f -p wa -e 2' '-w /f -e2' '-w -e 2' '-a -e 2' '-e 2 -a always,exit -S open' '-a always,exit -S open -De2' \
    '-a always,exit -S open --loginuid-immutable' '-a always,exit -S open -f 2' '-w /f -f2' '-R /f' '-d always,exit -S open' '-W /f' '-m text' '-q /a,/b' '--reset-lost' \
    '-a always,exit "-e" 2' "-a always,exit '-e' 2" '-a always,exit -F path=/a\ -e 2' '-a always,exit -k $(x)' '-a always,exit -k `x`' 'rm -rf /f' 'e 2'; do
    parsed "$line" >"$BATS_TEST_TMPDIR/parsed"
    [[ $(cat "$BATS_TEST_TMPDIR/parsed") == left-out* ]] || {
      echo "$line: $(cat "$BATS_TEST_TMPDIR/parsed")"
      false
    }
  done
}

@test "what is no rule of audit is not understood" {
  local line
  for line in '-w relative' '-w' '-a always,foo -S open' '-a open' '-a' '-a always,exit -S' '-a always,exit open' '-w /a b -p wa' '-a task,never' '-A never,task'; do
    [[ $(parsed "$line") == left-out* ]]
  done
}

@test "the last check before auditctl: a rule, and nothing else" {
  use_rooms base host
  audit_is_rule -w /f -p wa -k x
  audit_is_rule -a always,exit -F arch=b64 -S open -C uid!=euid -F exit=-13
  run ! audit_is_rule -e 2
  run ! audit_is_rule -a always,exit -S open -e 2
  run ! audit_is_rule -w /f -e2
  run ! audit_is_rule -D
  run ! audit_is_rule -a always,exit --loginuid-immutable
  run audit_try_rules <<<$'-w /f -p wa\n-e 2'
  [ "$status" -eq 1 ]
  [[ $output == *"'-e 2' is no audit rule, so it is not loaded" ]]
  run ! grep -e '-e 2' "$BATS_TEST_TMPDIR/auditctl"
}

@test "what the kernel refuses is told and left out; nothing is left in it" {
  use_rooms base host monitor measure
  export EXECTAX_EXEMPT_GID=77
  cat >"$BATS_TEST_TMPDIR/bin/auditctl" <<AUDITCTL
#!/bin/sh
echo "\$@" >>"$BATS_TEST_TMPDIR/auditctl"
case "\$*" in
  *refused*) echo "Error sending add rule data request (No such file or directory)" >&2; exit 255 ;;
  -l) printf '%s\n' '-w /a -p wa' '-w /b -p rwxa' ;;
esac
AUDITCTL
  printf '%s\n' '-w /a -p wa' '-w /refused/x -p wa' '-e 2' '-w /b' >"$BATS_TEST_TMPDIR/some.rules"
  rulesets_read "$BATS_TEST_TMPDIR/some.rules"
  [ "$(rulesets_count)" = 3 ]
  mkdir "$BATS_TEST_TMPDIR/run"
  rulesets_prepare "$BATS_TEST_TMPDIR/run" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(cat "$BATS_TEST_TMPDIR/run/set/rules")" = $'-w /a -p wa\n-w /b' ]
  [ "$(cat "$BATS_TEST_TMPDIR/run/set/rules-loaded")" = $'-w /a -p wa\n-w /b -p rwxa' ]
  [ "$(cat "$BATS_TEST_TMPDIR/stderr")" = "  left out: -w /refused/x -p wa (the kernel): Error sending add rule data request (No such file or directory)" ]
  [ "$(rulesets_loaded_count)" = 2 ]
  rulesets_json some "$BATS_TEST_TMPDIR/run" | jq -e '(.kept_sha256 | length) == 64 and .rules == 3 and .loaded == 2 and .format == "audit" and (.files[0].sha256 | length) == 64
    and (.left_out | map([.place, .line])) == [["some.rules:3", "-e 2"], ["the kernel", "-w /refused/x -p wa"]]'
  # Emptied at the end, and nothing but rules and what empties and quiets it was executed.
  [ "$(tail -n 3 "$BATS_TEST_TMPDIR/auditctl")" = $'-D\n-e 0\n-a never,task -F gid=77' ]
  run ! grep -vxE -e '-w .*|-D|-e 0|-l|-a never,task -F gid=77' "$BATS_TEST_TMPDIR/auditctl"
}

@test "a set by its name: a file, several of one beginning, packed ones; in the first folder that has it" {
  use_rooms base host monitor measure
  touch "$BATS_TEST_TMPDIR/sets"/{30-stig.rules,30-ospp-v42.rules,30-ospp-v42-1-create.rules,30-pci-dss-v31.rules.gz,README}
  [ "$(rulesets_named stig)" = "$BATS_TEST_TMPDIR/sets/30-stig.rules" ]
  [ "$(rulesets_named pci-dss)" = "$BATS_TEST_TMPDIR/sets/30-pci-dss-v31.rules.gz" ]
  [ "$(rulesets_named ospp | wc -l)" -eq 2 ]
  [ "$(rulesets_named ospp-v42)" = "$BATS_TEST_TMPDIR/sets/30-ospp-v42.rules" ]
  run ! rulesets_named nothing
  [ "$(rulesets_names)" = "ospp-v42 ospp-v42-1-create pci-dss-v31 stig" ]
}

@test "packed files are read, and a folder stands for its rule files in their order" {
  use_rooms base host monitor measure
  mkdir "$BATS_TEST_TMPDIR/rules.d"
  echo '-w /b' | gzip >"$BATS_TEST_TMPDIR/rules.d/20-b.rules.gz"
  echo '-w /a' >"$BATS_TEST_TMPDIR/rules.d/10-a.rules"
  echo '-w /c' >"$BATS_TEST_TMPDIR/rules.d/notes"
  mapfile -t files < <(rulesets_of_path "$BATS_TEST_TMPDIR/rules.d")
  [ "$(rulesets_parse "${files[@]}")" = $'rule\t-w /a\nrule\t-w /b' ]
}

# options ARGUMENT...: what exectax rules makes of them, in this shell.
options() {
  use_rooms base host monitor measure report command
  rules_options --out "$BATS_TEST_TMPDIR/out" "$@"
}

@test "a set is a kind of its own with one number, measured six times in longer windows beside the other actions" {
  printf '%s\n' '-w /a' '-w /b' '-e 2' >"$BATS_TEST_TMPDIR/sets/30-stig.rules"
  options --monitors auditd-raw --set stig
  [ "${OPTIONS[kinds]}|${OPTIONS[counts]}|${OPTIONS[reps]}|${OPTIONS[duration]}|${OPTIONS[side]}|${OPTIONS[syscalls]}" = "stig|0 2|6|6|6|4" ]
  [ "${OPTIONS[mix]}" = "change-namespace connect open read-sensitive write-below-bin" ]
  rules_options_json | jq -e '.set == "stig" and .kinds == ["stig"] and .counts == [0, 2] and (.mix | length) == 5'
  RUN_MONITORS=(none auditd-raw)
  [ "$(rules_plan | awk -F, 'NR > 1 && $2 == 3 { print $3 }' | sort | paste -sd ' ')" = "auditd-raw auditd-raw+stig=2 none" ]
  [ "$(rules_kinds_of falco)" = "" ]
  [ "$(rules_obstacles falco)" = "takes no sets of rules for audit" ]
  [ "$(rules_obstacles osquery-audit)" = "takes no sets of rules for audit" ]
}

@test "without a set there is no mix, and nobody's login" {
  options --monitors auditd-raw
  [ "${OPTIONS[mix]}${OPTIONS[login_uid]}${OPTIONS[monitor_set]}" = "" ]
  [ "${OPTIONS[reps]}" = 1 ]
  rules_options_json | jq -e '.set == null and .mix == []'
  options --monitors falco --rules "$ROOT/configs/falco/exec_rule.yaml" --mix none --login-uid 1000 --reps 2
  [ "${OPTIONS[kinds]}|${OPTIONS[counts]}|${OPTIONS[mix]}|${OPTIONS[login_uid]}|${OPTIONS[reps]}" = "exec_rule|0 1||1000|2" ]
  [ "$(rules_kinds_of falco)" = exec_rule ]
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" rules --out "$BATS_TEST_TMPDIR/out" --monitors auditd-raw "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $BATS_TEST_TMPDIR/out ]]
}

@test "bad sets are refused, each in one line" {
  echo '-w /a' >"$BATS_TEST_TMPDIR/sets/30-stig.rules"
  echo '-e 2' >"$BATS_TEST_TMPDIR/locks.rules"
  mkdir "$BATS_TEST_TMPDIR/empty"
  refused "*--set is 'st*', expected one of those that come with auditd: stig" --set 'st*'
  refused "*--set is 'pci', expected one of those that come with auditd: stig" --set pci
  refused "*--set and --rules: expected one of them" --set stig --rules "$BATS_TEST_TMPDIR/locks.rules"
  refused "*--kinds and --counts: expected without --set and --rules" --set stig --kinds watches
  refused "*--rules: expected at least one rule that can be loaded in: $BATS_TEST_TMPDIR/locks.rules" --rules "$BATS_TEST_TMPDIR/locks.rules"
  refused "*--rules is '/nonexistent', expected a file of rules*" --rules /nonexistent
  refused "*--rules: expected a folder with files that end in .rules" --rules "$BATS_TEST_TMPDIR/empty"
  refused "*expected files for audit only, as the first is" --rules "$BATS_TEST_TMPDIR/sets" --rules "$ROOT/configs/falco/exec_rule.yaml"
  refused "*--mix is 'walk', expected some of: change-namespace *" --set stig --mix walk
  refused "*--mix is 'exec open', expected some of: *" --set stig --mix exec,open
  refused "*--login-uid is 'root', expected a user id*" --set stig --login-uid root
  refused "*--mix and --login-uid: expected with --set or --rules only" --mix open
}

@test "what a set holds is told: sorts of rules, system calls, whom it is about, what is left out" {
  use_rooms base host monitor measure
  cat >"$BATS_TEST_TMPDIR/30-some.rules" <<'RULES'
-e 2
-w /etc/passwd -p wa
-a always,exit -F arch=b64 -S open,openat -F auid>=1000 -F auid!=unset
-a always,exit -F arch=b32 -S open -F auid>=1000 -F auid!=4294967295
-a always,exit -F path=/bin/su -F perm=x
-a never,exit -F dir=/tmp
-a always,exclude -F msgtype=CWD
RULES
  rulesets_read "$BATS_TEST_TMPDIR/30-some.rules"
  rulesets_describe some | tee "$BATS_TEST_TMPDIR/told"
  grep -qx "Set: *some, 6 rules for audit, from: $BATS_TEST_TMPDIR/30-some.rules" "$BATS_TEST_TMPDIR/told"
  grep -qx '  1 watches (-w), 1 rules on a path, 2 on system calls, 1 that leave something out (never), 1 others' "$BATS_TEST_TMPDIR/told"
  grep -qx '  1 for programs of 32 bits (arch), of which the load has none' "$BATS_TEST_TMPDIR/told"
  grep -qx '  system calls, and how many rules name each: open 2, openat 1' "$BATS_TEST_TMPDIR/told"
  OPTIONS[login_uid]=1000
  [ "$(rulesets_login_uid)" = 1000 ]
  rulesets_describe some | grep -qxF '  2 for processes with a login uid only (auid!=unset); that of the load is 1000'
  OPTIONS[login_uid]=4294967295
  [ "$(rulesets_login_uid)" = "" ]
  rulesets_describe some | grep -qxF '  2 for processes with a login uid only (auid!=unset); the load has none, so that none of it is recorded by them (--login-uid)'
  grep -qxF '  left out: -e 2 (30-some.rules:1): switches audit on or off, or locks it until the next boot' "$BATS_TEST_TMPDIR/told"
}

call() {
  (cd "$ROOT" && bash lib/monitor/call.sh "$@")
}

@test "monitors are given the rules of the set as they are, before their own; how many are in force is told by how they were shown" {
  export MONITOR_CGROUP=monitor MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log MONITOR_RULES="stig 2" MONITOR_SET=$BATS_TEST_TMPDIR/rules
  mkdir "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR"
  printf '%s\n' '-w /a -p wa' '-w /b' >"$MONITOR_SET"
  printf '%s\n' '-w /a -p wa' '-w /b -p rwxa' >"$MONITOR_SET-loaded"
  printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/program"
  chmod +x "$BATS_TEST_TMPDIR/bin/program"
  EXECTAX_FLOOR_AUDIT=$BATS_TEST_TMPDIR/bin/program call floor-audit monitor_start
  [ "$(grep -A 3 -x -e '-w /a -p wa' "$MONITOR_RUN_DIR/audit.rules" | sed '/^$/d')" = $'-w /a -p wa\n-w /b\n-a always,exit -F arch=b64 -S execve,execveat -k exectax' ]
  printf '#!/bin/sh\nprintf "%%s\\n" "-w /b -p rwxa" "-a always,exit -F arch=b64 -S execve,execveat -F key=exectax"\n' >"$BATS_TEST_TMPDIR/bin/auditctl"
  [ "$(call floor-audit monitor_rules_loaded)" = 1 ]
}

@test "what is done besides is a load of its own, as often as something is executed; without one there is none" {
  use_rooms base host monitor measure
  OPTIONS=([mix]="open connect" [warmup]=2 [duration]=6 [instrumented]=3 [load_margin]=1)
  BUILD=/build CELL_PROBLEM=''
  host_spawn() {
    echo "$*" >>"$BATS_TEST_TMPDIR/spawned"
    echo '{"asked": 9, "failed": 0, "missed": 2}' >"$BATS_TEST_TMPDIR/mix.json"
    true &
  }
  cell_begin_mix "$BATS_TEST_TMPDIR" 400
  cell_end_mix "$BATS_TEST_TMPDIR" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(cat "$BATS_TEST_TMPDIR/spawned")" = "load /build/execrate --rate 400 --duration 12 --action open,connect --json $BATS_TEST_TMPDIR/mix.json" ]
  [[ $(cat "$BATS_TEST_TMPDIR/stderr") == *"besides executing, 0 failed and 2 of 9 were not started in time" ]]
  [ -z "$CELL_PROBLEM" ]
  OPTIONS[mix]=''
  cell_begin_mix "$BATS_TEST_TMPDIR" 400
  cell_end_mix "$BATS_TEST_TMPDIR"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/spawned")" = 1 ]
}

@test "the load is a login user's if that is asked for, and nothing else is" {
  use_rooms base host
  cgroup_enter() { :; }
  host_set_login_uid() { echo "login $1" >>"$BATS_TEST_TMPDIR/logins"; }
  OPTIONS=([login_uid]=1000)
  host_spawn sampler true
  host_spawn monitor true
  [ ! -e "$BATS_TEST_TMPDIR/logins" ]
  host_spawn load true
  [ "$(cat "$BATS_TEST_TMPDIR/logins")" = "login 1000" ]
  OPTIONS=()
  host_spawn load true
  [ "$(wc -l <"$BATS_TEST_TMPDIR/logins")" = 1 ]
  wait
}

@test "lines of the log in window A become records a second" {
  use_rooms base host monitor measure
  printf 'before\none\ntwo\nthree\nafter\n' >"$BATS_TEST_TMPDIR/log"
  logs_follow "$BATS_TEST_TMPDIR/log"
  [ "$(logs_lines 7 21)" = 3 ]
  CELL_STATUS=ok CELL_COUNTABLE=yes
  echo '{"start": 7, "end": 21, "start_real_us": 1000000, "end_real_us": 3000000}' >"$BATS_TEST_TMPDIR/log-bytes.json"
  echo '{"status": "ok"}' >"$BATS_TEST_TMPDIR/cell.json"
  rules_note_records "$BATS_TEST_TMPDIR"
  [ "$(jq -c . "$BATS_TEST_TMPDIR/cell.json")" = '{"status":"ok","records_per_sec":1.5}' ]
  logs_follow "$BATS_TEST_TMPDIR/log" "$BATS_TEST_TMPDIR/another"
  [ "$(logs_lines 7 21)" = "" ]
}

@test "the table: without the set, with it, and what it adds; what is not in force is told" {
  use_rooms base report
  RUN=$BATS_TEST_TMPDIR/figures
  mkdir "$RUN"
  echo '{"kind": "rules", "options": {"set": "stig", "mix": ["open", "connect"], "login_uid": "1000"}, "skipped": {"gone": "not here"},
    "set": {"name": "stig", "rules": 34, "loaded": 32, "format": "audit", "left_out": [{}, {}]}}' >"$RUN/manifest.json"
  cat >"$RUN/sets.csv" <<'ROWS'
monitor,set,rules,figure,unit,exec_per_sec,reps_without,reps,without,without_low,without_high,with,with_low,with_high,added,added_low,added_high
m,stig,34,daemon_us,µs per execution,400,6,5,100.04,98,102,120,117,123,20,16,24
m,stig,34,program_us,µs per execution,400,6,5,40,38,42,41,39,43,1,-2,4
m,stig,34,getppid,ns per call,400,6,5,200,190,210,350,340,360,150,140,160
ROWS
  printf '%s\n' monitor,kind,rules,exec_per_sec,inprogram_method,status,reason,saturated m,,0,400,run-time,ok,,false m,stig,34,400,run-time,failed,died,false >"$RUN/rules.csv"
  rules_table_of_set "$RUN" | tee "$BATS_TEST_TMPDIR/table"
  grep -qx 'Set stig: 34 rules for audit, 32 of them in force, 2 lines left out (manifest.json says which, and why).' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | daemon_us | µs per execution | 100 ± 2 | 120 ± 3 | 20 ± 4 | 6, 5 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | program_us | µs per execution | 40 ± 2 | 41 ± 2 | 1 ± 3 (not distinguishable from 0) | 6, 5 |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | getppid | ns per call | 200 ± 10 | 350 ± 10 | 150 ± 10 | 6, 5 |' "$BATS_TEST_TMPDIR/table"
  grep -q 'the load is 400 executions a second, and as many of open, connect, in turn, of the login uid 1000' "$BATS_TEST_TMPDIR/table"
  [ "$(tail -n 2 "$BATS_TEST_TMPDIR/table")" = $'- m with stig: failed: died\n- gone: skipped: not here' ]
}
