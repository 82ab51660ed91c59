#!/usr/bin/env bash
# What it does to window A where a hypervisor has placed the CPUs of a guest: how much more CPU time an execution would take if CPUs shared a core, or had no cache in common, all
# the time, in the daemon and in the launched program with what it pays in-band, in % of the mean ± one standard error. Cells of a monitor at a rate are compared with each other: a straight line
# through what deviates from their mean, by shared_cores and far_cores, the same for all monitors and rates of which the figure is 20 µs or more. The error is a jackknife's, which
# leaves out one monitor and rate at a time. It has no figure from window S, which leaves launches from such times out. Prints Markdown.
#
#   RUN=results/NAME bench/cores-cells.sh
set -euo pipefail

readonly RUN=${RUN:-}
readonly LEAST_US=20

[[ -s $RUN/cells.csv ]] || {
  echo "cores-cells.sh: RUN '$RUN': expected the folder of a run with cells.csv" >&2
  exit 2
}

# slopes FIGURE [PER]: a line of the table; of FIGURE as a share of PER, of the same monitors and rates.
slopes() {
  mlr --icsv --ocsv --headerless-csv-output cut -o -f "status,test,exec_per_sec,shared_cores,far_cores,$1${2:+,$2}" "$RUN/cells.csv" | awk -F, -v name="\`$1\`${2:+ / \`$2\`}" -v least="$LEAST_US" '
    function add(row, sign,    i) { for (i = 1; i <= 5; i++) total[i] += sign * sums[row, i] }
    function solve(    determinant) {
      determinant = total[1] * total[2] - total[3] * total[3]
      if (determinant <= 0) return 0
      shared = (total[4] * total[2] - total[5] * total[3]) / determinant
      far = (total[5] * total[1] - total[4] * total[3]) / determinant
      return 1
    }
    { per = NF == 7 ? $7 : 1 }
    $1 == "ok" && $2 != "none" && $4 != "" && $6 != "" && per > 0 {
      row = $2 "," $3
      i = ++count[row]
      of_shared[row, i] = $4 / 100
      of_far[row, i] = $5 / 100
      value[row, i] = $6 / per
      sum[row] += $6 / per
      sum_us[row] += $6
    }
    END {
      for (row in count) {
        n = count[row]
        if (n < 2 || sum_us[row] / n < least) continue
        mean_shared = mean_far = 0
        for (i = 1; i <= n; i++) {
          mean_shared += of_shared[row, i] / n
          mean_far += of_far[row, i] / n
        }
        for (i = 1; i <= n; i++) {
          x = of_shared[row, i] - mean_shared
          z = of_far[row, i] - mean_far
          y = value[row, i] * n / sum[row] - 1
          sums[row, 1] += x * x; sums[row, 2] += z * z; sums[row, 3] += x * z
          sums[row, 4] += x * y; sums[row, 5] += z * y
        }
        used[row] = 1
        rows++
        cells += n
        add(row, 1)
      }
      if (!solve()) {
        printf "| %s | – | – | %d | %d |\n", name, cells, rows
        exit
      }
      all_shared = shared
      all_far = far
      for (row in used) {
        add(row, -1)
        solve()
        add(row, 1)
        shared_squares += (shared - all_shared) ^ 2
        far_squares += (far - all_far) ^ 2
      }
      line = sprintf("| %s | %+.0f ± %.0f %% | %+.0f ± %.0f %% | %d | %d |", name, 100 * all_shared, 100 * sqrt(shared_squares * (rows - 1) / rows),
        100 * all_far, 100 * sqrt(far_squares * (rows - 1) / rows), cells, rows)
      gsub(/-/, "−", line)
      print line
    }'
}

echo "| figure | CPUs on one core | CPUs without a common cache | cells | rows of a monitor at a rate |"
echo "| --- | ---: | ---: | ---: | ---: |"
slopes daemon_us
slopes child_cpu_mean_us
slopes daemon_us execution_us
