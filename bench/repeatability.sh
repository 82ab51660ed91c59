#!/usr/bin/env bash
# Do two runs on the same host find the same? Two runs, or one that was gone on with hours later (exectax sweep --resume, --repeat), of which LAST is the last
# repetition of the earlier one. Prints Markdown: how many of the 95 % intervals of the differences include zero, and those that don't.
#
#   A=results/one B=results/another bench/repeatability.sh
#   A=results/one LAST=3 FIGURES=counted_overhead,daemon_overhead bench/repeatability.sh
set -euo pipefail

cd "$(dirname "$0")/.."

readonly A=${A:?the folder of a run}
readonly B=${B:-}
readonly LAST=${LAST:-3}
readonly FIGURES=${FIGURES:-counted_overhead,daemon_overhead,inprogram_overhead,total_overhead}

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT

# part FOLDER CONDITION: that of the run A with the repetitions of which CONDITION holds.
part() {
  local monitor rate rep
  mkdir "$1"
  cp -r "$A/manifest.json" "$A/monitors" "$1"
  mlr --csv filter "$2" "$A/plan.csv" >"$1/plan.csv"
  mlr --icsv --onidx --ofs ' ' cut -o -f monitor,rate,rep "$1/plan.csv" | while read -r monitor rate rep; do
    mkdir -p "$1/cells/$monitor"
    # A run that was cut off has not all of them.
    [[ ! -d $A/cells/$monitor/$rate-$rep ]] || cp -r "$A/cells/$monitor/$rate-$rep" "$1/cells/$monitor"
  done
  ./exectax report "$1" >/dev/null
}

# Where the host was saturated, neither run had the rate that was asked for.
unsaturated() {
  mlr --icsv --ojson cat "$1/perf.csv" | jq 'map(select(.saturated == "false") | "\(.test) \(.exec_per_sec)")'
}

earlier=$A later=$B
[[ -n $B ]] || {
  earlier=$work/earlier later=$work/later
  part "$earlier" "\$rep <= $LAST"
  part "$later" "\$rep > $LAST"
}
unsaturated "$earlier" >"$work/unsaturated.json"

# Of one run, or of two of the same build: nothing is added for what runs differ by, since that is the question.
./exectax compare --format json --between-runs 0 --anyway --figure "$FIGURES" "$earlier" "$later" | jq -r --slurpfile unsaturated "$work/unsaturated.json" '
  $unsaturated[0] as $held
  | def shown: if . == null then "–" else . * 10 | round / 10 end;
    def ranged: "\(.value | shown) (\(.low | shown) to \(.high | shown))";
    [.comparisons[] | select(.verdict != "not comparable" and ("\(.a.test) \(.exec_per_sec)" | IN($held[])))]
  | "| figure | pairs of monitor and rate | of which the difference includes zero | smallest difference shown (median) |", "| --- | ---: | ---: | ---: |",
    (group_by(.figure)[] | "| `\(.[0].figure)` | \(length) | \(map(select(.difference.low <= 0 and .difference.high >= 0)) | length) | \(map(.smallest_shown) | sort | .[length / 2 | floor] | shown) |"),
    "", "| figure | monitor | rate | earlier | later | difference |", "| --- | --- | ---: | ---: | ---: | ---: |",
    (.[] | select(.difference.low > 0 or .difference.high < 0)
      | "| `\(.figure)` | \(.a.test) | \(.exec_per_sec) | \(.a | ranged) | \(.b | ranged) | \(.difference | ranged) |")'
