# shellcheck shell=bash
# The options of the subcommand that runs, and how values are checked. An option --such-as is called such_as here.

declare -gA OPTIONS=()
# What is no option.
OPTIONS_ARGUMENTS=()

# options_set NAME VALUE
options_set() {
  OPTIONS[$1]=$2
}

# options_default NAME VALUE: unless it has one.
options_default() {
  [[ -n ${OPTIONS[$1]:-} ]] || OPTIONS[$1]=$2
}

# options_sum NAME...: of whole numbers.
options_sum() {
  local name
  local -i sum=0
  for name in "$@"; do
    sum+=${OPTIONS[$name]}
  done
  echo "$sum"
}

# options_read SUBCOMMAND LONG_OPTIONS TAKE ARGUMENT...: LONG_OPTIONS as for getopt(1), where those with a value end in a colon, in two if it can be left out; SUBCOMMAND can have an option in
# it (rules --engines). `TAKE NAME VALUE` is called for each (VALUE is yes where there is none), options_set for one; --help prints what SUBCOMMAND_usage does (rules_engines_usage), and ends exectax.
options_read() {
  local command=$1 known=,$2, take=$3 parsed option
  local -a words=()
  parsed=$(getopt -n "exectax $command" -o '' -l "$2,help" -- "${@:4}" 2>&1) ||
    die_usage "$(head -n 1 <<<"$parsed"); 'exectax $command --help' lists the options"
  eval "words=($parsed)"
  set -- "${words[@]}"
  while [[ $1 != -- ]]; do
    option=${1#--}
    if [[ $option == help ]]; then
      "${command// --/_}_usage"
      exit 0
    elif [[ $known == *",$option:,"* ]]; then
      "$take" "${option//-/_}" "$2"
      shift 2
    elif [[ $known == *",$option::,"* ]]; then
      "$take" "${option//-/_}" "${2:-yes}"
      shift 2
    else
      "$take" "${option//-/_}" yes
      shift
    fi
  done
  OPTIONS_ARGUMENTS=("${@:2}")
}

# options_check_arguments SUBCOMMAND COUNT EXPECTED: what is no option is COUNT arguments.
options_check_arguments() {
  ((${#OPTIONS_ARGUMENTS[@]} <= $2)) ||
    die_usage "$1: unexpected argument '${OPTIONS_ARGUMENTS[$2]}', expected $3"
  ((${#OPTIONS_ARGUMENTS[@]} == $2)) || die_usage "$1: expected $3"
}

# options_argument NUMBER: from 0.
options_argument() {
  printf '%s\n' "${OPTIONS_ARGUMENTS[$1]}"
}

# options_seconds WHAT VALUE LOWEST HIGHEST: VALUE, whole seconds, or minutes or hours with m or h after them, in seconds.
options_seconds() {
  local number=${2%[smh]}
  local -i factor=1
  [[ $2 != *m ]] || factor=60
  [[ $2 != *h ]] || factor=3600
  if [[ ! $number =~ ^[1-9][0-9]{0,7}$ ]] || ((number * factor < $3 || number * factor > $4)); then
    die_usage "$1 is '$2', expected a time such as 90s, 60m or 2h, from $3 to $4 seconds"
  fi
  echo $((number * factor))
}

# options_check_number WHAT VALUE LOWEST HIGHEST EXPECTED
options_check_number() {
  # No leading zeros: bash and printf would read them as octal.
  if [[ ! $2 =~ ^(0|[1-9][0-9]{0,9})$ ]] || (($2 < $3 || $2 > $4)); then
    die_usage "$1 is '$2', expected $5 from $3 to $4"
  fi
}
