#!/usr/bin/env bats
# syscost as its callers see it: options, results, groups, signals, failures.

bats_require_minimum_version 1.5.0

load process

setup() {
  SYSCOST=$(realpath "${SYSCOST:-$BATS_TEST_DIRNAME/../../build/syscost}")
  cd "$BATS_TEST_TMPDIR" || return
  cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
}

teardown() {
  if [[ -n ${session:-} ]]; then
    ps -o pid= --sid "$session" | xargs --no-run-if-empty kill -s KILL 2>/dev/null || true
  fi
  end_started
  if [[ -n ${shared_dir:-} ]]; then
    rm -rf "$shared_dir"
  fi
}

needs_root() {
  ((EUID == 0)) || skip "needs root, to take a group"
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$SYSCOST" "$@"
}

# start_syscost ARGUMENTS...: in the background, in a session of its own, where bash would have it ignore SIGINT; sets session.
# Waits until it measures.
start_syscost() {
  start setsid env --default-signal=INT,TERM,HUP "$SYSCOST" "$@"
  session=$pid
  wait_for a_slice
}

# a_slice: sets slice, the process of one.
a_slice() {
  local worker
  worker=$(pgrep --parent "$pid" | head -1)
  slice=$(pgrep --parent "${worker:-none}" 2>/dev/null) && [[ -n $slice ]]
}

# Whether the last signal that syscost was sent has arrived: one that waits would hide another.
signal_arrived() {
  [[ $(awk '$1 == "ShdPnd:" { print $2 }' "/proc/$pid/status") =~ ^0+$ ]]
}

# Whether none of the session runs; a zombie has ended.
all_ended() {
  ! ps -o stat= --sid "$session" | grep -q '^[^Z]'
}

# sound FILE: a CSV whose records are plausible and numbered, and whose slices each have all of the calls, and as many batches of each.
sound() {
  [[ $(head -1 "$1") == slice,cpu,group,call,calls,cpu_ns,elapsed_ns,start_mono_ns,end_mono_ns ]]
  tail -n +2 "$1" | awk -F, '
    BEGIN {
      batch["getppid"] = 2000
      batch["read"] = 1000
      batch["connect"] = 500
      batch["open-close"] = 200
    }
    function wrong(what) {
      print what ": " $0
      bad = 1
      exit 1
    }
    NF != 9 { wrong("columns") }
    !($4 in batch) { wrong("call") }
    $5 < batch[$4] || $5 % batch[$4] { wrong("calls") }
    $6 / $5 < 20 || $6 / $5 > 1000000 { wrong("ns a call") }
    # The clocks are not quite alike.
    $6 > 1.01 * $7 { wrong("more CPU time than time") }
    $7 > $9 - $8 { wrong("more time in batches than from the first to the last") }
    $2 == cpu && $1 != number && $1 != number + 1 { wrong("number of slice") }
    $2 != cpu && $1 != 0 { wrong("first slice of a CPU") }
    {
      rounds = $5 / batch[$4]
      if (($2 " " $1) in of && of[$2 " " $1] != rounds) wrong("rounds")
      of[$2 " " $1] = rounds
      number = $1
      cpu = $2
    }
    END { exit bad || NR == 0 }'
}

@test "bad durations are refused" {
  local duration
  for duration in 0 -1 nan inf '' 1s 1e10; do
    refused "*--duration '$duration': expected seconds*" --duration="$duration"
  done
  refused '*no duration: expected --duration SECONDS' --calls read
}

@test "bad slices are refused" {
  local length
  for length in 0 -1 nan '' 40ms 11; do
    refused "*--slice '$length': expected seconds, a number from 0.001 to 10" --duration 1 --slice="$length"
  done
}

@test "bad lists of calls are refused, and the message names all calls" {
  local list
  for list in '' write 'read,' 'read connect'; do
    refused "*--calls '$list': expected some of getppid, read, connect, open-close, with commas between them" \
      --duration 1 --calls="$list"
  done
  refused "*--calls 'read,read': expected each call once" --duration 1 --calls read,read
}

@test "bad groups are refused" {
  local groups
  for groups in '' 1 '1,' 0,1 1,0 1,2,3 -1,2 1,4294967295 staff,root; do
    refused "*--groups '$groups': expected two different group ids*" --duration 1 --groups="$groups"
  done
  refused "*--groups '7,7': expected two different group ids*" --duration 1 --groups 7,7
}

@test "bad seeds are refused" {
  local seed
  for seed in '' -1 x 1.5 4294967296; do
    refused "*--seed '$seed': expected a whole number from 0 to 4294967295" --duration 1 --seed="$seed"
  done
}

@test "bad CPU lists are refused" {
  local cpus
  for cpus in '' a '0,' 3-1 -1 99999999; do
    refused "*--cpus '$cpus': *" --duration 1 --cpus="$cpus"
  done
  refused '*CPU 8000 is not available, expected some of *' --duration 1 --cpus 8000
}

@test "result files that cannot be written are refused" {
  refused "*--json 'no/such/dir'*No such file*" --duration 1 --json no/such/dir
  refused "*--output '/'*Is a directory*" --duration 1 --output /
  refused '*--json and --output: expected two different files' --duration 1 --json same --output ./same
  refused '*--json and --output: expected two different files' --duration 1 --output -
}

@test "more slices than can be recorded are refused" {
  refused '*too many to record*' --duration 3e8 --slice 0.001
}

@test "unknown options and extra arguments are refused" {
  refused "*unrecognized option '--frobnicate'*" --duration 1 --frobnicate
  refused "*option '--duration' requires an argument*" --duration
  refused "*'extra': expected options only*" --duration 1 extra
}

@test "--help documents calls, figures and exit status, --version has one line" {
  run -0 "$SYSCOST" --help
  local word
  for word in --duration --calls --cpus --slice --groups --seed --json --output getppid read connect open-close \
    mean_ns median_ns cpu_ns elapsed_ns start_mono_ns CLOCK_THREAD_CPUTIME_ID 'Exit status'; do
    [[ $output == *"$word"* ]] || {
      echo "no $word"
      return 1
    }
  done
  run -0 "$SYSCOST" --version
  [[ ${#lines[@]} -eq 1 && $output == syscost* ]]
}

@test "without groups: all calls on all CPUs, as CSV, and their means and medians as JSON" {
  run -0 --separate-stderr "$SYSCOST" --duration 0.3 --output slices.csv
  [[ -z $stderr ]]
  sound slices.csv
  jq -e '.duration_s == 0.3 and .slice_s == 0.04 and .groups == null and .interrupted == false
    and .calls == ["getppid", "read", "connect", "open-close"] and [.costs[].call] == .calls
    and (.costs | all(.group == null and .slices > 0 and .mean_ns > 20 and .median_ns > 20))
    and (.real_offset_ns + .start_mono_ns) / 1e9 - now > -60 and (.real_offset_ns + .start_mono_ns) / 1e9 - now < 0 and (.real_step_ns | type == "number")
    and .seed >= 0 and .end_mono_ns - .start_mono_ns >= 300000000' <<<"$output"
  [[ $(tail -n +2 slices.csv | cut -d, -f 3 | sort -u) == '' ]]
  # Those of the CSV are counted and averaged the same way.
  tail -n +2 slices.csv | awk -F, '
    { slices[$4]++; calls[$4] += $5; sum[$4] += $6 / $5 }
    END { for (call in slices) printf "%s %d %d %.3f\n", call, slices[call], calls[call], sum[call] / slices[call] }' | sort >expected
  jq -r '.costs[] | "\(.call) \(.slices) \(.calls) \(.mean_ns)"' <<<"$output" |
    while read -r call slices calls mean; do
      printf '%s %d %d %.3f\n' "$call" "$slices" "$calls" "$mean"
    done | sort | diff expected -
}

@test "a slice of each CPU of --cpus, of the calls of --calls, on stdout" {
  run -0 --separate-stderr "$SYSCOST" --duration 0.1 --slice 0.01 --cpus "$cpu" --calls connect,read --output - --json result
  printf '%s\n' "$output" >slices.csv
  sound slices.csv
  [[ $(tail -n +2 slices.csv | cut -d, -f 2 | sort -u) == "$cpu" ]]
  [[ $(tail -n +2 slices.csv | cut -d, -f 4 | sort -u) == $'connect\nread' ]]
  [[ $(jq -c '[.cpus, .calls, [.costs[].call]]' result) == '["'"$cpu"'",["connect","read"],["connect","read"]]' ]]
}

@test "slices follow each other on a CPU, each as long as --slice or a round longer" {
  "$SYSCOST" --duration 0.4 --slice 0.02 --cpus "$cpu" --output slices.csv --json result
  # The warm-up comes before the first batch.
  tail -n +2 slices.csv | awk -F, -v start="$(jq .start_mono_ns result)" '
    { begin = $8 - start; end = $9 - start }
    !($1 in first) || begin < first[$1] { first[$1] = begin }
    end > last[$1] { last[$1] = end }
    END {
      for (slice = 1; slice in first; slice++) {
        if (first[slice] <= last[slice - 1]) { print "slice " slice " begins before the end of the one before"; exit 1 }
        if (last[slice] - last[slice - 1] < 20000000) { print "slice " slice " is short"; exit 1 }
      }
      exit slice < 2
    }'
  jq -e '.costs[0].slices <= 20' result
}

@test "each worker is bound to a CPU of its own" {
  local worker
  start_syscost --duration 1000 --json result
  for worker in $(pgrep --parent "$pid"); do
    wait_for grep -qE $'^Cpus_allowed_list:\t[0-9]+$' "/proc/$worker/status"
    awk '$1 == "Cpus_allowed_list:" { print $2 }' "/proc/$worker/status" >>bound
  done
  [[ $(wc -l <bound) -eq $(sort -u bound | wc -l) ]]
  [[ $(wc -l <bound) -eq $(nproc) ]]
}

@test "groups: half of each block of four, drawn at random, and the same draws for the same seed" {
  needs_root
  local run
  for run in 1 2; do
    "$SYSCOST" --duration 1 --slice 0.002 --calls read --groups 61001,61002 --seed 17 --output "slices$run.csv" --json "result$run"
    sound "slices$run.csv"
    jq -e '.groups == [61001, 61002] and .seed == 17 and [.costs[].group] == .groups and (.costs | all(.slices > 0))' "result$run"
    tail -n +2 "slices$run.csv" | awk -F, '
      { count[$2, int($1 / 4)]++; first[$2, int($1 / 4)] += $3 == 61001; groups[$3] }
      END {
        for (block in count) if (count[block] == 4 && first[block] != 2) { print "block " block; exit 1 }
        for (block in count) whole += count[block] == 4
        exit !(length(groups) == 2 && whole >= 2)
      }'
    cut -d, -f 1-3 "slices$run.csv" | sort >"groups$run"
  done
  # One of the runs may have come further than the other: what both have is the same.
  [[ $(join -t ' ' groups1 groups2 | wc -l) -gt 8 ]]
  [[ -z $(join -t, -j 1 <(sed 's/,/-/' groups1) <(sed 's/,/-/' groups2) | awk -F, '$2 != $3') ]]
  # Not so for another seed: 8 slices are enough to differ but once in 36 times, these seeds do.
  "$SYSCOST" --duration 1 --slice 0.002 --calls read --groups 61001,61002 --seed 18 --output slices3.csv --json /dev/null
  cut -d, -f 1-3 slices3.csv | sort >groups3
  [[ -n $(join -t, -j 1 <(sed 's/,/-/' groups1) <(sed 's/,/-/' groups3) | awk -F, '$2 != $3') ]]
}

# groups_seen: adds to the file seen what the slice at hand has as its IDs.
groups_seen() {
  a_slice || return
  awk -v pid="$slice" '$1 == "Gid:" { print $2, $3, pid }' "/proc/$slice/status" >>seen 2>/dev/null || return
  [[ $(cut -d ' ' -f 1,2 seen | sort -u) == $'61001 61001\n61002 61002' && $(cut -d ' ' -f 3 seen | sort -u | wc -l) -ge 8 ]]
}

@test "groups: a slice is a process of its own, with the group as real and effective group ID" {
  needs_root
  start_syscost --duration 1000 --slice 0.2 --cpus "$cpu" --groups 61001,61002 --json result
  wait_for groups_seen
  # The worker has its own again while it waits.
  [[ $(awk '$1 == "Gid:" { print $2, $3 }' "/proc/$(pgrep --parent "$pid")/status") == "$(id -g) $(id -g)" ]]
}

@test "groups that may not be taken are refused, with nothing touched" {
  needs_root
  shared_dir=$(mktemp -d)
  chmod 755 "$shared_dir"
  cp "$SYSCOST" "$shared_dir/syscost"
  echo kept >result
  chmod 777 . result
  local -a unprivileged=(setpriv --reuid=61234 --regid=61234 --clear-groups)
  run --separate-stderr "${unprivileged[@]}" "$shared_dir/syscost" --duration 0.1 --groups 61234,61002 --json result
  [[ $status -eq 2 && -z $output ]]
  [[ $stderr == "syscost: --groups '61234,61002': cannot take group 61002, expected to run as root: Operation not permitted" ]]
  [[ $(<result) == kept ]]
  # All else needs no rights.
  "${unprivileged[@]}" "$shared_dir/syscost" --duration 0.1 --json - >as-nobody
  jq -e '.costs | length == 4 and all(.slices > 0)' as-nobody
}

@test "an interrupt ends the measuring and still writes the results, also where all its processes get the signal" {
  local signal
  for signal in INT TERM HUP; do
    start_syscost --duration 1000 --output slices.csv --json result
    # As a terminal does.
    kill -s "$signal" -- "-$pid"
    finish
    [[ $status -eq $((128 + $(kill -l "$signal"))) ]]
    jq -e '.interrupted and .end_mono_ns - .start_mono_ns < 100000000000 and (.costs | all(.slices > 0))' result
    sound slices.csv
    all_ended
  done
}

@test "an interrupt does not wait for the end of a slice" {
  start_syscost --duration 1000 --slice 10 --json result
  kill -s TERM "$pid"
  finish
  jq -e '.interrupted and .end_mono_ns - .start_mono_ns < 5000000000 and (.costs | all(.slices > 0))' result
}

@test "a SIGHUP that was ignored stays ignored" {
  start env --ignore-signal=HUP "$SYSCOST" --duration 1 --json result
  wait_for a_slice
  kill -s HUP "$pid"
  finish
  [[ $status -eq 0 ]]
  jq -e '.interrupted == false and .end_mono_ns - .start_mono_ns >= 1000000000' result
}

@test "a second signal ends what hangs, and the results are written" {
  start_syscost --duration 1000 --slice 10 --cpus "$cpu" --output slices.csv --json result
  kill -s STOP "$slice"
  kill -s TERM "$pid"
  wait_for signal_arrived
  run ! ended
  kill -s TERM "$pid"
  finish
  [[ $status -eq 143 ]]
  # The slice that hung is in no record.
  jq -e '.interrupted and (.costs | all(.slices == 0 and .mean_ns == null))' result
  [[ $(wc -l <slices.csv) -eq 1 ]]
  wait_for all_ended
}

@test "whatever ends syscost ends its processes" {
  start_syscost --duration 1000 --json result
  kill -s KILL "$pid"
  finish
  wait_for all_ended
}

@test "whatever ends syscost ends its processes, also where they have taken groups" {
  needs_root
  start_syscost --duration 1000 --groups 61001,61002 --json result
  # In the middle of a slice, and not of the first one.
  wait_for groups_seen
  kill -s KILL "$pid"
  finish
  wait_for all_ended
}

@test "a process that is killed is an error, and told" {
  start_syscost --duration 1000 --slice 10 --cpus "$cpu" --json result 2>said
  kill -s KILL "$slice"
  finish
  [[ $status -eq 1 && $(<said) == "syscost: a slice on CPU $cpu was ended by SIGKILL" ]]
  start_syscost --duration 1000 --json result 2>said
  kill -s KILL "$(pgrep --parent "$pid" | head -1)"
  finish
  [[ $status -eq 1 && $(<said) == 'syscost: the process that measures on CPU '[0-9]*' was ended by SIGKILL' ]]
  all_ended
}

@test "a call that fails is an error, told once" {
  start_syscost --duration 1000 --slice 0.01 --calls getppid,open-close --json result 2>said
  # Of the workers, so of all slices to come. The first one that fails ends the others.
  pgrep --parent "$pid" | xargs -I PID prlimit --pid PID --nofile=3 2>/dev/null || true
  finish
  [[ $status -eq 1 && $(<said) == 'syscost: cannot open and close /dev/null: Too many open files' ]]
}

# on_another_dev COMMAND: in a mount namespace of its own, after the command; sets what run sets.
on_another_dev() {
  run --separate-stderr unshare --mount sh -c "$1"' && exec "$0" --duration 1 --calls read' "$SYSCOST"
}

@test "what a call works on and is not there, or is not as expected, is an error" {
  needs_root
  on_another_dev 'mount --bind /dev/null /dev/zero'
  [[ $status -eq 1 && -z $output && $stderr == 'syscost: cannot read a byte of /dev/zero: No data available' ]]
  on_another_dev 'mount -t tmpfs none /dev'
  [[ $status -eq 1 && -z $output && $stderr == 'syscost: cannot read a byte of /dev/zero: No such file or directory' ]]
}

@test "a connect without a loopback is an error" {
  needs_root
  run --separate-stderr unshare --net "$SYSCOST" --duration 1 --calls connect
  [[ $status -eq 1 && -z $output && $stderr == 'syscost: cannot connect a UDP socket to 127.0.0.1: Network is unreachable' ]]
}

@test "a result that cannot be written is an error" {
  [[ -e /dev/full ]] || skip 'no /dev/full'
  run --separate-stderr "$SYSCOST" --duration 0.1 --json /dev/full
  [[ $status -eq 1 && $stderr == 'syscost: cannot write /dev/full: No space left on device' ]]
}

@test "a child that came with the process is not mistaken for a worker" {
  run -0 timeout --kill-after 5 20 bash -c 'sleep 0.2 & exec "$1" --duration 0.5' - "$SYSCOST"
  jq -e '.end_mono_ns - .start_mono_ns >= 500000000' <<<"$output"
}

@test "who ignores that children end gets results all the same" {
  run -0 timeout --kill-after 5 20 env --ignore-signal=CHLD "$SYSCOST" --duration 0.1
  jq -e '.costs | all(.slices > 0)' <<<"$output"
}

# What it measures is system calls: one that the kernel takes longer for costs more, by as much for each.
@test "a call that costs more is told to cost more" {
  "$SYSCOST" --duration 0.5 --json result
  jq -e '[.costs[].median_ns] | .[0] < .[2] and .[1] < .[2] and .[2] < .[3]' result
}
