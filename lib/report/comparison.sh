# shellcheck shell=bash
# Two sides of what was measured: how they differ, and in which format that is told. Reads only what the runs wrote.

# comparison_make RUN_A SELECTION_A RUN_B SELECTION_B FIGURES BETWEEN_RUNS_PERCENT ANYWAY LIMIT_PERCENT: a JSON object on stdout. A
# selection is a monitor, @BUILD, or nothing; LIMIT_PERCENT is empty if there is no gate. Exit status 1 if a cell could not be read.
comparison_make() {
  local figures status=0
  local -a options=(--figures "$5" --between-runs "$6")
  [[ -z $2 ]] || options+=(--test-a "$2")
  [[ -z $4 ]] || options+=(--test-b "$4")
  figures=$(log_of "$BUILD/figures" --compare "${options[@]}" -- "$1" "$3") || status=$?
  ((status < 2)) || return "$status"
  jq -L "$EXECTAX_ROOT/lib/report/tables" --arg run_a "$1" --arg selection_a "$2" --slurpfile manifest_a "$1/manifest.json" \
    --arg run_b "$3" --arg selection_b "$4" --slurpfile manifest_b "$3/manifest.json" --argjson anyway "$([[ $7 == yes ]] && echo true || echo false)" --argjson limit "${8:-null}" \
    -f "$EXECTAX_ROOT/lib/report/tables/comparison.jq" <<<"$figures"
  return "$status"
}

# comparison_write FORMAT COMPARISON: on stdout.
comparison_write() {
  local tables=$EXECTAX_ROOT/lib/report/tables
  case $1 in
    text)
      jq -L "$tables" -f "$tables/comparison-rows.jq" <<<"$2" | mlr --ijson --opprint cat
      echo
      jq -r -L "$tables" -f "$tables/comparison-remarks.jq" <<<"$2"
      ;;
    json) jq . <<<"$2" ;;
    html) html_comparison "$2" ;;
    markdown) jq -r -L "$tables" -f "$tables/comparison-markdown.jq" <<<"$2" ;;
    github-action-benchmark) jq -L "$tables" -f "$tables/comparison-github.jq" <<<"$2" ;;
    google-benchmark) jq -L "$tables" -f "$tables/comparison-google.jq" <<<"$2" ;;
    openmetrics)
      jq -r -L "$tables" -f "$tables/comparison-openmetrics.jq" <<<"$2"
      echo "# EOF"
      ;;
  esac
}

# comparison_outcome COMPARISON: of its gate: fine, worse or inconclusive.
comparison_outcome() {
  jq -r .gate.outcome <<<"$1"
}
