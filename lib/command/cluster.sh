# shellcheck shell=bash
# exectax cluster

# The folder of the run once it has begun to change something.
CLUSTER_RUN=

cluster_usage() {
  cat <<'TEXT'
Usage: exectax cluster run [--out DIR] [--dry-run] MATRIX.yaml
       exectax cluster run --resume DIR
       exectax cluster restore [--force]
Measure a monitor that is a DaemonSet of a Kubernetes cluster, with other limits, driver or buffers in each row of a matrix:
change the DaemonSet, wait until its pods are rolled out, run a Job that measures on each of their nodes, bring its run here.
In the end, and however it ends, the DaemonSet is put back; `restore` does so, and ends the Jobs, where this was killed. Everything is done by kubectl,
in the cluster that it is configured for. docs/kubernetes.md says what a cluster must have, and how to write a matrix.

  --out DIR       folder for the runs, new or empty (default results/<date-time>)
  --resume DIR    go on with DIR, a run that was interrupted, or in which Jobs have failed
  --dry-run       print the roll-outs, the nodes and a Job's arguments; change nothing
  --force         with restore: put back also what somebody else has changed since
  --quiet         nothing but the result, warnings and errors
  --help          show this text

MATRIX.yaml is the manifest of a ConfigMap; deploy/kubernetes/cluster-falco.yaml is one. DIR gets jobs.csv with a row for each Job,
the runs in jobs/TURN-NODE/run/, and the tables of all of them in cluster.md.

Examples:
  exectax cluster run --dry-run deploy/kubernetes/cluster-falco.yaml
  exectax cluster run deploy/kubernetes/cluster-falco.yaml
  exectax cluster run --resume results/20260101-120000

Exit status: 0 done; 1 failed, or a Job has failed; 2 bad option or matrix; 130 or 143 interrupted.
TEXT
}

cluster_main() {
  local what
  options_set out ''
  options_set resume ''
  options_set dry_run no
  options_set force no
  options_set quiet no
  options_read cluster out:,resume:,dry-run,force,quiet options_set "$@"
  [[ ${OPTIONS[quiet]} == no ]] || log_be_quiet
  ((${#OPTIONS_ARGUMENTS[@]})) || die_usage "cluster: expected run or restore ('exectax cluster --help')"
  what=$(options_argument 0)
  case $what in
    run) cluster_check_run_options ;;
    restore) cluster_check_restore_options ;;
    *) die_usage "cluster: got '$what', expected run or restore" ;;
  esac
  command -v kubectl >/dev/null || die "kubectl is not installed, which exectax cluster does everything with"
  "cluster_main_$what"
}

cluster_check_run_options() {
  [[ ${OPTIONS[force]} == no ]] || die_usage "--force: expected with 'exectax cluster restore' alone"
  if [[ -n ${OPTIONS[resume]} ]]; then
    options_check_arguments cluster 1 "no matrix with --resume, which has its own"
    [[ -z ${OPTIONS[out]} && ${OPTIONS[dry_run]} == no ]] || die_usage "--resume: expected without --out and --dry-run"
    cluster_check_resumed "$(realpath -m -- "${OPTIONS[resume]}")"
  else
    options_check_arguments cluster 2 "run and one matrix (MATRIX.yaml)"
    [[ -r $(options_argument 1) ]] || die_usage "cluster: got '$(options_argument 1)', expected a file that can be read"
    run_options_check_out
  fi
}

# cluster_check_resumed RUN
cluster_check_resumed() {
  local file
  for file in manifest.json matrix.json plan.csv nodes.txt overlay.json; do
    [[ -s $1/$file ]] || die_usage "'$1' is not a run of exectax cluster: it has no $file"
  done
  report_check_plain "$1"
  # What is in it is done to a cluster, whoever runs this.
  refuse_run "$1" always
  schema_check "$1"
  ! LC_ALL=C grep -qvE '^[a-z0-9][a-z0-9.-]*$' "$1/nodes.txt" || die_usage "'$1' is damaged: its nodes.txt has something else than names of nodes"
  jq -e '[.parallel, .reps, .deadline_s, .rollout_s] | all(type == "number" and . == floor and . > 0 and . < 1e9)' "$1/matrix.json" >/dev/null 2>&1 ||
    die_usage "'$1' is damaged: its matrix.json lacks whole numbers for parallel, reps, deadline_s or rollout_s"
  [[ $(report_kind "$1") == cluster ]] || die_usage "'$1' is a run of exectax $(report_kind "$1"), expected one of exectax cluster"
}

cluster_check_restore_options() {
  options_check_arguments cluster 1 "restore and nothing else"
  [[ -z ${OPTIONS[out]}${OPTIONS[resume]} && ${OPTIONS[dry_run]} == no ]] || die_usage "cluster restore: expected --force or no option"
}

cluster_main_run() {
  local run=${OPTIONS[out]}
  if [[ ${OPTIONS[dry_run]} == yes ]]; then
    cluster_dry_run "$(options_argument 1)"
    return
  fi
  trap 'leave 130' INT
  trap 'leave 143' TERM
  trap 'leave 129' HUP
  trap 'leave 141' PIPE
  trap cluster_leave EXIT
  if [[ -n ${OPTIONS[resume]} ]]; then
    run=$(realpath -m -- "${OPTIONS[resume]}")
  else
    cluster_begin "$run" "$(options_argument 1)"
  fi
  CLUSTER_RUN=$run
  cluster_measure "$run"
}

# cluster_dry_run FILE
cluster_dry_run() {
  local work
  work=$(mktemp -d)
  # shellcheck disable=SC2064 # It is known now.
  trap "rm -rf '$work'" EXIT
  cluster_begin "$work" "$1"
  cat <<TEXT
Monitor:     $(jq -r '"the DaemonSet \(.monitor), pods \(.label)"' "$work/matrix.json")
Nodes:       $(paste -sd ' ' "$work/nodes.txt") ($(jq .parallel "$work/matrix.json") at a time)
Each Job:    exectax $(cluster_arguments "$work" | paste -sd ' ')
Results in:  ${OPTIONS[out]}
Roll-outs:
TEXT
  jq -r --rawfile plan "$work/plan.csv" '.rows as $rows | $plan | split("\n")[1:][] | select(. != "") | split(",")
    | "\(.[0]). \($rows[.[2] | tonumber - 1] | if . == {} then "as it is" else to_entries | map("\(.key)=\(.value)") | join(" ") end)"' "$work/matrix.json"
}

# However it ends: Jobs that run are told to end, the DaemonSet is put back; then what was measured is made into tables.
cluster_leave() {
  local status=$? run=$CLUSTER_RUN
  trap - EXIT ERR
  trap '' INT TERM HUP PIPE
  set +e
  if [[ -z $run ]]; then
    cluster_remove_empty "${OPTIONS[out]}"
    exit "$status"
  fi
  if ((status != 0)); then
    jobs_remove "$(cluster_id "$run")" || warn "Jobs of this run may still be there: kubectl get jobs --namespace $DAEMONSET_NAMESPACE --selector exectax/run=$(cluster_id "$run")"
  fi
  cluster_put_back "$run" || status=1
  trap - INT TERM HUP PIPE
  cluster_finish "$run" "$status"
}

# cluster_put_back RUN: unless the note of what to put back is another run's, or there is none.
cluster_put_back() {
  local journal status=0
  journal=$(daemonset_journal) || status=$?
  if ((status == 1)) || { ((status == 0)) && ! jq -e --arg run "$(cluster_id "$1")" '.run == $run' <<<"$journal" >/dev/null; }; then
    return 0
  fi
  if ((status != 0)) || ! daemonset_put_back; then
    warn "the DaemonSet is not put back: 'exectax cluster restore' does it"
    return 1
  fi
}

# cluster_finish RUN STATUS
cluster_finish() {
  local status=$2
  local -i failed
  failed=$(cluster_failed "$1")
  if ((status != 0)); then
    cluster_note_state "$1" interrupted "$(run_reason "$status")"
  elif ((failed)); then
    cluster_note_state "$1" interrupted "$failed Jobs have failed"
    warn "$failed Jobs have failed; 'exectax cluster run --resume $1' measures them again"
    status=1
  else
    cluster_note_state "$1" complete ""
  fi
  "$EXECTAX_ROOT/exectax" report "$1" || status=1
  exit "$status"
}

# cluster_remove_empty FOLDER: of a run that was refused before it began.
cluster_remove_empty() {
  [[ -n $1 && -d $1 && ! -e $1/manifest.json ]] || return 0
  rm -f "$1"/{overlay.json,nodes.txt,matrix.json,plan.csv,published.csv}
  rmdir -- "$1/jobs" "$1" 2>/dev/null
}

cluster_main_restore() {
  local journal status=0
  journal=$(daemonset_journal) || status=$?
  if ((status == 1)); then
    say "Nothing to put back."
    return 0
  fi
  ((status == 0)) || die "the cluster does not tell what there is to put back (see above)"
  jobs_remove "$(jq -r .run <<<"$journal")" || warn "Jobs of the run may still be there, and have not put back their nodes"
  daemonset_put_back "$([[ ${OPTIONS[force]} == no ]] || echo force)" || die "the DaemonSet is not put back (see above)"
  say "$(jq -r '"\(.namespace)/\(.name)"' <<<"$journal") is as it was before the run, and its pods follow."
}
