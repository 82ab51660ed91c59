# shellcheck shell=bash
# exectax report

report_usage() {
  cat <<'TEXT'
Usage: exectax report [--rate N] [--flamegraphs] [--redact] RUN
       exectax report [--rate N] [--redact] FOLDER
       exectax report --columns
Make the tables, the pictures and the page (report.html) of a run again from its raw files. RUN is its folder (results/...).
Of a FOLDER whose folders are runs, one a host: tables, a picture and a page of what the hosts differ by (docs/fleet.md).

  --rate N        show who pays at the measured rate nearest to N executions per second (default 800)
  --flamegraphs   also draw a flame graph for each monitor
  --redact        leave host names, paths and command lines out of report.html, and with them configurations and flame
                  graphs, to hand it on. The other files stay as they are
  --columns       instead, print a table of the columns of cells.csv and perf.csv
  --help          show this text

Examples:
  exectax report results/20260101-120000
  exectax report --rate 400 --flamegraphs results/20260101-120000
  exectax report results/fleet                                what the hosts of deploy/ansible differ by

Exit status: 0 done; 1 something could not be read or written; 2 bad option, or not a run.
TEXT
}

report_main() {
  local run
  options_set rate 800
  options_set flamegraphs no
  options_set redact no
  options_set columns no
  options_read report rate:,flamegraphs,redact,columns options_set "$@"
  if [[ ${OPTIONS[columns]} == yes ]]; then
    options_check_arguments "report --columns" 0 "nothing else"
    exec "$BUILD/figures" --columns
  fi
  options_check_number --rate "${OPTIONS[rate]}" 1 1000000 "executions per second"
  options_check_arguments report 1 "one argument, the folder of a run (results/...)"
  run=$(realpath -m -- "$(options_argument 0)")
  refuse_run "$run"
  if fleet_is "$run"; then
    [[ ${OPTIONS[flamegraphs]} == no ]] || die_usage "--flamegraphs: not expected with a folder of several hosts' runs, expected with one of these"
    fleet_make "$run" "${OPTIONS[rate]}" "${OPTIONS[redact]}"
    return
  fi
  report_check_run "$run"
  report_make "$run" "${OPTIONS[rate]}" "${OPTIONS[redact]}"
  [[ ${OPTIONS[flamegraphs]} == no ]] || results_flamegraphs "$run"
  report_is_whole || exit 1
}
