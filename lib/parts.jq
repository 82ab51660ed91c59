# Adds to every cell what can only be said against a baseline: `none` at the same rate, interpolated between its cells before
# and after this one, since the machine drifts; for a monitor that was there already, itself at rest (rate 0).
# The parts are daemon, helpers, inband and launcher; what they leave of the total is unattributed. eBPF run time is spent
# within the parts, most of it in inband and launcher, and is shown beside them.
# Every number between those of two cells, $weight of the way from the first to the second.
def between($first; $second; $weight): reduce ($first | to_entries[] | select((.value | type == "number") and ($second[.key] | type == "number"))) as $of
  ({}; .[$of.key] = $of.value + ($second[$of.key] - $of.value) * $weight);
def baseline($first; $second; $weight):
  between($first; $second; $weight) + {all_helpers_cpu: between($first.all_helpers_cpu // {}; $second.all_helpers_cpu // {}; $weight)};
. as $cells
| ($cells | map(select(.status == "ok" and .test == "none")) | group_by(.exec_per_sec)
    | map({key: "\(.[0].exec_per_sec)", value: sort_by(.cell)}) | from_entries) as $without
| def without_it: .cell as $cell | ($without["\(.exec_per_sec)"] // []) as $nones
    | ($nones | map(select(.cell < $cell)) | last) as $before
    | ($nones | map(select(.cell > $cell)) | first) as $after
    | if $before != null and $after != null
      then baseline($before; $after; ($cell - $before.cell) / ($after.cell - $before.cell))
      else $before // $after // $nones[0] end;
  ($cells | map(select(.status == "ok" and .exec_per_sec == 0)) | map({key: "\(.test)/\(.rep)", value: .}) | from_entries) as $at_rest
| $cells[]
| without_it as $base
| ($base // $at_rest["\(.test)/\(.rep)"]) as $others
| def above($column): if .[$column] == null or $base[$column] == null then null else .[$column] - $base[$column] end;
  def points: if type == "number" then . * 1000 | round / 1000 else . end;
  .achieved_per_sec as $rate
| def percent: if . == null or $rate == null then null else . * $rate / 1e4 end;
  def per_exec: if . == null or ($rate // 0) == 0 then null else . * 1e4 / $rate end;
  # journald and rsyslogd have other work to do as well: what they do for nobody is not the monitor's.
  .helpers_cpu = (. as $cell | if .daemon_cpu == null then null
    else [.helper_names[]? | ($cell.all_helpers_cpu[.] // 0) - ($others.all_helpers_cpu[.]? // 0)] | add // 0 end)
| .helpers_us = (.helpers_cpu | per_exec)
| (if $base == null and $others != null and .daemon_cpu != null then .daemon_us = (.daemon_cpu - $others.daemon_cpu | per_exec) else . end)
| .inband_us = above("child_cpu_mean_us")
| .launcher_us = above("launcher_cpu_us")
| .total_us = above("host_busy_us")
| .unattributed_us = ([.daemon_us, .helpers_us, .inband_us, .launcher_us] as $parts
    | if .total_us == null or ($parts | any(. == null)) then null else .total_us - ($parts | add) end)
| .stolen_us = above("steal_us")
| .other_us = above("other_tasks_us")
| .slowdown_p50_us = above("spawn_to_exit_p50_us")
| .slowdown_p99_us = above("spawn_to_exit_p99_us")
| reduce ("inband", "launcher", "total", "unattributed") as $part (.; .["\($part)_cpu"] = (.["\($part)_us"] | percent))
| .bpf_cpu = (if .bpf_us == null then .bpf_cpu else .bpf_us | percent end)
# What published comparisons call CPU. eBPF is not in it where it could not be measured at all; where window B was cut too short
# to measure it, nothing can be said.
| .cpu = (if .daemon_cpu == null or (.bpf_cpu == null and ((.marks // "") | contains("window-b-cut"))) then null else .daemon_cpu + .helpers_cpu + (.bpf_cpu // 0) end)
| del(.helper_names, .all_helpers_cpu)
| map_values(points)
