# shellcheck shell=bash
# The rule engines themselves: what it costs to look at an event, by number of signatures. No monitor runs and nothing is traced: a user of
# no name (lib/host/build.sh) builds Go programs and runs them, one at a time, each measurement in a process of its own.
#
# Modules: `today` is ours (bench/engines), with the engines that there are now; tracee-VERSION is the benchmark of Tracee's own engine, in a
# version and with a checksum that bench/engines/tracee/VERSION has.

# Ours needs that version; from the second on, Go can get it by itself.
ENGINES_GO=1.26
ENGINES_GO_GETS=1.21
# A single measurement that takes longer hangs.
ENGINES_CELL_SECONDS=600
ENGINES_TODAY=(go expr cel rego rego-together wasm-together)
ENGINES_SIGNATURES=(never anti-debugging code-injection)
# Those of Tracee's benchmark that are measured; it has all powers of two up to 128.
ENGINES_TRACEE_COUNTS=(2 8 32 128)
# Of the engine that does nothing with its events.
ENGINES_NOOP_RUNS=20

# Why no engine can be measured here, on one line; nothing if they can be.
engines_obstacle() {
  local version
  if ! command -v go >/dev/null; then
    echo "there is no Go here, expected version $ENGINES_GO, or $ENGINES_GO_GETS that can get it"
    return
  fi
  version=$(cd / && GOTOOLCHAIN=local go env GOVERSION)
  version=${version#go}
  if engines_is_older "$version" "$ENGINES_GO_GETS" || { engines_is_older "$version" "$ENGINES_GO" && [[ $(cd / && go env GOTOOLCHAIN) == local ]]; }; then
    echo "Go is version $version here, expected $ENGINES_GO, or $ENGINES_GO_GETS that can get it (GOTOOLCHAIN)"
  fi
}

# engines_is_older VERSION THAN
engines_is_older() {
  [[ $1 != "$2" && $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# Why Tracee's WASM can't be built here; nothing if it can.
engines_wasm_obstacle() {
  [[ $(uname -m) == x86_64 || $(uname -m) == aarch64 ]] || {
    echo "there is no library of its WASM engine for $(uname -m)"
    return
  }
  command -v gcc >/dev/null || echo "there is no C compiler here, expected gcc"
}

# engines_plan: CSV `cell,rep,module,engine,signature,count,events`. events: in one operation of the benchmark.
engines_plan() {
  local row
  local -i cell=0 rep
  local -a rows
  RANDOM=${OPTIONS[seed]}
  echo "cell,rep,module,engine,signature,count,events"
  for ((rep = 1; rep <= OPTIONS[reps]; rep++)); do
    split_lines rows "$(engines_rows)"
    plan_shuffle rows
    for row in "${rows[@]}"; do
      cell+=1
      echo "$cell,$rep,$row"
    done
  done
}

# What one repetition measures, without its cell and repetition.
engines_rows() {
  local engine signature count
  for engine in "${ENGINES_TODAY[@]}"; do
    for signature in "${ENGINES_SIGNATURES[@]}"; do
      for count in ${OPTIONS[counts]}; do
        echo "today,$engine,$signature,$count,32"
      done
    done
  done
  [[ ${OPTIONS[tracee]} == no ]] || engines_tracee_rows
}

# Of version 0.16.2, the engine with several signatures can wait without end (docs/engines.md): its signatures alone.
engines_tracee_rows() {
  local engine count version
  local -a with_wasm=()
  [[ -n $(engines_wasm_obstacle) ]] || with_wasm=(wasm)
  for version in 0.6.5 0.16.2; do
    for engine in go rego "${with_wasm[@]}"; do
      echo "tracee-$version,$engine,code-injection alone,1,1"
    done
  done
  for engine in noop go rego "${with_wasm[@]}"; do
    for count in "${ENGINES_TRACEE_COUNTS[@]}"; do
      echo "tracee-0.6.5,$engine,code-injection,$count,1000"
    done
  done
}

# engines_pattern MODULE ENGINE SIGNATURE COUNT: which benchmark that is.
engines_pattern() {
  local engine=${2/#go/golang}
  if [[ $1 == today ]]; then
    echo "^BenchmarkLook\$/^$2\$/^$3\$"
  elif [[ $3 == *alone ]]; then
    echo "^BenchmarkOnEventWithCodeInjectionSignature\$/^$engine\$"
  else
    echo "^BenchmarkEngineWithNSignatures\$/^$engine\$/^${4}Signatures\$"
  fi
}

# engines_seconds ROWS: how long these of the plan take; besides the measurement, Go tries how often it has to run what it measures.
engines_seconds() {
  local -i cells
  cells=$(grep -c . <<<"$1" || true)
  echo $((cells * (OPTIONS[duration] * 2 + 1)))
}

# All of it, in a folder of the builder's: to be called by in_build_folder.
engines_build_and_measure() {
  engines_build || return 1
  engines_plan >"${OPTIONS[out]}/plan.csv" && manifest_begin "${OPTIONS[out]}" engines && manifest_add "${OPTIONS[out]}" versions "$(engines_versions_json)" &&
    mkdir -p "${OPTIONS[out]}/cells" || return 1
  engines_measure
}

# Engines that do not all find the same are not measured: the program's own tests see to that.
engines_build() {
  local version tags=opa_wasm obstacle
  build_give "$EXECTAX_ROOT/bench/engines" sources || return 1
  say "Building the rule engines of today (minutes, unless built before)"
  quietly engines_as_builder CGO_ENABLED=0 bash -euo pipefail -c "$(declare -f engines_go_build); engines_go_build" || return 1
  quietly as_builder / "$PWD/today" || return 1
  [[ ${OPTIONS[tracee]} == yes ]] || return 0
  obstacle=$(engines_wasm_obstacle)
  [[ -z $obstacle ]] || {
    tags=''
    run_skip "Tracee's WASM" "$obstacle"
  }
  for version in 0.6.5 0.16.2; do
    say "Building the benchmark of Tracee $version (minutes)"
    quietly engines_as_builder "CGO_ENABLED=$([[ -n $tags ]] && echo 1 || echo 0)" \
      bash -euo pipefail -c "$(declare -f engines_go_build_tracee); engines_go_build_tracee '$version' '$tags'" || return 1
  done
}

# engines_as_builder NAME=VALUE... COMMAND...
engines_as_builder() {
  local -a settings
  split_lines settings "$(build_go_settings)"
  as_builder "$(go env GOROOT)" "${settings[@]}" "GOMODCACHE=$PWD/modules" "GOCACHE=$PWD/cache" GOWORK=off "$@"
}

engines_go_build() {
  local top=$PWD
  cd sources
  go test -mod=readonly -tags opa_wasm -c -trimpath -o "$top/today" .
}

# engines_go_build_tracee VERSION TAGS: the module as it was published, but for a file that adds OPA's WASM engine to the benchmark's program,
# without which the benchmark only says that it has none.
engines_go_build_tracee() {
  local top=$PWD module folder package
  cd "sources/tracee/$1"
  module=$(sed -nE 's/^require (github.com\/aquasecurity[^ ]*) (v.*)$/\1@\2/p' go.mod)
  folder=$(go mod download -json "$module" | jq -r .Dir)
  cp -R -T "$folder" module
  chmod -R u+rwX module
  cat go.sum >>module/go.sum
  package=$(cd module && find . -type d -name benchmark -path '*/signatures/benchmark' -o -type d -path ./benchmark)
  if [[ -n $2 ]]; then
    sed -nE 's/^require (github.com\/bytecodealliance[^ ]*) (v.*)$/-require=\1@\2/p' go.mod | (cd module && xargs --no-run-if-empty go mod edit)
    printf 'package benchmark\n\nimport _ "github.com/open-policy-agent/opa/features/wasm"\n' >"module/$package/wasm_test.go"
  fi
  cd "module/$package"
  go test -mod=readonly ${2:+-tags "$2"} -c -trimpath -o "$top/tracee-$1" .
}

engines_measure() {
  local plan cell rep module engine signature count
  local -i total seconds done=0
  plan=$(tail -n +2 "${OPTIONS[out]}/plan.csv")
  total=$(wc -l <<<"$plan")
  seconds=$(engines_seconds "$plan")
  while IFS=, read -r cell rep module engine signature count _ <&4; do
    progress_step "$done" "$total" $((seconds * (total - done) / total)) "$module, $engine, $count × $signature, repetition $rep"
    engines_cell "$cell" "$module" "$engine" "$signature" "$count" || warn "cell $cell ($module, $engine, $count × $signature) failed: $(tail -n 1 "${OPTIONS[out]}/cells/$cell.err")"
    done+=1
  done 4<<<"$plan"
  progress_end
}

# engines_benchtime ENGINE: for how long, or how often, what is measured is run. Where nothing is to be done with an event, Tracee's engine 0.6.5 is over so soon that among
# thousands of runs there is one in which it panics (its WaitGroup is used again while somebody waits): few, then.
engines_benchtime() {
  if [[ $1 == noop ]]; then
    echo "${ENGINES_NOOP_RUNS}x"
  else
    echo "${OPTIONS[duration]}s"
  fi
}

# engines_cell CELL MODULE ENGINE SIGNATURE COUNT
engines_cell() {
  as_builder / "EXECTAX_COUNT=$5" timeout --kill-after=10 "$ENGINES_CELL_SECONDS" "$PWD/$2" -test.run '^$' -test.benchmem -test.benchtime "$(engines_benchtime "$3")" \
    -test.bench "$(engines_pattern "${@:2:4}")" >"${OPTIONS[out]}/cells/$1.txt" 2>"${OPTIONS[out]}/cells/$1.err"
}

# What was measured, by what is required in the files that name it.
engines_versions_json() {
  local file
  for file in "$EXECTAX_ROOT"/bench/engines/go.mod "$EXECTAX_ROOT"/bench/engines/tracee/*/go.mod; do
    sed -nE 's/^(require |\t)([^ ]+\.[^ ]+) (v[^ ]+)$/\2 \3/p' "$file"
  done | jq -Rn --arg go "$(cd / && go env GOVERSION)" '{Go: $go} + ([inputs | split(" ") | {(.[0] + " " + .[1]): .[1]}] | add)'
}

engines_options_json() {
  jq -n --arg counts "${OPTIONS[counts]}" --argjson duration_s "${OPTIONS[duration]}" --argjson reps "${OPTIONS[reps]}" --argjson seed "${OPTIONS[seed]}" --arg tracee "${OPTIONS[tracee]}" \
    '$ARGS.named | .counts |= (split(" ") | map(tonumber))'
}
