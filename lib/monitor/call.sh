#!/usr/bin/env bash
# One call into a monitor's script, in a process of its own: call.sh NAME facts|obstacles|lacks|programs|binaries|own|build|FUNCTION [ARGUMENT...]
# What a monitor's functions may use: the MONITOR_* variables (see docs/adding-a-monitor.md) and the helpers below.
set -euo pipefail
umask 077

EXECTAX_ROOT=$(realpath "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..")
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"
source "$EXECTAX_ROOT/lib/monitor/requires.sh"
source "$EXECTAX_ROOT/lib/monitor/facts.sh"
source "$EXECTAX_ROOT/lib/monitor/defaults.sh"
source "$EXECTAX_ROOT/lib/monitor/switch.sh"

# monitor_signal SIGNAL: to the monitor's first process, where that is still in its cgroup: its pid could be another's by now.
monitor_signal() {
  cgroup_signal "$1" "$MONITOR_CGROUP" "$MONITOR_PID"
}

# monitor_binary NAME: the binary under test: the override, else what make built, else what we installed, else what the
# host has.
monitor_binary() {
  local name=$1 variable
  variable=EXECTAX_${name//-/_}
  variable=${variable^^}
  if [[ -n ${!variable:-} ]]; then
    echo "${!variable}"
  elif [[ -x $EXECTAX_ROOT/build/$name ]]; then
    echo "$EXECTAX_ROOT/build/$name"
  elif [[ -x $HOST_STATE_DIR/monitors/$name/bin/$name ]]; then
    echo "$HOST_STATE_DIR/monitors/$name/bin/$name"
  else
    PATH=$PATH:/usr/sbin:/sbin command -v "$name"
  fi
}

# render SOURCE TARGET KEY=VALUE...: a copy with every @KEY@ replaced.
render() {
  local source=$1 target=$2 text pair
  shift 2
  text=$(<"$source")
  for pair in "$@"; do
    text=${text//"@${pair%%=*}@"/"${pair#*=}"}
  done
  if [[ $text =~ @[A-Z_]+@ ]]; then
    echo "$source: no value for ${BASH_REMATCH[0]}" >&2
    return 1
  fi
  printf '%s\n' "$text" >"$target"
}

# A TCP port that nobody listens on: below those that the kernel gives to connections.
free_port() {
  local -i port tries
  for ((tries = 0; tries < 100; tries++)); do
    port=$((20000 + RANDOM % 10000))
    if ! (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  echo "no free TCP port was found on 127.0.0.1" >&2
  return 1
}

# log_folder_of USER NAME: a folder for logs that a monitor writes as another user, who may get there but see nothing on the way.
log_folder_of() {
  local folder=$MONITOR_LOG_DIR
  install -d -m 0700 -o "$1" "$MONITOR_LOG_DIR/$2"
  while [[ $folder == "$HOST_STATE_DIR"* ]]; do
    chmod a+x "$folder"
    folder=${folder%/*}
  done
  echo "$MONITOR_LOG_DIR/$2"
}

# exec_with_mounts KIND,KIND... COMMAND...: in a mount namespace of its own, in which these file systems (tracefs, debugfs,
# bpf) are where everybody looks for them, and /run, if it is among them, is an empty folder. A fresh machine has not mounted the
# others, and the host's own mounts and files stay as they are.
exec_with_mounts() {
  local kinds=$1
  shift
  exec unshare --mount --propagation private \
    bash -euc "$(declare -f mount_missing); mount_missing \"\$1\"; shift; exec \"\$@\"" - "$kinds" "$@"
}

mount_missing() {
  local kind folder
  for kind in ${1//,/ }; do
    case $kind in
      tracefs) folder=/sys/kernel/tracing ;;
      debugfs) folder=/sys/kernel/debug ;;
      bpf) folder=/sys/fs/bpf ;;
      run)
        mount -t tmpfs tmpfs /run
        continue
        ;;
    esac
    mountpoint -q "$folder" || mount -t "$kind" "$kind" "$folder"
  done
}

# The names of the programs that monitor_requires asks for, one a line.
monitor_programs() {
  monitor_requires
  ((${#REQUIRES_BINARIES[@]} == 0)) || printf '%s\n' "${REQUIRES_BINARIES[@]}"
}

# The files under test, those that exist: the programs that monitor_requires asks for and what monitor_files adds.
monitor_binaries() {
  local binary
  monitor_requires
  {
    for binary in "${REQUIRES_BINARIES[@]}"; do
      monitor_binary "$binary" || true
    done
    monitor_files
  } | while IFS= read -r binary; do
    [[ ! -f $binary ]] || realpath "$binary"
  done
}

# Those of its programs that are somebody's own builds (EXECTAX_NAME): `NAME` and what was changed in it, as EXECTAX_NAME_CHANGES says.
monitor_own() {
  local binary variable changes
  monitor_requires
  for binary in "${REQUIRES_BINARIES[@]}"; do
    variable=EXECTAX_${binary//-/_}
    variable=${variable^^} changes=${variable}_CHANGES
    [[ -z ${!variable:-} ]] || echo "$binary ${!changes:-}"
  done
}

# The tree's script, then the one of that name in EXECTAX_MONITORS, which can say otherwise. Each has its configurations in
# configs/NAME, if it does not set CONFIGS to another folder: a family shares one.
name=$1 call=$2
shift 2
export CONFIGS=
for folder in "$EXECTAX_ROOT/monitors" ${EXECTAX_MONITORS:+"$EXECTAX_MONITORS"}; do
  if [[ -f $folder/$name.sh ]]; then
    : "${CONFIGS:=$EXECTAX_ROOT/configs/$name}"
    [[ ! -d $folder/configs/$name ]] || CONFIGS=$folder/configs/$name
    # shellcheck source=/dev/null
    source "$folder/$name.sh"
  fi
done
if [[ -z $CONFIGS ]]; then
  echo "there is no monitor '$name', expected one of those that 'exectax list' shows" >&2
  exit 2
fi
defaults_complete
((${#CGROUP_MOUNTS[@]})) || cgroup_find_mounts

case $call in
  facts) facts_print ;;
  programs) monitor_programs ;;
  binaries) monitor_binaries ;;
  own) monitor_own ;;
  # What of the host's a monitor may ask for, whether this one does or not.
  lacks)
    "requires_$1" "${@:2}"
    ((${#SKIP_REASONS[@]} == 0)) || printf '%s\n' "${SKIP_REASONS[@]}"
    ;;
  # A run is not given up because a program does not tell its version.
  monitor_version) monitor_version || echo unknown ;;
  # Not where something else keeps the monitor from running.
  build)
    monitor_requires
    [[ $REQUIRES_BUILD == no ]] || ((${#SKIP_REASONS[@]} > 1)) || monitor_build
    ;;
  obstacles)
    script_problems
    monitor_requires
    ((${#SKIP_REASONS[@]} == 0)) || printf '%s\n' "${SKIP_REASONS[@]}"
    ;;
  *)
    if ! declare -F "$call" >/dev/null; then
      echo "$name: its script does not define $call" >&2
      exit 2
    fi
    "$call" "$@"
    ;;
esac
