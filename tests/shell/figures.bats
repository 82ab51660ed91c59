#!/usr/bin/env bats
# build/figures on small runs that are written by hand.

bats_require_minimum_version 1.5.0

load cells

setup() {
  FIGURES=$BATS_TEST_DIRNAME/../../build/figures
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN"
  echo '{"kind": "sweep", "run_tag": "xtag", "skipped": {"gone": "not here, not now"},
    "options": {"reps": 3, "duration_s": 2, "instrumented_s": 2}}' >"$RUN/manifest.json"
  echo "cell,rep,monitor,rate,turn" >"$RUN/plan.csv"
  CELL=0
}

# figures: of RUN, without a word, unless something is wrong.
figures() {
  run --separate-stderr "$FIGURES" "$RUN"
  echo "$stderr"
  [ "$status" -eq 0 ]
  [ -z "$output$stderr" ]
}

# value FILE MONITOR RATE COLUMNS [REP]
value() {
  mlr --icsv --onidx --ofs ' ' filter '$test == "'"$2"'" && $exec_per_sec == "'"$3"'"'"${5:+ && \$rep == $5}" then cut -o -f "$4" "$RUN/$1"
}

@test "a cell's figures" {
  STEAL_NS=200000000 cell auditd 100 1 4.00 19
  figures
  # No baseline, no eBPF: the CPU of what was there.
  [ "$(value cells.csv auditd 100 cpu,daemon_cpu,services_cpu)" = "5.5 4 1.5" ]
  [ "$(value cells.csv auditd 100 pidstat_daemon,pidstat_services)" = "4 1.5" ]
  # 8 launches start in the 2 s of window A.
  [ "$(value cells.csv auditd 100 achieved_per_sec)" = 4 ]
  # 80 ms of 8 launches; of the 900 ms of all tasks, 760 are no one's.
  [ "$(value cells.csv auditd 100 daemon_us,services_us,child_cpu_mean_us,parent_cpu_us)" = "10000 3750 2000 500" ]
  [ "$(value cells.csv auditd 100 host_busy_us,steal_us,other_tasks_us,outside_tasks_us)" = "123750 25000 95000 12500" ]
  [ "$(value cells.csv auditd 100 launched,recorded,lost,loss_counters)" = "20 19 1 kernel=2" ]
  # 5 s of load from 0.8 s on, the last record seen at 7.05 s.
  [ "$(value cells.csv auditd 100 behind_s)" = 1.25 ]
  [ "$(value cells.csv auditd 100 host_busy,host_steal,sampler_cpu,marks)" = "50 10 0.5 steal" ]
  [ "$(value cells.csv auditd 100 memory_peak_bytes,log_bytes)" = "12288 1000" ]
  [ "$(value cells.csv auditd 100 lateness_p50_us,lateness_p99_us,spawn_to_exit_p50_us)" = "50.5 90 3000" ]
  [ "$(value cells.csv auditd 100 delivery_p50_ms,delivery_p99_ms,delivery_max_ms)" = "5 20 20" ]
  [ -z "$(value cells.csv auditd 100 total_us)$(value cells.csv auditd 100 bpf_us)" ]
}

@test "the parts add up to the total, against the baseline of the same rate" {
  # Per execution: child 2000 and 2300 us, launcher 500 and 600, host 1000 - 10 and 1200 - 10 ms of 8.
  cell none 100 1 0.00 ""
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  CHILD_US=9999 LOAD_NS=90000000 BUSY_NS=9000000000 cell none 50 1 0.00 ""
  figures
  # kauditd does the same without the monitor, so it is no part of the cost. What program and parent take more is not divided: only the
  # baseline tells of it.
  [ "$(value cells.csv auditd 100 daemon_us,services_us,elsewhere_us,program_us,parent_us,inprogram_us,total_us)" = "10000 0 14600 300 100 400 25000" ]
  [ -z "$(value cells.csv auditd 100 slowed_us)" ]
  [ "$(value cells.csv auditd 100 other_us,no_task_us)" = "-10400 25000" ]
  # 4 executions a second of 400 us.
  [ "$(value cells.csv auditd 100 inprogram_cpu,total_cpu)" = "0.16 10" ]
  [ "$(value perf.csv auditd 100 total_us,elsewhere_us)" = "25000 14600" ]
  # Side by side, 43 of the 400 are the monitor's work.
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"], "side": "groups"}' >"$RUN/cells/auditd/100-1/before.json"
  side "$RUN/cells/auditd/100-1" "" "xtags.2"
  figures
  [ "$(value perf.csv auditd 100 daemon_us,services_us,elsewhere_us,inprogram_us,slowed_us,total_us)" = "10000 0 14600 43 357 25000" ]
  [ "$(value perf.csv auditd 100 counted_us)" = 10043 ]
  # Of the 2500 that an execution costs without a monitor, and of the 2857 that it takes beside it.
  [ "$(value perf.csv auditd 100 total_overhead,counted_overhead)" = "1000 351.523" ]
}

@test "what is done besides executing is not the parent's" {
  cell none 100 1 0.00 ""
  LOAD_NS=22000000 cell auditd 100 1 4.00 20
  # 400 µs a second: 100 of an execution, of which there are 8 in the 2 s of window A.
  echo '{"launched": 20, "covered_s": 5, "self_cpu_us_per_launch": 100}' >"$RUN/cells/auditd/100-1/mix.json"
  figures
  [ "$(value cells.csv auditd 100 parent_cpu_us,parent_us)" = "650 150" ]
}

@test "parts are means of the same cells: one that lacks a part is in none of them" {
  local i
  for i in 1 2 3; do
    cell none 100 "$i" 0.00 ""
    CHILD_US=$((2300 + i)) LOAD_NS=23200000 BUSY_NS=$((1200000000 + i * i * 1000000)) cell auditd 100 "$i" "$((i * i)).00" 20
    echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"], "side": "groups"}' >"$RUN/cells/auditd/100-$i/before.json"
    side "$RUN/cells/auditd/100-$i" "" "xtags.$((2 * i))"
  done
  side "$RUN/cells/auditd/100-2" "the monitor died" "xtags.4"
  figures
  mlr --icsv --onidx filter '$test == "auditd"' then put '
    $sum = $daemon_us + $services_us + $elsewhere_us + $inprogram_us + $slowed_us; $same = abs($sum - $total_us) < 0.01' then cut -f same "$RUN/perf.csv" | grep -qx true
  # The mean of the first and the third.
  [ "$(value perf.csv auditd 100 daemon_us,reps)" = "12500 3" ]
}

@test "a machine without idle time does not tell what a monitor adds: no total, and no rank" {
  local i
  for i in 1 2; do
    BUSY_NS=3900000000 cell none 100 "$i" 0.00 ""
    BUSY_NS=3900000000 cell auditd 100 "$i" 4.00 20
  done
  figures
  [ "$(value cells.csv auditd 100 marks 1)" = no-idle-time ]
  [ -z "$(value perf.csv auditd 100 total_us)$(value perf.csv auditd 100 elsewhere_us)" ]
  [ "$(value perf.csv auditd 100 daemon_us)" = 10000 ]
  grep -qx 'auditd,100,,,the host had no idle time: how much more it is busy does not tell the total' "$RUN/ranks.csv"
}

@test "ranks: by the total, shared where no difference is significant; references, losses and saturated hosts apart" {
  local i
  jq '.references = ["floor"]' "$RUN/manifest.json" >"$RUN/new" && mv "$RUN/new" "$RUN/manifest.json"
  for i in 1 2 3; do
    BUSY_NS=$((1000000000 + i * 100000)) cell none 100 "$i" 0.00 ""
    BUSY_NS=$((1100000000 + i * 100000)) cell cheap 100 "$i" 1.00 20
    BUSY_NS=$((1300000000 + i * 9000000)) cell dear 100 "$i" 4.00 20
    BUSY_NS=$((1310000000 + i * 6000000)) cell dearer 100 "$i" 4.00 20
    BUSY_NS=$((1200000000 + i * 100000)) cell floor 100 "$i" 4.00 20
    BUSY_NS=$((1200000000 + i * 100000)) cell lossy 100 "$i" 4.00 19
  done
  figures
  diff - "$RUN/ranks.csv" <<'TEXT'
test,exec_per_sec,best,worst,apart
cheap,100,1,1,
dear,100,2,3,
dearer,100,2,3,
floor,100,,,"a reference, not a product"
lossy,100,,,lost 5 % of the executions
TEXT
  # Of 10 pairs, the largest p is 1 at most.
  [ "$(mlr --icsv --onidx filter '$figure == "total_us" && $p > 1' then count "$RUN/differences.csv")" -eq 0 ]
}

@test "what an execution adds to what the monitor takes at rest" {
  at_rest() {
    cell "$1" 0 1 "$2" ""
  }
  cell none 100 1 0.00 ""
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  BUSY_NS=100000000 at_rest none 0.00
  BUSY_NS=140000000 at_rest auditd 1.00
  figures
  # 2 % of a CPU at rest, 10 at 4 executions a second.
  [ "$(value perf.csv auditd 0 total_cpu)" = 2 ]
  [ "$(value perf.csv auditd 100 marginal_us)" = 20000 ]
  [ -z "$(value perf.csv none 100 marginal_us)" ]
}

@test "what it costs, in percent of an execution without a monitor" {
  cell none 100 1 0.00 ""
  cell none 100 2 0.00 ""
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 2 5.00 20
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 3 4.50 20
  figures
  # The program 2000 and execrate 500 us without; daemon 11250, in-band 300, launcher 100, host 25000 us more.
  [ "$(value cells.csv auditd 100 baseline_us 1)" = 2500 ]
  [ "$(value perf.csv auditd 100 inprogram_overhead,services_overhead,counted_overhead,total_overhead)" = "16 0 466 1000" ]
  # R: 450 -+ qt(0.975, 2) * 50 / sqrt(3).
  [ "$(value perf.csv auditd 100 daemon_overhead,daemon_overhead_low,daemon_overhead_high)" = "450 325.793 574.207" ]
  # Three cells, and a baseline that does not scatter.
  [ "$(value perf.csv auditd 100 counted_overhead_degrees)" = 2 ]
  [ "$(value perf.csv none 100 baseline_us,total_overhead)" = "2500 0" ]
}

@test "no baseline, no share" {
  cell auditd 100 1 4.00 20
  cell auditd 100 2 5.00 20
  figures
  [ "$(value perf.csv auditd 100 daemon_us)" = 11250 ]
  [ -z "$(value perf.csv auditd 100 baseline_us)$(value perf.csv auditd 100 daemon_overhead)$(value perf.csv auditd 100 daemon_overhead_low)" ]
}

@test "perf.csv begins with the columns that published comparisons have, and every mean has its interval behind it" {
  cell auditd 100 1 9.00 20
  figures
  [[ $(head -n 1 "$RUN/perf.csv") == test,exec_per_sec,cpu,cpu_low,cpu_high,cpu_lowest,cpu_highest,reps,achieved_per_sec,achieved_per_sec_low,* ]]
  [[ $(head -n 1 "$RUN/perf.csv") == *,status,reason ]]
  [[ $(head -n 1 "$RUN/perf.csv") == *,counted_us,counted_us_low,counted_us_high,counted_us_lowest,counted_us_highest,counted_overhead,counted_overhead_low,counted_overhead_high,counted_overhead_degrees,daemon_us,* ]]
}

@test "a row is the mean of the repetitions with its 95 % interval, losses are summed" {
  cell auditd 100 1 9.00 20
  cell auditd 100 2 2.00 17
  cell auditd 100 3 3.00 19
  figures
  # R: t.test(c(10.5, 3.5, 4.5))$conf.int.
  [ "$(value perf.csv auditd 100 cpu,cpu_low,cpu_high)" = "6.167 -3.238 15.571" ]
  [ "$(value perf.csv auditd 100 cpu_lowest,cpu_highest,reps)" = "3.5 10.5 3" ]
  [ "$(value perf.csv auditd 100 launched,recorded,lost,loss_counters)" = "60 56 4 kernel=6" ]
  [ "$(value perf.csv auditd 100 delivery_max_ms)" = 20 ]
  # The largest of all.
  printf 'seq,time_real_ns\n9,3095000000\n' | gzip >"$RUN/cells/auditd/100-2/delivery.csv.gz"
  figures
  [ "$(value perf.csv auditd 100 delivery_max_ms)" = 45 ]
}

@test "one cell has an interval from how those of the baseline scatter" {
  cell none 100 1 0.00 ""
  CHILD_US=2100 LOAD_NS=20800000 cell none 100 1.2 0.00 ""
  cell auditd 100 1 9.00 20
  cell falco 100 1 7.00 20
  figures
  # 2500 and 2600 µs without a monitor: a relative variance of 5000 / 2550^2, with 1 / (1 + 1 / 10) degrees of freedom. R:
  # qt(0.975, 10 / 11) * sqrt(5000) / 2550 * (2550 + 22500).
  value perf.csv auditd 100 daemon_us,daemon_us_low,daemon_us_high | awk '{ good = $1 == 22500 && ($3 - $1 - 11211.143) ^ 2 < 1 && ($1 - $2 - 11211.143) ^ 2 < 1 } END { exit !good }'
  [ -n "$(value perf.csv auditd 100 counted_overhead_low)" ]
  [ "$(value perf.csv auditd 100 reps)" = 1 ]
  # What is no CPU time has none.
  [ -z "$(value perf.csv auditd 100 memory_peak_bytes_low)" ]
  grep -q '^auditd,falco,100,counted_us,5000,' "$RUN/differences.csv"
}

@test "one cell without a baseline has no interval" {
  cell auditd 100 1 9.00 20
  figures
  [ "$(value perf.csv auditd 100 cpu,reps)" = "10.5 1" ]
  [ -z "$(value perf.csv auditd 100 cpu_low)$(value perf.csv auditd 100 cpu_high)" ]
}

@test "monitors are compared with each other at each rate" {
  local i
  for i in 1 2 3; do
    cell none 100 "$i" 0.00 ""
    cell auditd 100 "$i" "$i.00" 20
    cell falco 100 "$i" "$((i + 4)).00" 20
  done
  figures
  # R: t.test(1:3, 5:7)$conf.int.
  grep -qx 'auditd,falco,100,cpu,-4,-6.267,-1.733,0.00805,true' "$RUN/differences.csv"
  [ "$(grep -c none "$RUN/differences.csv")" -eq 0 ]
  # At another rate they are others.
  for i in 1 2; do
    cell laurel 200 "$i" "$i.00" 20
  done
  figures
  [ "$(cut -d, -f1,2 "$RUN/differences.csv" | sort -u | paste -sd ' ')" = "auditd,falco test_a,test_b" ]
}

@test "precision.csv is of runs that go on until all is known, and of no others" {
  local i
  for i in 1 2 3; do
    cell none 100 "$i" 0.00 ""
    cell auditd 100 "$i" "$i.00" 20
  done
  figures
  [ ! -e "$RUN/precision.csv" ]
  jq '.options.precision_percent = 7' "$RUN/manifest.json" >"$RUN/manifest"
  mv "$RUN/manifest" "$RUN/manifest.json"
  figures
  read -r counted low high <<<"$(value perf.csv auditd 100 counted_us,counted_us_low,counted_us_high)"
  awk -F, -v counted="$counted" -v half="$(jq -n "($high - $low) / 2")" 'NR == 2 { good = $1 == "auditd" && $2 == 100 && $3 == counted && ($4 - half) ^ 2 < 1e-5 \
    && ($5 - 0.07 * counted) ^ 2 < 1e-5 && $6 == "false" && NF == 6 } END { exit !(good && NR == 2) }' "$RUN/precision.csv"
}

# difference_reach FIGURE: of auditd and falco, half the width of its interval.
difference_reach() {
  awk -F, -v figure="$1" '$1 == "auditd" && $2 == "falco" && $4 == figure { printf "%.2f\n", ($7 - $6) / 2 }' "$RUN/differences.csv"
}

@test "the error of the baseline cancels out between monitors that had the same taken off, and not otherwise" {
  cell none 100 1 0.00 ""
  cell none 100 2 0.00 ""
  # kauditd works at 1.5 and 5.5 %.
  sed -i 's/kauditd,30000700/kauditd,110000700/' "$RUN/cells/none/100-2/window-a.csv"
  cell auditd 100 1 4.00 20
  cell auditd 100 2 5.00 20
  cell auditd 100 3 4.50 20
  cell falco 100 1 7.00 20
  cell falco 100 2 8.00 20
  cell falco 100 3 7.50 20
  figures
  # Each has a variance of the mean of about 0.083: R, qt(0.975, 4) * sqrt(0.167) = 1.13.
  [ "$(awk -v reach="$(difference_reach cpu)" 'BEGIN { print (reach > 1 && reach < 1.3) }')" = 1 ]
  # kauditd does nothing for falco, so the baseline's error is that of auditd alone.
  sed -i 's/"kauditd"//' "$RUN"/cells/falco/100-*/before.json
  figures
  [ "$(awk -v reach="$(difference_reach cpu)" 'BEGIN { print (reach > 7) }')" = 1 ]
}

@test "the baseline's error in what follows from several of its figures" {
  cell none 100 1 0.00 ""
  cell none 100 2 0.00 ""
  # kauditd takes 20 ms more, and the host is busy for as much longer: that is no part of the rest.
  sed -i 's/kauditd,30000700/kauditd,50000700/; s/busy,1000000000/busy,1020000000/' "$RUN/cells/none/100-2/window-a.csv"
  BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  BUSY_NS=1240000000 cell auditd 100 2 4.00 20
  BUSY_NS=1220000000 cell auditd 100 3 4.00 20
  figures
  # 20 ms of 8 executions apart. R: qt(0.975, 2) * 2500 / sqrt(3).
  [ "$(value perf.csv auditd 100 elsewhere_us,elsewhere_us_low,elsewhere_us_high | awk '{ printf "%.1f %.1f\n", $3 - $1, $1 - $2 }')" = "6210.3 6210.3" ]
  # The same in percent of a CPU, at 4 executions a second.
  [ "$(value perf.csv auditd 100 total_us,total_us_low,total_cpu,total_cpu_low | awk '{ printf "%.2f\n", ($1 - $2) * 4 / 1e4 - ($3 - $4) }' | tr -d -)" = 0.00 ]
}

# not_run MONITOR RATE PASS [TURN]: a cell that the run was ended before.
not_run() {
  CELL=$((CELL + 1))
  echo "$CELL,$3,$1,$2,${4:-1}" >>"$RUN/plan.csv"
}

@test "passes.csv has what was measured of each pass; the rows of a run ended in the middle of a pass are those without the cells of that pass" {
  local file monitor pass
  for pass in 1 2; do
    for monitor in none falco auditd none; do
      BUSY_NS=1${CELL}00000000 CHILD_US=200$CELL cell "$monitor" 100 "$pass$([[ ! -d $RUN/cells/$monitor/100-$pass ]] || echo .2)" "$pass.0$CELL" "$((17 + pass))"
    done
  done
  figures
  [ "$(paste -sd ' ' "$RUN/passes.csv")" = "pass,cells,measured,whole 1,4,4,true 2,4,4,true" ]
  cp -r "$RUN" "$BATS_TEST_TMPDIR/two"
  BUSY_NS=9000000000 CHILD_US=9999 cell none 100 3 0.00 20
  cell auditd 100 3 30.00 11 failed
  not_run falco 100 3
  not_run none 100 3 2
  figures
  [ "$(tail -n 1 "$RUN/passes.csv")" = 3,4,2,false ]
  for file in perf.csv differences.csv syscalls.csv; do
    cmp "$RUN/$file" "$BATS_TEST_TMPDIR/two/$file"
  done
  [ "$(value cells.csv none 100 cell,in_means | paste -sd ' ')" = "1 true 4 true 5 true 8 true 9 false 12 " ]
  [ "$(value cells.csv falco 100 status,in_means 3)" = "not-run " ]
  # The cells of both are the same but for those of that pass.
  head -n 9 "$RUN/cells.csv" | cmp - "$BATS_TEST_TMPDIR/two/cells.csv"
}

@test "while no pass is whole, all cells count" {
  cell auditd 100 1 4.00 20
  not_run auditd 200 1
  figures
  [ "$(paste -sd ' ' "$RUN/passes.csv")" = "pass,cells,measured,whole 1,2,1,false" ]
  [ "$(value perf.csv auditd 100 cpu,reps)" = "5.5 1" ]
  [ "$(value perf.csv auditd 200 status)" = not-run ]
}

@test "a disturbed cell is in the means" {
  STEAL_NS=200000000 cell auditd 100 1 4.00 20
  cell auditd 100 2 5.00 20
  cell auditd 100 3 6.00 20
  figures
  [ "$(value cells.csv auditd 100 in_means | paste -sd ' ')" = "true true true" ]
  [ "$(value perf.csv auditd 100 cpu,reps)" = "6.5 3" ]
}

@test "whether a cell was disturbed is what it says itself, if it does" {
  STEAL_NS=200000000 cell auditd 100 1 4.00 20
  cell auditd 100 2 5.00 20
  STEAL_NS=200000000 cell auditd 100 3 6.00 20
  sed -i 's/"status"/"disturbed": false, "status"/' "$RUN"/cells/auditd/100-[13]/cell.json
  sed -i 's/"status"/"disturbed": true, "status"/' "$RUN/cells/auditd/100-2/cell.json"
  figures
  [ "$(value cells.csv auditd 100 marks | paste -sd ,)" = ,steal, ]
}

@test "where the CPUs were is told of each cell" {
  local rep
  for rep in 1 2 3; do
    cell auditd 100 "$rep" "$rep.00" 20
    # Looks before window A, in it, and after window B.
    awk -F, '$2 == "clock" { print $4 }' "$RUN/cells/auditd/100-$rep"/window-[ab].csv | sort -n |
      awk -v rep="$rep" 'BEGIN { print "mono_ns,slowdown,shared,distance_ns,far" } { at[NR] = $1 }
        END { printf "%.0f,1.7,1,40,0\n%.0f,1.0,0,40,0\n%.0f,1.7,%d,40,0\n%.0f,1.0,0,300,%d\n%.0f,1.0,0,40,0\n%.0f,1.7,1,40,0\n", at[1] - 1, at[1], at[1] + 1, rep == 2, at[1] + 2, rep == 3, at[1] + 3, at[NR] }' >"$RUN/cells/auditd/100-$rep/cores.csv"
  done
  figures
  [ "$(value cells.csv auditd 100 shared_cores,far_cores,marks 1)" = "0 0 " ]
  [ "$(value cells.csv auditd 100 shared_cores,far_cores,marks 2)" = "25 0 " ]
  [ "$(value cells.csv auditd 100 shared_cores,far_cores,marks 3)" = "0 25 " ]
  [ "$(value perf.csv auditd 100 reps,shared_cores)" = "3 8.333" ]
}

@test "eBPF run time is counted per execution of window B and is in cpu" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # One that is loaded within the window counts in full.
  echo "5000000000,bpf,9:late:tracing,40000,8,,,ok" >>"$RUN/cells/falco/100-1/window-b.csv"
  figures
  [ "$(value cells.csv falco 100 bpf_us,bpf_cpu,bpf_runs,cpu)" = "15 0.006 2 5.506" ]
}

@test "a window B in which the load ended has no figures if few executions are left in it" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # Window B ends at 5 s; the load, at 4.8 s.
  sed -i 's/"duration_s": 5/"duration_s": 4.0/' "$RUN/cells/falco/100-1/load.json"
  figures
  [ "$(value cells.csv falco 100 status,marks)" = "ok window-b-cut fell-behind" ]
  [ "$(value cells.csv falco 100 daemon_cpu)" = 4 ]
  [ -z "$(value cells.csv falco 100 bpf_us)$(value cells.csv falco 100 cpu)" ]
}

# many_launches COUNT: of the cell of falco, COUNT launches in what is left of window B.
many_launches() {
  local dir=$RUN/cells/falco/100-1
  sed -i "s/\"launched\": [0-9]*/\"launched\": $1/" "$dir/load.json"
  awk -v count="$1" 'BEGIN {
    print "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status"
    for (i = 0; i < count; i++) printf "%d,0,%.0f,0,%.0f,2000,3000000,0\n", i, 63000000000 + i * 1000000, 3000000000 + i * 1000000
  }' | gzip >"$dir/launches.csv.gz"
}

@test "a window B in which the load ended has figures of what is left of it, from 200 executions on" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  rm "$RUN/cells/falco/100-1/delivery.csv.gz"
  sed -i 's/"duration_s": 5/"duration_s": 4.0/' "$RUN/cells/falco/100-1/load.json"
  many_launches 199
  figures
  [ -z "$(value cells.csv falco 100 bpf_us)" ]
  many_launches 200
  figures
  # 80 us of them all.
  [ "$(value cells.csv falco 100 bpf_us)" = 0.4 ]
}

@test "a step of the time of day is marked, and takes away only what is measured by it" {
  cell auditd 100 1 4.00 19
  local dir=$RUN/cells/auditd/100-1
  # An hour back, within window A.
  sed -i 's/^3000000000,/-3597000000000,/' "$dir/window-a.csv"
  echo '{"before_us": 1790000000000000, "after_us": 1789996400000000}' >"$dir/clock.json"
  figures
  [ "$(value cells.csv auditd 100 daemon_us,achieved_per_sec,marks)" = "10000 4 clock-step" ]
  [ -z "$(value cells.csv auditd 100 delivery_p50_ms)$(value cells.csv auditd 100 behind_s)" ]
  echo '{"before_us": 1790000000000000, "after_us": 1790000000050000}' >"$dir/clock.json"
  figures
  [ -z "$(value cells.csv auditd 100 marks)" ]
  # As the load saw its first half.
  sed -i 's/"real_step_ns": 0/"real_step_ns": -60000000/' "$dir/load.json"
  figures
  [ "$(value cells.csv auditd 100 marks)" = clock-step ]
}

@test "instructions per execution, above the baseline; a cell without counters has none" {
  cell none 100 1 0 20
  cell auditd 100 1 4.00 20
  cell falco 100 1 4.00 20
  # Four launches a second in window B.
  echo '{"seconds": 2, "load_user": 1280, "load_kernel": 1600, "monitor_user": 0, "monitor_kernel": 0}' >"$RUN/cells/none/100-1/instructions.json"
  echo '{"seconds": 2, "load_user": 1600, "load_kernel": 3200, "monitor_user": 800, "monitor_kernel": 80}' >"$RUN/cells/auditd/100-1/instructions.json"
  figures
  [ "$(value cells.csv auditd 100 load_instructions_user,load_instructions_kernel)" = "200 400" ]
  [ "$(value cells.csv auditd 100 daemon_instructions_user,daemon_instructions_kernel)" = "100 10" ]
  [ "$(value perf.csv auditd 100 instructions_user,instructions_kernel)" = "40 200" ]
  [ -z "$(value cells.csv falco 100 load_instructions_user,instructions_kernel | tr -d ' ')" ]
  echo '{"seconds": 2}' >"$RUN/cells/auditd/100-1/instructions.json"
  run figures
  [ "$status" -ne 0 ]
  [[ $(value cells.csv auditd 100 reason) == *"instructions.json has no load_user"* ]]
}

@test "doubts are marked" {
  cell auditd 100 1 4.00 20
  cell falco 100 1 4.00 20
  cell laurel 100 1 4.00 21
  sed -i 's/cgroup,monitor,80000100/cgroup,monitor,90000100/' "$RUN/cells/auditd/100-1/window-a.csv"
  echo '13,daemon,new' >>"$RUN/cells/auditd/100-1/pids-after.csv"
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # 1000 ms of 8 launches are busy; a tenth of the samples is 12,500 us an execution, against 10 counted.
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 100\ntrue;do_exit 900\n' | gzip >"$RUN/cells/falco/100-1/stacks.folded.gz"
  figures
  [ "$(value cells.csv auditd 100 marks)" = "pidstat-and-cpumeter-differ processes-changed" ]
  [ "$(value cells.csv falco 100 bpf_perf_us,bpf_perf_error_us)" = "12500 1250" ]
  [ "$(value cells.csv falco 100 marks)" = perf-and-bpf-differ ]
  [ "$(value cells.csv laurel 100 marks)" = more-recorded-than-launched ]
}

@test "eBPF run time is split by who pays as perf's samples are, and is what in-band is at least" {
  cell falco 100 1 4.00 20
  cell auditd 100 1 4.00 20
  local dir=$RUN/cells/falco/100-1
  touch "$dir/bpf-metered"
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 100\ntrue;do_exit 900\n' | gzip >"$dir/stacks.folded.gz"
  printf 'payer,samples,bpf_samples\nwatched,800,60\nlauncher,100,20\ndaemon,50,15\nother,50,5\n' >"$dir/payers.csv"
  figures
  # 10 us an execution.
  [ "$(value cells.csv falco 100 bpf_us,bpf_program_us,bpf_parent_us,bpf_daemon_us,bpf_other_us)" = "10 6 2 1.5 0.5" ]
  # The errors of binomial shares of 100 samples: 10 * sqrt(0.6 * 0.4 / 100), 10 * sqrt(0.2 * 0.8 / 100).
  [ "$(value cells.csv falco 100 bpf_program_error_us,bpf_parent_error_us)" = "0.49 0.4" ]
  [ "$(value cells.csv falco 100 inprogram_method,program_us,program_error_us,parent_us)" = "run-time 6 0.49 2" ]
  [ "$(value cells.csv falco 100 counted_us)" = 13758 ]
  # A single cell has an interval here: of 0.49, and for what is wrong with the run time, in runs of 10 us: of 8 % of 0.06 and 3 % of 5.94.
  [ "$(value perf.csv falco 100 inprogram_method,program_us,program_us_low,program_us_high)" = "run-time 6 4.974 7.026" ]
  [ "$(value cells.csv auditd 100 inprogram_method)" = apart ]
  printf 'payer,samples,bpf_samples\nwatched,800,0\nlauncher,100,0\ndaemon,50,0\nother,50,1\n' >"$dir/payers.csv"
  figures
  # Of one sample there is no share.
  [ "$(value cells.csv falco 100 inprogram_method)" = run-time ]
  [ -z "$(value cells.csv falco 100 program_us)$(value cells.csv falco 100 counted_us)" ]
}

@test "samples of the clock readings around eBPF programs are theirs" {
  cell falco 100 1 4.00 20
  local dir=$RUN/cells/falco/100-1
  touch "$dir/bpf-metered"
  # Of 10 us, perf has 1.25 within programs and 12.5 with what is around them: the truth is between the two.
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 1000\ntrue;do_exit 99999000\n' | gzip >"$dir/stacks.folded.gz"
  printf 'payer,samples,bpf_samples,run_samples\nwatched,90000000,1000,4000\nlauncher,10000000,0,6000\n' >"$dir/payers.csv"
  figures
  [ "$(value cells.csv falco 100 marks,bpf_perf_us,bpf_program_us,bpf_parent_us)" = " 1.25 4 6" ]
  # And here they are 5 at most.
  sed -i 's/,6000$/,0/' "$dir/payers.csv"
  figures
  [ "$(value cells.csv falco 100 marks)" = perf-and-bpf-differ ]
}

@test "of programs that perf never samples nobody knows the payer" {
  cell falco 100 1 4.00 20
  local dir=$RUN/cells/falco/100-1
  touch "$dir/bpf-metered"
  # 1.25 us of the 10 that were counted.
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 2\ntrue;do_exit 199998\n' | gzip >"$dir/stacks.folded.gz"
  printf 'payer,samples,bpf_samples\nwatched,100000,1\ndaemon,100000,1\n' >"$dir/payers.csv"
  figures
  [ "$(value cells.csv falco 100 marks,bpf_us,bpf_program_us,program_us)" = "perf-and-bpf-differ 10 0.625 0.625" ]
}

# with_run_time MONITOR REP: a cell whose eBPF programs run 10 µs an execution, of which perf knows in whose time.
with_run_time() {
  local dir=$RUN/cells/$1/100-$2
  cell "$1" 100 "$2" 4.00 20
  touch "$dir/bpf-metered"
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 100\ntrue;do_exit 1249900\n' | gzip >"$dir/stacks.folded.gz"
  printf 'payer,samples,bpf_samples\nwatched,1000000,60\nlauncher,249900,20\ndaemon,50,15\nother,50,5\n' >"$dir/payers.csv"
}

@test "what run times have wrong does not shrink with more repetitions, and is in both sides of a difference" {
  with_run_time falco 1
  with_run_time falco 2
  with_run_time tracee 1
  with_run_time tracee 2
  figures
  # 0.49 of one cell is halved in variance, 0.183 is not.
  [ "$(value perf.csv falco 100 program_us_low,program_us_high)" = "5.231 6.769" ]
  # Two equal cells have no scatter; of the program and its parent together 0.183 + 0.061.
  [ "$(value perf.csv falco 100 counted_us_low,counted_us_high)" = "13757.521 13758.479" ]
  # As if both were wrong independently of each other: 0.244 * sqrt(2).
  [ "$(mlr --icsv --onidx --ofs ' ' filter '$figure == "counted_us"' then cut -o -f difference,difference_low,difference_high "$RUN/differences.csv")" = "0 -0.677 0.677" ]
}

@test "a look at a run that goes on has the figures that its report has" {
  cell none 100 1 0.00 ""
  with_run_time falco 1
  figures
  . "$BATS_TEST_DIRNAME/../../lib/measure/view.sh"
  BUILD=${FIGURES%/*} view_table "$RUN" cells.csv | diff - "$RUN/cells.csv"
}

@test "what was got in different ways has no mean" {
  cell falco 100 1 4.00 20
  cell falco 100 2 4.00 20
  local dir=$RUN/cells/falco/100-1
  touch "$dir/bpf-metered"
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 100\ntrue;do_exit 900\n' | gzip >"$dir/stacks.folded.gz"
  printf 'payer,samples,bpf_samples\nwatched,800,60\nlauncher,100,40\n' >"$dir/payers.csv"
  figures
  [ "$(value cells.csv falco 100 inprogram_method | paste -sd ' ')" = "run-time apart" ]
  [ "$(value perf.csv falco 100 daemon_us,bpf_program_us)" = "10000 6" ]
  [ -z "$(value perf.csv falco 100 inprogram_method)$(value perf.csv falco 100 program_us)$(value perf.csv falco 100 counted_us)" ]
}

@test "samples whose payers are missing, or nobody's" {
  cell falco 100 1 4.00 20
  local dir=$RUN/cells/falco/100-1
  touch "$dir/bpf-metered"
  printf 'true;do_exit 900\n' | gzip >"$dir/stacks.folded.gz"
  # As older runs are.
  figures
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"], "side": ""}' >"$dir/before.json"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"payers.csv is missing" ]]
  printf 'payer,samples,bpf_samples\nnobody,1,1\n' >"$dir/payers.csv"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"payers.csv line 2 has nobody,1, expected watched, launcher, daemon or other, and a number" ]]
}

@test "window S of a cell: what it found stands for in-band, also where it found nothing that counts" {
  cell auditd 100 1 4.00 20
  cell none 100 1 0.00 ""
  local dir=$RUN/cells/auditd/100-1
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"], "side": "groups"}' >"$dir/before.json"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"side/side.json is missing" ]]
  side "$dir" "" "xtags.1"
  figures
  # Watched ones take 40 us more, their launcher 3.
  [ "$(value cells.csv auditd 100 inprogram_method,program_us,parent_us,side_slowdown_p50_us)" = "side-by-side 40 3 80" ]
  [ "$(value cells.csv auditd 100 program_apart_us,counted_us)" = "0 10043" ]
  side "$dir" "the monitor died" "xtags.1"
  figures
  [ "$(value cells.csv auditd 100 status,inprogram_method,side_problem,marks)" = "ok side-by-side the monitor died side-by-side-failed" ]
  [ -z "$(value cells.csv auditd 100 program_us)$(value cells.csv auditd 100 counted_us)" ]
  side "$dir" "" "xtags.2"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"side/load.json is of another cell: its tag is xtags.2, expected xtags.1" ]]
}

# side DIR PROBLEM TAG: window S of 4 s with 400 launches, two of each four in either group, swapped half-way.
side() {
  mkdir -p "$1/side"
  echo "{\"way\": \"groups\", \"problem\": \"$2\", \"records\": \"nothing\"}" >"$1/side/side.json"
  echo "{\"tag\": \"$3\", \"real_step_ns\": 0}" >"$1/side/load.json"
  printf 'unwatched,from_real_us,to_real_us\n0,0,2000000\n1,2000000,4000000\n' >"$1/side/phases.csv"
  awk 'BEGIN {
    print "seq,start_mono_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status,group,launcher_cpu_ns,minor_faults,voluntary_switches,involuntary_switches"
    for (seq = 0; seq < 400; seq++) {
      group = seq % 4 == 1 || seq % 4 == 2
      watched = group == (seq < 200)
      printf "%d,%d,%d,%d,%d,0,%d,%d,50,1,0\n", seq, seq * 10000000, seq * 10000000, 500 + 40 * watched, 900000 + 80000 * watched, group, 40000 + 3000 * watched
    }
  }' | gzip >"$1/side/launches.csv.gz"
}

# coarse MONITOR RATE PASS: that cell has no window B, and no eBPF programs were looked at.
coarse() {
  (cd "$RUN/cells/$1/$2-$3" && rm -rf window-b.csv delivery.csv.gz bpf-metered stacks.folded.gz payers.csv side)
}

# say_detailed: plan.csv with a column that says which cells have a window B.
say_detailed() {
  local cell rep monitor rate turn
  {
    echo cell,rep,monitor,rate,turn,detailed
    tail -n +2 "$RUN/plan.csv" | while IFS=, read -r cell rep monitor rate turn; do
      echo "$cell,$rep,$monitor,$rate,$turn,$([[ -e $RUN/cells/$monitor/$rate-$rep/window-b.csv ]] && echo 1 || echo 0)"
    done
  } >"$RUN/plan"
  mv "$RUN/plan" "$RUN/plan.csv"
}

@test "cells that are not detailed have what the monitor's detailed ones tell, as a share of what an execution costs there" {
  local monitor
  cell auditd 100 1 4.00 20
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"], "side": "groups"}' >"$RUN/cells/auditd/100-1/before.json"
  side "$RUN/cells/auditd/100-1" "" "xtags.1"
  with_run_time falco 1
  # An execution takes 3500 µs in place of 2500.
  for monitor in auditd falco; do
    CHILD_US=3000 LOAD_NS=28000000 cell "$monitor" 200 1 4.00 20
    coarse "$monitor" 200 1
  done
  cp "$RUN/cells/auditd/100-1/before.json" "$RUN/cells/auditd/200-1/before.json"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"cells/auditd/200-1: "*"window-b.csv is missing"* ]]
  say_detailed
  figures
  # 40 and 3 of the 2457 µs that an execution itself takes.
  [ "$(value cells.csv auditd 200 status,inprogram_method,program_us,parent_us,execution_us)" = "ok side-by-side 56 4.2 3439.8" ]
  [ "$(value cells.csv auditd 100 program_us,parent_us,execution_us)" = "40 3 2457" ]
  [ "$(value cells.csv auditd 200 counted_us)" = 13810.2 ]
  # 6 and 2 of 2492; 10 of 2500 with the programs.
  [ "$(value cells.csv falco 200 inprogram_method,program_us,parent_us,bpf_us)" = "run-time 8.4 2.8 14" ]
  [ "$(value cells.csv falco 200 bpf_cpu,cpu)" = "0.006 5.506" ]
  # What window B alone tells is of the detailed cells.
  [ -n "$(value perf.csv auditd 100 delivery_p50_ms)" ]
  [ -z "$(value perf.csv auditd 200 delivery_p50_ms)$(value perf.csv falco 200 bpf_program_us)" ]
  sed -i 's/,1$/,2/' "$RUN/plan.csv"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $stderr == *"plan.csv line 2: expected a cell, a pass, a monitor, a rate, a turn and 0 or 1"* ]]
}

@test "a monitor that was there already is compared with itself at rest" {
  cell unit:x 0 1 1.00 ""
  cell unit:x 100 1 4.00 ""
  rm "$RUN"/cells/unit:x/0-1/{load.json,launches.csv.gz}
  figures
  # 3 % of a CPU, 4 executions a second.
  [ "$(value cells.csv unit:x 100 daemon_us,daemon_cpu,services_cpu)" = "7500 4 0" ]
  [ -z "$(value cells.csv unit:x 100 total_us)" ]
  [ "$(value perf.csv unit:x 0 cpu)" = 1 ]
}

@test "what is started and measured at rest, too, is compared with the baseline, and what belongs to executions is empty there" {
  local monitor dir
  for monitor in none auditd; do
    cell $monitor 0 1 1.00 ""
    dir=$RUN/cells/$monitor/0-1
    rm "$dir"/{load.json,launches.csv.gz}
    # It could be watched side by side, if there were something.
    jq '.side = "groups"' "$dir/before.json" >"$dir/changed" && mv "$dir/changed" "$dir/before.json"
    cell $monitor 100 1 4.00 20
  done
  figures
  [ "$(value perf.csv auditd 0 status,cpu,daemon_cpu,services_cpu)" = "ok 1 1 0" ]
  [ -z "$(value perf.csv auditd 0 counted_us)$(value perf.csv auditd 0 inprogram_method)$(value perf.csv auditd 0 lost)$(value perf.csv none 0 baseline_us)" ]
  # 4 % of a CPU, 4 executions a second: what it takes at rest is not taken off.
  [ "$(value cells.csv auditd 100 daemon_us)" = 10000 ]
  # Nor is it where the baseline's only cell at that rate has failed.
  jq '.status = "failed"' "$RUN/cells/none/100-1/cell.json" >"$RUN/changed" && mv "$RUN/changed" "$RUN/cells/none/100-1/cell.json"
  figures
  [ "$(value cells.csv auditd 100 daemon_us)" = 10000 ]
}

@test "a process that was there already has no group" {
  cell pid:x 100 1 4.00 ""
  sed -i 's/,cgroup,monitor,/,pid,monitor,/' "$RUN/cells/pid:x/100-1/window-a.csv"
  figures
  [ "$(value cells.csv pid:x 100 daemon_cpu,services_cpu)" = "4 1.5" ]
}

@test "who had all of its records before the load's end was not behind" {
  cell auditd 100 1 4.00 20
  echo '{"last_record_us": 5700000}' >"$RUN/cells/auditd/100-1/drain.json"
  figures
  [ "$(value cells.csv auditd 100 behind_s)" = 0 ]
}

@test "no doubts where the difference is what the less exact of two can't tell" {
  # 4.00 and 4.25 %.
  cell auditd 100 1 4.00 20
  sed -i 's/cgroup,monitor,80000100/cgroup,monitor,85000100/' "$RUN/cells/auditd/100-1/window-a.csv"
  # One sample is 12.5 us an execution, with an error of as much, against 10 counted.
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 1\ntrue;do_exit 9999\n' | gzip >"$RUN/cells/falco/100-1/stacks.folded.gz"
  figures
  [ -z "$(value cells.csv auditd 100 marks)$(value cells.csv falco 100 marks)" ]
}

@test "a row is saturated when most repetitions were" {
  cell auditd 100 1 1.00 20
  cell auditd 100 2 1.00 20
  cell auditd 100 3 1.00 20
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-1/load.json"
  figures
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "false 1" ]
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-2/load.json"
  figures
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "true 2" ]
  # Half of them are not most.
  sed -i '3d' "$RUN/plan.csv"
  figures
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "false 1" ]
}

@test "a cell that failed is in no mean, and its row says so" {
  cell auditd 100 1 1.00 20
  cell auditd 100 2 99.00 0 failed
  figures
  [ "$(value perf.csv auditd 100 cpu,lost,loss_counters,status,reason)" = "2.5 0 kernel=2 failed broke" ]
}

@test "a cell that failed has what figures its files have, whichever they are" {
  cell auditd 100 1 4.00 19 failed
  cell auditd 100 2 4.00 19 failed
  cell auditd 100 3 4.00 19 failed
  cell auditd 200 1 4.00 19
  : >"$RUN/cells/auditd/100-1/load.json"
  sed -i '/^3000000000,/d' "$RUN/cells/auditd/100-2/window-a.csv"
  rm "$RUN/cells/auditd/100-3/"{launches.csv.gz,window-b.csv,after.json,pidstat.txt,pids.csv}
  figures
  [ "$(value cells.csv auditd 100 daemon_cpu 1)" = 4 ]
  [ -z "$(value cells.csv auditd 100 lost 1)" ]
  [ -z "$(value cells.csv auditd 100 achieved_per_sec 2)$(value cells.csv auditd 100 daemon_cpu 2)" ]
  [ "$(value cells.csv auditd 100 status,daemon_cpu,lost 3)" = "failed 4 1" ]
  [ "$(value cells.csv auditd 200 lost)" = 1 ]
}

@test "unknown is empty, not zero: no counting of a monitor that records nothing" {
  cell none 100 1 0.00 ""
  figures
  [ -z "$(value perf.csv none 100 recorded)$(value perf.csv none 100 lost)" ]
}

@test "skipped monitors and cells never run have rows" {
  cell none 100 1 0.00 ""
  echo "2,1,none,200,1" >>"$RUN/plan.csv"
  figures
  [ "$(value perf.csv none 200 status,reason)" = "not-run the run was interrupted before" ]
  [ -z "$(value perf.csv none 200 cpu)" ]
  grep -q '^gone,,*skipped,"not here, not now"$' "$RUN/perf.csv"
  [ "$(wc -l <"$RUN/cells.csv")" -eq 3 ]
}

@test "a plan of an older run has no turns" {
  cell none 100 1 0.00 ""
  sed -i 's/,[^,]*$//' "$RUN/plan.csv"
  figures
  [ "$(value cells.csv none 100 turn,status)" = "1 ok" ]
}

# What a cell that went well must have. Its other files may be missing.
ALWAYS="load.json before.json after.json clock.json log-bytes.json count.json drain.json window-a.csv window-b.csv pids.csv pids-after.csv \
  pidstat.txt launches.csv.gz delivery.csv.gz"

# two_cells: of one monitor, the second of which is to be damaged.
two_cells() {
  cell auditd 100 1 4.00 19
  cell auditd 100 2 5.00 19
  SECOND=$RUN/cells/auditd/100-2
  printf 'true;do_exit_[k] 900\n' | gzip >"$SECOND/stacks.folded.gz"
  touch "$SECOND/bpf-metered"
  cp -r "$SECOND" "$BATS_TEST_TMPDIR/sound"
}

# unreadable REASON: the second cell has a row with that reason and no figures, on stderr is a line, and the first one is all there is of figures.
unreadable() {
  run --separate-stderr "$FIGURES" "$RUN"
  echo "$stderr"
  [ "$status" -eq 1 ]
  [ -z "$output" ]
  [[ $stderr == "figures: cells/auditd/100-2: $1" ]]
  [ "$(mlr --icsv --ojson filter '$rep == 2' "$RUN/cells.csv" | jq -c '.[0] | map_values(select(. != ""))')" = \
    "$(jq -nc --arg reason "$1" '{cell: 2, test: "auditd", exec_per_sec: 100, rep: 2, turn: 1, status: "unreadable", $reason}')" ]
  [ "$(value cells.csv auditd 100 cpu,status 1)" = "5.5 ok" ]
  [ "$(value perf.csv auditd 100 cpu,reps,launched,status)" = "5.5 1 20 unreadable" ]
  rm -r "$SECOND"
  cp -r "$BATS_TEST_TMPDIR/sound" "$SECOND"
}

@test "a file of a cell that went well is missing" {
  local file
  two_cells
  for file in $ALWAYS; do
    rm "$SECOND/$file"
    unreadable "$file is missing"
  done
  rm "$SECOND"/{stacks.folded.gz,bpf-metered}
  figures
}

@test "a file of a cell that went well is empty" {
  local file
  two_cells
  for file in $ALWAYS stacks.folded.gz; do
    [[ $file != pids*.csv ]] || continue
    : >"$SECOND/$file"
    unreadable "$file is empty"
  done
}

# cut FILE: FILE of the second cell loses its end.
cut_short() {
  local size
  size=$(stat -c %s "$SECOND/$1")
  truncate -s $((size - ${2:-4})) "$SECOND/$1"
}

@test "a file of a cell that went well is cut" {
  local file
  two_cells
  for file in load.json before.json after.json clock.json log-bytes.json count.json drain.json; do
    cut_short "$file"
    run --separate-stderr "$FIGURES" "$RUN"
    [[ $stderr == "figures: cells/auditd/100-2: $file is no JSON: "* ]]
    unreadable "${stderr#*100-2: }"
  done
  for file in launches delivery; do
    cut_short $file.csv.gz
    unreadable "$file.csv.gz ends early"
    cut_short $file.csv.gz 30
    unreadable "$file.csv.gz ends early"
  done
  cut_short stacks.folded.gz
  unreadable "stacks.folded.gz ends early"
  for file in window-a.csv window-b.csv pids.csv pids-after.csv pidstat.txt; do
    cut_short "$file"
    unreadable "$file ends within a line"
  done
}

@test "a file of a cell that went well is cut at the end of a line" {
  two_cells
  sed -i '$d' "$SECOND/pidstat.txt"
  sed -i '$d' "$SECOND/pidstat.txt"
  unreadable "pidstat.txt has 1 samples, expected 2"
  sed -i '13,$d' "$SECOND/window-a.csv"
  unreadable "window-a.csv has no second reading"
  sed -i '16,$d' "$SECOND/window-b.csv"
  unreadable "window-b.csv has no second reading of cgroup sampler"
  zcat "$BATS_TEST_TMPDIR/sound/launches.csv.gz" | sed '$d' | gzip >"$SECOND/launches.csv.gz"
  unreadable "launches.csv.gz has 19 launches, expected 20"
}

@test "a file of a cell that went well has rows with too few fields, or words for numbers" {
  two_cells
  sed -i 's/cgroup,load,1000,,,,ok/cgroup,load,1000/' "$SECOND/window-a.csv"
  unreadable "window-a.csv line 4 has 4 fields, expected 8"
  zcat "$BATS_TEST_TMPDIR/sound/launches.csv.gz" | sed '5s/,0$//' | gzip >"$SECOND/launches.csv.gz"
  unreadable "launches.csv.gz line 5 has 7 fields, expected 8"
  zcat "$BATS_TEST_TMPDIR/sound/delivery.csv.gz" | sed '3s/,.*/,soon/' | gzip >"$SECOND/delivery.csv.gz"
  unreadable "delivery.csv.gz line 3 has 'soon', expected a whole number"
  echo '{"recorded_": 19}' >"$SECOND/count.json"
  unreadable "count.json has no recorded"
  gunzip "$SECOND/launches.csv.gz"
  mv "$SECOND/launches.csv" "$SECOND/launches.csv.gz"
  unreadable "launches.csv.gz is no gzip file"
}

@test "a file is another cell's" {
  two_cells
  sed -i 's/xtag.2/xtag.1/' "$SECOND/load.json"
  unreadable "load.json is of another cell: its tag is xtag.1, expected xtag.2"
  sed -i 's/xtag.2/xother.2/' "$SECOND/load.json"
  unreadable "load.json is of another cell: its tag is xother.2, expected xtag.2"
  readings 5.00 9000000000 >"$SECOND/window-a.csv"
  unreadable "window-a.csv is of another cell: it is not within the load's time"
  readings 5.00 200000000000 >"$SECOND/window-b.csv"
  unreadable "window-b.csv is of another cell: it is not within the load's time"
  readings 5.00 500000000 >"$SECOND/window-b.csv"
  unreadable "window-b.csv is of another cell: it is not within the load's time"
  MONO_NS=90000000000 load "$SECOND" 2
  unreadable "launches.csv.gz is of another cell: its launches are not within the load's time"
  MONO_NS=59000000000 load "$SECOND" 2
  unreadable "launches.csv.gz is of another cell: its launches are not within the load's time"
  printf 'seq,time_real_ns\n9,1055000000\n' | gzip >"$SECOND/delivery.csv.gz"
  unreadable "delivery.csv.gz is of another cell: it has records from before their launch"
  echo '{"last_record_us": 7050}' >"$SECOND/drain.json"
  unreadable "drain.json is of another cell: its last record is from before the load"
  printf '77,daemon,dd\n' | tee "$SECOND/pids.csv" >"$SECOND/pids-after.csv"
  unreadable "pidstat.txt has none of the processes in pids.csv"
}

# of_session CELL_FOLDER NUMBER [FIELDS]
of_session() {
  sed -i "s/\"status\"/\"session\": $2, ${3:-} \"status\"/" "$RUN/cells/$1/cell.json"
}

@test "a run of several sessions: each cell has the tag of its own" {
  sed -i 's/"run_tag": "xtag"/"run_tag": "xtag", "sessions": [{"tag": "xtag"}, {"tag": "ytag"}]/' "$RUN/manifest.json"
  cell auditd 100 1 4.00 20
  cell auditd 100 2 4.00 20
  of_session auditd/100-1 1
  of_session auditd/100-2 2
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: cells/auditd/100-2: load.json is of another cell: its tag is xtag.2, expected ytag.2" ]
  sed -i 's/xtag.2/ytag.2/' "$RUN/cells/auditd/100-2/load.json"
  figures
  [ "$(value cells.csv auditd 100 status | paste -sd ' ')" = "ok ok" ]
  sed -i 's/"session": 2/"session": 3/' "$RUN/cells/auditd/100-2/cell.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$stderr" = "figures: cells/auditd/100-2: cell.json is of session 3, which is not in manifest.json" ]
  sed -i 's/"session": 3/"session": 0/' "$RUN/cells/auditd/100-2/cell.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$stderr" = "figures: cells/auditd/100-2: cell.json is of session 0, which is not in manifest.json" ]
}

# What was killed before it had counted may have more records than it says.
@test "a cell that was not counted to the end was not run, unless all of its launches were recorded" {
  sed -i 's/"run_tag": "xtag"/"run_tag": "xtag", "sessions": [{"tag": "xtag"}]/' "$RUN/manifest.json"
  cell auditd 100 1 4.00 19
  cell auditd 100 2 4.00 20
  cell auditd 100 3 4.00 19 failed
  for rep in 1 2 3; do
    of_session "auditd/100-$rep" 1 '"counted": false,'
  done
  figures
  value cells.csv auditd 100 rep,status,reason
  [ "$(value cells.csv auditd 100 status | paste -sd ' ')" = "not-run ok failed" ]
  [ "$(value cells.csv auditd 100 reason 1)" = "the run was interrupted before what was recorded had been counted" ]
  [ "$(value perf.csv auditd 100 launched,recorded,lost,reps)" = "20 20 0 1" ]
  sed -i 's/"counted": false/"counted": true/' "$RUN/cells/auditd/100-1/cell.json"
  figures
  [ "$(value cells.csv auditd 100 status,lost 1)" = "ok 1" ]
  # A count that was cut off.
  sed -i 's/"counted": true/"counted": false/' "$RUN/cells/auditd/100-1/cell.json"
  : >"$RUN/cells/auditd/100-1/count.json"
  figures
  [ "$(value cells.csv auditd 100 status 1)" = not-run ]
}

@test "cell.json is damaged, or another cell's" {
  two_cells
  : >"$SECOND/cell.json"
  unreadable "cell.json is empty"
  echo '{}' >"$SECOND/cell.json"
  unreadable "cell.json has no cell"
  cp "$RUN/cells/auditd/100-1/cell.json" "$SECOND/cell.json"
  unreadable "cell.json is of another cell: 1, expected 2"
  sed -i 's/"auditd"/"laurel"/' "$SECOND/cell.json"
  unreadable "cell.json is of another monitor: laurel, expected auditd"
  sed -i 's/"exec_per_sec": 100/"exec_per_sec": 200/' "$SECOND/cell.json"
  unreadable "cell.json is of another rate: 200, expected 100"
  sed -i 's/"rep": 2/"rep": 3/' "$SECOND/cell.json"
  unreadable "cell.json is of another repetition: 3, expected 2"
  sed -i 's/"turn": 1/"turn": 2/' "$SECOND/cell.json"
  unreadable "cell.json is of another repetition: 2, expected 2"
  rm "$SECOND/cell.json"
  figures
  [ "$(value cells.csv auditd 100 status 2)" = not-run ]
}

# round TEST REP ROUND RATE LAUNCHED RECORDED: of a saturation run.
round() {
  local dir=$RUN/cells/$1/$2-$3
  cell "$1" "$4" "$3" 4.00 "$6"
  mkdir -p "$(dirname "$dir")"
  mv "$RUN/cells/$1/$4-$3" "$dir"
  rm "$dir"/{window-b.csv,delivery.csv.gz}
  echo "{\"cell\": $CELL, \"test\": \"$1\", \"monitor\": \"${1%%+*}\", \"exec_per_sec\": $4, \"rep\": $2, \"search\": 1, \"round\": $((10#$3)),
    \"phase\": \"ramp\", \"cpus\": \"0.5\", \"memory\": \"-\", \"knobs\": \"a=b c=d\", \"start\": 2, \"status\": \"ok\", \"reason\": \"\"}" >"$dir/cell.json"
  sed -i "s/\"launched\": 20/\"reached\": $( (($4 <= 4)) && echo true || echo false), &/; s/\"launched\": 20/\"launched\": $5/; s/\"failed\": 0/\"failed\": $((20 - $5))/" "$dir/load.json"
  echo '{"throttled_us": 100, "oom_kills": 1}' >"$dir/limits-before.json"
  echo '{"throttled_us": 500, "throttled_periods": 7, "oom_kills": 2}' >"$dir/limits-start.json"
  echo '{"throttled_us": 2000, "throttled_periods": 11, "oom_kills": 3}' >"$dir/limits-after.json"
  printf '1000000,10\n3000000,50\n' >"$dir/events.csv"
}

saturation() {
  echo '{"kind": "saturate", "run_tag": "xtag", "host": {"cpus": 2}, "options": {"round_s": 2}}' >"$RUN/manifest.json"
}

@test "rounds of a saturation run" {
  saturation
  round m+cpus=0.5 1 01 4 20 20
  round m+cpus=0.5 1 02 8 20 20
  BUSY_NS=4000000000 round m+cpus=0.5 1 03 8 20 20
  round m+cpus=0.5 1 04 4 20 18
  figures
  of() { mlr --icsv --onidx --ofs ' ' filter '$round == '"$1" then cut -o -f "$2" "$RUN/rounds.csv"; }
  [ "$(of 1 test,monitor,cpus,memory,asked_per_sec,achieved_per_sec,reached)" = "m+cpus=0.5 m 0.5  4 4 true" ]
  [ "$(mlr --icsv --ojson filter '$round == 1' "$RUN/rounds.csv" | jq -r '.[0].combination')" = "0.5 CPU, a=b c=d" ]
  [ "$(of 1 verdict,cpu,services_cpu,throttled_ms,throttled_periods,oom_kills,kernel_events_per_sec,start)" = "clean 4 1.5 1.5 4 2 20 2" ]
  # 20 records until 1.25 s after the load's 5 s.
  [ "$(of 1 behind_s,written_per_sec,recorded_percent)" = "1.25 3.2 100" ]
  [ "$(of 2 verdict)" = load-limited ]
  [ "$(of 3 verdict)" = host-saturated ]
  [ "$(of 4 verdict,lost,recorded_percent)" = "lossy 2 90" ]
  # The groups in it can have waited longer.
  local first=$RUN/cells/m+cpus=0.5/1-01
  echo '{"throttled_us": 500, "throttled_periods": 7, "below_throttled_us": 100, "below_throttled_periods": 1, "oom_kills": 2}' >"$first/limits-start.json"
  echo '{"throttled_us": 2000, "throttled_periods": 11, "below_throttled_us": 5100, "below_throttled_periods": 3, "oom_kills": 2}' >"$first/limits-after.json"
  figures
  [ "$(of 1 throttled_ms,throttled_periods)" = "5 4" ]
  # Whether a rate was reached the load generator says; one that does not is older.
  sed -i 's/"reached": false/"reached": true/' "$RUN/cells/m+cpus=0.5/1-02/load.json"
  figures
  [ "$(of 2 reached,verdict)" = "true clean" ]
  sed -i 's/"reached": true, //' "$RUN/cells/m+cpus=0.5/1-02/load.json"
  figures
  [ "$(of 2 verdict)" = failed ]
  [ ! -e "$RUN/cells.csv" ]
}

@test "rounds of several sessions: each has the tag of its own; the last of a search says how many there were" {
  echo '{"kind": "saturate", "run_tag": "xtag", "sessions": [{"tag": "xtag"}, {"tag": "ytag"}], "host": {"cpus": 2}, "options": {"round_s": 2}}' >"$RUN/manifest.json"
  round m 1 01 4 20 20
  round m 1 02 4 20 20
  sed -i 's/"search": 1/"search": 1, "session": 1/' "$RUN/cells/m/1-01/cell.json"
  sed -i 's/"search": 1/"search": 1, "session": 2, "search_rounds": 2/' "$RUN/cells/m/1-02/cell.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: cells/m/1-02: load.json is of another cell: its tag is xtag.2, expected ytag.2" ]
  sed -i 's/xtag.2/ytag.2/' "$RUN/cells/m/1-02/load.json"
  figures
  [ "$(mlr --icsv --onidx --ofs ' ' cut -o -f round,status,search_rounds "$RUN/rounds.csv" | paste -sd ' ')" = "1 ok  2 ok 2" ]
  sed -i 's/"session": 2/"session": 3/' "$RUN/cells/m/1-02/cell.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$stderr" = "figures: cells/m/1-02: cell.json is of session 3, which is not in manifest.json" ]
}

@test "a host of two CPUs is not at its end with one and a half of them busy; a round that failed has no costs" {
  saturation
  BUSY_NS=3000000000 round m 1 01 8 20 20
  round m 1 02 4 20 20
  sed -i 's/"status": "ok"/"status": "failed"/' "$RUN/cells/m/1-02/cell.json"
  figures
  [ "$(mlr --icsv --ojson cat "$RUN/rounds.csv" | jq -c '.[] | [.verdict, .cpu, .services_cpu, .lost]' | paste -sd ' ')" = '["load-limited",4,1.5,0] ["clean","","",0]' ]
}

@test "a round that can't be read has a row without figures" {
  saturation
  round m 1 01 4 20 20
  round m 1 02 8 20 20
  truncate -s 50 "$RUN/cells/m/1-02/launches.csv.gz"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: cells/m/1-02: launches.csv.gz ends early" ]
  [ "$(mlr --icsv --ojson cat "$RUN/rounds.csv" | jq -c '.[] | [.round, .status, .verdict, .cpu, .lost, .reason]')" = '[1,"ok","clean",4,0,""]
[2,"unreadable","failed","","","launches.csv.gz ends early"]' ]
  rm "$RUN/cells/m/1-02/limits-after.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  : >"$RUN/cells/m/1-02/cell.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: cells/m/1-02: cell.json is empty" ]
}

# soak TEST REP RECORDED: of 20 launches; memory grows by 100,000 bytes in each of 20 tenths of a second.
soak() {
  local dir=$RUN/soaks/$1/$2 line begin= i
  round "$1" "$2" 01 4 20 "$3"
  mkdir -p "$RUN/soaks/$1"
  mv "$RUN/cells/$1/$2-01" "$dir"
  jq 'del(.round) + {phase: "soak", lossless_per_sec: 5}' "$dir/cell.json" >"$dir/cell.json.new"
  mv "$dir/cell.json.new" "$dir/cell.json"
  while IFS= read -r line; do
    if [[ $line == *,clock,monotonic,* && -z $begin ]]; then
      begin=$(cut -d, -f4 <<<"$line")
    elif [[ $line == *,clock,monotonic,* ]]; then
      for ((i = 1; i < 20; i++)); do
        printf '1,clock,monotonic,%d,,,,ok\n1,memory,monitor/11,,,%d,8192,ok\n' $((begin + i * 100000000)) $((4096 + i * 100000))
      done
    fi
    echo "${line/,4096,12288,/,2004096,12288,}"
  done <"$dir/window-a.csv" >"$dir/window-a.csv.new"
  mv "$dir/window-a.csv.new" "$dir/window-a.csv"
}

@test "a soak has a row of its own, with the slope of the monitor's memory; one that failed has no slope" {
  saturation
  sed -i 's/"round_s": 2/"round_s": 7, "soak_s": 2/' "$RUN/manifest.json"
  soak m+cpus=0.5 1 20
  soak m+cpus=0.5 2 19
  soak m+cpus=0.5 3 20
  sed -i 's/"status": "ok"/"status": "failed"/' "$RUN/soaks/m+cpus=0.5/3/cell.json"
  figures
  of() { mlr --icsv --onidx --ofs ' ' filter '$rep == '"$1" then cut -o -f "$2" "$RUN/soak.csv"; }
  [ "$(mlr --icsv --onidx count "$RUN/soak.csv")" = 3 ]
  [ "$(of 1 test,monitor,cpus,start,lossless_per_sec,asked_per_sec,achieved_per_sec,load_s)" = "m+cpus=0.5 m 0.5 2 5 4 4 5" ]
  [ "$(of 1 launched,recorded,lost,throttled_ms,throttled_periods,oom_kills,status)" = "20 20 0 1.5 4 2 ok" ]
  [ "$(of 1 memory_readings,memory_first_bytes,memory_last_bytes)" = "21 4096 2004096" ]
  # No closer than 256 KiB in 2 s.
  [ "$(of 1 growth_bytes_per_s,growth_bytes_per_s_low,growth_bytes_per_s_high)" = "1000000 868928 1131072" ]
  [ "$(of 2 lost,recorded_percent,growth_bytes_per_s)" = "1 95 1000000" ]
  [ "$(mlr --icsv --ojson filter '$rep == 3' "$RUN/soak.csv" | jq -c '.[0] | [.lost, .memory_readings, .growth_bytes_per_s, .cpu, .status]')" = '[0,"","","","failed"]' ]
  # What only one of the two has is not a column of the other.
  [[ $(head -n 1 "$RUN/soak.csv") != *verdict* && $(head -n 1 "$RUN/rounds.csv") != *growth_bytes_per_s* ]]
  # No soak is a round, and a run without soaks has no table of them.
  [ "$(wc -l <"$RUN/rounds.csv")" = 1 ]
  rm -r "$RUN/soak.csv" "$RUN/soaks"
  sed -i 's/"soak_s": 2/"soak_s": 0/' "$RUN/manifest.json"
  figures
  [ ! -e "$RUN/soak.csv" ]
}

@test "a soak that never was has a row that says why; one of another search is not read" {
  saturation
  sed -i 's/"round_s": 2/"round_s": 2, "soak_s": 2/' "$RUN/manifest.json"
  soak m 1 20
  mkdir -p "$RUN/soaks/m/2"
  jq -c 'del(.lossless_per_sec) + {cell: 9, rep: 2, exec_per_sec: 0, status: "not-ready", reason: "no rate"}' "$RUN/soaks/m/1/cell.json" >"$RUN/soaks/m/2/cell.json"
  figures
  [ "$(mlr --icsv --ojson filter '$rep == 2' "$RUN/soak.csv" | jq -c '.[0] | [.launched, .lost, .growth_bytes_per_s, .status, .reason]')" = '["","","","not-ready","no rate"]' ]
  cp -r "$RUN/soaks/m/1" "$RUN/soaks/m/3"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: soaks/m/3: cell.json is of another round: soaks/m/1" ]
}

@test "files are written whole or not at all" {
  cell auditd 100 1 4.00 19
  figures
  local before
  before=$(cat "$RUN/cells.csv")
  mkdir "$RUN/cells.csv.new"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: cannot write $RUN/cells.csv.new: Is a directory" ]
  [ "$(cat "$RUN/cells.csv")" = "$before" ]
  rmdir "$RUN/cells.csv.new"
  figures
  [ -z "$(find "$RUN" -name '*.new')" ]
}

@test "bad usage is one line and exit status 2" {
  local usage
  local -a words
  for usage in "" "--nonsense" "$RUN $RUN" "--json $RUN" "--columns $RUN" "$BATS_TEST_TMPDIR/nowhere" "--compare $RUN" "--compare $RUN $RUN" \
    "--compare --between-runs 101 $RUN $RUN" "--compare --figures speed $RUN $RUN" "--test-a m $RUN" "--changes $RUN $RUN"; do
    read -ra words <<<"$usage"
    run --separate-stderr "$FIGURES" "${words[@]}"
    echo "$usage: $stderr"
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
  done
  echo '{' >"$RUN/manifest.json"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 2 ]
  [[ $stderr == *"manifest.json is no JSON object"* ]]
}

@test "a plan that can't be read is an error" {
  cell auditd 100 1 4.00 19
  echo "2,1" >>"$RUN/plan.csv"
  run --separate-stderr "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [ "$stderr" = "figures: '$RUN': plan.csv line 3 has 2 fields, expected 5" ]
  [ ! -e "$RUN/cells.csv" ]
}

@test "the table of figures has all columns" {
  cell auditd 100 1 4.00 19
  figures
  "$FIGURES" --columns --json >"$BATS_TEST_TMPDIR/columns.json"
  [ "$(jq -r 'map(.name | select(IN("reps", "marginal_us") | not)) | join(",")' "$BATS_TEST_TMPDIR/columns.json")" = "$(head -n 1 "$RUN/cells.csv")" ]
  [ "$(jq 'map(select(.window == null or .source == null or .explanation == null or .summary == null)) | length' "$BATS_TEST_TMPDIR/columns.json")" -eq 0 ]
  "$FIGURES" --columns >"$BATS_TEST_TMPDIR/columns.md"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/columns.md")" -eq $(($(jq length "$BATS_TEST_TMPDIR/columns.json") + 2)) ]
  grep -q '^| `cpu` | % of one CPU | A, B |' "$BATS_TEST_TMPDIR/columns.md"
}

# system_calls DIR PROBLEM: window T of 4 s on one CPU, a slice every 25 ms, two of each four in either group, swapped half-way. A getppid takes
# 100 ns, of those that are watched 300.
system_calls() {
  mkdir -p "$1/syscalls"
  echo "{\"way\": \"groups\", \"problem\": \"$2\"}" >"$1/syscalls/syscalls.json"
  echo '{"groups": [7, 8], "real_offset_ns": 5000000000, "real_step_ns": 0}' >"$1/syscalls/load.json"
  printf 'unwatched,from_real_us,to_real_us\n0,5000000,7000000\n1,7000000,9000000\n' >"$1/syscalls/phases.csv"
  awk 'BEGIN {
    print "slice,cpu,group,call,calls,cpu_ns,elapsed_ns,start_mono_ns,end_mono_ns"
    for (slice = 0; slice < 160; slice++) {
      group = slice % 4 == 1 || slice % 4 == 2
      watched = group == (slice < 80)
      printf "%d,0,%d,getppid,1000,%d,0,%d,%d\n", slice, 7 + group, 100000 + 200000 * watched, slice * 25000000 + 3000000, slice * 25000000 + 24000000
    }
  }' | gzip >"$1/syscalls/slices.csv.gz"
}

@test "window T: what a system call costs more under a monitor; why it is not known; and nothing else moves" {
  cell auditd 100 1 4.00 20
  cell none 100 1 0.00 ""
  figures
  [ "$(<"$RUN/syscalls.csv")" = test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason ]
  cp "$RUN"/{cells,perf,differences}.csv "$BATS_TEST_TMPDIR"
  system_calls "$RUN/cells/auditd/100-1" ""
  figures
  [ "$(tail -n 1 "$RUN/syscalls.csv")" = auditd,getppid,side-by-side,100,300,200,200,200,1, ]
  for table in cells perf differences; do
    cmp "$RUN/$table.csv" "$BATS_TEST_TMPDIR/$table.csv"
  done
  system_calls "$RUN/cells/auditd/100-1" "the monitor died"
  figures
  [ "$(tail -n 1 "$RUN/syscalls.csv")" = "auditd,,side-by-side,,,,,,0,the monitor died" ]
  # One that is damaged is measured again, with its cell.
  system_calls "$RUN/cells/auditd/100-1" ""
  : >"$RUN/cells/auditd/100-1/syscalls/phases.csv"
  run "$FIGURES" "$RUN"
  [ "$status" -eq 1 ]
  [[ $output == *"cells/auditd/100-1: syscalls/phases.csv "* ]]
  [ "$(value cells.csv auditd 100 status)" = unreadable ]
  [ "$(wc -l <"$RUN/syscalls.csv")" -eq 1 ]
}

@test "a run with a set of rules has what the set adds; one of kinds of rules has not" {
  local rep cell
  for rep in 1 2 3; do
    cell none 400 "$rep" 0.00 ""
    cell auditd 400 "$rep" 4.00 20
    cell auditd+stig=34 400 "$rep" 5.00 19
    for cell in "$RUN/cells/auditd/400-$rep" "$RUN/cells/auditd+stig=34/400-$rep"; do
      jq '.records_per_sec = (if .test == "auditd" then 80 else 200 end)' "$cell/cell.json" >"$cell/cell.json.new"
      mv "$cell/cell.json.new" "$cell/cell.json"
    done
  done
  echo '{"kind": "rules", "run_tag": "xtag", "options": {"set": null, "reps": 3, "duration_s": 2, "instrumented_s": 2}}' >"$RUN/manifest.json"
  figures
  [ -e "$RUN/rules.csv" ]
  [ ! -e "$RUN/sets.csv" ]
  [ "$(value perf.csv auditd+stig=34 400 records_per_sec)" = 200 ]
  jq '.options.set = "stig"' "$RUN/manifest.json" >"$RUN/manifest.json.new"
  mv "$RUN/manifest.json.new" "$RUN/manifest.json"
  figures
  added() {
    mlr --icsv --ocsvlite --headerless-csv-output filter '$figure == "'"$1"'"' then cut -o -f monitor,set,rules,without,with,added,added_low,added_high "$RUN/sets.csv"
  }
  [ "$(added daemon_us)" = "auditd,stig,34,10000,12500,2500,2500,2500" ]
  [ "$(added records_per_sec)" = "auditd,stig,34,80,200,120,120,120" ]
  [ "$(added lost)" = "auditd,stig,34,0,5,5,5,5" ]
}

@test "changes of series in a table" {
  { echo "series,value" && seq -f 'a,%g' 1 3 && for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "b,$((i % 2 + (i > 6) * 50))"; done; } >"$BATS_TEST_TMPDIR/series.csv"
  run --separate-stderr "$FIGURES" --changes "$BATS_TEST_TMPDIR/series.csv"
  echo "$output$stderr"
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "series,first,p,before,after,difference,difference_low,difference_high" ]
  # 6 of 0 and 1 by turns, then 6 of 50 and 51: R: t.test(rep(50:51, 3), rep(0:1, 3))$conf.int.
  [[ ${lines[1]} =~ ^b,6,0\.00[1-9],0\.5,50\.5,50,49\.295,50\.705$ ]]
  [ "${#lines[@]}" -eq 2 ]
  printf 'series,value\na,much\n' >"$BATS_TEST_TMPDIR/series.csv"
  run --separate-stderr "$FIGURES" --changes "$BATS_TEST_TMPDIR/series.csv"
  [ "$status" -eq 1 ]
  [[ $stderr == *"line 2: 'much' is no number"* ]]
}
