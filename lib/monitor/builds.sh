# shellcheck shell=bash
# Builds of one monitor that are measured beside each other. Each is a monitor of its own, MONITOR@BUILD: MONITOR's script, with the build in
# place of the program that it would find.

# In the order in which they were added: MONITOR@BUILD, the program's file, and what tells MONITOR's script of it (VARIABLE=FILE).
BUILDS_NAMES=()
declare -gA BUILDS_FILES=() BUILDS_ASSIGNMENTS=()

# builds_add MONITOR BUILD FILE
builds_add() {
  local name=$1@$2 variable
  [[ ! -v BUILDS_FILES[$name] ]] || die_usage "--build: there are two builds '$2' of $1, expected a name for each"
  variable=$(builds_variable "$1" "$3") || exit 2
  BUILDS_NAMES+=("$name")
  BUILDS_FILES[$name]=$3
  BUILDS_ASSIGNMENTS[$name]=$variable=$3
}

# builds_variable MONITOR FILE: the variable that stands for the program that FILE is a build of: the only one that MONITOR has, or the one
# of FILE's name.
builds_variable() {
  local program
  local -a programs
  split_lines programs "$(monitor_call "$1" programs)"
  ((${#programs[@]})) || die_usage "--build: $1 has no program of its own that a build could stand for"
  program=${programs[0]}
  if ((${#programs[@]} > 1)); then
    program=${2##*/}
    [[ " ${programs[*]} " == *" $program "* ]] || die_usage "--build: $1 has several programs, expected a file with the name of one of them: ${programs[*]}"
  fi
  program=EXECTAX_${program//-/_}
  echo "${program^^}"
}

# builds_find ARRAY NAME: ARRAY gets what tells NAME's script of its build; nothing if it is no build.
builds_find() {
  local -n builds_find_array=$1
  builds_find_array=()
  [[ ! -v BUILDS_ASSIGNMENTS[$2] ]] || builds_find_array+=("${BUILDS_ASSIGNMENTS[$2]}")
}

builds_exists() {
  [[ -v BUILDS_FILES[$1] ]]
}

# All of them, on one line.
builds_names() {
  echo "${BUILDS_NAMES[*]}"
}

# {MONITOR@BUILD: FILE, ...}
builds_json() {
  local name
  for name in "${BUILDS_NAMES[@]}"; do
    jq -n --arg name "$name" --arg file "${BUILDS_FILES[$name]}" '{($name): $file}'
  done | jq -sc 'add // {}'
}

# builds_left JSON GIVEN: what is wrong with GIVEN, a line NAME=FILE or MONITOR@NAME=FILE each, in words; nothing if it names all builds of JSON, those of a run
# that goes on, with their files, and no others.
builds_left() {
  local build
  local -a options
  split_lines options "$(jq -r 'to_entries[] | "--build=\(.key)=\(.value)"' <<<"${1:-"{}"}")"
  build=$(jq -rn --argjson builds "${1:-"{}"}" --arg given "$2" '($given | split("\n") | map(select(. != ""))) as $given
    | ($builds | to_entries | map(["\(.key)=\(.value)", (.key | sub("^[^@]*@"; "")) + "=\(.value)"])) as $known
    | first(($known[] | select(any(IN($given[])) | not) | "lacks"), ($given[] | select([.] - ($known | add // []) != []) | "has \(.)")) // empty')
  if [[ $build == lacks ]]; then
    echo "it measures builds, files that it does not execute by itself: expected $(printf '%q ' "${options[@]}")with it"
  elif [[ -n $build ]]; then
    echo "--build: $build, which it was not begun with, expected $( ((${#options[@]})) && printf '%q ' "${options[@]}" || echo none)"
  fi
}

# builds_take_json JSON: those of a run that goes on.
builds_take_json() {
  local name file
  while IFS=$'\t' read -r name file; do
    [[ -z $name ]] || builds_add "${name%%@*}" "${name#*@}" "$(jq -r . <<<"$file")"
  done <<<"$(jq -r 'to_entries[] | "\(.key)\t\(.value | tojson)"' <<<"${1:-"{}"}")"
}
