# What keeps runs from being compared: what of host, load, windows and exectax itself is not the same in their manifests. Versions and programs
# of monitors are what is compared, so they are not among it.

def host_words: {
  hostname: "host name", machine_id_sha256: "SHA-256 of /etc/machine-id", kernel: "kernel", machine: "architecture", cpu_model: "CPU model",
  cpus: "number of CPUs", virtualisation: "virtualisation", cgroup: "cgroup version", cpu_governor: "CPU governor"};
def option_words: {
  warmup_s: "warm-up, s", duration_s: "window A, s", instrumented_s: "window B, s", side_s: "window S, s",
  journald_audit: "journald's audit socket"};
def exectax_versions: [.sessions[]?.exectax] + [.exectax // empty] | unique | join(", ");

# differs($a; $b): of two manifests, [{what, a, b}].
def differs($a; $b):
  [ (host_words | to_entries[] | {what: .value, a: $a.host[.key], b: $b.host[.key]}),
    (option_words | to_entries[] | {what: .value, a: $a.options[.key], b: $b.options[.key]}),
    {what: "environment of the launched program", a: ($a.load.environment | tojson), b: ($b.load.environment | tojson)},
    {what: "exectax", a: ($a | exectax_versions), b: ($b | exectax_versions)}
    | select(.a != .b)];
