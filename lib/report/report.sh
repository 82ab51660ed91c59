# shellcheck shell=bash
# A run's tables and pictures, from its folder and nothing else.

REPORT_STATUS=0

# report_check_run FOLDER: that it is a run, and one that can be read here.
report_check_run() {
  [[ -f $1/manifest.json && -f $1/plan.csv ]] || die_usage "'$1' is not a run: expected a folder with manifest.json and plan.csv"
  report_check_plain "$1"
  schema_check "$1"
}

# report_check_plain RUN: who made it could have its tables read or written anywhere.
report_check_plain() {
  local strange
  strange=$(files_other_than_plain "$1")
  [[ -z $strange ]] || die_usage "'$1' has '$strange', expected regular files and folders and no links"
}

# report_kind RUN: sweep, saturate, rules, engines or cluster.
report_kind() {
  jq -r '.kind // "sweep"' "$1/manifest.json"
}

# report_figures RUN: the tables of build/figures. A cell that can't be read is a row that says so, and the end of exectax is exit
# status 1, after everything else was made.
report_figures() {
  local status=0
  log_of "$BUILD/figures" "$1" || status=$?
  ((status < 2)) || die "the figures of $1 could not be computed (see above)"
  REPORT_STATUS=$status
}

# report_make RUN RATE REDACT: RATE is for a sweep's picture of the parts; REDACT, yes or no, for the page.
report_make() {
  case $(report_kind "$1") in
    # Each of its runs has a page.
    cluster)
      cluster_make "$1"
      return
      ;;
    saturate) saturation_make "$1" ;;
    rules) rules_make "$1" ;;
    engines) engines_make "$1" ;;
    *) results_make "$1" "$2" ;;
  esac
  html_make "$@"
}

# Whether all of the last run's cells could be read.
report_is_whole() {
  ((REPORT_STATUS == 0))
}
