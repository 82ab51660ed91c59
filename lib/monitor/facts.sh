# shellcheck shell=bash
# What a monitor's script says about the monitor.

# A line for each value of a fact, `NAME VALUE`; `NAME` alone for a fact that has none.
facts_print() {
  local knob
  fact_print description "$DESCRIPTION"
  fact_print uses "$USES"
  fact_print records "$RECORDS"
  fact_print actions "$(facts_actions)"
  fact_print rules "$(facts_rules)"
  fact_print rules_max "$RULES_MAX"
  fact_print sets "$SETS"
  fact_print events "$(declare -F monitor_events >/dev/null && echo yes || echo no)"
  fact_print side "$(facts_side)"
  fact_print build_minutes "$BUILD_MINUTES"
  fact_print reference "$REFERENCE"
  fact_print verified_by "$VERIFIED_BY"
  while IFS= read -r knob; do
    fact_print knobs "$knob"
  done <<<"$KNOBS"
}

# How watched and unwatched executions can be had at the same time; nothing if they can't.
facts_side() {
  if declare -F monitor_unwatch >/dev/null; then
    echo groups
  elif declare -F monitor_switch >/dev/null; then
    echo switched
  fi
}

# fact_print NAME VALUE
fact_print() {
  echo "$1${2:+ $2}"
}

# What is wrong with the facts, a line each: why the monitor cannot run.
facts_problems() {
  local knob
  [[ $DESCRIPTION =~ ^[^$'\n']+$ ]] || echo "its script sets DESCRIPTION to ${DESCRIPTION@Q}, expected one line"
  [[ $USES =~ ^(audit)?$ ]] || echo "its script sets USES to ${USES@Q}, expected audit or nothing"
  [[ $RECORDS =~ ^(exec|count|nothing)$ ]] || echo "its script sets RECORDS to ${RECORDS@Q}, expected exec, count or nothing"
  [[ $RULES_MAX =~ ^([1-9][0-9]{0,4})?$ ]] || echo "its script sets RULES_MAX to ${RULES_MAX@Q}, expected a number of rules, or nothing"
  [[ $SETS =~ ^(audit|falco)?$ ]] || echo "its script sets SETS to ${SETS@Q}, expected audit, falco or nothing"
  [[ $BUILD_MINUTES =~ ^([1-9][0-9]{0,2})?$ ]] || echo "its script sets BUILD_MINUTES to ${BUILD_MINUTES@Q}, expected a number of minutes, or nothing"
  [[ $VERIFIED_BY =~ ^[^$'\n']+$ ]] || echo "its script sets VERIFIED_BY to ${VERIFIED_BY@Q}, expected one line"
  [[ $REFERENCE =~ ^(yes|no)$ ]] || echo "its script sets REFERENCE to ${REFERENCE@Q}, expected yes or no"
  [[ -n $KNOBS ]] || return 0
  while IFS= read -r knob; do
    [[ $knob =~ ^[a-z][a-z0-9_]*\ [A-Za-z0-9_.-]+(,[A-Za-z0-9_.-]+)*\ .*[^\ ] ]] ||
      echo "its script has ${knob@Q} among its KNOBS, expected NAME VALUE,VALUE... WHAT"
  done <<<"$KNOBS"
}

# What is wrong with the script, a line each.
script_problems() {
  local function
  local -a required=(start)
  facts_problems
  case $RECORDS in
    nothing) required+=(ready) ;;
    count) required+=(log count) ;;
    *) required+=(log) ;;
  esac
  [[ -z $BUILD_MINUTES ]] || required+=(build)
  for function in "${required[@]}"; do
    declare -F "monitor_$function" >/dev/null || echo "its script does not define monitor_$function"
  done
  if [[ -z $BUILD_MINUTES ]] && declare -F monitor_build >/dev/null; then
    echo "its script defines monitor_build, but does not say in BUILD_MINUTES how long that takes"
  fi
}

# The actions of the load that it can be made to record: exec, and those that its folder of configurations has files for.
facts_actions() {
  local file action actions="exec"
  for file in "$CONFIGS"/action-*.*; do
    action=${file##*/action-}
    action=${action%%.*}
    if [[ -f $file && " $actions " != *" $action "* ]]; then
      actions+=" $action"
    fi
  done
  echo "$actions"
}

# The files with which the monitor records the actions of this run, a path a line. An execution needs none.
action_files() {
  local action file
  for action in ${MONITOR_ACTIONS:-exec}; do
    [[ $action != exec ]] || continue
    for file in "$CONFIGS/action-$action".*; do
      if [[ ! -f $file ]]; then
        echo "cannot record $action: there is no $CONFIGS/action-$action.*" >&2
        return 1
      fi
      echo "$file"
    done
  done
}

# The kinds of rules that can be added to its own: those that its folder of rules has a template for, if its script adds any.
facts_rules() {
  local file kind kinds=''
  declare -F monitor_rules >/dev/null || return 0
  for file in "${RULES:-$CONFIGS}"/rules-*.*; do
    [[ -f $file ]] || continue
    kind=${file##*/rules-}
    kinds+=" ${kind%%.*}"
  done
  echo "${kinds# }"
}

# What this run adds to the monitor's own rules: some of a kind, or a set, for which monitor_rules is asked for the kind of the set's name; nothing in
# other runs.
rules_of_run() {
  local kind count
  read -r kind count <<<"${MONITOR_RULES:-}"
  [[ -z $kind ]] || monitor_rules "$kind" "$count"
}

# rules_from_template KIND COUNT [KEY=VALUE...]: COUNT rules of that kind, with every @KEY@ replaced, and @N@ by 1, 2 and so on (@NNN@:
# with three digits). Lines of the template that begin with # are left out. Of a set, all of its rules.
rules_from_template() {
  local kind=$1 text pair rule
  local -i count=$2 i
  local -a files=("${RULES:-$CONFIGS}/rules-$kind".*)
  shift 2
  if [[ -n ${MONITOR_SET:-} ]]; then
    cat "$MONITOR_SET"
    return
  fi
  [[ -f ${files[0]} ]] || {
    echo "cannot add rules of the kind $kind: there is no ${files[0]}" >&2
    return 1
  }
  text=$(grep -v '^ *#' "${files[0]}") || return 1
  for pair in "$@"; do
    text=${text//"@${pair%%=*}@"/"${pair#*=}"}
  done
  for ((i = 1; i <= count; i++)); do
    printf -v rule '%03d' "$i"
    rule=${text//@NNN@/$rule}
    printf '%s\n' "${rule//@N@/$i}"
  done
}

# rules_into_files FOLDER KIND COUNT: each in a file of its own.
rules_into_files() {
  local -i i
  for ((i = 1; i <= $3; i++)); do
    rules_from_template "$2" 1 N="$i" >"$1/$2-$i.yaml"
  done
}

# knob NAME: the value that the monitor is to run with.
knob() {
  local knob values variable=EXECTAX_KNOB_${1^^}
  while read -r knob values _; do
    if [[ $knob == "$1" ]]; then
      echo "${!variable:-${values%%,*}}"
      return
    fi
  done <<<"$KNOBS"
  echo "knob $1: the monitor has none of that name" >&2
  return 1
}
