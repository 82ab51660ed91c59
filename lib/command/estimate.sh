# shellcheck shell=bash
# exectax estimate

estimate_usage() {
  cat <<'TEXT'
Usage: exectax estimate [options] RUN
Estimate what each monitor of a run would cost this host: count the executions and system calls that it has of its own for a
minute, and multiply them with what RUN has measured. RUN is the folder of a sweep (results/...), made on this host or on one
like it.

  --seconds N         how long to count (whole seconds, 1 to 86400, default 60). Ctrl-C ends it earlier
  --no-syscalls       count executions alone; counting costs each system call on the host some 0.1 µs
  --exec-rate R       count nothing: the host has R executions per second
  --syscall-rate R    with --exec-rate: and R system calls per second in all
  --json              JSON instead of a table: rates, counted, other_host, and a list of monitors
  --quiet             nothing but the result, warnings and errors
  --help              show this text

Executions are successful execve() and execveat() calls, not forks. Counting is done by two BPF programs and starts nothing;
it takes the lock of the host, so that no run is counted.

Figures: % of one CPU, with their 95 % intervals. docs/estimate.md says how they are made, and what is not in them.

Examples:
  exectax estimate results/20260101-120000
  exectax estimate --seconds 3600 --json results/20260101-120000
  exectax estimate --exec-rate 250 --syscall-rate 40000 results/20260101-120000

Exit status: 0 done; 1 nothing could be counted; 2 bad option, or not a run that it can be made of.
TEXT
}

estimate_main() {
  local run counted=null rates
  options_set seconds 60
  options_set no_syscalls no
  options_set exec_rate ''
  options_set syscall_rate ''
  options_set json no
  options_set quiet no
  options_read estimate seconds:,no-syscalls,exec-rate:,syscall-rate:,json,quiet options_set "$@"
  [[ ${OPTIONS[quiet]} == no ]] || log_be_quiet
  estimate_check_options
  options_check_arguments estimate 1 "one argument, the folder of a run (results/...)"
  run=$(realpath -m -- "$(options_argument 0)")
  estimate_check_run "$run"
  if [[ -n ${OPTIONS[exec_rate]} ]]; then
    rates=$(estimate_given_rates "${OPTIONS[exec_rate]}" "${OPTIONS[syscall_rate]}")
  else
    counted=$(estimate_count) || exit
    rates=$(estimate_rates "$counted")
  fi
  if [[ ${OPTIONS[json]} == yes ]]; then
    estimate_json "$run" "$rates" "$counted"
  else
    estimate_text "$run" "$rates" "$counted"
  fi
}

estimate_check_options() {
  local name
  options_check_number --seconds "${OPTIONS[seconds]}" 1 86400 "whole seconds"
  for name in exec syscall; do
    [[ -z ${OPTIONS[${name}_rate]} || ${OPTIONS[${name}_rate]} =~ ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$ ]] ||
      die_usage "--$name-rate is '${OPTIONS[${name}_rate]}', expected a number per second, such as 250 or 0.5"
  done
  [[ -n ${OPTIONS[exec_rate]} || -z ${OPTIONS[syscall_rate]} ]] || die_usage "--syscall-rate: expected with --exec-rate"
}

# hostrates' result. A run that begins meanwhile would be counted.
estimate_count() {
  local options=()
  host_require_root "exectax estimate without --exec-rate" "it counts executions with BPF programs"
  [[ -x $BUILD/hostrates ]] || die "$BUILD/hostrates is not built ('make' does, with clang and libbpf 1.0 or later); --exec-rate does without it"
  [[ ${OPTIONS[no_syscalls]} == no ]] || options=(--no-syscalls)
  host_lock "exectax estimate"
  trap host_unlock EXIT
  say "Counting what this host executes for $(progress_duration "${OPTIONS[seconds]}")."
  host_run "$BUILD/hostrates" --duration "${OPTIONS[seconds]}" "${options[@]}" || die "nothing could be counted (see above)"
}

# estimate_json RUN RATES COUNTED
estimate_json() {
  jq -n --arg run "$1" --argjson rates "$2" --argjson counted "$3" --arg other_host "$(estimate_differs "$1")" \
    --argjson monitors "$(estimate_rows "$1" "$2")" \
    '{$run, $rates, $counted, other_host: (if $other_host == "" then null else $other_host end), $monitors}'
}

# estimate_text RUN RATES COUNTED
estimate_text() {
  local differs
  [[ $3 == null ]] || estimate_counted_line "$3"
  differs=$(estimate_differs "$1")
  [[ -z $differs ]] || warn "the run was made on another host, whose microseconds may not be this one's: $differs"
  estimate_rows "$1" "$2" | estimate_table "$2"
}

# What differs from the host of RUN.
estimate_differs() {
  local cpu_model
  cpu_model=$(LC_ALL=C lscpu | sed -nE 's/^Model name: +//p' | head -n 1)
  estimate_other_host "$1" "$(uname -r)" "$cpu_model" "$(nproc --all)"
}

# estimate_counted_line COUNTED
estimate_counted_line() {
  jq -r 'def rate: . * 10 | round / 10 | tostring;
    "Counted for \(.duration_s | round) s: \(.executions.per_sec | rate) executions per second"
    + (if .executions.lowest_per_sec == null then "" else " (\(.executions.lowest_per_sec | rate) to \(.executions.highest_per_sec | rate) in single seconds)" end)
    + ", \(.forks.per_sec | rate) forks and new threads"
    + (if .syscalls == null then "" else ", \(.syscalls.per_sec | round) system calls (counting them took some \(.syscalls.per_sec * 1e-5 * 100 | round / 100) % of a CPU)" end)
    + (if .missed > 0 then "; \(.missed) runs of the counting programs were left out by the kernel" else "" end) + ".\n"' <<<"$1"
}
