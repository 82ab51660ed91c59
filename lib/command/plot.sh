# shellcheck shell=bash
# exectax plot

plot_usage() {
  cat <<'TEXT'
Usage: exectax plot [--out FILE] CSV...
Draw CPU against executions per second, one line for each monitor, from tables whose header begins with
test,exec_per_sec,cpu. If a table has the other columns of a run's perf.csv, the picture also shows the rate that was
reached, the 95 % interval (or, where the table has none, the lowest and the highest pass), losses, and where
the host was saturated. An empty cell was not measured. Several tables are drawn over each other: labels include the
name of the table, each table has its own dash pattern, and monitors of the same name (auditd-raw and auditdraw count
as the same) have the same colour and points.

  --out FILE      write the picture to FILE, which ends in .png or .svg (default plot.png)
  --help          show this text

Examples:
  exectax plot --out both.svg perf.csv results/20260101-120000/perf.csv

Exit status: 0 done; 1 the picture could not be drawn or written; 2 bad option or bad table, nothing was written.
TEXT
}

plot_main() {
  options_set out plot.png
  options_read plot out: options_set "$@"
  ((${#OPTIONS_ARGUMENTS[@]})) || die_usage "plot: no table given, expected 'exectax plot [--out FILE] CSV...'"
  plot_check_picture "${OPTIONS[out]}"
  plot_check_tools
  plot_draw "${OPTIONS[out]}" "${OPTIONS_ARGUMENTS[@]}"
}

plot_check_picture() {
  [[ $1 == *.png || $1 == *.svg ]] || die_usage "plot: --out '$1', expected a file name that ends in .png or .svg"
  [[ ! -d $1 ]] || die_usage "plot: --out '$1' is a folder, expected a file"
  [[ -d $(dirname -- "$1") ]] || die_usage "plot: --out '$1': there is no folder '$(dirname -- "$1")'"
}

plot_check_tools() {
  local tool
  local -a missing=()
  for tool in gnuplot mlr jq; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) || die "plot: not installed: ${missing[*]} ('$(tree_install_deps)' gets them)"
}
