# Adds to every cell what can only be said against the baseline: `none` at the same rate in the same repetition.
# The parts are daemon, helpers, inband and launcher; what they leave of the total is unattributed. eBPF run time is spent
# within the parts, most of it in inband and launcher, and is shown beside them.
. as $cells
| ($cells | map(select(.test == "none" and .status == "ok") | {key: "\(.exec_per_sec)/\(.rep)", value: .}) | from_entries) as $baselines
| $cells[]
| $baselines["\(.exec_per_sec)/\(.rep)"] as $base
| def above($column): if .[$column] == null or $base[$column] == null then null else .[$column] - $base[$column] end;
  def points: if type == "number" then . * 1000 | round / 1000 else . end;
  .achieved_per_sec as $rate
| def percent: if . == null or $rate == null then null else . * $rate / 1e4 end;
  # journald and rsyslogd have other work to do as well: what they do for nobody is the baseline's.
  .helpers_us = (. as $cell | [.helper_names[]? | ($cell.all_helpers_us[.] // 0) - ($base.all_helpers_us[.]? // 0)] | add // (if $rate then 0 else null end))
| .inband_us = above("child_cpu_mean_us")
| .launcher_us = above("launcher_cpu_us")
| .total_us = above("host_busy_us")
| .unattributed_us = ([.daemon_us, .helpers_us, .inband_us, .launcher_us] as $parts
    | if .total_us == null or ($parts | any(. == null)) then null else .total_us - ($parts | add) end)
| .slowdown_p50_us = above("spawn_to_exit_p50_us")
| .slowdown_p99_us = above("spawn_to_exit_p99_us")
| reduce ("helpers", "bpf", "inband", "launcher", "total", "unattributed") as $part (.; .["\($part)_cpu"] = (.["\($part)_us"] | percent))
# What published comparisons call CPU. A part that could not be measured (eBPF without window B) is not in it.
| .cpu = (if .daemon_cpu == null then null else .daemon_cpu + (.helpers_cpu // 0) + (.bpf_cpu // 0) end)
| del(.helper_names, .all_helpers_us)
| map_values(points)
