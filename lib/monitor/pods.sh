# shellcheck shell=bash
# Pods of this node, as the cluster tells of them (kubectl, with its own configuration, or within a pod with that of its service
# account), and where the node has their groups and logs.

PODS_LOGS=${EXECTAX_POD_LOGS:-/var/log/pods}
PODS_GROUPS=/sys/fs/cgroup

# The name of this node: a pod is told it (spec.nodeName); the kubelet takes the host's unless it is told another.
pods_node() {
  local host
  host=$(uname -n)
  echo "${EXECTAX_NODE:-${host,,}}"
}

# pods_find NAMESPACE SELECTOR: the running pods of this node that it selects, a JSON object a line: name, uid (as in groups and logs; a static pod's is not the
# one that the API gives it), owner (the one whose pods come and go, nothing if it has none), containers, idle (those of them that
# do not run), images. What kubectl says if it fails, and 1.
pods_find() {
  local pods
  # It may warn of something and answer all the same.
  pods=$(pods_ask "$1" "$2" 2>/dev/null) || {
    pods_ask "$1" "$2" 2>&1 >/dev/null | tail -n 1
    return 1
  }
  jq -c '.items[] | select(.status.phase == "Running" and .metadata.deletionTimestamp == null)
    | (.metadata.labels["pod-template-hash"] // "") as $hash
    | {
        name: .metadata.name,
        uid: (.metadata.annotations["kubernetes.io/config.mirror"] // .metadata.uid),
        owner: (first(.metadata.ownerReferences[]? | select(.controller and .kind != "Node") | .name | rtrimstr("-" + $hash)) // ""),
        containers: [.spec | .containers[], .initContainers[]? | .name],
        idle: [.status.containerStatuses[]? | select(.state.running == null) | .name],
        images: [.spec.containers[].image]
      }' <<<"$pods" 2>/dev/null || {
    echo "its answer is not a list of pods"
    return 1
  }
}

# pods_ask NAMESPACE SELECTOR
pods_ask() {
  kubectl get pods --namespace "$1" --selector "$2" --field-selector "spec.nodeName=$(pods_node)" --output json --request-timeout 30s
}

# pods_cpu_folder UID: the group of that pod, in the hierarchy in which its CPU time is counted, whichever of kubelet's drivers has made it: .../podUID, or
# ...-podUID.slice with _ for -. Its containers' are in it. Nothing if there is none with processes in it.
pods_cpu_folder() {
  local folder
  local -a folders
  split_lines folders "$(find "$PODS_GROUPS" -type d -regextype posix-extended -regex ".*[/-]pod($1|${1//-/_}\.slice)" 2>/dev/null | sort)"
  for folder in "${folders[@]}"; do
    if cgroup_counts_cpu "$folder" && [[ -n $(pods_containers "$folder") ]]; then
      echo "$folder"
      return
    fi
  done
}

# pods_containers FOLDER: the groups of its containers that run, on one line.
pods_containers() {
  local group
  for group in "$1"/*/; do
    [[ -z $(find "$group" -name cgroup.procs -exec cat {} + 2>/dev/null | head -n 1) ]] || basename "$group"
  done | paste -sd ' '
}

# pods_log NAMESPACE POD UID CONTAINER: where the kubelet has the log of that container's last start; nothing where there is none.
pods_log() {
  find "$PODS_LOGS/$1_$2_$3/$4" -maxdepth 1 -regextype posix-extended -regex '.*/[0-9]+\.log' 2>/dev/null | sort -V | tail -n 1
}
