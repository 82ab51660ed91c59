#!/usr/bin/env bats
# A quick sweep with monitors that need no audit: BPF, the process connector, process accounting.

load helpers

setup_file() {
  require_root
  mkdir -p "$STATE"
  chmod 0755 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$STATE"
  use_monitor_store
  touch "$STATE/lock"
  host_state >"$BATS_FILE_TMPDIR/before"
  export RUN=$BATS_FILE_TMPDIR/run
  sweep --install --keep-logs --side $((RATE < 50 ? 14 : 3)) --out "$RUN" --monitors "execsnoop execsnoop-bpftrace forkstat acct" \
    >"$BATS_FILE_TMPDIR/stdout" 2>"$BATS_FILE_TMPDIR/stderr" || {
    cat "$BATS_FILE_TMPDIR/stderr"
    return 1
  }
  host_state >"$BATS_FILE_TMPDIR/after"
}

teardown_file() {
  remove_state
}

# measured NAME: skips a monitor that can't run here.
measured() {
  [[ $(column "$RUN/perf.csv" status "$1") != skipped ]] || skip "$1: $(column "$RUN/perf.csv" reason "$1")"
  [ "$(column "$RUN/cells.csv" status "$1")" = ok ]
}

# in_log NAME PATTERN: lines of its kept log that match.
in_log() {
  local tag
  tag=$(jq -r .tag "$RUN/cells/$1/$RATE-1/load.json")
  grep -aoE -- "${2/TAG/$tag}" "$RUN/monitors/$1"/1-1/log/* | sort -u | wc -l
}

@test "the sweep leaves the host as it was" {
  diff "$BATS_FILE_TMPDIR/before" "$BATS_FILE_TMPDIR/after"
}

@test "execsnoop: what is recorded is what its log holds, and what it lost is what it says" {
  measured execsnoop
  [ "$(column "$RUN/cells.csv" recorded execsnoop)" -eq "$(in_log execsnoop '/bin/true TAG-[0-9]+')" ]
  [[ $(column "$RUN/cells.csv" lost execsnoop) == 0 || $(column "$RUN/cells.csv" loss_counters execsnoop) =~ execsnoop_lost_events=[1-9] ]]
}

@test "execsnoop: the cpu of its only process is its cgroup's" {
  measured execsnoop
  mlr --icsv --ojson filter '$test == "execsnoop"' "$RUN/cells.csv" |
    jq -e 'all(.daemon_cpu > 0 and (.pidstat_daemon - .daemon_cpu | fabs) < ([0.8, .daemon_cpu / 2] | max))'
}

@test "execsnoop.bt: what is recorded is what its log holds" {
  measured execsnoop-bpftrace
  [ "$(column "$RUN/cells.csv" recorded execsnoop-bpftrace)" -eq "$(in_log execsnoop-bpftrace '/bin/true TAG-[0-9]+')" ]
}

@test "forkstat: an execution counts only if its own arguments were read in time" {
  measured forkstat
  recorded=$(column "$RUN/cells.csv" recorded forkstat)
  [ "$recorded" -gt 0 ]
  [ "$recorded" -le "$(column "$RUN/cells.csv" launched forkstat)" ]
  [ "$recorded" -eq "$(in_log forkstat '/bin/true TAG-[0-9]+')" ]
  [[ $(column "$RUN/cells.csv" loss_counters forkstat) =~ ^netlink_drops=[0-9]+$ ]]
}

# switched NAME PROBLEM: skips a monitor that can't run here. PROBLEM: a pattern of what its window S may say.
switched() {
  measured "$1"
  cells test,inprogram_method,side_problem,side_launches,side_program_us,side_program_error_us | jq -e --arg monitor "$1" --arg problem "$2" 'any(.test == $monitor
    and .inprogram_method == "switched" and (.side_problem | test("^(\($problem))$"))
    and (.side_problem != "" or .side_launches > 0 and .side_program_error_us > 0))'
}

@test "forkstat is compared side by side: what it was not told of is not in its log" {
  # It may lose more than half: that is looked at last, and voids the window.
  switched forkstat '|[0-9]+ of [0-9]+ watched launches are in the log'
}

@test "process accounting is compared side by side" {
  switched acct ''
}

@test "process accounting: every execution is counted, and none after the run" {
  measured acct
  [ "$(column "$RUN/cells.csv" recorded acct)" -eq "$(column "$RUN/cells.csv" launched acct)" ]
  file=$RUN/monitors/acct/1-1/log/pacct
  size=$(stat -c %s "$file")
  # A record is 64 bytes, and a process that ends leaves one.
  [ "$((size % 64))" -eq 0 ]
  /bin/true
  [ "$(stat -c %s "$file")" -eq "$size" ]
}
