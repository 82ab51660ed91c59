# shellcheck shell=bash
# A run's tables and pictures, from its folder and nothing else.

# report_check_run FOLDER
report_check_run() {
  [[ -f $1/manifest.json && -f $1/plan.csv ]] || die_usage "'$1' is no run: expected a folder with manifest.json and plan.csv"
}

# report_kind RUN: sweep or saturate.
report_kind() {
  jq -r '.kind // "sweep"' "$1/manifest.json"
}

# report_make RUN RATE: RATE is for a sweep's picture of the parts.
report_make() {
  case $(report_kind "$1") in
    saturate) saturation_make "$1" ;;
    *) results_make "$@" ;;
  esac
}
