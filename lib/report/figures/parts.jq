# Adds to every cell what can only be said against a baseline: `none` at the same rate, the average of its cells, in which the
# nearer ones count more, since the machine drifts; for a monitor that was there already, itself at rest (rate 0).
# The parts are daemon, helpers, inband and launcher; what they leave of the total is unattributed. eBPF run time is spent
# within the parts, most of it in inband and launcher, and is shown beside them.
include "disturbed";
# So many cells further away, a cell of the baseline counts e times less. docs/accounting.md says why 20.
def reach: 20;
# The weighted average of every number in $objects.
def average($objects; $weights):
  reduce ([$objects[] | keys[]] | unique[]) as $key ({};
    [range($objects | length) | select($objects[.][$key] | type == "number")] as $having
    | if $having == [] then .
      else .[$key] = ([$having[] | $weights[.] * $objects[.][$key]] | add) / ([$having[] | $weights[.]] | add) end);
. as $cells
| ($cells | map(select(.status == "ok" and .test == "none")) | group_by(.exec_per_sec)
    | map({key: "\(.[0].exec_per_sec)", value: undisturbed}) | from_entries) as $without
| def without_it: .cell as $cell | ($without["\(.exec_per_sec)"] // []) as $nones
    # A cell of the baseline is compared with the others.
    | ($nones | map(select(.cell != $cell))) as $others
    | (if $others == [] then $nones else $others end) as $nones
    | [$nones[] | (.cell - $cell | fabs) / reach | -. | exp] as $weights
    | if $nones == [] then null
      else average($nones; $weights) + {all_helpers_cpu: average([$nones[].all_helpers_cpu // {}]; $weights)} end;
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
| .no_task_us = above("outside_tasks_us")
| .slowdown_p50_us = above("spawn_to_exit_p50_us")
| .slowdown_p99_us = above("spawn_to_exit_p99_us")
| reduce ("inband", "launcher", "total", "unattributed") as $part (.; .["\($part)_cpu"] = (.["\($part)_us"] | percent))
| .bpf_cpu = (if .bpf_us == null then .bpf_cpu else .bpf_us | percent end)
# What published comparisons call CPU. eBPF is not in it where it could not be measured at all; where window B was cut too short
# to measure it, nothing can be said.
| .cpu = (if .daemon_cpu == null or (.bpf_cpu == null and ((.marks // "") | contains("window-b-cut"))) then null else .daemon_cpu + .helpers_cpu + (.bpf_cpu // 0) end)
| del(.helper_names, .all_helpers_cpu)
| map_values(points)
