# shellcheck shell=bash
# exectax publish

publish_usage() {
  cat <<'TEXT'
Usage: exectax publish RUN
Make a run the published one: put its tables and pictures into docs/, its page without host names and paths (as with
exectax report --redact), and, of a sweep, its perf.csv beside exectax. RUN is the folder of the run (results/...): a
sweep of at least two passes, or a complete run of exectax saturate.

  --help          show this text

Examples:
  exectax publish results/20260101-120000

Exit status: 0 done; 1 something could not be read or written; 2 bad option, or not a run that can be published.
TEXT
}

# The published data, pictures and README figures always come from one and the same run, in which everything that can
# run was measured at least twice.
publish_main() {
  local run sparse
  options_read publish "" options_set "$@"
  tree_is_source || die_usage "publish: this exectax is installed in $EXECTAX_ROOT, expected one in its source tree, of which docs/ is a part"
  options_check_arguments publish 1 "one argument, the folder of a run (results/...)"
  run=$(realpath -m -- "$(options_argument 0)")
  refuse_run "$run"
  report_check_run "$run"
  if [[ $(report_kind "$run") == saturate ]]; then
    publish_saturation "$run"
    return
  fi
  [[ $(report_kind "$run") == sweep ]] || die_usage "'$run' is a run of exectax $(report_kind "$run"), expected one of exectax sweep or exectax saturate"
  results_make "$run" 800 >/dev/null
  report_is_whole || exit 1
  sparse=$(mlr --icsv --onidx --ofs ' ' filter "\$status != \"skipped\" && \$reps < 2" then cut -f test,exec_per_sec "$run/perf.csv" | head -n 1)
  [[ -z $sparse ]] || die_usage "'$run': $sparse was measured less than twice, expected a run with at least two repetitions of everything"
  cp "$run/perf.csv" "$EXECTAX_ROOT/perf.csv"
  cp "$run"/{perf,parts}.{png,svg} "$EXECTAX_ROOT/docs/"
  html_make "$run" 800 yes "$EXECTAX_ROOT/docs/results.html"
  publish_tables "$run"
  publish_in_pages "$run/perf.csv" "$EXECTAX_ROOT/docs"
  say "Published $run: perf.csv, docs/results.md, the page docs/results.html, the pictures perf and parts in docs/, and the tables of other pages there. Update what README.md and these pages say of the results."
}

# The published tables and picture are one run's.
publish_saturation() {
  local run=$1 section
  saturation_make "$run" >/dev/null
  [[ $(jq -r .state "$run/manifest.json") == complete ]] || die_usage "'$run' was interrupted, expected a complete run"
  cp "$run"/saturation{,-rounds}.{png,svg} "$run/saturation.csv" "$EXECTAX_ROOT/docs/"
  html_make "$run" null yes "$EXECTAX_ROOT/docs/saturation.html"
  section=$(mktemp)
  {
    printf 'All of it on [one page](saturation.html).\n\n'
    printf '![The highest rate without loss, one row a monitor and its limits](saturation.png)\n\n![Share of the events that is recorded, by events per second](saturation-rounds.png)\n\n'
    cat "$run/saturation.md"
    printf '\nMeasured on %s.\n' "$(saturation_host_line "$run" | publish_md)"
    printf 'Versions: %s.\n' "$(jq -r '.versions | to_entries | map("\(.key) \(.value)") | join(", ")' "$run/manifest.json" | publish_md)"
  } >"$section"
  publish_section "$section" "$EXECTAX_ROOT/docs/saturation.md"
  rm "$section"
  say "Published $run: docs/saturation.md, and the page saturation.html, saturation.csv and the pictures beside it"
}

# The tables of docs/results.md.
publish_tables() {
  local run=$1 section
  section=$(mktemp)
  {
    printf 'All of it on [one page](results.html).\n\n'
    printf '![CPU by executions per second, one line a monitor](perf.png)\n\n'
    results_ranking "$run" 800
    results_own_builds "$run"
    printf '\n![CPU time of an execution by who pays, one bar a monitor](parts.png)\n\n'
    results_costs "$run" 800
    results_syscalls "$run"
    printf '\nMeasured on %s. ' "$(results_host_line "$run" | publish_md)"
    # How a run of passes ended is in the line before this.
    jq -e '.state == "complete" or has("outcome")' "$run/manifest.json" >/dev/null ||
      printf 'The run was interrupted: %s of its cells were not measured. ' "$(mlr --icsv --onidx filter "\$status == \"not-run\"" then count "$run/cells.csv")"
    publish_host_told "$run"
    printf 'Versions: %s.\n' "$(jq -r '.versions | del(.none) | to_entries | map("\(.key) \(.value)") | join(", ")' "$run/manifest.json" | publish_md)"
  } >"$section"
  publish_section "$section" "$EXECTAX_ROOT/docs/results.md"
  rm -f "$section"
}

# The text on stdin as a line of Markdown.
publish_md() {
  jq -Rsr -L "$EXECTAX_ROOT/lib/report/tables" 'include "markdown"; rtrimstr("\n") | md'
}

# publish_host_told RUN: how well its cells went, as its page says it.
publish_host_told() {
  pictures_rows "$1/cells.csv" | jq -r -L "$EXECTAX_ROOT/lib/report/tables" -L "$EXECTAX_ROOT/lib/report/html" 'include "noise"; cells_told'
}

# publish_in_pages PERF DIR: the tables of the pages in DIR that are made from a perf.csv alone, each between markers with the name of its
# lib/report/tables/pages/NAME.jq.
publish_in_pages() {
  local perf=$1 tables=$EXECTAX_ROOT/lib/report/tables section places file name
  section=$(mktemp)
  places=$(grep -oE '^<!-- published table [a-z0-9-]+:' "$2"/*.md | sed -E 's/:<!-- published table (.*):$/:\1/')
  while IFS=: read -r file name; do
    pictures_rows "$perf" | jq -r -L "$tables" -L "$tables/pages" -f "$tables/pages/$name.jq" >"$section" || {
      rm "$section"
      exit 1
    }
    publish_section "$section" "$file" "published table $name"
  done <<<"$places"
  rm -f "$section"
}

# publish_section SECTION FILE [NAME]: what is between the two markers of that name in FILE becomes SECTION.
publish_section() {
  local new
  new=$(mktemp)
  awk -v section="$1" -v name="${3:-published run}" '
    BEGIN { begin = "<!-- " name ":"; end = "<!-- end of " name " -->" }
    index($0, begin) == 1 { print; while ((getline line < section) > 0) print line; inside = 1; next }
    $0 == end { inside = 0 }
    !inside { print }' "$2" >"$new"
  cat "$new" >"$2"
  rm -f "$new"
}
