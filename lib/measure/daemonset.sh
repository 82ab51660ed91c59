# shellcheck shell=bash
# A monitor's DaemonSet, changed through kubectl for a while and put back. What will be changed is noted first, in the cluster itself: a ConfigMap with
# the pods' template as it was before the run (before), and as the run is about to set it, or has (set), and had (was). So whoever can reach the cluster can put
# it back, and there can be one such run at a time.

DAEMONSET_JOURNAL='exectax-cluster'
# Where that is, and the Jobs are.
DAEMONSET_NAMESPACE=exectax

# daemonset_kubectl ARGUMENT...: no call takes long; what does is waited for.
daemonset_kubectl() {
  kubectl --request-timeout 30s "$@"
}

# daemonset_json NAMESPACE NAME
daemonset_json() {
  daemonset_kubectl get daemonset "$2" --namespace "$1" --output json
}

# daemonset_problem JSON: why its pods can't be changed from outside, on one line; nothing if they can.
daemonset_problem() {
  jq -r 'if .spec.updateStrategy.type == "OnDelete" then "its pods follow a change only when they are deleted (updateStrategy OnDelete)"
    elif (.status.desiredNumberScheduled // 0) == 0 then "it has no pods"
    elif (.spec.selector.matchLabels // {}) == {} then "it selects its pods by no label"
    else empty end' <<<"$1"
}

# daemonset_label JSON: LABEL=VALUE of its pods, that which names the application, if there is one.
daemonset_label() {
  jq -r '.spec.selector.matchLabels | to_entries | (map(select(.key | IN("app.kubernetes.io/name", "app"))) + .)[0] | "\(.key)=\(.value)"' <<<"$1"
}

# daemonset_is_rolled_out NAMESPACE NAME: all its pods are of its template, and ready.
daemonset_is_rolled_out() {
  local json
  json=$(daemonset_json "$@") || return 1
  jq -e '.status.observedGeneration == .metadata.generation and .status.desiredNumberScheduled > 0
    and (.status.updatedNumberScheduled // 0) == .status.desiredNumberScheduled and (.status.numberAvailable // 0) == .status.desiredNumberScheduled' <<<"$json" >/dev/null
}

# The journal as JSON: run, host, namespace, name, before, was, set. Nothing, and 1, if there is none; 2 if the cluster does not tell.
daemonset_journal() {
  local found
  found=$(daemonset_kubectl get configmap "$DAEMONSET_JOURNAL" --namespace "$DAEMONSET_NAMESPACE" --ignore-not-found --output json) || return 2
  [[ -n $found ]] || return 1
  jq -c '.data | (.before, .was, .set) |= fromjson' <<<"$found"
}

# daemonset_begin RUN NAMESPACE NAME: note it as it is. RUN may go on with what it has left itself.
daemonset_begin() {
  local found template status=0
  found=$(daemonset_journal) || status=$?
  ((status < 2)) || return 1
  if ((status == 0)); then
    jq -e --arg run "$1" '.run == $run' <<<"$found" >/dev/null ||
      die "another run has changed $(jq -r '"\(.namespace)/\(.name), or is about to; it was begun on \(.host)"' <<<"$found"): expected its end, or 'exectax cluster restore' if it was killed"
    return 0
  fi
  template=$(daemonset_json "$2" "$3" | jq -ce .spec.template) || return 1
  jq -n --arg run "$1" --arg namespace "$2" --arg name "$3" --arg host "$(uname -n)" --arg template "$template" \
    --arg journal "$DAEMONSET_JOURNAL" --arg where "$DAEMONSET_NAMESPACE" \
    '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: $journal, namespace: $where},
      data: {$run, $host, $namespace, $name, before: $template, was: $template, set: $template}}' | daemonset_kubectl create --filename - >/dev/null
}

# daemonset_is_ours JOURNAL: the DaemonSet on stdin is as the run has set it.
daemonset_is_ours() {
  jq -e --argjson journal "$1" '.spec.template | . == $journal.set or . == $journal.was' >/dev/null
}

# daemonset_set FOLDER: the patch in FOLDER/patch.yaml, noted before it is made. What somebody else has changed meanwhile is not overwritten.
daemonset_set() (
  local folder=$1 journal namespace name current
  journal=$(daemonset_journal) || die "the cluster has lost the note of how the DaemonSet was (ConfigMap $DAEMONSET_JOURNAL)"
  read -r namespace name <<<"$(jq -r '"\(.namespace) \(.name)"' <<<"$journal")"
  current=$(daemonset_json "$namespace" "$name") || exit 1
  daemonset_is_ours "$journal" <<<"$current" || die "$namespace/$name was changed by somebody else meanwhile"
  daemonset_kubectl patch daemonset "$name" --namespace "$namespace" --type strategic --patch-file "$folder/patch.yaml" --dry-run=server --output json >"$folder/daemonset.json" ||
    die "$namespace/$name does not take the patch of this row (see above)"
  jq -c --argjson current "$(jq -c .spec.template <<<"$current")" '{data: {was: ($current | tojson), set: (.spec.template | tojson)}}' "$folder/daemonset.json" >"$folder/note.json"
  daemonset_kubectl patch configmap "$DAEMONSET_JOURNAL" --namespace "$DAEMONSET_NAMESPACE" --type merge --patch-file "$folder/note.json" >/dev/null || exit 1
  rm "$folder/note.json"
  daemonset_kubectl patch daemonset "$name" --namespace "$namespace" --type strategic --patch-file "$folder/patch.yaml" >/dev/null
)

# daemonset_put_back [force]: as it was before, and the note is gone. Nothing to do if there is no note. What somebody else has changed is left alone, and
# the note stays, unless that is to be overwritten.
daemonset_put_back() (
  local journal namespace name work status=0
  journal=$(daemonset_journal) || status=$?
  ((status != 1)) || exit 0
  ((status == 0)) || exit 1
  read -r namespace name <<<"$(jq -r '"\(.namespace) \(.name)"' <<<"$journal")"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  daemonset_json "$namespace" "$name" >"$work/now.json" || exit 1
  if jq -e --argjson journal "$journal" '.spec.template != $journal.before' "$work/now.json" >/dev/null; then
    if [[ ${1:-} != force ]] && ! daemonset_is_ours "$journal" <"$work/now.json"; then
      warn "$namespace/$name was changed after the run had set it, and is left alone: 'exectax cluster restore --force' puts it back nevertheless"
      exit 1
    fi
    # The server makes sure that it is still what it was a moment ago.
    jq -c --argjson journal "$journal" '[{op: "test", path: "/spec/template", value: .spec.template}, {op: "replace", path: "/spec/template", value: $journal.before}]' \
      "$work/now.json" >"$work/patch.json"
    daemonset_kubectl patch daemonset "$name" --namespace "$namespace" --type json --patch-file "$work/patch.json" >/dev/null || exit 1
  fi
  daemonset_kubectl delete configmap "$DAEMONSET_JOURNAL" --namespace "$DAEMONSET_NAMESPACE" >/dev/null
)
