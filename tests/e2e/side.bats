#!/usr/bin/env bats
# Windows S and T: watched and unwatched executions, and system calls, at the same time, with real monitors.

source "$BATS_TEST_DIRNAME/helpers.bash"

setup() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_state >"$BATS_TEST_TMPDIR/before"
  RUN=$BATS_TEST_TMPDIR/run
}

teardown_file() {
  remove_state
}

SIDE=$((RATE < 50 ? 400 / RATE : 5))

# The sweep of a test, after which the host is as before.
side() {
  # Ten blocks of 16 in either half, and at a full rate no more than needed.
  sweep --duration 2 --instrumented 0 --side "$SIDE" --out "$RUN" "$@"
  host_state >"$BATS_TEST_TMPDIR/after"
  diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
}

# side_of MONITOR FILE
side_of() {
  echo "$RUN/cells/$1/$RATE-1/side/$2"
}

@test "a monitor on audit: exactly those launches are in its log that are to be watched, and its rules are its own afterwards" {
  side --monitors none,auditd-raw,auditd-norules --keep-logs --syscalls "$SIDE"
  # How many of the launches are compared depends on where the host has the CPUs: those of bad moments are left out.
  cells test,inprogram_method,side_problem,side_launches,side_program_us,side_program_error_us,program_us,marks |
    jq -e 'map({key: .test, value: .}) | from_entries
      | .none.inprogram_method == "apart" and .none.side_launches == ""
      and all(."auditd-raw", ."auditd-norules"; .inprogram_method == "side-by-side" and .side_problem == "" and .side_launches > 0
        and .side_program_error_us > 0 and .program_us == .side_program_us)'
  for monitor in auditd-raw auditd-norules; do
    (($(gzip -dc "$(side_of "$monitor" launches.csv.gz)" | tail -n +2 | wc -l) * 10 > SIDE * RATE * 9))
  done
  # With audit on, a system call of a process that it watches takes the slow path, at several times the cost of a getppid.
  mlr --icsv --ojson cat "$RUN/syscalls.csv" | tee /dev/stderr | jq -e '(map(select(.call == "getppid")) | length == 2 and all(.way == "side-by-side" and .added_ns_low > 0))
    and length == 8 and all(.added_ns_low < .added_ns and .added_ns < .added_ns_high and .without_ns > 0)'
  # Each group is left alone for half of the time.
  [ "$(cut -d, -f1 "$(side_of auditd-raw phases.csv)" | paste -sd ' ')" = "unwatched 0 1" ]
  jq -e '.groups | length == 2 and .[0] != .[1] and all(. > 0)' "$(side_of auditd-raw load.json)"
  # What auditd recorded is what the kernel says: the launches' group ids, in its log.
  ausearch_groups "$RUN/monitors/auditd-raw/1-1/log/audit/audit.log" >"$BATS_TEST_TMPDIR/recorded"
  gzip -dc "$(side_of auditd-raw launches.csv.gz)" | awk -F, -v gids="$(jq -r '.groups | join(" ")' "$(side_of auditd-raw load.json)")" \
    'BEGIN { split(gids, gid, " ") } NR > 1 { print $1, gid[$9 + 1] }' | sort >"$BATS_TEST_TMPDIR/launched"
  [ "$(sort "$BATS_TEST_TMPDIR/recorded" | comm -23 - "$BATS_TEST_TMPDIR/launched" | wc -l)" -eq 0 ]
  [ "$(wc -l <"$BATS_TEST_TMPDIR/recorded")" -gt $((SIDE * RATE / 3)) ]
  diff <(gzip -dc "$(side_of auditd-raw recorded.csv.gz)" | tail -n +2 | sort) <(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/recorded" | sort)
}

# ausearch_groups LOG: `SEQ GID` for each execution of window S in a raw audit log.
ausearch_groups() {
  LC_ALL=C awk '
    /type=SYSCALL/ { match($0, /:[0-9]+\)/); serial = substr($0, RSTART, RLENGTH); match($0, / gid=[0-9]+/); gid[serial] = substr($0, RSTART + 5, RLENGTH - 5) }
    /type=EXECVE/ && match($0, /a1="x[0-9a-f]+s\.[0-9]+-[0-9]+"/) {
      tag = substr($0, RSTART, RLENGTH - 1); sub(/.*-/, "", tag)
      match($0, /:[0-9]+\)/); print tag, gid[substr($0, RSTART, RLENGTH)]
    }' "$1"
}

@test "a monitor that is switched off and on: what it recorded is from when it was on, and it is on at the end" {
  [[ -e /sys/kernel/btf/vmlinux ]] || skip "needs kernel BTF"
  side --monitors none,floor-bpf --syscalls "$SIDE"
  # Its program is on executions, so nothing is known before but that it was compared.
  mlr --icsv --ojson cat "$RUN/syscalls.csv" | jq -e 'length == 4 and all(.way == "switched" and .added_ns_low < .added_ns and .added_ns < .added_ns_high)'
  cells test,inprogram_method,side_problem,side_launches | jq -e 'any(.test == "floor-bpf" and .inprogram_method == "switched" and .side_problem == "" and .side_launches > 0)'
  tail -n 1 "$RUN/monitors/floor-bpf/1-1/stdout.txt"
  grep -x off "$RUN/monitors/floor-bpf/1-1/stdout.txt"
  [ "$(grep -xE 'on|off' "$RUN/monitors/floor-bpf/1-1/stdout.txt" | tail -n 1)" = on ]
  (($(gzip -dc "$(side_of floor-bpf recorded.csv.gz)" | wc -l) > RATE))
}

@test "a monitor that goes on recording what it was told to leave alone: the window counts for nothing, the rest of the cell does" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors side --monitors none,deaf-double
  cells test,status,inprogram_method,side_problem,program_us,daemon_us,marks | jq -e 'any(.test == "deaf-double" and .status == "ok" and .daemon_us != ""
    and .program_us == "" and .inprogram_method == "side-by-side" and (.side_problem | test("^[0-9]+ launches that were not to be watched are in the log$"))
    and (.marks | test("side-by-side-failed")))'
}
