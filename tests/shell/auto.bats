#!/usr/bin/env bats
# A sweep that goes on by itself: what it measures again, until when, and what it tells. The figures, the clock and the measuring are doubles.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  RUN=$BATS_TEST_TMPDIR/run
  mkdir "$RUN"
  OPTIONS=([out]=$RUN [goes_on]='' [monitors]="none a b c" [rates]="100 200" [reps]=3 [precision]=5 [budget]=3600 [seed]=7
    [warmup]=2 [duration]=3 [instrumented]=2 [side]=0 [syscalls]=0 [calibrate]=0 [load_margin]=3)
  RUN_MONITORS=(none a b c)
  echo '{}' >"$RUN/manifest.json"
  plan_make 7 3 "100 200" none a b c >"$RUN/plan.csv"
  NOW_CS=0
  doubles
}

# table ROW...: precision.csv.
table() {
  echo "test,exec_per_sec,accounted_us,half_width_us,allowed_us,known,again"
  printf '%s\n' "$@"
}

# After the rooms, whose functions these take the place of.
doubles() {
  clock_cs() {
    printf -v "$1" '%d' "$NOW_CS"
  }

  # What is known after each round; the last one stays.
  view_table() {
    echo "$1 $2" >>"$BATS_TEST_TMPDIR/views"
    cat "$BATS_TEST_TMPDIR/table-$(wc -l <"$BATS_TEST_TMPDIR/views")"
  }

  # Cells take as long as planned, times TAKES.
  sweep_measure_cells() {
    cut -d, -f2,3,4 <<<"$1" | sort | paste -sd ' ' >>"$BATS_TEST_TMPDIR/measured"
    NOW_CS=$((NOW_CS + $(sweep_seconds "$1") * ${TAKES:-1} * 100))
  }
}

@test "what is not known is measured again until it is, at the rates below saturation, with the baseline" {
  table a,100,400,30,20,false,true a,200,400,10,20,true,true b,100,400,10,20,true,false >"$BATS_TEST_TMPDIR/table-1"
  table a,100,400,25,20,false,true a,200,400,10,20,true,true c,100,40,6,5,false,true >"$BATS_TEST_TMPDIR/table-2"
  table a,100,400,20,20,true,false a,200,400,10,20,true,false >"$BATS_TEST_TMPDIR/table-3"
  auto_begin
  auto_rounds "$RUN/plan.csv" 2>"$BATS_TEST_TMPDIR/stderr"
  printf '%s\n' "4,a,100 4,a,200 4,none,100 4,none,200" "5,a,100 5,a,200 5,c,100 5,none,100 5,none,200" | diff - "$BATS_TEST_TMPDIR/measured"
  # In the plan, before it is measured.
  [ "$(tail -n +26 "$RUN/plan.csv" | cut -d, -f1 | paste -sd ' ')" = "25 26 27 28 29 30 31 32 33" ]
  [ "$(cut -d, -f2-4 <<<"$(tail -n 5 "$RUN/plan.csv")" | sort | paste -sd ' ')" = "$(tail -n 1 "$BATS_TEST_TMPDIR/measured")" ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/views")" = "$RUN precision.csv" ]
  diff - "$BATS_TEST_TMPDIR/stderr" <<'TEXT'
Measuring again what is not known to 5 % or 5 µs: a.
Measuring again what is not known to 5 % or 5 µs: c a.
accounted is known to 5 % or 5 µs in 2 of 2 cases (a monitor at a rate below saturation).
TEXT
}

@test "a session that had nothing to measure at first calibrates before what it measures again needs it" {
  table a,100,400,30,20,false,true >"$BATS_TEST_TMPDIR/table-1"
  table a,100,400,20,20,true,false >"$BATS_TEST_TMPDIR/table-2"
  calibration_make() {
    [ ! -e "$BATS_TEST_TMPDIR/measured" ]
    cut -d, -f3,4 <<<"$1" | sort | paste -sd ' ' >"$BATS_TEST_TMPDIR/calibrated"
  }
  auto_begin
  auto_rounds "$RUN/plan.csv"
  [ "$(cat "$BATS_TEST_TMPDIR/calibrated")" = "a,100 none,100" ]
  [ -e "$BATS_TEST_TMPDIR/measured" ]
}

@test "when the time is over, what is not known is told, in the manifest too" {
  OPTIONS[budget]=91
  table b,200,,,5,false,true a,100,400,30.5,20,false,true a,200,400,10,20,true,true >"$BATS_TEST_TMPDIR/table-1"
  auto_begin
  run --separate-stderr auto_rounds "$RUN/plan.csv"
  [ "$status" -eq 0 ]
  [ ! -e "$BATS_TEST_TMPDIR/measured" ]
  [ "$stderr" = "accounted is known to 5 % or 5 µs in 1 of 3 cases (a monitor at a rate below saturation); no time is left for the others." ]
  [ "$(jq -c .precision "$RUN/manifest.json")" = '{"percent":5,"known":1,"not_reached":[{"test":"b","exec_per_sec":200,"accounted_us":null,"half_width_us":null},{"test":"a","exec_per_sec":100,"accounted_us":400,"half_width_us":30.5}]}' ]
}

# next [TABLE_ROW...]: the monitors of the next round.
next() {
  auto_monitors "$(auto_next "$RUN/plan.csv" "$(table "$@")")" | tr ' ' '\n' | sort | paste -sd ' '
}

@test "where there is not time for all, the widest intervals are measured again" {
  local -a rows=(c,100,400,50,20,false,true b,100,400,40,20,false,true a,100,400,30,20,false,true)
  # A cell takes 11 s, a block 5: one monitor and the baseline 32 s. The end takes 60 s.
  auto_begin
  [ "$AUTO_END_SECONDS" = 60 ]
  OPTIONS[budget]=124
  [ "$(next "${rows[@]}")" = "a b c" ]
  OPTIONS[budget]=123
  [ "$(next "${rows[@]}")" = "b c" ]
  OPTIONS[budget]=92
  [ "$(next "${rows[@]}")" = c ]
  OPTIONS[budget]=91
  [ "$(next "${rows[@]}")" = "" ]
  OPTIONS[budget]=3600
  [ "$(next c,100,400,1,20,true,false)" = "" ]
}

@test "how long a round takes is told from what has been measured so far" {
  local rows
  OPTIONS[budget]=400
  rows=$(tail -n +2 "$RUN/plan.csv" | head -n 4)
  auto_begin
  # 4 cells in 2 blocks: 54 s, which take 108.
  TAKES=2 sweep_measure_cells "$rows"
  auto_measured "$rows"
  [ "$AUTO_PLANNED_SECONDS" = 54 ]
  # 232 s are left.
  auto_fits 116
  run ! auto_fits 117
  # A session that begins anew knows nothing yet.
  auto_begin
  auto_fits 340
  run ! auto_fits 341
}

@test "the rounds end with the time, however little is known" {
  OPTIONS[budget]=250
  for round in 1 2 3 4 5 6; do
    table a,100,400,50,20,false,true >"$BATS_TEST_TMPDIR/table-$round"
  done
  auto_begin
  # 32 s each, of 190.
  auto_rounds "$RUN/plan.csv" 2>/dev/null
  [ "$(wc -l <"$BATS_TEST_TMPDIR/measured")" -eq 5 ]
}

@test "figures that can't be computed end the run, which can be resumed" {
  view_table() { return 1; }
  run auto_rounds "$RUN/plan.csv"
  [ "$status" -eq 1 ]
}

@test "the time is told before: of the first repetitions, and in all; or for how many monitors it would do" {
  local rows
  # In each repetition 4 blocks of 2 cells: 108 s.
  rows=$(tail -n +2 "$RUN/plan.csv")
  [ "$(sweep_time "$rows")" = "about 5m24s for the first 3 repetitions, then more of what is not known to 5 % or 5 µs, at most 1h00m in all" ]
  OPTIONS[budget]=384
  [[ $(sweep_time "$rows") == *", at most 6m24s in all" ]]
  # With two monitors, 81 s a repetition; with one, 54.
  OPTIONS[budget]=383
  [ "$(sweep_time "$rows")" = "about 5m24s for the first 3 repetitions, more than the 6m23s of --budget (enough for 2 of the monitors): nothing is measured more often" ]
  OPTIONS[budget]=300
  [[ $(sweep_time "$rows") == *"(enough for 1 of the monitors)"* ]]
  OPTIONS[budget]=100
  [ "$(sweep_time "$rows")" = "about 5m24s for the first 3 repetitions, more than the 1m40s of --budget: nothing is measured more often" ]
  OPTIONS[goes_on]=resume OPTIONS[budget]=600
  [ "$(sweep_time "$(head -n 2 <<<"$rows")")" = "about 27s for what is left of the run, then more of what is not known to 5 % or 5 µs, at most 10m00s in all" ]
  OPTIONS[goes_on]=repeat
  [ "$(sweep_time "")" = "nothing at first, then more of what is not known to 5 % or 5 µs, at most 10m00s in all" ]
}

@test "a run that goes on by itself has the disk that its time can fill" {
  # 10 s of 300/s under each start; five starts (the baseline's second) in each of three repetitions.
  OPTIONS[budget]=100
  [ "$(sweep_launches)" = "45000 3000" ]
  # An hour of 150/s.
  OPTIONS[budget]=3600
  [ "$(sweep_launches)" = "540000 3000" ]
  OPTIONS[goes_on]=resume
  sweep_plan() { echo cell,rep,monitor,rate,turn; }
  [ "$(sweep_launches)" = "540000 3000" ]
}

@test "after the first repetitions come the rounds, and no cell is measured again because it was disturbed" {
  OPTIONS[repeat_disturbed]=1
  sweep_disturbed() { echo "$1"; }
  auto_rounds() { echo "rounds of ${1#"$RUN/"} after $AUTO_PLANNED_SECONDS s" >>"$BATS_TEST_TMPDIR/measured"; }
  sweep_measure 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/measured")" = "rounds of plan.csv after 324 s" ]
  [[ $(<"$BATS_TEST_TMPDIR/stderr") == "Time: about 5m24s for the first 3 repetitions, then more "* ]]
}

# The mlr of Debian 13 does so, that of Debian 12 prints [].
@test "of nothing that was measured nothing is known, whatever mlr prints for a table without rows" {
  mlr_that_prints_nothing_double() { cat >/dev/null; }
  for double in mlr_that_prints_nothing_double "command mlr"; do
    eval "mlr() { $double \"\$@\"; }"
    run --separate-stderr auto_tell "$(table | head -n 1)"
    [ "$status" -eq 0 ]
    [ "$stderr" = "accounted is known to 5 % or 5 µs in 0 of 0 cases (a monitor at a rate below saturation)." ]
    [ "$(jq -c .precision "$RUN/manifest.json")" = '{"percent":5,"known":0,"not_reached":[]}' ]
    echo '{}' >"$RUN/manifest.json"
  done
}

@test "the manifest says how a run goes on; what is added by a number says nothing of it" {
  OPTIONS+=([repeat_disturbed]=0 [journald_audit]=off [keep_logs]=no)
  [ "$(sweep_options_json | jq -c '[.reps, .precision_percent, .budget_s]')" = "[3,5,3600]" ]
  [ "$(run_options_gone_on "$(<"$RUN/plan.csv")")" = '{"reps":3,"precision_percent":5,"budget_s":3600}' ]
  [ "$(OPTIONS[side]=auto && sweep_options_json | jq .side_s)" = '"auto"' ]
  [ "$(OPTIONS[side]=3 && sweep_options_json | jq .side_s)" = 3 ]
  unset 'OPTIONS[precision]' 'OPTIONS[budget]'
  [ "$(sweep_options_json | jq -c '[.reps, .precision_percent, .budget_s]')" = "[3,null,null]" ]
  [ "$(run_options_gone_on "$(<"$RUN/plan.csv")")" = '{"reps":3}' ]
}

@test "a run is resumed with its precision and time; what is added to it says its own" {
  jq -n '{options: {seed: 11, precision_percent: 3, budget_s: 90, reps: 3, attached: false}}' >"$RUN/manifest.json"
  unset 'OPTIONS[precision]' 'OPTIONS[budget]'
  OPTIONS[goes_on]=repeat
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[seed]} ${OPTIONS[precision]-none} ${OPTIONS[budget]-none}" = "11 none none" ]
  OPTIONS[goes_on]=resume
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[precision]} ${OPTIONS[budget]}" = "3 90" ]
  jq '.options |= (.precision_percent = null | .budget_s = null)' "$RUN/manifest.json" >"$BATS_TEST_TMPDIR/plain"
  cp "$BATS_TEST_TMPDIR/plain" "$RUN/manifest.json"
  unset 'OPTIONS[precision]' 'OPTIONS[budget]'
  resume_take_options "$RUN" sweep
  run ! auto_is_asked
  OPTIONS[goes_on]=repeat OPTIONS[budget]=90
  [ "$(sweep_plan)" = "$(<"$RUN/plan.csv")" ]
}
