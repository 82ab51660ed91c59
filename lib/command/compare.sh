# shellcheck shell=bash
# exectax compare

COMPARE_FORMATS="text markdown html json github-action-benchmark google-benchmark openmetrics"

compare_usage() {
  cat <<'TEXT'
Usage: exectax compare [options] A B
       exectax compare --history DIR [options]
Say whether B costs more than A. Each is RUN, a run's folder; RUN:MONITOR, a monitor of it; or RUN:@BUILD, the builds of that
name (exectax sweep --build). Builds measured in turn within one run are compared best. What was measured in two runs also
differs by what the machine was like at the time.

  --figure LIST         what is compared, separated by commas (default: counted_overhead,lost,cells_failed). Also
                        counted and total (in µs), cpu, slowdown_p50, slowdown_p99, memory, and the columns of perf.csv
                        that have an interval. Less is better
  --fail-if-worse PERCENT
                        for CI: end with exit status 1 if B is worse by more than PERCENT: if the whole 95 % interval of
                        B divided by A lies beyond it, in any row; with 3 if that can't be told. lost and cells_failed,
                        if they are compared, have no limit: any where there was none in A is worse
  --format FORMAT       text (default), markdown, html (one page), json, github-action-benchmark (customSmallerIsBetter, of
                        B alone), google-benchmark (figures in units of time), openmetrics
  --between-runs PERCENT
                        of two runs: by how much runs on the same machine differ, one standard error in percent of the
                        figure (default 10, as docs/ci.md found it; memory has none)
  --anyway              compare runs that differ in host, kernel, CPU, windows or exectax; that they do is still said
  --history DIR         a figure over the runs in DIR's folders, in the order of their start, and where it changed
  --monitors LIST       with --history: those monitors and builds (MONITOR@BUILD) alone
  --rate N              with --history: that rate alone
  --out FILE            with --history: also draw a picture, a .png or .svg file
  --help                show this text

A row says better or worse if the 95 % interval of the difference leaves out zero; otherwise that no difference was shown,
and how large one would have had to be. docs/ci.md has a complete example.

Examples:
  exectax compare results/20260101-120000:falco results/20260101-120000:tracee
  exectax compare --fail-if-worse 5% --format markdown results/a:falco@base results/a:falco@head
  exectax compare --format html results/a results/b >comparison.html
  exectax compare --history results --monitors falco --rate 400 --out falco.svg

Exit status: 0 done, or not worse; 1 worse, or something could not be read or written; 2 bad option, or no such run;
3 with --fail-if-worse: inconclusive.
TEXT
}

compare_main() {
  options_set figure ''
  options_set format text
  options_set between_runs ''
  options_set anyway no
  options_set fail_if_worse ''
  options_set history ''
  options_set monitors ''
  options_set rate ''
  options_set out ''
  options_read compare figure:,fail-if-worse:,format:,between-runs:,anyway,history:,monitors:,rate:,out: options_set "$@"
  compare_check_tools
  if [[ -n ${OPTIONS[history]} ]]; then
    compare_history
  else
    compare_sides
  fi
}

compare_sides() {
  local a b run_a run_b selection_a selection_b comparison outcome status=0
  compare_check_options
  options_check_arguments compare 2 "two arguments, A and B: runs (results/...), RUN:MONITOR or RUN:@BUILD"
  a=$(compare_side "$(options_argument 0)") || exit 2
  b=$(compare_side "$(options_argument 1)") || exit 2
  IFS=$'\t' read -r run_a selection_a <<<"$a"
  IFS=$'\t' read -r run_b selection_b <<<"$b"
  comparison=$(comparison_make "$run_a" "$selection_a" "$run_b" "$selection_b" "${OPTIONS[figure]}" "${OPTIONS[between_runs]}" "${OPTIONS[anyway]}" \
    "${OPTIONS[fail_if_worse]}") || status=$?
  ((status != 2)) || exit 2
  [[ -n $comparison ]] || exit 1
  comparison_write "${OPTIONS[format]}" "$comparison"
  [[ -n ${OPTIONS[fail_if_worse]} ]] || exit "$status"
  outcome=$(comparison_outcome "$comparison")
  [[ $outcome != worse ]] || exit 1
  [[ $outcome == fine && $status == 0 ]] || exit 3
}

compare_check_options() {
  local name
  for name in monitors rate out; do
    [[ -z ${OPTIONS[$name]} ]] || die_usage "--$name: expected with --history"
  done
  options_default figure counted_overhead,lost,cells_failed
  options_default between_runs 10
  options_set between_runs "${OPTIONS[between_runs]%\%}"
  options_set fail_if_worse "${OPTIONS[fail_if_worse]%\%}"
  compare_check_percent --between-runs "${OPTIONS[between_runs]}"
  [[ -z ${OPTIONS[fail_if_worse]} ]] || compare_check_percent --fail-if-worse "${OPTIONS[fail_if_worse]}"
  [[ " $COMPARE_FORMATS " == *" ${OPTIONS[format]} "* && ${OPTIONS[format]} =~ ^[a-z-]+$ ]] ||
    die_usage "--format is '${OPTIONS[format]}', expected one of: $COMPARE_FORMATS"
}

# compare_check_percent WHAT VALUE
compare_check_percent() {
  [[ $2 =~ ^(0|[1-9][0-9]?)(\.[0-9]{1,3})?$ || $2 == 100 ]] || die_usage "$1 is '$2', expected a percentage from 0 to 100 such as 5%"
}

# compare_side RUN[:SELECTION]: `RUN SELECTION`, with a tab between them. There may be colons in either.
compare_side() {
  local run=$1 selection=''
  until [[ -f $run/manifest.json || $run != *:* ]]; do
    selection=${run##*:}${selection:+:$selection}
    run=${run%:*}
  done
  [[ -f $run/manifest.json ]] || die_usage "'$1' is not a run: expected a folder with manifest.json and plan.csv, or RUN:MONITOR or RUN:@BUILD"
  report_check_run "$run"
  printf '%s\t%s\n' "$run" "$selection"
}

compare_history() {
  local folder=${OPTIONS[history]} out=${OPTIONS[out]} name series
  for name in fail_if_worse between_runs; do
    [[ -z ${OPTIONS[$name]} ]] || die_usage "--${name//_/-}: not expected with --history"
  done
  [[ ${OPTIONS[format]} =~ ^(text|json)$ ]] || die_usage "--format is '${OPTIONS[format]}', expected text or json with --history"
  options_default figure counted
  options_check_arguments "compare --history" 0 "no runs besides, they are those in the folder"
  [[ -d $folder ]] || die_usage "--history '$folder' is no folder, expected one with runs in it"
  [[ -z ${OPTIONS[rate]} ]] || options_check_number --rate "${OPTIONS[rate]}" 0 1000000 "executions per second"
  [[ -z $out || $out == *.png || $out == *.svg ]] || die_usage "--out '$out', expected a file name that ends in .png or .svg"
  series=$(series_make "$folder" "${OPTIONS[figure]}" "${OPTIONS[monitors]}" "${OPTIONS[rate]}") || exit
  series_write "${OPTIONS[format]}" "$series"
  [[ -z $out ]] || series_plot "$series" "$folder" "$out"
}

compare_check_tools() {
  local tool
  local -a missing=()
  for tool in mlr jq; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) || die "compare: not installed: ${missing[*]} ('make install-deps' gets them)"
  [[ -x $BUILD/figures ]] || die "$BUILD/figures is not built ('make' does)"
}
