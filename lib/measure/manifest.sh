# shellcheck shell=bash
# manifest.json: what was measured, with what, on what.

# manifest_end RUN complete|interrupted REASON: an interrupted run says why it ended.
manifest_end() {
  jq --arg state "$2" --arg reason "$3" --arg now "$(date -Is)" \
    '.state = $state | .reason = (if $reason == "" then null else $reason end) | .ended = $now' "$1/manifest.json" >"$1/manifest.json.new" &&
    mv "$1/manifest.json.new" "$1/manifest.json"
}

# manifest_begin RUN KIND
manifest_begin() {
  local run=$1 kind=$2 now cpu_model
  now=$(date -Is)
  cpu_model=$(LC_ALL=C lscpu | sed -nE 's/^Model name: +//p' | head -n 1)
  jq -n --arg started "$now" --arg run_tag "$BLOCK_TAG" \
    --arg exectax "$(git -C "$EXECTAX_ROOT" describe --always --dirty 2>/dev/null || echo unknown)" \
    --arg os "$(sed -nE 's/^PRETTY_NAME="?([^"]*)"?$/\1/p' /etc/os-release)" \
    --arg kernel "$(uname -r)" --arg machine "$(uname -m)" \
    --arg cpu_model "$cpu_model" --argjson cpus "$(nproc --all)" \
    --argjson memory_kib "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)" \
    --arg virtualisation "$(LC_ALL=C lscpu | sed -nE 's/^Hypervisor vendor: +//p' | grep . || echo none)" \
    --arg init "$(</proc/1/comm)" \
    --arg cgroup "$(manifest_cgroup_version)" \
    --argjson cpu_governor "$(manifest_file /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)" \
    --argjson load_before "$(jq -Rc 'split(" ")[0:3] | map(tonumber)' /proc/loadavg)" \
    --arg kind "$kind" --argjson options "$("${kind}_options_json")" \
    --argjson versions "$(monitor_versions_json "${RUN_MONITORS[@]}")" \
    --argjson binaries "$(monitor_binaries_json "${RUN_MONITORS[@]}")" \
    --argjson skipped "$(manifest_skipped)" \
    --argjson environment "$("$BUILD/execrate" --rate 1 --duration 0.1 --json /dev/stdout | jq .environment)" \
    '{kind: $kind, state: "started", reason: null, started: $started, ended: null, exectax: $exectax, run_tag: $run_tag,
      host: {os: $os, kernel: $kernel, machine: $machine, cpu_model: $cpu_model, cpus: $cpus, memory_kib: $memory_kib,
        virtualisation: $virtualisation, init: $init, cgroup: $cgroup, cpu_governor: $cpu_governor, load_before: $load_before},
      options: $options, load: {environment: $environment}, versions: $versions, binaries: $binaries, skipped: $skipped}' >"$run/manifest.json"
}

manifest_skipped() {
  local monitor
  for monitor in "${!RUN_SKIPPED[@]}"; do
    jq -n --arg name "$monitor" --arg reason "${RUN_SKIPPED[$monitor]}" '{($name): $reason}'
  done | jq -s 'add // {}'
}

# The first line of a file as a JSON string, null where there is no such file.
manifest_file() {
  if [[ -r $1 ]]; then
    head -n 1 "$1" | jq -R .
  else
    echo null
  fi
}

manifest_cgroup_version() {
  local types
  types=$(awk '$3 ~ /^cgroup/ { print $3 }' /proc/self/mounts | sort -u | paste -sd ' ')
  case $types in
    cgroup2) echo v2 ;;
    cgroup) echo v1 ;;
    *) echo hybrid ;;
  esac
}
