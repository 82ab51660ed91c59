#!/usr/bin/env bats
# exectax cluster, with a stand-in for kubectl and the cluster: its options, what it does to the DaemonSet, and that this is put back however it ends.

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export DOUBLE=$BATS_TEST_TMPDIR/double EXECTAX_CLUSTER_POLL_SECONDS=0.1
  mkdir -p "$DOUBLE" "$BATS_TEST_TMPDIR/bin"
  ln -s "$BATS_TEST_DIRNAME/kubectl-double" "$BATS_TEST_TMPDIR/bin/kubectl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  OUT=$BATS_TEST_TMPDIR/out
  echo '["a", "b"]' >"$DOUBLE/nodes"
  jq -n '{metadata: {name: "falco", namespace: "falco", generation: 1},
    spec: {updateStrategy: {type: "RollingUpdate"}, selector: {matchLabels: {instance: "x", "app.kubernetes.io/name": "falco"}},
      template: {metadata: {creationTimestamp: null}, spec: {containers: [{name: "falco", image: "falco", resources: {limits: {cpu: "4"}}}, {name: "other"}]}}},
    status: {observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2}}' >"$DOUBLE/daemonset"
  cp "$DOUBLE/daemonset" "$DOUBLE/daemonset.before"
  # What a Job leaves: two searches, in each of which events are lost at a rate that grows with the limit on CPUs.
  cat >"$DOUBLE/measure" <<'MEASURE'
#!/usr/bin/env bash
echo '{"schema": 2, "kind": "saturate", "state": "complete"}' >"$1/manifest.json"
{
  echo "test,monitor,combination,cpus,memory,knobs,search,rep,round,phase,asked_per_sec,achieved_per_sec,verdict,recorded_percent,kernel_events_per_sec,throttled_ms,throttled_periods,oom_kills,start,host_saturated,status,reason"
  for rep in 1 2; do
    echo "pod:falco.falco,pod:falco.falco,,$3,${4%i},,$rep,$rep,1,ramp,100,100,clean,100,5000,0,0,0,1,false,ok,"
    echo "pod:falco.falco,pod:falco.falco,,$3,${4%i},,$rep,$rep,2,ramp,200,$(awk -v cpus="$3" -v rep="$rep" 'BEGIN { print cpus * 1000 + rep * 10 }'),lossy,90,6000,50,4,0,1,false,ok,"
  done
} >"$1/rounds.csv"
MEASURE
  chmod +x "$DOUBLE/measure"
  matrix
}

# matrix [EDIT]: one of two rows, changed by a sed command.
matrix() {
  sed "${1:-}" >"$BATS_TEST_TMPDIR/matrix.yaml" <<'MATRIX'
apiVersion: v1
kind: ConfigMap
metadata:
  name: matrix
data:
  monitor: falco/falco
  log: container:falco
  options: --action exec --repeat 2
  seed: "3"
  patch: |
    spec:
      template:
        spec:
          containers:
            - name: falco
              args: [--buffered, "@buffered@"]
              resources:
                limits:
                  cpu: "@cpus@"
                  memory: "@memory@"
  rows: |
    cpus memory buffered
    1    1Gi    false
    2    1Gi    true
MATRIX
}

cluster() {
  "$ROOT/exectax" cluster "$@"
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr cluster "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $OUT ]]
}

# refused_matrix PATTERN EDIT
refused_matrix() {
  matrix "$2"
  refused "$1" run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
}

# The DaemonSet's pods are as they were, and there is no note of a change.
as_before() {
  diff <(jq -S .spec "$DOUBLE/daemonset.before") <(jq -S .spec "$DOUBLE/daemonset")
  [ ! -e "$DOUBLE/configmap" ]
}

@test "bad options are refused, each in one line" {
  refused "*expected run or restore*"
  refused "*got 'stop', expected run or restore" stop
  refused "*run and one matrix*" run
  refused "*got '/nowhere', expected a file*" run /nowhere
  refused "*--force: expected with*" run --force /nowhere
  refused "*is not a run of exectax cluster*" run --resume "$BATS_TEST_TMPDIR"
  refused "*no matrix with --resume*" run --resume "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/matrix.yaml"
  refused "*expected --force or no option" restore --dry-run
}

@test "a bad matrix is refused in one line, and nothing is changed" {
  refused_matrix "*it is a Secret, expected a ConfigMap" 's/ConfigMap/Secret/'
  refused_matrix "*it has 'row', expected one of: monitor *" 's/  rows:/  row:/'
  refused_matrix "*monitor is 'falco', expected NAMESPACE/DAEMONSET" 's,falco/falco,falco,'
  refused_matrix "*log is 'falco', expected container:NAME*" 's/container:falco/falco/'
  refused_matrix "*log is missing, which alone tells what was lost*" '/ log:/d'
  refused_matrix "*options has --attach=x,*" 's/--repeat 2/--attach=x/'
  refused_matrix "*patch has @cpu@, expected a column of rows" 's/@cpus@/@cpu@/'
  refused_matrix "*the column buffered of rows changes nothing*" 's/"@buffered@"/x/'
  refused_matrix "*rows has '1 1Gi', expected 3 values" 's/1Gi    false/1Gi/'
  refused_matrix "*rows has the value '1\"', *" 's/1    1Gi/1" 1Gi/'
  refused_matrix "*seed is 'three', expected a whole number*" 's/"3"/three/'
  refused_matrix "*deadline is '3x', expected a time*" 's/  seed/  deadline: 3x\n  seed/'
  refused_matrix "*published is 'x', expected one of: falco-2021" 's/  seed/  published: x\n  seed/'
  as_before
}

@test "--dry-run tells roll-outs, nodes and arguments, and changes nothing" {
  run --separate-stderr cluster run --dry-run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"Nodes:       a b (1 at a time)"* ]]
  [[ $output == *"exectax saturate --attach=pod:falco/app.kubernetes.io/name=falco --log=container:falco --action exec --repeat 2 --yes --out=/results"* ]]
  [[ $output == *". cpus=1 memory=1Gi buffered=false"* && $output == *". cpus=2 memory=1Gi buffered=true"* ]]
  [ ! -e "$OUT" ]
  run ! grep -vE '(^| )(get|version|kustomize|create .*--dry-run)' "$DOUBLE/calls"
  as_before
}

@test "each row is rolled out, measured on each node, brought here, and the DaemonSet put back" {
  run --separate-stderr cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  as_before
  [ "$(mlr --icsv --onidx --ofs , cut -o -f node,row_cpus,row_buffered,state then sort -f node -nf row_cpus "$OUT/jobs.csv")" = $'a,1,false,complete\na,2,true,complete\nb,1,false,complete\nb,2,true,complete' ]
  # What was set when it was measured.
  [ "$(mlr --icsv --onidx --ofs , filter '$verdict == "lossy"' then cut -o -f row_cpus,cpus,knobs then uniq -a then sort -nf row_cpus "$OUT/rounds.csv")" = $'1,1,buffered=no\n2,2,buffered=yes' ]
  jq -e '.spec.template.spec.containers[0].args == ["--buffered", "true"]' "$OUT"/jobs/set-*/daemonset.json >/dev/null
  # Nothing is left on the nodes.
  [ -z "$(ls -A "$DOUBLE/results" "$DOUBLE/jobs" "$DOUBLE/pods" | grep -v :)" ]
  [ "$(<"$OUT/jobs/1-a/log.txt")" = "measured on a node" ]
  [ "$(jq -r .state "$OUT/manifest.json")" = complete ]
  # kubectl fails although it says the versions.
  [ "$(jq -r '.versions[]' "$OUT/manifest.json" | paste -sd ' ')" = "v1.33.4 v1.32.3" ]
  [[ $stderr != *"internal error"* ]]
}

@test "of what a node has in its run, only regular files and folders come here" {
  echo mine >"$BATS_TEST_TMPDIR/canary"
  cat >>"$DOUBLE/measure" <<MEASURE
ln -s "$BATS_TEST_TMPDIR/canary" "\$1/saturation.csv"
mkfifo "\$1/pipe"
chmod 4777 "\$1/rounds.csv"
MEASURE
  cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  [ -z "$(find "$OUT" ! -type d ! -type f)" ]
  [ -z "$(find "$OUT/jobs" -perm /6022)" ]
  [ -s "$OUT/jobs/1-a/run/rounds.csv" ]
  [ "$(<"$BATS_TEST_TMPDIR/canary")" = mine ]
}

@test "a Job is for its node alone, and may list the pods of the monitor's namespace" {
  matrix 's,falco/falco,security/falco,'
  jq '.metadata.namespace = "security"' "$DOUBLE/daemonset.before" >"$DOUBLE/daemonset"
  cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  jq -e '.metadata.name | test("^exectax-[0-9a-f]{6,}-1-2$")' "$OUT/jobs/1-b/job.json"
  jq -e '.spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms == [{matchFields: [{key: "metadata.name", operator: "In", values: ["b"]}]}]
    and .spec.activeDeadlineSeconds == 10800 and .spec.backoffLimit == 0' "$OUT/jobs/1-b/job.json"
  jq -e '.[0].items | all(.kind != "Job") and (map(select(.kind == "RoleBinding"))[0].metadata.namespace == "security")' "$DOUBLE/applied"
}

@test "the tables: means over the searches of all roll-outs, of each node by itself, beside what was published" {
  matrix 's/  seed/  reps: "2"\n  published: falco-2021\n  seed/'
  run --separate-stderr cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  # 1010 and 1020, twice: mean 1015, standard deviation 5.77, 3 degrees of freedom.
  [[ $output == *"| ours; 4 of 4 searches lost events | a | 1 | 1G | no | 2 | 1015 (1005.8 to 1024.2) | 90 (90 to 90) | 913.5 (905.2 to 921.8) | 100 (100 to 100) | 0 (0) | 0 |"* ]]
  [[ $output == *"| published, managed cluster | – | 2 | 1G | yes | 20 | 17703.2 | 76.4 | 13525.2 |"* ]]
  [ "$(grep -c '^| ours' "$OUT/cluster.md")" = 4 ]
  diff <("$ROOT/exectax" report "$OUT") "$OUT/cluster.md"
}

@test "sweeps: a row for each rate, node and row of the matrix" {
  cat >"$DOUBLE/measure" <<'MEASURE'
#!/usr/bin/env bash
echo '{"schema": 2, "kind": "sweep", "state": "complete"}' >"$1/manifest.json"
echo "test,exec_per_sec,cpu,daemon_cpu,daemon_cpu_low,daemon_cpu_high,reps,launched,lost
pod:falco.falco,0,0.1,0.1,0.05,0.15,3,0,0
pod:falco.falco,100,2,$3.5,$3.25,$3.75,3,300,$3" >"$1/perf.csv"
MEASURE
  matrix 's/  log:/  command: sweep\n  log:/; s/--action exec --repeat 2/--rates 100/'
  run --separate-stderr cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [[ $output == *"| b | pod:falco.falco | 1 | 1Gi | no | 100 | 1.5 (1.25 to 1.75) | 1 of 300 | 3 |"* ]]
  [[ $output == *"| a | pod:falco.falco | 2 | 1Gi | yes | 100 | 2.5 (2.25 to 2.75) | 2 of 300 | 3 |"* ]]
  [ "$(mlr --icsv --onidx --ofs , filter '$exec_per_sec == 100' then sort -f test then cut -o -f test,node,row_cpus,daemon_cpu then head -n 1 "$OUT/perf.csv")" = \
    "pod:falco.falco+cpus=1+memory=1Gi+buffered=false+node=a,a,1,1.5" ]
}

@test "a Job that fails is told, and measured again by --resume, which measures nothing else" {
  echo "b 1" >"$DOUBLE/outcomes"
  run --separate-stderr cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 1 ]
  [[ $stderr == *"on b: exit status 1 (see $OUT/jobs/1-b/log.txt)"* && $output == *$'Without figures:\n- roll-out 1 on b: exit status 1'* ]]
  as_before
  : >"$DOUBLE/calls"
  run --separate-stderr cluster run --resume "$OUT"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [ "$(grep -c '^--request-timeout 30s create --filename .*/job.json' "$DOUBLE/calls")" = 1 ]
  [ "$(jq -rs 'map(.state) | unique[]' "$OUT"/jobs/*/outcome.json)" = complete ]
  as_before
}

@test "a Job whose pod does not start is told with the reason, and the others are measured" {
  echo "a pending" >"$DOUBLE/outcomes"
  run --separate-stderr env EXECTAX_CLUSTER_START_SECONDS=1 "$ROOT/exectax" cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [[ $status -eq 1 && $stderr == *"on a: its pod has not started within 1s: ErrImagePull"* ]]
  [ "$(jq -rs 'map(.state) | sort | join(" ")' "$OUT"/jobs/*/outcome.json)" = "complete complete complete failed" ]
  as_before
}

@test "pods that are not ready in time end the run, and the DaemonSet is put back" {
  touch "$DOUBLE/stuck"
  matrix 's/  seed/  rollout: 1s\n  seed/'
  run --separate-stderr cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 1 ]
  [[ $stderr == *"falco/falco was not rolled out within 1s with cpus="*"falco of falco-a: waiting CrashLoopBackOff"* ]]
  as_before
}

@test "a signal ends the Jobs, and the DaemonSet is put back" {
  echo "a never" >"$DOUBLE/outcomes"
  "$ROOT/exectax" cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- &
  local process=$! tries
  for ((tries = 0; tries < 200; tries++)); do
    [ -z "$(ls "$DOUBLE/jobs" 2>/dev/null)" ] || break
    sleep 0.1
  done
  [ "$(jq -r .data.namespace "$DOUBLE/configmap")" = falco ]
  kill -TERM "$process"
  wait "$process" || status=$?
  cat "$BATS_TEST_TMPDIR/output"
  [ "$status" -eq 143 ]
  [ -z "$(ls "$DOUBLE/jobs" "$DOUBLE/pods" | grep -v :)" ]
  as_before
  [ "$(jq -r .reason "$OUT/manifest.json")" = SIGTERM ]
}

# Killed: the note of how it was is in the cluster.
killed() {
  echo "a never" >"$DOUBLE/outcomes"
  "$ROOT/exectax" cluster run --out "$OUT" "$BATS_TEST_TMPDIR/matrix.yaml" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- &
  local process=$! tries
  for ((tries = 0; tries < 200; tries++)); do
    [ -z "$(ls "$DOUBLE/jobs" 2>/dev/null)" ] || break
    sleep 0.1
  done
  kill -KILL "$process"
  wait "$process" || true
  ! diff -q <(jq .spec "$DOUBLE/daemonset.before") <(jq .spec "$DOUBLE/daemonset")
}

@test "after kill -9, another run is refused, and restore puts the DaemonSet back" {
  killed
  run --separate-stderr cluster run --out "$OUT.2" "$BATS_TEST_TMPDIR/matrix.yaml"
  echo "$stderr"
  [[ $status -eq 1 && $stderr == *"another run has changed falco/falco"*"'exectax cluster restore'"* ]]
  cluster restore
  as_before
  [ -z "$(ls "$DOUBLE/jobs" "$DOUBLE/pods" | grep -v :)" ]
  run --separate-stderr cluster restore
  [[ $status -eq 0 && $stderr == "Nothing to put back." ]]
}

@test "after kill -9, --resume goes on, and puts back what was before the first" {
  killed
  run --separate-stderr cluster run --resume "$OUT"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [ "$(jq -rs 'map(.state) | length, unique[]' "$OUT"/jobs/*/outcome.json | paste -sd ' ')" = "4 complete" ]
  as_before
}

@test "killed after a change was noted and before it was made, a run can be put back, too" {
  killed
  jq --slurpfile before "$DOUBLE/daemonset.before" '.data.was = .data.set | .data.set = ($before[0].spec.template | .spec.containers[0].image = "next" | tojson)' "$DOUBLE/configmap" >"$DOUBLE/configmap.new"
  mv "$DOUBLE/configmap.new" "$DOUBLE/configmap"
  cluster restore
  as_before
}

@test "what somebody else has changed meanwhile is left alone, unless --force says otherwise" {
  killed
  jq '.spec.template.spec.containers[1].image = "theirs"' "$DOUBLE/daemonset" >"$DOUBLE/daemonset.new"
  mv "$DOUBLE/daemonset.new" "$DOUBLE/daemonset"
  run --separate-stderr cluster restore
  echo "$stderr"
  [[ $status -eq 1 && $stderr == *"falco/falco was changed after the run had set it, and is left alone"* ]]
  jq -e '.spec.template.spec.containers[1].image == "theirs"' "$DOUBLE/daemonset"
  cluster restore --force
  as_before
}

@test "the matrices that come with exectax are some, and their patches fit the rows" {
  run --separate-stderr cluster run --dry-run --out "$OUT" "$ROOT/deploy/kubernetes/cluster-falco.yaml"
  echo "$output" "$stderr"
  [ "$status" -eq 0 ]
  [ "$(grep -cE '^[0-9]+\. cpus=.* driver=modern_ebpf' <<<"$output")" = 16 ]
  run --separate-stderr cluster run --dry-run --out "$OUT" "$ROOT/deploy/kubernetes/cluster-falco-drivers.yaml"
  [ "$status" -eq 0 ]
  [ "$(grep -cE '^[0-9]+\. cpus=.* driver=kmod' <<<"$output")" = 4 ]
}
