#!/usr/bin/env bats
# Bad input: one clear line on stderr, exit status 2, nothing changed.

load ../rooms

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
  refused "*--rates is '-5', expected*" "$ROOT/exectax" sweep --rates=-5
  refused "*--rates is '0100', expected*" "$ROOT/exectax" sweep --rates 0100
  refused "*--duration is '010', expected*" "$ROOT/exectax" sweep --duration 010
  refused "*--rates is 'a', expected*" "$ROOT/exectax" sweep --rates "100 a"
  refused "*--rates is empty, expected*" "$ROOT/exectax" sweep --rates " "
  refused "*--duration is '0', expected whole seconds from 1*" "$ROOT/exectax" sweep --duration 0
  refused "*--duration is '1.5', expected whole seconds*" "$ROOT/exectax" sweep --duration 1.5
  refused "*--instrumented is '2s', expected whole seconds from 0*" "$ROOT/exectax" sweep --instrumented 2s
  refused "*--side is 'long', expected auto, or whole seconds from 0*" "$ROOT/exectax" sweep --side long
  refused "*--syscalls is '1.5', expected whole seconds from 0*" "$ROOT/exectax" sweep --syscalls 1.5
  refused "*--warmup is 'x', expected*" "$ROOT/exectax" sweep --warmup x
  refused "*--reps is '0', expected auto, or a whole number*" "$ROOT/exectax" sweep --reps 0
  refused "*--precision is '51', expected a percentage, a whole number from 1 to 50" "$ROOT/exectax" sweep --precision 51
  refused "*--precision is '', expected a percentage*" "$ROOT/exectax" sweep --precision %
  refused "*--budget is '1d', expected a time such as 90s, 60m or 2h, from 60 to 864000 seconds" "$ROOT/exectax" sweep --budget 1d
  refused "*--budget is '59', expected a time *" "$ROOT/exectax" sweep --budget 59
  refused "*--budget is '241h', expected a time *" "$ROOT/exectax" sweep --budget 241h
  refused "*--budget is '060m', expected a time *" "$ROOT/exectax" sweep --budget 060m
  refused "*--budget: expected with --reps auto" "$ROOT/exectax" sweep --reps 3 --budget 60m
  refused "*--precision: expected with --reps auto" "$ROOT/exectax" sweep --quick --reps 1 --precision 5
  refused "*--reps auto: not expected with --attach, expected a number*" "$ROOT/exectax" sweep --attach "pid:$$" --reps auto
  refused "*--rates is empty, *" "$ROOT/exectax" sweep --quick --rates ""
  refused "*--seed is 'x', expected*" "$ROOT/exectax" sweep --seed x
  refused "*--install is 'some', expected all, or no value" "$ROOT/exectax" sweep --install=some
  refused "*unexpected argument 'some', expected options only*" "$ROOT/exectax" sweep --install some
  refused "*unexpected argument 'all', expected options only*" "$ROOT/exectax" sweep --no-install all
  refused "*--journald-audit is 'maybe', expected off or keep*" "$ROOT/exectax" sweep --journald-audit maybe
  refused "*no monitor 'nope', expected names from: none *" "$ROOT/exectax" sweep --monitors none,nope
  refused "*EXECTAX_LOAD_MARGIN_SECONDS is '0', expected a whole number from 1 to 600" env EXECTAX_LOAD_MARGIN_SECONDS=0 "$ROOT/exectax" sweep
}

@test "sweep refuses to attach to what is not there" {
  refused "*--attach is 'auditd', expected unit:NAME, cgroup:/PATH, pid:N, container:ID or pod:NAMESPACE/LABEL=VALUE" "$ROOT/exectax" sweep --attach auditd
  refused "*--attach pid:0: expected the pid of a running process" "$ROOT/exectax" sweep --attach pid:0
  refused "*--attach unit:nope.service: expected a running unit*" "$ROOT/exectax" sweep --attach unit:nope.service
  refused "*--attach cgroup:/nonexistent: expected the folder of a cgroup*" "$ROOT/exectax" sweep --attach cgroup:/nonexistent
  refused "*--attach container:xyz: expected a container's id*" "$ROOT/exectax" sweep --attach container:xyz
  refused "*--attach container:0123456789ab: found no cgroup*" "$ROOT/exectax" sweep --attach container:0123456789ab
  refused "*'pid:$$' is attached already" "$ROOT/exectax" sweep --attach "pid:$$" --attach "pid:$$"
  refused "*--log /etc/hostname: expected after the --attach whose log it is" "$ROOT/exectax" sweep --log /etc/hostname
  refused "*--log /nonexistent: expected a file that can be read" "$ROOT/exectax" sweep --attach "pid:$$" --log /nonexistent
  refused "*--monitors and --attach: expected one of them*" "$ROOT/exectax" sweep --attach "pid:$$" --monitors none
  refused "*--syscalls: not expected with --attach, since*" "$ROOT/exectax" sweep --attach "pid:$$" --syscalls 3
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

# run_folder [FILTER]: of a sweep, its manifest changed by FILTER.
run_folder() {
  mkdir -p "$BATS_TEST_TMPDIR/run"
  echo "cell,rep,monitor,rate,turn" >"$BATS_TEST_TMPDIR/run/plan.csv"
  jq -n '{kind: "sweep", state: "complete", sessions: [{tag: "x1"}], host: {}, versions: {}, binaries: {}, skipped: {}, options: {monitors: ["none"],
    rates: [100], duration_s: 7, instrumented_s: 3, side_s: 2, syscalls_s: 6, calibrate_s: 4, warmup_s: 1, reps: 2, repeat_disturbed: 4, seed: 11, journald_audit: "keep",
    keep_logs: "yes", attached: false}}' | jq "${1:-.}" >"$BATS_TEST_TMPDIR/run/manifest.json"
}

@test "--resume and --repeat take what is measured from the run, and nothing else" {
  local run=$BATS_TEST_TMPDIR/run
  run_folder
  refused "*--rates: not expected with --resume, which measures what its run was begun with" "$ROOT/exectax" sweep --resume "$run" --rates 100
  refused "*--out: not expected with --repeat, *" "$ROOT/exectax" sweep --out "$BATS_TEST_TMPDIR/new" --repeat "$run"
  refused "*--reps: not expected with --resume, *" "$ROOT/exectax" sweep --resume "$run" --reps 2
  refused "*--keep-logs: not expected with --resume, *" "$ROOT/exectax" sweep --resume "$run" --keep-logs
  refused "*--attach: not expected with --resume, *" "$ROOT/exectax" sweep --resume "$run" --attach "pid:$$"
  refused "*--reps is '0', expected auto, or a whole number from 1 to 1000" "$ROOT/exectax" sweep --repeat "$run" --reps 0
  refused "*--budget: not expected with --resume, *" "$ROOT/exectax" sweep --resume "$run" --budget 60m
  refused "*--budget: expected with --reps auto" "$ROOT/exectax" sweep --repeat "$run" --budget 60m
  refused "*--resume and --repeat: expected one of them, once" "$ROOT/exectax" sweep --resume "$run" --repeat "$run"
  refused "*--resume is empty, expected the folder of a run*" "$ROOT/exectax" sweep --resume ""
  refused "*'$run' is a run of exectax sweep, expected one of exectax saturate" "$ROOT/exectax" saturate --resume "$run"
  refused "*--start: not expected with --resume, which measures what its run was begun with" "$ROOT/exectax" saturate --resume "$run" --start 5
  # Of searches, which are no repetitions of a run.
  refused "*--repeat: not expected with --resume, *" "$ROOT/exectax" saturate --resume "$run" --repeat 2
  refused "*--vary: not expected with --resume, *" "$ROOT/exectax" saturate --resume "$run" --vary backlog=64
  refused "*'$run' is a run of exectax sweep, expected one of exectax rules" "$ROOT/exectax" rules --resume "$run"
  refused "*--rules: not expected with --resume, *" "$ROOT/exectax" rules --resume "$run" --rules "$run/plan.csv"
  refused "*unrecognized option '--repeat'*" "$ROOT/exectax" rules --repeat "$run"
  refused "*--resume: not expected with --engines, whose runs can't be resumed: begin another" "$ROOT/exectax" rules --engines --resume "$run"
  ((EUID != 0)) || "$ROOT/exectax" sweep --resume "$run" --yes --no-install --check-options
  ((EUID != 0)) || "$ROOT/exectax" sweep --repeat "$run" --reps 3 --install --allow-unverified --check-options
  ((EUID != 0)) || "$ROOT/exectax" sweep --repeat "$run" --reps auto --precision 3% --budget 90s --check-options
  run_folder '.options += {precision_percent: 5, budget_s: 60}'
  ((EUID != 0)) || "$ROOT/exectax" sweep --resume "$run" --check-options
  ((EUID != 0)) || "$ROOT/exectax" sweep --repeat "$run" --check-options
}

@test "--resume and --repeat refuse what is no sweep that can go on" {
  local run=$BATS_TEST_TMPDIR/run
  refused "*is not a run: expected a folder with manifest.json and plan.csv" "$ROOT/exectax" sweep --resume "$BATS_TEST_TMPDIR/nowhere"
  run_folder '.kind = "saturate"'
  refused "*'$run' is a run of exectax saturate, expected one of exectax sweep" "$ROOT/exectax" sweep --resume "$run"
  run_folder '.options.attached = true'
  refused "*'$run' was attached to monitors that ran then, expected *" "$ROOT/exectax" sweep --repeat "$run"
  run_folder 'del(.sessions)'
  refused "*'$run' is of an older exectax, expected a run whose manifest.json has sessions" "$ROOT/exectax" sweep --resume "$run"
  run_folder '.options = 7'
  refused "*'$run' is damaged: its manifest.json has 7 as options, expected an object" "$ROOT/exectax" sweep --resume "$run"
  run_folder 'del(.options.seed)'
  refused "*'$run' can't go on: its manifest.json has other options than this exectax writes, expected {*" "$ROOT/exectax" sweep --resume "$run"
  run_folder 'del(.options.duration_s)'
  refused "*'$run' can't go on: its manifest.json has other options *" "$ROOT/exectax" sweep --resume "$run"
  run_folder '.options.moon = "full"'
  refused "*'$run' can't go on: its manifest.json has other options *" "$ROOT/exectax" sweep --repeat "$run"
  run_folder '.options.rates = ["fast"]'
  refused "*'$run' is damaged: its manifest.json has ?\"fast\"? as options.rates, expected a list of whole numbers" "$ROOT/exectax" sweep --resume "$run"
  run_folder '.options.monitors = ["none", "nope"]'
  refused "*no monitor 'nope', expected *" "$ROOT/exectax" sweep --resume "$run"
  run_folder '[.]'
  refused "*'$run' is damaged: its manifest.json is no JSON object" "$ROOT/exectax" sweep --resume "$run"
  echo '{' >"$run/manifest.json"
  refused "*'$run' is damaged: its manifest.json is no JSON" "$ROOT/exectax" sweep --resume "$run"
  : >"$run/manifest.json"
  refused "*'$run' is damaged: its manifest.json is no JSON*" "$ROOT/exectax" sweep --resume "$run"
}

@test "--resume of saturate and rules: runs that older versions began, and options that are damaged" {
  local run=$BATS_TEST_TMPDIR/run
  run_folder '.kind = "saturate" | del(.options.keep_logs)'
  refused "*'$run' has schema 1, written by exectax *: expected 2 or later" "$ROOT/exectax" saturate --resume "$run"
  run_folder '.kind = "rules"'
  refused "*'$run' has schema 1, written by exectax *: expected 2 or later" "$ROOT/exectax" rules --resume "$run"
  run_folder '.kind = "engines"'
  refused "*'$run' is a run of exectax rules --engines, expected one of exectax rules" "$ROOT/exectax" rules --resume "$run"
  run_folder '.kind = "saturate" | .schema = 2 | .options.monitors = ["auditd-raw"]'
  refused "*'$run' can't go on: its manifest.json has other options than this exectax writes, expected {*" "$ROOT/exectax" saturate --resume "$run"
  run_folder '.kind = "saturate" | .schema = 2 | .options += {monitors: ["auditd-raw"], vary: "moon"}'
  refused "*'$run' is damaged: its manifest.json has \"moon\" as options.vary, expected knobs with their values" "$ROOT/exectax" saturate --resume "$run"
  run_folder '.kind = "rules" | .schema = 2 | .options.monitors = ["none", "auditd-raw"]'
  refused "*'$run' can't go on: its manifest.json has other options *" "$ROOT/exectax" rules --resume "$run"
}

@test "--resume: another host is told in one line, and nothing has changed" {
  ((EUID == 0)) || skip "needs root"
  run_folder
  find "$BATS_TEST_TMPDIR/run" -exec stat -c '%n %s %Y' {} + >"$BATS_TEST_TMPDIR/before"
  refused "*'$BATS_TEST_TMPDIR/run' can't go on: the host name was none, now it is $(uname -n)" \
    env EXECTAX_LOCK="$BATS_TEST_TMPDIR/lock" "$ROOT/exectax" sweep --resume "$BATS_TEST_TMPDIR/run" --dry-run
  find "$BATS_TEST_TMPDIR/run" -exec stat -c '%n %s %Y' {} + | diff "$BATS_TEST_TMPDIR/before" -
}

@test "run-all.sh finds a bad option before it installs anything" {
  refused "*unrecognized option '--bogus'*" "$ROOT/run-all.sh" --bogus
}

@test "what is installed is what comes ready, or all" {
  use_rooms base command
  die_usage() { echo "$1"; }
  asked() {
    local -a arguments
    OPTIONS=([install]=no)
    run_options_join_install arguments "$@"
    options_read sweep "$RUN_OPTIONS_LONG" run_options_take "${arguments[@]}"
    echo "${OPTIONS[install]} ${OPTIONS[seed]:-}"
  }
  [ "$(asked --seed 7)" = "no 7" ]
  [ "$(asked --install --seed 7)" = "yes 7" ]
  [ "$(asked --install all --seed 7)" = "all 7" ]
  [ "$(asked --install=all --seed 7)" = "all 7" ]
  # As run-all.sh hands them on.
  [ "$(asked --install --install all)" = "all " ]
  [ "$(asked --install --no-install)" = "no " ]
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
  [[ $output == *"Each cell:   5 s of warm-up, a window of 10 s"$'\n'"Each start:  windows of 3 s and 3 s (up to 12 s at low rates) at one rate; a window of 2 s with system calls"* ]]
  # In each pass two blocks: 4 cells of 5 + 10 + 2 s, 3 s, 5 s and a window with system calls of 3 s in each.
  [[ $output == *"Passes:      2; seed 7"* ]]
  [[ $output == *"Time:        first table after about 1m30s, about 3m00s in all"$'\n'* ]]
  [ "$(grep -cE '^[0-9]+ +1 +none +(100|200) +[12] +[01]$' <<<"$output")" -eq 4 ]
  [ ! -e "$BATS_TEST_TMPDIR/run" ]
  [ ! -e "$EXECTAX_STATE_DIR" ]
  # 12 s more for what measures to start, in each cell.
  EXECTAX_LOAD_MARGIN_SECONDS=13 run "$ROOT/run-all.sh" --dry-run --monitors none --rates "100 200" --reps 2 --duration 10 --instrumented 3 --warmup 5 --seed 7 --out "$BATS_TEST_TMPDIR/run"
  [[ $output == *"first table after about 2m18s, "* ]]
}

@test "by default, a run goes on by itself, and says for how long before it starts; --quick has fewer rates and less time" {
  ((EUID == 0)) || skip "needs root"
  run "$ROOT/run-all.sh" --dry-run --monitors none --out "$BATS_TEST_TMPDIR/run"
  [ "$status" -eq 0 ]
  [[ $output == *"Rates:       0 100 200 400 800 1600 executions per second"* ]]
  [[ $output == *"Passes:      until all is known to 5 % or 5 µs, or --budget (1h) is used; seed "* ]]
  # 12 cells of 2 + 3 + 2 s, 2 blocks of 5 s, a window of 2 s and one with system calls of 3 s.
  [[ $output == *"Time:        first table after about 1m44s, then more passes until all is known to 5 % or 5 µs, at most 1h00m in all"* ]]
  [ "$(grep -cE '^[0-9]+ +1 +none +[0-9]+ +[12] +[01]$' <<<"$output")" -eq 12 ]
  run "$ROOT/run-all.sh" --dry-run --rates "400 0" --monitors none --out "$BATS_TEST_TMPDIR/run"
  [[ $output == *"Rates:       0 400 executions per second"* ]]
  run "$ROOT/run-all.sh" --dry-run --monitors none --quick --out "$BATS_TEST_TMPDIR/run"
  [[ $output == *"Rates:       0 200 800 executions per second"* ]]
  [[ $output == *"2 s of warm-up, a window of 3 s"* ]]
  [[ $output == *", at most 20m00s in all"* ]]
  run "$ROOT/run-all.sh" --dry-run --monitors none --quick --budget 90m --rates 50 --out "$BATS_TEST_TMPDIR/run"
  [[ $output == *"Rates:       50 executions per second"* ]]
  [[ $output == *", at most 1h30m in all"* ]]
}
