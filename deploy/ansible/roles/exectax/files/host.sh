#!/usr/bin/env bash
# What is done on a host, everything in the folder DIR. Only what changes something needs root.
#
# host.sh exists DIR                    yes or no: whether there is anything to clean
# host.sh has DIR ID                    yes or no: whether exectax is installed from ID (the SHA-256 of its file, or the program's path)
# host.sh install DIR tree|deb|installed PROGRAM
# host.sh start DIR NAME OPTION...      begins the run NAME, or goes on with it; prints started, resumed, running or complete
# host.sh wait DIR NAME SECONDS         waits at most so long for its end; prints what state prints
# host.sh state DIR NAME                {"state": none, running, complete, interrupted or failed, "why": ...}
# host.sh digest DIR NAME               of all that the run has written; none or running if there is nothing to fetch
# host.sh pack DIR NAME                 the run as DIR/NAME.tar.gz
# host.sh clean DIR                     ends a run, puts the host back, removes DIR and the packages that were installed
set -euo pipefail

readonly DIR=$2
readonly MARK=$DIR/.exectax-fleet
export EXECTAX_STATE_DIR=$DIR/state
# A transient unit has neither, and who comes by ssh may lack the latter part.
export HOME=${HOME:-/root} PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin

die() {
  echo "$1" >&2
  exit 1
}

# As one who reads apt's history finds exectax's own installations.
readonly APT_SIGN=DPkg::Lock::Timeout=300

program() {
  cat "$DIR/program"
}

uptime_seconds() {
  local up
  read -r up _ </proc/uptime
  echo "${up%%.*}"
}

# The job: exectax in the background, with its process, its output and how it ended in DIR/jobs/NAME.*. A process is known by its number, when it was
# started and the boot, since numbers come again.
# shellcheck disable=SC2016
readonly JOB='
job=$1 status=0
shift
rm -f "$job.ended"
echo "$$ $(sed "s/.*) //" /proc/$$/stat | cut -d " " -f 20) $(cat /proc/sys/kernel/random/boot_id)" >"$job.process.new"
mv "$job.process.new" "$job.process"
"$@" >>"$job.log" 2>&1 </dev/null &
child=$!
trap "kill -s TERM $child 2>/dev/null" TERM
wait "$child" || status=$?
while kill -s 0 "$child" 2>/dev/null; do
  status=0
  wait "$child" || status=$?
done
echo "$status" >"$job.ended.new"
mv "$job.ended.new" "$job.ended"
'

# job_process NAME: its number, if it runs.
job_process() {
  local process started boot
  local -a now
  [[ -s $DIR/jobs/$1.process ]] || return 1
  read -r process started boot <"$DIR/jobs/$1.process"
  [[ $boot == "$(</proc/sys/kernel/random/boot_id)" && -r /proc/$process/stat ]] || return 1
  read -ra now <<<"$(sed 's/.*) //' "/proc/$process/stat" 2>/dev/null)"
  # A zombie has ended.
  [[ ${now[0]:-Z} != [ZX] && ${now[19]} == "$started" ]] || return 1
  echo "$process"
}

# As text within a JSON string.
plain() {
  tr -d '\000-\037\042\134' | cut -c 1-300
}

# tell STATE [WHY]
tell() {
  printf '{"state": "%s", "why": "%s"}\n' "$1" "$(plain <<<"${2:-}")"
}

state() {
  local name=$1 job=$DIR/jobs/$1
  if job_process "$name" >/dev/null; then
    tell running
  elif [[ -s $job.ended && $(<"$job.ended") == 0 ]]; then
    tell complete
  elif [[ -s $job.ended ]]; then
    tell failed "exit status $(<"$job.ended"): $(grep -v '^$' "$job.log" | tail -n 1)"
  elif [[ -e $job.process ]]; then
    tell interrupted "its processes are gone, as after a restart or kill -9"
  else
    tell none
  fi
}

is_in_state() {
  [[ $(state "$1") == "{\"state\": \"$2\","* ]]
}

# Of a sweep's options those that one that is resumed takes as well.
resume_options() {
  local option
  for option; do
    case $option in
      --yes | --install | --no-install | --allow-unverified | --quiet) printf '%s\n' "$option" ;;
    esac
  done
}

start() {
  local name=$1 run=$DIR/runs/$1 job=$DIR/jobs/$1 word=started options
  local -a options_left
  shift
  [[ -s $DIR/program ]] || die "exectax is not installed in $DIR, expected --tags setup before"
  options=$(printf '%q ' "$@")
  ! is_in_state "$name" complete || word=complete
  ! is_in_state "$name" running || word=running
  if [[ -e $run/manifest.json && $options != "$(cat "$job.options")" ]]; then
    die "the run '$name' was begun with the options $(cat "$job.options")- expected the same, or another exectax_name"
  fi
  if [[ $word == started ]]; then
    if [[ -e $run/manifest.json ]]; then
      word=resumed
      mapfile -t options_left <<<"$(resume_options "$@")"
      [[ -n ${options_left[0]} ]] || options_left=()
      set -- --resume "$run" "${options_left[@]}"
    else
      rm -rf "$run"
      set -- --out "$run" "$@"
    fi
    mkdir -p "$DIR/runs" "$DIR/jobs"
    printf '%s' "$options" >"$job.options"
    launch "$name" "$(program)" sweep "$@"
  fi
  echo "$word"
}

# launch NAME COMMAND...: so that the end of this connection does not end it.
launch() {
  local name=$1 job=$DIR/jobs/$1 deadline
  shift
  rm -f "$job.process" "$job.ended"
  if [[ -d /run/systemd/system ]]; then
    systemd-run --quiet --collect --unit="exectax-fleet-$name" --property=KillMode=mixed --property=TimeoutStopSec=300 \
      --setenv=HOME="$HOME" --setenv=PATH="$PATH" --setenv=EXECTAX_STATE_DIR="$EXECTAX_STATE_DIR" /bin/bash -c "$JOB" job "$job" "$@"
  else
    setsid --fork /bin/bash -c "$JOB" job "$job" "$@" </dev/null >/dev/null 2>&1
  fi
  deadline=$(($(uptime_seconds) + 30))
  until [[ -s $job.process ]]; do
    (($(uptime_seconds) < deadline)) || die "the run '$name' could not be begun"
    sleep 0.2
  done
}

wait_for_end() {
  local deadline=$(($(uptime_seconds) + $2))
  while is_in_state "$1" running && (($(uptime_seconds) < deadline)); do
    sleep 0.5
  done
  state "$1"
}

digest() {
  if is_in_state "$1" running; then
    echo running
  elif [[ ! -e $DIR/runs/$1/manifest.json ]]; then
    echo none
  else
    (cd "$DIR/runs/$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -d ' ' -f 1
  fi
}

pack() {
  tar -C "$DIR/runs/$1" -czf "$DIR/$1.tar.gz.new" .
  mv "$DIR/$1.tar.gz.new" "$DIR/$1.tar.gz"
}

has() {
  if [[ -s $DIR/program && $(cat "$DIR/installed") == "$1" && -x $(program) ]]; then
    echo yes
  else
    echo no
  fi
}

# install tree|deb|installed PROGRAM
install() {
  local program=$2 id=$2
  [[ -e $MARK ]] || date '+%F  %T' >"$MARK"
  case $1 in
    tree)
      program=$DIR/tree/exectax id=$(sha256sum "$DIR/incoming/tree.tar.gz" | cut -d ' ' -f 1)
      rm -rf "$DIR/tree"
      mkdir "$DIR/tree"
      tar -C "$DIR/tree" --no-same-owner -xzf "$DIR/incoming/tree.tar.gz"
      (cd "$DIR/tree" && lib/host/install-deps.sh run && make --silent all)
      ;;
    deb)
      program=/usr/bin/exectax id=$(sha256sum "$DIR/incoming/exectax.deb" | cut -d ' ' -f 1)
      DEBIAN_FRONTEND=noninteractive apt-get -q -y -o "$APT_SIGN" update
      DEBIAN_FRONTEND=noninteractive apt-get -q -y -o "$APT_SIGN" install --no-install-recommends "$DIR/incoming/exectax.deb"
      ;;
  esac
  [[ -x $program ]] || die "there is no program $program on this host, expected exectax_program"
  rm -rf "$DIR/incoming"
  echo "$program" >"$DIR/program"
  echo "$id" >"$DIR/installed"
}

# The packages that exectax has installed since it was set up here, by apt's history.
packages_installed() {
  local logs=${EXECTAX_APT_HISTORY:-/var/log/apt}
  compgen -G "$logs/history.log*" >/dev/null || return 0
  zcat -f "$logs"/history.log* | awk -v since="$(<"$MARK")" -v sign="$APT_SIGN" '
    /^Start-Date: / { at = substr($0, 13); ours = 0 }
    /^Commandline: / { ours = index($0, sign) && at >= since }
    /^Install: / && ours { gsub(/\([^)]*\)/, ""); sub(/^Install: /, ""); gsub(/[ ,]+/, "\n"); print }' | sed '/^$/d; s/:.*//' | sort -u
}

# What somebody else has come to need stays.
remove_packages() {
  local -a ours needless
  mapfile -t ours <<<"$(packages_installed)"
  [[ -n ${ours[0]} ]] || return 0
  apt-mark auto "${ours[@]}" >/dev/null
  mapfile -t needless <<<"$(LC_ALL=C apt-get -q -s --purge autoremove 2>/dev/null | awk '$1 == "Purg" || $1 == "Remv" { sub(/:.*/, "", $2); print $2 }' | sort -u |
    grep -Fx "$(printf '%s\n' "${ours[@]}")")"
  [[ -z ${needless[0]} ]] || DEBIAN_FRONTEND=noninteractive apt-get -q -y -o "$APT_SIGN" purge "${needless[@]}" >/dev/null
}

# Asks each run to end, which puts the host back, and waits.
stop_runs() {
  local file name process deadline
  for file in "$DIR"/jobs/*.process; do
    name=$(basename "$file" .process)
    process=$(job_process "$name") || continue
    kill -s TERM "$process"
    deadline=$(($(uptime_seconds) + 180))
    while is_in_state "$name" running; do
      (($(uptime_seconds) < deadline)) || die "the run '$name' does not end: nothing was removed"
      sleep 0.5
    done
  done
}

clean() {
  [[ -e $DIR ]] || return 0
  [[ -e $MARK ]] || die "$DIR was not made by this playbook (it has no .exectax-fleet): nothing was removed"
  stop_runs
  if [[ -s $DIR/state/journal && -s $DIR/program ]]; then
    "$(program)" restore --wait 120 || die "the host could not be put back: nothing was removed"
  fi
  remove_packages
  rm -rf "$DIR"
}

case $1 in
  exists) if [[ -e $DIR ]]; then echo yes; else echo no; fi ;;
  has | install | start | state | digest | pack) "$1" "${@:3}" ;;
  wait) wait_for_end "${@:3}" ;;
  clean) clean ;;
  *) die "host.sh: unknown command '$1'" ;;
esac
