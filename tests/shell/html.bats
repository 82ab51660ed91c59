#!/usr/bin/env bats
# report.html, from small tables of figures that are written by hand.

load ../rooms
load ../made-up-run

bats_require_minimum_version 1.5.0

setup() {
  use_rooms base report
  RUN=$BATS_TEST_TMPDIR/run
  begin_run
}

# page [REDACT]: makes it of the rows.
page() {
  make_perf
  html_make "$RUN" 800 "${1:-no}"
  python3 "$BATS_TEST_DIRNAME/html-check.py" "$RUN/report.html" | tee "$BATS_TEST_TMPDIR/problems"
  [ ! -s "$BATS_TEST_TMPDIR/problems" ]
}

# lacks WORDS FILE: it has them nowhere. (bats takes no notice of what begins with !.)
lacks() {
  if grep -E -- "$1" "$2"; then
    return 1
  fi
}

# The sentences of the answer, one paragraph a line.
answer() {
  local name
  local -a tables=()
  make_perf
  for name in perf differences ranks saturation soak rules fits sets engines engine-fits engine-differences; do
    { [[ ! -s $RUN/$name.csv ]] || pictures_stream "$RUN/$name.csv"; } >"$BATS_TEST_TMPDIR/$name.json"
    tables+=(--slurpfile "${name//-/_}" "$BATS_TEST_TMPDIR/$name.json")
  done
  jq -nr -L "$EXECTAX_ROOT/lib/report/tables" -L "$EXECTAX_ROOT/lib/report/html" "${tables[@]}" --slurpfile manifest "$RUN/manifest.json" --arg kind "$(html_kind "$RUN")" \
    "$(grep '^include ' "$EXECTAX_ROOT/lib/report/html/page.jq")"' $ARGS.named + {manifest: $manifest[0], rate: 100} | answer[]' | tee "$BATS_TEST_TMPDIR/answer"
}

@test "the answer: who costs least and most, with intervals; what is tied is called tied, and what was lost is said" {
  row test=a,total_us=90,total_us_low=80,total_us_high=100
  row test=b,total_us=95,total_us_low=85,total_us_high=105
  row test=c,total_us=300,total_us_low=280,total_us_high=320,lost=1
  differ a b -20 10
  differ a c -230 -190
  differ b c -225 -185
  rank a 1 2
  rank b 1 2
  rank c 3 3
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
At 100 executions per second, a and b cost least and are tied: a 90 µs (80 to 100) and b 95 µs (85 to 105) of the machine's CPU time an execution. c costs most, 300 µs (95 % interval 280 to 320).
a and b recorded every one of their executions. c lost 1 of 1000 executions (0.1 %).
TEXT
}

@test "the answer: all tied, whatever their means; counted parts that differ are told" {
  row test=a,total_us=90,total_us_low=60,total_us_high=120,counted_us=80
  row test=b,total_us=140,total_us_low=100,total_us_high=180,counted_us=120
  differ a b -105 5
  rank a 1 2
  rank b 1 2
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
At 100 executions per second, the 2 monitors are tied: no difference between two of them is significant. CPU time that the machine takes more for an execution (95 % intervals): a 90 µs (60 to 120) and b 140 µs (100 to 180).
a and b recorded every one of their executions.
TEXT
  echo "a,b,100,counted_us,-40,-50,-30,0.001,true" >>"$RUN/differences.csv"
  manifest '{"own_builds": {"b": "no kprobes"}}'
  [ "$(answer | tail -n 1)" = "† Own builds: b (no kprobes)." ]
  [[ $(answer) == *"The totals of these neighbours do not differ significantly, but their counted parts do: a and b (80 and 120 µs)."* ]]
}

@test "the answer: one that is tied with the cheapest and the dearest is neither" {
  row test=a,total_us=90,total_us_low=80,total_us_high=100
  row test=b,total_us=300,total_us_low=280,total_us_high=320
  row test=wide,total_us=200,total_us_low=0,total_us_high=400
  differ a b -230 -190
  differ a wide -310 90
  differ b wide -100 300
  rank a 1 2
  rank b 2 3
  rank wide 1 3
  [[ $(answer) == *"a costs least, 90 µs (95 % interval 80 to 100) of the machine's CPU time an execution. b costs most, 300 µs (95 % interval 280 to 320). That is 210 µs more (190 to 230). Anywhere in this order could be wide 200 µs (0 to 400, not distinguishable from none)."* ]]
}

@test "the answer: a difference that nobody knows is no tie" {
  row test=a,total_us=90,total_us_low=80,total_us_high=100
  row test=b,total_us=300,total_us_low=280,total_us_high=320
  rank a 1 2
  rank b 1 2
  [[ $(answer) == *"how much the monitors differ is not known, so they are not compared. CPU time that the machine takes more for an execution (95 % intervals): a 90 µs (80 to 100) and b 300 µs (280 to 320)."* ]]
}

@test "the answer: one monitor, whose cost is told or can't be told from nothing" {
  row test=a,total_us=9,total_us_low=8,total_us_high=10,total_overhead=9
  rank a 1 1
  [ "$(answer | head -n 1)" = "At 100 executions per second, a adds 9 µs (95 % interval 8 to 10) of the machine's CPU time an execution, 9 % of what that costs without a monitor. Of that, its own processes, which top shows, take 40 µs (38 to 42)." ]
  row test=a,total_us=5,total_us_low=-4,total_us_high=14
  sed -i 2d "$ROWS"
  [ "$(answer | head -n 1)" = "At 100 executions per second, what a adds is not distinguishable from nothing: 5 µs (95 % interval -4 to 14) of the machine's CPU time an execution." ]
}

@test "the answer: all skipped, all failed" {
  without test=a,exec_per_sec=,status=skipped,reason=not_here
  without test=b,exec_per_sec=,status=skipped,reason=not_here
  without test=c,status=failed,reason=died
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
Nothing can be said about what watching costs: none of 3 monitors has figures.
Without figures: c (failed); a and b (skipped). The reasons are below.
TEXT
  rm "$ROWS"
  row test=none,counted_us=0,counted_us_low=-1,counted_us_high=1,lost=
  [ "$(answer)" = "No monitor was measured, only the baseline." ]
}

@test "the answer: what is not ranked, and why; what recorded nothing, or keeps no log, is no cheap way to record" {
  row test=deaf,total_us=1,total_us_low=0,total_us_high=2,lost=1000
  row test=silent,total_us=2,total_us_low=1,total_us_high=3,lost=
  row test=full,saturated=true,total_us=10,total_us_low=9,total_us_high=11
  row test=once,total_us=50,total_us_low=,total_us_high=
  row test=a
  rank deaf "" "" "lost 100 % of the executions"
  rank silent "" "" "what it recorded is not known"
  rank full "" "" "the host was saturated"
  rank once "" "" "its total has no interval"
  rank a 1 1
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
At 100 executions per second, a adds 100 µs (95 % interval 90 to 110) of the machine's CPU time an execution, 100 % of what that costs without a monitor. Of that, its own processes, which top shows, take 40 µs (38 to 42).
At 100 executions per second, without an interval and so not compared: once 50 µs (no interval) of the machine's CPU time an execution.
Not ranked: deaf (lost 100 % of the executions), full (the host was saturated) and silent (what it recorded is not known).
a, full and once recorded every one of their executions. deaf recorded none of its 1000 executions. Of silent no executions were counted.
TEXT
  lacks 'least,|most,|tied' "$BATS_TEST_TMPDIR/answer"
}

@test "the answer: of a monitor that ran already only its own CPU time is known; an interrupted run says so first" {
  manifest '{"state": "interrupted", "reason": "SIGTERM", "options": {"attached": true}}'
  rm "$ROWS"
  row test=unit:a,total_us=,total_us_low=,total_us_high=,counted_us=,counted_overhead=,counted_overhead_low=,counted_overhead_high=,cpu=4,cpu_low=3,cpu_high=5
  answer
  diff - <(head -n 2 "$BATS_TEST_TMPDIR/answer") <<'TEXT'
The run did not go to its end (SIGTERM): this is what it had measured.
unit:a took 4 % of one CPU (95 % interval 3 to 5) at 100 executions per second.
TEXT
}

@test "the answer of a saturation run: rates with the range of their searches, lower bounds apart, nothing ranked" {
  saturation 'a,no limits,500,400,600,monitor,ok,3' 'a,0.1 CPU,300,300,300,monitor,ok,1' 'b,no limits,1000,900,1100,host,ok,3' 'c,no limits,,,,monitor,ok,3'
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
Events per second without a loss (medians of searches, lowest to highest): a with 0.1 CPU 300 (one search) and a 500 (400 to 600).
At least, since the host, the load or --max-rate was the limit and not the monitor: b 1000 (900 to 1100).
Searches are too few for 95 % intervals: nothing is ranked here, and rates whose ranges overlap are not told apart.
Without a rate: c+no limits (lost events at every rate).
TEXT
  saturation 'a,no limits,500,400,600,failed,ok,3'
  [[ $(answer) == *" at least, since the host, the load or --max-rate, or a round that failed, was the limit and not the monitor: a 500 (400 to 600)."* ]]
  saturation 'c,no limits,,,,monitor,failed,3'
  [[ $(answer) == "No rate without a loss was found for any monitor."* ]]
}

@test "the page of a saturation run: what the load reaches, a bar a monitor, the table" {
  saturation 'a,no limits,500,400,600,monitor,ok,3' 'b,no limits,1000,900,1100,host,ok,3' 'c,no limits,,,,monitor,failed,3'
  printf '%s\n' 'monitor,combination,status,achieved_per_sec,recorded_percent,asked_per_sec,rep,round,lost,cpu,verdict,host_steal' 'a,no limits,ok,500,99.999,500,1,1,1,5,lossy,0' >"$RUN/rounds.csv"
  page
  grep -q 'Without a monitor, on all CPUs: exec 2149/s' "$RUN/report.html"
  [ "$(grep -c '<title>a: 500 events per second, median of 3 searches (400 to 600)</title>' "$RUN/report.html")" = 2 ]
  [ "$(grep -c '<title>b: ≥ 1000 events per second, median of 3 searches (900 to 1100); host saturated</title>' "$RUN/report.html")" = 2 ]
  # Not all was recorded.
  grep -qF '<td data-v="99.999">99.99</td>' "$RUN/report.html"
}

@test "the page of a saturation run: what was lost in soaks and how memory went, and what was published" {
  saturation 'a,no limits,500,400,600,monitor,ok,3'
  manifest '{"kind": "saturate", "options": {"actions": ["exec"], "round_s": 2, "soak_s": 120, "soak_percent": 80, "profile": "p-1"}}'
  page
  ! grep -q 'id="soak"\|id="published"' "$RUN/report.html" || return 1
  printf '%s\n' monitor,combination,rep,start,achieved_per_sec,launched,lost,growth_bytes_per_s,growth_bytes_per_s_low,growth_bytes_per_s_high,status,reason \
    'a,no limits,1,1,400,49200,3,900,-1200,3000,ok,' 'a,no limits,2,2,400,49200,0,900,100,1700,ok,' >"$RUN/soak.csv"
  printf '%s\n' whose,monitor,cpus,memory,driver,buffered,searches,with_drops,round,eps_with_drops,eps_with_drops_low,eps_with_drops_high,success_percent,success_eps,lossless_eps,syscalls_per_sec,source \
    ours,a,1,1G,kmod,no,3,2,5,800,700,900,90,720,400,, '"published, cluster",,1,1G,module,no,,,16,11134.6,,,89.9,10010,,,A source' >"$RUN/experiment.csv"
  page
  grep -q '120 s at 80 % of the highest rate' "$RUN/report.html"
  grep -qF '<td class="t long">no growth shown, up to 3 kB/s would not have been seen</td>' "$RUN/report.html"
  grep -qF '<td class="t long">grows by 0.9 kB/s (0.1 to 1.7)</td>' "$RUN/report.html"
  grep -qF '<td data-v="3">3</td>' "$RUN/report.html"
  grep -q 'Beside what was published (profile p-1)' "$RUN/report.html"
  grep -qF '<td data-v="800">800 <span class="i">700 to 900</span></td>' "$RUN/report.html"
  grep -qF '2 of 3 searches lost events' "$RUN/report.html"
  grep -qF '<td data-v="400">400</td>' "$RUN/report.html"
  grep -qF '<td data-v="11134.6">11134.6</td>' "$RUN/report.html"
  answer | grep -qx 'In 2 soaks of 120 s at 80 % of such a rate, events were lost under a (3 of 49200). Memory: a grows by 0.9 kB/s (0.1 to 1.7).'
  sed -i '3d; s/,49200,3,/,49200,0,/' "$RUN/soak.csv"
  answer | grep -qx 'In 1 soak of 120 s at 80 % of such a rate, nothing was lost, and no memory was shown to grow.'
  # To be saved, too.
  [ "$(grep -cE 'download="(soak|experiment)\.csv"' "$RUN/report.html")" = 2 ]
}

@test "the answer of a run of rules: what a rule costs, or that it can't be told from nothing" {
  rules
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
CPU time that each added rule costs an execution, by monitor and kind of rule (95 % intervals): c, last: 2000 ns (1500 to 2500); m, last: 600 ns (500 to 700).
Not distinguishable from nothing: m, watches: 10 ns (-100 to 120).
TEXT
  rm "$RUN/fits.csv"
  [[ $(answer) == "No line could be laid through"* ]]
}

@test "the page of a run of rules: lines, slopes with their intervals, points" {
  rules
  page
  [ "$(grep -c '<title>m with 100 rules (last): 259 µs (95 % interval 250 to 268)</title>' "$RUN/report.html")" = 2 ]
  grep -qF '<td data-v="0.6">600 <span class="i">500 to 700</span></td>' "$RUN/report.html"
  grep -qF '<td data-v="150">150 <span class="i">140 to 160</span></td>' "$RUN/report.html"
  [ "$(grep -oE '<section id="[a-z]+"' "$RUN/report.html" | cut -d '"' -f 2 | paste -sd ' ')" = "answer slopes points monitors missing host method data" ]
}

@test "the answer of a run of a set of rules: what it adds to an execution and to a system call, or that it can't be told; what was lost" {
  set_of_rules 'm,counted_us,µs per execution,100,98,102,120,117,123,20,16,24' 'n,counted_us,µs per execution,100,98,102,101,99,103,1,-2,4' \
    'c,counted_us,µs per execution,40,38,42,70,60,80,30,20,40' 'm,getppid,ns per call,200,190,210,350,340,360,150,140,160' \
    'm,lost,% of executions,0,0,0,0,0,0,0,0,0' 'n,lost,% of executions,0,0,0,1.2,0.5,1.9,1.2,0.5,1.9'
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
CPU time that the set adds to an execution, at 400 executions per second (95 % intervals): c 30 µs (20 to 40); m 20 µs (16 to 24). Not distinguishable from nothing: n 1 µs (-2 to 4).
What it adds to the cheapest system call, getppid, of a program that executes nothing: m 150 ns (140 to 160).
m recorded every execution, with the set and without it. n lost 12 of 1000 executions with the set and 0 of 1000 executions without it, which is more by 1.2 % of the executions (95 % interval 0.5 to 1.9).
TEXT
}

@test "the answer of a run of a set of rules: nothing told apart, a saturated host, a single cell, nothing measured" {
  set_of_rules 'm,counted_us,µs per execution,100,98,102,101,99,103,1,-2,4' 'c,counted_us,µs per execution,40,,,70,,,30,,' 'n,counted_us,µs per execution,100,98,102,50,49,51,-50,-52,-48'
  sed -i 's/^\(n,stig.*\)false/\1true/' "$RUN/rules.csv"
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
CPU time that the set adds to an execution, at 400 executions per second (95 % intervals), not distinguishable from nothing: m 1 µs (-2 to 4). Not known to be anything, since it was measured once: c 30 µs (no interval).
The host was saturated under n, with the set or without it: what it adds there is not said, since such figures are those of a lower rate.
TEXT
  set_of_rules
  sed -i '2,$d' "$RUN/sets.csv"
  [ "$(answer)" = "Nothing can be said about what the set adds: no monitor was measured both with it and without it. The reasons are below." ]
}

@test "the page of a run of a set of rules: what it adds and who pays, what the set is and what was left out of it" {
  set_of_rules 'm,counted_us,µs per execution,100,98,102,120,117,123,20,16,24' 'm,daemon_us,µs per execution,60,58,62,59,57,61,-1,-4,2' \
    'c,counted_us,µs per execution,40,38,42,70,60,80,30,20,40' 'm,getppid,ns per call,200,190,210,350,340,360,150,140,160'
  page
  [ "$(grep -c '<title>m, all that is counted: 20 µs (95 % interval 16 to 24) more with the set; without it 100 µs (98 to 102), with it 120 µs (117 to 123)</title><rect class="s-more"' "$RUN/report.html")" = 2 ]
  # What could be nothing is no bar.
  grep -q '<title>m, daemon: -1 µs (95 % interval -4 to 2) more with the set' "$RUN/report.html"
  [ "$(grep -o 'class="s-[a-z]*"' "$RUN/report.html" | sort -u)" = 'class="s-more"' ]
  grep -qF '<td data-v="70">70 <span class="i">60 to 80</span></td><td data-v="30">30 <span class="i">20 to 40</span></td>' "$RUN/report.html"
  grep -qF '34 rules, 32 of them in force.' "$RUN/report.html"
  grep -qF '<th scope="row">30-stig.rules:1</th><td class="t">-e 2</td><td class="t">locks audit</td>' "$RUN/report.html"
  [ "$(grep -oE '<section id="[a-z]+"' "$RUN/report.html" | cut -d '"' -f 2 | paste -sd ' ')" = "answer added set monitors missing host method data" ]
  page yes
  lacks '-e 2|/usr/share' "$RUN/report.html"
  grep -qF '<th scope="row">30-stig.rules:1</th><td class="t">[left out]</td><td class="t">locks audit</td>' "$RUN/report.html"
  grep -qF '<th scope="row">30-stig.rules</th><td class="t"><code class="sum">cccc</code></td>' "$RUN/report.html"
  # A run that ended before its set was loaded.
  rm "$RUN/sets.csv"
  manifest '{"kind": "rules", "state": "interrupted", "reason": "SIGTERM", "options": {"set": "stig"}}'
  page
  grep -qF 'The run ended before its set of rules was loaded.' "$RUN/report.html"
}

@test "the answer of rule engines: one, all tied, apart" {
  engines today,go,code-injection,2,3,10,9,11 today,go,code-injection,100,3,1200,1100,1300
  signature_adds go 12 11 13
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
With 100 signatures (code-injection), go costs 1.2 µs (95 % interval 1.1 to 1.3) an event.
One more signature adds to each event (95 % intervals): go 12 ns (11 to 13).
TEXT
  engines today,go,code-injection,100,3,1200,1100,1300 today,cel,code-injection,100,3,1250,1150,1350
  engines_differ cel go -50 150
  [ "$(answer)" = "With 100 signatures (code-injection), the 2 engines are tied: no difference between two of them is significant. Time for an event (95 % intervals): cel 1.25 µs (1.15 to 1.35) and go 1.2 µs (1.1 to 1.3)." ]
  engines today,go,code-injection,100,3,1200,1100,1300 today,rego,code-injection,100,3,2500000,2400000,2600000 today,noop,code-injection,100,3,1,1,1
  engines_differ go rego -2600000 -2398000
  signature_adds rego 25000 24000 26000 1 2
  signature_adds go 1 -2 4
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
With 100 signatures (code-injection), go costs least, 1.2 µs (95 % interval 1.1 to 1.3) an event. rego costs most, 2.5 ms (95 % interval 2.4 to 2.6). That is 2.5 ms more (2.4 to 2.6).
One more signature adds to each event (95 % intervals): rego 25 µs (24 to 26), though its cost is no line. Not distinguishable from nothing: go 1 ns (-2 to 4).
TEXT
}

@test "the answer of rule engines: what is not known to differ is not compared; each module by itself; nothing measured" {
  engines today,go,code-injection,100,3,1200,1100,1300 today,cel,code-injection,100,3,1250,1150,1350 today,expr,code-injection,100,1,1300,, tracee-0.6.5,go,code-injection,128,3,34000,33000,35000
  answer
  diff - "$BATS_TEST_TMPDIR/answer" <<'TEXT'
With 100 signatures (code-injection), how much the engines differ is not known, so they are not compared. Time for an event (95 % intervals): cel 1.25 µs (1.15 to 1.35) and go 1.2 µs (1.1 to 1.3).
With 100 signatures (code-injection), measured once and so not compared: expr 1.3 µs (no interval) an event.
In tracee-0.6.5, with 128 signatures (code-injection), go costs 34 µs (95 % interval 33 to 35) an event.
TEXT
  engines today,go,code-injection,2,0,,, today,cel,code-injection,2,0,,,
  [ "$(answer)" = "Nothing can be said about what an event costs: no engine was measured. The reasons are below." ]
}

@test "the page of rule engines: a line an engine on logarithmic axes, ranks from differences, what was not measured and why" {
  engines today,go,code-injection,2,3,10,9,11 today,go,code-injection,100,3,1200,1100,1300 today,cel,code-injection,2,3,20,18,22 today,cel,code-injection,100,3,2500,2400,2600 today,wasm,code-injection,2,0,,,
  engines_differ cel go 1000 1600
  signature_adds go 12 11 13
  manifest '{"kind": "engines", "versions": {"Go": "go1.26"}, "skipped": {"Tracee <WASM>": "there is no C compiler here"}}'
  page
  [ "$(grep -c '<title>today, go, 100 × code-injection: 1.2 µs (95 % interval 1.1 to 1.3) an event</title>' "$RUN/report.html")" = 2 ]
  # From 9 ns to 2.6 µs are four powers of ten, each as high as the other.
  [ "$(grep -oE '<text x="[0-9.]+" y="[0-9.]+" class="e f">[0-9.]+<' "$RUN/report.html" | head -n 5 | sed -E 's/.*y="([0-9.]+)".*>(.*)</\1 \2/' | paste -sd '|')" = "390 0.001|300 0.01|210 0.1|120 1|30 10" ]
  grep -F '<tr><th scope="row">today</th><td class="t">code-injection</td><td class="t">go</td><td data-v="1">1</td><td data-v="2">2</td><td data-v="10">10 <span class="i">9 to 11</span></td><td data-v="100">100</td><td data-v="1200">1200 <span class="i">1100 to 1300</span></td><td data-v="12">12 <span class="i">11 to 13</span></td>' "$RUN/report.html"
  grep -qF '<td class="t">cel</td><td data-v="2">2</td>' "$RUN/report.html"
  grep -qF '<th scope="row">today, wasm</th><td class="t">2 × code-injection</td><td class="t">not measured</td>' "$RUN/report.html"
  grep -qF '<th scope="row">Tracee &lt;WASM&gt;</th>' "$RUN/report.html"
  [ "$(grep -oE '<section id="[a-z]+"' "$RUN/report.html" | cut -d '"' -f 2 | paste -sd ' ')" = "answer engines missing noise host method data" ]
  grep -qF 'download="engine-differences.csv"' "$RUN/report.html"
}

# A run in which everything that others wrote is as bad as can be.
hostile() {
  local bad='<script>alert(1)</script>"'\''&]]>'
  row "test=$bad,loss_counters=$bad"
  row "test=a+<b>"
  without "test=<img src=x onerror=alert(1)>,status=failed,reason=died; its last words: $bad"
  manifest "$(jq -n --arg bad "$bad" '{skipped: {($bad): $bad}, versions: {($bad): $bad}, reason: $bad, state: $bad, options: {x: $bad}, host: {os: $bad, hostname: $bad}}')"
  mkdir -p "$RUN/monitors/a/1-1/x" "$RUN/cells/a/100-1"
  printf '%s\n' "$bad </pre></textarea>" >"$RUN/monitors/a/1-1/x/<i>.conf"
  echo "1,1,a,100,1" >>"$RUN/plan.csv"
  printf 'true;%s 9\n' "</text></svg><script>x</script>" | gzip >"$RUN/cells/a/100-1/stacks.folded.gz"
  echo "test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason" >"$RUN/syscalls.csv"
  echo "a,<u>getppid,side-by-side,1,2,1,0,2,3,<s>" >>"$RUN/syscalls.csv"
  printf 'cell,test,exec_per_sec,rep,status,reason,marks,host_steal\n1,a,100,1,failed,<em>,<q>,0\n' >"$RUN/cells.csv"
}

@test "what a run brings along is text: names, last words, configurations, stacks" {
  hostile
  page
  [ "$(grep -c '<script>' "$RUN/report.html")" = 1 ]
  sed -E 's#<b class="dot[^"]*"></b>##g; s#<i class="s-[a-z]*"></i>##g' "$RUN/report.html" >"$BATS_TEST_TMPDIR/page"
  lacks '<(b|i|u|s|em|q|img)[ >]|alert\(1\)</script>' "$BATS_TEST_TMPDIR/page"
  grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' "$RUN/report.html"
  grep -qF '&lt;img src=x onerror=alert(1)&gt;' "$RUN/report.html"
  grep -qF '&lt;/pre&gt;' "$RUN/report.html"
  grep -qF '&lt;/svg&gt;&lt;script&gt;' "$RUN/report.html"
}

@test "every section that has something to say, and no other; the table of ranks is the text report's" {
  printf '%s\n' cell,test,exec_per_sec,rep,status,reason,marks,host_steal,shared_cores,far_cores 1,a,100,1,ok,,,0.5,60,0 2,a,100,2,ok,,steal,7.25,44,10 3,a,100,3,failed,died,,1,, 4,a,100,4,ok,,processes-changed,1,52,5 5,a,200,1,ok,,,1,52,5 >"$RUN/cells.csv"
  row test=a,delivery_p50_ms=1.2,delivery_p50_ms_low=1,delivery_p50_ms_high=1.4
  row test=b,total_us=300,total_us_low=280,total_us_high=320
  differ a b -220 -180
  rank a 1 1
  rank b 2 2
  page
  [ "$(grep -oE '<section id="[a-z]+"' "$RUN/report.html" | cut -d '"' -f 2 | paste -sd ' ')" = "answer costs cpu losses delivery monitors missing noise host method data" ]
  # A row: a, rank 1, its total with the interval.
  grep -F '<tr><th scope="row"><a href="#m0">a</a></th><td data-v="1">1</td><td data-v="100">100 <span class="i">90 to 110</span></td>' "$RUN/report.html"
  grep -F '<tr><th scope="row"><a href="#m1">b</a></th><td data-v="2">2</td><td data-v="300">300 <span class="i">280 to 320</span></td>' "$RUN/report.html"
  grep -F '5 cells were planned: 1 failed, 4 ok. The hypervisor took more than 5 % of a CPU in 1 of them. The hypervisor took 1 % of one CPU in the median cell, 7.3 % at most. CPUs of the host shared a core for 52 % of the time, and had no cache in common for 5 %.' "$RUN/report.html"
  # Its unit and source.
  grep -E '<dt><code>bpf_us</code>, µs per execution</dt><dd>eBPF programs; .* Source: run time of the monitor.*s eBPF programs; window B.</dd>' "$RUN/report.html"
  # The picture, for wide and narrow screens, has the value that a pointer sees.
  [ "$(grep -c '<title>a: 100 µs an execution (95 % interval 90 to 110)</title>' "$RUN/report.html")" = 2 ]
  # What can be saved is what is in the folder.
  grep -oE 'download="perf.csv" href="data:text/csv;base64,[^"]*' "$RUN/report.html" | sed 's/.*base64,//' | base64 -d | cmp - "$RUN/perf.csv"
  [ ! -e "$RUN/report.html.new" ]
}


@test "a page of monitors that take less than nothing, by chance" {
  row test=a,total_us=-9,total_us_low=-90,total_us_high=72,total_cpu=-0.9,total_cpu_low=,total_cpu_high=
  rank a 1 1
  page
  grep -q 'CPU that the whole machine takes more' "$RUN/report.html"
}

@test "starts with one configuration have one hash, whatever folder each was given; another configuration is told" {
  local start
  row test=a
  for start in 1-1 2-1 10-1; do
    mkdir -p "$RUN/monitors/a/$start/log"
    echo "log = /var/lib/exectax/scratch/$start-a/log/x" >"$RUN/monitors/a/$start/a.conf"
    echo "$start" | tee "$RUN/monitors/a/$start/stdout.txt" "$RUN/monitors/a/$start/log/x" >"$RUN/monitors/a/$start/stderr.txt"
  done
  page
  local sum
  sum=$(sha256sum <<<'log = @START@/log/x' | cut -c -64)
  grep -qF "All 3 starts had the same configuration, SHA-256 $(sha256sum <<<"$sum  a.conf" | cut -c -64)." "$RUN/report.html"
  grep -qF '<pre tabindex="0">log = @START@/log/x' "$RUN/report.html"
  grep -qF "SHA-256 <code class=\"sum\">$sum</code>" "$RUN/report.html"
  lacks 'stderr\.txt' "$RUN/report.html"
  echo "backlog = 1" >>"$RUN/monitors/a/2-1/a.conf"
  page
  grep -qE '3 starts had 2 different configurations: [0-9a-f]{12}… \(1-1, 10-1\); [0-9a-f]{12}… \(2-1\)\. Shown is that of 1-1' "$RUN/report.html"
}

@test "--redact leaves out host names, paths, and what programs wrote, in the tables to be saved as well" {
  row "test=a,loss_counters=web1 lost 3"
  without "test=b,status=failed,reason=/opt/secret place/bin/b is not there on web1.corp.example; its last words: b --password hunter2 /etc/shadow"
  manifest '{"skipped": {"c": "needs /home/me/c; see https://wiki.corp.example/c"}, "options": {"out": "/srv/runs/x"}}'
  mkdir -p "$RUN/monitors/a/1-1" "$RUN/cells/a/100-1"
  echo "server = https://logs.corp.example" >"$RUN/monitors/a/1-1/a.conf"
  echo "1,1,a,100,1" >>"$RUN/plan.csv"
  echo 'mysqld;main 9' | gzip >"$RUN/cells/a/100-1/stacks.folded.gz"
  page
  for word in web1.corp.example /opt/agents/a hunter2 /home/me/c logs.corp.example mysqld /srv/runs/x; do
    grep -qF -- "$word" "$RUN/report.html"
  done
  page yes
  {
    cat "$RUN/report.html"
    grep -oE 'href="data:[^"]*' "$RUN/report.html" | sed 's/.*base64,//' | while read -r table; do base64 -d <<<"$table"; done
  } >"$BATS_TEST_TMPDIR/all"
  for word in web1 corp.example 'server =' /opt secret place/ hunter2 password /etc /home /srv mysqld "$BATS_TEST_TMPDIR"; do
    lacks "$word" "$BATS_TEST_TMPDIR/all"
  done
  grep -qF '[path] is not there on [host]; its last words: [left out]' "$BATS_TEST_TMPDIR/all"
  grep -qF '[host] lost 3' "$BATS_TEST_TMPDIR/all"
  # What ran is still told.
  grep -qF 'a, SHA-256 aaaa.' "$RUN/report.html"
  grep -qF "SHA-256 <code class=\"sum\">$(sha256sum <"$RUN/monitors/a/1-1/a.conf" | cut -c -64)</code>" "$RUN/report.html"
}

@test "what looks like a path, and what does not" {
  redact() { jq -nr -L "$EXECTAX_ROOT/lib/report/html" --arg text "$1" 'include "redact"; $text | redacted(["web1"])'; }
  [ "$(redact '100/s of GNU/Linux, 1/2 and/or 3')" = '100/s of GNU/Linux, 1/2 and/or 3' ]
  [ "$(redact "can't open '/a/b c/d.conf', ./x/y or ~me/z")" = "can't open '[path]', [path] or [path]" ]
  [ "$(redact 'web1, web1.corp.org:514, myweb1 and web10')" = '[host], [host].corp.org:514, myweb1 and web10' ]
  [ "$(redact 'X=/opt/a (see /b)')" = 'X=[path] (see [path])' ]
}

@test "exectax report makes the page, for whoever may read it, whatever the run's folder is called" {
  RUN="$BATS_TEST_TMPDIR/a run's \$(name) [of]* \"signs\" <b>"
  begin_run
  mkdir -p "$RUN/cells" "$RUN/monitors/a/1-1"
  echo "backlog = 1" >"$RUN/monitors/a/1-1/a.conf"
  run --separate-stderr "$EXECTAX_ROOT/exectax" report "$RUN"
  echo "$output $stderr"
  [ "$status" -eq 0 ]
  grep -q 'No monitor was measured' "$RUN/report.html"
  grep -qF 'backlog = 1' "$RUN/report.html"
  grep -qF web1.corp.example "$RUN/report.html"
  [ "$(stat -c %a "$RUN/report.html")" = 600 ]
  "$EXECTAX_ROOT/exectax" report --redact "$RUN"
  lacks web1 "$RUN/report.html"
}
