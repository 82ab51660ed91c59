# How well cells went, and on what host: of a run's rows of cells (or rounds), and of its manifest.
include "shown";
include "median";
include "html";

def statuses_told: group_by(.status) | map("\(length) \(.[0].status)") | join(", ");
def steal_told:
  [.[] | .host_steal | numbers]
  | if . == [] then empty else "The hypervisor took \(median | shown(1)) % of one CPU in the median cell, \(max | shown(1)) % at most." end;
def are_marked($mark): [.[] | select(.marks | tostring | contains($mark))] | length;
# Tables of older runs do not say it.
def left_out_told:
  [.[] | select(.status == "ok" and (.marks | tostring | test("steal|misplaced-cpus")))]
  | (map(select(.in_means | tostring == "false")) | length) as $left_out
  | "at rates where some monitor has too few without such a mark" as $why
  | if all(.[]; .in_means == null) then empty
    elif $left_out == length then "None of these cells is in a mean."
    elif $left_out == 0 then "All of these cells are in means, \($why)."
    else "\($left_out) of these cells are in no mean; the others are, \($why)." end;
def were($count): if $count == 0 then "None was" elif $count == 1 then "1 of them was" else "\($count) of them were" end;
def cells_told:
  are_marked("steal") as $disturbed
  | are_marked("misplaced-cpus") as $misplaced
  | ["\(length) cells were planned: \(statuses_told).",
     "\(were($disturbed)) disturbed by the hypervisor (more than 5 % of a CPU), \(were($misplaced) | ascii_downcase) measured while it had CPUs on one core, or on cores without a cache in common (more than 5 % of the time).",
     left_out_told,
     steal_told]
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
