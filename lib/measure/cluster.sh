# shellcheck shell=bash
# One measurement after another on a cluster: a row of a matrix is what a DaemonSet's pods are set to; when these have been rolled out, a Job measures
# on each of their nodes.
#
# RUN/matrix.json has what was asked for, RUN/plan.csv a line a roll-out, RUN/nodes.txt the nodes, RUN/overlay.json the manifests of the
# Job, RUN/jobs/TURN-NODE/ what each Job was (job.json, outcome.json), said (log.txt) and measured (run/).

# How often the cluster is asked. Where it is this machine, asking costs CPU time in the midst of what is measured.
CLUSTER_POLL_SECONDS=${EXECTAX_CLUSTER_POLL_SECONDS:-10}

# cluster_wait SECONDS COMMAND...: until COMMAND succeeds; 1 when the deadline passes first.
cluster_wait() {
  wait_polling "$CLUSTER_POLL_SECONDS" "$@"
}

# cluster_matrix FILE: the matrix in that manifest as JSON. Ends exectax if it is none.
cluster_matrix() {
  local manifest matrix problem name seconds
  manifest=$(daemonset_kubectl create --filename "$1" --dry-run=client --output json 2>&1) ||
    die_usage "$1: kubectl can't read it: $(tail -n 1 <<<"$manifest")"
  matrix=$(jq -c -f "$EXECTAX_ROOT/lib/measure/cluster-matrix.jq" <<<"$manifest" 2>/dev/null) || die_usage "$1: expected one manifest, a ConfigMap whose data is text"
  problem=$(jq -r '.problem // empty' <<<"$matrix")
  [[ -z $problem ]] || die_usage "$1: $problem"
  name=$(jq -r .published <<<"$matrix")
  [[ -z $name ]] || published_exists "$name" || die_usage "$1: published is '$name', expected one of: $(published_names | paste -sd ' ')"
  for name in deadline rollout; do
    seconds=$(options_seconds "$1: $name" "$(jq -r --arg name "$name" '.[$name]' <<<"$matrix")" 1 864000) || exit 2
    matrix=$(jq -c --arg name "$name" --argjson seconds "$seconds" '.["\($name)_s"] = $seconds | del(.[$name])' <<<"$matrix")
  done
  jq -c --argjson seed "$((EPOCHSECONDS % 100000))" '.seed //= $seed' <<<"$matrix"
}

# cluster_plan MATRIX: CSV `turn,rep,row`; the rows come in a new order in each repetition.
cluster_plan() {
  local -i turn=0 rep row reps rows
  local -a order
  read -r reps rows <<<"$(jq -r '"\(.reps) \(.rows | length)"' <<<"$1")"
  RANDOM=$(jq .seed <<<"$1")
  echo "turn,rep,row"
  for ((rep = 1; rep <= reps; rep++)); do
    order=()
    for ((row = 1; row <= rows; row++)); do
      order+=("$row")
    done
    plan_shuffle order
    for row in "${order[@]}"; do
      turn+=1
      echo "$turn,$rep,$row"
    done
  done
}

# cluster_nodes MATRIX: those on which the DaemonSet has a pod, and that the matrix chooses, one a line.
cluster_nodes() {
  local chosen with
  chosen=$(daemonset_kubectl get nodes --selector "$(jq -r .nodes <<<"$1")" --output json | jq -c '[.items[].metadata.name]') || return 1
  with=$(daemonset_kubectl get pods --namespace "$(jq -r .namespace <<<"$1")" --selector "$(jq -r .label <<<"$1")" --output json |
    jq -c --arg name "$(jq -r .daemonset <<<"$1")" '[.items[] | select(any(.metadata.ownerReferences[]?; .kind == "DaemonSet" and .name == $name)) | .spec.nodeName]') || return 1
  jq -nr --argjson chosen "$chosen" --argjson with "$with" '$chosen | map(select(IN($with[]))) | unique[]'
}

# cluster_row RUN ROW: the values of that row as JSON, from 1.
cluster_row() {
  jq -c --argjson row "$2" '.rows[$row - 1]' "$1/matrix.json"
}

# cluster_row_text ROW: as people read it.
cluster_row_text() {
  jq -r 'if . == {} then "as it is" else to_entries | map("\(.key)=\(.value)") | join(" ") end' <<<"$1"
}

# cluster_patch RUN ROW: the patch with the values of the row in it; nothing if the matrix has none.
cluster_patch() {
  jq -r --argjson row "$2" '.patch as $patch | reduce ($row | to_entries[]) as $value ($patch; gsub("@\($value.key)@"; $value.value))' "$1/matrix.json"
}

# cluster_arguments RUN: those of exectax in the Job, one a line.
cluster_arguments() {
  jq -r '.command, "--attach=pod:\(.namespace)/\(.label)", (if .log == "" then empty else "--log=\(.log)" end), .options[], "--yes", "--out=/results"' "$1/matrix.json"
}

# cluster_begin RUN FILE: a new run of the matrix in FILE.
cluster_begin() {
  local run=$1 matrix problem overlay json
  matrix=$(cluster_matrix "$2") || exit
  json=$(daemonset_json "$(jq -r .namespace <<<"$matrix")" "$(jq -r .daemonset <<<"$matrix")" 2>&1) || die "there is no DaemonSet $(jq -r .monitor <<<"$matrix"): $(tail -n 1 <<<"$json")"
  problem=$(daemonset_problem "$json")
  [[ -z $problem ]] || die "the DaemonSet $(jq -r .monitor <<<"$matrix") can't be measured: $problem"
  matrix=$(jq -c --arg found "$(daemonset_label "$json")" 'if .label == "" then .label = $found else . end' <<<"$matrix")
  overlay=$(cluster_overlay "$2" "$matrix")
  mkdir -p "$run/jobs"
  jobs_render "$overlay" >"$run/overlay.json" || die "kubectl can't render $overlay (see above)"
  problem=$(jobs_overlay_problem "$run/overlay.json")
  [[ -z $problem ]] || die "$overlay can't be used: $problem"
  cluster_nodes "$matrix" >"$run/nodes.txt" || die "kubectl can't tell the nodes (see above)"
  [[ -s $run/nodes.txt ]] || die "there is no node with a pod of $(jq -r .monitor <<<"$matrix")$(jq -r 'if .nodes == "" then "" else " among those with \(.nodes)" end' <<<"$matrix")"
  ! [[ $(jq -r .published <<<"$matrix") ]] || cp "$(published_folder)/$(jq -r .published <<<"$matrix").csv" "$run/published.csv"
  jq . <<<"$matrix" >"$run/matrix.json"
  cluster_plan "$matrix" >"$run/plan.csv"
  jq -n --argjson schema "$SCHEMA_NUMBER" --arg id "$(printf '%06x' $((RANDOM << 9 ^ EPOCHSECONDS % 16777216)))" --arg exectax "$(tree_version)" --arg now "$(date -Is)" \
    --argjson context "$(cluster_versions)" \
    '{$schema, kind: "cluster", state: "started", reason: null, started: $now, ended: null, $exectax, $id, skipped: {}, versions: $context, options: {}}' |
    manifest_put "$run"
}

# The cluster's version and kubectl's, null where it is not known. kubectl can fail and yet say them, as of versions that it can't compare.
cluster_versions() {
  { daemonset_kubectl version --output json 2>/dev/null || true; } | jq -sc 'add // {} | {kubernetes: .serverVersion.gitVersion, kubectl: .clientVersion.gitVersion}'
}

# cluster_overlay FILE MATRIX: the folder that the matrix names, from where it is itself; else that which comes with exectax.
cluster_overlay() {
  local overlay
  overlay=$(jq -r .overlay <<<"$2")
  if [[ -z $overlay ]]; then
    echo "$EXECTAX_ROOT/deploy/kubernetes/base"
  else
    (cd "$(dirname -- "$1")" && realpath -m -- "$overlay")
  fi
}

# cluster_id RUN
cluster_id() {
  jq -r .id "$1/manifest.json"
}

# cluster_measure RUN: all that is left of the plan.
cluster_measure() {
  local run=$1 turn rep row
  local -i total
  local -a nodes
  split_lines nodes "$(<"$run/nodes.txt")"
  total=$(($(wc -l <"$run/plan.csv") - 1))
  jobs_prepare "$run/overlay.json" "$(jq -r .namespace "$run/matrix.json")" || die "what the Jobs need could not be made (see above)"
  daemonset_begin "$(cluster_id "$run")" "$(jq -r .namespace "$run/matrix.json")" "$(jq -r .daemonset "$run/matrix.json")" ||
    die "how the DaemonSet is could not be noted in the cluster (see above)"
  # What a killed session has left would be measured, too.
  jobs_remove "$(cluster_id "$run")" || die "Jobs of this run are still there (see above)"
  while IFS=, read -r turn rep row <&4; do
    cluster_turn "$run" "$turn/$total" "$rep" "$row" "${nodes[@]}"
  done 4<<<"$(tail -n +2 "$run/plan.csv")"
}

# cluster_turn RUN TURN/TOTAL REP ROW NODE...: one roll-out, and what is not yet measured of it, on so many nodes at a time as the matrix says.
cluster_turn() {
  local run=$1 turn=${2%/*} total=${2#*/} rep=$3 row=$4 node text values
  local -a left=()
  local -i parallel i
  shift 4
  for node; do
    jq -e '.state == "complete"' "$run/jobs/$turn-$node/outcome.json" >/dev/null 2>&1 || left+=("$node")
  done
  ((${#left[@]})) || return 0
  values=$(cluster_row "$run" "$row")
  text=$(cluster_row_text "$values")
  say "[$turn/$total] $text, repetition $rep: rolling out"
  cluster_set "$run" "$turn" "$values"
  parallel=$(jq .parallel "$run/matrix.json")
  for ((i = 0; i < ${#left[@]}; i += parallel)); do
    cluster_batch "$run" "$turn" "$rep" "$values" "${left[@]:i:parallel}"
  done
}

# cluster_set RUN TURN VALUES: the DaemonSet is what this row says, on all nodes.
cluster_set() {
  local run=$1 work=$1/jobs/set-$2 seconds namespace name
  read -r namespace name seconds <<<"$(jq -r '"\(.namespace) \(.daemonset) \(.rollout_s)"' "$run/matrix.json")"
  rm -rf "$work"
  mkdir -p "$work"
  cluster_patch "$run" "$3" >"$work/patch.yaml"
  if [[ -s $work/patch.yaml && $(<"$work/patch.yaml") =~ [^[:space:]] ]]; then
    daemonset_set "$work" || exit 1
  fi
  cluster_wait "$seconds" daemonset_is_rolled_out "$namespace" "$name" ||
    die "$namespace/$name was not rolled out within $(progress_duration "$seconds") with $(cluster_row_text "$3"): $(cluster_pods_text "$namespace" "$run")"
}

# cluster_pods_text NAMESPACE RUN: what keeps the monitor's pods from being ready.
cluster_pods_text() {
  daemonset_kubectl get pods --namespace "$1" --selector "$(jq -r .label "$2/matrix.json")" --output json |
    jq -r '[.items[] | .metadata.name as $pod | .status.containerStatuses[]? | select(.ready | not) | "\(.name) of \($pod): \(.state | to_entries[0] | "\(.key) \(.value.reason // "")")"] | if . == [] then "its pods are ready" else join("; ") end' 2>/dev/null || echo "its pods are unknown"
}

# cluster_batch RUN TURN REP VALUES NODE...: a Job on each of these nodes at the same time.
cluster_batch() {
  local run=$1 turn=$2 rep=$3 values=$4 node folder name id deadline
  local -a arguments
  shift 4
  id=$(cluster_id "$run")
  deadline=$(jq .deadline_s "$run/matrix.json")
  split_lines arguments "$(cluster_arguments "$run")"
  for node; do
    folder=$run/jobs/$turn-$node
    rm -rf "$folder"
    mkdir -p "$folder"
    name=$(cluster_job_name "$id" "$turn" "$run" "$node")
    jobs_make "$run/overlay.json" "$name" "$node" "$id" "$deadline" "$(jq -r .image "$run/matrix.json")" "${arguments[@]}" >"$folder/job.json"
    say "  measuring on $node (Job $DAEMONSET_NAMESPACE/$name)"
    jobs_begin "$folder/job.json" || die "the Job $name could not be made (see above)"
  done
  for node; do
    folder=$run/jobs/$turn-$node
    cluster_end_job "$folder" "$deadline"
    jq --argjson turn "$turn" --argjson rep "$rep" --arg node "$node" --argjson row "$values" -R '
      capture("^(?<state>[a-z]+) ?(?<reason>.*)$") | {$turn, $rep, $node, $row} + .' "$folder/outcome.txt" >"$folder/outcome.json.new"
    mv "$folder/outcome.json.new" "$folder/outcome.json"
    rm "$folder/outcome.txt"
    jq -e '.state == "complete"' "$folder/outcome.json" >/dev/null || warn "on $node: $(jq -r .reason "$folder/outcome.json") (see $folder/log.txt)"
  done
  jobs_remove "$id" || die "Jobs of this run are still there $(progress_duration "$JOBS_END_SECONDS") after they were told to end"
}

# cluster_job_name ID TURN RUN NODE: a node's name can be too long for it.
cluster_job_name() {
  echo "exectax-$1-$2-$(grep -nFx -- "$4" "$3/nodes.txt" | cut -d: -f1)"
}

# cluster_end_job FOLDER DEADLINE: wait for its end, and bring its run; how it went is a line in FOLDER/outcome.txt, as jobs_outcome has it. Not to be called
# in a subshell: a signal would wait for its end.
cluster_end_job() {
  local folder=$1 outcome=$1/outcome.txt name
  name=$(jq -r .metadata.name "$folder/job.json")
  if ! cluster_wait "$JOBS_START_SECONDS" jobs_has_started "$name"; then
    echo "failed its pod has not started within $(progress_duration "$JOBS_START_SECONDS"): $(jobs_waits_for "$name")" >"$outcome"
    return
  fi
  cluster_wait $(($2 + JOBS_END_SECONDS)) cluster_job_has_ended "$name" "$outcome" ||
    echo "failed it has not ended within $(progress_duration "$2")" >"$outcome"
  if ! jobs_collect "$name" "$folder" && [[ $(<"$outcome") == complete ]]; then
    echo "failed its run could not be brought here" >"$outcome"
  fi
}

# cluster_job_has_ended NAME FILE: then how, in FILE.
cluster_job_has_ended() {
  jobs_outcome "$1" >"$2"
  [[ -s $2 ]]
}

# cluster_note_state RUN STATE REASON
cluster_note_state() {
  jq --arg state "$2" --arg reason "$3" --arg now "$(date -Is)" '. + {$state, reason: (if $reason == "" then null else $reason end), ended: $now}' "$1/manifest.json" |
    manifest_put "$1"
}

# cluster_failed RUN: how many Jobs have failed.
cluster_failed() {
  find "$1/jobs" -name outcome.json -exec cat {} + | jq -s 'map(select(.state != "complete")) | length'
}
