# How well cells went, and on what host: of a run's rows of cells (or rounds), and of its manifest.
include "shown";
include "median";
include "html";

def statuses_told: group_by(.status) | map("\(length) \(.[0].status)") | join(", ");
def steal_told:
  [.[] | .host_steal | numbers]
  | if . == [] then empty else "The hypervisor took \(median | shown(1)) % of one CPU in the median cell, \(max | shown(1)) % at most." end;
def are_marked($mark): [.[] | select(.marks | tostring | contains($mark))] | length;
# Where the CPUs of a guest are is what the host is, no fault of a cell.
def cores_told:
  [.[] | [.shared_cores, .far_cores] | select(all(.[]; type == "number"))]
  | if . == [] then empty
    else "CPUs of the host shared a core for \(map(.[0]) | add / length | shown(0)) % of the time, and had no cache in common for \(map(.[1]) | add / length | shown(0)) %." end;
def cells_told:
  ["\(length) cells were planned: \(statuses_told).",
   "The hypervisor took more than 5 % of a CPU in \(are_marked("steal") | if . == 0 then "none" else tostring end) of them.",
   steal_told,
   cores_told]
  | join(" ");

def marked_cells:
  [.[] | select(.status != "ok" or (.marks // "" | tostring) != "")]
  | if . == [] then "" else
      (length) as $marked | sort_by(.cell) | .[:200]
      | map([(.cell | name_cell), (.test | text_cell), (.exec_per_sec | number_cell(0)), (.rep | number_cell(0)), (.status | text_cell), (.marks | text_cell), (.host_steal | number_cell(1)), (.reason | text_cell)])
      | table("Cells that are marked or did not go well\(if $marked > 200 then " (the first 200 of \($marked))" else "" end)"; ["cell", "monitor", "rate|1/s", "repetition", "status", "marks", "steal|% of one CPU", "reason"])
      | details("The \($marked) cells that are marked or did not go well"; .) end;

# Of what has `host`, as a manifest does: [[what, value]].
def host_facts:
  (.host // {}) as $host
  | [["operating system", $host.os], ["kernel", $host.kernel], ["CPUs", (if $host.cpus then "\($host.cpus) × \($host.cpu_model // "unknown")" else null end)],
     ["architecture", $host.machine], ["memory", ($host.memory_kib | if type == "number" then "\(. / 1048576 | shown(1)) GiB" else null end)],
     ["virtualisation", $host.virtualisation], ["init, cgroups", (if $host.init then "\($host.init), \($host.cgroup)" else null end)], ["CPU governor", $host.cpu_governor],
     ["host name", $host.hostname]];
def options_facts: [. // {} | to_entries[] | [.key, (.value | if type == "array" then map(tostring) | join(" ") else tostring end)]] | facts;
