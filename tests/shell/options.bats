#!/usr/bin/env bats
# Bad input: one clear line on stderr, exit status 2, nothing changed.

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# refused PATTERN COMMAND...: exit 2, nothing on stdout, one line on stderr that matches.
refused() {
  local pattern=$1 status=0
  shift
  "$@" >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
  cat "$BATS_TEST_TMPDIR/stderr"
  [[ $status == 2 && ! -s $BATS_TEST_TMPDIR/stdout && $(wc -l <"$BATS_TEST_TMPDIR/stderr") == 1 ]] &&
    [[ $(<"$BATS_TEST_TMPDIR/stderr") == $pattern && ! -e $EXECTAX_STATE_DIR ]]
}

@test "sweep refuses what it can't use" {
  refused "*unrecognized option '--bogus'*" "$ROOT/exectax" sweep --bogus
  refused "*'--reps' requires an argument*" "$ROOT/exectax" sweep --reps
  refused "*unexpected argument 'fast'*" "$ROOT/exectax" sweep fast
  refused "*--rates is '0', expected executions per second*" "$ROOT/exectax" sweep --rates 0
  refused "*--rates is '-5', expected*" "$ROOT/exectax" sweep --rates=-5
  refused "*--rates is '0100', expected*" "$ROOT/exectax" sweep --rates 0100
  refused "*--duration is '010', expected*" "$ROOT/exectax" sweep --duration 010
  refused "*--rates is 'a', expected*" "$ROOT/exectax" sweep --rates "100 a"
  refused "*--rates is empty, expected*" "$ROOT/exectax" sweep --rates " "
  refused "*--duration is '0', expected whole seconds from 1*" "$ROOT/exectax" sweep --duration 0
  refused "*--duration is '1.5', expected whole seconds*" "$ROOT/exectax" sweep --duration 1.5
  refused "*--instrumented is '2s', expected whole seconds from 0*" "$ROOT/exectax" sweep --instrumented 2s
  refused "*--warmup is 'x', expected*" "$ROOT/exectax" sweep --warmup x
  refused "*--reps is '0', expected*" "$ROOT/exectax" sweep --reps 0
  refused "*--repeat-disturbed is '11', expected a whole number from 0 to 10" "$ROOT/exectax" sweep --repeat-disturbed 11
  refused "*--seed is 'x', expected*" "$ROOT/exectax" sweep --seed x
  refused "*--journald-audit is 'maybe', expected off or keep*" "$ROOT/exectax" sweep --journald-audit maybe
  refused "*no monitor 'nope', expected names from: none *" "$ROOT/exectax" sweep --monitors none,nope
}

@test "sweep refuses to attach to what is not there" {
  refused "*--attach is 'auditd', expected unit:NAME, cgroup:/PATH, pid:N or container:ID" "$ROOT/exectax" sweep --attach auditd
  refused "*--attach pid:0: expected the pid of a running process" "$ROOT/exectax" sweep --attach pid:0
  refused "*--attach unit:nope.service: expected a running unit*" "$ROOT/exectax" sweep --attach unit:nope.service
  refused "*--attach cgroup:/nonexistent: expected the folder of a cgroup*" "$ROOT/exectax" sweep --attach cgroup:/nonexistent
  refused "*--attach container:xyz: expected a container's id*" "$ROOT/exectax" sweep --attach container:xyz
  refused "*--attach container:0123456789ab: found no cgroup*" "$ROOT/exectax" sweep --attach container:0123456789ab
  refused "*'pid:$$' is attached already" "$ROOT/exectax" sweep --attach "pid:$$" --attach "pid:$$"
  refused "*--log /etc/hostname: expected after the --attach whose log it is" "$ROOT/exectax" sweep --log /etc/hostname
  refused "*--log /nonexistent: expected a file that can be read" "$ROOT/exectax" sweep --attach "pid:$$" --log /nonexistent
  refused "*--monitors and --attach: expected one of them*" "$ROOT/exectax" sweep --attach "pid:$$" --monitors none
  refused "*not expected with --attach, which changes nothing" "$ROOT/exectax" sweep --attach "pid:$$" --install
}

@test "report refuses a rate that is none" {
  refused "*--rate is 'fast', expected executions per second*" "$ROOT/exectax" report --rate fast "$BATS_TEST_TMPDIR"
}

@test "sweep refuses a result folder that is used" {
  touch "$BATS_TEST_TMPDIR/file"
  refused "*is a file, expected a new or empty folder" "$ROOT/exectax" sweep --out "$BATS_TEST_TMPDIR/file"
  refused "*is not empty, expected a new or empty folder" "$ROOT/exectax" sweep --out "$BATS_TEST_TMPDIR"
}

@test "run-all.sh finds a bad option before it installs anything" {
  refused "*unrecognized option '--bogus'*" "$ROOT/run-all.sh" --bogus
}

@test "commands and runs that are none" {
  refused "*no command given, expected one of: *" "$ROOT/exectax"
  refused "*unknown command 'bogus', expected one of: *" "$ROOT/exectax" bogus
  refused "*expected one argument, the folder of a run*" "$ROOT/exectax" report
  refused "*is not a run: expected a folder with manifest.json and plan.csv" "$ROOT/exectax" report "$BATS_TEST_TMPDIR"
  refused "*is not a run: expected a folder with manifest.json and plan.csv" "$ROOT/exectax" publish "$BATS_TEST_TMPDIR"
}

@test "without root: said so, before anything" {
  ((EUID == 0)) || skip "needs root, to give it up"
  # Whoever is nobody may not be able to reach the checkout.
  cp -r "$ROOT/exectax" "$ROOT/run-all.sh" "$ROOT/lib" "$ROOT/monitors" "$ROOT/configs" "$BATS_TEST_TMPDIR/"
  chmod 0755 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR" 2>/dev/null || true
  nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
  refused "*exectax sweep needs root*run it with sudo" nobody "$BATS_TEST_TMPDIR/exectax" sweep
  refused "*exectax sweep needs root*run it with sudo" nobody "$BATS_TEST_TMPDIR/run-all.sh" --quick
  refused "*exectax restore needs root*run it with sudo" nobody "$BATS_TEST_TMPDIR/exectax" restore
}

@test "--help needs nothing and changes nothing" {
  run "$ROOT/run-all.sh" --help
  [ "$status" -eq 0 ]
  [[ ${lines[0]} == "Usage: exectax sweep [options]" ]]
  [ ! -e "$EXECTAX_STATE_DIR" ]
}

@test "--dry-run prints the plan and the time, and changes nothing" {
  ((EUID == 0)) || skip "needs root"
  run "$ROOT/run-all.sh" --dry-run --monitors none --rates "100 200" --reps 2 --duration 10 --instrumented 3 --warmup 5 --seed 7 --out "$BATS_TEST_TMPDIR/run"
  [ "$status" -eq 0 ]
  [[ $output == *"windows of 10 s and 3 s; 2 repetition(s); seed 7"* ]]
  # 4 cells of 5 + 10 + 3 + 7 s, 2 blocks of 6 s.
  [[ $output == *"about 1m52s"* ]]
  [ "$(grep -cE '^[0-9]+ +[12] +none +(100|200) +1$' <<<"$output")" -eq 4 ]
  [ ! -e "$BATS_TEST_TMPDIR/run" ]
  [ ! -e "$EXECTAX_STATE_DIR" ]
}
