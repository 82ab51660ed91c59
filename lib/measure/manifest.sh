# shellcheck shell=bash
# manifest.json: what was measured, with what, on what.

# A run has one session, or several if it was resumed or repeated. Each has a tag and a boot of its own, and says how it ended: `started` if
# nobody could write that down, `interrupted` if it was ended early, with the reason, and `complete`. So does the run as a whole. The file is
# the old or the new one at any instant, whatever ends the run or the machine.

# manifest_begin RUN KIND
manifest_begin() (
  local run=$1 kind=$2
  jq -n --arg kind "$kind" --argjson schema "$SCHEMA_NUMBER" --argjson session "$(manifest_session)" --argjson subject "$(manifest_subject)" --argjson options "$("${kind}_options_json")" \
    --argjson host "$(manifest_host)" --argjson skipped "$(manifest_skipped)" --argjson references "$(manifest_references)" --argjson own_builds "$(manifest_own_builds)" \
    --argjson environment "$("$BUILD/execrate" --rate 1 --duration 0.1 --json /dev/stdout | jq .environment)" \
    '{$schema, $kind, state: "started", reason: null, started: $session.started, ended: null, exectax: $session.exectax, run_tag: $session.tag,
      sessions: [$session], host: ($host + $subject.host), $options, load: {$environment},
      versions: $subject.versions, binaries: $subject.binaries, $references, $own_builds, $skipped}' | manifest_put "$run"
)

# manifest_go_on RUN OPTIONS: with a further session, and with these options, a JSON object, instead of its own. A session before it that is
# not known to have ended was killed. From here on, its files are also what this exectax writes.
manifest_go_on() {
  jq --argjson schema "$SCHEMA_NUMBER" --argjson session "$(manifest_session)" --argjson options "$2" '
    (.sessions[] | select(.state == "started")) |= (.state = "interrupted" | .reason = "killed")
    | .schema = $schema | .sessions += [$session] | .options += $options | del(.precision, .outcome) | .state = "started" | .reason = null | .ended = null' "$1/manifest.json" |
    manifest_put "$1"
}

# manifest_end RUN complete|interrupted REASON: an interrupted run says why it ended. Nothing is said of a session that the manifest does not know.
manifest_end() {
  jq --arg tag "$BLOCK_TAG" --arg state "$2" --arg reason "$3" --arg now "$(date -Is)" '
    {$state, reason: (if $reason == "" then null else $reason end), ended: $now} as $outcome
    | if .sessions[-1].tag == $tag then .sessions[-1] += $outcome | . += $outcome else . end' "$1/manifest.json" |
    manifest_put "$1"
}

# manifest_add RUN NAME JSON
manifest_add() {
  jq --arg name "$2" --argjson value "$3" '.[$name] = $value' "$1/manifest.json" | manifest_put "$1"
}

# manifest_put RUN: its manifest becomes the JSON on stdin. Of what monitors say of themselves, control characters become ?: a run that has any is refused
# (schema.jq).
manifest_put() {
  jq 'walk(if type == "string" then explode | map(if (. < 32 and . != 9 and . != 10) or (. >= 127 and . < 160) then 63 else . end) | implode else . end)' |
    manifest_write "$1/manifest.json"
}

# manifest_write FILE: it becomes what is on stdin, unless that is nothing.
manifest_write() {
  local text
  text=$(cat) && [[ -n $text ]] && files_put "$1" <<<"$text"
}

# manifest_sessions RUN: how many there are, that which is under way included.
manifest_sessions() {
  jq '.sessions | length' "$1/manifest.json"
}

# The session that begins now.
manifest_session() {
  jq -n --arg tag "$BLOCK_TAG" --arg boot_id "$(</proc/sys/kernel/random/boot_id)" --arg started "$(date -Is)" \
    --arg exectax "$(tree_version)" \
    '{$tag, $boot_id, $exectax, $started, ended: null, state: "started", reason: null}'
}

# What is measured on what: this must be the same in all sessions of a run.
manifest_subject() {
  local cpu_model
  cpu_model=$(LC_ALL=C lscpu | sed -nE 's/^Model name: +//p' | head -n 1)
  jq -n --arg hostname "$(uname -n)" --argjson machine_id_sha256 "$(manifest_machine_id)" --arg kernel "$(uname -r)" --arg machine "$(uname -m)" \
    --arg cpu_model "$cpu_model" --argjson cpus "$(nproc --all)" \
    --argjson versions "$(monitor_versions_json "${RUN_MONITORS[@]}")" \
    --argjson binaries "$(monitor_binaries_json "${RUN_MONITORS[@]}")" \
    '{host: {$hostname, $machine_id_sha256, $kernel, $machine, $cpu_model, $cpus}, $versions, $binaries}'
}

# The id itself is not for whoever reads a run.
manifest_machine_id() {
  if [[ -s /etc/machine-id ]]; then
    sha256sum </etc/machine-id | cut -d ' ' -f 1 | jq -R .
  else
    echo null
  fi
}

# manifest_difference RUN: the first thing that is not as it was when RUN began, on one line; nothing if all is.
manifest_difference() {
  jq -r --argjson now "$(manifest_subject)" '
    def told: if . == null then "none" else tostring end;
    def difference($before; $after; $what): if $before == $after then empty else "\($what) was \($before | told), now it is \($after | told)" end;
    . as $run
    | first(
        ({hostname: "the host name", machine_id_sha256: "the SHA-256 of /etc/machine-id", kernel: "the kernel", machine: "the architecture",
          cpu_model: "the CPU model", cpus: "the number of CPUs"} | to_entries[]
          | difference($run.host[.key]; $now.host[.key]; .value)),
        ($now.versions | keys[] | difference($run.versions[.]; $now.versions[.]; "the version of \(.)")),
        ($now.binaries | keys[] as $monitor | range([$run, $now] | map(.binaries[$monitor] | length) | max)
          | . as $file | ([$run, $now] | map(.binaries[$monitor][$file])) as [$before, $after]
          | difference($before.sha256; $after.sha256; "the SHA-256 of \($before.path // $after.path)"))
      ) // empty' "$1/manifest.json"
}

# What else is told of the host.
manifest_host() {
  jq -n --arg os "$(sed -nE 's/^PRETTY_NAME="?([^"]*)"?$/\1/p' /etc/os-release)" \
    --argjson memory_kib "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)" \
    --arg virtualisation "$(LC_ALL=C lscpu | sed -nE 's/^Hypervisor vendor: +//p' | grep . || echo none)" \
    --arg init "$(</proc/1/comm)" \
    --arg cgroup "$(manifest_cgroup_version)" \
    --argjson cpu_governor "$(manifest_file /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)" \
    --argjson load_before "$(jq -Rc 'split(" ")[0:3] | map(tonumber)' /proc/loadavg)" \
    '$ARGS.named'
}

# Those of its monitors that are references.
manifest_references() {
  local monitor
  for monitor in "${RUN_MONITORS[@]}"; do
    [[ $monitor == *:* || $(monitor_fact "${monitor%@*}" reference) != yes ]] || echo "$monitor"
  done | jq -Rn '[inputs]'
}

# Those of which a program was named in the environment, and what was changed in it: {MONITOR: WHAT}. Builds that are compared have names of their own.
manifest_own_builds() {
  local monitor name changes
  for monitor in "${RUN_MONITORS[@]}"; do
    [[ $monitor == *[:@]* ]] || monitor_call "$monitor" own | while read -r _ changes; do
      jq -n --arg monitor "$monitor" --arg changes "$changes" '{($monitor): $changes}'
    done
  done | jq -s 'add // {}'
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
