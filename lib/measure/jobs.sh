# shellcheck shell=bash
# A measurement on a node of a cluster: a Job, made of the manifests of an overlay, its log, and its run, which is brought here.

# How long it may take until a Job's pod runs, with its image pulled; until one that is told to end has put its node back; and until a run is
# copied.
JOBS_START_SECONDS=${EXECTAX_CLUSTER_START_SECONDS:-600}
JOBS_END_SECONDS=180
JOBS_COLLECT_SECONDS=600

# jobs_render FOLDER: what the overlay has, as one JSON array.
jobs_render() (
  set -o pipefail
  kubectl kustomize "$1" | daemonset_kubectl create --dry-run=client --filename - --output json | jq -s 'map(if .kind == "List" then .items[] else . end)'
)

# jobs_overlay_problem MANIFESTS: why these can't be used; nothing if they can.
jobs_overlay_problem() {
  jq -r --arg namespace "$DAEMONSET_NAMESPACE" 'map(select(.kind == "Job")) as $jobs
    | if ($jobs | length) != 1 then "it has \($jobs | length) Jobs, expected one"
      elif $jobs[0].metadata.namespace != $namespace then "its Job is not in the namespace \($namespace)"
      elif $jobs[0].spec.template.spec.containers | length != 1 then "its Job has several containers, expected exectax alone"
      elif [$jobs[0].spec.template.spec | (.containers[0].volumeMounts[]? | select(.mountPath == "/results")) as $mount | .volumes[]? | select(.name == $mount.name and .hostPath)] == [] then
        "its Job has no hostPath at /results, from which the run is brought here"
      else empty end' "$1"
}

# jobs_prepare MANIFESTS NAMESPACE: what the Jobs need: all but a Job, with the rights in NAMESPACE, where the monitor is.
jobs_prepare() {
  jq --arg namespace "$2" '{apiVersion: "v1", kind: "List", items: map(select(.kind != "Job") | if .kind == "RoleBinding" then .metadata.namespace = $namespace else . end)}' "$1" |
    daemonset_kubectl apply --filename - >/dev/null
}

# jobs_make MANIFESTS NAME NODE RUN DEADLINE IMAGE ARGUMENT...: the Job of the overlay, called NAME, on NODE, with these arguments of exectax.
jobs_make() {
  local arguments
  arguments=$(printf '%s\n' "${@:7}" | jq -Rnc '[inputs]')
  jq -c --argjson arguments "$arguments" --arg name "$2" --arg node "$3" --arg run "$4" --argjson deadline "$5" --arg image "$6" 'map(select(.kind == "Job"))[0]
    | .metadata.name = $name
    | .metadata.labels["exectax/run"] = $run
    | .spec.activeDeadlineSeconds = $deadline
    | .spec.template.metadata.labels["exectax/run"] = $run
    | .spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms =
        [{matchFields: [{key: "metadata.name", operator: "In", values: [$node]}]}]
    | .spec.template.spec.containers[0].args = $arguments
    | if $image != "" then .spec.template.spec.containers[0].image = $image else . end' "$1"
}

# jobs_begin FILE: the Job in it.
jobs_begin() {
  daemonset_kubectl create --filename "$1" >/dev/null
}

# jobs_has_started NAME: its pod runs, or has ended.
jobs_has_started() {
  local pod
  pod=$(jobs_pod "$1") || return 1
  [[ -n $pod && $(jq -r .status.phase <<<"$pod") != Pending ]]
}

# jobs_waits_for NAME: why its pod does not start.
jobs_waits_for() {
  local pod
  pod=$(jobs_pod "$1") || true
  jq -nr --argjson pod "${pod:-null}" '
    [ ($pod.status.containerStatuses[]?.state.waiting | select(. != null) | [.reason, .message] | map(select(. != null)) | join(": ")),
      ($pod.status.conditions[]? | select(.type == "PodScheduled" and .status == "False") | .message) ]
    | map(select(. != null and . != "") | gsub("\n"; " ")) | if . == [] then "there is no reason that its pod tells" else .[0] end'
}

# jobs_outcome NAME: `complete`, or `failed` and why; nothing while it runs.
jobs_outcome() {
  local job pod
  job=$(daemonset_kubectl get job "$1" --namespace "$DAEMONSET_NAMESPACE" --output json) || return 0
  jq -e 'any(.status.conditions[]?; (.type | IN("Complete", "Failed")) and .status == "True")' <<<"$job" >/dev/null || return 0
  pod=$(jobs_pod "$1") || true
  jq -nr --argjson job "$job" --argjson pod "${pod:-null}" '
    [$job.status.conditions[] | select(.status == "True")] as $true
    | if any($true[]; .type == "Complete") then "complete"
      else ($true[] | select(.type == "Failed")) as $failed
        | [$pod.status.containerStatuses[]?.state.terminated | select(. != null)][0] as $ended
        | "failed " + (if $failed.reason == "DeadlineExceeded" then "it did not end before its deadline"
            elif $ended == null then $failed.message // $failed.reason // "for a reason that is not known"
            elif $ended.reason == "OOMKilled" then "it was killed for lack of memory"
            else "exit status \($ended.exitCode)" end) end' 2>/dev/null || echo "failed for a reason that is not known"
}

# jobs_pod NAME: its pod as JSON; nothing if there is none.
jobs_pod() {
  local pods
  pods=$(daemonset_kubectl get pods --namespace "$DAEMONSET_NAMESPACE" --selector "job-name=$1" --output json) || return 1
  jq -c '.items[0] // empty' <<<"$pods"
}

# jobs_collect NAME FOLDER: the log and the run, into FOLDER, and off the node.
jobs_collect() {
  local name=$1 folder=$2 pod job status=0
  daemonset_kubectl logs "job/$name" --namespace "$DAEMONSET_NAMESPACE" >"$folder/log.txt" 2>&1 || true
  pod=$(jobs_pod "$name") && [[ -n $pod ]] || return 1
  job=$(daemonset_kubectl get job "$name" --namespace "$DAEMONSET_NAMESPACE" --output json) || return 1
  jobs_collector "$pod" "$name-collect" "$job" >"$folder/collector.json" || return 1
  daemonset_kubectl create --filename "$folder/collector.json" >/dev/null || return 1
  jobs_collect_run "$name-collect" "$(jq -r .metadata.name <<<"$pod")" "$folder" || status=1
  daemonset_kubectl delete pod "$name-collect" --namespace "$DAEMONSET_NAMESPACE" --wait=false --grace-period=0 --force >/dev/null 2>&1 || true
  rm -f "$folder/collector.json"
  return "$status"
}

# jobs_collector POD NAME JOB: a pod on the node of POD, that of JOB, which sees the runs there and nothing else. It ends by itself.
jobs_collector() {
  jq -n --argjson pod "$1" --arg name "$2" --argjson job "$3" --argjson seconds "$JOBS_COLLECT_SECONDS" '
    $job.spec.template.spec as $spec
    | ($spec.containers[0].volumeMounts[] | select(.mountPath == "/results") | .name) as $volume
    | {
        apiVersion: "v1", kind: "Pod",
        metadata: {$name, namespace: $pod.metadata.namespace, labels: {"exectax/run": $pod.metadata.labels["exectax/run"]}},
        spec: {
          restartPolicy: "Never", activeDeadlineSeconds: $seconds, terminationGracePeriodSeconds: 0, automountServiceAccountToken: false,
          nodeName: $pod.spec.nodeName, tolerations: [{operator: "Exists"}],
          imagePullSecrets: ($spec.imagePullSecrets // []),
          containers: [{name: "collect", image: $spec.containers[0].image, imagePullPolicy: $spec.containers[0].imagePullPolicy,
            command: ["sleep", "\($seconds)"], volumeMounts: [{name: $volume, mountPath: "/results"}]}],
          volumes: [$spec.volumes[] | select(.name == $volume)]
        }
      }'
}

# jobs_collect_run COLLECTOR POD FOLDER
jobs_collect_run() {
  local collector=$1 pod=$2 folder=$3 status=0
  cluster_wait "$JOBS_COLLECT_SECONDS" jobs_pod_runs "$collector" || return 1
  kubectl exec "$collector" --namespace "$DAEMONSET_NAMESPACE" -- tar -C "/results/$pod" -cf - . >"$folder/run.tar" 2>"$folder/collect.txt" &
  wait_for_pid $! "$JOBS_COLLECT_SECONDS" || status=1
  ((status == 1)) || { mkdir -p "$folder/run" && tar -C "$folder/run" --no-same-owner --no-same-permissions -xf "$folder/run.tar" && files_make_plain "$folder/run"; } || status=1
  rm -f "$folder/run.tar"
  ((status == 0)) || return 1
  daemonset_kubectl exec "$collector" --namespace "$DAEMONSET_NAMESPACE" -- rm -rf "/results/$pod" 2>>"$folder/collect.txt" ||
    warn "the run stays on its node, too, in $pod of the folder that is /results there (see $folder/collect.txt)"
  [[ -s $folder/collect.txt ]] || rm -f "$folder/collect.txt"
}

# jobs_pod_runs POD
jobs_pod_runs() {
  [[ $(daemonset_kubectl get pod "$1" --namespace "$DAEMONSET_NAMESPACE" --output 'jsonpath={.status.phase}') == Running ]]
}

# jobs_remove RUN: all that is left of the run's Jobs; those that run are told to end, and put their nodes back first.
jobs_remove() {
  daemonset_kubectl delete jobs,pods --namespace "$DAEMONSET_NAMESPACE" --selector "exectax/run=$1" --wait=false >/dev/null || return 1
  cluster_wait "$JOBS_END_SECONDS" jobs_are_gone "$1"
}

# jobs_are_gone RUN
jobs_are_gone() {
  local pods
  pods=$(daemonset_kubectl get pods --namespace "$DAEMONSET_NAMESPACE" --selector "exectax/run=$1" --output name) && [[ -z $pods ]]
}
