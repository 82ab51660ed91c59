# One of the tables of several hosts, as {columns, rows}. Takes: table.
def rows($columns): {$columns, rows: .};
def bounds: ., "\(.)_low", "\(.)_high";
if $table == "hosts" then
  [.hosts[] | .compared |= tostring] | rows(["host", "compared", "why", "state", "os", "kernel", "machine", "cpu_model", "cpus", "virtualisation", "exectax", "started", "reps", "duration_s"])
elif $table == "costs" then
  .costs | rows(["host", "test", "exec_per_sec", ("counted_overhead" | bounds), "counted_overhead_degrees", ("counted_us", "baseline_us" | bounds), "inprogram_method", "saturated", "reps", "launched", "lost", "status", "reason"])
elif $table == "spreads" then
  .spreads | rows(["test", "exec_per_sec", "hosts", "lowest", "lowest_host", "highest", "highest_host", ("deviation" | bounds), "saturated", "why"])
else
  [.orders[] | . as $order | .on[] | $order + {host, difference_share: .value, difference_share_low: .low, difference_share_high: .high}]
  | rows(["test_a", "test_b", "exec_per_sec", "host", ("difference_share" | bounds), "hosts", "a_cheaper", "b_cheaper", "chance", "goes_with"])
end
