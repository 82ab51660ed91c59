#!/usr/bin/env bats
# Cost by number of rules, end to end.

source "$BATS_TEST_DIRNAME/helpers.bash"

bats_require_minimum_version 1.5.0

setup() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_state >"$BATS_TEST_TMPDIR/before"
  RUN=$BATS_TEST_TMPDIR/run
}

teardown() {
  if [[ -n ${rules:-} ]] && kill -0 "$rules" 2>/dev/null; then
    kill "$rules"
    wait "$rules" || true
  fi
}

teardown_file() {
  remove_state
}

added_rules() {
  auditctl -l | grep -cE 'key=exectax-[0-9]+$' || true
}

@test "the kernel has the rules that were asked for while they are measured; tables and picture show them; the host is put back" {
  "$ROOT/exectax" rules --yes --out "$RUN" --monitors auditd-raw --kinds unreached --counts 50 --rate "$RATE" --warmup 1 --duration 2 \
    --instrumented 0 --side 0 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  rules=$!
  local deadline=$((SECONDS + WAIT_SECONDS))
  until [ "$(added_rules)" = 50 ]; do
    ((SECONDS < deadline)) && kill -0 "$rules"
    sleep 0.1
  done
  # The one that records executions comes last.
  auditctl -l | tail -n 1 | grep -x -- '-a always,exit -F arch=b64 -S execve,execveat -F key=exectax'
  wait "$rules"
  cat "$BATS_TEST_TMPDIR/stderr"
  host_state | diff "$BATS_TEST_TMPDIR/before" -
  [ "$(tail -n +2 "$RUN/plan.csv" | cut -d, -f3 | sort | paste -sd ' ')" = "auditd-raw auditd-raw+unreached=50 none" ]
  mlr --icsv --ojson cut -f monitor,kind,rules,launched,lost,daemon_us,start_ms,status "$RUN/rules.csv" | tee "$BATS_TEST_TMPDIR/rules" |
    jq -e 'map([.monitor, .kind, .rules]) == [["auditd-raw", "", 0], ["auditd-raw", "unreached", 50]]
      and all(.status == "ok" and .launched > 0 and .lost == 0 and .daemon_us > 0 and .start_ms > 0)' || {
    cat "$BATS_TEST_TMPDIR/rules"
    false
  }
  # Two points: a line without intervals.
  mlr --icsv --ojson filter '$figure == "daemon_us"' "$RUN/fits.csv" | jq -e 'length == 1 and .[0].cells == 2 and .[0].slope != "" and .[0].slope_low == ""'
  grep -q '^| auditd-raw | unreached |' "$BATS_TEST_TMPDIR/stdout"
  grep -q 'auditd-raw, unreached' "$RUN/rules.svg"
  # What the monitor ran with is kept.
  [ "$(grep -c -- '-S sethostname ' "$RUN"/monitors/auditd-raw/unreached-50-1-1/audit.rules)" -eq 50 ]
}

# A set with lines that would lock audit until the next boot, or panic. Should one of them get through all the same, the auditctl that is first in PATH
# does not pass it on.
@test "a set of rules: what is dangerous in its file is never executed, its rules are in force, and the host is put back" {
  local real i
  real=$(command -v auditctl)
  mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/watched"
  cat >"$BATS_TEST_TMPDIR/bin/auditctl" <<AUDITCTL
#!/bin/bash
echo "\$*" >>"$BATS_TEST_TMPDIR/executed"
[[ \$1 != -R ]] || cat "\$2" >>"$BATS_TEST_TMPDIR/executed"
case " \$* " in
  *" -e 2 "* | *" -e2 "* | *" -f 2 "* | *" -f2 "* | *immutable*) exit 1 ;;
esac
[[ \$1 != -R ]] || ! grep -qE '^ *-(e|f) ?2|immutable' "\$2" || exit 1
exec "$real" "\$@"
AUDITCTL
  chmod +x "$BATS_TEST_TMPDIR/bin/auditctl"
  {
    echo -D
    for ((i = 1; i <= 18; i++)); do
      : >"$BATS_TEST_TMPDIR/watched/$i"
      echo "-w $BATS_TEST_TMPDIR/watched/$i -p wa -k set-$i"
    done
    echo "-a always,exit -F arch=b64 -S openat -F path=/etc/shadow -F auid=4242 -k set-19"
    echo "-a always,exit -F arch=b64 -S sethostname -k set-20"
    echo "-w /nonexistent/folder/file -p wa"
    printf '%s\n' '-f 2' '-e 2' '--loginuid-immutable' '-w /f -p wa -e 2'
  } >"$BATS_TEST_TMPDIR/30-some.rules"
  "$real" -s | grep -E '^(enabled|failure|loginuid)' >"$BATS_TEST_TMPDIR/flags"
  # An emulated CPU makes a tenth of the slices of system calls.
  PATH=$BATS_TEST_TMPDIR/bin:$PATH "$ROOT/exectax" rules --yes --out "$RUN" --monitors auditd-raw --rules "$BATS_TEST_TMPDIR/30-some.rules" --login-uid 4242 \
    --rate "$RATE" --warmup 1 --duration 2 --instrumented 0 --side 0 --syscalls $((RATE < 100 ? 10 : 1)) --reps 1 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&-
  cat "$BATS_TEST_TMPDIR/stderr" "$BATS_TEST_TMPDIR/stdout"
  host_state | diff "$BATS_TEST_TMPDIR/before" -
  "$real" -s | grep -E '^(enabled|failure|loginuid)' | diff "$BATS_TEST_TMPDIR/flags" -
  run ! grep -E -e '(^| )-(e|f) ?2|immutable' "$BATS_TEST_TMPDIR/executed"
  grep -qF 'left out: -e 2 (30-some.rules:24): switches audit on or off, or locks it until the next boot' "$BATS_TEST_TMPDIR/stderr"
  grep -q 'left out: -w /nonexistent/folder/file -p wa (the kernel): ' "$BATS_TEST_TMPDIR/stderr"
  jq -e '.set.rules == 21 and .set.loaded == 20 and (.set.left_out | length) == 6' "$RUN/manifest.json"
  mlr --icsv --ojson cut -f monitor,kind,rules,lost,status,records_per_sec "$RUN/rules.csv" | tee "$BATS_TEST_TMPDIR/rules" |
    jq -e 'map([.monitor, .kind, .rules]) == [["auditd-raw", "", 0], ["auditd-raw", "some", 21]]
      and all(.status == "ok" and .lost == 0 and .records_per_sec > 0)' || {
    cat "$BATS_TEST_TMPDIR/rules"
    false
  }
  # Only the load of the set's cells is of the login uid that the rule on /etc/shadow is about, and it is recorded.
  mlr --icsv --ojson filter '$figure == "records_per_sec"' "$RUN/sets.csv" | jq -e 'length == 1 and .[0].added > 0'
  mlr --icsv --ojson filter '$figure == "getppid"' "$RUN/sets.csv" | jq -e 'length == 1 and .[0].unit == "ns per call" and .[0].added_low != ""'
  grep -q '^| auditd-raw | daemon_us |' "$BATS_TEST_TMPDIR/stdout"
}
