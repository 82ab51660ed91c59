#!/usr/bin/env bats
# A quick sweep with real auditd and LAUREL, and what it leaves behind.

load helpers

setup_file() {
  require_audit
  mkdir -p "$STATE"
  # LAUREL drops its privileges and must reach its log.
  chmod 0755 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$STATE"
  # A failing install shows in the tests that miss the monitor.
  "$ROOT/exectax" sweep --check-options
  host_give_audit_state
  touch "$STATE/lock"
  host_state >"$BATS_FILE_TMPDIR/before"
  use_monitor_store
  host_state >"$BATS_FILE_TMPDIR/before"
  export RUN="$BATS_FILE_TMPDIR/a run's \$(name) [of]* \"signs\""
  EXECTAX_GO_AUDIT=/nonexistent/go-audit sweep --install --keep-logs --rates "$RATE $((3 * RATE))" --seed 1 --out "$RUN" \
    --monitors "none auditd-norules auditd-raw auditd-enriched laurel go-audit" \
    >"$BATS_FILE_TMPDIR/stdout" 2>"$BATS_FILE_TMPDIR/stderr" || {
    cat "$BATS_FILE_TMPDIR/stderr"
    return 1
  }
  host_state >"$BATS_FILE_TMPDIR/after"
}

teardown_file() {
  host_take_audit_state_back
  remove_state
}

@test "the sweep leaves the host as it was: audit rules, flags, cgroups, processes, state folder" {
  diff "$BATS_FILE_TMPDIR/before" "$BATS_FILE_TMPDIR/after"
  grep -q 'key=exectax-test\|-k exectax-test' "$BATS_FILE_TMPDIR/after"
}

# Those of four monitors and two of the baseline, at two rates.
@test "every planned cell was measured" {
  [ "$(mlr --icsv --onidx count "$RUN/cells.csv")" -eq 12 ]
  [ "$(mlr --icsv --onidx filter '$status == "ok"' then count "$RUN/cells.csv")" -eq 12 ]
}

@test "perf.csv begins with the published columns and has a row a monitor and rate" {
  [[ $(head -n 1 "$RUN/perf.csv") == test,exec_per_sec,cpu,* ]]
  for monitor in none auditd-norules auditd-raw auditd-enriched laurel; do
    [ "$(column "$RUN/perf.csv" exec_per_sec "$monitor" | paste -sd ' ')" = "$RATE $((3 * RATE))" ]
  done
}

@test "recorded is what the kept log holds, counted another way" {
  for rate in "$RATE" "$((3 * RATE))"; do
    tag=$(jq -r .tag "$RUN/cells/auditd-raw/$rate-1/load.json")
    in_log=$(grep -c "^type=EXECVE .* a1=\"$tag-[0-9]*\"" "$RUN"/monitors/auditd-raw/1-1/log/audit/audit.log)
    [ "$(column "$RUN/cells.csv" recorded auditd-raw $rate)" -eq "$in_log" ]
    tag=$(jq -r .tag "$RUN/cells/laurel/$rate-1/load.json")
    in_log=$(jq -r '.EXECVE.ARGV[1] // empty' "$RUN"/monitors/laurel/1-1/log/laurel/audit.log | grep -c "^$tag-[0-9]*$")
    [ "$(column "$RUN/cells.csv" recorded laurel $rate)" -eq "$in_log" ]
  done
}

@test "lost is launched minus recorded, and nothing is lost without the kernel or a full host saying so" {
  cells "test,exec_per_sec,launched,missed,recorded,lost,loss_counters,saturated" | jq -e --argjson seconds $((4 + MARGIN)) '
    # The load of a cell with window B is 2 s longer.
    map(select(.recorded != "")) | length == 6 and all((.exec_per_sec as $rate | .launched + .missed | IN($seconds * $rate, ($seconds + 2) * $rate)) and .lost == .launched - .recorded
      and (.lost == 0 or (.loss_counters | test("=[1-9]")) or .saturated))'
}

@test "a monitor that records nothing has no completeness" {
  for monitor in none auditd-norules; do
    [ -z "$(column "$RUN/cells.csv" recorded "$monitor" "$RATE")" ]
    [ -z "$(column "$RUN/cells.csv" lost "$monitor" "$((3 * RATE))")" ]
  done
}

@test "cpu: none costs nothing, auditd and its kernel thread cost something, the sum is the sum" {
  cells "test,exec_per_sec,cpu,daemon_cpu,services_cpu,bpf_cpu" | jq -e --argjson rate "$((3 * RATE))" '
    (map(select(.test == "none")) | all(.cpu < 0.05))
    and (map(select(.test == "auditd-raw" and .exec_per_sec == $rate)) | all(.daemon_cpu > 0 and .services_cpu > 0))
    and all((.cpu - .daemon_cpu - .services_cpu - .bpf_cpu | fabs) < 0.004)'
}

@test "pidstat's figure of a monitor is its cgroup's" {
  # To the tick on a quiet host: 10 ms, two processes, both ends of 3 s: 1.4 points. On a busy one pidstat's samples are
  # not exactly the window; a wrong unit or a missing process would still be further off than by half.
  cells "test,exec_per_sec,daemon_cpu,pidstat_daemon" |
    jq -e 'all((.pidstat_daemon - .daemon_cpu | fabs) < ([1.4, .daemon_cpu / 2] | max)) and any(.daemon_cpu > 1)'
}

@test "the parts add up to the total; the machine was busier than the launched programs alone" {
  cells "test,exec_per_sec,marks,daemon_us,services_us,program_us,inprogram_method,parent_us,inprogram_us,slowed_us,counted_us,elsewhere_us,total_us,child_cpu_mean_us,\
parent_cpu_us,host_busy_us,bpf_us,bpf_runs" | jq -e '
    all((.daemon_us + .services_us + .inprogram_us - .counted_us | fabs) < 0.01 and (.program_us + .parent_us - .inprogram_us | fabs) < 0.01)
    # Without window S, what slows the programs down is not divided from what is in them.
    and all(.inprogram_method == "apart" and .slowed_us == "")
    # A machine without idle time does not tell the total. (Tests may run beside others.)
    and all(if .total_us == "" then .elsewhere_us == "" else (.daemon_us + .services_us + .inprogram_us + .elsewhere_us - .total_us | fabs) < 0.01 end)
    # Each of two is compared with the other.
    and (map(select(.test == "none")) | group_by(.exec_per_sec) | all(length == 2 and (any(.total_us == "") or (map(.total_us) | add | fabs) < 0.01) and (map(.program_us) | add | fabs) < 0.01))
    and all(.child_cpu_mean_us > 50 and .parent_cpu_us > 0 and (.host_busy_us == "" or .host_busy_us > .child_cpu_mean_us))
    # Runs are counted in window B, which one cell of each start has.
    and all(.bpf_us == 0 and (.bpf_runs | IN("", 0)))'
}

@test "window B: when records became readable, profiles without one of the harness's windows" {
  cells "test,exec_per_sec,recorded,delivery_p50_ms,delivery_p99_ms,delivery_max_ms,window_b_s" | jq -e '
    # One cell of each start has it.
    map(select(.window_b_s != "")) | length == 6 and all(.window_b_s > 1.9)
    and (map(select(.recorded != "")) | length == 3 and all(.delivery_p50_ms > 0 and .delivery_p50_ms <= .delivery_p99_ms and .delivery_p99_ms <= .delivery_max_ms))'
  grep -q 'No profiles' "$BATS_FILE_TMPDIR/stderr" || [ "$(find "$RUN/cells" -name stacks.folded.gz | wc -l)" -eq 6 ]
  [ "$(find "$RUN/cells" -name perf.data | wc -l)" -eq 0 ]
}

@test "where CPUs were placed is known of each cell, where that can change" {
  cells "test,exec_per_sec,shared_cores,far_cores,marks" >"$BATS_TEST_TMPDIR/cells"
  if (EXECTAX_ROOT=$ROOT && cd "$ROOT" && source lib/measure/cores.sh && cores_can_change); then
    jq -e 'length == 12 and all(.shared_cores, .far_cores | numbers and . >= 0 and . <= 100)' "$BATS_TEST_TMPDIR/cells"
    # Ten looks a second, from before the load to after window B.
    for looks in "$RUN"/cells/*/*/cores.csv; do
      (($(wc -l <"$looks") > 50))
    done
  else
    jq -e 'length == 12 and all(.shared_cores == "")' "$BATS_TEST_TMPDIR/cells"
  fi
}

@test "memory and log bytes: those of a program and of records" {
  cells "test,exec_per_sec,memory_peak_bytes,log_bytes" | jq -e '
    all(.memory_peak_bytes | numbers and . > 100000 and . < 1e9)
    and (map(select(.test == "auditd-raw")) | all(.log_bytes > 700 and .log_bytes < 3000))'
}

@test "flame graphs are drawn from what was kept" {
  ! grep -q 'No profiles' "$BATS_FILE_TMPDIR/stderr" || skip "perf can't sample here: $(grep 'No profiles' "$BATS_FILE_TMPDIR/stderr")"
  "$ROOT/exectax" report --flamegraphs "$RUN" >"$BATS_TEST_TMPDIR/stdout"
  grep -q 'kauditd\|auditd' "$RUN/flame-auditd-raw.svg"
  grep -q '</svg>' "$RUN/flame-none.svg"
}

@test "LAUREL's cpu is that of both of its processes" {
  [ "$(cut -d, -f2,3 "$RUN/cells/laurel/$RATE-1/pids.csv" | sort | paste -sd ' ')" = "daemon,auditd daemon,laurel-binary helper,kauditd" ]
}

@test "what a run writes is for nobody else to read, and its own user's" {
  [ -z "$(find "$RUN" ! -user root -print -o -perm /077 -print | grep -v '/log/laurel')" ]
  # LAUREL's own log is that of the user as whom it runs.
  [ "$(stat -c '%U %a' "$RUN/monitors/laurel/1-1/laurel.toml")" = "root 600" ]
}

@test "what could not run is a row with the reason" {
  [ "$(column "$RUN/perf.csv" status go-audit)" = skipped ]
  [[ $(column "$RUN/perf.csv" reason go-audit) == *"/nonexistent/go-audit"* ]]
  grep -q 'Skipping go-audit: /nonexistent/go-audit' "$BATS_FILE_TMPDIR/stderr"
}

@test "the pictures are pictures" {
  [ "$(head -c 8 "$RUN/perf.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
  grep -q '</svg>' "$RUN/perf.svg"
  grep -q 'auditd-enriched' "$RUN/perf.svg"
  [ "$(head -c 8 "$RUN/parts.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
  grep -q 'auditd-enriched' "$RUN/parts.svg"
}

@test "the page has the answer, what each monitor ran with, and nothing that it would load" {
  python3 "$ROOT/tests/shell/html-check.py" "$RUN/report.html" >"$BATS_TEST_TMPDIR/problems"
  diff /dev/null "$BATS_TEST_TMPDIR/problems"
  grep -qE 'laurel recorded|laurel lost|laurel and|, laurel' "$RUN/report.html"
  grep -qF '<code>auditd.conf</code>, SHA-256' "$RUN/report.html"
  grep -qF 'log_format = ENRICHED' "$RUN/report.html"
}

@test "the table of CPU by rate is Markdown: a row a monitor, references last" {
  cat "$BATS_FILE_TMPDIR/stdout"
  [[ $(sed -n 1p "$BATS_FILE_TMPDIR/stdout") == "| monitor | rank at 300/s | 100/s | 300/s | lost | notes |" ]]
  # Intervals from the first pass on, unless the machine had no idle time.
  grep -qE '^[|] laurel [|] [0-9–]+ [|] (–|-?[0-9.]+ ± [0-9.]+) [|] (–|-?[0-9.]+ ± [0-9.]+) [|] [0-9]+ of ' "$BATS_FILE_TMPDIR/stdout"
  grep -qE '^[|] auditd-norules [|] – [|].*a reference, not a product' "$BATS_FILE_TMPDIR/stdout"
}

@test "the manifest names host, versions, options and seed" {
  jq -e '.state == "complete" and .options.seed == 1 and .options.duration_s == 3 and .host.cpus > 0
    and (.host.kernel | length > 0) and (.versions["auditd-raw"] | test("^[0-9]"))
    and (.binaries["auditd-raw"][0] | (.path | endswith("/auditd")) and (.sha256 | test("^[0-9a-f]{64}$")))
    and (.skipped["go-audit"] | length > 0) and .ended >= .started' "$RUN/manifest.json"
}

@test "a report made again from the raw files is the same" {
  cp "$RUN/perf.csv" "$BATS_TEST_TMPDIR/perf.csv"
  "$ROOT/exectax" report "$RUN" >"$BATS_TEST_TMPDIR/ranking"
  cmp "$RUN/perf.csv" "$BATS_TEST_TMPDIR/perf.csv"
  cmp "$BATS_TEST_TMPDIR/ranking" "$BATS_FILE_TMPDIR/stdout"
}
