# shellcheck shell=bash
# The picture of any table that begins with `test,exec_per_sec,cpu`; several are laid over each other.

# plot_draw PICTURE CSV...
plot_draw() {
  local out=$1 file header checked problem table=0 rows='' axis='log scale'
  local -a labels axes
  shift
  plot_labels labels "$@"
  for file in "$@"; do
    [[ -f $file && -r $file ]] || die_usage "plot: '$file' is not a readable file, expected a table (CSV)"
    header=''
    IFS= read -r header <"$file" || true
    header=${header%$'\r'}
    [[ $header, == test,exec_per_sec,cpu,* ]] ||
      die_usage "plot: '$file' does not begin with the columns test,exec_per_sec,cpu"
    axes+=('asked for')
    [[ $header, != *,achieved_per_sec,* ]] || axes[table]=reached
    [[ $(LC_ALL=C tr -cd '\000-\010\013\014\016-\037' <"$file" | wc -c) == 0 ]] ||
      die_usage "plot: '$file' has control characters in it, expected text"
    checked=$(plot_read "$file" "$(($# > 1 ? table + 1 : 0))" "${labels[table]}")
    problem=$(jq -r '.problem // empty' <<<"$checked")
    [[ -z $problem ]] || die_usage "plot: '$file': $problem"
    rows+=$checked
    table=$((table + 1))
  done
  if [[ ${axes[*]} == *asked* && ${axes[*]} == *reached* ]]; then
    for table in "${!labels[@]}"; do
      labels[table]+=" (rate ${axes[table]})"
    done
  else
    axis="${axes[0]}; log scale"
  fi
  PLOT_FOLDER=$(mktemp -d)
  trap 'rm -rf "$PLOT_FOLDER"' EXIT
  jq -s 'map(.rows[])' <<<"$rows" |
    pictures_lines "$PLOT_FOLDER" "$(plot_subtitle "${labels[@]}")" "{\"rates\": \"$axis\", \"counted\": \"CPU as the table counts it\"}" "${out##*.}"
  cp -- "$PLOT_FOLDER/perf.${out##*.}" "$out" 2>/dev/null || die "plot: cannot write '$out'"
}

# plot_labels ARRAY CSV...: what each table is called: its file's name, or the path as it was given where two have the same name.
plot_labels() {
  local -n plot_labels_array=$1
  local file other
  shift
  plot_labels_array=()
  for file in "$@"; do
    plot_labels_array+=("${file##*/}")
  done
  for other in "${plot_labels_array[@]}"; do
    [[ $(printf '%s\0' "${plot_labels_array[@]}" | grep -zcFx -e "$other") == 1 ]] || {
      plot_labels_array=("$@")
      return
    }
  done
}

# plot_read CSV TABLE SOURCE: what lib/report/tables/plot.jq says of it.
plot_read() {
  local rows
  if rows=$(mlr -S --icsv --ojson cat <"$1" 2>/dev/null); then
    jq -c --argjson table "$2" --arg source "$3" -f "$EXECTAX_ROOT/lib/report/tables/plot.jq" <<<"${rows:-[]}"
  else
    jq -n '{problem: "a row has more cells or fewer than the header, expected as many"}'
  fi
}

plot_subtitle() {
  local subtitle
  subtitle=$(printf '%s, ' "$@" | tr '\n' ' ')
  printf "%s\n" "${subtitle%, }"
}
