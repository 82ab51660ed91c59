#!/usr/bin/env bash
# Falco's own throughput benchmark, `event-generator bench`, beside `exectax saturate`: the same Falco under the same limits, with the same three events. Prints
# Markdown; what it finds never makes it fail. As root. Takes REPS times four minutes.
#
#   EVENT_GENERATOR=/path/to/event-generator EXECTAX_FALCO=/path/to/falco CPUS=0.5 MEMORY=1G REPS=3 bench/event-generator.sh
#
# event-generator counts the alerts that Falco sends it over HTTP, one request each; exectax reads Falco's log. Falco is as in a run of exectax but for that.
set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
BUILD=$EXECTAX_ROOT/build
export EXECTAX_ROOT BUILD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

readonly EVENT_GENERATOR=${EVENT_GENERATOR:?the program event-generator, 0.13 or newer}
readonly EXECTAX_FALCO=${EXECTAX_FALCO:-$(command -v falco)}
readonly RULES=${EXECTAX_FALCO_RULES:-/etc/falco/falco_rules.yaml}
readonly PLUGIN=${EXECTAX_FALCO_CONTAINER_PLUGIN:-/usr/share/falco/plugins/libcontainer.so}
readonly CPUS=${CPUS:-0.5}
readonly MEMORY=${MEMORY:-1G}
readonly REPS=${REPS:-3}
readonly OUT=${OUT:-$EXECTAX_ROOT/build/event-generator}
# Of 127.0.0.1: where Falco tells its counters, and where event-generator takes its alerts.
readonly METRICS_PORT=${METRICS_PORT:-28765}
readonly ALERTS_PORT=${ALERTS_PORT:-28080}
# Of a round; as long again it rests before it counts.
readonly ROUND_SECONDS=5
# Its interval between two actions is halved from round to round: from 10 ms to nothing in twelve.
readonly ROUNDS=12
readonly END_SECONDS=30

host_require_root bench/event-generator.sh "it starts Falco"
exempt_join bash "$EXECTAX_ROOT/bench/event-generator.sh"

# saturate: what exectax finds, first, since it takes the host's lock itself.
saturate() {
  [[ -e $OUT/saturate/saturation.csv ]] ||
    ./exectax saturate --yes --monitors falco-rules --action change-namespace,read-sensitive,write-below-bin --limit-cpus "$CPUS" --limit-memory "$MEMORY" \
      --start 400 --round "$ROUND_SECONDS" --precision 100 --repeat "$REPS" --out "$OUT/saturate" >/dev/null
}

put_back() {
  trap '' INT TERM HUP PIPE
  set +e
  HOST_RESTORE=forced
  host_undo
  host_unlock
}

# configure FOLDER: Falco as exectax has it, with its alerts over HTTP besides.
configure() {
  sed -e "s,@ENGINE@,modern_ebpf,; s,@BUF_SIZE_PRESET@,4,; s,@BUFFERED@,false,; s,@PORT@,$METRICS_PORT," \
    -e "s,@RULES_FILES@,[$RULES\, $EXECTAX_ROOT/bench/event-generator.rules.yaml]," \
    -e "s,@LOAD_PLUGINS@,[container],; s,@CONTAINER_PLUGIN@,$PLUGIN,; s,@LOG_DIR@,$1," configs/falco/falco.yaml.in >"$1/falco.yaml"
  printf '%s\n' 'http_output:' '  enabled: true' "  url: http://127.0.0.1:$ALERTS_PORT/" '  keep_alive: true' >>"$1/falco.yaml"
}

answers() {
  curl -fsS --max-time 10 "http://127.0.0.1:$METRICS_PORT/metrics" >/dev/null 2>&1
}

# bench NUMBER: a Falco of its own, and event-generator until it can't go faster; what that says in OUT/NUMBER/rounds.json.
bench() {
  local folder=$OUT/$1 falco generator
  [[ ! -s $folder/rounds.json ]] || return 0
  rm -rf "$folder"
  mkdir -p "$folder"
  configure "$folder"
  cgroup_create monitor
  cgroup_create load
  limits_set "$CPUS" "$MEMORY" || die "the limits $CPUS and $MEMORY can't be set here"
  host_spawn monitor "$EXECTAX_FALCO" -c "$folder/falco.yaml" >"$folder/falco.txt" 2>&1
  falco=$!
  wait_until "$END_SECONDS" answers || die "Falco did not get ready (see $folder/falco.txt)"
  host_spawn load "$EVENT_GENERATOR" bench 'syscall\.(ChangeThreadNamespace|ReadSensitiveFileUntrusted|WriteBelowBinaryDir)$' --all --loop --sleep 10ms \
    --round-duration "${ROUND_SECONDS}s" --humanize=false --pid "$falco" --http-server-address "127.0.0.1:$ALERTS_PORT" --logformat json >"$folder/generator.json" 2>&1
  generator=$!
  pause "$((2 * ROUND_SECONDS * ROUNDS + 2))"
  kill -INT "$generator" 2>/dev/null || true
  wait_for_pid "$generator" "$END_SECONDS" || true
  kill -TERM "$falco" 2>/dev/null || true
  wait_for_pid "$falco" "$END_SECONDS" || true
  jq -cR 'fromjson? | select(.msg == "statistics") | {eps: .throughput, lost, cpu}' "$folder/generator.json" | jq -s . >"$folder/rounds.json"
}

# Of each search or bench: the last rate before events were missing, and the first with some, with the share that arrived. The generator may have been
# done for the resting time by then: it misses what has not arrived.
table() {
  local rep
  echo "| | CPUs | memory | events/s, none missing | events/s, the first with some missing | of which arrived, % |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: |"
  mlr --icsv --ojson filter "\$status == \"ok\"" "$OUT/saturate/rounds.csv" | jq -r --arg cpus "$CPUS" --arg memory "$MEMORY" '
    group_by(.search)[] | sort_by(.round)
    | ([.[] | select(.verdict == "clean")] | max_by(.achieved_per_sec)) as $clean | (first(.[] | select(.verdict == "lossy")) // {}) as $lossy
    | "| exectax saturate | \($cpus) | \($memory) | \($clean.achieved_per_sec // 0 | round) | \($lossy.achieved_per_sec // "–") | \($lossy.recorded_percent // "–") |"'
  for ((rep = 1; rep <= REPS; rep++)); do
    jq -r --arg cpus "$CPUS" --arg memory "$MEMORY" '
      (map(.lost > 0.0005) | index(true)) as $first
      | (if $first then .[:$first] else . end | map(.eps) | max) as $clean | (if $first then .[$first] else {} end) as $lossy
      | "| event-generator bench | \($cpus) | \($memory) | \($clean // 0 | round) | \($lossy.eps // "–") | \(if $lossy.lost then 100 - 100 * $lossy.lost else "–" end) |"' "$OUT/$rep/rounds.json"
  done
}

mkdir -p "$OUT"
saturate
cgroup_find_mounts
host_lock bench/event-generator.sh
trap 'leave 130' INT
trap 'leave 143' TERM
trap put_back EXIT
host_has_changes && die "an earlier run was killed: 'exectax restore' puts the host back"
limits_pass_on "${CGROUP_MOUNTS[0]}"
host_record undo_cgroups
mkdir -p "${CGROUP_MOUNTS[0]}/exectax"
limits_pass_on "${CGROUP_MOUNTS[0]}/exectax"
for ((rep = 1; rep <= REPS; rep++)); do
  bench "$rep"
done
table
