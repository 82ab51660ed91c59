#!/usr/bin/env bats
# The passes of a sweep: how many are measured, what is told after each, and why a run ends. The figures, the clock and the measuring are doubles.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  RUN=$BATS_TEST_TMPDIR/run
  mkdir "$RUN"
  OPTIONS=([out]=$RUN [goes_on]='' [monitors]="none a b c" [rates]="100 200" [reps]='' [precision]=5 [budget]=3600 [seed]=7
    [warmup]=2 [duration]=3 [instrumented]=2 [side]=0 [syscalls]=0 [load_margin]=3)
  RUN_MONITORS=(none a b c)
  echo '{"skipped": {}, "sessions": [{}]}' >"$RUN/manifest.json"
  sweep_plan >"$RUN/plan.csv"
  NOW_CS=0
  doubles
  # A pass: five blocks of two cells, one of them detailed: 10 × 9 + 5 × (5 + 2).
  PASS_SECONDS=125
}

# table ROW...: precision.csv.
table() {
  echo "test,exec_per_sec,counted_us,half_width_us,allowed_us,known"
  printf '%s\n' "$@"
}

# After the rooms, whose functions these take the place of.
doubles() {
  clock_cs() {
    printf -v "$1" '%d' "$NOW_CS"
  }

  # What is known after each pass; the last one stays.
  view_table() {
    echo "$1 $2" >>"$BATS_TEST_TMPDIR/views"
    cat "$BATS_TEST_TMPDIR/table-$(wc -l <"$BATS_TEST_TMPDIR/views")"
  }

  # Cells take as long as planned, times TAKES.
  sweep_measure_cells() {
    cut -d, -f2,3 <<<"$1" | sort -u | paste -sd ' ' >>"$BATS_TEST_TMPDIR/measured"
    # In the plan, before it is measured.
    grep -qxF -- "$(tail -n 1 <<<"$1")" "$RUN/plan.csv"
    NOW_CS=$((NOW_CS + $(sweep_seconds "$1") * ${TAKES:-1} * 100))
  }

  run_report() {
    echo "report $1 with $(tail -n 1 "$RUN/plan.csv" | cut -d, -f2) begun" >>"$BATS_TEST_TMPDIR/reports"
    echo "the ranking"
  }
}

# Of each call, the passes that its rows are of.
measured() {
  while read -r rows; do
    tr ' ' '\n' <<<"$rows" | cut -d, -f1 | sort -u | paste -sd +
  done <"$BATS_TEST_TMPDIR/measured" | paste -sd ' '
}

# outcome MONITOR/RATE-PASS STATUS [REASON]: a cell's.
outcome() {
  mkdir -p "$RUN/cells/$1"
  jq -n --arg test "${1%%/*}" --arg status "$2" --arg reason "${3:-}" '$ARGS.named' >"$RUN/cells/$1/cell.json"
}

@test "passes follow each other until all is known, and after each but the last one there is a report" {
  table a,100,400,30,20,false b,100,400,10,20,true >"$BATS_TEST_TMPDIR/table-1"
  table a,100,400,25,20,false b,100,400,10,20,true >"$BATS_TEST_TMPDIR/table-2"
  table a,100,400,20,20,true b,100,400,10,20,true >"$BATS_TEST_TMPDIR/table-3"
  passes_begin
  passes_run "$RUN/plan.csv" >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr"
  for pass in 1 2 3; do echo "$pass,a $pass,b $pass,c $pass,none"; done | diff - "$BATS_TEST_TMPDIR/measured"
  [ "$PASSES_ENDED" = "all results within 5 % or 5 µs" ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/views")" = "$RUN precision.csv" ]
  printf 'report %s with %d begun\n' "$RUN" 1 "$RUN" 2 | diff - "$BATS_TEST_TMPDIR/reports"
  printf 'the ranking\nthe ranking\n' | diff - "$BATS_TEST_TMPDIR/stdout"
  printf 'The table so far, after %s:\n' 2m05s 4m10s | diff - "$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$RUN/plan.csv" | cut -d, -f1 | paste -sd ' ')" = "$(seq -s ' ' 30)" ]
  [ "$(jq -c .precision "$RUN/manifest.json")" = '{"percent":5,"known":2,"not_reached":[]}' ]
}

@test "the first passes of a run that was asked for more are those of one that was not" {
  passes_plan_next "$RUN/plan.csv" >"$BATS_TEST_TMPDIR/rows"
  tail -n 10 "$RUN/plan.csv" | diff - "$BATS_TEST_TMPDIR/rows"
  OPTIONS[reps]=3 OPTIONS[budget]=''
  sweep_coming | cut -d, -f2- | head -n 20 | diff - <(tail -n +2 "$RUN/plan.csv" | cut -d, -f2-)
}

@test "as many passes as were asked for, whatever is known" {
  OPTIONS[reps]=2 OPTIONS[budget]=''
  view_table() { false; }
  passes_begin
  passes_run "$RUN/plan.csv" >/dev/null 2>&1
  [ "$(measured) $PASSES_ENDED" = "1 2 2 passes asked for" ]
  [ "$(wc -l <"$BATS_TEST_TMPDIR/reports")" -eq 1 ]
}

@test "the run ends when there is no time for another pass, however little is known; one is measured in any case" {
  for pass in 1 2 3 4 5; do
    table b,200,,,5,false a,100,400,30.5,20,false c,100,400,10,20,true >"$BATS_TEST_TMPDIR/table-$pass"
  done
  # A second too few for a third.
  OPTIONS[budget]=$((3 * PASS_SECONDS + 59))
  passes_begin
  passes_run "$RUN/plan.csv" >/dev/null 2>&1
  [ "$(measured) $PASSES_ENDED" = "1 2 --budget of 434s used" ]
  [ "$(jq -c .precision "$RUN/manifest.json")" = '{"percent":5,"known":1,"not_reached":[{"test":"b","exec_per_sec":200,"counted_us":null,"half_width_us":null},{"test":"a","exec_per_sec":100,"counted_us":400,"half_width_us":30.5}]}' ]
  OPTIONS[budget]=60
  { echo "$PLAN_HEADER" && sweep_pass 1 | plan_number 0; } >"$RUN/plan.csv"
  rm "$BATS_TEST_TMPDIR"/{measured,views}
  passes_begin
  passes_run "$RUN/plan.csv" >/dev/null 2>&1
  [ "$(measured) $PASSES_ENDED" = "1 --budget of 1m used" ]
}

@test "how long a pass takes is told from those so far" {
  OPTIONS[budget]=400
  passes_begin
  # What takes twice as long as planned.
  TAKES=2 passes_measure "$RUN/plan.csv" "$(sed -n 2,3p "$RUN/plan.csv")"
  # Two cells in a block: 25 s; 290 s are left.
  [ "$PASSES_PLANNED_SECONDS $PASSES_TOOK_SECONDS $(passes_seconds_left)" = "25 50 290" ]
  passes_fit 145
  run ! passes_fit 146
  # A session that begins anew knows nothing yet.
  passes_begin
  passes_fit 340
  run ! passes_fit 341
}

@test "a report that can't be made ends no run; where all is quiet, tables are shown at the end alone" {
  run_report() {
    echo "the ranking"
    return 1
  }
  run --separate-stderr passes_report
  [ "$status" -eq 0 ]
  [ "$output" = "the ranking" ]
  [ "${stderr_lines[-1]}" = "exectax: warning: the report of the passes so far could not be made; the run goes on" ]
  LOG_QUIET=yes run --separate-stderr passes_report
  [ "$output" = "" ]
}

@test "figures that can't be computed end the run, which can be resumed" {
  view_table() { return 1; }
  passes_begin
  run passes_run "$RUN/plan.csv"
  [ "$status" -eq 1 ]
}

@test "of a run that goes on, what is left of its passes is measured first, pass by pass" {
  OPTIONS[goes_on]=resume OPTIONS[reps]=4 OPTIONS[budget]=''
  { cat "$RUN/plan.csv" && sweep_pass 2 | plan_number 10 && sweep_pass 3 | plan_number 20; } >"$BATS_TEST_TMPDIR/plan"
  cp "$BATS_TEST_TMPDIR/plan" "$RUN/plan.csv"
  RESUME_KEPT=15
  passes_begin
  passes_run "$RUN/plan.csv" >/dev/null 2>&1
  [ "$(measured)" = "2 3 4" ]
  [ "$(wc -l <"$BATS_TEST_TMPDIR/reports")" -eq 2 ]
  # Nothing left, and nothing asked for.
  OPTIONS[goes_on]=repeat
  RESUME_KEPT=40
  rm "$BATS_TEST_TMPDIR"/{measured,reports}
  passes_run "$RUN/plan.csv"
  [ ! -e "$BATS_TEST_TMPDIR/measured" ]
  [ ! -e "$BATS_TEST_TMPDIR/reports" ]
}

@test "a monitor that could not be started is tried once more in the next pass, and then left out, with the reason" {
  outcome a/100-1 not-ready "no room"
  outcome a/200-1 not-ready "no room"
  outcome b/100-1 not-ready "once"
  outcome b/200-1 ok
  outcome c/100-1 failed "died"
  outcome none/100-1 ok
  outcome none/100-1.2 ok
  run --separate-stderr passes_leave_out 1
  [ "$status" -eq 0 ]
  [ "$stderr" = "a could not be started, and is tried once more in the next pass." ]
  # All else is known, but a has its second try.
  table b,100,400,10,20,true | tee "$BATS_TEST_TMPDIR/table-1" >"$BATS_TEST_TMPDIR/table-2"
  passes_begin
  run ! passes_are_over "$RUN/plan.csv"
  outcome a/100-2 not-ready "no
room"
  outcome b/100-2.2 not-ready "for once"
  passes_leave_out 2 2>"$BATS_TEST_TMPDIR/stderr"
  [ "${RUN_MONITORS[*]}" = "none b c" ]
  diff - "$BATS_TEST_TMPDIR/stderr" <<'TEXT'
Skipping a: could not be started in passes 1 and 2, and is in no further one: no\nroom
b could not be started, and is tried once more in the next pass.
TEXT
  [ "$(jq -r '.skipped | keys[]' "$RUN/manifest.json")" = a ]
  [[ $(jq -r .skipped.a "$RUN/manifest.json") == "could not be started in passes 1 and 2,"* ]]
  [ "$(sweep_pass 3 | cut -d, -f2 | sort -u | paste -sd ' ')" = "b c none" ]
  # Pass 12 is another one.
  outcome b/100-12 not-ready
  [ "$(passes_not_ready 2)" = $'a\nb' ]
  [ "$(passes_not_ready 3)" = "" ]
}

@test "where no monitor is left, the run is over; a run of the baseline alone goes on" {
  RUN_MONITORS=(none)
  OPTIONS[reps]=9 OPTIONS[budget]=''
  passes_are_over "$RUN/plan.csv"
  [ "$PASSES_ENDED" = "no monitor can be started" ]
  OPTIONS[monitors]=none
  passes_begin
  run ! passes_are_over "$RUN/plan.csv"
}

@test "the time is told before: of the first table, and in all" {
  local rows
  rows=$(sweep_coming)
  [ "$(passes_how_long "$rows")" = "first table after about 2m05s, then more passes until all is known to 5 % or 5 µs, at most 1h00m in all" ]
  OPTIONS[budget]=185
  [[ $(passes_how_long "$rows") == *", at most 3m05s in all" ]]
  OPTIONS[budget]=180
  [ "$(passes_how_long "$rows")" = "first table after about 2m05s, more than --budget (3m) has time for" ]
  OPTIONS[budget]='' OPTIONS[reps]=3
  [ "$(passes_how_long "$(sweep_coming)")" = "first table after about 2m05s, about 6m15s in all" ]
  OPTIONS[goes_on]=resume OPTIONS[budget]=600
  [ "$(passes_how_long "$(head -n 2 <<<"$rows")")" = "about 25s for what is left of a pass, then more passes until all is known to 5 % or 5 µs, at most 10m00s in all" ]
  OPTIONS[goes_on]=repeat RESUME_KEPT=10
  [ "$(passes_how_long "$(sweep_coming)")" = "about 2m05s a pass, then more passes until all is known to 5 % or 5 µs, at most 10m00s in all" ]
  OPTIONS[budget]='' OPTIONS[reps]=3
  [ "$(passes_how_long "$(sweep_coming)")" = "about 2m05s a pass, about 4m10s in all" ]
}

@test "windows B and S take time in detailed cells alone, a window T in each block" {
  OPTIONS+=([side]=4 [syscalls]=2) MONITOR_WAY=started
  monitor_fact() { [[ $* != "a side" ]] || echo groups; }
  rows=$'1,1,a,100,1,0\n2,1,a,200,1,1\n3,1,b,100,1,1'
  [ "$(sweep_seconds "$rows")" = $((3 * 9 + 2 * 2 + 2 * (5 + 3) + $(side_seconds 200))) ]
  # Plans of older runs do not say it.
  [ "$(sweep_seconds $'1,1,a,100,1\n2,1,a,200,1')" = $((2 * 9 + 2 * 2 + 5 + 3 + $(side_seconds 100) + $(side_seconds 200))) ]
}

@test "a run has the disk that its passes, or its time, can fill" {
  local -i pass each
  # 8 s of 300/s under each of five starts, and 2 s more at one of the rates.
  each=$((8 * 300 + 2 * 200))
  OPTIONS[budget]='' OPTIONS[reps]=2
  pass=$((5 * 8 * 300))
  [ "$(sweep_launches)" = "$((2 * pass + 2 * $(sweep_coming | awk -F, '$6 { sum += $4 } END { print sum }'))) $each" ]
  # An hour of 150/s.
  OPTIONS[budget]=3600
  [ "$(sweep_launches)" = "540000 $each" ]
  OPTIONS[goes_on]=resume RESUME_LEFT='' RESUME_KEPT=10
  [ "$(sweep_launches)" = "540000 $each" ]
}

# The mlr of Debian 13 does so, that of Debian 12 prints [].
@test "of nothing that was measured nothing is known, whatever mlr prints for a table without rows" {
  table | sed 1q >"$BATS_TEST_TMPDIR/table-1"
  cp "$BATS_TEST_TMPDIR"/table-{1,2}
  mlr_that_prints_nothing_double() { cat >/dev/null; }
  for double in mlr_that_prints_nothing_double "command mlr"; do
    eval "mlr() { $double \"\$@\"; }"
    passes_begin
    passes_look_at_precision 1
    [ "$PASSES_ENDED" = "nothing to know better below saturation" ]
    [ "$(jq -c .precision "$RUN/manifest.json")" = '{"percent":5,"known":0,"not_reached":[]}' ]
    echo '{}' >"$RUN/manifest.json"
  done
}

@test "how a run ended is a sentence: how many passes are whole, in what time, and why there is no other" {
  echo '{"sessions": [{}]}' >"$RUN/manifest.json"
  printf '%s\n' pass,cells,measured,whole 1,4,4,true 2,4,4,true 3,4,1,false >"$BATS_TEST_TMPDIR/table-1"
  view_table() { [ "$*" = "$RUN passes.csv" ] && cat "$BATS_TEST_TMPDIR/table-1"; }
  ended() {
    passes_note_end "$RUN" "$1"
    jq -r .outcome "$RUN/manifest.json"
  }
  NOW_CS=1000
  # Before anything was measured.
  [ "$(ended SIGINT)" = "2 passes in 0 s; ended by Ctrl-C" ]
  passes_begin
  NOW_CS=$((1000 + 31 * 6000))
  [ "$(ended SIGINT)" = "2 passes in 31 min; ended by Ctrl-C" ]
  [ "$(ended SIGTERM)" = "2 passes in 31 min; ended by SIGTERM" ]
  [ "$(ended "the disk is full")" = "2 passes in 31 min; ended early: the disk is full" ]
  PASSES_ENDED="--budget of 20m used"
  sed -i 2,3d "$BATS_TEST_TMPDIR/table-1"
  [ "$(ended "")" = "no whole pass in 31 min; --budget of 20m used" ]
  echo '{"sessions": [{}, {}]}' >"$RUN/manifest.json"
  [ "$(ended "")" = "no whole pass in 2 sessions; --budget of 20m used" ]
  view_table() { return 1; }
  run passes_note_end "$RUN" ""
  [ "$status" -eq 1 ]
  [ "$(passes_spent 99) $(passes_spent 100) $(passes_spent 5969) $(passes_spent 7800)" = "99 s 2 min 99 min 2 h 10 min" ]
  [ "$(passes_time 90) $(passes_time 1200) $(passes_time 7200)" = "90s 20m 2h" ]
}

@test "the manifest says when a run ends: after a number of passes, or by itself" {
  OPTIONS+=([journald_audit]=off [keep_logs]=no)
  RUN_KIND=sweep
  [ "$(sweep_options_json | jq -c '[.reps, .precision_percent, .budget_s]')" = "[null,5,3600]" ]
  [ "$(run_options_gone_on)" = '{"reps":null,"precision_percent":5,"budget_s":3600}' ]
  [ "$(OPTIONS[side]=auto && sweep_options_json | jq .side_s)" = '"auto"' ]
  [ "$(OPTIONS[side]=3 && sweep_options_json | jq .side_s)" = 3 ]
  unset 'OPTIONS[precision]' 'OPTIONS[budget]'
  OPTIONS[reps]=3
  [ "$(sweep_options_json | jq -c '[.reps, .precision_percent, .budget_s]')" = "[3,null,null]" ]
  # What it was known to may still be told.
  [ "$(run_options_gone_on)" = '{"reps":3,"budget_s":null}' ]
}

@test "a run is resumed with its number of passes, or precision and time; what is added to it says its own" {
  jq -n '{options: {seed: 11, precision_percent: 3, budget_s: 90, reps: 3, attached: false}}' >"$RUN/manifest.json"
  unset 'OPTIONS[precision]' 'OPTIONS[budget]' 'OPTIONS[reps]'
  OPTIONS[goes_on]=repeat
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[seed]} ${OPTIONS[precision]-none} ${OPTIONS[budget]-none} ${OPTIONS[reps]-none}" = "11 none none none" ]
  OPTIONS[goes_on]=resume
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[precision]} ${OPTIONS[budget]} ${OPTIONS[reps]}" = "3 90 3" ]
  jq '.options |= (.precision_percent = null | .budget_s = null)' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/plain"
  cp "$BATS_TEST_TMPDIR/plain" "$RUN/manifest.json"
  unset 'OPTIONS[precision]' 'OPTIONS[budget]'
  resume_take_options "$RUN" sweep
  passes_are_counted
  OPTIONS[goes_on]=repeat OPTIONS[budget]=90
  [ "$(sweep_plan)" = "$(<"$RUN/plan.csv")" ]
}

@test "where time is limited, a step says what is left of it" {
  clock_cs() { printf -v "$1" '%d' 10000; }
  PASSES_BEGAN_CS=0
  [ "$(sweep_left_of_budget)" = ", 57m20s of --budget" ]
  OPTIONS[budget]=120
  [ "$(sweep_left_of_budget)" = ", 0s of --budget" ]
  OPTIONS[budget]=''
  [ "$(sweep_left_of_budget)" = "" ]
}
