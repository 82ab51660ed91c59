#!/usr/bin/env bash
# The figures against what is known: nothing at all (a monitor compared with itself), and planted costs. Prints Markdown: how many of the 95 %
# intervals hold the truth, and how wide they are. Exit status 1 if fewer hold it than chance explains; how wide they are never
# makes it fail. As root. A window takes SIDE + 13 s; each of the parts has COUNT of them for each thing that it compares, measured in turn, and
# as many cells without a monitor of 11 s. What a cost in the program makes of a launch besides what it uses itself is found first (build/planting), by 20
# starts as long as a window for each. What is there of an earlier call (OUT) is not measured again.
#
# The part `total` is COUNT runs of two passes each, of what is planted in a daemon, in another task of the machine, in a BPF program, and nowhere, at 100 µs.
#
#   COUNT=100 RATE_HZ=800 SIDE=10 PLANTED_US="5 20 100" PARTS="itself switched program daemon" NOISE_PERCENT=0 bench/accuracy.sh
#   COUNT=20 PARTS=total bench/accuracy.sh
#
# NOISE_PERCENT=33: beside stress-ng, which takes that much of each CPU in bursts of random length.
set -euo pipefail

cd "$(dirname "$0")/.."
source bench/sweep.bash

readonly COUNT=${COUNT:-100}
readonly RATE_HZ=${RATE_HZ:-800}
readonly SIDE=${SIDE:-10}
readonly PLANTED_US=${PLANTED_US:-5 20 100}
readonly PARTS=${PARTS:-itself switched program daemon}
readonly NOISE_PERCENT=${NOISE_PERCENT:-0}
OUT=$(realpath -m "${OUT:-build/accuracy}")
readonly OUT
# What a cost makes of a launch differs from one start of a load to the next.
readonly PLANT_STARTS=20
# In the part `total`; a step of a BPF program takes some tenths of a ns.
readonly TOTAL_US=100 TOTAL_BPF_STEPS=${TOTAL_BPF_STEPS:-200000}

noise_pid=
trap '[[ -z $noise_pid ]] || kill "$noise_pid"' EXIT

make_noise() {
  ((NOISE_PERCENT > 0)) || return 0
  stress-ng --quiet --cpu 0 --cpu-load "$NOISE_PERCENT" --cpu-load-slice 0 &
  noise_pid=$!
}

# double NAME OF SETTING: a monitor of that name, which is the double OF with that in its environment.
double() {
  printf 'export %q\nsource %q\n' "$3" "$PWD/bench/monitors/$2.sh" >"$OUT/monitors/$1.sh"
}

# measure PART MONITORS DURATION SIDE: COUNT cells of each of these doubles, in turn, into OUT/PART.
measure() {
  EXECTAX_MONITORS=$OUT/monitors sweep_into "$OUT/$1" --monitors "none,$2" --rates "$RATE_HZ" --reps "$COUNT" --warmup 1 --duration "$3" \
    --instrumented 0 --side "$4" --syscalls 0 >"$OUT/$1.txt"
}

# judge_windows PART MONITOR TRUTHS ERROR_US WHAT: each window S on its own. TRUTHS: {REPETITION: µs}, or what it is in all. ERROR_US: of the truth, one standard error.
judge_windows() {
  # With hundreds of launches or more, 95 % of a normal distribution is right.
  cells "$1" "$2" | jq -c --arg name "$5" --argjson truths "$3" --argjson error "$4" --argjson asked "$COUNT" '
    map(select(.side_program_us | type == "number") | .rep as $rep | {figure: .side_program_us, half: (1.96 * .side_program_error_us), launches: .side_launches}
      + {truth: ($truths | if type == "object" then .["\($rep)"] else . end)})
    | {name: $name, truth: (map(.truth) | add / length), $error, asked: $asked, intervals: length,
       held: map(select((.figure - .truth | fabs) <= (.half * .half + $error * $error * 3.84 | sqrt))) | length,
       mean: (map(.figure) | add / length), half: (map(.half) | sort | .[length / 2 | floor]), launches: (map(.launches) | sort | .[length / 2 | floor])}'
}

# judge_daemon MONITOR TRUTHS WHAT: each three repetitions together, as in a run. TRUTHS: {REPETITION: µs}.
judge_daemon() {
  # t of two degrees of freedom.
  cells daemon "$1" | jq -c --arg name "$3" --argjson truths "$2" --argjson asked $((COUNT / 3)) --argjson launches $((3 * SIDE * RATE_HZ)) '
    def mean: add / length;
    map(select(.daemon_us | type == "number") | .truth = $truths["\(.rep)"]) | [_nwise(3) | select(length == 3)
      | (map(.daemon_us) | mean) as $mean | {figure: $mean, truth: (map(.truth) | mean),
          half: (4.303 * (map(.daemon_us - $mean | . * .) | add / 6 | sqrt))}]
    | {name: $name, truth: (map(.truth) | mean), error: 0, asked: $asked, intervals: length, held: map(select((.figure - .truth | fabs) <= .half)) | length,
       mean: (map(.figure) | mean), half: (map(.half) | sort | .[length / 2 | floor]), $launches}'
}

# A monitor compared with itself.
itself() {
  cp bench/monitors/{none,auditd-raw}-sham.sh "$OUT/monitors"
  measure itself none-sham,auditd-raw-sham 1 "$SIDE"
  judge_windows itself none-sham 0 0 "none with itself"
  judge_windows itself auditd-raw-sham 0 0 "auditd-raw with itself"
}

# One that is switched, and stays on.
switched() {
  cp bench/monitors/acct-sham.sh "$OUT/monitors"
  measure switched acct-sham 1 "$SIDE"
  judge_windows switched acct-sham 0 0 "acct with itself"
}

# plant US: into OUT/planted-US, a line for each start: what it makes of a launch, the error of that, and what it is by the program's own clock.
plant() {
  local -i start
  [[ ! -s $OUT/planted-$1 ]] || return 0
  for ((start = 0; start < PLANT_STARTS; start++)); do
    build/planting build/planted "$1" "$RATE_HZ" $((SIDE * RATE_HZ))
  done >"$OUT/planted.new"
  mv "$OUT/planted.new" "$OUT/planted-$1"
}

# planted_around US: what launches were found to cost besides what they use by their own clocks, and one standard error of that in a single window: what
# starts differ by beyond their own errors is in it.
planted_around() {
  jq -Rnr '
    [inputs | split(" ") | map(tonumber)] | length as $n | (map(.[0] - .[2]) | add / $n) as $mean
    | (map(.[0] - .[2] - $mean | . * .) | add / ($n - 1)) as $scatter | (map(.[1] * .[1]) | add / $n) as $own
    | "\($mean) \([$scatter - $own, 0] | max + $scatter / $n | sqrt)"' "$OUT/planted-$1"
}

# planted_truths US AROUND: {REPETITION: µs}: in each window S, what the launches used by their own clocks, and what else they were found to cost.
planted_truths() {
  local folder
  for folder in "$OUT/program/monitors/planted-$1"/*; do
    # Launches and ns of those left alone and the others, when the window begins, in its middle, and at its end.
    jq -cs --arg folder "${folder##*/}" --argjson around "$2" '
      [range(4) as $i | .[-4 + $i] - .[$i]] as [$alone, $watched, $alone_ns, $watched_ns]
      | {($folder | sub("-.*"; "")): (($watched_ns / $watched - $alone_ns / $alone) / 1000 + $around)}' "$folder/burnt.txt"
  done | jq -cs add
}

# The launched program costs more than /bin/true.
program() {
  local us around error monitors=
  for us in $PLANTED_US; do
    plant "$us"
    double "planted-$us" planted "EXECTAX_PLANTED_US=$us"
    monitors+=,planted-$us
  done
  # Until a monitor says otherwise.
  echo "0 0" >build/planted.plan
  truncate -s 32 build/planted.burnt
  EXECTAX_COMMAND=$PWD/build/planted measure program "${monitors#,}" 1 "$SIDE"
  for us in $PLANTED_US; do
    read -r around error <<<"$(planted_around "$us")"
    judge_windows program "planted-$us" "$(planted_truths "$us" "$around")" "$error" "$us µs in the program"
  done
}

# daemon_truths PART MONITOR: {REPETITION: µs a launch}, what the daemon used by its own clock in each window A. It uses CPU right before each line that it
# writes, and rests before that.
daemon_truths() {
  local folder rep window
  for folder in "$OUT/$1/monitors/$2"/*; do
    rep=${folder##*/}
    rep=${rep%%-*}
    window=$OUT/$1/cells/$2/$RATE_HZ-$rep/window-a.csv
    [[ -s $window ]] || continue
    LC_ALL=C awk -F '[ ,]' -v rep="$rep" -v rate="$RATE_HZ" '
      function used_at(now, i, used) {
        for (i = 1; i < lines && at[i] <= now; i++);
        used = used_by[i] - (at[i] - now)
        return used > used_by[i - 1] ? used : used_by[i - 1]
      }
      FNR == NR && $3 == "monotonic" { from = from == "" ? $4 : from; to = $4 }
      FNR != NR { at[++lines] = $1; used_by[lines] = $2 }
      END { printf "{\"%d\": %.4f}\n", rep, (used_at(to) - used_at(from)) / (to - from) * 1e6 / rate }' "$window" "$folder/used.txt"
  done | jq -cs add
}

# A daemon that uses as much for each launch.
daemon() {
  local us monitors=
  for us in $PLANTED_US; do
    double "planted-daemon-$us" planted-daemon "EXECTAX_PLANTED_PERCENT=$(jq -n "$us * $RATE_HZ / 10000")"
    monitors+=,planted-daemon-$us
  done
  measure daemon "${monitors#,}" "$SIDE" 0
  for us in $PLANTED_US; do
    judge_daemon "planted-daemon-$us" "$(daemon_truths daemon "planted-daemon-$us")" "$us µs in the daemon"
  done
}

# total_runs: COUNT runs of two passes each, as folders of their own, made of one long one.
total_runs() {
  local folder
  local -i run
  for ((run = 1; run <= COUNT; run++)); do
    folder=$OUT/total-runs/$run
    mkdir -p "$folder"
    cp "$OUT/total/manifest.json" "$folder"
    ln -sfn "$OUT/total/cells" "$folder/cells"
    awk -F, -v last=$((2 * run)) 'NR == 1 || $2 == last || $2 == last - 1' "$OUT/total/plan.csv" >"$folder/plan.csv"
    build/figures "$folder"
  done
}

# judge_total MONITOR TRUTHS COLUMN WHAT: a figure of each run. TRUTHS: {PASS: µs}, or what it is in all.
judge_total() {
  local -i run
  for ((run = 1; run <= COUNT; run++)); do
    mlr --icsv --ojson filter "\$test == \"$1\"" "$OUT/total-runs/$run/perf.csv" |
      jq -c --argjson truths "$2" --arg column "$3" --argjson last $((2 * run)) '.[] | {figure: .[$column], low: .["\($column)_low"], high: .["\($column)_high"],
        truth: ($truths | if type == "object" then (.["\($last)"] + .["\($last - 1)"]) / 2 else . end)}'
  done | jq -cs --arg name "$4" --argjson asked "$COUNT" --argjson launches $((2 * SIDE * RATE_HZ)) '
    map(select((.low | type == "number") and (.truth | type == "number")))
    | {name: $name, truth: (map(.truth) | add / length), error: 0, $asked, intervals: length, held: map(select(.low <= .truth and .truth <= .high)) | length,
       mean: (map(.figure) | add / length), half: (map((.high - .low) / 2) | sort | .[length / 2 | floor]), $launches}'
}

# The total, and the part that it is in. What a BPF program takes is told by window S, in which it is switched: by the CPU time of the launched programs alone.
total() {
  local percent bpf
  percent=$(jq -n "$TOTAL_US * $RATE_HZ / 10000")
  cp bench/monitors/none-sham.sh "$OUT/monitors"
  double planted-daemon planted-daemon "EXECTAX_PLANTED_PERCENT=$percent"
  double planted-elsewhere planted-elsewhere "EXECTAX_PLANTED_PERCENT=$percent"
  double planted-bpf bpf-long "EXECTAX_STEPS=$TOTAL_BPF_STEPS"
  EXECTAX_MONITORS=$OUT/monitors sweep_into "$OUT/total" --monitors none,none-sham,planted-daemon,planted-elsewhere,planted-bpf --rates "$RATE_HZ" --reps $((2 * COUNT)) --warmup 1 \
    --duration "$SIDE" --instrumented 0 --side "$SIDE" --syscalls 0 >"$OUT/total.txt"
  total_runs
  bpf=$(cells total planted-bpf | jq '[.[] | .side_program_us + .side_parent_us | numbers] | add / length')
  judge_total none-sham 0 total_us "nothing, total"
  judge_total planted-daemon "$(daemon_truths total planted-daemon)" total_us "$TOTAL_US µs in the daemon, total"
  judge_total planted-daemon "$(daemon_truths total planted-daemon)" daemon_us "$TOTAL_US µs in the daemon, daemon"
  judge_total planted-elsewhere "$(daemon_truths total planted-elsewhere)" total_us "$TOTAL_US µs in another task, total"
  judge_total planted-elsewhere "$(daemon_truths total planted-elsewhere)" elsewhere_us "$TOTAL_US µs in another task, elsewhere"
  judge_total planted-bpf "$bpf" total_us "a BPF program, total"
}

# cells NAME MONITOR: JSON.
cells() {
  mlr --icsv --ojson filter "\$test == \"$2\"" "$OUT/$1/cells.csv"
}

# The table, of objects on stdin; 1 if a row holds the truth less often than once in a hundred by chance, or has figures for
# fewer than three quarters of its windows.
table() {
  jq -rs '
    def two: . * 100 | round / 100;
    # How many of n intervals may miss the truth.
    def allowed($n): reduce range($n + 1) as $i ({term: pow(0.95; $n), sum: 0, allowed: null};
        .sum += .term | .term *= ($n - $i) / ($i + 1) * 0.05 / 0.95
        | if .allowed == null and 1 - .sum < 0.0125 then .allowed = $i else . end) | .allowed;
    map(.allowed = allowed(.intervals) | .well = (.intervals - .held <= .allowed and .intervals * 4 >= .asked * 3))
    | "| compared | truth, µs | intervals | of which hold it | may miss it by chance | mean, µs | half an interval (median), µs | launches in one |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
      (.[] | "| \(.name) | \(.truth | two)\(if .error > 0 then " ± \(1.96 * .error | two)" else "" end) | \(.intervals) of \(.asked) | \(.held) | \(.allowed) | \(.mean | two) | \(.half | two) | \(.launches) |"),
      (if all(.well) then empty else "\nToo few hold the truth: \(map(select(.well | not).name) | join(", "))" | halt_error(1) end)'
}

main() {
  local part
  for part in $PARTS; do
    [[ $part =~ ^(itself|switched|program|daemon|total)$ ]] || {
      echo "accuracy.sh: PARTS: got '$part', expected itself, switched, program, daemon or total" >&2
      exit 2
    }
  done
  mkdir -p "$OUT/monitors"
  make_noise
  for part in $PARTS; do
    "$part"
  done >"$OUT/rows"
  table <"$OUT/rows"
}

main
