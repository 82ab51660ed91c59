#!/usr/bin/env bats
# Jobs and exectax cluster on a real cluster; deploy/kubernetes/test.sh calls this and says what it is told in TEST_*.

bats_require_minimum_version 1.5.0

ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")

setup_file() {
  [ -n "${TEST_NODE:-}" ] || { echo "expected to be called by deploy/kubernetes/test.sh" >&2 && return 1; }
  export OVERLAY=$BATS_FILE_TMPDIR/overlay
  kube apply --filename "$ROOT/deploy/kubernetes/base/namespace.yaml" >/dev/null
  deploy monitors
  make_overlay
  make_look
  records floor
}

teardown_file() {
  local file
  "$ROOT/exectax" cluster restore || true
  for file in falco laurel monitors; do
    kube delete --ignore-not-found --filename "$ROOT/tests/kubernetes/$file.yaml" --wait=true >/dev/null || true
  done
  on_node rm -rf /var/lib/exectax-results /var/log/exectax-test || true
  kube delete --ignore-not-found --filename "$ROOT/deploy/kubernetes/base/namespace.yaml" --wait=true >/dev/null
  kubectl delete clusterrole exectax-list-pods --ignore-not-found >/dev/null
}

kube() {
  kubectl --request-timeout 120s "$@"
}

# deploy NAME: of that file, on the node alone, until its pods are ready.
deploy() {
  kubectl create --dry-run=client --output json --filename "$ROOT/tests/kubernetes/$1.yaml" | jq -c --arg image "$TEST_IMAGE" --arg node "$TEST_NODE" --arg falco "$TEST_FALCO" '
    if .kind == "DaemonSet" then
      .spec.template.spec.containers[0].image = $image
      | .spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms = [{matchFields: [{key: "metadata.name", operator: "In", values: [$node]}]}]
      | (.spec.template.spec.volumes[]? | select(.name == "program") | .hostPath.path) = $falco
    else . end' | kube apply --filename - >/dev/null
  kubectl rollout status "daemonset/$(sed 's/monitors/floor/' <<<"$1")" --namespace exectax-test --timeout 120s
}

# The base with the image that is tested and, where there is no service network, another way to the API with the same account.
make_overlay() {
  mkdir -p "$OVERLAY"
  cp "$ROOT"/deploy/kubernetes/base/*.yaml "$OVERLAY/"
  cat >>"$OVERLAY/kustomization.yaml" <<KUSTOMIZATION
patches:
  - target:
      kind: Job
    patch: |-
      - op: replace
        path: /spec/template/spec/containers/0/image
        value: $TEST_IMAGE
KUSTOMIZATION
  [ -n "$TEST_API" ] || return 0
  cat >"$OVERLAY/api.yaml" <<API
apiVersion: v1
kind: ConfigMap
metadata:
  name: api
  namespace: exectax
data:
  kubeconfig: |
    apiVersion: v1
    kind: Config
    clusters: [{name: here, cluster: {server: "$TEST_API", insecure-skip-tls-verify: true}}]
    users: [{name: pod, user: {tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}}]
    contexts: [{name: here, context: {cluster: here, user: pod}}]
    current-context: here
API
  sed -i 's/^  - job.yaml/  - job.yaml\n  - api.yaml/' "$OVERLAY/kustomization.yaml"
  cat >>"$OVERLAY/kustomization.yaml" <<'KUSTOMIZATION'
      - op: add
        path: /spec/template/spec/containers/0/env/-
        value: {name: KUBECONFIG, value: /api/kubeconfig}
      - op: add
        path: /spec/template/spec/containers/0/volumeMounts/-
        value: {name: api, mountPath: /api}
      - op: add
        path: /spec/template/spec/volumes/-
        value: {name: api, configMap: {name: api}}
KUSTOMIZATION
}

# A pod that stays, with what the Job sees of its node.
make_look() {
  kubectl kustomize "$OVERLAY" | kubectl create --dry-run=client --output json --filename - | jq -c --arg node "$TEST_NODE" '
    select(.kind == "Job") | .spec.template.spec as $spec
    | {apiVersion: "v1", kind: "Pod", metadata: {name: "look", namespace: "exectax"},
        spec: ($spec | .nodeName = $node | .automountServiceAccountToken = false | del(.serviceAccountName) | .hostNetwork = false | .terminationGracePeriodSeconds = 0
          | .volumes = [{name: "var", hostPath: {path: "/var"}}, ($spec.volumes[] | select(.name | IN("cgroup", "kernel")))]
          | .containers[0] |= (del(.args, .env) | .command = ["sleep", "infinity"]
            | .volumeMounts = [{name: "var", mountPath: "/var"}, (.volumeMounts[] | select(.name | IN("cgroup", "kernel")))]))}' |
    kube apply --filename - >/dev/null
  kubectl wait pod/look --namespace exectax --for condition=Ready --timeout 120s
  on_node tee /tmp/host-state.sh <"$ROOT/tests/e2e/host-state.sh" >/dev/null
}

# on_node COMMAND...
on_node() {
  kubectl exec --stdin look --namespace exectax -- "$@"
}

# records NAME: until that DaemonSet's log has an execution. Without a probe its pod is ready before its BPF programs are loaded, which are of the node's state.
records() {
  local tries
  for ((tries = 0; tries < 60; tries++)); do
    on_node true
    ! kube logs "daemonset/$1" --namespace exectax-test | grep -q '^{' || return 0
    sleep 2
  done
  return 1
}

# What of the node exectax could change, and a pod can see.
node_state() {
  on_node env HOST_STATE_CGROUP=/sys/fs/cgroup bash /tmp/host-state.sh --without units --without active-units --without mounts --without etc --without sbin --without var-lib --without run \
    --without processes --without accounting
  on_node find /var/lib/exectax -mindepth 1 | sort
}

# put_back: the node's state is that in $BATS_TEST_TMPDIR/before; it may take until the processes of the run have ended.
put_back() {
  local tries
  for ((tries = 0; tries < 30; tries++)); do
    node_state >"$BATS_TEST_TMPDIR/after" || true
    ! cmp -s "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" || return 0
    sleep 2
  done
  diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
}

# job NAME ARGUMENT...: the overlay's Job with these arguments, begun.
job() {
  local name=$1 arguments
  shift
  arguments=$(printf '%s\n' "$@" | jq -Rnc '[inputs]')
  kubectl kustomize "$OVERLAY" | kubectl create --dry-run=client --output json --filename - | jq -c --arg node "$TEST_NODE" --arg name "$name" --argjson arguments "$arguments" '
    if .kind == "Job" then
      .metadata.name = $name | .spec.activeDeadlineSeconds = 600 | .spec.template.spec.containers[0].args = $arguments
      | .spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms = [{matchFields: [{key: "metadata.name", operator: "In", values: [$node]}]}]
    elif .kind == "RoleBinding" then .metadata.namespace = "exectax-test" else . end' | kube apply --filename - >/dev/null
}

pod_of() {
  kube get pods --namespace exectax --selector "job-name=$1" --output 'jsonpath={.items[0].metadata.name}'
}

# job_ended NAME: its exit status.
job_ended() {
  local tries status
  for ((tries = 0; tries < 300; tries++)); do
    status=$(kube get pods --namespace exectax --selector "job-name=$1" --output 'jsonpath={.items[0].status.containerStatuses[0].state.terminated.exitCode}')
    [ -z "$status" ] || break
    sleep 2
  done
  kube logs "job/$1" --namespace exectax >&2
  echo "$status"
}

saturate=(saturate --attach=pod:exectax-test/app=floor --log=container:floor --repeat=1 --round=3 --start=100 --max-rate=1600 --precision=50 --yes --out=/results)

@test "a Job reads the monitor's limits from its cgroup, counts what it loses, and leaves the node as it was" {
  node_state >"$BATS_TEST_TMPDIR/before"
  job test-limits "${saturate[@]}"
  [ "$(job_ended test-limits)" = 0 ]
  on_node cat "/var/lib/exectax-results/$(pod_of test-limits)/saturation.csv" >"$BATS_TEST_TMPDIR/saturation.csv"
  cat "$BATS_TEST_TMPDIR/saturation.csv"
  [ "$(mlr --icsv --onidx --ofs , cut -o -f cpus,memory,bound "$BATS_TEST_TMPDIR/saturation.csv")" = 0.02,128M,monitor ]
  [ "$(mlr --icsv --onidx filter '$dropped_at_per_sec > 0 && $success_percent < 100 && $success_percent > 0' then cut -f status "$BATS_TEST_TMPDIR/saturation.csv")" = ok ]
  on_node cat "/var/lib/exectax-results/$(pod_of test-limits)/rounds.csv" >"$BATS_TEST_TMPDIR/rounds.csv"
  [ "$(mlr --icsv --onidx filter '$throttled_periods > 0' then count "$BATS_TEST_TMPDIR/rounds.csv")" -ge 1 ]
  put_back
}

@test "exit status of exectax is that of the Job's pod, and a Job that failed is not begun again" {
  job test-status sweep --attach=pod:exectax-test/app=nobody --yes --out=/results
  [ "$(job_ended test-status)" = 2 ]
  kubectl wait job/test-status --namespace exectax --for condition=Failed --timeout 60s
  [[ $(kube logs job/test-status --namespace exectax) == *"expected one running pod"* ]]
}

@test "the account may list the monitor's pods, and those of no other namespace" {
  local who=(--as system:serviceaccount:exectax:exectax)
  [ "$(kube auth can-i list pods --namespace exectax-test "${who[@]}")" = yes ]
  [ "$(kube auth can-i list pods --namespace kube-system "${who[@]}" || true)" = no ]
  [ "$(kube auth can-i get secrets --namespace exectax-test "${who[@]}" || true)" = no ]
}

@test "a pod that is deleted in mid-run leaves the node as it was" {
  local tries
  node_state >"$BATS_TEST_TMPDIR/before"
  job test-deleted sweep --attach=pod:exectax-test/app=floor --log=container:floor "--rates=100 200 300" --duration=60 --yes --out=/results
  for ((tries = 0; tries < 60; tries++)); do
    ! on_node test -s /var/lib/exectax/journal || break
    sleep 1
  done
  on_node test -s /var/lib/exectax/journal
  kube delete pod "$(pod_of test-deleted)" --namespace exectax --grace-period=0 --force
  put_back
}

# matrix NAME LOG OPTIONS: one of two rows.
matrix() {
  cat >"$BATS_TEST_TMPDIR/matrix.yaml" <<MATRIX
apiVersion: v1
kind: ConfigMap
metadata:
  name: matrix
data:
  monitor: exectax-test/$1
  log: $2
  options: $3
  overlay: $(realpath --relative-to "$BATS_TEST_TMPDIR" "$OVERLAY")
  patch: |
    spec:
      template:
        spec:
          containers:
            - name: $1
              resources:
                limits:
                  cpu: "@cpus@"
                  memory: "@memory@"
  rows: |
    cpus memory
    0.05 128Mi
    0.5  512Mi
MATRIX
}

template() {
  kube get daemonset "$1" --namespace exectax-test --output json | jq -S .spec.template
}

# cluster_run NAME LOG OPTIONS: the matrix; then its limits are in rounds.csv, and the DaemonSet is as before.
cluster_run() {
  matrix "$@"
  template "$1" >"$BATS_TEST_TMPDIR/template"
  node_state >"$BATS_TEST_TMPDIR/before"
  run "$ROOT/exectax" cluster run --out "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output"
  [ "$status" -eq 0 ]
  diff "$BATS_TEST_TMPDIR/template" <(template "$1")
  [ "$(mlr --icsv --onidx --ofs , filter '$status == "ok"' then cut -o -f cpus,memory then uniq -a then sort -nf cpus "$BATS_TEST_TMPDIR/out/rounds.csv")" = $'0.05,128M\n0.5,512M' ]
  put_back
}

@test "exectax cluster: each row's limits are measured, and the DaemonSet is put back" {
  cluster_run floor container:floor "--repeat 1 --round 3 --max-rate 400 --precision 50"
  [ "$(jq -rs 'map(.state) | unique[]' "$BATS_TEST_TMPDIR"/out/jobs/*/outcome.json)" = complete ]
  # Nothing of the run stays on the node.
  [ -z "$(on_node find /var/lib/exectax-results -mindepth 2 -path "*exectax-$(jq -r .id "$BATS_TEST_TMPDIR/out/manifest.json")*")" ]
}

@test "LAUREL under limits, by its own log on the node" {
  on_node which laurel >/dev/null || skip "laurel is not in the image $TEST_IMAGE"
  deploy laurel
  cluster_run laurel /var/log/exectax-test/laurel/audit.log "--repeat 1 --round 3 --max-rate 400 --precision 50"
  [ "$(mlr --icsv --onidx filter '$verdict == "clean"' then count "$BATS_TEST_TMPDIR/out/rounds.csv")" -ge 1 ]
}

@test "Falco under limits, by its container's log" {
  [ -n "$TEST_FALCO" ] || skip "there is no --falco"
  deploy falco
  records falco
  cluster_run falco container:falco "--repeat 1 --round 3 --max-rate 400 --precision 50"
  [ "$(mlr --icsv --onidx filter '$verdict == "clean"' then count "$BATS_TEST_TMPDIR/out/rounds.csv")" -ge 1 ]
}
