# The figures of one cell from its raw files. Units are in the names; cpu figures are % of one CPU.
($load[0] // {}) as $l
| (($window_end[0].time_us // null) as $to | if $to then ($to - $window_start[0].time_us) / 1e6 else null end) as $window_s
| def points: if . == null then null else . * 1000 | round / 1000 end;
  def ticks($first; $last): [$window_end[0].machine_ticks[$first:$last], $window_start[0].machine_ticks[$first:$last]] | (.[0] | add) - (.[1] | add)
    | . / $window_start[0].user_hz / $window_s * 100;
  (if $window_s then ($window_end[0].cgroup_cpu_us - $window_start[0].cgroup_cpu_us) / 1e4 / $window_s else null end) as $cpu_cgroup
| ($count[0].recorded // null) as $recorded
| $cell[0] + {
    cpu: (if $pidstat then $pidstat.daemon + $pidstat.helper else null end | points),
    cpu_daemon: ($pidstat.daemon? | points),
    cpu_helpers: ($pidstat.helper? | points),
    cpu_cgroup: ($cpu_cgroup | points),
    achieved_per_sec: (if $launched_in_window and $window_s then $launched_in_window / $window_s else null end | points),
    saturated: $l.saturated,
    launched: $l.launched,
    failed: $l.failed,
    missed: $l.missed,
    recorded: $recorded,
    lost: (if $recorded == null or $l.launched == null then null else $l.launched - $recorded end),
    loss_counters: (if $before[0] and $after[0]
      then [$after[0].losses | to_entries[] | "\(.key)=\(.value - ($before[0].losses[.key] // 0))"] | join(" ") else null end),
    lateness_p50_us: $l.lateness_us.p50?,
    lateness_p99_us: $l.lateness_us.p99?,
    spawn_to_exit_p50_us: $l.spawn_to_exit_us.p50?,
    spawn_to_exit_p99_us: $l.spawn_to_exit_us.p99?,
    child_cpu_mean_us: $l.child_cpu_us.mean?,
    load_cpu_us_per_launch: $l.self_cpu_us_per_launch,
    host_busy: (if $window_s then ticks(0; 3) + ticks(5; 7) else null end | points),
    host_steal: (if $window_s then ticks(7; 8) else null end | points),
    window_s: ($window_s | points)
  }
# pidstat counts 10 ms ticks of processes that are alive; the cgroup counts ns of all. They must agree.
| .marks = ([
    (if .cpu_daemon != null and .cpu_cgroup != null
        and ((.cpu_daemon - .cpu_cgroup) | fabs) > ([0.3, 0.05 * .cpu_cgroup] | max)
      then "pidstat-and-cgroup-differ" else empty end),
    (if $window_end[0] and ($same_processes | not) then "processes-changed" else empty end),
    (if .lost != null and .lost < 0 then "more-recorded-than-launched" else empty end),
    (if .host_steal != null and .host_steal > 5 then "steal" else empty end)
  ] | join(" "))
