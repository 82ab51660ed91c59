#!/usr/bin/env bats
# A monitor that runs already: measured at rest and under load, and left alone.

load helpers

setup_file() {
  require_root
  mkdir -p "$STATE"
  touch "$STATE/lock"
  [[ -x $ROOT/build/floor-bpf ]] && [[ -z $("$ROOT/exectax" list | sed -n '/^floor-bpf .* no /{n;p}') ]] ||
    skip "floor-bpf can't run here"
  "$ROOT/build/floor-bpf" --output "$BATS_FILE_TMPDIR/log" >"$BATS_FILE_TMPDIR/floor-bpf.out" 2>&1 3>&- &
  export MONITOR=$!
  # Another one beside it, which does nothing.
  mkdir -p "$MOUNT/exectax-test-idle"
  sleep 600 3>&- &
  export IDLER=$!
  echo "$IDLER" >"$MOUNT/exectax-test-idle/cgroup.procs"
  wait_for_file "$BATS_FILE_TMPDIR/log"
  host_state >"$BATS_FILE_TMPDIR/before"
  export RUN=$BATS_FILE_TMPDIR/run
  "$ROOT/exectax" sweep --yes --reps 1 --warmup 1 --duration 3 --instrumented 2 --side 0 --rates "$((3 * RATE))" --out "$RUN" \
    --attach "pid:$MONITOR" --log "$BATS_FILE_TMPDIR/log" --attach "cgroup:$MOUNT/exectax-test-idle" \
    >"$BATS_FILE_TMPDIR/stdout" 2>"$BATS_FILE_TMPDIR/stderr" || {
    cat "$BATS_FILE_TMPDIR/stderr"
    return 1
  }
}

teardown_file() {
  [[ -z ${MONITOR:-} ]] || kill "$MONITOR" "$IDLER" 2>/dev/null || true
  wait || true
  [[ ! -d $MOUNT/exectax-test-idle ]] || rmdir "$MOUNT/exectax-test-idle"
  remove_state
}

@test "the monitor still runs, and nothing else is left" {
  kill -0 "$MONITOR"
  kill -0 "$IDLER"
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

@test "both were measured at rest and at the rate" {
  [ "$(mlr --icsv --onidx filter '$status == "ok"' then sort -f test -nf exec_per_sec then cut -o -f test,exec_per_sec "$RUN/cells.csv")" = \
    "cgroup:exectax-test-idle 0
cgroup:exectax-test-idle $((3 * RATE))
pid:$MONITOR 0
pid:$MONITOR $((3 * RATE))" ]
}

@test "completeness where a log is given, eBPF run time, memory; no total without a baseline" {
  # A host that is so slow that the load ended within window B has no figures of it, and says so.
  cells "test,exec_per_sec,marks,launched,missed,recorded,lost,achieved_per_sec,daemon_cpu,daemon_us,bpf_us,bpf_runs,\
memory_peak_bytes,delivery_p50_ms,cpu,total_us,inprogram_method,program_us" | jq -e --arg pid "pid:$MONITOR" --argjson rate "$((3 * RATE))" --argjson seconds $((6 + MARGIN)) '
    def is_cut: .marks | tostring | contains("window-b-cut");
    (map(select(.exec_per_sec == 0 and .test == $pid)) | first) as $rest
    | map(select(.exec_per_sec == $rate)) | map({key: .test, value: .}) | from_entries as $of
    # Against itself at rest: either sign, as the floor costs the host about the same then.
    | ($of[$pid] | .daemon_us * .achieved_per_sec / 1e4 - (.daemon_cpu - $rest.daemon_cpu) | fabs < 0.002)
    and $of[$pid].launched + $of[$pid].missed == $seconds * $rate and $of[$pid].recorded == $of[$pid].launched and $of[$pid].lost == 0
    and $of[$pid].daemon_cpu > 0 and ($of[$pid].memory_peak_bytes | numbers) > 100000
    and ($of[$pid] | if is_cut then .bpf_us == "" else .bpf_us > 0 and .bpf_runs >= 0.9 and (.delivery_p50_ms | numbers) > 0 end)
    and ($of["cgroup:exectax-test-idle"] | .recorded == "" and (is_cut or .cpu < 0.5 and .bpf_us == 0))
    and all($of[]; .total_us == "" and (.inprogram_method == "run-time" or .program_us == ""))'
}

@test "the report says what a missing baseline means" {
  grep -q 'against itself at rest' "$BATS_FILE_TMPDIR/stdout"
}

@test "what is sent through it is said first" {
  # For 9 s, for each of two.
  grep -qE "pid:$MONITOR cgroup:exectax-test-idle will have $((2 * (6 + MARGIN) * 3 * RATE)) executions to record and to pass on, about [0-9.]+[kKM]B\." "$BATS_FILE_TMPDIR/stderr"
}

@test "without --yes nothing is sent, and nothing changed" {
  local status=0
  "$ROOT/exectax" sweep --rates 100 --attach "pid:$MONITOR" --out "$BATS_TEST_TMPDIR/run" >"$BATS_TEST_TMPDIR/out" 2>&1 || status=$?
  [ "$status" -eq 2 ]
  [[ $(<"$BATS_TEST_TMPDIR/out") == "exectax: --attach: pid:$MONITOR will have $((3 * (7 + MARGIN) * 100)) executions to record and to pass on, about "[0-9.]*"MB, expected --yes if that is intended" ]]
  [ ! -e "$BATS_TEST_TMPDIR/run" ]
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

# attached_run LOG OPTION...: in the background, its pid in SWEEP.
attached_run() {
  "$ROOT/exectax" sweep --yes --reps 1 --rates 100 --out "$BATS_TEST_TMPDIR/run" --attach "pid:$MONITOR" --log "$@" \
    >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  SWEEP=$!
}

# ended_for REASON: the run did, with exit status 1, and left nothing behind.
ended_for() {
  local status=0
  wait "$SWEEP" || status=$?
  cat "$BATS_TEST_TMPDIR/stderr"
  [[ $status == 1 && $(jq -r .state "$BATS_TEST_TMPDIR/run/manifest.json") == interrupted ]] || return 1
  # shellcheck disable=SC2053 # it is a pattern
  [[ $(grep '^exectax: ' "$BATS_TEST_TMPDIR/stderr") == "exectax: the run ends here, to protect what it is attached to: "$1 ]] || return 1
  # shellcheck disable=SC2053 # it is a pattern
  [[ $(jq -r .reason "$BATS_TEST_TMPDIR/run/manifest.json") == "the run ends here, to protect what it is attached to: "$1 ]] || return 1
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

@test "no room for its logs: the run ends before it sends anything" {
  EXECTAX_ATTACH_FREE_PERCENT=100 attached_run "$BATS_FILE_TMPDIR/log"
  ended_for "* MiB are free on the file system of /var/log, less than *"
  [ -z "$(compgen -G "$BATS_TEST_TMPDIR/run/cells/*/*/load.json")" ]
}

@test "the disk of its log fills up under load: the run ends at once" {
  local disk=$BATS_TEST_TMPDIR/small
  mkdir "$disk"
  mount -t tmpfs -o size=64m,mode=0755 exectax-test "$disk"
  "$ROOT/build/floor-bpf" --output "$disk/log" >/dev/null 2>&1 3>&- &
  writer=$!
  wait_for_file "$disk/log"
  EXECTAX_ATTACH_FREE_PERCENT=0 EXECTAX_ATTACH_FREE_MIB=32 attached_run "$disk/log" --warmup 1 --duration 600
  if wait_for_file "$BATS_TEST_TMPDIR/run/cells/*/*/window-a.csv"; then
    fallocate -l 40M "$disk/filler"
  fi
  status=0
  kill "$writer"
  ended_for "2? MiB are free on the file system of $disk/log, less than 32" || status=1
  umount "$disk"
  [ "$status" -eq 0 ]
}

@test "a log that has nothing of what the monitor is shown: nothing is measured, and the reason is told" {
  local status=0
  touch "$BATS_TEST_TMPDIR/strange"
  EXECTAX_READY_SECONDS=3 attached_run "$BATS_TEST_TMPDIR/strange"
  wait "$SWEEP" || status=$?
  cat "$BATS_TEST_TMPDIR/stderr"
  [ "$status" -eq 0 ]
  [ "$(mlr --icsv --onidx --ofs ' ' cut -o -f status,reason then uniq -a "$BATS_TEST_TMPDIR/run/cells.csv")" = "not-ready its log has nothing of what it was shown in 3 s" ]
}

@test "a container of Podman is found by the beginning of its id, though conmon has a cgroup of that id, too" {
  local id=0fedcba987654321
  mkdir -p "$MOUNT/exectax-test-slice/libpod-$id.scope" "$MOUNT/exectax-test-slice/libpod-conmon-$id.scope"
  run bash -c 'source "$1/tests/rooms.bash"; use_rooms base host monitor; attached_container_folder 0fedcba' - "$ROOT"
  rmdir "$MOUNT"/exectax-test-slice/*/ "$MOUNT/exectax-test-slice"
  [ "$output" = "$MOUNT/exectax-test-slice/libpod-$id.scope" ]
}

@test "a search with a pod that runs already, under its own limits: said first, measured from its container's log, and left as it was" {
  require_full_rate
  local uid=0f8fad5b-d9cb-469f-a165-70867728950e hierarchy group run=$BATS_TEST_TMPDIR/run has_limit=no status=0
  local -a groups=()
  # As the kubelet's driver cgroupfs has it. The cluster is a stand-in.
  while read -r hierarchy; do
    group=$hierarchy/exectax-test-kubepods/burstable/pod$uid
    mkdir -p "$group/floor"
    groups+=("$hierarchy")
    ! echo 20000 2>/dev/null >"$group/cpu.cfs_quota_us" || has_limit=yes
    echo "$MONITOR" >"$group/floor/cgroup.procs"
  done < <(awk '$3 == "cgroup2" || $3 == "cgroup" && "," $4 "," ~ /,(cpu|cpuacct|memory),/ { print $2 }' /proc/self/mounts)
  mkdir -p "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/pods/security_floor-1_$uid/floor"
  ln "$BATS_FILE_TMPDIR/log" "$BATS_TEST_TMPDIR/pods/security_floor-1_$uid/floor/0.log"
  cat >"$BATS_TEST_TMPDIR/bin/kubectl" <<END
#!/bin/sh
echo '{"items": [{"metadata": {"name": "floor-1", "uid": "$uid", "labels": {"app": "floor"}, "ownerReferences": [{"kind": "DaemonSet", "name": "floor", "controller": true}]},
  "spec": {"containers": [{"name": "floor", "image": "local/floor:1"}]}, "status": {"phase": "Running"}}]}'
END
  chmod +x "$BATS_TEST_TMPDIR/bin/kubectl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH EXECTAX_POD_LOGS=$BATS_TEST_TMPDIR/pods "$ROOT/exectax" saturate --attach pod:security/app=floor --log container:floor --load-cpus 0 \
    --repeat 1 --round 2 --start 50 --max-rate 100 --yes --out "$run" >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
  for hierarchy in "${groups[@]}"; do
    echo "$MONITOR" >"$hierarchy/cgroup.procs"
    find "$hierarchy/exectax-test-kubepods" -depth -type d -exec rmdir {} +
  done
  cat "$BATS_TEST_TMPDIR/stderr" "$BATS_TEST_TMPDIR/stdout"
  [ "$status" -eq 0 ]
  grep -qE '^pod:security.floor will have at most [0-9]+ events of the load to record and to pass on, about ' "$BATS_TEST_TMPDIR/stderr"
  [ "$(mlr --icsv --onidx --ofs ' ' cut -o -f test,asked_per_sec,lost,verdict,status "$run/rounds.csv")" = "pod:security.floor 50 0 clean ok
pod:security.floor 100 0 clean ok" ]
  jq -e '.options.attached and .options.load_cpus == "0" and .versions == {"pod:security.floor": "local/floor:1"}' "$run/manifest.json"
  [ "$has_limit" = no ] || [ "$(mlr --icsv --ojson head -n 1 then cut -f cpus,combination,throttled_periods "$run/rounds.csv" | jq -c '.[0] | [.cpus, .combination, (.throttled_periods | type)]')" = '[0.2,"0.2 CPU","number"]' ]
  [ -z "$(compgen -G "$run/ceiling-*")" ]
  [ "$(jq .launched "$run/cells/pod:security.floor/1-02/load.json")" = 500 ]
  kill -0 "$MONITOR"
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}
