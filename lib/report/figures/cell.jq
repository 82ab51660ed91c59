# The figures of one cell from its raw files. Units are in the names: _us is microseconds per execution, the others of
# CPU time are % of one CPU. What needs the baseline is added by lib/report/figures/parts.jq.
($load[0] // {}) as $l
| def points: if . == null then null else . * 1000 | round / 1000 end;
  # By how much the counter of a source has grown between the first and the last reading of a window, in ns.
  def grown: if length == 0 then null else .[-1].cpu_ns - .[0].cpu_ns end;
  def growth($window; $source; $name): [$window[] | select(.source == $source and .name == $name and .cpu_ns != "")] | grown;
  # Of a window with one reading, whose second one never came, nothing is known.
  def seconds($window): growth($window; "clock"; "monotonic") | if (. // 0) == 0 then null else . / 1e9 end;
  # Every helper of any monitor of the run, by name; several sources can stand for one: NAME, or NAME/PID.
  def helper_growths($window): [$window[] | select((.source == "kthread") or (.source == "cgroup" and (.name | IN("monitor", "load", "sampler") | not))
      or (.source == "pid" and (.name | test("^monitor(/|$)") | not)))]
    | group_by([.source, .name]) | map({name: (.[0].name | split("/")[0]), ns: grown})
    | group_by(.name) | map({key: .[0].name, value: (map(.ns) | add)}) | from_entries;
  # A program that appeared within the window has all of its time in it.
  def bpf_growth($window; $counter): [$window[] | select(.source == "bpf")] | group_by(.name)
    | map(if length > 1 then .[-1][$counter] - .[0][$counter] else .[0][$counter] end) | add // 0;
  def per_exec($n): if . == null or ($n // 0) == 0 then null else . / 1000 / $n end;
  def percent($window): if . == null or seconds($window) == null then null else . / 1e7 / seconds($window) end;
  # By how much the time of day left the other clocks behind during the cell; more than this is no reading's error.
  def is_step: . != null and fabs > 50000;
  (($clock[0] | if . == null then null else .after_us - .before_us end | is_step)
    or ($l.real_step_ns | if . == null then null else . / 1000 end | is_step)) as $clock_stepped
| ($launches.a.count // null) as $n_a
# The load may have ended within window B, on a host that is slow to start what measures there. Its figures are per
# execution, so what is left of it will do, if those that were under way at its ends are few among them.
| (([$b[] | select(.source == "clock" and .name == "monotonic") | .cpu_ns] | max) as $last_reading
    | $last_reading != null and $l.start_mono_ns != null and $last_reading > $l.start_mono_ns + $l.duration_s * 1e9) as $b_is_cut
| (($launches.b.count // null) | if $b_is_cut and (. // 0) < 200 then null else . end) as $n_b
| ([$a[] | select((.source | IN("cgroup", "pid")) and .name == "monitor")] | grown) as $daemon
| growth($a; "cgroup"; "load") as $loaded
| growth($a; "cgroup"; "sampler") as $sampler
| growth($a; "host"; "busy") as $busy
| growth($a; "host"; "tasks") as $tasks
| helper_growths($a) as $helping
| ($launches.a.child_cpu_us_mean // null) as $child_us
| (if $has_bpf then bpf_growth($b; "cpu_ns") else null end) as $bpf
| (growth($b; "host"; "busy") | per_exec($n_b)) as $busy_b_us
| ($count[0].recorded // null) as $recorded
| ($cell[0] | del(.disturbed)) + {
    daemon_us: ($daemon | per_exec($n_a)),
    daemon_cpu: ($daemon | percent($a)),
    helper_names: ($before[0].helpers // []),
    all_helpers_cpu: ($helping | map_values(percent($a))),
    bpf_us: ($bpf | per_exec($n_b)),
    bpf_cpu: (if $n_b == null then null else $bpf | percent($b) end),
    bpf_runs: (if $has_bpf and ($n_b // 0) > 0 then bpf_growth($b; "count") / $n_b else null end),
    child_cpu_mean_us: $child_us,
    launcher_cpu_us: (($loaded | per_exec($n_a)) as $us | if $us == null or $child_us == null then null else $us - $child_us end),
    host_busy_us: (if $busy == null or $sampler == null then null else $busy - $sampler end | per_exec($n_a)),
    steal_us: (growth($a; "host"; "steal") | per_exec($n_a)),
    other_tasks_us: (if [$tasks, $daemon, $loaded, $sampler] | any(. == null) then null
      else $tasks - $daemon - $loaded - $sampler - ($helping | add // 0) end | per_exec($n_a)),
    outside_tasks_us: (if $busy == null or $tasks == null then null else $busy - $tasks end | per_exec($n_a)),
    host_busy: ($busy | percent($a)),
    host_steal: (growth($a; "host"; "steal") | percent($a)),
    sampler_cpu: ($sampler | percent($a)),
    pidstat_daemon: $pidstat.daemon?,
    pidstat_helpers: $pidstat.helper?,
    bpf_perf_us: (if $profile == null or ($profile.busy // 0) == 0 or $busy_b_us == null then null
      else $profile.bpf_any / $profile.busy * $busy_b_us end),
    bpf_perf_error_us: (if $profile == null or ($profile.busy // 0) == 0 or $busy_b_us == null then null
      else ([$profile.bpf_any, 1] | max | sqrt) / $profile.busy * $busy_b_us end),
    achieved_per_sec: (if $n_a == null or seconds($a) == null then null else $n_a / seconds($a) end),
    saturated: $l.saturated,
    launched: $l.launched,
    failed: $l.failed,
    missed: $l.missed,
    recorded: $recorded,
    lost: (if $recorded == null or $l.launched == null then null else $l.launched - $recorded end),
    # At most: when the last record was seen, to the length of one look at the log.
    behind_s: (if $drain[0] == null or $l.start_real_ns == null or $clock_stepped then null
      else [0, $drain[0].last_record_us / 1e6 - ($l.start_real_ns / 1e9 + $l.duration_s)] | max end),
    loss_counters: (if $before[0] and $after[0]
      then [$after[0].losses | to_entries[] | "\(.key)=\(.value - ($before[0].losses[.key] // 0))"] | join(" ") else null end),
    delivery_p50_ms: ((if $n_b == null or $clock_stepped then null else $launches.b.delay_ns_p50 end) | if . == null then null else . / 1e6 end),
    delivery_p99_ms: ((if $n_b == null or $clock_stepped then null else $launches.b.delay_ns_p99 end) | if . == null then null else . / 1e6 end),
    delivery_max_ms: ((if $n_b == null or $clock_stepped then null else $launches.b.delay_ns_max end) | if . == null then null else . / 1e6 end),
    memory_peak_bytes: ([$a[] | select(.source == "memory" and (.name | tostring | startswith("monitor/")))]
      | group_by(.name) | map(.[-1].memory_peak_bytes | numbers) | if length == 0 then null else add end),
    log_bytes: (if $log_bytes[0] == null or ($n_a // 0) == 0 or $recorded == null then null
      else ($log_bytes[0].end - $log_bytes[0].start) / $n_a end),
    lateness_p50_us: $l.lateness_us.p50?,
    lateness_p99_us: $l.lateness_us.p99?,
    spawn_to_exit_p50_us: (($launches.a.spawn_to_exit_ns_p50 // null) | if . == null then null else . / 1000 end),
    spawn_to_exit_p99_us: (($launches.a.spawn_to_exit_ns_p99 // null) | if . == null then null else . / 1000 end),
    window_s: seconds($a),
    window_b_s: seconds($b)
  }
| .marks = ([
    # pidstat counts 10 ms ticks of processes that are alive; the cgroup counts ns of all. They must agree.
    (if .pidstat_daemon != null and .daemon_cpu != null
        and ((.pidstat_daemon - .daemon_cpu) | fabs) > ([0.3, 0.05 * .daemon_cpu] | max)
      then "pidstat-and-cpumeter-differ" else empty end),
    # Sampled and counted run time of BPF programs: three standard errors of the sampling, and never for less than 2 us.
    (if .bpf_us != null and .bpf_perf_us != null and ((.bpf_us - .bpf_perf_us) | fabs) > ([2, 3 * .bpf_perf_error_us] | max)
      then "perf-and-bpf-differ" else empty end),
    (if $a != [] and ($same_processes | not) then "processes-changed" else empty end),
    (if $b_is_cut then "window-b-cut" else empty end),
    (if $clock_stepped then "clock-step" else empty end),
    (if .lost != null and .lost < 0 then "more-recorded-than-launched" else empty end),
    (if ($cell[0] | if has("disturbed") then .disturbed else ((growth($a; "host"; "steal") | percent($a)) // 0) > 5 end) then "steal" else empty end)
  ] | join(" "))
| map_values(if type == "number" then points else . end)
