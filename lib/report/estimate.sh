# shellcheck shell=bash
# What monitors would cost a host with known rates, from a run's tables and nothing else.

# Of the system calls of a host, so many an execution are made by what is like /bin/true, whose own figure has what they cost already.
ESTIMATE_CALLS_OF_EXECUTION=31

# estimate_check_run RUN
estimate_check_run() {
  report_check_run "$1"
  [[ $(report_kind "$1") == sweep ]] || die_usage "'$1' is a run of exectax $(report_kind "$1"), expected one of exectax sweep"
  [[ -s $1/perf.csv ]] || die_usage "'$1' has no perf.csv; 'exectax report $1' makes it"
  [[ ,$(head -n 1 "$1/perf.csv"), == *,counted_us,* ]] || die_usage "'$1' is older than the figure counted_us; 'exectax report $1' makes its tables again"
}

# estimate_rates COUNTED: of hostrates' result, what estimate_rows takes: executions a second, and system calls a second by kind.
estimate_rates() {
  jq -c --argjson own "$ESTIMATE_CALLS_OF_EXECUTION" '.duration_s as $seconds | {
    exec_per_sec: .executions.per_sec,
    syscalls: (if .syscalls == null then null else .syscalls
      | {reads: (.reads / $seconds), connects: (.connects / $seconds), opens: (.opens / $seconds)}
        + {others: ([0, (.count - .reads - .connects - 2 * .opens) / $seconds] | max)} end)}
    | if .syscalls != null then .syscalls.others = ([0, .syscalls.others - $own * .exec_per_sec] | max) else . end' <<<"$1"
}

# estimate_given_rates EXECUTIONS SYSCALLS: the same from what the caller says, SYSCALLS being empty or all of them, of which nobody knows the kinds.
estimate_given_rates() {
  jq -nc --argjson exec_per_sec "$1" --argjson syscalls "${2:-null}" --argjson own "$ESTIMATE_CALLS_OF_EXECUTION" '
    {$exec_per_sec, syscalls: (if $syscalls == null then null
      else {reads: 0, connects: 0, opens: 0, others: ([0, $syscalls - $own * $exec_per_sec] | max)} end)}'
}

# estimate_rows RUN RATES: a list of objects, a monitor each.
estimate_rows() {
  local taxes='[]'
  [[ ! -s $1/syscalls.csv ]] || taxes=$(pictures_rows "$1/syscalls.csv")
  pictures_rows "$1/perf.csv" | jq -c --argjson taxes "$taxes" --argjson exec_per_sec "$(jq .exec_per_sec <<<"$2")" \
    --argjson syscalls "$(jq -c .syscalls <<<"$2")" -f "$EXECTAX_ROOT/lib/report/tables/estimate.jq"
}

# estimate_table RATES: of the rows on stdin.
estimate_table() {
  jq -r -L "$EXECTAX_ROOT/lib/report/tables" --argjson asked_syscalls "$(jq '.syscalls != null' <<<"$1")" -f "$EXECTAX_ROOT/lib/report/tables/estimate-table.jq"
}

# estimate_other_host RUN KERNEL CPU_MODEL CPUS: what is different from the host of the run, on one line; nothing if it is alike.
estimate_other_host() {
  jq -r --arg kernel "$2" --arg cpu_model "$3" --argjson cpus "$4" '.host
    | [ (if .cpu_model != $cpu_model then "CPU \(.cpu_model), here \($cpu_model)" else empty end),
        (if .cpus != $cpus then "\(.cpus) CPUs, here \($cpus)" else empty end),
        (if .kernel != $kernel then "Linux \(.kernel), here \($kernel)" else empty end) ] | join("; ")' "$1/manifest.json"
}
