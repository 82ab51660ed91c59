#!/usr/bin/env bats
# A run's folder is data that may come from a stranger: what is in it is not executed, not written through, and not taken for what it is not.

load ../rooms
load ../made-up-run

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock
  use_rooms base host monitor measure report command
  cd "$BATS_TEST_TMPDIR" || return
  RUN=$BATS_TEST_TMPDIR/run
  CANARY=$BATS_TEST_TMPDIR/canary
  # What a shell, bash's arithmetic, gnuplot, jq, awk or a browser would take for more than text.
  STRANGE="a[\$(touch $CANARY)]\`touch $CANARY\`';system('touch $CANARY')\"|<script>strange</script>"
}

# untouched: nothing was executed.
untouched() {
  [[ ! -e $CANARY ]]
}

# refused PATTERN COMMAND...: exit 2, one line on stderr that matches, nothing executed.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2053,SC2154 # it is a pattern; bats sets it
  [[ $status -eq 2 && ${#stderr_lines[@]} -eq 1 && $stderr == $pattern ]] && untouched
}

# A sweep that could go on, as far as its manifest says, with what FILTER makes of it.
resumable() {
  mkdir -p "$RUN"
  jq -n '{schema: 3, kind: "sweep", state: "interrupted", reason: "killed", started: "2026-01-02T03:04:05+00:00", ended: null, exectax: "abc", run_tag: "x1", skipped: {},
    sessions: [{tag: "x1", boot_id: "b", exectax: "abc", state: "interrupted", reason: "killed"}], host: {hostname: "web1", cpus: 2}, versions: {none: ""}, binaries: {},
    options: {monitors: ["none"], attached: false, rates: [100], duration_s: 3, instrumented_s: 2, side_s: "auto", syscalls_s: 2, warmup_s: 2, reps: 1,
      repeat_disturbed: 1, seed: 11, journald_audit: "off", keep_logs: "no", precision_percent: null, budget_s: null}}' | jq "${1:-.}" >"$RUN/manifest.json"
  printf 'cell,rep,monitor,rate,turn\n1,1,none,100,1\n' >"$RUN/plan.csv"
}

# A whole run that can be reported, with the tables of build/figures; its texts are strange where texts may be anything.
strange_run() {
  begin_run
  row test=m
  without test=n,status=skipped,reason=why
  make_perf
  cp "$RUN/perf.csv" "$RUN/cells.csv"
  printf 'cell,rep,monitor,rate,turn\n1,1,none,100,1\n2,1,m,100,1\n' >"$RUN/plan.csv"
  jq --arg strange "$STRANGE" '.host.os = $strange | .host.kernel = $strange | .host.cpu_model = $strange | .host.virtualisation = $strange | .host.hostname = $strange
    | .exectax = $strange | .reason = $strange | .state = "interrupted" | .skipped.n = $strange | .versions.m = $strange | .binaries.m = [{path: $strange, sha256: $strange}]' \
    "$RUN/manifest.json" >"$RUN/manifest.json.new"
  mv "$RUN/manifest.json.new" "$RUN/manifest.json"
}

@test "texts of a manifest that may be anything are texts in tables, pictures and pages" {
  strange_run
  # As a report does it, from tables that are written by hand.
  results_plot "$RUN"
  results_plot_parts "$RUN" 100
  results_ranking "$RUN" 100 >"$RUN/ranking"
  results_costs "$RUN" 100 >>"$RUN/ranking"
  html_make "$RUN" 100 no
  untouched
  [[ -s $RUN/perf.png && -s $RUN/parts.svg ]]
  grep -q 'strange' "$RUN/report.html"
  run ! grep -q '<script>strange' "$RUN/report.html"
  "$ROOT/exectax" report "$RUN" >/dev/null
  "$ROOT/exectax" estimate --exec-rate 100 "$RUN" >/dev/null || true
  "$ROOT/exectax" compare --format html "$RUN:none" "$RUN:m" >page || true
  run ! grep -q '<script>strange' page
  untouched
}

@test "texts of tables are texts, in whatever column" {
  local column
  strange_run
  for column in test reason status inprogram_method saturated exec_per_sec cpu counted_us; do
    strange_run
    jq -Rn --arg text "$STRANGE" --arg column "$column" '[inputs | split(",")] | (.[0] | index($column)) as $i | .[0], (.[1:][] | .[$i] = $text) | @csv' "$RUN/perf.csv" >"$RUN/perf.csv.new"
    mv "$RUN/perf.csv.new" "$RUN/perf.csv"
    results_plot "$RUN" 2>/dev/null || true
    results_plot_parts "$RUN" 100 2>/dev/null || true
    "$ROOT/exectax" estimate --exec-rate 100 "$RUN" >/dev/null 2>&1 || true
    "$ROOT/exectax" compare --history "$BATS_TEST_TMPDIR" --figure cpu --out history.svg >/dev/null 2>&1 || true
    "$ROOT/exectax" plot --out plot.svg "$RUN/perf.csv" >/dev/null 2>&1 || true
    html_make "$RUN" 100 no 2>/dev/null || true
    run ! grep -qs '<script>strange' "$RUN/report.html" history.svg plot.svg
    untouched
  done
}

@test "gnuplot is told a text or a number, and nothing else" {
  begin_run
  rules
  manifest "$(jq -n --arg strange "$STRANGE" '{kind: "rules", options: {rate_per_sec: $strange}}')"
  sed -i "s/^c,last,100,/c,last,\"\`touch ${CANARY//\//\\/}\`\",/" "$RUN/rules.csv"
  rules_plot "$RUN" 2>/dev/null || true
  untouched
  [ "$(jq -nr -L "$ROOT/lib/report/tables" --arg text "it's \`x\`"$'\n'"y" 'include "layout"; {a: 1.5, b: [$text, "\"c\""], d: $text} | assigned')" = \
    "a=1.5; b='\"it''s \`x\` y\" \"”c”\" '; d='it''s \`x\` y'" ]
  run ! jq -n -L "$ROOT/lib/report/tables" 'include "layout"; {a: {}} | assigned'
}

@test "what a name, a number or a word of a manifest is made of is no other text: each is told in one line" {
  local path problem
  resumable '.options += {precision_percent: 5, budget_s: 60, builds: {"x@a": "/f"}, load_cpus: "0", profile: "p", set: "s", mix: ["open"], actions: ["exec"], kinds: ["k"], counts: [1],
    limit_cpus: "-", limit_memory: "-", vary: {knob: ["v"]}, login_uid: "0", rate_per_sec: 1, round_s: 1, load_s: 1, soak_s: 1, soak_percent: 1, start_per_sec: 1, max_per_sec: 1}
    | .set = {name: "s", format: "audit", rules: 1, loaded: 1}'
  [ -z "$(schema_problem "$RUN")" ]
  cp "$RUN/manifest.json" good.json
  # shellcheck disable=SC2016 # jq's
  jq -r '[["kind"], ["state"], ["started"], ["run_tag"], ["sessions", 0, "tag"], ["host", "cpus"], ["set", "name"], ["set", "format"], ["set", "rules"], ["set", "loaded"],
    ((.options | keys[]) as $name | ["options", $name]), (("monitors", "rates", "actions", "kinds", "counts", "mix") as $name | ["options", $name, 0]), ["options", "vary", "knob", 0]]
    | .[] | @json' good.json >paths
  while IFS= read -r path; do
    for problem in "$STRANGE" ../../x "a b" $'a\nb' ''; do
      jq --argjson path "$path" --arg problem "$problem" 'setpath($path; $problem)' good.json >"$RUN/manifest.json"
      [[ -n $(schema_problem "$RUN") || ($problem == '' && $path == *login_uid*) || ($problem == '' && $path == *limit_*) || ($problem == "a b" && $path == *limit_*) ]] || {
        echo "$path can be '$problem'"
        return 1
      }
    done
  done <paths
  for path in '.options.vary = {"a[0]": ["v"]}' '.options.builds = {"../x": "/f"}' '.options.builds["x@a"] = "/f\n"' '.binaries = {"../x": []}' '.host.os = "a\u001b[31m"' '.x = "\u0007"' \
    '.options.seed = 1e300' '.host.cpus = 1.5' '.["a\nb"] = 1' '.options = []' '.sessions = [1]'; do
    jq "$path" good.json >"$RUN/manifest.json"
    [[ -n $(schema_problem "$RUN") ]] || {
      echo "it can have $path"
      return 1
    }
  done
  refused "exectax: '$RUN' is damaged: its manifest.json has*" "$ROOT/exectax" report "$RUN"
}

@test "what a monitor says of itself makes no manifest that is refused" {
  resumable
  jq '.versions.m = "\u001b[31m1.2\r" | .skipped.m = "\u009b2J\u007f"' "$RUN/manifest.json" | manifest_put "$RUN"
  [ -z "$(schema_problem "$RUN")" ]
  [ "$(jq -r '.versions.m, .skipped.m' "$RUN/manifest.json")" = $'?[31m1.2?\n?2J?' ]
}

@test "a plan has numbers and names: bash computes with the ones, and the others are folders" {
  local row
  resumable
  for row in "a[\$(touch $CANARY)],1,none,100,1" "1,a[\$(touch $CANARY)],none,100,1" "1,1,none,a[\$(touch $CANARY)],1" "1,1,none,100,a[\$(touch $CANARY)]" "1,1,../../x,100,1" \
    "1,1,..,100,1" "1,1,none,100" "1,1,none,1e3,1" "1,1,none,010,1" "1,1,\`touch $CANARY\`,100,1" "1,1,,100,1" "1,1,none,9999999999999999,1"; do
    printf 'cell,rep,monitor,rate,turn\n%s\n' "$row" >"$RUN/plan.csv"
    refused "exectax: '$RUN' is damaged: line 2 of its plan.csv has *, expected *" "$ROOT/exectax" report "$RUN"
    refused "exectax: '$RUN' is damaged: line 2 of its plan.csv has *, expected *" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
    refused "exectax: '$RUN' is damaged: *" "$ROOT/exectax" compare "$RUN" "$RUN"
  done
  printf 'search,rep,test,monitor,cpus,memory,knobs\n1,1,m,m,-,-,a=$(touch %s)\n' "$CANARY" >"$RUN/plan.csv"
  [[ $(schema_problem "$RUN") == *"expected letters, digits and "* ]]
  # As they are written.
  printf 'search,rep,test,monitor,cpus,memory,knobs\n1,1,m+cpus=0.5+memory=512M+a=1+b_c=x.y,m,0.5,512M,a=1 b_c=x.y\n2,1,m,m,-,-,\n' >"$RUN/plan.csv"
  [ -z "$(schema_problem "$RUN")" ]
  printf 'cell,rep,monitor,rate,turn\n1,1,auditd-raw+last-differs=400,100,1\n2,1,falco@a.b_C-1,100,1\n3,1,pod:falco.falco,0,1\n' >"$RUN/plan.csv"
  [ -z "$(schema_problem "$RUN")" ]
}

@test "a run that goes on measures what its options ask for, and these are no other options of exectax" {
  ((EUID == 0)) || skip "needs root"
  resumable '.options += {dry_run: "no", yes: "yes", install: "yes", goes_on: "", run: "/nowhere", out: "/nowhere", builds_given: "x@a=/bin/true\n"}'
  refused "exectax: '$RUN' can't go on: its manifest.json has other options *" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
  OPTIONS=([goes_on]=resume [dry_run]=yes [yes]=no)
  resume_take_options "$RUN" sweep
  [ "${OPTIONS[goes_on]} ${OPTIONS[dry_run]} ${OPTIONS[yes]} ${OPTIONS[out]}" = "resume yes no $RUN" ]
  resumable
  printf 'cell,rep,monitor,rate,turn\n1,1,falco,100,1\n' >"$RUN/plan.csv"
  refused "exectax: '$RUN' can't go on: its plan.csv has falco,100, which its options do not ask for" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
  printf 'cell,rep,monitor,rate,turn\n1,1,none,90000,1\n' >"$RUN/plan.csv"
  refused "exectax: '$RUN' can't go on: its plan.csv has none,90000, which *" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
  resumable
  refused "exectax: '$RUN' can't go on: the host name was web1, *" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
}

@test "of saturate and rules, too" {
  OPTIONS=([out]=$RUN [monitors]="none m" [kinds]="k l" [rate]=400 [limit_cpus]="- 0.5" [limit_memory]=-)
  RUN_MONITORS=(m)
  mkdir "$RUN"
  monitor_has_knob() { [[ $2 == size ]]; }
  OPTIONS[vary_size]="1 4"
  printf 'search,rep,test,monitor,cpus,memory,knobs\n1,1,m+size=4,m,-,-,size=4\n2,1,m+cpus=0.5+size=1,m,0.5,-,size=1\n' >"$RUN/plan.csv"
  [ -z "$(resume_plan_problem saturate)" ]
  echo '3,1,m+size=9,m,-,-,size=9' >>"$RUN/plan.csv"
  [ "$(resume_plan_problem saturate)" = "its plan.csv has m+size=9,m,-,-,size=9, which its options do not ask for" ]
  printf 'cell,rep,monitor,rate,turn\n1,1,none,400,1\n2,1,m+l=300,400,1\n3,1,m,400,2\n' >"$RUN/plan.csv"
  [ -z "$(resume_plan_problem rules)" ]
  echo '4,1,m+x=300,400,1' >>"$RUN/plan.csv"
  [[ $(resume_plan_problem rules) == "its plan.csv has m+x,400, which "* ]]
}

@test "a set of rules that a run has kept is read as the files were: what locks audit is not executed" {
  mkdir -p "$RUN/set"
  touch "$RUN/set/rules-loaded"
  # Of what a run keeps, the sum says nothing about who has written it.
  kept() {
    printf '%s\n' "$@" >"$RUN/set/rules"
    jq -n --arg sum "$(rulesets_kept_sum "$RUN")" '{set: {format: "audit", rules: 1, kept_sha256: $sum, files: []}}' >"$RUN/manifest.json"
  }
  kept "-w /etc/passwd -p wa" "-e 2"
  refused "exectax: '$RUN' can't go on: rules:2 in its folder set is no rule that is executed" rulesets_take "$RUN"
  kept "-w /etc/passwd -p wa" "-f 2"
  refused "*is no rule that is executed" rulesets_take "$RUN"
  kept "-w /etc/passwd -p wa" "-a always,exit -F arch=b64 -S adjtimex -k time"
  rulesets_take "$RUN"
  [ "$RULESETS_FORMAT" = audit ]
}

@test "root does not write into a run that somebody else can change, nor goes on with it; reading it is safe" {
  ((EUID == 0)) || skip "needs root"
  local left=("exectax: '$RUN' is left alone: * expected a run of root's or yours")
  resumable
  chmod 0755 "$BATS_TEST_TMPDIR" "$RUN"
  : >"$RUN/perf.csv"
  chown -R nobody "$RUN"
  refused "${left[0]}" "$ROOT/exectax" report "$RUN"
  refused "${left[0]}" "$ROOT/exectax" publish "$RUN"
  refused "${left[0]}" "$ROOT/exectax" sweep --resume "$RUN" --dry-run
  refused "${left[0]}" "$ROOT/exectax" sweep --repeat "$RUN" --check-options
  refused "${left[0]}" "$ROOT/exectax" saturate --resume "$RUN" --dry-run
  refused "${left[0]}" "$ROOT/exectax" rules --resume "$RUN"
  jq '.kind = "cluster"' "$RUN/manifest.json" | tee "$RUN/matrix.json" "$RUN/overlay.json" >"$RUN/nodes.txt"
  refused "${left[0]}" "$ROOT/exectax" cluster run --resume "$RUN"
  rm "$RUN"/{matrix,overlay}.json "$RUN/nodes.txt"
  # Not: left alone.
  refused "*no monitor*" "$ROOT/exectax" compare "$RUN:none" "$RUN:m"
  refused "*perf.csv*" "$ROOT/exectax" estimate --exec-rate 1 "$RUN"
  # It is whose sudo is.
  (export SUDO_UID=65534 SUDO_GID=65534 && refuse_run "$RUN")
  # One folder in it is enough.
  chown -R root "$RUN"
  refuse_run "$RUN"
  mkdir -p "$RUN/cells/m"
  chown nobody "$RUN/cells/m"
  refused "exectax: '$RUN' is left alone: others can change cells/m in it: *" refuse_run "$RUN"
  chown root "$RUN/cells/m"
  chmod 0777 "$RUN/cells/m"
  refused "exectax: '$RUN' is left alone: others can change cells/m in it: *" refuse_run "$RUN"
  chmod 0775 "$RUN/cells/m"
  chgrp nogroup "$RUN/cells/m"
  refused "exectax: '$RUN' is left alone: others can change cells/m in it: *" refuse_run "$RUN"
  # A folder of several hosts' runs.
  chgrp root "$RUN/cells/m"
  mkdir fleet
  mv "$RUN" fleet/web1
  refuse_run "$PWD/fleet"
  chown nobody fleet/web1/perf.csv
  refused "exectax: '$PWD/fleet' is left alone: others can change web1/perf.csv in it: *" "$ROOT/exectax" report fleet
}

@test "nothing is written through a link of a run" {
  local name
  resumable
  for name in perf.csv.new cells report.html.new monitors/m/1; do
    mkdir -p "$RUN/$(dirname "$name")"
    ln -s "$CANARY" "$RUN/$name"
    refused "exectax: '$RUN' has '$name', expected regular files and folders and no links" "$ROOT/exectax" report "$RUN"
    rm "$RUN/$name"
  done
  mkfifo "$RUN/perf.csv"
  refused "exectax: '$RUN' has 'perf.csv', expected regular files and folders and no links" "$ROOT/exectax" report "$RUN"
  rm "$RUN/perf.csv"
  ln -s "$CANARY" "$RUN/"$'a\e[31m\nb'
  refused "exectax: '$RUN' has 'a?[[]31m?b', expected regular files and folders and no links" "$ROOT/exectax" report "$RUN"
  rm "$RUN/"a*
  # What a monitor was started with may have some.
  mkdir -p "$RUN/monitors/m/1"
  ln -s /nowhere "$RUN/monitors/m/1/rules.d"
  report_check_plain "$RUN"
}

@test "a run brings no settings of programs that read it, whatever folder exectax is called in" {
  strange_run
  echo --gzin >"$RUN/.mlrrc"
  cd "$RUN"
  printf 'test,exec_per_sec,cpu\na,100,2\na,200,3\n' >table.csv
  "$ROOT/exectax" plot --out plot.svg table.csv
  [ -s plot.svg ]
  "$ROOT/exectax" report .
  untouched
}

@test "a cluster's run names nodes and numbers" {
  resumable '.kind = "cluster"'
  echo '{}' | tee "$RUN/overlay.json" >"$RUN/matrix.json"
  echo ../../x >"$RUN/nodes.txt"
  refused "exectax: '$RUN' is damaged: its nodes.txt has something else *" cluster_check_resumed "$RUN"
  echo node1 >"$RUN/nodes.txt"
  jq -n --arg strange "$STRANGE" '{parallel: $strange, reps: 1, deadline_s: 1, rollout_s: 1}' >"$RUN/matrix.json"
  refused "exectax: '$RUN' is damaged: its matrix.json lacks whole numbers *" cluster_check_resumed "$RUN"
  jq -n '{parallel: 1, reps: 1, deadline_s: 1, rollout_s: 1}' >"$RUN/matrix.json"
  cluster_check_resumed "$RUN"
}

@test "a number beyond all others is damage, and no end of build/figures" {
  resumable '.options.monitors = ["none"]'
  mkdir -p "$RUN/cells/none/100-1"
  echo '{"cell": 1, "test": "none", "exec_per_sec": 100, "rep": 1, "turn": 1, "status": "failed", "reason": "x"}' >"$RUN/cells/none/100-1/cell.json"
  printf '{"launched": %s, "failed": 0, "missed": 0, "saturated": false, "duration_s": 1, "start_mono_ns": 1, "start_real_ns": 1, "lateness_us": {"p50": 1}}' 1e306 >"$RUN/cells/none/100-1/load.json"
  "$BUILD/figures" "$RUN"
  [ -z "$(mlr --icsv --onidx cut -f launched "$RUN/cells.csv")" ]
  sed -i 's/1e306/7/' "$RUN/cells/none/100-1/load.json"
  "$BUILD/figures" "$RUN"
  [ "$(mlr --icsv --onidx cut -f launched "$RUN/cells.csv")" = 7 ]
}
