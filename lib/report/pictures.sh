# shellcheck shell=bash
# Pictures, each as PNG and SVG. What goes where is worked out by jq (lib/report/tables), drawn by gnuplot (plots).

# results_plot RUN: CPU by rate, from its perf.csv.
results_plot() {
  pictures_rows "$1/perf.csv" | pictures_lines "$1" "$(results_host_line "$1")" "" png svg
}

# pictures_lines FOLDER SUBTITLE ASSIGNMENTS FORMAT...: FOLDER/perf.FORMAT, a line a monitor, from the rows on stdin.
pictures_lines() {
  local folder=$1 subtitle=$2 assignments=$3 picture
  shift 3
  picture=$(pictures_jq lines)
  if [[ -z $picture ]]; then
    warn "no monitor's CPU was measured under load, so there is no picture"
    return 0
  fi
  jq -r '.points[] | @csv' <<<"$picture" >"$folder/points.csv"
  pictures_gnuplot perf "$folder/points.csv" "$folder/perf" "$subtitle" "$assignments; $(jq -r .assignments <<<"$picture")" "$@"
  rm "$folder/points.csv"
}

# The rows of a table, as JSON.
pictures_rows() {
  mlr --icsv --ojson cat "$1"
}

# pictures_jq NAME ARGS...: lib/report/tables/NAME.jq of the rows on stdin.
pictures_jq() {
  local name=$1 tables=$EXECTAX_ROOT/lib/report/tables
  shift
  jq -c -L "$tables" --argjson families "$(pictures_rows "$EXECTAX_ROOT/plots/families.csv")" "$@" -f "$tables/$name.jq"
}

# pictures_gnuplot SCRIPT DATA PICTURE SUBTITLE ASSIGNMENTS FORMAT...: plots/SCRIPT.gp draws DATA as PICTURE.FORMAT.
pictures_gnuplot() {
  local script=$1 data=$2 picture=$3 subtitle=$4 assignments=$5 format
  shift 5
  for format in "$@"; do
    gnuplot -e "plots=$(pictures_quoted "$EXECTAX_ROOT/plots"); data=$(pictures_quoted "$data"); \
      picture=$(pictures_quoted "$picture.$format"); format='$format'; subtitle=$(pictures_quoted "$subtitle"); $assignments" \
      "$EXECTAX_ROOT/plots/$script.gp"
  done
}

# A string as gnuplot reads it.
pictures_quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}

# results_plot_parts RUN RATE: what an execution costs and who pays, at the measured rate that is nearest to RATE.
results_plot_parts() {
  local run=$1 rate spread='' picture differences='[]'
  rate=$(results_nearest_rate "$run" "$2")
  [[ ! -s $run/differences.csv ]] || differences=$(pictures_rows "$run/differences.csv")
  picture=$(pictures_rows "$run/perf.csv" | pictures_jq bars --argjson rate "$rate" --argjson differences "$differences")
  if [[ -z $picture ]]; then
    [[ -z $(mlr --icsv --onidx filter "\$test != \"none\" && is_not_empty(\$cpu)" "$run/perf.csv") ]] ||
      warn "no monitor and its baseline were both measured at $rate/s, so there is no picture of the parts"
    return 0
  fi
  [[ $(jq .intervals <<<"$picture") == true ]] || spread=$(results_baseline_spread "$run" "$rate")
  jq -r '.boxes[] | @csv' <<<"$picture" >"$run/boxes.csv"
  pictures_gnuplot parts "$run/boxes.csv" "$run/parts" "$(results_host_line "$run")" \
    "rate=$rate; spread='$spread'; $(jq -r .assignments <<<"$picture")" png svg
  rm "$run/boxes.csv"
}

# saturation_plot RUN: the rates without loss, and in a second picture the rounds that they come from.
saturation_plot() {
  local run=$1 subtitle
  subtitle=$(saturation_host_line "$run")
  pictures_dots "$run" "$subtitle"
  pictures_rounds "$run" "$subtitle"
}

# A row a monitor and its limits, from saturation.csv.
pictures_dots() {
  local run=$1 picture
  picture=$(pictures_rows "$run/saturation.csv" | pictures_jq dots)
  if [[ -z $picture ]]; then
    warn "no round has figures, so there is no picture"
    return 0
  fi
  jq -r '.dots[] | @csv' <<<"$picture" >"$run/dots.csv"
  pictures_gnuplot saturation "$run/dots.csv" "$run/saturation" "$2" "$(jq -r .assignments <<<"$picture")" png svg
  rm "$run/dots.csv"
}

# A panel a combination of limits and knobs, a line a monitor, from rounds.csv.
pictures_rounds() {
  local run=$1 picture
  picture=$(pictures_rows "$run/rounds.csv" |
    pictures_jq rounds --argjson combinations "$(pictures_rows "$run/saturation.csv")")
  [[ -n $picture ]] || return 0
  jq -r '.points[] | @csv' <<<"$picture" >"$run/points.csv"
  pictures_gnuplot saturation-rounds "$run/points.csv" "$run/saturation-rounds" "$2" "$(jq -r .assignments <<<"$picture")" png svg
  rm "$run/points.csv"
}
