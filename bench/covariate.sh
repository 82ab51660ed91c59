#!/usr/bin/env bash
# Does it help to know how fast memory is? Cells of `none`, one after the other, with a small probe of memory and page faults beside them
# (bench/memoryprobe.c). Each cell is predicted from the others as the baseline is, and, besides, from what the probe says of it. What the
# probe is worth is fitted on one half of the cells and tested on the other. Prints Markdown; what it finds never makes it fail. As root. Takes
# COUNT times 8 s.
#
#   COUNT=100 RATE_HZ=800 bench/covariate.sh
set -euo pipefail

cd "$(dirname "$0")/.."

readonly COUNT=${COUNT:-100}
readonly RATE_HZ=${RATE_HZ:-800}
readonly OUT=${OUT:-build/covariate}

probe=
trap '[[ -z $probe ]] || kill "$probe"' EXIT

# Of each cell: its number, what is to be predicted, and the means of the probe's two readings in its window A.
table() {
  local cell
  mlr --icsv --onidx --ofs ' ' filter "\$status == \"ok\" && \$marks !=~ \"steal\"" 'then' cut -o -f cell,rep,host_busy_us,child_cpu_mean_us "$OUT/run/cells.csv" |
    while read -r cell rep busy child; do
      awk -F, -v cell="$cell" -v busy="$busy" -v child="$child" '
        FNR == NR { if ($2 == "clock" && $3 == "monotonic") { if (from == "") from = $4; to = $4 } next }
        $1 >= from && $1 <= to { walk += $2; faults += $3; n++ }
        END { if (n) print cell, busy, child, walk / n, faults / n }' "$OUT/run/cells/none/$RATE_HZ-$rep/window-a.csv" "$OUT/probe.csv"
    done
}

[[ -e $OUT/run/manifest.json ]] || {
  mkdir -p "$OUT"
  build/memoryprobe >"$OUT/probe.csv" &
  probe=$!
  ./exectax sweep --yes --monitors none --rates "$RATE_HZ" --reps "$COUNT" --warmup 1 --duration 3 --instrumented 0 --side 0 --syscalls 0 \
    --out "$OUT/run" >/dev/null
  kill "$probe"
  probe=
}

table | sort -n | awk -v rate="$RATE_HZ" '
  { n++; at[n] = $1; y["whole machine", n] = $2; y["launched program", n] = $3; x[1, n] = $4; x[2, n] = $5 }

  # Of value[prefix, i], less the mean of the others, in which nearer cells count more, as in the baseline.
  function above(value, prefix, i, j, weight, sum, weights) {
    for (j = 1; j <= n; j++) {
      if (j == i) continue
      weight = exp(-(at[i] > at[j] ? at[i] - at[j] : at[j] - at[i]) / 20)
      sum += weight * value[prefix, j]
      weights += weight
    }
    return value[prefix, i] - sum / weights
  }

  # slope[1], slope[2]: least squares over the cells of one half (1, 2), with the readings that are used.
  function fit(half, use1, use2, i, aa, ab, bb, ay, by, det) {
    for (i = 1; i <= n; i++) {
      if ((i <= n / 2) != (half == 1)) continue
      aa += d[1, i] * d[1, i]; ab += d[1, i] * d[2, i]; bb += d[2, i] * d[2, i]
      ay += d[1, i] * r[i]; by += d[2, i] * r[i]
    }
    slope[1] = slope[2] = 0
    if (use1 && use2) {
      det = aa * bb - ab * ab
      slope[1] = (ay * bb - by * ab) / det
      slope[2] = (by * aa - ay * ab) / det
    } else if (use1) slope[1] = ay / aa
    else if (use2) slope[2] = by / bb
  }

  # How far off the prediction is, by root mean square, over the half that it was not fitted to, both ways round.
  function miss(use1, use2, half, i, e, sum) {
    for (half = 1; half <= 2; half++) {
      fit(half, use1, use2)
      for (i = 1; i <= n; i++)
        if ((i <= n / 2) != (half == 1)) {
          e = r[i] - slope[1] * d[1, i] - slope[2] * d[2, i]
          sum += e * e
        }
    }
    return sqrt(sum / n)
  }

  END {
    if (n < 10) { print "fewer than 10 cells are left" >"/dev/stderr"; exit 1 }
    printf "%d cells of none at %d/s; off by (root mean square, µs per execution), on cells that the probe was not fitted to:\n\n", n, rate
    print "| CPU time of | without the probe | with the walk | with page faults | with both |"
    print "| --- | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= n; i++) { d[1, i] = above(x, 1, i); d[2, i] = above(x, 2, i) }
    split("whole machine,launched program", what, ",")
    for (k = 1; k <= 2; k++) {
      for (i = 1; i <= n; i++) r[i] = above(y, what[k], i)
      printf "| %s | %.1f | %.1f | %.1f | %.1f |\n", what[k], miss(0, 0), miss(1, 0), miss(0, 1), miss(1, 1)
    }
  }'
