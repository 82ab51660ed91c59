# shellcheck shell=bash
# The runs of a cluster beside each other: of each row of its matrix and each node. Nodes are never pooled. Reads only what the run wrote.

# cluster_make RUN: jobs.csv, and of the Jobs' own tables rounds.csv, saturation.csv and experiment.csv (saturate) or perf.csv (sweep), with the rows'
# values; cluster.md, which is on stdout, too.
cluster_make() (
  local run=$1 work
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cluster_jobs "$run" >"$work/jobs.json"
  cluster_csv <"$work/jobs.json" | files_put "$run/jobs.csv"
  case $(jq -r .command "$run/matrix.json") in
    saturate) cluster_make_saturation "$run" "$work" ;;
    sweep)
      cluster_merged "$run" "$work" perf >"$work/perf.json"
      cluster_csv <"$work/perf.json" | files_put "$run/perf.csv"
      ;;
  esac
  cluster_table "$run" "$work" | files_put "$run/cluster.md"
  cat "$run/cluster.md"
)

# cluster_jobs RUN: of each Job, in the order of the plan, how it ended.
cluster_jobs() {
  find "$1/jobs" -name outcome.json -exec cat {} + | jq -sc 'map(select((.turn | type == "number") and (.node | type == "string" and test("\\A[a-z0-9][a-z0-9.-]*\\z")))) | sort_by(.turn, .node)
    | map({turn, rep, node} + (.row | with_entries(.key |= "row_\(.)")) + {state, reason, run: "jobs/\(.turn)-\(.node)/run"})'
}

# JSON rows as CSV; those of unlike keys have empty fields. Nothing of no rows.
cluster_csv() {
  jq -c 'map(map_values(if . == null then "" else . end))' | mlr --ijson --ocsv unsparsify
}

# cluster_merged RUN WORK TABLE: the rows of that table of all runs that are complete, with turn, rep and node of the Job, and the values of the matrix: as knobs those that are no limits. A
# combination (test) is of one node.
cluster_merged() {
  local run=$1 work=$2 table=$3 job
  local -a jobs
  split_lines jobs "$(jq -c '.[] | select(.state == "complete")' "$work/jobs.json")"
  for job in "${jobs[@]}"; do
    job=$(jq -c --argjson columns "$(jq -c .columns "$run/matrix.json")" '. + {columns: $columns}' <<<"$job")
    [[ ! -s $run/$(jq -r .run <<<"$job")/$table.csv ]] || pictures_rows "$run/$(jq -r .run <<<"$job")/$table.csv" | jq -c --argjson job "$job" -f "$EXECTAX_ROOT/lib/report/tables/cluster-rows.jq"
  done | jq -sc 'add // []'
}

# cluster_make_saturation RUN WORK
cluster_make_saturation() {
  local run=$1 work=$2 tables=$EXECTAX_ROOT/lib/report/tables published='[]'
  [[ ! -s $run/published.csv ]] || published=$(pictures_rows "$run/published.csv")
  cluster_merged "$run" "$work" rounds >"$work/rounds.json"
  cluster_csv <"$work/rounds.json" | files_put "$run/rounds.csv"
  jq -c -L "$tables" --slurpfile manifest "$run/manifest.json" -f "$tables/searches.jq" "$work/rounds.json" | jq -sc . >"$work/saturation.json"
  cluster_csv <"$work/saturation.json" | files_put "$run/saturation.csv"
  jq -c -L "$tables" --argjson published "$published" -f "$tables/experiment.jq" "$work/rounds.json" >"$work/experiment.json"
  cluster_csv <"$work/experiment.json" | files_put "$run/experiment.csv"
}

# cluster_table RUN WORK: Markdown.
cluster_table() {
  local run=$1 work=$2 tables=$EXECTAX_ROOT/lib/report/tables name
  for name in rounds saturation experiment perf; do
    [[ -s $work/$name.json ]] || echo '[]' >"$work/$name.json"
  done
  jq -nr -L "$tables" --slurpfile jobs "$work/jobs.json" --slurpfile matrix "$run/matrix.json" --slurpfile rounds "$work/rounds.json" --slurpfile saturation "$work/saturation.json" \
    --slurpfile experiment "$work/experiment.json" --slurpfile perf "$work/perf.json" -f "$tables/cluster-table.jq"
}
