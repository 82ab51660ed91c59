#!/usr/bin/env bats
# --attach pod: the pod as the cluster tells of it, its cgroup in every layout that the kubelet and the engines make, its containers' logs. kubectl is
# a stand-in that answers with what a cluster answers; the cgroup hierarchies and logs are folders with the names and files of real ones.

load ../rooms

bats_require_minimum_version 1.5.0

UID1=0f8fad5b-d9cb-469f-a165-70867728950e
CONTAINER=5d41402abc4b2a76b9719d911017c592aabbccddeeff00112233445566778899
PAUSE=7d793037a0760186574b0282f2f435e7aabbccddeeff00112233445566778899

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_NODE=node1
  use_rooms base host monitor
  PODS_GROUPS=$BATS_TEST_TMPDIR/cgroup
  PODS_LOGS=$BATS_TEST_TMPDIR/pods
  CGROUP_MOUNTS=("$PODS_GROUPS")
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  mkdir "$BATS_TEST_TMPDIR/bin"
  # The stand-in.
  printf '#!/bin/sh\necho "Warning: something is deprecated" >&2\necho "$@" >"%s/asked"\ncat "%s/answer"\n' "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/bin/kubectl"
  chmod +x "$BATS_TEST_TMPDIR/bin/kubectl"
  answers "$(pod falco-x7k2p)"
}

# pod NAME [JQ]: as `kubectl get pods --output json` has it, as far as it is read; changed by JQ.
pod() {
  jq -nc --arg name "$1" --arg uid "$UID1" '{
    apiVersion: "v1", kind: "Pod",
    metadata: {$name, namespace: "security", $uid, labels: {"app.kubernetes.io/name": "falco", "controller-revision-hash": "6d8f7c9b5"},
      ownerReferences: [{apiVersion: "apps/v1", kind: "DaemonSet", name: "falco", controller: true, uid: "1"}]},
    spec: {nodeName: "node1", containers: [{name: "falco", image: "docker.io/falcosecurity/falco:0.44.1"}, {name: "falcoctl", image: "docker.io/falcosecurity/falcoctl:0.11.0"}],
      initContainers: [{name: "driver", image: "docker.io/falcosecurity/falco-driver-loader:0.44.1"}]},
    status: {phase: "Running"}
  } | '"${2:-.}"
}

# answers POD...: what the stand-in of kubectl answers.
answers() {
  printf '%s\n' "$@" | jq -s '{apiVersion: "v1", kind: "List", items: .}' >"$BATS_TEST_TMPDIR/answer"
}

# group PATH v1|v2|none: a cgroup with a process in it, where none has no file that counts CPU time.
group() {
  local folder=$PODS_GROUPS/$1
  mkdir -p "$folder"
  case $2 in
    v1) echo 7 | tee "$folder/cpuacct.usage" >"$(dirname "$folder")/cpuacct.usage" ;;
    v2) printf 'usage_usec 7\nuser_usec 3\n' | tee "$folder/cpu.stat" >"$(dirname "$folder")/cpu.stat" ;;
  esac
  : >"$(dirname "$folder")/cgroup.procs"
  echo $$ >"$folder/cgroup.procs"
}

# attached SPEC: in this shell.
attached() {
  attached_add "$1"
}

# refused PATTERN COMMAND...
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$@"
  # shellcheck disable=SC2154 # bats sets it
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2053 # it is a pattern
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 && $stderr == exectax:*$pattern ]]
}

@test "the cgroup of a pod in every layout: drivers cgroupfs and systemd, containerd and CRI-O, every class, v1 and v2" {
  local layout version id uid=${UID1//-/_}
  while read -r version layout id; do
    rm -rf "$PODS_GROUPS"
    group "$layout/$id" "$version"
    # Another pod beside it, and what is left of this one where nothing runs any more.
    group "$(dirname "$layout")/pod11111111-2222-3333-4444-555555555555/$CONTAINER" "$version"
    mkdir -p "$PODS_GROUPS/a/pod$UID1"
    echo 7 >"$PODS_GROUPS/a/pod$UID1/cpuacct.usage"
    echo "$version $layout: $(pods_cpu_folder "$UID1")"
    [ "$(pods_cpu_folder "$UID1")" = "$PODS_GROUPS/$layout" ]
    [ "$(pods_containers "$PODS_GROUPS/$layout")" = "$id" ]
  done <<LAYOUTS
v2 kubepods/burstable/pod$UID1 $CONTAINER
v2 kubepods/besteffort/pod$UID1 $CONTAINER
v2 kubepods/pod$UID1 $CONTAINER
v2 kubepods/burstable/pod$UID1 crio-$CONTAINER
v1 cpu,cpuacct/kubepods/burstable/pod$UID1 $CONTAINER
v1 cpuacct/kubepods/pod$UID1 $CONTAINER
v2 kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$uid.slice cri-containerd-$CONTAINER.scope
v2 kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod$uid.slice crio-$CONTAINER.scope
v2 kubepods.slice/kubepods-pod$uid.slice cri-containerd-$CONTAINER.scope
v1 cpu,cpuacct/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$uid.slice crio-$CONTAINER.scope
v2 kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod$uid.slice cri-containerd-$CONTAINER.scope
LAYOUTS
}

@test "of several hierarchies, that which counts CPU time; its processes are those of all containers" {
  group "cpu/kubepods/burstable/pod$UID1/$CONTAINER" none
  group "cpuacct/kubepods/burstable/pod$UID1/$CONTAINER" v1
  group "cpuacct/kubepods/burstable/pod$UID1/$PAUSE" v1
  echo 1 >"$PODS_GROUPS/cpuacct/kubepods/burstable/pod$UID1/$PAUSE/cgroup.procs"
  group "memory/kubepods/burstable/pod$UID1/$CONTAINER" none
  group "unified/kubepods/burstable/pod$UID1/$CONTAINER" v2
  attached pod:security/app.kubernetes.io/name=falco
  MONITOR_NAME=pod:security.falco
  [ "$(attached_subject)" = "cgroup $PODS_GROUPS/cpuacct/kubepods/burstable/pod$UID1 $PODS_GROUPS/cpuacct/kubepods/burstable/pod$UID1" ]
  [ "$(attached_pids | paste -sd ' ')" = "$(printf '1\n%s\n' $$ | sort -n | paste -sd ' ')" ]
}

@test "kubectl is asked for this node's pods with that label, in its namespace; what it says of its images is the version" {
  group "kubepods/pod$UID1/$CONTAINER" v2
  attached pod:security/app.kubernetes.io/name=falco,component=agent
  [ "$(<"$BATS_TEST_TMPDIR/asked")" = "get pods --namespace security --selector app.kubernetes.io/name=falco,component=agent --field-selector spec.nodeName=node1 --output json --request-timeout 30s" ]
  [ "$(attached_version pod:security.falco)" = "docker.io/falcosecurity/falco:0.44.1, docker.io/falcosecurity/falcoctl:0.11.0" ]
  MONITOR_WAY=attached
  [ "$(monitor_versions_json pod:security.falco | jq -c .)" = '{"pod:security.falco":"docker.io/falcosecurity/falco:0.44.1, docker.io/falcosecurity/falcoctl:0.11.0"}' ]
  unset EXECTAX_NODE
  uname() { echo Node-A; }
  [ "$(pods_node)" = node-a ]
}

@test "it is called by what its pods come from: a set, a deployment, or else its label; a file name can be that" {
  name_of() {
    answers "$(pod p "$1")"
    (
      attached pod:security/app=falco
      echo "${ATTACHED_NAMES[*]}"
    )
  }
  group "kubepods/pod$UID1/$CONTAINER" v2
  [ "$(name_of .)" = pod:security.falco ]
  [ "$(name_of '.metadata.labels["pod-template-hash"] = "7d9f8b6c4d" | .metadata.ownerReferences[0] += {kind: "ReplicaSet", name: "my-agent-7d9f8b6c4d"}')" = pod:security.my-agent ]
  [ "$(name_of 'del(.metadata.ownerReferences)')" = pod:security.falco ]
  # A static pod, which is its node's; groups and logs have the id that the kubelet gave it.
  group kubepods/pod9e107d9d372bb6826bd81d3542a419d6/x v2
  answers "$(pod p '.metadata.ownerReferences = [{kind: "Node", name: "node1", controller: true}] | .metadata.annotations = {"kubernetes.io/config.mirror": "9e107d9d372bb6826bd81d3542a419d6"}')"
  attached pod:security/app=agent
  [ "${ATTACHED_NAMES[*]} ${ATTACHED_GROUP[pod:security.agent]}" = "pod:security.agent $PODS_GROUPS/kubepods/pod9e107d9d372bb6826bd81d3542a419d6" ]
}

@test "none, several, one that is ending, no kubectl, no answer: one line that says so" {
  group "kubepods/pod$UID1/$CONTAINER" v2
  answers
  refused "--attach pod:security/app=falco: expected one running pod with that label on the node node1 (EXECTAX_NODE), found none" attached pod:security/app=falco
  answers "$(pod a)" "$(pod b)" "$(pod c '.status.phase = "Pending"')" "$(pod d '.metadata.deletionTimestamp = "2026-01-01T00:00:00Z"')"
  refused "*found 2: a b" attached pod:security/app=falco
  answers "$(pod a '.status.phase = "Succeeded"')"
  refused "*found none" attached pod:security/app=falco
  answers "$(pod a '.status.containerStatuses = [{name: "falco", state: {waiting: {reason: "CrashLoopBackOff"}}}, {name: "falcoctl", state: {running: {}}}]')"
  refused "*expected all containers of the pod to run, these do not: falco" attached pod:security/app=falco
  answers "$(pod a '.metadata.uid = "22222222-2222-3333-4444-555555555555"')"
  refused "*found no cgroup of the pod a below $PODS_GROUPS, expected *" attached pod:security/app=falco
  echo 'not JSON' >"$BATS_TEST_TMPDIR/answer"
  refused "*kubectl can't list the pods: its answer is not a list of pods" attached pod:security/app=falco
  printf '#!/bin/sh\necho "Error from server (Forbidden): pods is forbidden" >&2\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/kubectl"
  refused "*kubectl can't list the pods: Error from server (Forbidden): pods is forbidden" attached pod:security/app=falco
  refused "*--attach is 'pod:security', expected pod:NAMESPACE/LABEL=VALUE" attached pod:security
  refused "*--attach is 'pod:security/falco', expected *" attached pod:security/falco
  refused "*--attach is 'pod:../app=falco', expected *" attached pod:../app=falco
  rm "$BATS_TEST_TMPDIR/bin/kubectl"
  command() { return 1; }
  refused "*expected kubectl, which finds the pod" attached pod:security/app=falco
}

@test "the log of a container is that of its last start, and must be there" {
  group "kubepods/pod$UID1/$CONTAINER" v2
  local folder=$PODS_LOGS/security_falco-x7k2p_$UID1/falco
  mkdir -p "$folder"
  attached pod:security/app=falco
  refused "--log container:nope: the pod has no such container, expected one of: falco falcoctl driver" attached_add_log container:nope
  refused "--log container:falco: found no log of it below $PODS_LOGS, expected that folder of the node" attached_add_log container:falco
  touch "$folder"/{0,2,10}.log "$folder"/10.log.20260101-000000 "$folder"/11.log.gz
  attached_add_log container:falco
  attached_add_log "$BATS_TEST_TMPDIR/answer"
  MONITOR_NAME=pod:security.falco
  [ "$(attached_records pod:security.falco)" = exec ]
  [ "$(attached_logs | paste -sd ' ')" = "$BATS_TEST_TMPDIR/answer $folder/10.log" ]
  touch "$folder/11.log"
  [ "$(attached_logs | tail -n 1)" = "$folder/11.log" ]
  attached_add "pid:$$"
  refused "--log container:falco: expected after --attach pod:, whose container it is" attached_add_log container:falco
  [ "$(attached_records "pid:$$")" = nothing ]
}

@test "a line of a container's log has its tag" {
  # As containerd and CRI-O write it.
  printf '%s\n' '2026-01-01T00:00:00.000000000Z stdout F {"output":"true xabc.1-17"}' '2026-01-01T00:00:00.000000001Z stdout P {"output":"true xab' \
    '2026-01-01T00:00:00.000000001Z stderr F xabc.1-18' >"$BATS_TEST_TMPDIR/0.log"
  logs_follow "$BATS_TEST_TMPDIR/0.log"
  [ "$(logs_count_tags xabc)" = "xabc.1 2" ]
}

@test "a container that ends, or is started again, has died, whatever else runs in its pod; it is waited for" {
  group "kubepods/pod$UID1/$PAUSE" v2
  group "kubepods/pod$UID1/$CONTAINER" v2
  attached pod:security/app=falco
  local name=pod:security.falco
  MONITOR_NAME=$name ATTACHED_READY_SECONDS=0
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  [ -n "$(attached_pids)" ]
  [ -z "$(attached_last_words)$(attached_problem)" ]
  mv "$PODS_GROUPS/kubepods/pod$UID1/$CONTAINER" "$PODS_GROUPS/kubepods/pod$UID1/1$CONTAINER"
  [ -z "$(attached_pids)" ]
  [ "$(attached_last_words)" = ": a container of its pod has ended, or was started again" ]
  # As many as before: they can be measured.
  attached_pod_is_whole "$name"
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  [ -n "$(attached_pids)" ]
  rm -r "$PODS_GROUPS/kubepods/pod$UID1/1$CONTAINER"
  [ -z "$(attached_pids)" ]
  ! attached_pod_is_whole "$name" || return 1
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  [ "$(attached_problem)" = "1 of the 2 containers of its pod run, the pod's own included" ]
  # Nor is that enough for the next time.
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  [ -n "$(attached_problem)" ]
  rm -r "$PODS_GROUPS/kubepods/pod$UID1/$PAUSE"
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  [ "$(attached_problem)" = "0 of the 2 containers of its pod run, the pod's own included" ]
}

@test "limits are the pod's, or those of its containers; v1 and v2" {
  local name=pod:security.falco pod=$PODS_GROUPS/kubepods/pod$UID1
  group "kubepods/pod$UID1/$PAUSE" v2
  group "kubepods/pod$UID1/$CONTAINER" v2
  attached pod:security/app=falco
  echo "max 100000" | tee "$pod/cpu.max" "$pod/$PAUSE/cpu.max" >"$pod/$CONTAINER/cpu.max"
  echo max | tee "$pod/memory.max" "$pod/$PAUSE/memory.max" >"$pod/$CONTAINER/memory.max"
  [ "$(attached_limits "$name")" = "- -" ]
  echo "50000 100000" >"$pod/$CONTAINER/cpu.max"
  echo 536870912 >"$pod/$CONTAINER/memory.max"
  [ "$(attached_limits "$name")" = "0.5 512M" ]
  echo "100000 100000" >"$pod/$PAUSE/cpu.max"
  echo 1572864 >"$pod/$PAUSE/memory.max"
  [ "$(attached_limits "$name")" = "1.5 525824K" ]
  echo "25000 100000" >"$pod/cpu.max"
  [ "$(attached_limits "$name")" = "0.25 525824K" ]
  echo 2147483648 >"$pod/memory.max"
  [ "$(attached_limits "$name")" = "0.25 2G" ]
  mkdir -p "$BATS_TEST_TMPDIR"/{cpu,cpuacct,memory}/p
  echo -1 >"$BATS_TEST_TMPDIR/cpu/p/cpu.cfs_quota_us"
  echo 100000 >"$BATS_TEST_TMPDIR/cpu/p/cpu.cfs_period_us"
  echo 9223372036854771712 >"$BATS_TEST_TMPDIR/memory/p/memory.limit_in_bytes"
  [ "$(limits_in_force "$BATS_TEST_TMPDIR"/{cpu,cpuacct,memory}/p)" = "- -" ]
  echo 1000000 >"$BATS_TEST_TMPDIR/cpu/p/cpu.cfs_quota_us"
  echo 1073741824 >"$BATS_TEST_TMPDIR/memory/p/memory.limit_in_bytes"
  CGROUP_MOUNTS=("$BATS_TEST_TMPDIR"/{cpu,cpuacct,memory})
  [ "$(limits_in_force $(cgroup_folders_like "$BATS_TEST_TMPDIR/cpuacct/p"))" = "10 1G" ]
}

@test "of one process, limits are those of its group alone, and not of the groups beside it" {
  mkdir -p "$PODS_GROUPS"/mine/another
  cgroup_folders_of_process() { echo "$PODS_GROUPS/mine"; }
  echo "max 100000" >"$PODS_GROUPS/mine/cpu.max"
  echo "50000 100000" >"$PODS_GROUPS/mine/another/cpu.max"
  printf 'nr_throttled 3\nthrottled_usec 1234\n' >"$PODS_GROUPS/mine/another/cpu.stat"
  echo 'oom_kill 2' >"$PODS_GROUPS/mine/another/memory.oom_control"
  attached_add "pid:$$"
  [ "$(attached_limits "pid:$$")" = "- -" ]
  [ "$(attached_limit_counters "pid:$$" | jq -c .)" = '{"throttled_us":null,"throttled_periods":null,"oom_kills":null}' ]
}

@test "a run takes a tag that no log has yet of what runs already" {
  use_rooms base host monitor measure
  OPTIONS=([actions]=open)
  attached_add "pid:$$"
  # Nearly all of those with which actions are tagged.
  printf '{"name": "x%02x.1-1"}\n' {6..255} >"$BATS_TEST_TMPDIR/log"
  attached_add_log "$BATS_TEST_TMPDIR/log"
  [[ $(run_new_tag) == x0[0-5] ]]
  od() { echo " 07"; }
  run run_new_tag
  [ "$status" -eq 1 ]
  [[ $output == "exectax: every tag is in a log already: expected a log "* ]]
}

@test "what limits did is told of the pod and of its containers; v1 forgets the kills of a container that is gone" {
  local name=pod:security.falco pod
  group "kubepods/pod$UID1/$PAUSE" v1
  group "kubepods/pod$UID1/$CONTAINER" v1
  pod=$PODS_GROUPS/kubepods/pod$UID1
  attached pod:security/app=falco
  attached_begin "$name" "$BATS_TEST_TMPDIR/kept"
  printf 'nr_throttled 3\nthrottled_time 1234999\n' >"$pod/cpu.stat"
  printf 'nr_throttled 4\nthrottled_time 2000000\n' | tee "$pod/$PAUSE/cpu.stat" >"$pod/$CONTAINER/cpu.stat"
  printf 'under_oom 0\noom_kill 1\n' | tee "$pod/memory.oom_control" "$pod/$PAUSE/memory.oom_control" >"$pod/$CONTAINER/memory.oom_control"
  [ "$(attached_limit_counters "$name" | jq -c .)" = '{"throttled_us":1234,"throttled_periods":3,"oom_kills":3,"below_throttled_us":4000,"below_throttled_periods":8}' ]
  rm -r "${pod:?}/$CONTAINER"
  [ "$(attached_limit_counters "$name" | jq -c '[.throttled_us, .oom_kills]')" = '[1234,null]' ]
  # v2 has them still.
  echo 'oom_kill 5' >"$pod/memory.events"
  [ "$(attached_limit_counters "$name" | jq .oom_kills)" = 5 ]
}
