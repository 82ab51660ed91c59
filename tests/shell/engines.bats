#!/usr/bin/env bats
# exectax rules --engines: its options, its plan, which benchmark is run, and its table and picture from results written by hand.

load ../rooms
load ../picture

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure report command
  OPTIONS=([counts]="2 10" [reps]=2 [duration]=1 [seed]=5 [tracee]=yes [out]=$BATS_TEST_TMPDIR/out)
}

teardown() {
  [[ -z ${worker:-} ]] || kill -KILL "$worker" 2>/dev/null || true
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" rules --engines --out "$BATS_TEST_TMPDIR/out" "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $BATS_TEST_TMPDIR/out ]]
}

@test "bad options are refused, each in one line" {
  refused "*--counts is '0', expected numbers of signatures*" --counts 0,5
  refused "*--counts is empty*" --counts ,
  refused "*--reps is '0'*" --reps 0
  refused "*--duration is '61'*" --duration 61
  refused "*unexpected argument 'x'*" x
  refused "*'--monitors'*'exectax rules --engines --help' lists the options" --monitors falco
}

@test "--quick is shorter unless other options say otherwise" {
  engines_options --engines --quick --out "$BATS_TEST_TMPDIR/out"
  [ "${OPTIONS[counts]} ${OPTIONS[reps]} ${OPTIONS[tracee]}" = "2 20 200 3 no" ]
  engines_options --engines --quick --counts 7,3,7 --reps 2 --out "$BATS_TEST_TMPDIR/out"
  [ "${OPTIONS[counts]} ${OPTIONS[reps]} ${OPTIONS[tracee]}" = "3 7 2 no" ]
  engines_options --engines --out "$BATS_TEST_TMPDIR/out"
  [ "${OPTIONS[counts]} ${OPTIONS[reps]} ${OPTIONS[tracee]}" = "2 10 100 1000 5 yes" ]
}

# obstacle VERSION TOOLCHAIN: where that is Go.
obstacle() {
  GO_VERSION=$1 GO_TOOLCHAIN=$2
  go() {
    case $2 in
      GOVERSION) echo "go$GO_VERSION" ;;
      GOTOOLCHAIN) echo "$GO_TOOLCHAIN" ;;
    esac
  }
  engines_obstacle
}

@test "without a Go that can build the engines, it is said why" {
  [ -z "$(obstacle 1.26.8 local)" ]
  [ -z "$(obstacle 1.26 local)" ]
  [ -z "$(obstacle 1.24.4 auto)" ]
  [ "$(obstacle 1.24.4 local)" = "Go is version 1.24.4 here, expected 1.26, or 1.21 that can get it (GOTOOLCHAIN)" ]
  [[ $(obstacle 1.19.8 auto) == "Go is version 1.19.8 here, "* ]]
  [[ $(obstacle 1.9.7 auto) == "Go is version 1.9.7 here, "* ]]
  [[ $(PATH=$BATS_TEST_TMPDIR engines_obstacle) == "there is no Go here, "* ]]
}

@test "where engines are skipped, nothing is begun" {
  engines_obstacle() { echo "for a reason"; }
  run engines_run
  [ "$status" -eq 1 ]
  [ "$output" = "exectax: rule engines are skipped: for a reason" ]
  [ ! -e "$BATS_TEST_TMPDIR/out" ]
}

@test "each repetition measures everything once, in an order of its own" {
  engines_wasm_obstacle() { :; }
  engines_plan >"$BATS_TEST_TMPDIR/plan"
  [ "$(head -n 1 "$BATS_TEST_TMPDIR/plan")" = "cell,rep,module,engine,signature,count,events" ]
  # 6 engines of today with 3 signatures and 2 numbers; of Tracee's 3 and 3 by themselves, and 4 with 4 numbers.
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/plan" | cut -d, -f1 | paste -sd ' ')" = "$(seq 116 | paste -sd ' ')" ]
  of_rep() { awk -F, -v OFS=, -v rep="$1" '$2 == rep { print $3, $4, $5, $6, $7 }' "$BATS_TEST_TMPDIR/plan"; }
  diff <(of_rep 1 | sort) <(of_rep 2 | sort)
  run ! diff <(of_rep 1) <(of_rep 2)
  [ "$(of_rep 1 | sort -u | wc -l)" = 58 ]
  of_rep 1 | grep -qx 'tracee-0.6.5,noop,code-injection,128,1000'
  of_rep 1 | grep -qx 'tracee-0.16.2,wasm,code-injection alone,1,1'
  of_rep 1 | grep -qx 'today,rego-together,never,10,32'
  diff "$BATS_TEST_TMPDIR/plan" <(engines_plan)
}

@test "without a C compiler Tracee's WASM is left out; without Tracee's all of its" {
  engines_wasm_obstacle() { echo "there is none"; }
  [ "$(engines_rows | grep -c '^tracee.*wasm')" = 0 ]
  [ "$(engines_rows | grep -c '^tracee')" = 16 ]
  OPTIONS[tracee]=no
  [ "$(engines_rows | grep -c '^tracee')" = 0 ]
}

@test "which benchmark a measurement is" {
  [ "$(engines_pattern today go never 2)" = '^BenchmarkLook$/^go$/^never$' ]
  [ "$(engines_pattern tracee-0.6.5 go 'code-injection alone' 1)" = '^BenchmarkOnEventWithCodeInjectionSignature$/^golang$' ]
  [ "$(engines_pattern tracee-0.6.5 rego code-injection 8)" = '^BenchmarkEngineWithNSignatures$/^rego$/^8Signatures$' ]
}

@test "a measurement is told its number of signatures, and its output kept" {
  mkdir -p "${OPTIONS[out]}/cells"
  as_builder() {
    echo "$@"
    echo problem >&2
  }
  engines_cell 7 today cel never 10
  [ "$(<"${OPTIONS[out]}/cells/7.txt")" = \
    "/ EXECTAX_COUNT=10 timeout --kill-after=10 600 $PWD/today -test.run ^\$ -test.benchmem -test.benchtime 1s -test.bench ^BenchmarkLook\$/^cel\$/^never\$" ]
  [ "$(<"${OPTIONS[out]}/cells/7.err")" = problem ]
  engines_cell 8 tracee-0.6.5 noop code-injection 2
  [[ $(<"${OPTIONS[out]}/cells/8.txt") == *" -test.benchtime 20x "* ]]
}

@test "one measurement that fails does not end the run" {
  mkdir -p "${OPTIONS[out]}/cells"
  printf '%s\n' cell,rep,module,engine,signature,count,events 1,1,today,go,never,2,32 2,1,today,cel,never,2,32 >"${OPTIONS[out]}/plan.csv"
  engines_cell() {
    echo "$@" >>"$BATS_TEST_TMPDIR/cells"
    echo reason >"${OPTIONS[out]}/cells/$1.err"
    [[ $1 != 1 ]]
  }
  engines_measure 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(<"$BATS_TEST_TMPDIR/cells")" = $'1 today go never 2\n2 today cel never 2' ]
  grep -qx 'exectax: warning: cell 1 (today, go, 2 × never) failed: reason' "$BATS_TEST_TMPDIR/stderr"
}

@test "each version of Tracee's benchmark is pinned by its checksum" {
  local folder module version
  for folder in "$ROOT"/bench/engines/tracee/*; do
    while read -r _ module version; do
      grep -qE "^$module $version h1:[A-Za-z0-9+/]{43}=$" "$folder/go.sum"
      grep -qE "^$module $version/go.mod h1:[A-Za-z0-9+/]{43}=$" "$folder/go.sum"
    done < <(grep '^require ' "$folder/go.mod")
    grep -q "^require github.com/aquasecurity/.* v${folder##*/}$" "$folder/go.mod"
  done
}

@test "the versions that were measured are those that are required" {
  go() { echo go1.2.3; }
  engines_versions_json >"$BATS_TEST_TMPDIR/versions"
  jq -e '.Go == "go1.2.3" and ."github.com/aquasecurity/tracee v0.16.2" == "v0.16.2" and (keys | map(select(startswith("github.com/open-policy-agent/opa "))) | length) == 1
    and (keys | map(select(contains("indirect"))) | length) == 0' "$BATS_TEST_TMPDIR/versions"
}

# results: a run of two engines with 2 and 20 signatures, three times; of the third there is no result.
results() {
  RUN=$BATS_TEST_TMPDIR/run
  local -i cell=0
  local rep count
  mkdir -p "$RUN/cells"
  echo '{"kind": "engines", "started": "2026-01-02T03:04:05+00:00", "state": "complete", "skipped": {"gone": "not here"}, "options": {"reps": 3, "duration_s": 1},
    "host": {"os": "Test OS", "kernel": "6.1", "cpus": 2, "cpu_model": "CPU", "virtualisation": "none"}}' >"$RUN/manifest.json"
  {
    echo cell,rep,module,engine,signature,count,events
    for rep in 1 2 3; do
      for count in 2 20; do
        cell+=1
        echo "$cell,$rep,today,cel,code-injection,$count,10"
        echo "BenchmarkLook/cel/code-injection/$count-2 5 $((10 * (100 + 50 * count + 20 * rep))) ns/op $((20 * (100 + 50 * count + 20 * rep))) cpu-ns/op $((count * 1000 + rep)) compile-ns $((count * 2048 + rep)) resident-bytes 80 B/op 20 allocs/op" >"$RUN/cells/$cell.txt"
        cell+=1
        echo "$cell,$rep,tracee-0.6.5,wasm,code-injection,$count,1000"
        echo "BenchmarkEngineWithNSignatures/wasm/${count}Signatures-2 5 $((1000 * (30000 * count + 4000 * rep))) ns/op" >"$RUN/cells/$cell.txt"
      done
    done
    echo "99,1,today,go,never,2,1"
  } >"$RUN/plan.csv"
}

@test "the table: an event's cost with the fewest and with the most signatures, and what each adds" {
  results
  "$BUILD/figures" "$RUN"
  engines_table "$RUN" >"$BATS_TEST_TMPDIR/table"
  cat "$BATS_TEST_TMPDIR/table"
  grep -qxF '| today | cel | code-injection | 2: 240 ± 50 | 20: 1,140 ± 50 | 50 ± 6.2 | 100 ± 12 | 8 ± 0, 2 ± 0 | 1 ± 0 | 2 ± 0 |  |' "$BATS_TEST_TMPDIR/table"
  grep -qF '| tracee-0.6.5 | wasm | code-injection | 2: 68,000 ± 9,937 | 20: 608,000 ± 9,937 | 30,000 ± 2,280 | – | –, – | – | – |' "$BATS_TEST_TMPDIR/table"
  [ "$(tail -n 3 "$BATS_TEST_TMPDIR/table")" = $'Without figures:\n- today, go, 2 × never: not measured\n- gone: skipped: not here' ]
}

@test "the picture: a line an engine, its name at its end" {
  results
  "$BUILD/figures" "$RUN"
  engines_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(head -c 4 "$RUN/engines.png" | tail -c 3)" = PNG ]
  [ "$(places "$RUN/engines.svg" | awk -F'\t' '$1 > 760 { print $2 "\t" $3 }' | sort -n | cut -f2 | paste -sd'|')" = "tracee-0.6.5, wasm|cel" ]
  labels_apart "$RUN/engines.svg" 25
  [ "$(whiskers "$RUN/engines.svg" | wc -l)" = 4 ]
}

@test "a result that can't be read is told, and the others are there" {
  results
  echo PASS >"$RUN/cells/1.txt"
  run --separate-stderr "$ROOT/exectax" report "$RUN"
  [ "$status" -eq 1 ]
  [[ $stderr == *"cells/1.txt: has the results of 0 benchmarks, expected one"* ]]
  [ "$(mlr --icsv --onidx filter '$engine == "cel" && $signatures == 2' then cut -f reps "$RUN/engines.csv")" = 2 ]
  grep -q "In tracee-0.6.5, with 20 signatures (code-injection), wasm costs" "$RUN/report.html"
}

@test "the Go sources are formatted" {
  command -v gofmt >/dev/null || skip "there is no Go here"
  [ -z "$(gofmt -l "$ROOT/bench/engines")" ]
}

@test "a signal ends what builds and measures, and nothing is left of it" {
  export HOST_LOCK=$BATS_TEST_TMPDIR/lock
  mkfifo "$BATS_TEST_TMPDIR/worker"
  engines_obstacle() { :; }
  run_check_tools() { :; }
  watch_begin() { :; }
  in_build_folder() {
    echo "$BASHPID" >"$BATS_TEST_TMPDIR/worker"
    while true; do pause 1; done
  }
  # Not to wait for the worker, which would have a descriptor of bats. Where bash is within the DEBUG trap of bats, a signal is lost at times
  # (6 of 1000; none of 1000 without it).
  (trap - DEBUG && engines_run) >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- &
  read -r -t 20 worker <"$BATS_TEST_TMPDIR/worker"
  kill -TERM $!
  wait $! || status=$?
  cat "$BATS_TEST_TMPDIR/output"
  [ "$status" -eq 143 ]
  wait_until 10 eval "! kill -0 $worker 2>/dev/null"
  [ ! -e "${OPTIONS[out]}" ]
  [ ! -e "$HOST_LOCK" ]
}
