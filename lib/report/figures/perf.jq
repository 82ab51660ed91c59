# A row a (monitor, rate): medians over the cells that went well and were not disturbed (over the disturbed if there are no
# others), lowest and highest beside cpu and total. A row is saturated if more than half of those were. Executions and losses
# are sums over all that went well, so that none is hidden. The first three columns are those of published comparisons.
include "median";
include "disturbed";
def numbers_of($column): map(.[$column] | numbers);
def median($column): numbers_of($column) | median;
def sum($column): numbers_of($column) | if length == 0 then null else add end;
def points: if . == null then null else . * 1000 | round / 1000 end;
def counters: [.[] | select(. != null and . != "") | split(" ")[] | split("=") | {name: .[0], value: (.[1] | tonumber)}]
  | group_by(.name) | map("\(.[0].name)=\(map(.value) | add)") | join(" ");
# The parts' medians and the rest of the total's median, so that what is shown adds up.
def rest($total; $parts): [$total, $parts[]] | if any(. == null) then null else .[0] - (.[1:] | add) end;
[inputs] as $cells
| [ $cells | group_by(.test, .exec_per_sec)[]
    | map(select(.status == "ok")) as $good
    | ($good | undisturbed) as $ok
    | map(select(.status != "ok")) as $bad
    | def medians($columns): [$columns[] as $column | {key: $column, value: ($ok | median($column) | points)}] | from_entries;
      {
        test: .[0].test,
        exec_per_sec: .[0].exec_per_sec,
        cpu: ($ok | median("cpu") | points),
        cpu_lowest: ($ok | numbers_of("cpu") | min),
        cpu_highest: ($ok | numbers_of("cpu") | max),
        reps: ($ok | length)
      }
    + medians(["achieved_per_sec"])
    + {
        saturated: ($ok | if length == 0 then null else (map(select(.saturated)) | length) * 2 > length end),
        saturated_reps: ($ok | map(select(.saturated)) | length),
        launched: ($good | sum("launched")),
        recorded: ($good | sum("recorded")),
        lost: ($good | sum("lost")),
        loss_counters: ($good | map(.loss_counters) | counters)
      }
    + medians(["daemon_us", "helpers_us", "bpf_us", "inband_us", "launcher_us", "total_us"])
    + {total_us_lowest: ($ok | numbers_of("total_us") | min), total_us_highest: ($ok | numbers_of("total_us") | max)}
    | .unattributed_us = (rest(.total_us; [.daemon_us, .helpers_us, .inband_us, .launcher_us]) | points)
    | . + medians(["daemon_cpu", "helpers_cpu", "bpf_cpu", "inband_cpu", "launcher_cpu", "total_cpu"])
    | .unattributed_cpu = (rest(.total_cpu; [.daemon_cpu, .helpers_cpu, .inband_cpu, .launcher_cpu]) | points)
    | . + medians(["slowdown_p50_us", "slowdown_p99_us", "spawn_to_exit_p50_us", "child_cpu_mean_us", "bpf_perf_us", "pidstat_daemon",
        "pidstat_helpers", "delivery_p50_ms", "delivery_p99_ms", "delivery_max_ms", "memory_peak_bytes", "log_bytes", "host_busy_us", "stolen_us", "other_us", "no_task_us",
        "host_busy", "host_steal"])
    + {
        status: ($bad[0].status // "ok"),
        reason: ($bad | map(.reason) | unique | join("; "))
      } ]
  + [ $manifest[0].skipped | to_entries[] | {test: .key, status: "skipped", reason: .value} ]
| .[]
