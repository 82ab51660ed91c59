# A row a (monitor, rate): medians over the repetitions that went well, lowest and highest beside the cpu.
# A row is saturated if more than half of those were. Executions and losses are sums over those repetitions. The first three columns are those of published comparisons.
def median: map(select(. != null)) | sort | length as $n
  | if $n == 0 then null elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;
def total: map(select(. != null)) | if length == 0 then null else add end;
def points: if . == null then null else . * 1000 | round / 1000 end;
def counters: [.[] | select(. != null and . != "") | split(" ")[] | split("=") | {name: .[0], value: (.[1] | tonumber)}]
  | group_by(.name) | map("\(.[0].name)=\(map(.value) | add)") | join(" ");
[inputs] as $cells
| [ $cells | group_by(.test, .exec_per_sec)[]
    | map(select(.status == "ok")) as $ok
    | map(select(.status != "ok")) as $bad
    | {
        test: .[0].test,
        exec_per_sec: .[0].exec_per_sec,
        cpu: ($ok | map(.cpu) | median | points),
        cpu_lowest: ($ok | map(.cpu) | map(select(. != null)) | min),
        cpu_highest: ($ok | map(.cpu) | map(select(. != null)) | max),
        reps: ($ok | length),
        cpu_daemon: ($ok | map(.cpu_daemon) | median | points),
        cpu_helpers: ($ok | map(.cpu_helpers) | median | points),
        cpu_cgroup: ($ok | map(.cpu_cgroup) | median | points),
        achieved_per_sec: ($ok | map(.achieved_per_sec) | median | points),
        saturated: ($ok | if length == 0 then null else (map(select(.saturated)) | length) * 2 > length end),
        saturated_reps: ($ok | map(select(.saturated)) | length),
        launched: ($ok | map(.launched) | total),
        recorded: ($ok | map(.recorded) | total),
        lost: ($ok | map(.lost) | total),
        loss_counters: ($ok | map(.loss_counters) | counters),
        spawn_to_exit_p50_us: ($ok | map(.spawn_to_exit_p50_us) | median | points),
        child_cpu_mean_us: ($ok | map(.child_cpu_mean_us) | median | points),
        host_busy: ($ok | map(.host_busy) | median | points),
        host_steal: ($ok | map(.host_steal) | median | points),
        status: ($bad[0].status // "ok"),
        reason: ($bad | map(.reason) | unique | join("; "))
      } ]
  + [ $manifest[0].skipped | to_entries[] | {test: .key, status: "skipped", reason: .value} ]
| .[]
