#!/usr/bin/env bats
# The tables of a report, from small tables of figures that are written by hand.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  use_rooms base report
  RUN=$BATS_TEST_TMPDIR
  echo '{"options": {"attached": false}}' >"$RUN/manifest.json"
  echo "test,exec_per_sec,best,worst,apart" >"$RUN/ranks.csv"
  echo "test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high,p,significant" >"$RUN/differences.csv"
  echo "test,exec_per_sec,total_cpu,total_cpu_low,total_cpu_high,saturated,launched,lost,daemon_us,daemon_us_low,daemon_us_high,total_overhead,total_overhead_low,total_overhead_high,status,reason" >"$RUN/perf.csv"
}

# row TEST,RATE,CPU,LOW,HIGH,SATURATED,LAUNCHED,LOST,DAEMON,LOW,HIGH,TOTAL,LOW,HIGH,STATUS,REASON
row() {
  echo "$1" >>"$RUN/perf.csv"
}

# rank TEST RATE BEST WORST, or TEST RATE "" "" WHY-NOT
rank() {
  echo "$1,$2,$3,$4,\"${5:-}\"" >>"$RUN/ranks.csv"
}

# Of a table on stdin, the names in the first column, on one line.
names() {
  sed -nE 's/^\| ([a-z]+) \|.*/\1/p' | grep -v monitor | paste -sd ' '
}

@test "ranked ones first, from the one that costs least on; what is not ranked comes last, with why" {
  row none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row none,200,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row dear,100,9,8,10,false,100,0,50,40,60,200,150,250,ok,
  row dear,200,19,18,20,false,100,0,50,40,60,200,150,250,ok,
  row b,100,4,3,5,false,100,0,20,10,30,90,40,140,ok,
  row b,200,7,5,9,false,100,0,20,10,30,90,40,140,ok,
  row a,100,5,4,6,false,100,0,21,10,32,100,50,150,ok,
  row a,200,8,6,10,true,100,3,21,10,32,100,50,150,ok,
  row ref,200,1,1,1,false,100,0,21,10,32,100,50,150,ok,
  rank a 200 1 2
  rank b 200 1 2
  rank dear 200 3 3
  rank ref 200 "" "" "a reference, not a product"
  rank dear 100 1 1
  run --separate-stderr results_ranking "$RUN" 800
  [ "$status" -eq 0 ]
  # Those that share ranks come by name, not by their means.
  [ "$(names <<<"$output")" = "a b dear ref" ]
  [[ ${lines[0]} == "| monitor | rank at 200/s | 100/s | 200/s | lost | notes |" ]]
  [[ ${lines[2]} == "| a | 1–2 | 5 ± 1 | 8 ± 2 | 3 of 200 | host saturated at 200/s |" ]]
  [[ ${lines[3]} == "| b | 1–2 | 4 ± 1 | 7 ± 2 | 0 of 200 |  |" ]]
  [[ ${lines[4]} == "| dear | 3 | 9 ± 1 | 19 ± 1 | 0 of 200 |  |" ]]
  [[ ${lines[5]} == "| ref | – | – | 1 ± 0 | 0 of 100 | a reference, not a product |" ]]
  [[ $output == *"Rank: by the total at 200/s"* ]]
  run --separate-stderr results_costs "$RUN" 800
  [[ ${lines[2]} == "| a (host saturated) | 1–2 | "* && ${lines[4]} == "| dear | 3 | "* && ${lines[5]} == "| ref | – | "* ]]
}

@test "own builds carry a dagger wherever their name stands, and it is said what was changed" {
  echo '{"options": {"attached": false}, "own_builds": {"a": "no kprobes", "b": ""}}' >"$RUN/manifest.json"
  row none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row a,100,5,4,6,false,100,0,21,10,32,100,50,150,ok,
  rank a 100 1 1
  [[ $(results_ranking "$RUN" 100) == *"| a † | 1 | 5 ± 1 |"* ]]
  [[ $(results_costs "$RUN" 100) == *"| a † | 1 | "* ]]
  [ "$(results_own_builds "$RUN")" = $'\n† Own builds: a (no kprobes); b.' ]
  mlr -I --icsv --ocsv put '$total_us = $total_overhead; $achieved_per_sec = $exec_per_sec' "$RUN/perf.csv"
  results_plot "$RUN"
  results_plot_parts "$RUN" 100
  grep -F 'a †' "$RUN/perf.svg"
  grep -F 'a †' "$RUN/parts.svg"
  echo '{"options": {"attached": false}}' >"$RUN/manifest.json"
  [ -z "$(results_own_builds "$RUN")" ]
}

@test "without intervals, no ranks" {
  row none,100,0,,,false,100,,0,,,0,,,ok,
  row a,100,5,,,false,100,0,21,,,100,,,ok,
  rank a 100 "" "" "its total has no interval"
  run --separate-stderr results_ranking "$RUN" 800
  [[ ${lines[2]} == "| a | – | 5 | 0 of 100 | its total has no interval |" ]]
  [[ $output != *"Rank:"* ]]
  run --separate-stderr results_costs "$RUN" 800
  [[ ${lines[2]} == "| a | – | – | 100 % | 21 | "* ]]
  [[ $output == *"No intervals: too little was measured"* ]]
}

@test "at rest: a table of its own, no rank, and not the rate at which it is shown who pays" {
  sed -i '1s/$/,cpu,daemon_cpu,daemon_cpu_low,daemon_cpu_high,services_cpu,memory_peak_bytes,host_busy,host_busy_low,host_busy_high/' "$RUN/perf.csv"
  row none,0,0,0,0,false,,,,,,,,,ok,,0,0,0,0,0,,1.5,1,2
  row none,1600,0,0,0,true,100,,0,0,0,0,-1,1,ok,,0,0,0,0,0,,150,140,160
  row a,0,0.5,0.4,0.6,false,,,,,,,,,ok,,0.5,0.5,0.4,0.6,0,2097152,2,1.5,2.5
  row a,1600,9,8,10,true,100,0,50,40,60,200,150,250,ok,,9,9,8,10,0,2097152,170,160,180
  row b,0,0.3,0.2,0.4,false,,,,,,,,,ok,,0.3,0.2,0.1,0.3,0.1,,2,1.5,2.5
  row b,1600,9,8,10,true,100,0,50,40,60,200,150,250,ok,,9,9,8,10,0,,170,160,180
  rank a 1600 "" "" "the host was saturated"
  run --separate-stderr results_ranking "$RUN" 800
  [[ ${lines[0]} == "| monitor | rank at 1600/s | at rest | 1600/s | lost | notes |" ]]
  [[ $output == *"| a | – | 0.5 ± 0.1 | 9 ± 1 | "* ]]
  run --separate-stderr results_rest "$RUN"
  [ "${lines[2]}" = "| none | – | – | – | 1.5 ± 0.5 |" ]
  [ "${lines[3]}" = "| b | 0.2 ± 0.1 | 0.1 | – | 2 ± 0.5 |" ]
  [ "${lines[4]}" = "| a | 0.5 ± 0.1 | 0 | 2 MiB | 2 ± 0.5 |" ]
  # As far from 800 as 1600 is.
  [ "$(results_nearest_rate "$RUN" 800)" = 1600 ]
  # Nothing was launched.
  sed -i '/,1600,/d' "$RUN/perf.csv"
  [ "$(results_nearest_rate "$RUN" 800)" = 0 ]
  [ -z "$(results_costs "$RUN" 800)" ]
  sed -i '/,0,/d' "$RUN/perf.csv"
  [ -z "$(results_rest "$RUN")" ]
}

@test "of what was attached to, the machine's total is not known: the monitor's own CPU by rate" {
  sed -i '1s/total_cpu/cpu/g' "$RUN/perf.csv"
  row unit:a,100,5,4,6,false,100,0,21,10,32,,,,ok,
  run --separate-stderr results_ranking "$RUN" 800
  [[ $output == *"| unit:a | – | 5 ± 1 | 0 of 100 |"*"CPU of the monitor, its services and its eBPF programs"* ]]
}

@test "what has no figures is a list of its own; a saturated rate and a failed one are notes" {
  row none,100,0,,,false,100,,0,,,0,,,ok,
  row some,100,5,,,true,100,0,21,,,100,,,ok,
  row some,200,,,,,,,,,,,,,failed,died
  row "broken,100,,,,,,,,,,,,,unreadable,load.json is missing"
  row "gone,,,,,,,,,,,,,,skipped,not here"
  run --separate-stderr results_ranking "$RUN" 100
  echo "$output"
  [ "$(names <<<"$output")" = some ]
  [[ ${lines[2]} == "| some | – | 5 | – | 0 of 100 | host saturated at 100/s; failed: died |" ]]
  [ "$(printf '%s\n' "${lines[@]: -3}")" = $'Without figures:\n- broken: unreadable: load.json is missing\n- gone: skipped: not here' ]
}

@test "a cost that could be zero is not distinguishable from none" {
  row none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row a,100,5,4,6,false,100,0,21,10,32,-36,-90,18,ok,
  row b,100,5,4,6,false,100,0,21,10,32,60,20,100,ok,
  rank a 100 1 1
  rank b 100 2 2
  run --separate-stderr results_costs "$RUN" 800
  [[ ${lines[2]} == "| a | 1 | – | not distinguishable from none (-36 ± 54 %) | 21 ± 11 | "* ]]
  [[ ${lines[3]} == "| b | 2 | – | 60 ± 40 % | 21 ± 11 | "* ]]
}

@test "instructions: a column where there are performance counters, and none where there are not" {
  {
    echo "test,exec_per_sec,cpu,saturated,launched,lost,daemon_us,program_us,inprogram_method,counted_us,counted_us_low,counted_us_high,instructions_user,instructions_user_low,instructions_user_high,instructions_kernel,status,reason"
    echo "a,100,5,false,100,0,21,46,side-by-side,100,90,110,20,10,30,4000,ok,"
    echo "b,100,5,false,100,0,21,46,side-by-side,100,90,110,,,,,ok,"
  } >"$RUN/perf.csv"
  run --separate-stderr results_costs "$RUN" 800
  [[ ${lines[0]} == *" | log | instructions (user, kernel) |" ]]
  [[ ${lines[2]} == "| a |"*" | 20 ± 10, 4000 |" && ${lines[3]} == "| b |"*" | –, – |" ]]
  [[ $output == *"Instructions: those that the launched program and its parent execute more than without a monitor."* ]]
  [ "$(awk -F'|' '/^\|/ { print NF }' <<<"$output" | sort -u | wc -l)" = 1 ]
  sed -i 's/,20,10,30,4000,/,,,,,/' "$RUN/perf.csv"
  run --separate-stderr results_costs "$RUN" 800
  [[ $output != *nstructions* ]]
}

@test "the page of columns is the table of figures" {
  diff <(sed -n '/^<!-- columns/,/^<!-- end of columns/p' "$EXECTAX_ROOT/results/README.md" | grep '^|') <("$BUILD/figures" --columns | grep '^|')
}

@test "system calls: a row a monitor by name, what it costs more and whether that can be told from nothing; without a window no table" {
  echo "test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason" >"$RUN/syscalls.csv"
  [ -z "$(results_syscalls "$RUN")" ]
  {
    echo "z,getppid,side-by-side,120.4,340.1,219.7,214.7,224.7,3,"
    echo "z,read,side-by-side,150,150,0,-3,3,3,one of four was lost"
    echo "b,getppid,apart,121,111,-10,-15,-5,3,"
    echo "b,read,apart,151,160,9,,,1,"
    echo "a,,side-by-side,,,,,,0,the monitor died"
  } >>"$RUN/syscalls.csv"
  run --separate-stderr results_syscalls "$RUN"
  echo "$output"
  # An empty line before it, which bats leaves out.
  [ "$(names <<<"$output")" = "a b z" ]
  [[ ${lines[0]} == "| monitor | getppid | read | how it was got | notes |" ]]
  [[ ${lines[1]} == "| --- | ---: | ---: | --- | --- |" ]]
  [[ ${lines[2]} == "| a | – | – | side-by-side | the monitor died |" ]]
  [[ ${lines[3]} == "| b | -10 ± 5 (121 → 111) | 9 (151 → 160) | apart |  |" ]]
  [[ ${lines[4]} == "| z | 220 ± 5 (120 → 340) | not distinguishable from none: 0 ± 3 (150 → 150) | side-by-side | one of four was lost |" ]]
  [[ ${lines[5]} == *"± half of their 95 % intervals"*"What is from a single start"* ]]
  sed -i '/^b,read/d' "$RUN/syscalls.csv"
  [[ $(results_syscalls "$RUN") != *"single start"* ]]
}

@test "how well counted is known is told of a run that went on for that, and of no other" {
  [ -z "$(results_precision "$RUN")" ]
  echo '{"options": {"precision_percent": 3}}' >"$RUN/manifest.json"
  echo "test,exec_per_sec,counted_us,half_width_us,allowed_us,known,again" >"$RUN/precision.csv"
  printf '%s\n' b,100,400,30.6,12,false,true b,200,400,,12,false,true a,100,400,40,12,false,true a,200,400,12,12,true,true >>"$RUN/precision.csv"
  [ "$(results_precision "$RUN" | tail -n 1)" = "counted is known to 3 % or 5 µs (half of its 95 % interval) in 1 of 4 cases below saturation. Not yet: a (± 40 µs at 100/s); b (± 31 µs at 100/s, no interval at 200/s)." ]
  sed -i '/false/d' "$RUN/precision.csv"
  [ "$(results_precision "$RUN" | tail -n 1)" = "counted is known to 3 % or 5 µs (half of its 95 % interval) in all 1 cases below saturation." ]
}

@test "as many monitors as there are, at many rates: a table that is too long for an argument" {
  local -i i
  row none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row a,100,5,4,6,false,100,0,21,10,32,100,50,150,ok,
  row b,100,9,8,10,false,100,0,20,10,30,200,180,220,ok,
  for ((i = 1; i <= 3000; i++)); do
    rank "another-monitor-with-a-long-name-$i" 200 1 3000
    echo "another-monitor-$i,a,200,total_us,100,50,150,0.001,true" >>"$RUN/differences.csv"
  done
  rank b 100 2 2
  (($(wc -c <"$RUN/ranks.csv") > 131072 && $(wc -c <"$RUN/differences.csv") > 131072))
  [[ $(results_ranking "$RUN" 100) == *"| b | 2 | 9 ± 1 |"* ]]
  [[ $(results_costs "$RUN" 100) == *"| b | 2 | "* ]]
  mlr -I --icsv --ocsv put '$total_us = $total_overhead' "$RUN/perf.csv"
  results_plot_parts "$RUN" 100
  [ -s "$RUN/parts.svg" ]
}

# figure JQ: what a filter of lib/report/tables/pages/texts.jq makes of nothing.
figure() {
  jq -nr -L "$EXECTAX_ROOT/lib/report/tables/pages" "include \"texts\"; $1"
}

@test "figures in pages have all their digits, and a minus sign that is one" {
  [ "$(figure '[0, 0.04, 0.05, -0.04, 2, 12.349, -3.25, null] | map(fixed(1)) | join(" ")')" = "0.0 0.0 0.1 0.0 2.0 12.3 −3.3 –" ]
  [ "$(figure '[0.4, 5.5, -7] | map(fixed(0)) | join(" ")')" = "0 6 −7" ]
  [ "$(figure '{a: 1.26, a_low: -0.5, a_high: 3} | with_interval("a"; 1)')" = "1.3 (−0.5 to 3.0)" ]
  [ "$(figure '{a: 1.26} | with_interval("a"; 1)')" = "1.3" ]
}

@test "the tables in docs/ are those of the published perf.csv" {
  local page
  source "$EXECTAX_ROOT/lib/command/publish.sh"
  cp "$EXECTAX_ROOT"/docs/*.md "$RUN"
  [ "$(cat "$RUN"/*.md | grep -c '^<!-- published table ')" -ge 5 ]
  publish_in_pages "$EXECTAX_ROOT/perf.csv" "$RUN"
  for page in "$RUN"/*.md; do
    diff "$EXECTAX_ROOT/docs/${page##*/}" "$page"
  done
  # Nothing of what stands there is taken over.
  sed -E '/^<!-- published table/,/^<!-- end of published table/ { /^\|/d }' "$EXECTAX_ROOT/docs/delivery.md" >"$RUN/delivery.md"
  publish_in_pages "$EXECTAX_ROOT/perf.csv" "$RUN"
  diff "$EXECTAX_ROOT/docs/delivery.md" "$RUN/delivery.md"
}

@test "a run of one monitor makes all the tables of docs/, with dashes for what it has not" {
  source "$EXECTAX_ROOT/lib/command/publish.sh"
  cp "$EXECTAX_ROOT"/docs/*.md "$RUN"
  row none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok,
  row a,100,5,4,6,false,100,0,21,10,32,100,50,150,ok,
  publish_in_pages "$RUN/perf.csv" "$RUN"
  [ "$(grep -A 2 -F '| monitor | 100/s | longest at 800/s |' "$RUN/delivery.md" | wc -l)" = 3 ]
  [ "$(grep -c '^| auditbeat | 4.3 | – | 5.1 | – | – |$' "$RUN/history.md")" = 1 ]
  [ "$(grep -c '^| auditbeat | 9.7, 6.07 | – | 40.03, 28.27 | – |$' "$RUN/history.md")" = 1 ]
  [ "$(grep -c '^| 100/s | – | – | – | – | – |$' "$RUN/accounting.md")" = 1 ]
}

# bad_text FILE...: in none of these Markdown files do names and reasons say anything but themselves: BAD became ESCAPED.
BAD=$'x|y `z` <script>*b*_i_[l](u)\e[2J\\'
# shellcheck disable=SC2016 # They are no commands.
ESCAPED='x\|y \`z\` \<script\>\*b\*\_i\_\[l\](u)?\[2J\\'
bad_text() {
  local file
  for file; do
    cat -v "$file"
    grep -qF -- "$ESCAPED" "$file" || return 1
    ! grep -qE '(^|[^\\])(<script|`z`|\*b|x\|y)' "$file" || return 1
    [ "$(LC_ALL=C tr -cd '\000-\011\013-\037\177' <"$file" | wc -c)" = 0 ] || return 1
  done
}

# bad_csv FILE HEADER VALUE...: a row, in whose values BAD is written as @.
bad_csv() {
  local file=$1
  shift
  jq -nr --arg bad "$BAD" '$ARGS.positional | .[0], (.[1:][] | split(",") | map(gsub("@"; $bad)) | @csv)' --args "$@" >"$file"
}

@test "names and reasons in Markdown are themselves, and no markup, row or command of a terminal" {
  local skipped name
  skipped=$(jq -nc --arg bad "$BAD" '{($bad): "not \($bad)"}')
  bad_csv "$RUN/perf.csv" "$(head -n 1 "$RUN/perf.csv")" none,100,0,0,0,false,100,,0,0,0,0,-1,1,ok, "@,100,4,3,5,false,100,0,20,10,30,90,40,140,ok," "b,100,,,,,,,,,,,,,failed,why @"
  results_ranking "$RUN" 100 >"$RUN/ranking.md"
  results_costs "$RUN" 100 >"$RUN/costs.md"
  bad_csv "$RUN/syscalls.csv" test,call,reps,added_ns,added_ns_low,added_ns_high,without_ns,with_ns,way,reason "@,getppid,2,1,0,2,3,4,apart,why @"
  results_syscalls "$RUN" >"$RUN/syscalls.md"
  jq -n --argjson skipped "$skipped" --arg bad "$BAD" '{$skipped, options: {mix: [$bad], login_uid: "", reps: 1, load_s: 5, load_cpus: $bad, profile: $bad, rate_per_sec: 1, soak_s: 1, soak_percent: 1, set: $bad}}' >"$RUN/manifest.json"
  bad_csv "$RUN/fits.csv" monitor,kind,figure,exec_per_sec,slope,slope_low,slope_high "@,k,counted_us,100,1,0,2"
  bad_csv "$RUN/rules.csv" monitor,kind,rules,status,reason,exec_per_sec,saturated,inprogram_method "@,k,3,failed,why @,100,false,apart"
  rules_table "$RUN" >"$RUN/rules.md"
  bad_csv "$RUN/sets.csv" monitor,figure,unit,without,with,added,reps,reps_without "@,cpu,%,1,2,1,3,3"
  rules_table_of_set "$RUN" >"$RUN/sets.md"
  bad_csv "$RUN/engines.csv" module,engine,signature,signatures,reps,ns,bytes,allocs "@,@,code-injection,1,2,3,4,5" "@,b,c,1,0,,,"
  bad_csv "$RUN/engine-fits.csv" module,engine,signature,figure "@,a,b,ns"
  engines_table "$RUN" >"$RUN/engines.md"
  bad_csv "$RUN/saturation.csv" test,monitor,combination,reps,bound,status,reason,lossless_per_sec "@,@,@,,,failed,why @,"
  saturation_table "$RUN" >"$RUN/saturation.md"
  bad_csv "$RUN/experiment.csv" whose,monitor,driver,source "published,@,@,@"
  saturation_further_table "$RUN" experiment >"$RUN/experiment.md"
  bad_csv "$RUN/factors.csv" factor,from,to,pairs "@,1,2,3"
  saturation_further_table "$RUN" factors >"$RUN/factors.md"
  bad_csv "$RUN/estimate.csv" test,where,reason "@,unknown,why @"
  pictures_rows "$RUN/estimate.csv" | estimate_table '{"syscalls": null}' >"$RUN/estimate.md"
  bad_csv "$RUN/precision.csv" test,exec_per_sec,known,half_width_us "@,100,false,9"
  pictures_rows "$RUN/precision.csv" | jq -r -L lib/report/tables --argjson percent 5 -f lib/report/tables/precision.jq >"$RUN/precision.md"
  jq -nr --arg bad "$BAD" '{rate: 800, costs: [], orders: [], spreads: [], hosts: [{host: $bad, os: $bad, why: "why \($bad)"}]}' >"$RUN/fleet.json"
  fleet_text "$RUN/fleet.json" >"$RUN/fleet.md"
  bad_text "$RUN"/{ranking,costs,syscalls,rules,sets,engines,saturation,experiment,factors,estimate,precision,fleet}.md
}

@test "a comparison in Markdown and as text: names and reasons are themselves" {
  local comparison
  comparison=$(jq -n --arg bad "$BAD" '{one_run: true, a: {run: "r", started: "s", programs: [{monitor: $bad, version: null, binaries: []}]}, b: {run: "r", started: "s", programs: []}, differs: [], only_a: [], only_b: [],
    comparisons: [{figure: "f", unit: "µs", exec_per_sec: 1, a: {test: $bad, value: 1}, b: {test: $bad, value: 1}, difference: {value: 0}, ratio: {value: 1}, verdict: "unknown", reason: "why \($bad)", column: null}]}')
  comparison_write markdown "$comparison" >"$BATS_TEST_TMPDIR/markdown"
  bad_text "$BATS_TEST_TMPDIR/markdown"
  comparison_write text "$comparison" >"$BATS_TEST_TMPDIR/text"
  [ "$(LC_ALL=C tr -cd '\000-\011\013-\037\177' <"$BATS_TEST_TMPDIR/text" | wc -c)" = 0 ]
  grep -qF "why ${BAD/$'\e'/?}" "$BATS_TEST_TMPDIR/text"
}
