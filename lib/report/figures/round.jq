# A round of a saturation run: the figures of the cell it is, and how it ended. A round is lossy if the monitor lost events;
# if it lost none and less than 99 % of the rate was reached, the host was saturated (its CPUs busy for 95 %) or else the load could not
# grow (load-limited: what it does is the bottleneck). A monitor is killed for lack of memory as it starts, too; how long its limit
# kept it waiting is told from the load's start on.
def points: if . == null then null else . * 1000 | round / 1000 end;
(.host_busy != null and .host_busy >= 95 * $cpus) as $host_is_busy
| (if $load[0].achieved_hz? == null then null else $load[0].achieved_hz >= 0.99 * .exec_per_sec end) as $reached
| (if $after[0].throttled_us? == null or $start[0].throttled_us? == null then null else $after[0].throttled_us - $start[0].throttled_us end) as $throttled_us
| {
    search, test, monitor,
    combination: ([(if .cpus == "-" then empty else "\(.cpus) CPU" end), (if .memory == "-" then empty else .memory end),
      (if .knobs == "" then empty else .knobs end)] | join(", ") | if . == "" then "no limits" else . end),
    cpus: (if .cpus == "-" then null else .cpus end),
    memory: (if .memory == "-" then null else .memory end),
    knobs: (if .knobs == "" then null else .knobs end),
    rep, round, phase,
    asked_per_sec: .exec_per_sec,
    achieved_per_sec: $load[0].achieved_hz?,
    host_saturated: (.saturated == true and $host_is_busy),
    reached: $reached,
    launched, failed: .failed, recorded, lost,
    recorded_percent: (if .lost == null or (.launched // 0) == 0 then null else 100 * .recorded / .launched end),
    behind_s,
    written_per_sec: (if .behind_s == null or .recorded == null or $load[0].duration_s? == null then null
      else .recorded / ($load[0].duration_s + .behind_s) end),
    verdict: (if .lost == null then "failed" elif .lost > 0 then "lossy" elif $reached then "clean"
      elif $host_is_busy then "host-saturated" else "load-limited" end),
    loss_counters,
    cpu: .daemon_cpu,
    helpers_cpu: (.all_helpers_cpu as $all | [.helper_names[]? | $all[.] // 0] | add // 0),
    memory_peak_bytes,
    throttled_ms: (if $throttled_us == null then null else $throttled_us / 1000 end),
    oom_kills: (if $after[0].oom_kills? == null or $before[0].oom_kills? == null then null else $after[0].oom_kills - $before[0].oom_kills end),
    kernel_events_per_sec: $events,
    host_busy, host_steal,
    status, reason
  }
# The figures of a cell that went wrong are not the monitor's under load.
| (if .status != "ok" then .cpu = null | .helpers_cpu = null else . end)
| map_values(if type == "number" then points else . end)
