# shellcheck shell=bash
# For tests of what goes wrong: each has a run of its own, and ends with the host as before.

setup_file() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_give_audit_state
  host_state >"$BATS_FILE_TMPDIR/before"
}

teardown_file() {
  host_take_audit_state_back
  remove_state
}

setup() {
  RUN=$BATS_TEST_TMPDIR/run
}

# A small file system of its own at FOLDER.
small_disk() {
  mkdir -p "$1"
  mount -t tmpfs -o size=400m,mode=0755 exectax-test "$1"
  DISK=$1
}

# fill_disk FOLDER: made by small_disk. It is made smaller first, so that filling it does not take the host's memory.
fill_disk() {
  mount -o "remount,size=$(($(df --output=used -BM "$1" | tail -n 1 | tr -dc 0-9) + 2))m" "$1"
  head -c 8M /dev/zero >"$1/filler" 2>/dev/null || true
}

# Every test ends with the host as before; one that failed half-way ends its run first.
teardown() {
  cat "$BATS_TEST_TMPDIR/stderr" 2>/dev/null || true
  if [[ -n ${SWEEP:-} ]] && kill -TERM "$SWEEP" 2>/dev/null; then
    wait "$SWEEP" || true
  fi
  [[ -z ${DISK:-} ]] || umount "$DISK"
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

# start_sweep OPTIONS...: in the background, its pid in SWEEP. bash ignores SIGINT in what it puts there.
start_sweep() {
  env --default-signal=INT "$ROOT/exectax" sweep --yes --reps 1 --warmup 1 --duration 2 --instrumented 0 --side 0 --syscalls 0 --rates "$RATE" --out "$RUN" "$@" \
    >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  SWEEP=$!
}
