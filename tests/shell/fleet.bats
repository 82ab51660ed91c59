#!/usr/bin/env bats
# exectax report of a folder with several hosts' runs, from small tables that are written by hand.

bats_require_minimum_version 1.5.0

load ../rooms
load ../picture
load ../made-up-run

setup() {
  use_rooms base report
  FLEET=$BATS_TEST_TMPDIR/fleet
}

# host NAME [MANIFEST]: what follows is of its run.
host() {
  RUN=$FLEET/$1
  begin_run
  manifest "$(jq -n --arg name "$1" --argjson other "${2:-{\}}" '{host: {hostname: $name}} * $other')"
}

# cost TEST SHARE [REACH [DEGREES [OTHER]]]: in % of an execution.
cost() {
  local reach=${3-1}
  row "test=$1,counted_overhead=$2,counted_overhead_low=${reach:+$(awk "BEGIN { print $2 - $reach }")},counted_overhead_high=${reach:+$(awk "BEGIN { print $2 + $reach }")},counted_overhead_degrees=${4-4}${5:+,$5}"
}

report() {
  run -"${EXPECTED:-0}" --separate-stderr "$EXECTAX_ROOT/exectax" report --rate 100 "$@" "$FLEET"
  echo "$output"
  echo "$stderr"
}

# table NAME FILTER COLUMNS: rows of a table, fields with blanks between them.
table() {
  mlr --icsv --onidx --ofs ' ' filter "$2" then cut -o -f "$3" "$FLEET/$1.csv"
}

# Two hosts on which a is cheaper than b, and one with another kernel on which it is the other way round.
three_hosts() {
  host web1 '{"host": {"kernel": "5.10"}}'
  cost a 10
  cost b 20
  differ a b -30 -10
  make_perf
  host web2 '{"host": {"kernel": "5.10"}}'
  cost a 14
  cost b 21
  differ a b -40 -20
  make_perf
  host db1 '{"host": {"kernel": "6.1"}}'
  cost a 12
  cost b 4
  differ a b 15 35
  make_perf
}

@test "what each host's monitors cost, and what hosts differ by" {
  three_hosts
  report
  [[ $output == *"| a | web1 | 10 (9 to 11) | 100 (90 to 110) |  |"* ]]
  [[ $output == *"| a | 100/s | 3 | 10 (web1) | 14 (web2) | 1.97 ("*" to "*") |"* ]]
  [ "$(table spreads '$test == "a"' hosts,lowest,lowest_host,highest,highest_host,deviation)" = "3 10 web1 14 web2 1.967" ]
  [ "$(table costs '$test == "b" && $host == "db1"' counted_overhead,counted_overhead_low,counted_overhead_high,counted_us)" = "4 3 5 100" ]
  [ "$(table hosts '$host == "db1"' compared,kernel,os)" = "true 6.1 Test OS" ]
  # A host is a block: what costs 100 µs on each is a row for each.
  [ "$(table costs true host | wc -l)" = 6 ]
}

@test "hosts disagree on the order of two monitors only where both differences leave out zero, and what goes with it is told" {
  three_hosts
  report
  [[ $output == *"At 100/s, a costs less than b on 2 of 3 hosts, more on 1; as many could be so by chance. What tells these hosts apart (less / more): kernel: 5.10 / 6.1."* ]]
  [ "$(table orders true host,difference_share,a_cheaper,b_cheaper | paste -sd ';')" = "db1 25 2 1;web1 -20 2 1;web2 -30 2 1" ]
  # Where one of them could be zero, nothing is said.
  RUN=$FLEET/db1
  sed -i '$d' "$RUN/differences.csv"
  differ a b -1 51
  report
  [[ $output == *"No two monitors change places from one host to another beyond their 95 % intervals."* ]]
  [ "$(wc -l <"$FLEET/orders.csv")" = 1 ]
}

@test "a saturated host has no place in the order, and is not what hosts differ by, nor is what was got by another method" {
  three_hosts
  RUN=$FLEET/db1 ROWS=$FLEET/db1.rows
  sed -i '/test=b/s/$/,inprogram_method=run-time/' "$ROWS"
  make_perf
  report
  [[ $output == *"| b | 100/s | 0 | – | – | not compared: what is in the program was got by different methods: run-time, side-by-side |"* ]]
  sed -i '/test=b/s/run-time$/side-by-side,saturated=true/' "$ROWS"
  make_perf
  report
  [[ $output == *"No two monitors change places"* ]]
  [[ $output == *"| b | db1 | 4 (3 to 5) | 100 (90 to 110) | host saturated |"* ]]
  [ "$(table spreads '$test == "b"' hosts,lowest,highest,saturated)" = "2 20 21 1" ]
}

@test "hosts that may all be the same are not said to differ; without intervals nothing is" {
  host one
  cost a 10 3
  cost single 5 ''
  make_perf
  host two
  cost a 10.5 3
  cost single 9 ''
  make_perf
  report
  [[ $output == *"| a | 100/s | 2 | 10 (one) | 10.5 (two) | not distinguishable from none (at most "*") |"* ]]
  [[ $output == *"| single | 100/s | 2 | 5 (one) | 9 (two) | not known, for want of intervals |"* ]]
  grep -q 'which could all be errors of measuring' "$FLEET/report.html"
}

@test "a run of another exectax, with other windows, of another kind, without tables or without a run is told and not compared" {
  three_hosts
  host other '{"exectax": "def456"}'
  cost a 99
  make_perf
  host windows '{"options": {"duration_s": 9}}'
  cost a 98
  make_perf
  host kind '{"kind": "saturate"}'
  mkdir "$FLEET/empty" "$FLEET/damaged"
  echo '{' >"$FLEET/damaged/manifest.json"
  report
  [[ $output == *"| other | Test OS | 6.1 | 2 × CPU | complete | not measured as the others were: exectax is def456, not abc123 |"* ]]
  [[ $output == *"not measured as the others were: window A, s is 9, not 2"* ]]
  [[ $output == *"a run of exectax saturate, expected one of exectax sweep"* ]]
  [[ $output == *"| empty | – | – | – | – | there is no run in its folder |"* ]]
  [[ $output == *"| damaged |"*"its manifest.json is no JSON"* ]]
  [ "$(table hosts '$compared == "true"' host | paste -sd ' ')" = "db1 web1 web2" ]
  [ "$(table spreads '$test == "a"' highest)" = 14 ]
  grep -q 'Not compared: ' "$FLEET/report.html"
}

@test "a monitor that was skipped on a host is told" {
  three_hosts
  RUN=$FLEET/db1
  manifest '{"skipped": {"c": "not here"}}'
  report
  [[ $output == *"| db1 |"*"| skipped: c |"* ]]
}

@test "the page is sound, says what the tables say, and redacted it does not name the hosts" {
  three_hosts
  host extra '{"exectax": "def456"}'
  make_perf
  report
  python3 "$BATS_TEST_DIRNAME/html-check.py" "$FLEET/report.html" | tee "$BATS_TEST_TMPDIR/problems"
  [ ! -s "$BATS_TEST_TMPDIR/problems" ]
  grep -q 'At 100 executions per second, a costs from 10 % (web1) to 14 % (web2) of an execution; hosts differ by a standard deviation of 2 percentage points (95 % interval ' "$FLEET/report.html"
  grep -q '<title>a on web2: 14 (13 to 15) %</title>' "$FLEET/report.html"
  report --redact
  python3 "$BATS_TEST_DIRNAME/html-check.py" "$FLEET/report.html" | tee "$BATS_TEST_TMPDIR/problems"
  [ ! -s "$BATS_TEST_TMPDIR/problems" ]
  run grep -cE 'web1|web2|db1|extra' "$FLEET/report.html"
  [ "$output" = 0 ]
  grep -q 'a on host-4: 14' "$FLEET/report.html"
  # Nor the tables that can be saved from it.
  [[ $(grep -oE 'data:text/csv;base64,[A-Za-z0-9+/=]*' "$FLEET/report.html" | sed 's/.*,//' | base64 -d) != *web1* ]]
}

@test "the picture has a dot for each host and monitor, and their names" {
  three_hosts
  report
  grep -q '>web2<' "$FLEET/hosts.svg"
  grep -q 'of what an execution costs there without a monitor' "$FLEET/hosts.svg"
  [ -s "$FLEET/hosts.png" ]
}

@test "many hosts: the table of costs is left to the file" {
  local i
  host host1
  cost a 10
  cost b 20
  make_perf
  for i in {2..60}; do
    cp -r "$FLEET/host1" "$FLEET/host$i"
  done
  mlr --icsv --ocsv put '$test == "a" {$counted_overhead = 14}' "$FLEET/host1/perf.csv" >"$FLEET/host7/perf.csv"
  report
  [[ $output == *"What each monitor costs on each host is in costs.csv, 120 rows at 100/s."* ]]
  [ "$(table spreads '$test == "a"' hosts,lowest,highest,highest_host)" = "60 10 14 host7" ]
}

@test "names that are numbers or have blanks in them are names" {
  host 007
  cost a 10
  make_perf
  host 'rack 2'
  cost a 11
  make_perf
  report
  [ "$(table spreads true lowest_host,highest_host)" = "007 rack 2" ]
}

@test "refused: a folder that has no runs, and flame graphs" {
  mkdir -p "$FLEET/empty"
  EXPECTED=2 report
  [[ $stderr == *"is not a run: expected a folder with manifest.json and plan.csv"* ]]
  host one
  make_perf
  EXPECTED=2 report --flamegraphs
  [[ $stderr == "exectax: --flamegraphs: not expected with a folder of several hosts' runs, expected with one of these" ]]
  [ ! -e "$FLEET/hosts.csv" ]
}
