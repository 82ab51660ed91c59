# shellcheck shell=bash
# How well this host measures right now, tried without a monitor and without changing anything: the load, as in a cell of the baseline. Prints
# the lines of checks (lib/measure/checks.sh).

NOISE_SECONDS=10
NOISE_RATE=400
# The load is cut into so many parts, and their means are compared: of 9 degrees of freedom, Student's t, and by what a standard deviation is
# multiplied for the ends of its 95 % interval (chi squared).
NOISE_PARTS=10
NOISE_T=2.262
NOISE_LOW=0.688
NOISE_HIGH=1.826
# Where that is exceeded, figures suffer.
NOISE_LATENESS_US=10000
NOISE_SCATTER_PERCENT=5

# noise_all: takes the host's lock for the time of the test, NOISE_SECONDS. A line that says why if that can't be.
noise_all() {
  local folder lines
  folder=$(mktemp -d)
  if lines=$(noise_measure "$folder" 2>"$folder/stderr"); then
    printf '%s\n' "$lines"
  else
    lines=$(tail -n 1 "$folder/stderr")
    checks_degraded noise "it could not be tested: ${lines#exectax: }" "how well this host measures is not known" "exectax doctor, once that is mended"
  fi
  rm -rf "$folder"
}

# noise_measure FOLDER: the lines. What it writes itself goes into FOLDER.
noise_measure() {
  local load stolen missing pid
  local -a ticks
  missing=$(run_missing_tools)
  [[ -z $missing ]] || die "not installed: $missing"
  [[ -x $BUILD/execrate ]] || die "$BUILD/execrate is not built"
  host_lock "exectax doctor"
  trap host_unlock EXIT
  read -ra ticks <<<"$(checks_ticks <"$CHECKS_PROC/stat")"
  cores_watch
  if [[ $CORES_WATCHED == yes ]]; then
    host_run timeout --preserve-status "$NOISE_SECONDS" "$BUILD/corewatch" --output "$1/cores.csv" >/dev/null &
    pid=$!
  fi
  host_run "$BUILD/execrate" --rate "$NOISE_RATE" --duration "$NOISE_SECONDS" --tag doctor --json "$1/load.json" --launches "$1/launches.csv" >/dev/null ||
    die "execrate failed: $(tail -n 1 "$1/stderr")"
  if [[ $CORES_WATCHED == yes ]]; then
    wait_for_pid "$pid" 10 || die "corewatch failed: $(tail -n 1 "$1/stderr")"
  fi
  stolen=$(checks_stolen_percent "${ticks[@]}" <"$CHECKS_PROC/stat")
  load=$(<"$1/load.json")
  noise_rate "$load"
  noise_lateness "$load"
  noise_scatter <<<"$(noise_parts "$(jq .asked <<<"$load")" <"$1/launches.csv")"
  noise_steal "$stolen"
  [[ $CORES_WATCHED == no ]] || noise_cores <"$1/cores.csv"
}

# noise_rate LOAD
noise_rate() {
  local found
  found=$(jq -r '"\(.achieved_hz * 10 | round / 10) of \(.rate_hz) executions per second, \(.missed) of \(.asked) missed"' <<<"$1")
  if jq -e '.saturated or .achieved_hz < 0.99 * .rate_hz' <<<"$1" >/dev/null; then
    checks_degraded noise-rate "$found" "the host is saturated at $NOISE_RATE/s already: a monitor that gets no CPU there looks cheap" \
      "exectax sweep --rates \"25 50 100\", or more CPUs"
  else
    checks_good noise-rate "$found"
  fi
}

# noise_lateness LOAD
noise_lateness() {
  local found
  found=$(jq -r '.lateness_us | "launches were late by \(.p50 | round) µs (median), \(.p99 | round) µs (99th percentile), \(.max | round) µs (longest)"' <<<"$1")
  if jq -e --argjson most "$NOISE_LATENESS_US" '.lateness_us.p99 > $most' <<<"$1" >/dev/null; then
    checks_degraded noise-lateness "$found" "launches come in bursts, so that delivery delay and slowdown are those of a higher rate for moments" \
      "stop what else runs here, or a machine with CPUs of its own"
  else
    checks_good noise-lateness "$found"
  fi
}

# noise_parts ASKED: of launches.csv on stdin, the mean CPU time of /bin/true in each of NOISE_PARTS parts of the load, in µs, a line each; a
# part without launches has an empty one.
noise_parts() {
  awk -F, -v asked="$1" -v parts="$NOISE_PARTS" '
    NR > 1 && $6 != "" { part = int($1 * parts / asked); sum[part] += $6; count[part]++ }
    END { for (part = 0; part < parts; part++) print count[part] ? sum[part] / count[part] : "" }'
}

# Of the means of the parts, on stdin. What is between seconds is between cells as well, and more.
noise_scatter() {
  local figures found costs
  figures=$(jq -Rnc --argjson t "$NOISE_T" --argjson low "$NOISE_LOW" --argjson high "$NOISE_HIGH" '
    [inputs | tonumber? // empty] as $parts
    | if ($parts | length) != 10 then null else
        ($parts | add / 10) as $mean
        | ($parts | map(. - $mean | . * .) | add / 9 | sqrt) as $scatter
        | {mean: $mean, half: ($t * $scatter / (10 | sqrt)), percent: (100 * $scatter / $mean),
           # A difference of two cells with windows of 3 s.
           cells: (1.96 * $scatter * (2 / 3 | sqrt))}
        | .percent_low = .percent * $low | .percent_high = .percent * $high | .cells_low = .cells * $low | .cells_high = .cells * $high
      end')
  if [[ $figures == null ]]; then
    checks_degraded noise-scatter "it is not known, since launches were missed" "how well differences of cells can be known here shows only in a run" \
      "exectax sweep --rates \"25 50 100\", or more CPUs"
    return
  fi
  found=$(jq -r 'def one: . * 10 | round / 10; def low: if . < 0 then 0 else . end;
    "/bin/true took \(.mean | round) µs of CPU time (\(.mean - .half | round) to \(.mean + .half | round)) without a monitor; its mean over a second scatters by \(.percent | one) % (\(.percent_low | one) to \(.percent_high | one))"' <<<"$figures")
  costs=$(jq -r '"a difference of two cells with windows of 3 s is known to ± \(.cells | round) µs (\(.cells_low | round) to \(.cells_high | round)) at best: program_apart_us, whole and rest"' <<<"$figures")
  if jq -e --argjson most "$NOISE_SCATTER_PERCENT" '.percent > $most' <<<"$figures" >/dev/null; then
    checks_degraded noise-scatter "$found" "$costs" "stop what else runs here; or more and longer windows: exectax sweep --duration 10 --budget 3h"
  else
    checks_line noise-scatter good no "$found" "$costs" ""
  fi
}

# noise_steal PERCENT
noise_steal() {
  if awk -v percent="$1" -v most="$CELL_STEAL_PERCENT" 'BEGIN { exit !(percent > most) }'; then
    checks_degraded noise-steal "in these $NOISE_SECONDS s, the hypervisor took $1 % of a CPU" \
      "such cells are marked, and left out where there are enough others" "another hour, or a machine with CPUs of its own"
  else
    checks_good noise-steal "in these $NOISE_SECONDS s, a hypervisor took $1 % of a CPU"
  fi
}

# noise_cores: of corewatch's records on stdin.
noise_cores() {
  local shared far
  read -r shared far <<<"$(cores_shares)"
  if cores_are_misplaced "$shared" "$far"; then
    checks_degraded noise-cores "in these $NOISE_SECONDS s, CPUs of this guest shared a core for $shared % of the time, and had no cache in common for $far %" \
      "a monitor costs more meanwhile; such cells are marked, and left out where there are enough others" \
      "another hour, or a machine with cores of its own"
  else
    checks_good noise-cores "in these $NOISE_SECONDS s, CPUs of this guest shared a core for $shared % of the time, and had no cache in common for $far %"
  fi
}
