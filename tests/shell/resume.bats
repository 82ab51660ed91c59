#!/usr/bin/env bats
# A run that goes on: what is left of it, whether it can, and what its manifest and plan become.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  RUN=$BATS_TEST_TMPDIR/run
  mkdir "$RUN"
  OPTIONS=([out]=$RUN [goes_on]=resume [journald_audit]=off)
  PLAN=$BATS_TEST_TMPDIR/plan
}

# resumed LEFT...: the rows that follow those that are kept.
resumed() {
  printf '%s\n' "$@" | plan_resume "$PLAN" >"$BATS_TEST_TMPDIR/new"
  diff <(head -n 1 "$PLAN") <(head -n 1 "$BATS_TEST_TMPDIR/new") || return
  # What is kept is as it was.
  diff <(awk -F, -v left=" $* " 'NR > 1 && !index(left, " " $1 " ")' "$PLAN") <(tail -n +2 "$BATS_TEST_TMPDIR/new" | grep -xFf "$PLAN") || return
  tail -n +2 "$BATS_TEST_TMPDIR/new" | { grep -vxFf "$PLAN" || true; } | paste -sd ' '
}

# plan ROW...: REP,MONITOR,RATE,TURN
plan() {
  printf '%s\n' "$@" | awk 'BEGIN { print "cell,rep,monitor,rate,turn" } { print NR "," $0 }' >"$PLAN"
}

@test "what is left is measured in its order and goes on counting, after a block of the baseline at its rates" {
  plan 1,a,100,1 1,a,200,1 1,none,200,1 1,none,100,1 1,b,100,1 1,b,200,1
  # b alone: its baseline was in another session.
  [ "$(resumed 5 6)" = "5,1,none,100,2 6,1,none,200,2 7,1,b,100,1 8,1,b,200,1" ]
  [ "$(resumed 6)" = "6,1,none,200,2 7,1,b,200,1" ]
  # From the middle of a block on.
  [ "$(resumed 2 3 4 5 6)" = "2,1,none,200,2 3,1,a,200,1 4,1,none,200,1 5,1,none,100,1 6,1,b,100,1 7,1,b,200,1" ]
}

@test "what begins with the baseline needs no other, but at the rates that it lacks" {
  plan 1,none,200,1 1,none,100,1 1,b,100,1 1,b,200,1
  printf '%s\n' 1 2 3 4 | plan_resume "$PLAN" | diff "$PLAN" -
  [ "$(resumed 2 3 4)" = "2,1,none,200,2 3,1,none,100,1 4,1,b,100,1 5,1,b,200,1" ]
  # The baseline alone.
  [ "$(printf '2\n' | plan_resume "$PLAN" | tail -n 1)" = "5,1,none,100,1" ]
}

@test "a cell out of the midst is measured at the end" {
  plan 1,none,100,1 1,a,100,1 2,a,100,1 2,none,100,1
  [ "$(resumed 2)" = "5,1,none,100,2 6,1,a,100,1" ]
}

@test "a block of the baseline that was planned by a session before and not measured is not planned again" {
  plan 1,none,100,1 1,a,100,1 1,b,100,1
  resumed 3
  cp "$BATS_TEST_TMPDIR/new" "$PLAN"
  printf '%s\n' 3 4 | plan_resume "$PLAN" | diff "$PLAN" -
}

@test "without a baseline, what is left has none either; nothing left is nothing more" {
  plan 1,a,100,1 1,b,100,1
  plan_resume "$PLAN" <<<2 | diff "$PLAN" -
  plan_resume "$PLAN" <<<"" | diff "$PLAN" -
}

@test "what a plan says of detail stays, and the baseline that comes first is as detailed as what it is for" {
  printf '%s\n' "$PLAN_HEADER" 1,1,none,100,1,1 2,1,none,200,1,0 3,1,a,100,1,0 4,1,a,200,1,1 5,1,b,200,1,0 6,1,b,100,1,1 >"$PLAN"
  [ "$(resumed 4 5 6)" = "4,1,none,100,2,1 5,1,none,200,2,1 6,1,a,200,1,1 7,1,b,200,1,0 8,1,b,100,1,1" ]
  [ "$(resumed 3)" = "7,1,none,100,2,0 8,1,a,100,1,0" ]
}

# manifest [FILTER]: of a complete run, with FILTER's changes.
manifest() {
  jq -n '{kind: "sweep", state: "complete", exectax: "v", sessions: [{tag: "x1", state: "complete"}], host: {}, versions: {}, binaries: {},
    skipped: {gone: "not here"}, options: {monitors: ["none", "a", "gone"], rates: [100, 200], duration_s: 7, instrumented_s: 3, side_s: 2, syscalls_s: 6, warmup_s: 1, reps: 2,
    repeat_disturbed: 4, seed: 11, journald_audit: "keep", keep_logs: "yes", attached: false}}' | jq "${1:-.}" >"$RUN/manifest.json"
}

# left_cell MONITOR/RATE-REP STATUS [REASON]
left_cell() {
  local monitor=${1%%/*} rate
  rate=${1#*/}
  mkdir -p "$RUN/cells/$1"
  jq -n --argjson cell "$CELL" --arg test "$monitor" --argjson exec_per_sec "${rate%-*}" --argjson rep "${rate#*-}" --arg status "$2" --arg reason "${3:-}" \
    '$ARGS.named + {turn: 1, session: 1}' >"$RUN/cells/$1/cell.json"
}

@test "left are cells that were not measured to the end, that lack a raw file, or that found no room; not those that failed" {
  local CELL
  manifest
  plan 1,a,100,1 1,a,200,1 1,b,100,1 1,b,200,1 1,none,100,1 1,none,200,1
  cp "$PLAN" "$RUN/plan.csv"
  [ "$(resume_find_left "$RUN" | paste -sd ' ')" = "1 2 3 4 5 6" ]
  CELL=1 left_cell a/100-1 failed died
  CELL=2 left_cell a/200-1 failed "$CELL_OUT_DISK_FULL: no room"
  CELL=3 left_cell b/100-1 not-ready "no room"
  # Went well, but where are its files?
  CELL=4 left_cell b/200-1 ok
  CELL=5 left_cell none/100-1 failed
  : >"$RUN/cells/none/100-1/cell.json"
  find "$RUN" >"$BATS_TEST_TMPDIR/before"
  [ "$(resume_find_left "$RUN" | paste -sd ' ')" = "2 4 5 6" ]
  # The run itself is as it was.
  find "$RUN" | diff "$BATS_TEST_TMPDIR/before" -
}

@test "what a run was begun with is taken from it, but for what is no option any more" {
  manifest '.options += {calibrate_s: 4}'
  OPTIONS=([goes_on]=resume)
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[duration]} ${OPTIONS[out]}" = "7 $RUN" ]
  [[ ! -v OPTIONS[calibrate] ]]
}

@test "a run whose plan can't be read does not go on" {
  manifest
  echo bogus >"$RUN/plan.csv"
  run resume_find_left "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == "exectax: the cells of $RUN can't be read: figures: "* ]]
}

# resumes STATE LEFT...: with a host that is the same.
resumes() {
  local state=$1
  shift
  manifest ".state = \"$state\""
  plan 1,none,100,1 1,a,100,1 1,none,200,1
  cp "$PLAN" "$RUN/plan.csv"
  resume_problem() { echo "${PROBLEM:-}"; }
  tree_version() { echo v; }
  eval "resume_find_left() { printf '%s\n' $* | sed '/^$/d'; }"
  resume_prepare sweep
}

@test "a run is prepared: its monitors but those that were skipped, and what is left" {
  resumes interrupted 2 3
  [ "${RUN_MONITORS[*]}" = "none a" ]
  [ "$(paste -sd ' ' <<<"$RESUME_LEFT") $RESUME_KEPT" = "2 3 1" ]
  [ "$(sweep_plan | resume_rows | paste -sd ' ')" = "2,1,none,100,2 3,1,a,100,1 4,1,none,200,1" ]
  resumes complete 2
  [ "$RESUME_KEPT" = 3 ]
  [ "$(sweep_plan | resume_rows | paste -sd ' ')" = "4,1,none,100,2 5,1,a,100,1" ]
  # All is measured that was planned.
  resumes started ''
  [ "$RESUME_LEFT$RESUME_KEPT" = 3 ]
  [ "$(sweep_plan | resume_rows)" = "" ]
}

@test "a complete run has nothing left: said, exit status 0" {
  run resumes complete ''
  [ "$status" -eq 0 ]
  [ "$output" = "$RUN is complete: there is nothing left to measure." ]
}

@test "passes are added to a complete run only" {
  OPTIONS[goes_on]=repeat
  run resumes interrupted ''
  [ "$status $output" = "2 exectax: '$RUN' is not complete, expected a complete run (--resume makes it one)" ]
  run resumes complete 2
  [ "$status $output" = "2 exectax: '$RUN' is not complete, expected a complete run (--resume makes it one)" ]
  OPTIONS+=([reps]=2 [seed]=11 [rates]="100 200")
  resumes complete ''
  [ "$(sweep_plan | resume_rows)" = "" ]
  cp "$PLAN" "$RUN/plan.csv"
  [ "$(passes_plan_next "$RUN/plan.csv" | cut -d, -f1,2 | paste -sd ' ')" = "4,2 5,2 6,2 7,2 8,2 9,2" ]
}

@test "a host that is another one: exit status 2, and what differs" {
  PROBLEM="the kernel was 1, now it is 2"
  run resumes interrupted 2
  [ "$status $output" = "2 exectax: '$RUN' can't go on: the kernel was 1, now it is 2" ]
}

@test "another version of exectax is told, and no more" {
  resumes interrupted 2
  tree_version() { echo w; }
  [[ $(resume_prepare sweep 2>&1) == *"warning: $RUN was begun with exectax v, this is w"* ]]
}

# The host's own facts, as a run that begins writes them down; changed by FILTER.
begun_on() {
  jq -n --argjson subject "$(manifest_subject)" "\$subject | $1" >"$RUN/manifest.json"
  manifest_difference "$RUN"
}

@test "the host is the same, or what differs is told first" {
  RUN_MONITORS=(a)
  monitor_call() {
    case $2 in
      monitor_version) echo 1.2 ;;
      binaries) printf '%s\n' "$BATS_TEST_TMPDIR"/{first,second} ;;
    esac
  }
  echo 1 >"$BATS_TEST_TMPDIR/first"
  echo 2 >"$BATS_TEST_TMPDIR/second"
  [ "$(begun_on .)" = "" ]
  # A version that is as it was, from another place.
  [ "$(begun_on '.binaries.a[0].path = "/elsewhere"')" = "" ]
  [ "$(begun_on '.host.hostname = "other" | .host.kernel = "1"')" = "the host name was other, now it is $(uname -n)" ]
  [ "$(begun_on '.host.machine_id_sha256 = "7"' | cut -d ' ' -f 1-6)" = "the SHA-256 of /etc/machine-id was 7," ]
  [ "$(begun_on '.host.kernel = "1"')" = "the kernel was 1, now it is $(uname -r)" ]
  [ "$(begun_on '.host.machine = "vax"')" = "the architecture was vax, now it is $(uname -m)" ]
  [[ $(begun_on '.host.cpu_model = "Z80"') == "the CPU model was Z80, now it is "* ]]
  [ "$(begun_on '.host.cpus = 99')" = "the number of CPUs was 99, now it is $(nproc --all)" ]
  [ "$(begun_on '.versions.a = "1.1"')" = "the version of a was 1.1, now it is 1.2" ]
  [ "$(begun_on '.binaries.a[1].sha256 = "7"' | cut -d ' ' -f 1-6)" = "the SHA-256 of $BATS_TEST_TMPDIR/second was 7," ]
  [ "$(begun_on 'del(.binaries.a[1])' | cut -d ' ' -f 1-6)" = "the SHA-256 of $BATS_TEST_TMPDIR/second was none," ]
  [ "$(begun_on '.binaries.a[2] = {path: "/third", sha256: "7"}')" = "the SHA-256 of /third was 7, now it is none" ]
}

@test "a host that can't be compared does not pass for the same" {
  RUN_MONITORS=()
  manifest_difference() { return 3; }
  [ "$(resume_problem sweep)" = "whether the host is the same can't be told (see above)" ]
  RUN_MONITORS=(a)
  sweep_obstacles() { echo "no root"; }
  [ "$(resume_problem sweep)" = "a can't run here any more: no root" ]
}

@test "a further session: the one before was killed unless it says otherwise, and the run is not complete" {
  BLOCK_TAG=x2
  manifest '.sessions[0].state = "started" | .precision = {percent: 5} | .outcome = "1 pass"'
  manifest_go_on "$RUN" '{"reps": 5, "budget_s": 60}'
  [ "$(jq .schema "$RUN/manifest.json")" = "$SCHEMA_NUMBER" ]
  # What it was known to is to be seen again.
  [ "$(jq -c '[.precision, .outcome, .options.budget_s, .options.seed]' "$RUN/manifest.json")" = '[null,null,60,11]' ]
  [ "$(jq -c '[.state, .reason, .ended, .options.reps, (.sessions[] | .tag, .state, .reason)]' "$RUN/manifest.json")" = \
    '["started",null,null,5,"x1","interrupted","killed","x2","started",null]' ]
  [ "$(jq -r '.sessions[1].boot_id' "$RUN/manifest.json")" = "$(</proc/sys/kernel/random/boot_id)" ]
  [ "$(manifest_sessions "$RUN")" = 2 ]
  manifest_end "$RUN" interrupted SIGINT
  [ "$(jq -c '[.state, .reason, (.sessions[] | .state, .reason)]' "$RUN/manifest.json")" = '["interrupted","SIGINT","interrupted","killed","interrupted","SIGINT"]' ]
  BLOCK_TAG=x3
  manifest_go_on "$RUN" '{"reps": 5}'
  manifest_end "$RUN" complete ""
  [ "$(jq -c '[.state, .reason, (.sessions[] | .state)]' "$RUN/manifest.json")" = '["complete",null,"interrupted","interrupted","complete"]' ]
  [ "$(jq '.ended == .sessions[2].ended and (.ended | type) == "string"' "$RUN/manifest.json")" = true ]
}

@test "a session that has not begun does not end another" {
  BLOCK_TAG=x2
  manifest
  cp "$RUN/manifest.json" "$BATS_TEST_TMPDIR/before"
  manifest_end "$RUN" interrupted SIGINT
  diff <(jq -S . "$BATS_TEST_TMPDIR/before") <(jq -S . "$RUN/manifest.json")
}

@test "a file that is written anew is the old one until the new one is there" {
  echo old >"$RUN/file"
  (set -o pipefail && false | manifest_write "$RUN/file") || true
  [ "$(<"$RUN/file")" = old ]
  ! (ulimit -f 0 && trap '' XFSZ && echo new | manifest_write "$RUN/file") 2>/dev/null
  [ "$(<"$RUN/file")" = old ]
  echo new | manifest_write "$RUN/file"
  [ "$(<"$RUN/file")" = new ]
}

@test "what is left says what of the disk is needed" {
  OPTIONS+=([warmup]=1 [duration]=2 [instrumented]=2 [side]=1 [syscalls]=2 [load_margin]=4 [monitors]="none a" [rates]="100 200" [reps]=1)
  resumes interrupted 2 3
  # none and a at 100, none at 200, 10 s each; a block has window B and S once.
  [ "$(sweep_launches)" = "4000 $((300 * 7 + 200 * 3))" ]
  # With the pass after it: three blocks of 7 s, 3 s more at one rate each.
  OPTIONS+=([seed]=7)
  [ "$(OPTIONS[reps]=2 && sweep_launches)" = "$((4000 + 3 * 300 * 7 + 3 * $(plan_pass 7 2 "100 200" none a | awk -F, '$5 { sum += $3 } END { print sum }'))) $((300 * 7 + 200 * 3))" ]
  # One of them is of a monitor that has a window S.
  monitor_fact() { [[ $* != "a side" ]] || echo groups; }
  [ "$(sweep_seconds "$(sweep_plan | resume_rows)")" = $((3 * (5 + 4 + PLAN_CELL_EXTRA_SECONDS) + 3 * (PLAN_BLOCK_EXTRA_SECONDS + 3) + $(side_seconds 100))) ]
  [ "$(sweep_seconds "")" = 0 ]
}

@test "cells of a further session: into folders that are emptied, beside what sessions before have kept of the monitor" {
  OPTIONS+=([warmup]=1 [duration]=2 [instrumented]=3 [side]=0 [syscalls]=0)
  manifest '.sessions += [{tag: "x2"}]'
  mkdir -p "$RUN/cells/a/100-1.2"
  echo left >"$RUN/cells/a/100-1.2/load.json"
  block_begin() { echo "begin $1"; }
  block_end() { :; }
  block_cell() { echo "$2 $3 $4 ${1#"$RUN/"} $(jq -c '[.test, .exec_per_sec, .rep, .turn, .session]' <<<"$5") $6 $7 $(ls "$1" 2>/dev/null)"; }
  OPTIONS[budget]=''
  [ "$(sweep_measure_cells 7,1,a,100,2,0 2>/dev/null)" = "begin 1.2-session2"$'\n''7 100 a cells/a/100-1.2 ["a",100,1,2,2] last 0 ' ]
  # Of an older plan.
  [[ $(sweep_measure_cells 7,1,a,100,2 2>"$BATS_TEST_TMPDIR/stderr") == *" last 1 " ]]
  grep -qE '^\[0/1\] pass 1, a at 100/s, [0-9]+s left of this pass$' "$BATS_TEST_TMPDIR/stderr"
  [ "$(sweep_measure_cells "" 2>/dev/null)" = "" ]
}

# begun KIND OPTION...: the manifest of a run that was begun with these, as far as options go; resumed KIND: what it would be begun with again.
begun() (
  local kind=$1
  shift
  use_rooms base host monitor measure report command
  OPTIONS=()
  "${kind}_options" --out "$BATS_TEST_TMPDIR/new" "$@"
  jq -n --arg kind "$kind" --argjson options "$("${kind}_options_json")" \
    '{schema: 2, $kind, state: "interrupted", exectax: "v", sessions: [{tag: "x1"}], skipped: {}, $options}' >"$RUN/manifest.json"
  : >"$RUN/plan.csv"
)

begun_again() (
  use_rooms base host monitor measure report command
  OPTIONS=()
  "${1}_options" --resume "$RUN"
  [ "${OPTIONS[out]}" = "$RUN" ] || return
  "${1}_options_json"
)

@test "a run of saturate is resumed with its options: limits, knobs, actions and all" {
  begun saturate --monitors falco,auditd-raw --action exec,open --start 50 --max-rate 700 --round 4 --precision 9 --repeat 2 --limit-cpus none,0.5 --limit-memory none,512M \
    --vary buf_size_preset=1,4 --vary backlog=64 --seed 5 --journald-audit keep --keep-logs
  begun_again saturate | diff <(jq .options "$RUN/manifest.json") -
  jq -e '.options | .vary == {buf_size_preset: ["1", "4"], backlog: ["64"]} and .limit_cpus == "- 0.5" and .keep_logs == "yes"' "$RUN/manifest.json"
  begun saturate --monitors auditd-raw
  begun_again saturate | diff <(jq .options "$RUN/manifest.json") -
}

@test "a run of rules is resumed with its options, whoever's login it is now" {
  begun rules --monitors auditd-raw --kinds unreached,watches --counts "10 20" --rate 50 --duration 3 --instrumented 0 --side 0 --syscalls 0 --warmup 1 --reps 2 --seed 5
  begun_again rules | diff <(jq .options "$RUN/manifest.json") -
  jq '.options.login_uid = "4242"' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/manifest.json"
  cp "$BATS_TEST_TMPDIR/manifest.json" "$RUN/manifest.json"
  begun_again rules | jq -e '.login_uid != "4242" and .rate_per_sec == 50'
}

# A run of a set, of two rules of which the kernel took one.
set_begun() {
  mkdir -p "$RUN/set"
  printf '%s\n' '-w /a' '-w /b' >"$BATS_TEST_TMPDIR/30-some.rules"
  begun rules --monitors auditd-raw --rules "$BATS_TEST_TMPDIR/30-some.rules" "$@"
  echo '-w /a' >"$RUN/set/rules"
  echo '-w /a -p rwxa' >"$RUN/set/rules-loaded"
  jq --arg sum "$(cat "$RUN"/set/rules{,-loaded} | sha256sum | cut -d ' ' -f 1)" --arg path "$BATS_TEST_TMPDIR/30-some.rules" \
    '.set = {name: "some", format: "audit", rules: 2, loaded: 1, left_out: [], files: [{$path}], kept_sha256: $sum}' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/manifest.json"
  cp "$BATS_TEST_TMPDIR/manifest.json" "$RUN/manifest.json"
  rm "$BATS_TEST_TMPDIR/30-some.rules"
}

@test "a run of a set is resumed with the rules that it has kept, when its file is gone, and with its mix and login" {
  set_begun --login-uid 4242 --mix open --reps 3
  begun_again rules | diff <(jq .options "$RUN/manifest.json") -
  set_begun --login-uid 4242 --mix none
  begun_again rules | diff <(jq .options "$RUN/manifest.json") -
  begun_again rules | jq -e '.mix == [] and .login_uid == "4242" and .counts == [0, 2] and .set == "some"'
  rulesets_take "$RUN"
  [ "$RULESETS_FORMAT|$RULESETS_COUNT|$RULESETS_RULES|$RULESETS_LOADED|${RULESETS_FILES[*]}" = "audit|2|-w /a|-w /a -p rwxa|$BATS_TEST_TMPDIR/30-some.rules" ]
}

# not_resumed REASON: exit status 2, one line.
not_resumed() {
  run begun_again rules
  echo "$status $output"
  # shellcheck disable=SC2053 # it is a pattern
  [[ $status -eq 2 && $output == "exectax: '$RUN' can't go on: "$1 && ${#lines[@]} -eq 1 ]]
}

@test "a set that is not as it was kept is not measured, nor one that was not kept, nor under another login" {
  set_begun --login-uid 4242
  echo '-w /c' >>"$RUN/set/rules"
  not_resumed "the SHA-256 of its set/rules and set/rules-loaded was *, now it is *"
  set_begun --login-uid 4242
  : >"$RUN/set/rules-loaded"
  not_resumed "the SHA-256 of *"
  set_begun --login-uid 4242
  jq 'del(.set)' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/manifest.json"
  cp "$BATS_TEST_TMPDIR/manifest.json" "$RUN/manifest.json"
  not_resumed "it ended before its set of rules was kept, and has measured nothing"
  set_begun --login-uid 4242
  rm -r "$RUN/set"
  not_resumed "it ended before its set of rules was kept, and has measured nothing"
  set_begun --login-uid 4242
  jq '.options.login_uid = ""' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/manifest.json"
  cp "$BATS_TEST_TMPDIR/manifest.json" "$RUN/manifest.json"
  begun_again() (
    use_rooms base host monitor measure report command
    OPTIONS=()
    rulesets_login_uid() { echo "${OPTIONS[login_uid]:-1000}"; }
    rules_options --resume "$RUN"
  )
  not_resumed "its load was nobody's login, now it would be that of uid 1000"
}

@test "the kernel must take a kept set as it did" {
  RULESETS_FORMAT=audit RULESETS_RULES=$'-w /a\n-w /b' RULESETS_LOADED=$'-w /a -p rwxa\n-w /b -p rwxa'
  audit_try_rules() {
    cat >"$BATS_TEST_TMPDIR/tried"
    printf 'loaded\t%s\n' "${LOADED[@]}"
  }
  LOADED=("-w /a -p rwxa" "-w /b -p rwxa")
  rulesets_try_again
  [ "$(<"$BATS_TEST_TMPDIR/tried")" = "$RULESETS_RULES" ]
  LOADED=("-w /a -p rwxa")
  run rulesets_try_again
  [ "$status $output" = "1 exectax: the kernel does not take the set as it did when the run began: of 2 rules it now has 1, or shows them otherwise" ]
  RULESETS_FORMAT=falco
  rulesets_try_again
}

# kept_tables NAME LINE...: what build/figures makes of the run.
kept_tables() {
  printf '%s\n' "${@:2}" >"$BATS_TEST_TMPDIR/$1"
  view_table() { cat "$BATS_TEST_TMPDIR/$2"; }
}

@test "left of a run of rules are also cells that were not looked at to the end; not those that failed or were not ready" {
  kept_tables cells.csv cell,status,reason,start_ms 1,ok,,100 2,ok,, 3,failed,died, 4,not-ready,never, 5,not-run,, 6,unreadable,,7 "7,failed,$CELL_OUT_DISK_FULL: no,3" 8,ok,,0
  [ "$(rules_find_left "$RUN" | paste -sd ' ')" = "2 5 6 7" ]
}

@test "left of a run of saturate are searches that did not come to their end, or lack a round; not those that failed" {
  printf '%s\n' search,rep,test,monitor,cpus,memory,knobs {1..6},1,a,a,-,-, >"$RUN/plan.csv"
  kept_tables rounds.csv search,search_rounds,status,reason 1,,ok, 1,2,ok, 2,,ok, 2,,ok, 3,2,ok, 4,,unreadable,"\"no, none\"" 4,2,ok, 6,1,failed,died ,,unreadable,
  [ "$(saturate_find_left "$RUN" | paste -sd ' ')" = "2 3 4 5" ]
  # Nothing was measured.
  kept_tables rounds.csv search,search_rounds,status,reason
  [ "$(saturate_find_left "$RUN" | paste -sd ' ')" = "1 2 3 4 5 6" ]
}

# A run of saturate with searches of a, b and c, of which those with numbers LEFT are left.
searches_left() {
  printf '%s\n' search,rep,test,monitor,cpus,memory,knobs 1,1,a,a,-,-, 2,1,b+k=1,b,-,-,k=1 3,2,a,a,-,-, >"$RUN/plan.csv"
  RESUME_LEFT=$(printf '%s\n' "$@")
  OPTIONS+=([limits]=no [soak]=0 [profile]='' [start]=100 [max_rate]=200 [precision]=5 [round]=2 [actions]=exec [vary_k]=1)
  manifest '.kind = "saturate" | .sessions += [{tag: "x2"}]'
  mkdir -p "$RUN"/cells/a/{1-01,1-02,1-03,11-01} "$RUN"/soaks/{a,b+k=1}/1
  echo '{"cell": 8, "test": "a"}' >"$RUN/cells/a/1-02/cell.json"
  jq -n '{cell: 12, test: "a"}' >"$RUN/cells/a/11-01/cell.json"
  jq -n '{cell: 13, test: "b+k=1"}' >"$RUN/soaks/b+k=1/1/cell.json"
  echo '{"achieved_hz": 7}' >"$RUN/ceiling-exec.json"
  host_spawn() { echo spawned; }
  block_begin() { echo "begin $1"; }
  block_end() { :; }
  limits_lift() { :; }
  limits_set() { :; }
  saturate_set_knobs() { :; }
  progress_step() { echo "$1 of $2"; }
  live_cell() { :; }
  monitor_limit_counters() { echo "{}"; }
  saturate_verdict() { echo unreached; }
  block_cell() {
    echo "${1#"$RUN/"} $2 $3 $4 $(jq -c '[.search, .rep, .test, .knobs, .session, .round]' <<<"$5") [$(ls "$1" | paste -sd ' ')]"
    jq -n --argjson cell "$2" '{$cell}' >"$1/cell.json"
    echo '{"achieved_hz": 100}' >"$1/load.json"
  }
}

@test "the searches that are left are made anew, from their first round on; rounds go on counting; what came before them is gone" {
  searches_left 1 3
  [ "$(saturate_plan)" = "$(<"$RUN/plan.csv")" ]
  [ "$(saturate_launches | cut -d ' ' -f 1)" = "$((2 * $(saturate_launches | cut -d ' ' -f 2)))" ]
  saturate_measure >"$BATS_TEST_TMPDIR/made"
  diff - "$BATS_TEST_TMPDIR/made" <<'MADE'
begin search-1-session2
0 of 2
cells/a/1-01 14 100 a [1,1,"a","",2,1] [limits-before.json]
begin search-3-session2
1 of 2
cells/a/2-01 15 100 a [3,2,"a","",2,1] [limits-before.json]
MADE
  [ "$(cd "$RUN/cells" && echo */*)" = "a/1-01 a/11-01 a/2-01" ]
  [ "$(cd "$RUN/soaks" && echo */*)" = "b+k=1/1" ]
  [ "$(jq -c . "$RUN/cells/a/2-01/cell.json")" = '{"cell":15,"start":0,"search_rounds":1}' ]
}

@test "a run of saturate of which nothing is left measures nothing; one that lacks a ceiling measures that" {
  searches_left ''
  [ "$(saturate_measure)" = "" ]
  searches_left 2
  : >"$RUN/ceiling-exec.json"
  wait_for_pid() { :; }
  true &
  [ "$(saturate_measure 2>/dev/null | head -n 1)" = spawned ]
}

@test "the cells of a run of rules that are left are measured anew beside a baseline, in folders that are emptied" {
  printf '%s\n' cell,rep,monitor,rate,turn 1,1,none,50,1 2,1,a+x=10,50,1 3,1,a,50,1 >"$RUN/plan.csv"
  manifest '.kind = "rules" | .sessions += [{tag: "x2"}]'
  RESUME_LEFT=$'2\n3' RESUME_KEPT=1
  OPTIONS+=([rate]=50 [side]=0 [warmup]=1 [duration]=1 [instrumented]=0 [syscalls]=0 [load_margin]=1 [mix]='')
  [ "$(rules_plan | paste -sd ' ')" = "cell,rep,monitor,rate,turn 1,1,none,50,1 2,1,none,50,2 3,1,a+x=10,50,1 4,1,a,50,1" ]
  # Three cells of 3 s.
  [ "$(rules_launches)" = "450 150" ]
  rules_plan >"$RUN/plan.new"
  mv "$RUN/plan.new" "$RUN/plan.csv"
  mkdir -p "$RUN/cells/a+x=10/50-1"
  echo left >"$RUN/cells/a+x=10/50-1/load.json"
  block_begin() { echo "begin $1"; }
  block_end() { :; }
  block_cell() {
    echo "${1#"$RUN/"} $2 $(jq -c '[.test, .turn, .session]' <<<"$5") [$(ls "$1" 2>/dev/null)]"
    mkdir -p "$1"
    echo '{}' >"$1/cell.json"
    CELL_STATUS=ok
  }
  monitor_start_ms() { echo 5; }
  # start_ms is noted last.
  monitor_rules_loaded() { cat "$(find "$RUN/cells" -name cell.json | xargs ls -t | head -n 1)" >>"$BATS_TEST_TMPDIR/looked"; }
  rules_measure >"$BATS_TEST_TMPDIR/made" 2>/dev/null
  diff - "$BATS_TEST_TMPDIR/made" <<'MADE'
begin 1.2-session2
cells/none/50-1.2 2 ["none",2,2] []
begin x-10-1-session2
cells/a+x=10/50-1 3 ["a+x=10",1,2] []
begin 1-session2
cells/a/50-1 4 ["a",1,2] []
MADE
  [ "$(sort -u "$BATS_TEST_TMPDIR/looked")" = '{}' ]
  [ "$(jq .start_ms "$RUN/cells/a/50-1/cell.json")" = 5 ]
  RESUME_KEPT=4
  [ "$(rules_measure)" = "" ]
}
