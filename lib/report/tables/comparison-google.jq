# Both sides as Google Benchmark's JSON: a repetition each cell, and their mean, median and standard deviation. Only figures in units of time.
# `compare.py filters FILE a/ b/` compares the sides.
def units: {"µs per execution": "us", "µs": "us", "ms": "ms"};
def mean: add / length;
def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def deviation: . as $values | mean as $mean | map(. - $mean | . * .) | add / ($values | length - 1) | sqrt;

. as $all
| [.comparisons[] | select(units[.unit]) | . as $row
    | ("a", "b") as $side | .[$side] | select(.values | length > 0)
    | {side: $side, unit: units[$row.unit], values, name: "\($side)/\($row.figure)/\(.test | sub("@.*$"; ""))/\($row.exec_per_sec)"}]
| {
    context: {
      date: $all.b.started, host_name: $all.b.host.hostname, executable: "exectax", num_cpus: $all.b.host.cpus, mhz_per_cpu: 0,
      cpu_scaling_enabled: ($all.b.host.cpu_governor != null and $all.b.host.cpu_governor != "performance"), caches: [],
      load_avg: ($all.b.host.load_before // []), library_build_type: "release"},
    benchmarks: [to_entries[] | .key as $family | .value | . as $entry | (.values | length) as $repetitions
      | {name, family_index: $family, per_family_instance_index: 0, run_name: .name, repetitions: $repetitions, threads: 1, time_unit: .unit} as $common
      | (.values | to_entries[] | $common + {run_type: "iteration", repetition_index: .key, iterations: 1, real_time: .value, cpu_time: .value}),
        (if $repetitions < 2 then empty else
          ({mean: (.values | mean), median: (.values | median), stddev: (.values | deviation)} | to_entries[])
          | $common + {name: "\($entry.name)_\(.key)", run_type: "aggregate", aggregate_name: .key, aggregate_unit: "time", iterations: $repetitions,
              real_time: .value, cpu_time: .value} end)]
  }
