# shellcheck shell=bash
# exectax report

report_usage() {
  cat <<'TEXT'
Usage: exectax report [--rate N] [--flamegraphs] RUN
       exectax report --columns
Make a run's tables and pictures again from its raw files. RUN is its folder (results/...).

  --rate N        executions per second at which it is shown who pays: the measured rate that is nearest (default 800)
  --flamegraphs   also a flame graph a monitor
  --columns       instead: what the columns of cells.csv and perf.csv are, as a table
  --help          this text

Exit status: 0 done; 1 something could not be read or written; 2 bad option, or no run.
TEXT
}

report_main() {
  local run
  options_set rate 800
  options_set flamegraphs no
  options_set columns no
  options_read report rate:,flamegraphs,columns options_set "$@"
  if [[ ${OPTIONS[columns]} == yes ]]; then
    options_check_arguments "report --columns" 0 "nothing else"
    exec "$BUILD/figures" --columns
  fi
  options_check_number --rate "${OPTIONS[rate]}" 1 1000000 "executions per second"
  options_check_arguments report 1 "one argument, the folder of a run (results/...)"
  run=$(realpath -m -- "$(options_argument 0)")
  report_check_run "$run"
  report_make "$run" "${OPTIONS[rate]}"
  [[ ${OPTIONS[flamegraphs]} == no ]] || results_flamegraphs "$run"
  report_is_whole || exit 1
}
