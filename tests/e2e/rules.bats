#!/usr/bin/env bats
# Cost by number of rules, end to end.

source "$BATS_TEST_DIRNAME/helpers.bash"

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
