# shellcheck shell=bash
# A made-up run in RUN, for tests of what is made of a run's tables.

# A sweep with a baseline and no monitor yet.
begin_run() {
  mkdir -p "$RUN"
  ROWS=$RUN.rows
  manifest '{}'
  echo cell,rep,monitor,rate,turn >"$RUN/plan.csv"
  echo "test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high,p,significant" >"$RUN/differences.csv"
  echo "test,exec_per_sec,best,worst,apart" >"$RUN/ranks.csv"
  row test=none,counted_us=0,counted_us_low=-1,counted_us_high=1,lost=,inprogram_method=apart,daemon_us=0
}

# manifest JSON: what is different in the run's.
manifest() {
  jq -n --argjson other "$1" '{kind: "sweep", state: "complete", reason: null, started: "2026-01-02T03:04:05+00:00", ended: "2026-01-02T04:04:05+00:00", exectax: "abc123", skipped: {},
    versions: {a: "1.0", b: "2.0"}, binaries: {a: [{path: "/opt/agents/a", sha256: "aaaa"}]},
    options: {reps: 3, duration_s: 2, attached: false},
    host: {os: "Test OS", kernel: "6.1", cpus: 2, cpu_model: "CPU", virtualisation: "none", hostname: "web1.corp.example"}} * $other' >"$RUN/manifest.json"
}

# row KEY=VALUE,...: of perf.csv; what is not said is as of a monitor that records everything and costs as much as the execution itself, 100 µs, counted and in all.
row() {
  echo "exec_per_sec=100,status=ok,reason=,reps=3,saturated=false,inprogram_method=side-by-side,achieved_per_sec=100,launched=1000,lost=0,cpu=1,cpu_low=0.9,cpu_high=1.1,daemon_us=40,daemon_us_low=38,daemon_us_high=42,total_us=100,total_us_low=90,total_us_high=110,total_overhead=100,counted_us=100,counted_us_low=90,counted_us_high=110,counted_overhead=100,counted_overhead_low=90,counted_overhead_high=110,execution_us=100,$1" >>"$ROWS"
}

# without KEY=VALUE,...: a row without figures.
without() {
  row "reps=,saturated=,inprogram_method=,achieved_per_sec=,launched=,lost=,cpu=,cpu_low=,cpu_high=,daemon_us=,daemon_us_low=,daemon_us_high=,total_us=,total_us_low=,total_us_high=,total_overhead=,counted_us=,counted_us_low=,counted_us_high=,counted_overhead=,counted_overhead_low=,counted_overhead_high=,execution_us=,$1"
}

# differ A B LOW HIGH: the total of A less that of B, and what is counted of them, as shares of an execution. It is significant if the interval leaves out zero.
differ() {
  local figure significant=false
  (($3 <= 0 && $4 >= 0)) || significant=true
  for figure in total_us counted_overhead; do
    echo "$1,$2,100,$figure,$((($3 + $4) / 2)),$3,$4,0.5,$significant" >>"$RUN/differences.csv"
  done
}

# rank TEST BEST WORST, or TEST "" "" WHY-NOT
rank() {
  echo "$1,100,$2,$3,\"${4:-}\"" >>"$RUN/ranks.csv"
}

# perf.csv, of the rows.
make_perf() {
  [[ ! -e $ROWS ]] ||
    mlr --idkvp --ocsv --no-dedupe-field-names unsparsify "$ROWS" >"$RUN/perf.csv"
}

# saturation ROW...: a row is monitor,combination,lossless,lowest,highest,bound,status,reps.
saturation() {
  rm -f "$ROWS" "$RUN/differences.csv"
  manifest '{"kind": "saturate", "options": {"actions": ["exec"], "round_s": 2}}'
  echo '{"actions": ["exec"], "achieved_hz": 2149.4}' >"$RUN/ceiling-exec.json"
  {
    echo test,monitor,combination,lossless_per_sec,lossless_lowest,lossless_highest,bound,status,reps
    printf '%s\n' "$@" | awk -F, -v OFS=, '{ print $1 "+" $2, $0 }'
  } >"$RUN/saturation.csv"
  echo monitor,combination,status,achieved_per_sec,recorded_percent >"$RUN/rounds.csv"
}

# A run of rules, in which m's slope is 0.6 µs a rule for one kind, and could be none for the other.
rules() {
  rm -f "$ROWS"
  manifest '{"kind": "rules", "options": {"rate_per_sec": 400}}'
  printf '%s\n' monitor,kind,figure,fixed,fixed_low,fixed_high,slope,slope_low,slope_high,doubling,doubling_low,doubling_high \
    m,last,counted_us,200,190,210,0.6,0.5,0.7,333,300,400 m,watches,counted_us,200,190,210,0.01,-0.1,0.12,,, c,last,counted_us,150,140,160,2,1.5,2.5,75,65,105 >"$RUN/fits.csv"
  printf '%s\n' monitor,kind,rules,counted_us,counted_us_low,counted_us_high,inprogram_method,launched,lost,saturated,status,reason \
    m,,0,201,190,212,side-by-side,100,0,false,ok, m,last,100,259,250,268,side-by-side,100,0,false,ok, c,,0,150,140,160,run-time,100,0,false,ok, \
    c,last,100,350,340,360,run-time,100,0,false,ok, c,last,400,,,,,,,,failed,died >"$RUN/rules.csv"
}

# set_of_rules ROW...: a run of the set stig, of which a row of sets.csv is monitor,figure,unit, then without, with and added, each a mean and the ends of its
# interval. n loses executions with the set.
set_of_rules() {
  rm -f "$ROWS" "$RUN/differences.csv"
  manifest '{"kind": "rules", "options": {"set": "stig", "rate_per_sec": 400, "mix": ["open", "connect"], "login_uid": "1000"}, "set": {"name": "stig", "rules": 34, "loaded": 32, "format": "audit",
    "left_out": [{"place": "30-stig.rules:1", "reason": "locks audit", "line": "-e 2"}], "files": [{"path": "/usr/share/audit-rules/30-stig.rules", "sha256": "cccc"}]}}'
  {
    echo monitor,set,rules,figure,unit,exec_per_sec,reps_without,reps,without,without_low,without_high,with,with_low,with_high,added,added_low,added_high
    printf '%s\n' "$@" | sed -E 's/^([^,]*),([^,]*),([^,]*),/\1,stig,34,\2,\3,400,6,5,/'
  } >"$RUN/sets.csv"
  printf '%s\n' monitor,kind,rules,exec_per_sec,inprogram_method,launched,lost,saturated,status,reason \
    m,,0,400,side-by-side,1000,0,false,ok, m,stig,34,400,side-by-side,1000,0,false,ok, c,,0,400,run-time,1000,0,false,ok, c,stig,34,400,run-time,1000,0,false,ok, \
    n,,0,400,side-by-side,1000,0,false,ok, n,stig,34,400,side-by-side,1000,12,false,ok, >"$RUN/rules.csv"
}

# engines ROW...: a run of rule engines, of which a row is module,engine,signature,signatures,reps and the mean of ns with the ends of its interval.
engines() {
  rm -f "$ROWS" "$RUN/differences.csv"
  manifest '{"kind": "engines", "options": {"duration_s": 1, "counts": [2, 100]}, "versions": {"Go": "go1.26"}}'
  echo cell,rep,module,engine,signature,count,events >"$RUN/plan.csv"
  {
    echo "module,engine,signature,signatures,reps$(printf ',%s,%s_low,%s_high' ns ns ns cpu_ns cpu_ns cpu_ns bytes bytes bytes allocs allocs allocs compile_ns compile_ns compile_ns \
      resident_bytes resident_bytes resident_bytes)"
    printf '%s,,,,,,,,,,,,,,,\n' "$@"
  } >"$RUN/engines.csv"
  echo module,engine,signature,figure,unit,cells,fixed,fixed_low,fixed_high,slope,slope_low,slope_high,bend,bend_low,bend_high >"$RUN/engine-fits.csv"
  echo module,signature,signatures,engine_a,engine_b,figure,difference,difference_low,difference_high >"$RUN/engine-differences.csv"
}

# signature_adds ENGINE SLOPE LOW HIGH [BEND_LOW BEND_HIGH]: ns.
signature_adds() {
  echo "today,$1,code-injection,ns,ns per event,9,5,4,6,$2,$3,$4,0,${5:--1},${6:-1}" >>"$RUN/engine-fits.csv"
}

# engines_differ A B LOW HIGH: ns of A less that of B, with 100 signatures.
engines_differ() {
  echo "today,code-injection,100,$1,$2,ns,$((($3 + $4) / 2)),$3,$4" >>"$RUN/engine-differences.csv"
}

# What `exectax compare --format json` says of RUN and itself as if it was another one: worse, better, neither, not comparable, and counts.
comparison() {
  jq -n --arg run "$RUN" '
    def side($value): {value: $value, low: ($value - 1), high: ($value + 1), test: "m", reps: 3, count: null, of: null, values: [$value - 0.5, $value, $value + 0.5]};
    def counted($count): {value: $count, low: null, high: null, test: "m", reps: 3, count: $count, of: 100, values: []};
    def about($value; $half): {$value, low: ($value - $half), high: ($value + $half)};
    def told($figure; $b; $verdict): {$figure, column: $figure, unit: "µs per execution", exec_per_sec: 400, a: side(100), b: side($b), difference: about($b - 100; 3), ratio: about($b / 100; 0.03),
      smallest_shown: 3, $verdict, reason: null, gate: null};
    {version: 1, a: {$run, selection: null, started: "2026-01-02T03:04:05+00:00", state: "complete", host: {os: "Test OS", kernel: "6.1"}, exectax: "abc", programs: [{monitor: "m", version: "1.0", binaries: [{path: "/opt/m", sha256: "aaaa"}]}]},
     b: {$run, selection: null, started: "2026-01-03T03:04:05+00:00", state: "complete", host: {os: "Test OS", kernel: "6.2"}, exectax: "abc", programs: [{monitor: "m", version: "1.1", binaries: []}]},
     one_run: false, between_runs_percent: 10, differs: [{what: "kernel", a: "6.1", b: "6.2"}], comparable: true,
     comparisons: [told("counted_us"; 120; "worse"), told("daemon_us"; 80; "better"), told("services_us"; 101; "no difference shown"),
       (told("program_us"; 100; "not comparable") | .reason = "what is in the program was got by different methods" | .ratio = {value: null, low: null, high: null}),
       (told("lost"; 0; "worse") | .column = null | .unit = "% of executions" | .a = counted(0) | .b = counted(3) | .difference = {value: 3, low: null, high: null} | .ratio = {value: null, low: null, high: null})],
     only_a: [{test: "n", exec_per_sec: 400}], only_b: [], baseline_a: [about(900; 20) + {exec_per_sec: 400}], baseline_b: [about(910; 20) + {exec_per_sec: 400}], gate: null}'
}
