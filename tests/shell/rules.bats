#!/usr/bin/env bats
# exectax rules: its options, its plan, the rules that monitors' scripts make, and its table and picture from figures written by hand.

load ../rooms
load ../picture

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state MONITOR_CGROUP=monitor
  export MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" rules --out "$BATS_TEST_TMPDIR/out" "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $BATS_TEST_TMPDIR/out ]]
}

@test "bad options are refused, each in one line" {
  refused "*--rate is '0'*" --monitors auditd-raw --rate 0
  refused "*--counts is '10001', expected numbers of rules*" --monitors auditd-raw --counts 1,10001
  refused "*--counts is '0', expected a number of rules above 0" --monitors auditd-raw --counts 0
  refused "*--reps is '0'*" --monitors auditd-raw --reps 0
  refused "*--warmup is '0'*" --monitors auditd-raw --warmup 0
  refused "*--side is 'x'*" --monitors auditd-raw --side x
  refused "*--kinds: none of the monitors has rules of the kind 'watch', expected some of: calls-apart calls-together first-differs last-differs matching paths recorded-first recorded-last unreached watches" --monitors auditd-raw --kinds unreached,watch
  refused "*--kinds is empty*" --monitors auditd-raw --kinds ,
  refused "*--monitors: rules can be added to none of these: execsnoop" --monitors execsnoop
  refused "*unexpected argument 'x'*" --monitors auditd-raw x
}

# A run of two monitors, of which one has one of the two kinds.
use_plan() {
  use_rooms base host monitor measure
  RUN_MONITORS=(none a b)
  OPTIONS=([kinds]="x y" [counts]="0 10 20 40" [rate]=400 [reps]=2 [seed]=5 [warmup]=2 [duration]=4 [instrumented]=3 [side]=4 [syscalls]=0 [load_margin]=3 [monitors]="none a b" [monitor_rules]='' [mix]='' [login_uid]='')
  monitor_fact() {
    case $1:$2 in
      a:rules) echo "w x y" ;;
      b:rules) echo y ;;
      a:side) echo groups ;;
    esac
  }
}

@test "each number of rules of each kind that a monitor has once a repetition, nothing added once a kind; the baseline as often as the one with the most kinds" {
  use_plan
  rules_plan >"$BATS_TEST_TMPDIR/plan"
  [ "$(head -n 1 "$BATS_TEST_TMPDIR/plan")" = "cell,rep,monitor,rate,turn" ]
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/plan" | cut -d, -f1 | paste -sd ' ')" = "$(seq 28 | paste -sd ' ')" ]
  [ "$(awk -F, '$2 == 2 { print $3 "." $5 }' "$BATS_TEST_TMPDIR/plan" | sort | paste -sd ' ')" = \
    "a+x=10.1 a+x=20.1 a+x=40.1 a+y=10.1 a+y=20.1 a+y=40.1 a.1 a.2 b+y=10.1 b+y=20.1 b+y=40.1 b.1 none.1 none.2" ]
  # A group of four and two of five in each repetition: nothing added in each, the baseline in those of five.
  [ "$(awk -F, 'NR > 1 { at = ($1 - 1) % 14; group = ($2 - 1) * 3 + (at > 3) + (at > 8); none[group] += $3 == "none"; bare[group] += $3 ~ /^[ab]$/ } END { for (g = 0; g < 6; g++) printf "%d%d ", none[g], bare[g] }' "$BATS_TEST_TMPDIR/plan")" = "01 11 11 01 11 11 " ]
  diff "$BATS_TEST_TMPDIR/plan" <(rules_plan)
  OPTIONS[seed]=6
  run ! diff "$BATS_TEST_TMPDIR/plan" <(rules_plan)
}

@test "any place can be the baseline's, any rules can come first, and the order differs between repetitions" {
  use_plan
  OPTIONS[reps]=40
  rules_plan | tail -n +2 >"$BATS_TEST_TMPDIR/plan"
  [ "$(awk -F, '$3 == "none" { print ($1 - 1) % 14 }' "$BATS_TEST_TMPDIR/plan" | sort -nu | paste -sd ' ')" = "$(seq -s ' ' 4 13)" ]
  [ "$(awk -F, '{ order[$2] = order[$2] $3 } END { for (rep in order) print order[rep] }' "$BATS_TEST_TMPDIR/plan" | sort -u | wc -l)" -gt 30 ]
  [ "$(awk -F, '($1 - 1) % 14 < 4 && $3 ~ /=/ { print $3 }' "$BATS_TEST_TMPDIR/plan" | sort -u | wc -l)" -eq 9 ]
}

@test "a monitor that takes no more than so many rules has that number in place of all that are higher" {
  use_plan
  [ "$(rules_counts_of a | paste -sd ' ')" = "10 20 40" ]
  monitor_fact() { [[ $1:$2 != b:rules_max ]] || echo 15; }
  [ "$(rules_counts_of a | paste -sd ' ') | $(rules_counts_of b | paste -sd ' ')" = "10 20 40 | 10 15" ]
  OPTIONS[counts]="0 15 20"
  [ "$(rules_counts_of b)" = 15 ]
}

@test "a test's name says monitor, kind and number" {
  use_rooms base host monitor measure
  [ "$(rules_split auditd-raw) | $(rules_split auditd-raw+last-differs=50)" = "auditd-raw - 0 | auditd-raw last-differs 50" ]
}

@test "the time of a plan: each cell is a start, and has window S where its monitor has" {
  use_plan
  local each=$((2 + 4 + 3 + 3 + PLAN_CELL_EXTRA_SECONDS + PLAN_BLOCK_EXTRA_SECONDS))
  [ "$(rules_seconds $'1,1,none,400,1\n2,1,b+y=10,400,1\n3,1,a+x=10,400,1\n4,1,a,400,1')" = $((4 * each + 2 * $(side_seconds 400))) ]
  OPTIONS[side]=0
  [ "$(rules_seconds "4,1,a,400,1")" = "$each" ]
  OPTIONS[syscalls]=1
  [ "$(rules_seconds "4,1,a,400,1")" = $((each + $(syscalls_seconds))) ]
  OPTIONS[syscalls]=0
  [ "$(rules_seconds "")" = 0 ]
}

@test "one monitor takes less than a quarter of an hour" {
  use_rooms base host monitor measure report command
  rules_options --monitors auditd-raw --out "$BATS_TEST_TMPDIR/out"
  RUN_MONITORS=(none auditd-raw)
  (($(rules_seconds "$(rules_plan | tail -n +2)") < 900))
}

@test "as many launches as the plan has, for the check of the disks" {
  use_plan
  # No more than 15 cells in each of two repetitions.
  [ "$(rules_launches)" = "$((30 * 400 * 16)) $((400 * 16))" ]
}

@test "a monitor that has none of the kinds is skipped with a reason" {
  use_plan
  monitor_obstacles() { echo "looked at"; }
  [ "$(rules_obstacles none)" = "looked at" ]
  [ "$(rules_obstacles a)" = "looked at" ]
  OPTIONS[kinds]=x
  [ "$(rules_obstacles b)" = "no rules of these kinds can be added to its own, only: y" ]
  [ "$(rules_obstacles c)" = "no rules of these kinds can be added to its own, only: none" ]
}

@test "each cell is a start of its own, whose script is told of its rules; the one that stops, of those that it has" {
  use_plan
  OPTIONS[out]=$BATS_TEST_TMPDIR
  printf '%s\n' cell,rep,monitor,rate,turn 1,1,a+x=10,400,1 2,1,a,400,1 3,1,a,400,2 4,1,none,400,1 >"$BATS_TEST_TMPDIR/plan.csv"
  note() { echo "$1 [${OPTIONS[monitor_rules]}]" >>"$BATS_TEST_TMPDIR/notes"; }
  block_end() { note end; }
  block_begin() { note "begin $1"; }
  block_cell() {
    note "cell ${1#"$BATS_TEST_TMPDIR/"} $2 $3 $4"
    [ "$(jq -c '[.test, .monitor, .kind, .rules, .turn]' <<<"$5")" != '' ]
    mkdir -p "$1"
    echo "$5" >"$1/cell.json"
    CELL_STATUS=ok
  }
  monitor_start_ms() { echo 120; }
  monitor_rules_loaded() { :; }
  manifest_sessions() { echo 1; }
  rules_measure
  diff - "$BATS_TEST_TMPDIR/notes" <<'NOTES'
end []
begin x-10-1 [x 10]
cell cells/a+x=10/400-1 1 400 a [x 10]
end [x 10]
begin 1 []
cell cells/a/400-1 2 400 a []
end []
begin 1.2 []
cell cells/a/400-1.2 3 400 a []
end []
begin 1 []
cell cells/none/400-1 4 400 none []
end []
NOTES
  [ "$(jq -c '[.test, .monitor, .kind, .rules, .start_ms]' "$BATS_TEST_TMPDIR/cells/a+x=10/400-1/cell.json")" = '["a+x=10","a","x",10,120]' ]
}

@test "where no monitor can run, nothing is measured" {
  use_plan
  OPTIONS[out]=$BATS_TEST_TMPDIR
  RUN_MONITORS=(none)
  rules_plan >"$BATS_TEST_TMPDIR/plan.csv"
  run rules_measure
  [ "$status" -eq 1 ]
  [ "$output" = "exectax: none of these monitors can run here (see above)" ]
}

@test "a cell whose monitor has not all of the rules has failed" {
  use_rooms base host monitor measure
  CELL_STATUS=ok
  checked() {
    echo '{"status": "ok", "reason": ""}' >"$BATS_TEST_TMPDIR/cell.json"
    LOADED=$1
    rules_check "$BATS_TEST_TMPDIR" 5 2>/dev/null
    jq -r '"\(.status): \(.reason)"' "$BATS_TEST_TMPDIR/cell.json"
  }
  monitor_rules_loaded() { echo "$LOADED"; }
  [ "$(checked 5)" = "ok: " ]
  # It can't tell.
  [ "$(checked '')" = "ok: " ]
  [ "$(checked 4)" = "failed: of 5 added rules, 4 were in force at the end" ]
  monitor_rules_loaded() { false; }
  [ "$(checked 5)" = "failed: of 5 added rules, an unknown number were in force at the end" ]
}

call() {
  (cd "$ROOT" && bash lib/monitor/call.sh "$@")
}

@test "the kinds of rules are those that there are templates for, of monitors whose scripts add them" {
  mkdir -p "$BATS_TEST_TMPDIR/monitors/configs/m"
  printf '%s\n' 'DESCRIPTION="a double"' 'monitor_start() { :; }' 'monitor_log() { :; }' >"$BATS_TEST_TMPDIR/monitors/m.sh"
  touch "$BATS_TEST_TMPDIR/monitors/configs/m"/{rules-one,rules-two,other}.txt
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  [ "$(call m facts | grep -w ^rules)" = rules ]
  echo 'monitor_rules() { :; }' >>"$BATS_TEST_TMPDIR/monitors/m.sh"
  [ "$(call m facts | grep -w ^rules)" = "rules one two" ]
}

@test "rules are numbered, comments left out; a kind without a template is an error" {
  mkdir -p "$BATS_TEST_TMPDIR/configs"
  printf '%s\n' '# A comment' 'rule @N@ of @WHOM@ (@N@)' '  more' >"$BATS_TEST_TMPDIR/configs/rules-k.txt"
  source "$ROOT/lib/monitor/facts.sh"
  RULES=$BATS_TEST_TMPDIR/configs
  diff - <(rules_from_template k 2 WHOM='a&b') <<'RULES'
rule 1 of a&b (1)
  more
rule 2 of a&b (2)
  more
RULES
  run rules_from_template other 2
  [ "$status" -eq 1 ]
  [ "$output" = "cannot add rules of the kind other: there is no $RULES/rules-other.*" ]
  [ -z "$(rules_of_run)" ]
  monitor_rules() { echo "$@"; }
  [ "$(MONITOR_RULES="k 7" rules_of_run)" = "k 7" ]
}

# started MONITOR VARIABLE KIND COUNT: its script with rules added; the monitor is a program that ends at once, auditctl notes what it is told.
started() {
  rm -rf "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR"
  mkdir -p "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR" "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "$@" >"%s"\n' "$BATS_TEST_TMPDIR/auditctl" >"$BATS_TEST_TMPDIR/bin/auditctl"
  printf '#!/bin/sh\necho "$@" >"%s"\n' "$BATS_TEST_TMPDIR/arguments" >"$BATS_TEST_TMPDIR/bin/program"
  chmod +x "$BATS_TEST_TMPDIR/bin"/*
  (export PATH=$BATS_TEST_TMPDIR/bin:$PATH MONITOR_RULES="$3 $4" "$2=$BATS_TEST_TMPDIR/bin/program" && call "$1" monitor_start)
}

# audit_rules_in FILE: those that were added and the one that records executions, without what is before them.
audit_rules_in() {
  sed -nE 's/^ *(- )?(-[aw] .*)$/\2/p' "$1"
}

# same_audit_rules KIND COUNT: for all that read audit, each in its form; they are left in the file expected.
same_audit_rules() {
  started floor-audit EXECTAX_FLOOR_AUDIT "$1" "$2"
  audit_rules_in "$MONITOR_RUN_DIR/audit.rules" >"$BATS_TEST_TMPDIR/expected"
  cat "$BATS_TEST_TMPDIR/expected"
  started go-audit EXECTAX_GO_AUDIT "$1" "$2"
  audit_rules_in "$MONITOR_RUN_DIR/go-audit.yaml" | diff "$BATS_TEST_TMPDIR/expected" -
  started auditbeat EXECTAX_AUDITBEAT "$1" "$2"
  audit_rules_in "$MONITOR_RUN_DIR/auditbeat.yml" | diff "$BATS_TEST_TMPDIR/expected" -
}

recording="-a always,exit -F arch=b64 -S execve,execveat -k exectax"

@test "audit's rules are the same for all that read audit, before the one that records executions, and valid" {
  local kind
  for kind in first-differs last-differs matching unreached recorded-last calls-apart paths watches; do
    same_audit_rules "$kind" 3
    [ "$(wc -l <"$BATS_TEST_TMPDIR/expected")" -eq 4 ]
    [ "$(head -n 3 "$BATS_TEST_TMPDIR/expected" | sort -u | grep -c 'exectax-[123]$')" -eq 3 ]
    [[ $(tail -n 1 "$BATS_TEST_TMPDIR/expected") == "$recording" ]]
    case $kind in
      paths | watches)
        [ "$(ls "$MONITOR_LOG_DIR/watched")" = $'1\n2\n3' ]
        [ "$(grep -c " \|=$MONITOR_LOG_DIR/watched/[123] " "$BATS_TEST_TMPDIR/expected")" -ge 3 ]
        ;;
    esac
  done
}

@test "the rules of recorded-first are those of recorded-last, after the one that records executions" {
  same_audit_rules recorded-last 3
  mv "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/last"
  same_audit_rules recorded-first 3
  [[ $(head -n 1 "$BATS_TEST_TMPDIR/expected") == "$recording" ]]
  tail -n 3 "$BATS_TEST_TMPDIR/expected" | diff <(head -n 3 "$BATS_TEST_TMPDIR/last") -
}

@test "one rule names all system calls of calls-apart; no more than there are numbers of none" {
  same_audit_rules calls-apart 12
  [ "$(sed -nE 's/.* -S ([0-9]+) .*/\1/p' "$BATS_TEST_TMPDIR/expected" | paste -sd,)" = "$(seq -s, 1001 1012)" ]
  same_audit_rules calls-together 12
  [ "$(head -n -1 "$BATS_TEST_TMPDIR/expected")" = "-a always,exit -F arch=b64 -S $(seq -s, 1001 1012) -k exectax-1" ]
  MONITOR_RULES="calls-together 1000" run call floor-audit rules_of_run
  [ "$status" -ne 0 ]
  [ "$output" = "a rule can name 999 system calls that nobody makes, expected no more" ]
}

@test "audit's rules in force are counted by their keys; of one rule on several system calls, these" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\ncat <<"RULES"\n-a always,exit -F arch=b64 -S 1001,1002,1003 -F key=exectax-1\n-w /f -p wa -k exectax-2\n-a always,exit -F arch=b64 -S execve,execveat -F key=exectax\nRULES\n' >"$BATS_TEST_TMPDIR/bin/auditctl"
  chmod +x "$BATS_TEST_TMPDIR/bin/auditctl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  [ "$(MONITOR_RULES="watches 2" call floor-audit monitor_rules_loaded)" = 2 ]
  [ "$(MONITOR_RULES="calls-together 3" call floor-audit monitor_rules_loaded)" = 4 ]
  [ "$(MONITOR_RULES='' call floor-audit monitor_rules_loaded)" = 2 ]
}

@test "a run by default has no kinds that are there to be compared with each other" {
  use_rooms base host monitor measure report command
  rules_options --monitors auditd-raw --out "$BATS_TEST_TMPDIR/out"
  [ "${OPTIONS[kinds]}" = "first-differs last-differs matching unreached watches" ]
  rules_options --monitors auditd-raw --out "$BATS_TEST_TMPDIR/out" --kinds paths,watches
  [ "${OPTIONS[kinds]}" = "paths watches" ]
  [ "$(rules_default_kinds "paths calls-apart")" = "paths calls-apart" ]
}

# yaml FILE PATH: that of a document; empty if it is none, or does not parse.
yaml() {
  python3 -c 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))' "$1" | jq -r "$2"
}

@test "go-audit and Auditbeat are given rules in YAML that parses" {
  started go-audit EXECTAX_GO_AUDIT watches 20
  [ "$(yaml "$MONITOR_RUN_DIR/go-audit.yaml" '.rules | length')" = 26 ]
  started auditbeat EXECTAX_AUDITBEAT last-differs 20
  [ "$(yaml "$MONITOR_RUN_DIR/auditbeat.yml" '."auditbeat.modules"[0].audit_rules | rtrimstr("\n") | split("\n") | length')" = 21 ]
}

@test "Falco is given rules in YAML that parses, before the one that records executions" {
  local kind
  for kind in first-differs last-differs unreached; do
    started falco EXECTAX_FALCO "$kind" 12
    [ "$(yaml "$MONITOR_RUN_DIR/further_rules.yaml" 'map(.rule, .condition) | unique | length')" = 24 ]
    [ "$(yaml "$MONITOR_RUN_DIR/further_rules.yaml" 'map(select(.desc and .output and .priority == "INFORMATIONAL" and .source == "syscall")) | length')" = 12 ]
    grep -qx "rules_files: \[$MONITOR_RUN_DIR/further_rules.yaml, $MONITOR_RUN_DIR/exec_rule.yaml\]" "$MONITOR_RUN_DIR/falco.yaml"
  done
}

@test "Tracee and Tetragon are given a policy a rule, each of a name of its own" {
  local kind policy
  for kind in first-differs unreached; do
    started tracee EXECTAX_TRACEE "$kind" 5
    [[ $(cat "$BATS_TEST_TMPDIR/arguments") == *"--policy $MONITOR_RUN_DIR/exec.yaml "*"--policy $MONITOR_RUN_DIR/policies "* ]]
    [ "$(for policy in "$MONITOR_RUN_DIR"/policies/*; do yaml "$policy" '"\(.kind) \(.metadata.name)"'; done | sort -u | paste -sd,)" = \
      "$(printf "Policy $kind-%d\n" 1 2 3 4 5 | paste -sd,)" ]
    touch "$BATS_TEST_TMPDIR/bpf_execve_event.o"
    EXECTAX_TETRAGON_BPF=$BATS_TEST_TMPDIR started tetragon EXECTAX_TETRAGON "$kind" 5
    [[ $(cat "$BATS_TEST_TMPDIR/arguments") == *"--tracing-policy-dir $MONITOR_RUN_DIR/policies"* ]]
    [ "$(for policy in "$MONITOR_RUN_DIR"/policies/*; do yaml "$policy" '"\(.kind) \(.metadata.name) \(.spec.kprobes | length)"'; done | paste -sd,)" = \
      "$(printf "TracingPolicy exectax-$kind-%d 1\n" 1 2 3 4 5 | paste -sd,)" ]
  done
}

@test "Tracee takes 64 policies, of which ours is one" {
  [ "$(call tracee facts | grep ^rules_max)" = "rules_max 63" ]
  mkdir -p "$MONITOR_RUN_DIR/policies"
  MONITOR_RULES="unreached 63" call tracee rules_of_run
  [ "$(ls "$MONITOR_RUN_DIR/policies" | wc -l)" -eq 63 ]
}

@test "osquery is given a pack in JSON that parses; without rules there is none" {
  started osquery-bpf EXECTAX_OSQUERYD first-differs 9
  jq -e '(.packs.exectax.queries | length) == 9 and (.packs.exectax.queries."first-differs-9".query | test("FROM bpf_process_events WHERE path = ./exectax/9.;$"))
    and (.schedule | has("bpf_process_events"))' "$MONITOR_RUN_DIR/osquery.conf"
  MONITOR_RULES='' EXECTAX_OSQUERYD=$BATS_TEST_TMPDIR/bin/program call osquery-audit osquery_exec
  jq -e 'keys == ["schedule"]' "$MONITOR_RUN_DIR/osquery.conf"
}

@test "Sysmon is given rules in XML that parses; without rules, its own alone" {
  local kind
  mkdir "$MONITOR_RUN_DIR"
  for kind in first-differs last-differs; do
    MONITOR_RULES="$kind 6" call sysmon sysmon_configure
    xml='import sys, xml.etree.ElementTree as tree; rules = tree.parse(sys.argv[1]).getroot().findall("./EventFiltering/RuleGroup[@groupRelation=\"or\"]/ProcessCreate"); print([r.get("onmatch") for r in rules], [c.get("name") for c in rules[0]], {len(c) for c in rules[0]})'
    [ "$(python3 -c "$xml" "$MONITOR_RUN_DIR/sysmon.xml")" = "['exclude'] [$(printf "'$kind-%d'\n" 1 2 3 4 5 6 | paste -sd, | sed 's/,/, /g')] {3}" ]
  done
  call sysmon sysmon_configure
  grep -qx ' *<ProcessCreate onmatch="exclude"></ProcessCreate>' "$MONITOR_RUN_DIR/sysmon.xml"
}

# figures FITS POINTS: rows of the run's tables below their headers. A fit is monitor,kind,figure,fixed,slope,low,high[,bend_low,bend_high[,doubling]], a
# point monitor,kind,rules,counted,low,high[,way[,saturated[,status,reason]]].
figures() {
  RUN=$BATS_TEST_TMPDIR/figures
  mkdir -p "$RUN"
  echo '{"kind": "rules", "started": "2026-01-02T03:04:05+00:00", "state": "complete", "skipped": {"gone": "not here"}, "options": {"reps": 1, "duration_s": 2, "rate_per_sec": 400},
    "host": {"os": "Test OS", "kernel": "6.1", "cpus": 2, "cpu_model": "CPU", "virtualisation": "none"}}' >"$RUN/manifest.json"
  {
    echo monitor,kind,figure,exec_per_sec,cells,fixed,fixed_low,fixed_high,slope,slope_low,slope_high,bend_low,bend_high,doubling,doubling_low,doubling_high
    awk -F, -v OFS=, 'NF { print $1, $2, $3, 400, 9, $4, $4 - 1, $4 + 1, $5, $6, $7, $8, $9, $10, ($10 != "" ? $10 - 10 : ""), ($10 != "" ? $10 + 30 : "") }' <<<"$1"
  } >"$RUN/fits.csv"
  {
    echo monitor,kind,rules,counted_us,counted_us_low,counted_us_high,inprogram_method,launched,lost,saturated,status,reason
    awk -F, -v OFS=, 'NF { print $1, $2, $3, $4, $5, $6, ($7 != "" ? $7 : "side-by-side"), 100, 2, ($8 != "" ? $8 : "false"), ($9 != "" ? $9 : "ok"), $10 }' <<<"$2"
  } >"$RUN/rules.csv"
}

# m's slope is 0.6 µs a rule for one kind, and could be none for the other; c is bent.
figures_of_three() {
  figures "m,last,counted_us,200,0.6,0.5,0.7,-1,1,333
m,last,program_us,60,0.6,0.55,0.65,-1,1,100
m,last,getppid,120,3.5,3.25,3.75,-0.2,-0.1,34
m,watches,counted_us,200,0.01,-0.1,0.12,-1,1
c,last,counted_us,150,2,1.5,2.5,0.1,0.2,75" "m,,0,201,190,212
m,last,100,259,250,268
m,last,400,443,430,456,,true
m,watches,100,199,190,210
c,,0,150,140,160
c,last,100,350,340,360
c,last,400,,,,,,failed,died"
}

@test "the table: a slope in ns a rule with its interval, or that it could be none; what bends or lacks figures says so" {
  use_rooms base report
  figures_of_three
  rules_table "$RUN" >"$BATS_TEST_TMPDIR/table"
  cat "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | last | 200 ± 1 | 600 ± 50 | – | 600 ± 100 | 333 (323 to 363) | – | 3.5 ± 0.25 | – | – | 6 of 300 | no line: getppid; host saturated with 400, not in the line |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| m | watches | 200 ± 1 | – | – | not distinguishable from 0 (10 ± 110) | – | – | – | – | – | 4 of 200 |  |' "$BATS_TEST_TMPDIR/table"
  grep -qxF '| c | last | 150 ± 1 | – | – | 2000 ± 500 | 75 (65 to 105) | – | – | – | – | 6 of 300 | no line: counted_us |' "$BATS_TEST_TMPDIR/table"
  [ "$(tail -n 3 "$BATS_TEST_TMPDIR/table")" = $'Without figures, or without some:\n- c with 400 last: failed: died\n- gone: skipped: not here' ]
}

@test "the picture: a line a monitor and kind, its name at its end, points with whiskers" {
  use_rooms base report
  figures_of_three
  rules_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(head -c 4 "$RUN/rules.png" | tail -c 3)" = PNG ]
  texts "$RUN/rules.svg" | grep -Fx 'What an execution costs by number of rules, at 400 a second'
  # From the dearest to the cheapest, where a line ends: at the most rules that it goes through.
  [ "$(places "$RUN/rules.svg" | awk -F'\t' '$1 > 760 { print $2 "\t" $3 }' | sort -n | cut -f2 | paste -sd'|')" = "c, last|m, last|m, watches" ]
  labels_apart "$RUN/rules.svg" 25
  [ "$(whiskers "$RUN/rules.svg" | wc -l)" = 7 ]
  [ "$(hollow "$RUN/rules.svg" | wc -l)" = 1 ]
  [ -z "$(find "$RUN" -name "*.part" -o -name "*.new")" ]
}

@test "the picture: points of two cells have no whiskers" {
  use_rooms base report
  figures_of_three
  mlr -I --csv put '$reps = $rules == 0 ? 5 : 2' "$RUN/rules.csv"
  rules_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(whiskers "$RUN/rules.svg" | wc -l)" = 3 ]
}

@test "without a line there is a table, and it is said that there is no picture" {
  use_rooms base report
  figures "" "m,,0,,,,,,failed,died"
  rules_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  grep -q 'warning: no line could be laid through what was measured, so there is no picture' "$BATS_TEST_TMPDIR/stderr"
  rules_table "$RUN" | grep -qx -- '- m: failed: died'
}

@test "a run of rules is not published" {
  figures "" ""
  echo cell,rep,monitor,rate,turn >"$RUN/plan.csv"
  run --separate-stderr "$ROOT/exectax" publish "$RUN"
  [ "$status" -eq 2 ]
  [[ $stderr == *"is a run of exectax rules, expected one of exectax sweep or exectax saturate" ]]
}
