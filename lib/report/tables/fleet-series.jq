# Of the runs of several hosts, what can be compared between them: values that belong together are a series.
# Takes: hosts (lines of fleet_hosts), perf and differences (a list of rows of all hosts, every field a text).
# Gives {hosts, costs, spreads: [{series, test, exec_per_sec, why, values: [{host, value, low, high, degrees}]}], orders: [{series, test_a, test_b, exec_per_sec, values}]}.
include "differs";

def number: if . == null or . == "" then null else (tonumber? // null) end;
def figure($row; $name): {($name): ($row[$name] | number)};
def with_bounds($row; $name): figure($row; $name) + figure($row; "\($name)_low") + figure($row; "\($name)_high");

# What must be the same in runs for their figures to be the same thing.
def measured_with: [differs({}; .)[] | select(.what | IN(host_words[]) | not) | [.what, .b]];

def described:
  .manifest as $run | ($run.host // {}) as $host
  | {host, hostname: $host.hostname, state: $run.state, os: $host.os, kernel: $host.kernel, machine: $host.machine, cpu_model: $host.cpu_model, cpus: $host.cpus, virtualisation: $host.virtualisation,
     exectax: ($run | exectax_versions), started: $run.started, reps: $run.options.reps, duration_s: $run.options.duration_s, why, skipped: ($run.skipped // {})};

# Most runs say what the others are compared with; of as many, the host that comes first.
def reference: map(select(.why == null)) | group_by(.with) | max_by([length, -(.[0].place)]) // [{}] | .[0];

[$hosts | to_entries[] | .value + {place: .key} | . + {with: (.manifest | measured_with)}]
| reference as $reference
| map(if .why == null and .with != $reference.with then
    .why = "not measured as the others were: " + ([differs($reference.manifest; .manifest)[] | select(.what | IN(host_words[]) | not)
      | if .what | startswith("environment") then .what else "\(.what) is \(.b // "none"), not \(.a // "none")" end] | join("; "))
  else . end | described + {compared: (.why == null)})
| . as $told
| (map(select(.compared).host)) as $compared
| ($compared | map({key: ., value: true}) | from_entries) as $is_compared
| [$perf[0][] | select($is_compared[.host]) | select(.test != "none" and (.exec_per_sec | number) != 0)
    | . as $row | {host, test, exec_per_sec: (.exec_per_sec | number), inprogram_method, saturated, status, reason}
      + figure($row; "reps") + figure($row; "launched") + figure($row; "lost") + figure($row; "counted_overhead_degrees")
      + with_bounds($row; "counted_overhead") + with_bounds($row; "counted_us") + with_bounds($row; "baseline_us")] as $costs
| ($costs | map(select(.saturated != "true" and .exec_per_sec != null) | {key: "\(.host)/\(.exec_per_sec)/\(.test)", value: true}) | from_entries) as $rankable
| [$costs | map(select(.exec_per_sec != null and .counted_overhead != null)) | group_by([.test, .exec_per_sec])[]
    | map(select(.saturated != "true")) as $usable
    | ($usable | map(.inprogram_method // "") | unique) as $methods
    | {test: .[0].test, exec_per_sec: .[0].exec_per_sec, saturated: (length - ($usable | length)),
       why: (if $usable == [] then "the host was saturated on all of them"
         elif ($methods | length) > 1 then "what is in the program was got by different methods: \($methods | map(if . == "" then "unknown" else . end) | join(", "))"
         else null end)}
    | .values = if .why then [] else [$usable[] | {host, value: .counted_overhead, low: .counted_overhead_low, high: .counted_overhead_high, degrees: .counted_overhead_degrees}] end]
  as $spreads
| [$differences[0][] | select($is_compared[.host]) | .exec_per_sec = (.exec_per_sec | number)
    | select($rankable["\(.host)/\(.exec_per_sec)/\(.test_a)"] and $rankable["\(.host)/\(.exec_per_sec)/\(.test_b)"])]
  | group_by([.exec_per_sec, .test_a, .test_b])
  | map({test_a: .[0].test_a, test_b: .[0].test_b, exec_per_sec: .[0].exec_per_sec,
      values: map({host, value: (.difference | number), low: (.difference_low | number), high: (.difference_high | number)} | select(.value != null))})
  # What says the same on all hosts, or nothing, is no disagreement.
  | map(select(any(.values[]; .high != null and .high < 0) and any(.values[]; .low != null and .low > 0)))
  | {hosts: $told, $costs,
     spreads: [$spreads | to_entries[] | .value + {series: "spread \(.key)"}],
     orders: [to_entries[] | .value + {series: "order \(.key)"}]}
