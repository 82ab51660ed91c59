# shellcheck shell=bash
# exectax doctor

doctor_usage() {
  cat <<'TEXT'
Usage: exectax doctor [--no-noise] [--quiet] [--json]
Look at everything that decides what can be measured on this host, and how well. Each is good, degraded (figures are less
exact, or fewer), missing (some figures can't be had, or no run can begin), or unseen (only the host of this guest knows), with
what that costs in figures and the command that mends it. Nothing on the host is changed.

  --no-noise      without the self-test: /bin/true at 400 executions per second for 10 s, without a monitor, for the rate
                  held, the lateness, the scatter of CPU time and the time stolen. It takes the lock of the host, so that
                  no run can begin meanwhile
  --quiet         only what is degraded or missing, a line each, and the summary
  --json          the same as JSON: can_begin, and a list of checks, each with name, grade, blocks (no run can begin),
                  found, costs, mend
  --help          show this text

Colours: on a terminal, unless NO_COLOR is set.

Examples:
  exectax doctor                          what to mend before a long run; takes half a minute
  exectax doctor --no-noise --quiet       the summary that run-all.sh shows
  exectax doctor --json | jq -r '.checks[] | select(.grade != "good").name'

Exit status: 0 a run can begin here, whatever is degraded or missing; 1 no run can begin here; 2 bad option, or not root.
TEXT
}

doctor_main() {
  local lines
  options_set noise yes
  options_set quiet no
  options_set json no
  options_read doctor no-noise,quiet,json doctor_take "$@"
  options_check_arguments doctor 0 "options only"
  host_require_root "exectax doctor" "it asks the audit subsystem and others what can be measured"
  lines=$(doctor_checks)
  if [[ ${OPTIONS[json]} == yes ]]; then
    doctor_json <<<"$lines"
  else
    doctor_text "${OPTIONS[quiet]}" "$(doctor_colours)" <<<"$lines"
  fi
  [[ -z $(doctor_blocking <<<"$lines") ]] || exit 1
}

# doctor_take NAME VALUE
doctor_take() {
  if [[ $1 == no_noise ]]; then
    options_set noise no
  else
    options_set "$@"
  fi
}

# The lines of all checks (lib/measure/checks.sh). Room on the disks is that for a sweep with its defaults.
doctor_checks() {
  local out launches at_once
  read -r launches at_once out <<<"$(doctor_default_sweep)"
  checks_all "$out" "$launches" "$at_once"
  [[ ${OPTIONS[noise]} == no ]] || noise_all
}

# How many executions that makes in all and at once, and where its results go.
doctor_default_sweep() (
  sweep_options
  echo "$(sweep_launches) ${OPTIONS[out]}"
)

doctor_colours() {
  if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    echo yes
  else
    echo no
  fi
}

# The checks that keep every run from beginning, of lines on stdin.
doctor_blocking() {
  awk -F '\t' '$3 == "yes" { print $1 }' | paste -sd ' '
}

# doctor_text QUIET COLOURS: of lines on stdin.
doctor_text() {
  awk -F '\t' -v quiet="$1" -v colours="$2" '
    function shown(grade, width) {
      text = sprintf("%-" width "s", grade)
      return colours == "yes" ? sprintf("\033[%dm%s\033[0m", colour[grade], text) : text
    }
    BEGIN { colour["good"] = 32; colour["degraded"] = 33; colour["missing"] = 31; colour["unseen"] = 36 }
    { count[$2]++; if ($3 == "yes") blocking = blocking (blocking == "" ? "" : ", ") $1 }
    quiet == "yes" && ($2 == "good" || $2 == "unseen") { next }
    { printf "%s  %-18s %s\n", shown($2, 8), $1, $4 }
    quiet == "yes" { next }
    $5 != "" { printf "%-28s  costs: %s\n", "", $5 }
    $6 != "" { printf "%-28s  mend:  %s\n", "", $6 }
    END {
      printf "%d checks: %d good, %d degraded, %d missing, %d unseen. ", NR, count["good"], count["degraded"], count["missing"], count["unseen"]
      print blocking == "" ? "A run can begin here." : "No run can begin here: " blocking "."
    }'
}

# Of lines on stdin.
doctor_json() {
  jq -Rn '
    [inputs | split("\t") | {name: .[0], grade: .[1], blocks: (.[2] == "yes"), found: .[3]}
      + ({costs: .[4], mend: .[5]} | map_values(if . == "" then null else . end))]
    | {can_begin: (map(select(.blocks)) == []), checks: .}'
}
