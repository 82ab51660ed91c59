# shellcheck shell=bash
# Pictures, each as PNG and SVG. What goes where is worked out by jq (lib/report/tables), drawn by gnuplot (plots).

# results_plot RUN: CPU by rate, from its perf.csv.
results_plot() {
  local rows told={}
  rows=$(results_rows "$1" perf)
  if [[ $(jq -r -L "$EXECTAX_ROOT/lib/report/tables" 'include "ranks"; cpu_figure' <<<"$rows") == total_cpu ]]; then
    rows=$(jq -c 'map(.cpu = .total_cpu | .cpu_low = .total_cpu_low | .cpu_high = .total_cpu_high | .cpu_lowest = null | .cpu_highest = null)' <<<"$rows")
    told='{"counted": "CPU that the machine takes more"}'
  fi
  pictures_lines "$1" "$(results_host_line "$1")" "$told" png svg <<<"$rows"
}

# pictures_lines FOLDER SUBTITLE TOLD FORMAT...: FOLDER/perf.FORMAT, a line a monitor, from the rows on stdin. For TOLD see pictures_draw.
pictures_lines() {
  local folder=$1 subtitle=$2 told=$3 picture
  shift 3
  picture=$(pictures_jq lines)
  if [[ -z $picture ]]; then
    warn "no monitor's CPU was measured under load, so there is no picture"
    return 0
  fi
  pictures_draw perf "$folder/perf" "$subtitle" "$told" "$picture" "$@"
}

# results_plot_parts RUN RATE: what an execution costs and who pays, at the measured rate that is nearest to RATE.
results_plot_parts() {
  local run=$1 rate picture differences=''
  rate=$(results_nearest_rate "$run" "$2")
  [[ $rate != 0 ]] || return 0
  [[ ! -s $run/differences.csv ]] || differences=$(results_rows "$run" differences | jq -c '.[]')
  picture=$(results_rows "$run" perf |
    pictures_jq bars --argjson rate "$rate" --slurpfile differences /dev/fd/3 3<<<"$differences")
  if [[ -z $picture ]]; then
    [[ -z $(mlr --icsv --onidx filter "\$test != \"none\" && is_not_empty(\$cpu)" "$run/perf.csv") ]] ||
      warn "no monitor has a total at $rate/s, so there is no picture of who pays"
    return 0
  fi
  pictures_draw parts "$run/parts" "$(results_host_line "$run")" "{\"rate\": $rate}" "$picture" png svg
}

# saturation_plot RUN: the rates without loss, and in a second picture the rounds that they come from.
saturation_plot() {
  local run=$1 dots rounds
  dots=$(pictures_rows "$run/saturation.csv" | pictures_jq dots)
  rounds=$(pictures_rows "$run/rounds.csv" | pictures_jq rounds --slurpfile combinations /dev/fd/3 3<<<"$(pictures_stream "$run/saturation.csv")")
  [[ -z $dots ]] || pictures_draw saturation "$run/saturation" "$(saturation_host_line "$run")" {} "$dots" png svg
  [[ -z $rounds ]] || pictures_draw saturation-rounds "$run/saturation-rounds" "$(saturation_host_line "$run")" {} "$rounds" png svg
  if [[ -z $rounds ]]; then
    warn "no round has figures, so there is no picture$([[ -z $dots ]] || echo " of the rounds")"
  elif [[ -z $dots ]]; then
    warn "no monitor has a rate without loss, so there is no picture of these"
  fi
}

# The rows of a table, as JSON. Of one that has none, newer versions of Miller write nothing at all.
pictures_rows() {
  mlr --icsv --ojson cat "$1" | pictures_list
}

# Miller's JSON on stdin as one list; it writes control characters as they are, which is no JSON.
pictures_list() {
  LC_ALL=C tr '\000-\011\013-\037\177' '?' | jq -sc 'add // []'
}

# The same, one row after another, as jq's --slurpfile takes them: a large table is too long for an argument.
pictures_stream() {
  pictures_rows "$1" | jq -c '.[]'
}

# pictures_jq NAME ARGS...: lib/report/tables/NAME.jq of the rows on stdin.
pictures_jq() {
  local name=$1 tables=$EXECTAX_ROOT/lib/report/tables
  shift
  jq -c -L "$tables" --argjson families "$(pictures_rows "$EXECTAX_ROOT/plots/families.csv")" "$@" -f "$tables/$name.jq"
}

# pictures_draw SCRIPT FILE SUBTITLE TOLD PICTURE FORMAT...: plots/SCRIPT.gp draws PICTURE, which pictures_jq gave, as FILE.FORMAT. TOLD, a JSON object,
# is what the script is to know besides.
pictures_draw() (
  local script=$1 file=$2 subtitle=$3 told=$4 picture=$5 assignments type work
  shift 5
  assignments=$(jq -r -L "$EXECTAX_ROOT/lib/report/tables" --arg subtitle "$subtitle" --argjson told "$told" -f "$EXECTAX_ROOT/lib/report/tables/assignments.jq" <<<"$picture") || exit 1
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  jq -r '.rows[] | @csv' <<<"$picture" >"$work/data"
  for type in "$@"; do
    gnuplot -e "plots=$(pictures_quoted "$EXECTAX_ROOT/plots"); data=$(pictures_quoted "$work/data"); \
      picture=$(pictures_quoted "$work/picture"); format='$type'; $assignments" "$EXECTAX_ROOT/plots/$script.gp" || exit 1
    files_put "$file.$type" <"$work/picture" || exit 1
  done
)

# A string as gnuplot reads it.
pictures_quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}
