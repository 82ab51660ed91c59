#!/usr/bin/env bats
# exectax compare, on small runs that are written by hand.

bats_require_minimum_version 1.5.0

load ../rooms
load ../picture
load cells

# The one whose modules are packages.
PYTHON=/usr/bin/python3

# Of all kinds: in µs, in % of a CPU, counted.
ALL=counted,cpu,lost,cells_failed

# What most tests look at: the second of two builds costs a tenth more and loses an execution in each repetition; one costs as much as the other.
setup_file() {
  run_begin "$BATS_FILE_TMPDIR/dearer"
  builds 4.00 4.40 19
  run_begin "$BATS_FILE_TMPDIR/same"
  builds 4.00 4.01
}

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  run_begin "$BATS_TEST_TMPDIR/run"
}

# run_begin FOLDER [FILTER]: what is written from here on is a run in there, with that done to its manifest.
run_begin() {
  RUN=$1 CELL=0
  mkdir -p "$RUN"
  jq -n '{kind: "sweep", run_tag: "xtag", state: "complete", started: "2026-11-20T10:00:00+00:00", exectax: "v1", skipped: {},
    sessions: [{exectax: "v1"}], host: {hostname: "h", kernel: "6.1", cpu_model: "c", cpus: 2}, load: {environment: {bytes: 1}},
    versions: {"m@old": "1.0", "m@new": "1.1", m: "1"}, binaries: {"m@old": [{path: "/o/m", sha256: "aaaaaaaaaaaaaaaa"}], "m@new": [{path: "/n/m", sha256: "bbbbbbbbbbbbbbbb"}]},
    options: {reps: 3, duration_s: 2, instrumented_s: 2, warmup_s: 1, side_s: 0}}' | jq "${2:-.}" >"$RUN/manifest.json"
  echo "cell,rep,monitor,rate,turn" >"$RUN/plan.csv"
}

# builds OLD_CPU NEW_CPU [NEW_RECORDED]: two builds three times in turn, beside the baseline; CPU of the daemon in %, two digits after the
# point, and by that much more from repetition to repetition.
builds() {
  local rep
  for rep in 1 2 3; do
    cell none 100 "$rep" 0.00 ""
    cell m@old 100 "$rep" "$(more "$1" "$rep")" 20
    cell m@new 100 "$rep" "$(more "$2" "$rep")" "${3:-20}"
  done
}

# more CPU REP
more() {
  printf '%d.%02d\n' "$((10#${1/./} / 100))" "$((10#${1/./} % 100 + $2))"
}

# monitor CPU: of one run.
monitor() {
  local rep
  for rep in 1 2 3; do
    cell none 100 "$rep" 0.00 ""
    cell m 100 "$rep" "$(more "$1" "$rep")" 20
  done
}

compare() {
  run --separate-stderr "$ROOT/exectax" compare "$@"
  echo "$output"
  echo "$stderr"
}

# compared FILTER: of the comparison in JSON that compare has made.
compared() {
  jq -c "$1" <<<"$output"
}

@test "two builds of one run: both, the difference, the ratio, and a verdict" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format json "$RUN:m@old" "$RUN:m@new"
  [ "$status" -eq 0 ]
  [ "$(compared '[.comparisons[] | .figure]')" = '["counted","cpu","lost","cells_failed"]' ]
  # 8 launches in 2 s at 0.4 % of a CPU are 1000 us; the same scatter of both. R: qt(0.975, 4) * sqrt(2 / 3) * 0.01 = 0.0227.
  [ "$(compared '.comparisons[1] | [.a.value, .b.value, .difference.value, .difference.low, .difference.high, .unit]')" = '[4.02,4.42,0.4,0.377,0.423,"% of one CPU"]' ]
  [ "$(compared '.comparisons[0] | [.column, .difference.value, .verdict, .smallest_shown]')" = '["counted_us",1000,"worse",56.674]' ]
  [ "$(compared '.comparisons[0].ratio | [.value, .low, .high]')" = '[1.0995,1.09357,1.10547]' ]
  [ "$(compared '.comparisons[0] | [(.a.values | length), (.b.values | length), .a.test, .b.test]')" = '[3,3,"m@old","m@new"]' ]
  [ "$(compared '[.one_run, .comparable, .gate, .differs]')" = '[true,true,null,[]]' ]
  [ "$(compared '[.a.programs[0].version, .b.programs[0].binaries[0].sha256]')" = '["1.0","bbbbbbbbbbbbbbbb"]' ]
  # The other way round it is better; by the builds' names it is the same.
  compare --figure "$ALL" --format json "$RUN:m@new" "$RUN:m@old"
  [ "$(compared '.comparisons[0].verdict')" = '"better"' ]
  compare --figure "$ALL" --format json "$RUN:@old" "$RUN:@new"
  [ "$(compared '.comparisons[0] | [.a.test, .b.test, .verdict]')" = '["m@old","m@new","worse"]' ]
}

@test "by default, what is counted as a share of an execution, which is known best, and what is counted" {
  RUN=$BATS_FILE_TMPDIR/dearer
  run --separate-stderr "$ROOT/exectax" compare --format json "$RUN:@old" "$RUN:@new"
  [ "$(compared '[.comparisons[] | .figure]')" = '["counted_overhead","lost","cells_failed"]' ]
  # Of an execution of 2500 us.
  [ "$(compared '.comparisons[0] | [.column, .unit, .a.value, .difference.value, .verdict, (.a.values | length)]')" = '["counted_overhead","% of an execution",402,40,"worse",3]' ]
  [ "$(compared '.comparisons[0].ratio.value')" = 1.0995 ]
  # The other way round.
  run --separate-stderr "$ROOT/exectax" compare --format json --figure daemon_overhead "$RUN:@new" "$RUN:@old"
  [ "$(compared '.comparisons[0] | [.difference.value, .verdict]')" = '[-40,"better"]' ]
  run --separate-stderr "$ROOT/exectax" compare --figure slowdown_share "$RUN:@new" "$RUN:@old"
  [ "$status" -eq 2 ]
}

@test "what does not differ by more than chance, and how large a difference would have been shown" {
  RUN=$BATS_FILE_TMPDIR/same
  compare --figure cpu "$RUN:m@old" "$RUN:m@new"
  [ "$status" -eq 0 ]
  [[ $(tr -s ' ' <<<"${lines[1]}") == "m: old → new 100/s cpu, % 4.02 ± 0.025 4.03 ± 0.025 +0.01 ± 0.023 +0.2 % (-0.3 to +0.8) no difference shown (from ±0.023 % on it would be)"* ]]
  [[ $output == *"Both were measured in turn in one run"* && $output == *"A: m@old 1.0 m aaaaaaaaaaaa. B: m@new 1.1 m bbbbbbbbbbbb."* ]]
}

@test "the gate: fine, worse, inconclusive" {
  # 10 % more of counted, known to 0.6 %.
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure counted --fail-if-worse 15% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 0 ]
  [[ $output == *"Gate "*": fine." ]]
  compare --figure counted --fail-if-worse 5 "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 1 ]
  [[ $output == *"Gate "*": WORSE." ]]
  compare --figure counted --fail-if-worse 10 "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 3 ]
  compare --figure counted --fail-if-worse 0 "$RUN:@new" "$RUN:@old"
  [ "$status" -eq 0 ]
}

@test "the gate: any loss where there was none is worse, and so is a cell that failed" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure counted,lost --fail-if-worse 20% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 1 ]
  [[ $output == *" 0 of 60 "*" 3 of 60 "*" worse "* ]]
  compare --figure counted --fail-if-worse 20% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 0 ]
  run_begin "$BATS_TEST_TMPDIR/failed"
  cell m@old 100 1 4.00 20
  cell m@new 100 1 4.00 20
  cell m@old 100 2 4.00 20
  cell m@new 100 2 4.00 20 failed
  compare --figure "$ALL" --fail-if-worse 20% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 1 ]
  [[ $output == *"cells_failed"*"0 of 2"*"1 of 2"*"worse"* ]]
}

@test "the gate: what can't be told is inconclusive" {
  cell none 100 1 0.00 ""
  cell m@old 100 1 4.00 20
  cell m@new 100 1 4.00 20
  compare --figure counted --fail-if-worse 5% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 3 ]
  [[ $output == *"not comparable: no interval: of a single repetition"* ]]
  # B lacks a rate.
  run_begin "$BATS_TEST_TMPDIR/lacks"
  cp -R "$BATS_FILE_TMPDIR/same/." "$RUN"
  CELL=9
  cell m@old 200 1 4.00 20
  compare --figure "$ALL" --fail-if-worse 20% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 3 ]
  [[ $output == *"Only in A: m@old at 200/s."* ]]
}

@test "a cell that can't be read is an error, and leaves the gate inconclusive" {
  cp -R "$BATS_FILE_TMPDIR/same/." "$RUN"
  rm "$RUN/cells/m@new/100-2/load.json"
  compare --figure cpu "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 1 ]
  [[ $stderr == *"cells/m@new/100-2: "* && $stderr != *"internal error"* ]]
  [[ $output == *"m: old → new"* ]]
  compare --figure cpu --fail-if-worse 90% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 3 ]
}

@test "at rest, what belongs to executions is not compared, and nothing is inconclusive for that" {
  local name rep dir
  for name in one two; do
    run_begin "$BATS_TEST_TMPDIR/$name"
    monitor 4.00
    for rep in 1 2 3; do
      for test in none m; do
        cell $test 0 "$rep" 0.0$rep ""
        dir=$RUN/cells/$test/0-$rep
        rm "$dir"/{load.json,launches.csv.gz}
      done
    done
  done
  "$ROOT/exectax" compare --fail-if-worse 50 --format json "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two" >"$BATS_TEST_TMPDIR/told"
  [ "$(jq -c '[.comparisons[] | select(.exec_per_sec == 0).figure] | unique' "$BATS_TEST_TMPDIR/told")" = '["cells_failed"]' ]
  [ "$(jq -c '[.baseline_a[].exec_per_sec]' "$BATS_TEST_TMPDIR/told")" = '[100]' ]
  "$ROOT/exectax" compare --figure cpu --format json "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two" >"$BATS_TEST_TMPDIR/told"
  [ "$(jq -c '[.comparisons[].exec_per_sec] | unique' "$BATS_TEST_TMPDIR/told")" = '[0,100]' ]
}

@test "two runs: what differs between runs is in the interval" {
  monitor 4.00
  run_begin "$BATS_TEST_TMPDIR/later"
  monitor 4.40
  cell other 100 1 4.00 20
  # A monitor is compared with itself in the other run, unless another one is named.
  compare --format json --figure cpu "$BATS_TEST_TMPDIR/run:m" "$RUN"
  [ "$(compared '[.comparisons[] | .b.test]')" = '["m"]' ]
  compare --format json --figure cpu "$BATS_TEST_TMPDIR/run:m" "$RUN:other"
  [ "$(compared '[.comparisons[] | .b.test]')" = '["other"]' ]
  compare --format json --figure cpu,memory "$BATS_TEST_TMPDIR/run" "$RUN"
  [ "$(compared '.only_b')" = '[{"test":"other","exec_per_sec":100}]' ]
  [ "$status" -eq 0 ]
  [ "$(compared '[.one_run, .between_runs_percent, .comparisons[0].verdict]')" = '[false,10,"no difference shown"]' ]
  # 10 % of about 4.2 %, twice the standard error.
  [ "$(compared '.comparisons[0].smallest_shown |  . > 0.8 and . < 0.9')" = true ]
  [ "$(compared '.comparisons[1] | [.difference.value, .smallest_shown]')" = '[0,0]' ]
  [ "$(compared '[.baseline_a[0].value, .baseline_b[0].value]')" = '[2500,2500]' ]
  compare --format json --figure cpu --between-runs 0 "$BATS_TEST_TMPDIR/run" "$RUN"
  [ "$(compared '.comparisons[0].verdict')" = '"worse"' ]
  compare --figure cpu "$BATS_TEST_TMPDIR/run" "$RUN"
  [[ $output == *"±10 % (one standard error)"* && $output == *"An execution without a monitor, A and B: 100/s 2500 ± 0, 2500 ± 0 µs."* ]]
}

@test "two runs that differ in kernel, windows or exectax are not compared, and it is said in what" {
  monitor 4.00
  run_begin "$BATS_TEST_TMPDIR/later" '.host.kernel = "6.2" | .options.warmup_s = 9 | .sessions[0].exectax = "v2"'
  monitor 4.40
  compare --between-runs 0 --figure cpu --fail-if-worse 5% "$BATS_TEST_TMPDIR/run" "$RUN"
  [ "$status" -eq 3 ]
  [[ $output == *"not comparable: the runs differ: kernel, warm-up, s, exectax"* ]]
  [[ $output == *"The runs differ: kernel (6.1, 6.2), warm-up, s (1, 9), exectax (v1, v1, v2)."* ]]
  compare --between-runs 0 --figure cpu --anyway --fail-if-worse 5% "$BATS_TEST_TMPDIR/run" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"The runs differ: kernel"* ]]
}

@test "the formats: Markdown, and JSON by its schema" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format markdown --fail-if-worse 5% "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 1 ]
  [[ ${lines[0]} == "**Worse** (limit 5 %)" ]]
  [[ $output == *"| m: old → new | 100/s | counted, µs | "*" | **worse** |"* ]]
  compare --figure "$ALL" --format json --fail-if-worse 5% "$RUN:@old" "$RUN:@new"
  "$PYTHON" -c 'import json, sys, jsonschema; jsonschema.validate(json.load(sys.stdin), json.load(open(sys.argv[1])))' "$ROOT/docs/comparison.schema.json" <<<"$output"
  # The schema is one that refuses something.
  run "$PYTHON" -c 'import json, sys, jsonschema; jsonschema.validate(json.load(sys.stdin), json.load(open(sys.argv[1])))' "$ROOT/docs/comparison.schema.json" \
    <<<"$(jq '.comparisons[0].verdict = "great"' <<<"$output")"
  [ "$status" -ne 0 ]
}

# checked: what compare printed is a page with nothing wrong in it, in PAGE.
checked() {
  PAGE=$BATS_TEST_TMPDIR/comparison.html
  printf '%s\n' "$output" >"$PAGE"
  "$PYTHON" "$BATS_TEST_DIRNAME/html-check.py" "$PAGE" >"$BATS_TEST_TMPDIR/problems"
  cat "$BATS_TEST_TMPDIR/problems"
  [ ! -s "$BATS_TEST_TMPDIR/problems" ]
}

@test "the formats: a page, with verdicts counted first, differences with their intervals, and all of it to be saved" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format html --fail-if-worse 15% "$RUN:@old" "$RUN:@new" >"$BATS_TEST_TMPDIR/log"
  [ "$status" -eq 1 ]
  checked
  grep -qF '<p>The gate (no more than 15 % worse, no loss and no failed cell where there was none): worse.</p>' "$PAGE"
  grep -qF '<p>Of 3 figures that were compared, 3 are worse, 0 are better, 0 show no difference and 0 are not comparable.</p>' "$PAGE"
  grep -qF 'Worse in B (95 % intervals): m: old → new, 100/s, counted +1000 µs (+943 to +1057), which is +9.9 % (+9.4 to +10.5) of A;' "$PAGE"
  grep -qF 'm: old → new, 100/s, lost 0 of 60 and 3 of 60.' "$PAGE"
  # The same in the picture and in the table; less to the left.
  [ "$(grep -c '<title>m: old → new, 100/s, cpu: +0.4 % of one CPU (+0.377 to +0.423), which is +9.9 % (+9.4 to +10.5) of A; worse</title><rect class="s-more"' "$PAGE")" = 2 ]
  local low high mean
  read -r low high <<<"$(grep -oE 'class="w" d="M[0-9.]+ [0-9.]+L[0-9.]+ ' "$PAGE" | head -n 1 | sed -E 's/.*M([0-9.]+) [0-9.]+L([0-9.]+) /\1 \2/')"
  mean=$(grep -oE 'class="dot" cx="[0-9.]+"' "$PAGE" | head -n 1 | tr -dc 0-9.)
  awk -v low="$low" -v high="$high" -v mean="$mean" 'BEGIN { exit !(low < mean && mean < high && high - mean < 1.1 * (mean - low)) }'
  grep -qF '<td data-v="0.4">+0.4 <span class="i">0.377 to 0.423</span></td>' "$PAGE"
  grep -qF '<td data-v="0.05">3 of 60</td>' "$PAGE"
  grep -qF 'Both were measured in turn in one run' "$PAGE"
  [ "$(grep -oE '<section id="[a-z]+"' "$PAGE" | cut -d '"' -f 2 | paste -sd ' ')" = "answer figures sides noise host method data" ]
  compare --figure "$ALL" --format json --fail-if-worse 15% "$RUN:@old" "$RUN:@new"
  diff <(jq -S . <<<"$output") <(grep -oE 'download="comparison.json" href="data:application/json;base64,[^"]*' "$PAGE" | sed 's/.*base64,//' | base64 -d | jq -S .)
}

@test "the formats: the page of two runs says what differs, and what either brings along is text" {
  local bad='<script>alert(1)</script>"&'
  run_begin "$BATS_TEST_TMPDIR/a" ".versions.m = $(jq -n --arg bad "$bad" '$bad')"
  monitor 4.00
  run_begin "$BATS_TEST_TMPDIR/b" ".host.kernel = $(jq -n --arg bad "$bad" '$bad')"
  monitor 4.00
  compare --figure "$ALL" --format html "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
  [ "$status" -eq 0 ]
  checked
  grep -qF 'Not comparable: the runs differ: kernel (4).' "$PAGE"
  grep -qF '4 are not comparable.' "$PAGE"
  grep -qF '<th scope="row">kernel</th><td class="t">6.1</td><td class="t long">&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;</td>' "$PAGE"
  [ "$(grep -c '<script>' "$PAGE")" = 1 ]
  compare --figure "$ALL" --format html --anyway "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
  checked
  grep -qF '<p>Of 3 figures that were compared, 0 are worse, 0 are better, 3 show no difference and 0 are not comparable.</p>' "$PAGE"
  grep -qF 'hollow: no difference shown, or not comparable. Counts, and what has no interval, are in the table alone.' "$PAGE"
  grep -qF '±10 % (one standard error)' "$PAGE"
  grep -qF 'A: how its cells went is not known' "$PAGE"
}

@test "the formats: github-action-benchmark's customSmallerIsBetter" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format github-action-benchmark "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 0 ]
  [ "$(compared 'all(.[]; (.name | type) == "string" and (.unit | type) == "string" and (.value | type) == "number" and (.range // "" | type) == "string" and (.extra | type) == "string")')" = true ]
  [ "$(compared '.[1] | [.name, .unit, .value, .range]')" = '["m at 100/s: cpu","% of one CPU",4.42,"± 0.025"]' ]
  [ "$(compared '[.[].name]')" = '["m at 100/s: counted","m at 100/s: cpu","m at 100/s: lost"]' ]
}

@test "the formats: Google Benchmark's JSON, a repetition each cell" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format google-benchmark "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 0 ]
  [ "$(compared '[.benchmarks[] | select(.run_type == "iteration") | .name] | unique')" = '["a/counted/m/100","b/counted/m/100"]' ]
  [ "$(compared '[.benchmarks[] | select(.name == "b/counted/m/100") | [.repetition_index, .repetitions, .time_unit, .real_time == .cpu_time]]')" = '[[0,3,"us",true],[1,3,"us",true],[2,3,"us",true]]' ]
  # Means and deviations of three cells that are 25 us apart.
  [ "$(compared '[.benchmarks[] | select(.run_type == "aggregate") | [.name, .aggregate_name]] | length')" = 6 ]
  [ "$(compared '.benchmarks[] | select(.name == "a/counted/m/100_stddev") | .real_time | round')" = 25 ]
  [ "$(compared '.context | has("date") and has("num_cpus") and has("caches")')" = true ]
}

@test "the formats: OpenMetrics, as its own parser reads it" {
  RUN=$BATS_FILE_TMPDIR/dearer
  compare --figure "$ALL" --format openmetrics "$RUN:@old" "$RUN:@new"
  [ "$status" -eq 0 ]
  "$PYTHON" - <(printf '%s\n' "$output") >"$BATS_TEST_TMPDIR/read" <<'PYTHON'
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(open(sys.argv[1]).read()):
    for sample in family.samples:
        print(sample.name, " ".join(f"{k}={v}" for k, v in sorted(sample.labels.items())), sample.value)
PYTHON
  cat "$BATS_TEST_TMPDIR/read"
  grep -qx 'exectax_cpu_ratio monitor=m@new rate=100 side=b stat=value 0.0442' "$BATS_TEST_TMPDIR/read"
  grep -qE '^exectax_counted_difference_seconds monitor_a=m@old monitor_b=m@new rate=100 stat=value 0.001$' "$BATS_TEST_TMPDIR/read"
  grep -qx 'exectax_counted_verdict exectax_counted_verdict=worse monitor_a=m@old monitor_b=m@new rate=100 1' "$BATS_TEST_TMPDIR/read"
  grep -qx 'exectax_lost_ratio monitor=m@new rate=100 side=b stat=value 0.05' "$BATS_TEST_TMPDIR/read"
}

# refused PATTERN ARGUMENT...: exit 2, one line on stderr.
refused() {
  local pattern=$1
  shift
  compare --figure "$ALL" "$@"
  [ "$status" -eq 2 ]
  [ -z "$output" ]
  [ "${#stderr_lines[@]}" = 1 ]
  [[ $stderr == $pattern ]]
}

@test "bad usage is one line and exit status 2" {
  RUN=$BATS_FILE_TMPDIR/dearer
  refused "*compare: expected two arguments, A and B*"
  refused "*expected two arguments*" "$RUN"
  refused "*'$RUN' is compared with itself, expected two monitors or builds of it, or two runs" "$RUN" "$RUN"
  refused "*'$RUN' is compared with itself*" "$RUN:m@new" "$RUN:m@new"
  refused "*'nowhere' is not a run: expected a folder*" "$RUN" nowhere
  refused "*no monitor 'gone', expected*" "$RUN:gone" "$RUN:m@new"
  refused "*no monitor '@gone', expected*" "$RUN:@gone" "$RUN:@new"
  refused "*no figure 'speed' that can be compared, expected *" --figure speed "$RUN:@old" "$RUN:@new"
  refused "*--fail-if-worse is 'much', expected a percentage from 0 to 100*" --fail-if-worse much "$RUN:@old" "$RUN:@new"
  refused "*--between-runs is '101', expected*" --between-runs 101 "$RUN:@old" "$RUN:@new"
  refused "*--format is 'xml', expected one of: text markdown*" --format xml "$RUN:@old" "$RUN:@new"
  refused "*--rate: expected with --history" --rate 100 "$RUN:@old" "$RUN:@new"
  refused "*--history '/nonexistent' is no folder*" --history /nonexistent
  refused "*--history '$BATS_TEST_TMPDIR' has no folder that is a sweep with a perf.csv*" --history "$BATS_TEST_TMPDIR"
  refused "*--fail-if-worse: not expected with --history" --history "$BATS_TEST_TMPDIR" --fail-if-worse 5
  refused "*--out 'x.gif', expected a file name that ends in .png or .svg" --history "$BATS_TEST_TMPDIR" --out x.gif
}

# history COUNT FROM: so many runs, a day apart, of a monitor that costs 300 us, from run FROM on 330, and 1 us more or less by turns.
history() {
  local i folder
  for ((i = 1; i <= $1; i++)); do
    folder=$BATS_TEST_TMPDIR/history/$(printf 'run%02d' "$i")
    mkdir -p "$folder"
    jq -n --arg started "2026-10-$(printf '%02d' "$i")T10:00:00+00:00" --arg version "1.$((i >= $2))" \
      '{kind: "sweep", $started, exectax: "v1", sessions: [], host: {hostname: "h"}, options: {}, load: {environment: null}, versions: {m: $version}, binaries: {}}' >"$folder/manifest.json"
    {
      echo "test,exec_per_sec,counted_us,counted_us_low,counted_us_high,saturated,inprogram_method"
      echo "none,100,0,,,false,"
      echo "m,100,$((300 + (i >= $2) * 30 + i % 3)),$((290 + (i >= $2) * 30)),$((310 + (i >= $2) * 30)),false,switched"
      echo "m,200,$((300 + i % 3)),,,false,switched"
      echo "m,1600,$((300 + i * 50)),,,true,switched"
    } >"$folder/perf.csv"
  done
}

@test "a history: where a figure changed, and what else did with it" {
  history 16 11
  compare --history "$BATS_TEST_TMPDIR/history"
  [ "$status" -eq 0 ]
  [[ $(tr -s ' ' <<<"$output") == *"m 100/s counted, µs 16 2026-10-11 10:00 (run11) 301 331 30"*" ± "* ]]
  [[ $output == *"With run11, m at 100/s: version: 1.0 to 1.1."* ]]
  [ "$(grep -c 'no change found' <<<"$output")" = 1 ]
  # The host was saturated at 1600/s.
  [[ $output != *1600/s* ]]
  compare --history "$BATS_TEST_TMPDIR/history" --format json --rate 100 --monitors "m,other"
  [ "$(compared '[.[] | [.test, .exec_per_sec, (.points | length), (.changes | map(.run))]]')" = '[["m",100,16,["run11"]]]' ]
  [ "$(compared '.[0].changes[0] | .before > 300 and .before < 302 and .after > 330 and .difference.low > 28 and .difference.high < 32 and .p <= 0.01')" = true ]
}

@test "a history: too few runs say so; the picture" {
  history 5 4
  compare --history "$BATS_TEST_TMPDIR/history" --out "$BATS_TEST_TMPDIR/history.svg"
  [ "$status" -eq 0 ]
  [[ $output == *"Too few runs to find a change in, 9 are needed: m at 100/s, m at 200/s."* ]]
  grep -q 'm at 100/s: counted, µs' "$BATS_TEST_TMPDIR/history.svg"
  refused "*none of the 5 runs in *has speed, expected a figure of perf.csv*" --history "$BATS_TEST_TMPDIR/history" --figure speed
}
