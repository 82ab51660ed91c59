#!/usr/bin/env bash
# How long `exectax report` takes over many hosts, and how large the page is. The runs are made up: MONITORS at five rates on each. Timing never makes it fail.
#
#   HOSTS=200 MONITORS=20 bench/fleet.sh

set -euo pipefail

cd "$(dirname "$0")/.."

readonly HOSTS=${HOSTS:-200}
readonly MONITORS=${MONITORS:-20}

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT

# make_run FOLDER NUMBER: with all the columns that a run has.
make_run() {
  mkdir -p "$1"
  printf '{"kind": "sweep", "state": "complete", "exectax": "bench", "options": {"reps": 3, "duration_s": 3}, "host": {"os": "OS %d", "kernel": "6.%d", "cpus": 2, "cpu_model": "CPU", "hostname": "h"}}\n' \
    "$(($2 % 3))" "$(($2 % 5))" >"$1/manifest.json"
  echo cell,rep,monitor,rate,turn >"$1/plan.csv"
  awk -F, -v seed="$2" -v monitors="$MONITORS" -v header="$header" -v differences="$1/differences.csv" '
    BEGIN {
      srand(seed)
      columns = split(header, name, ",")
      print header
      print "test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high" >differences
      for (r = 1; r <= 5; r++)
        for (m = 0; m <= monitors; m++) {
          test = m ? sprintf("monitor%02d", m) : "none"
          value[m] = m * 5 + rand() * 10
          for (i = 1; i <= columns; i++) {
            field = sprintf("%.3f", value[m] + (name[i] ~ /_low$/ ? -3 : name[i] ~ /_high$/ ? 3 : 0))
            if (name[i] == "test") field = test
            else if (name[i] == "exec_per_sec") field = 100 * 2 ^ (r - 1)
            else if (name[i] == "inprogram_method") field = "side-by-side"
            else if (name[i] == "saturated") field = "false"
            else if (name[i] == "counted_overhead_degrees") field = 4
            else if (name[i] == "status") field = "ok"
            else if (name[i] == "reason") field = ""
            printf "%s%s", field, i < columns ? "," : "\n"
          }
          for (other = 1; other < m; other++)
            for (f = 1; f <= 2; f++)
              printf "monitor%02d,%s,%d,%s,%.3f,%.3f,%.3f\n", other, test, 100 * 2 ^ (r - 1), f == 1 ? "cpu" : "counted_us", value[other] - value[m], value[other] - value[m] - 4, value[other] - value[m] + 4 >differences
        }
    }' >"$1/perf.csv"
}

main() {
  local host seconds cpu_seconds memory_mib
  mkdir "$work/empty"
  printf '{"kind": "sweep"}\n' >"$work/empty/manifest.json"
  echo cell,rep,monitor,rate,turn >"$work/empty/plan.csv"
  build/figures "$work/empty"
  header=$(head -n 1 "$work/empty/perf.csv")
  for ((host = 1; host <= HOSTS; host++)); do
    make_run "$work/fleet/host$host" "$host"
  done
  printf '%s CPUs, Linux %s; %s hosts, %s monitors at 5 rates on each; load before: %s\n' "$(nproc)" "$(uname -r)" "$HOSTS" "$MONITORS" "$(cut -d' ' -f1-3 /proc/loadavg)"
  read -r seconds cpu_seconds memory_mib <<<"$(build/manycells measure ./exectax report "$work/fleet" | tail -n 1)"
  printf 'exectax report: %s s, %s s of CPU, peak memory %s MiB; report.html: %s bytes, hosts.svg: %s bytes\n' \
    "$seconds" "$cpu_seconds" "$memory_mib" "$(stat -c %s "$work/fleet/report.html")" "$(stat -c %s "$work/fleet/hosts.svg")"
}

main "$@"
