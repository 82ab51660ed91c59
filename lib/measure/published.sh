# shellcheck shell=bash
# Published experiments that are repeated: configs/profiles/NAME.options has the options, NAME.csv the published values.

published_folder() {
  echo "$EXECTAX_ROOT/configs/profiles"
}

published_names() {
  local file
  for file in "$(published_folder)"/*.options; do
    file=${file##*/}
    echo "${file%.options}"
  done
}

published_exists() {
  [[ $'\n'$(published_names)$'\n' == *$'\n'"$1"$'\n'* ]]
}

# published_arguments NAME: its options, as a command line has them, one a line.
published_arguments() {
  sed -nE 's/^(--[a-z-]+) +(.+)$/\1=\2/p' "$(published_folder)/$1.options"
}

# published_varies NAME KNOB: whether the experiment NAME, if there is one, has several values of that knob.
published_varies() {
  [[ -n $1 ]] && published_arguments "$1" | grep -q -- "^--vary=$2="
}

# published_keep NAME RUN: the published values beside what is measured; those that are there stay.
published_keep() {
  [[ -e $2/published.csv ]] || cp "$(published_folder)/$1.csv" "$2/published.csv"
}
