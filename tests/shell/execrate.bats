#!/usr/bin/env bats
# execrate as its callers see it: options, results, signals, failures.

bats_require_minimum_version 1.5.0

load process

setup() {
  EXECRATE=$(realpath "${EXECRATE:-$BATS_TEST_DIRNAME/../../build/execrate}")
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  end_started
  if [[ -n ${shared_dir:-} ]]; then
    rm -rf "$shared_dir"
  fi
}

# script NAME LINES: an executable shell script.
script() {
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod 755 "$1"
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$EXECRATE" "$@"
}

# start_execrate ARGUMENTS...: in the background, where bash would have it ignore SIGINT.
start_execrate() {
  start env --default-signal=INT,TERM,HUP "$EXECRATE" "$@"
}

@test "bad rates are refused" {
  local rate
  for rate in 0 -1 nan inf '' abc 1x 0x10 ' 5' 1e400 0.0000001; do
    refused "*--rate '$rate': expected launches per second*" --rate="$rate" --duration 1
  done
}

@test "a rate above the clock's resolution is refused" {
  refused '*--rate*resolution of the clock*' --rate 2e9 --duration 1
}

@test "bad durations are refused" {
  local duration
  for duration in 0 -1 nan inf '' 1s 1e10; do
    refused "*--duration '$duration': expected seconds*" --rate 1 --duration="$duration"
  done
}

@test "a rate or --max, and a duration, are required" {
  refused '*expected --rate HZ or --max*' --duration 1
  refused '*expected --duration SECONDS*' --rate 1
  refused '*expected only one of them*' --rate 1 --max --duration 1
}

@test "a command that cannot be executed is refused" {
  touch not-executable
  refused "*--command 'missing': No such file*" --rate 1 --duration 1 --command missing
  refused "*--command 'not-executable'*Permission denied*" --rate 1 --duration 1 --command not-executable
  refused "*--command '/': expected a file*" --rate 1 --duration 1 --command /
}

@test "result files that cannot be written are refused" {
  refused "*--json 'no/such/dir'*No such file*" --rate 1 --duration 1 --json no/such/dir
  refused "*--launches '/'*Is a directory*" --rate 1 --duration 1 --launches /
  refused '*expected two different files*' --rate 1 --duration 1 --json same --launches ./same
  refused '*expected two different files*' --rate 1 --duration 1 --launches -
}

@test "bad CPU lists are refused" {
  local cpus
  for cpus in '' a '0,' 3-1 1-2-3 -1 99999999; do
    refused "*--cpus '$cpus': *" --rate 1 --duration 1 --cpus="$cpus"
  done
  refused '*CPU 8000 is not available, expected some of *' --rate 1 --duration 1 --cpus 8000
}

@test "bad tags are refused" {
  local tag
  for tag in '' 'a b' 'a"b' 'é' a/b "$(printf '%0101d' 0)"; do
    refused "*--tag '$tag': expected 1 to 100 characters*" --rate 1 --duration 1 --tag="$tag"
  done
}

@test "bad thread counts are refused" {
  local threads
  for threads in 0 -1 x '' 1025; do
    refused "*--threads '$threads': expected 'auto'*" --rate 1 --duration 1 --threads="$threads"
  done
}

@test "more launches than can be recorded are refused" {
  refused '*too many to record*' --rate 1e9 --duration 3e8
}

@test "unknown options and extra arguments are refused" {
  refused "*unrecognized option '--frobnicate'*" --rate 1 --duration 1 --frobnicate
  refused "*invalid option -- 'x'*" -x
  refused "*option '--rate' requires an argument*" --duration 1 --rate
  refused "*'extra': expected options only*" --rate 1 --duration 1 extra
}

@test "nothing is launched, nor a file touched, when the options are bad" {
  script command 'touch launched'
  echo kept >result
  refused '*--tag*' --rate 100 --duration 1 --command ./command --json result --tag 'a b'
  [[ ! -e launched ]]
  [[ $(<result) == kept ]]
}

@test "--help documents figures and exit status, --version has one line" {
  run -0 "$EXECRATE" --help
  local word
  for word in --rate --max --duration --command --tag --threads --cpus --json --launches \
    environment saturated lateness_us spawn_to_exit_us child_cpu_us self_cpu_us_per_launch 'Exit status'; do
    [[ $output == *"$word"* ]] || {
      echo "no $word"
      return 1
    }
  done
  run -0 "$EXECRATE" --version
  [[ ${#lines[@]} -eq 1 && $output == execrate* ]]
}

@test "the result is JSON with every figure, on stdout" {
  run -0 --separate-stderr "$EXECRATE" --rate 50 --duration 0.5
  [[ -z $stderr ]]
  jq -e '
    .rate_hz == 50 and .duration_s == 0.5 and .threads > 0 and .command == "/bin/true" and .tag == null
    and .asked == 25 and .failures == {} and .child_nonzero_exits == 0 and .interrupted == false
    and ([.lateness_us, .spawn_to_exit_us | .p50 <= .p90 and .p90 <= .p99 and .p99 <= .p999 and .p999 <= .max] | all)
    and .lateness_us.p50 >= 0 and .spawn_to_exit_us.p50 > 0
    and .child_cpu_us.mean > 0 and .child_cpu_us.p50 <= .child_cpu_us.p99
    and .self_cpu_us_per_launch > 0 and .covered_s == 0.5 and (.saturated | type) == "boolean"
    and .achieved_hz == .launched / .covered_s and .reached == (.achieved_hz >= 0.99 * .rate_hz)
    and .end_mono_ns - .start_mono_ns >= 500000000 and .end_real_ns > .start_real_ns
    and .start_real_ns > 1600000000000000000' <<<"$output"
}

@test "launched + failed + missed == asked == rate * duration" {
  local rate
  for rate in 3 0.5 12.5 400; do
    "$EXECRATE" --rate "$rate" --duration 2 --json - >result
    jq -e '.launched + .failed + .missed == .asked and .asked == (.rate_hz * 2 | ceil)' result
  done
}

@test "a load that no machine can hold is missed and saturated, not stretched" {
  "$EXECRATE" --rate 1000000 --duration 0.3 >result
  jq -e '.saturated and .missed > 0 and .asked == 300000 and .launched + .failed + .missed == .asked' result
  jq -e '.covered_s == 0.3 and .achieved_hz < .rate_hz' result
}

@test "launches file: a record a launch, in order, with due times on the schedule" {
  "$EXECRATE" --rate 40 --duration 0.5 --json result --launches launches
  [[ $(head -1 launches) == seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status ]]
  [[ $(tail -n +2 launches | wc -l) -eq $(jq .launched result) ]]
  # Differences first: awk's numbers don't hold nanoseconds since 1970 exactly, but hold uptimes.
  tail -n +2 launches | awk -F, -v start="$(jq .start_mono_ns result)" '
    NF != 8 { print "columns: " $0; exit 1 }
    $2 - start != $1 * 25000000 { print "not on schedule: " $0; exit 1 }
    $3 < $2 || $6 <= 0 || $7 <= 0 || $8 != 0 || $1 <= last && NR > 1 { print "wrong: " $0; exit 1 }
    { last = $1 }'
}

@test "exit statuses and signals are told apart" {
  # shellcheck disable=SC2016 # for the script to expand
  script command 'case ${1#t-} in 0) exit 3;; 1) kill -9 $$;; esac'
  "$EXECRATE" --rate 4 --duration 0.75 --command ./command --tag t --json result --launches launches
  run -0 cut -d, -f8 launches
  [[ $output == $'status\n3\nSIGKILL\n0' ]]
  jq -e '.child_nonzero_exits == 2 and .launched == 3 and .failed == 0' result
}

# With one argument alone, the true of coreutils does three times as much.
@test "tags arrive as argv[1], each once, with a second argument; without --tag there is none" {
  script command "echo \"\$# \$1 \$2\" >>$PWD/seen"
  "$EXECRATE" --rate 100 --duration 0.5 --command ./command --tag cell-1:a_b.C --json result --launches launches
  [[ $(jq .launched result) -gt 1 && $(head -1 seen) == '2 cell-1:a_b.C-'*' exectax' ]]
  diff <(sort seen) <(awk -F, 'NR > 1 { print "2 cell-1:a_b.C-" $1 " exectax" }' launches | sort)
  rm seen
  "$EXECRATE" --rate 10 --duration 0.1 --command ./command --json result
  [[ $(<seen) == '0  ' ]]
}

@test "--groups: eight of each 16, as a seed draws them, and every child is a member of its group" {
  cat >"$BATS_TEST_TMPDIR/child" <<'CHILD'
#!/bin/bash
read -ra ids <<<"$(grep ^Gid: /proc/self/status)"
echo "${1#t-} ${ids[1]} ${ids[2]}" >>"${0%/*}/members"
CHILD
  chmod +x "$BATS_TEST_TMPDIR/child"
  cd "$BATS_TEST_TMPDIR" || return 1
  "$EXECRATE" --rate 50 --duration 1.6 --threads 3 --groups 1900000101,1900000102 --seed 5 --tag t --command "$BATS_TEST_TMPDIR/child" --launches launches --json json
  jq -e '.groups == [1900000101, 1900000102] and .seed == 5 and .block_launches == 16 and .launched == 80' json
  diff <(sort -n members) <(awk -F, 'NR > 1 { gid = 1900000101 + $9; print $1, gid, gid }' launches)
  # Not all in the same order.
  awk -F, 'NR > 1 { sum += $9; order = order $9 } NR > 1 && (NR - 1) % 16 == 0 { if (sum != 8) bad = 1; if (!(order in seen)) orders++; seen[order]; sum = 0; order = "" }
    END { exit bad || orders <= 2 }' launches
  awk -F, 'NR > 1 && !($10 > 1000 && $11 > 10 && $12 + $13 > 0) { exit 1 }' launches
  "$EXECRATE" --rate 50 --duration 1.6 --groups 1900000101,1900000102 --seed 5 --launches again --json json
  diff <(cut -d, -f1,9 launches) <(cut -d, -f1,9 again)
  "$EXECRATE" --rate 50 --duration 1.6 --groups 1900000101,1900000102 --seed 6 --launches other --json json
  run ! diff <(cut -d, -f1,9 launches) <(cut -d, -f1,9 other)
}

# cpus_of LAUNCHES THREADS: the CPU that each thread launched from, on a line. It may be moved on between being free to move and clone(), but seldom.
cpus_of() {
  awk -F, -v threads="$2" '
    NR > 1 { count[$1 % threads, $14]++; made[$1 % threads]++; if ($14 > last) last = $14 }
    END { for (i = 0; i < threads; i++) for (cpu = 0; cpu <= last; cpu++) if (count[i, cpu] >= 0.9 * made[i]) print cpu }' "$1"
}

# launch_from_cpus THREADS SEED OPTION...: some 25 launches a thread. Says which CPU each launched from.
launch_from_cpus() {
  "$EXECRATE" --rate $((25 * $1)) --duration 1 --threads "$1" --groups 1900000101,1900000102 --seed "$2" --launches launches --json json "${@:3}"
  cpus_of launches "$1"
}

@test "--groups: as many threads launch from each CPU, drawn by the seed, and what they launch may run on any" {
  local cpus lowest count
  count=$(nproc)
  script command "grep Cpus_allowed_list /proc/self/status >>$PWD/allowed"
  launch_from_cpus $((4 * count)) 1 --command ./command >drawn
  cpus=$(jq -r .cpus json)
  [[ $(sort -u allowed) == $'Cpus_allowed_list:\t'"$cpus" && $(wc -l <allowed) -eq $(jq .launched json) ]]
  [[ $(sort drawn | uniq -c | awk '{ print $1 }' | sort -u) == 4 && $(sort -u drawn | wc -l) -eq $count ]]
  diff drawn <(launch_from_cpus $((4 * count)) 1)
  [[ $count -eq 1 || $(launch_from_cpus $((4 * count)) 2) != "$(<drawn)" || $(launch_from_cpus $((4 * count)) 3) != "$(<drawn)" ]]
  # One more, where they don't come out even; one CPU alone, where there is no other.
  lowest=${cpus%%[,-]*}
  [[ $(launch_from_cpus $((count + 1)) 0 | grep -cx "$lowest") -eq 2 ]]
  [[ $(launch_from_cpus 4 0 --cpus "$lowest" | sort -u) == "$lowest" ]]
}

@test "groups that are none, or that may not be set, are refused" {
  refused "*--groups '0,5': expected two different group ids from 1 to 4294967294, with a comma between them" --rate 1 --duration 1 --groups 0,5
  refused "*--groups and --max: expected --rate HZ with --groups" --max --duration 1 --groups 4,5
  run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$EXECRATE" --rate 1 --duration 1 --groups 4,5
  [ "$status" -eq 2 ]
  [ "$stderr" = "execrate: --groups '4,5': cannot take group 4, expected to run as root: Operation not permitted" ]
}

@test "children have /dev/null as stdin, and no file of execrate's" {
  local body="exec >>$PWD/seen
    readlink /proc/\$\$/fd/0
    set -- /proc/\$\$/fd/*
    echo \$#"
  script command "$body"
  # The same inheritance on both sides, so that only what execrate adds can differ.
  ./command </dev/null 3>&-
  mv seen expected
  "$EXECRATE" --rate 10 --duration 0.1 --command ./command --json result --launches launches 3>&-
  diff expected seen
  head -1 seen | grep -qx /dev/null
}

# environment_of COMMAND...: of what it launches, a variable a line; the command is execrate, with what comes before it.
environment_of() {
  "$@" --rate 10 --duration 0.1 --command /usr/bin/env --json result
}

@test "children have the same environment, whatever execrate's own is, and the result has its size" {
  local i
  local -a huge
  for ((i = 0; i < 100; i++)); do
    huge+=("HUGE_$i=$(printf '%010000d' 0)")
  done
  environment_of "$EXECRATE" >usual
  environment_of env -i "$EXECRATE" >empty
  environment_of env MONITOR_NAME=x PATH=/x LANG=xx "${huge[@]}" "$EXECRATE" >huge
  diff usual empty
  diff usual huge
  grep -qx 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' usual
  (($(wc -c <usual) >= 1024 && $(wc -c <usual) <= 2048))
  [[ $(jq -c .environment result) == "{\"variables\":$(wc -l <usual),\"bytes\":$(wc -c <usual)}" ]]
}

@test "children have the signal mask and dispositions that execrate was started with" {
  # No shell in between: dash unblocks everything when it starts.
  printf '#!/usr/bin/env -S grep -h ^Sig[BIC] /proc/self/status\n' >signals
  chmod 755 signals
  # Signals 32 and 33 are the C library's own; a threaded program can't leave them ignored.
  without_libc_signals() {
    local name mask
    while read -r name mask; do
      printf '%s %x\n' "$name" $((16#$mask & ~0x180000000))
    done
  }
  ./signals | without_libc_signals >expected
  "$EXECRATE" --rate 10 --duration 0.1 --command ./signals --json result | without_libc_signals >seen
  diff expected seen
  grep -q SigBlk seen
}

@test "children that take 2 s do not delay the launches" {
  script command 'exec sleep 2'
  "$EXECRATE" --rate 50 --duration 1 --command ./command --json result
  jq -e '.launched > 40 and .lateness_us.p99 < 1000000 and .spawn_to_exit_us.p50 > 1900000' result
}

@test "execrate ends no earlier than its duration" {
  "$EXECRATE" --rate 1 --duration 0.6 --json result
  jq -e '.asked == 1 and .end_mono_ns - .start_mono_ns >= 600000000' result
}

@test "--cpus binds execrate and its children" {
  local cpu
  cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
  script command "grep Cpus_allowed_list /proc/self/status >>$PWD/seen"
  "$EXECRATE" --rate 10 --duration 0.1 --cpus "$cpu" --command ./command --json result
  [[ $(cut -f2 seen) == "$cpu" ]]
  jq -e --arg cpu "$cpu" '.cpus == $cpu' result
}

@test "--max launches as fast as it can, --threads at a time" {
  script command "mkdir $PWD/running || echo twice >>$PWD/seen; rmdir $PWD/running; echo once >>$PWD/seen"
  "$EXECRATE" --max --threads 1 --duration 0.5 --command ./command --json result --launches launches
  [[ $(sort -u seen) == once ]]
  [[ $(wc -l <seen) -eq $(jq .launched result) ]]
  [[ $(tail -n +2 launches | wc -l) -eq $(jq .launched result) ]]
  jq -e '.rate_hz == null and .lateness_us == null and .saturated == false and .missed == 0 and .threads == 1
    and .launched > 1 and .asked == .launched' result
}

@test "--max that has no room for more launches ends with a word, a status of its own, and figures of the time until then" {
  # The process's name holds the tag, a dash, and two digits.
  run -3 --separate-stderr "$EXECRATE" --max --duration 100 --action open --tag x12345678901 --json result --launches launches
  [[ ${#stderr_lines[@]} -eq 1 && $stderr == 'execrate: --max ended after '*' s: there is room for 100 launches, and no more'* ]]
  jq -e '.room_used_up and (.interrupted | not) and .launched == 100 and .asked == 100 and .covered_s < 100
    and (.achieved_hz * .covered_s / .launched - 1 | fabs) < 0.001' result
  [[ $(tail -n +2 launches | wc -l) -eq 100 ]]
  "$EXECRATE" --max --duration 0.05 --threads 1 --json result
  jq -e '.room_used_up == false' result
}

@test "an interrupt ends the launching and still writes the result" {
  local signal
  for signal in INT TERM HUP; do
    rm -f launched
    script command "touch $PWD/launched"
    start_execrate --rate 20 --duration 1000 --command ./command --json result --launches launches
    wait_for test -e launched
    kill -s "$signal" "$pid"
    finish
    [[ $status -eq $((128 + $(kill -l "$signal"))) ]]
    jq -e '.interrupted and .launched > 0 and .launched + .failed + .missed == .asked and .asked < 20000
      and .covered_s < 1000' result
    [[ $(tail -n +2 launches | wc -l) -eq $(jq .launched result) ]]
  done
}

@test "an interrupt ends a long wait for the next launch at once" {
  script command "touch $PWD/launched"
  start_execrate --rate 0.001 --duration 3000 --command ./command --json result
  wait_for test -e launched
  kill -s TERM "$pid"
  finish
  [[ $status -eq 143 ]]
  jq -e '.asked == 1 and .launched == 1' result
}

@test "an interrupt ends --max" {
  script command "touch $PWD/launched"
  start_execrate --max --duration 1000 --command ./command --json result
  wait_for test -e launched
  kill -s INT "$pid"
  finish
  [[ $status -eq 130 ]]
  jq -e '.interrupted and .launched > 0 and .covered_s < 1000 and .achieved_hz > 0' result
}

@test "a second signal kills children that hang" {
  local mode
  for mode in '--rate=20' '--max'; do
    rm -f launched
    script command "trap '' INT TERM HUP; touch $PWD/launched; exec sleep 60"
    start_execrate "$mode" --duration 1000 --command ./command --json result --launches launches
    wait_for test -e launched
    kill -s TERM "$pid"
    sleep 0.3
    kill -0 "$pid"
    kill -s TERM "$pid"
    finish
    [[ $status -eq 143 ]]
    jq -e '.interrupted and .launched > 0 and .child_nonzero_exits == .launched' result
    [[ $(tail -n +2 launches | cut -d, -f8 | sort -u) == SIGKILL ]]
  done
}

@test "a SIGHUP that was ignored stays ignored" {
  script command "touch $PWD/launched"
  start env --ignore-signal=HUP "$EXECRATE" --rate 20 --duration 2 --command ./command --json result
  wait_for test -e launched
  kill -s HUP "$pid"
  finish
  [[ $status -eq 0 ]]
  jq -e '.interrupted == false and .asked == 40' result
}

@test "a file that the kernel cannot execute counts as failed" {
  printf '\177not a program' >garbage
  chmod 755 garbage
  "$EXECRATE" --rate 50 --duration 0.2 --command ./garbage --json result --launches launches
  jq -e '.failed > 0 and .launched == 0 and .failures == {"ENOEXEC": .failed} and .achieved_hz == 0' result
  [[ $(tail -n +2 launches | cut -d, -f6-8 | sort -u) == ',,ENOEXEC' ]]
  "$EXECRATE" --max --duration 0.2 --command ./garbage --json result
  jq -e '.failed > 0 and .launched == 0 and .failures.ENOEXEC == .failed' result
}

@test "launches that fail at the process limit are counted" {
  [[ $EUID -eq 0 ]] || skip 'needs root, to become a user without processes'
  shared_dir=$(mktemp -d)
  chmod 755 "$shared_dir"
  cp "$EXECRATE" "$shared_dir/execrate"
  script "$shared_dir/command" 'exec sleep 0.5'
  cd "$shared_dir"
  local limited='ulimit -u 10; exec ./execrate --threads 2 --rate 50 --duration 1 --command ./command'
  setpriv --reuid=61234 --regid=61234 --clear-groups bash -c "$limited" >"$BATS_TEST_TMPDIR/result"
  jq -e '.failures.EAGAIN > 0 and .failures.EAGAIN == .failed and .launched > 0
    and .launched + .failed + .missed == .asked and .asked == 50' "$BATS_TEST_TMPDIR/result"
}

@test "a result that cannot be written is an error" {
  [[ -e /dev/full ]] || skip 'no /dev/full'
  run --separate-stderr "$EXECRATE" --rate 10 --duration 0.1 --json /dev/full
  [[ $status -eq 1 && $stderr == 'execrate: cannot write /dev/full: No space left on device' ]]
}

@test "a command name that is not UTF-8 still gives valid JSON" {
  script $'odd"\xff\n' 'exit 0'
  "$EXECRATE" --rate 10 --duration 0.1 --command $'./odd"\xff\n' --json result
  jq -e '.command == "./odd\"\ufffd\n"' result
}

@test "a child that came with the process is not mistaken for a launch" {
  script parent "sleep 0.2 & exec $EXECRATE --rate 20 --duration 0.5 --json result"
  ./parent
  jq -e '.asked == 10 and .launched + .missed == 10 and .launched > 0' result
}

actions() {
  "$EXECRATE" --list-actions | cut -f 1
}

@test "--list-actions: a name and what it does on each line; --help has them too" {
  "$EXECRATE" --list-actions >listed
  [[ $(wc -l <listed) -ge 2 ]]
  run ! grep -vE $'^[a-z][a-z0-9-]*\t[^\t]+$' listed
  grep -q $'^exec\t' listed
  "$EXECRATE" --help >help
  local action
  for action in $(actions); do
    grep -qE "^  $action  +[^ ]" help
  done
}

@test "--list-actions that cannot be written is an error" {
  [[ -e /dev/full ]] || skip 'no /dev/full'
  run bash -c '"$1" --list-actions >/dev/full' - "$EXECRATE"
  [[ $status -eq 1 && $output == 'execrate: cannot write to stdout: No space left on device' ]]
}

# done_all ACTION...: every launch takes one of the actions, and each succeeds. A host robbed of CPU may miss the last ones.
done_all() {
  local list
  list=$(
    IFS=,
    echo "$*"
  )
  "$EXECRATE" --rate 200 --duration 0.3 --tag t --action "$list" --json result.json
  [[ $(jq -c .actions result.json) == "$(printf '%s\n' "$@" | jq -Rnc '[inputs]')" ]]
  jq -c '[.asked, .launched, .failed, .missed, .child_nonzero_exits]' result.json
  jq -e '.asked == 60 and .launched > 0 and .launched + .missed == 60 and .failed == 0 and .child_nonzero_exits == 0' result.json
}

@test "open, connect: each launch is one" {
  done_all open
  done_all connect
}

@test "each action there is: each launch is one, and the host sees none of it" {
  ((EUID == 0)) || skip "needs root"
  ls -la /usr/sbin >before
  cat /proc/self/mounts >mounts
  local action
  for action in $(actions); do
    echo "$action"
    done_all "$action"
  done
  # shellcheck disable=SC2046 # a word each
  done_all $(actions)
  ls -la /usr/sbin | diff before -
  diff mounts /proc/self/mounts
}

@test "a mix takes its actions in turn" {
  script true.sh 'echo "$1" >>ran'
  "$EXECRATE" --rate 200 --duration 0.05 --tag t --action open,exec --command ./true.sh --json result.json
  # Of the launches 0 to 9, less those at the end that a busy host missed, every second executes.
  local launched
  launched=$(jq .launched result.json)
  ((launched > 1))
  [[ $(sort ran | paste -sd ' ') == "$(seq -f 't-%g' 1 2 $((launched - 1)) | paste -sd ' ')" ]]
}

@test "an action that fails is a launch that failed, with its reason" {
  ((EUID == 0)) || skip "needs root"
  script unprivileged 'exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"'
  chmod 755 .
  ./unprivileged "$EXECRATE" --rate 100 --duration 0.1 --action read-sensitive >result.json || skip "another user can't run $EXECRATE"
  [[ $(jq -c '[.launched, .failed, .failures]' result.json) == '[0,10,{"EACCES":10}]' ]]
}

@test "bad actions are refused, and tags that don't fit into a process's name" {
  local action
  for action in $(actions); do
    refused "*--action 'exec,fork': expected some of *$action, *with commas between them" --rate 1 --duration 1 --action exec,fork
  done
  refused "*--action 'open,open'*expected each action once" --rate 1 --duration 1 --action open,open
  refused "*--tag 'x1234567890'*expected at most 10 characters*" --rate 1000 --duration 1.1 --action open --tag x1234567890
  refused "*--tag 'x1234567890'*expected at most 10 characters*" --rate 1000 --duration 1.1 --action exec,open --tag x1234567890
  "$EXECRATE" --rate 1000 --duration 0.01 --action open --tag x1234567890 --json /dev/null
  # What is executed has it as an argument.
  "$EXECRATE" --rate 1000 --duration 0.01 --action exec --tag "$(printf '%0100d' 0)" --json /dev/null
}
