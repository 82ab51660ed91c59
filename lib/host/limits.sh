# shellcheck shell=bash
# Limits on the monitor's cgroup: CPUs (bandwidth) and memory, in cgroup v2 and v1. The load is never limited.

LIMITS_PERIOD_US=100000

# limits_file NAME...: the first of these files of the monitor's cgroup that is there, in any hierarchy; 1 if none is.
limits_file() {
  local mount name
  for name in "$@"; do
    for mount in "${CGROUP_MOUNTS[@]}"; do
      if [[ -e $mount/exectax/$CGROUP_MONITOR/$name ]]; then
        echo "$mount/exectax/$CGROUP_MONITOR/$name"
        return
      fi
    done
  done
  return 1
}

# limits_pass_on FOLDER: the groups below FOLDER of the unified hierarchy get the controllers of CPU and memory, where it has them.
limits_pass_on() {
  local folder=$1 controller
  for controller in cpu memory; do
    if grep -qsw "$controller" "$folder/cgroup.controllers" && ! grep -qw "$controller" "$folder/cgroup.subtree_control"; then
      host_record undo_controller "$controller" "$folder/cgroup.subtree_control"
      echo "+$controller" >"$folder/cgroup.subtree_control"
    fi
  done
}

# The group may be gone by now, and with it what it passed on.
undo_controller() {
  [[ ! -e $2 ]] || echo "-$1" >"$2"
}

# limits_set CPUS MEMORY: a number of CPUs such as 0.5, a size such as 512M; - leaves it unlimited. Both are read back.
limits_set() {
  limits_set_cpus "$1" && limits_set_memory "$2"
}

limits_lift() {
  limits_set - -
}

# limits_set_cpus CPUS
limits_set_cpus() {
  local file wanted quota=-1
  [[ $1 == - ]] || quota=$(awk -v cpus="$1" -v period="$LIMITS_PERIOD_US" 'BEGIN { printf "%d", cpus * period + 0.5 }')
  if file=$(limits_file cpu.max); then
    wanted="${quota/#-1/max} $LIMITS_PERIOD_US"
  elif file=$(limits_file cpu.cfs_quota_us); then
    wanted=$quota
    echo "$LIMITS_PERIOD_US" >"${file%/*}/cpu.cfs_period_us"
  else
    [[ $1 == - ]]
    return
  fi
  limits_write "$wanted" "$file"
}

# limits_set_memory MEMORY: what does not fit is not swapped out either, where swap is counted for.
limits_set_memory() {
  local file bytes=-1
  [[ $1 == - ]] || bytes=$(numfmt --from=iec "$1")
  if file=$(limits_file memory.max); then
    limits_write "${bytes/#-1/max}" "$file" || return 1
    if file=$(limits_file memory.swap.max); then
      limits_write "$( ((bytes < 0)) && echo max || echo 0)" "$file"
    fi
  elif file=$(limits_file memory.limit_in_bytes); then
    limits_set_memory_v1 "$file" "$bytes"
  else
    [[ $1 == - ]]
  fi
}

# The limit on memory and swap together can't be below that on memory, so which of them goes first depends.
limits_set_memory_v1() {
  local file=$1 bytes=$2 with_swap=${1%/*}/memory.memsw.limit_in_bytes
  [[ ! -e $with_swap ]] || echo -1 >"$with_swap"
  if ((bytes < 0)); then
    echo -1 >"$file"
  else
    limits_write "$bytes" "$file" || return 1
    [[ ! -e $with_swap ]] || limits_write "$bytes" "$with_swap"
  fi
}

# limits_write VALUE FILE: and see that it is what the kernel now has.
limits_write() {
  { echo "$1" >"$2"; } 2>/dev/null && [[ $(<"$2") == "$1" ]]
}

# Why WHAT (cpus, memory) can't be limited here; nothing when it can.
limits_problem() {
  case $1 in
    cpus) limits_file cpu.max cpu.cfs_quota_us >/dev/null || echo "no cgroup hierarchy here limits CPU time (CONFIG_CFS_BANDWIDTH, the cpu controller)" ;;
    memory) limits_file memory.max memory.limit_in_bytes >/dev/null || echo "no cgroup hierarchy here limits memory (the memory controller)" ;;
  esac
}

# limits_in_force FOLDER...: what somebody else has set for a group, or for several together, whose folders in all hierarchies these are: `CPUS MEMORY`,
# - is no limit.
limits_in_force() {
  local cpus memory
  cpus=$(limits_read_cpus "$@")
  memory=$(limits_read_memory "$@")
  echo "${cpus:--} ${memory:--}"
}

# limits_read_cpus FOLDER...: the sum of these groups' limits; nothing if none has any.
limits_read_cpus() {
  local folder
  for folder in "$@"; do
    cat "$folder/cpu.max" 2>/dev/null || paste -d ' ' "$folder/cpu.cfs_quota_us" "$folder/cpu.cfs_period_us" 2>/dev/null || true
  done | awk '$1 != "max" && $1 > 0 { sum += $1 / $2 } END { if (sum) printf "%.2f\n", sum }' | sed -E 's/\.?0+$//'
}

# limits_read_memory FOLDER...: likewise, in the largest unit of which it is a whole number. cgroup v1 has a number where there is no limit.
limits_read_memory() {
  local folder
  for folder in "$@"; do
    cat "$folder/memory.max" 2>/dev/null || cat "$folder/memory.limit_in_bytes" 2>/dev/null || true
  done | awk '
    $1 != "max" && $1 < 1e18 { sum += $1 }
    END {
      if (!sum) exit
      for (unit = 0; unit < 3 && sum % 1024 == 0; unit++) sum /= 1024
      printf "%.0f%s\n", sum, substr("KMG", unit, unit > 0)
    }'
}

# limits_counters_json FOLDER...: how long the group was kept from running, in µs, in how many periods that was, and how many of its processes the
# kernel killed for lack of memory, since it was made: JSON; null where the kernel does not tell. The folders are the group's in all hierarchies, or those of
# several groups, of which it is the sum.
limits_counters_json() {
  local us periods
  read -r us periods <<<"$(limits_throttled "$@")"
  printf '{"throttled_us": %s, "throttled_periods": %s, "oom_kills": %s}\n' "$us" "$periods" "$(limits_oom_kills "$@")"
}

# limits_throttled FOLDER...: `US PERIODS`, of all these groups. v2 counts µs, v1 ns; a hierarchy without the controller has a cpu.stat without either.
limits_throttled() {
  local folder
  for folder in "$@"; do
    cat "$folder/cpu.stat" 2>/dev/null || true
  done | awk '
    $1 == "throttled_usec" { us += $2; told = 1 }
    $1 == "throttled_time" { us += int($2 / 1000); told = 1 }
    $1 == "nr_throttled" { periods += $2 }
    END { if (told) printf "%.0f %.0f\n", us, periods; else print "null null" }'
}

# limits_oom_kills FOLDER...: with the groups in it. In v2 those that are gone are counted, too; in v1 each has its own alone.
limits_oom_kills() {
  local folder
  for folder in "$@"; do
    cat "$folder/memory.events" 2>/dev/null || find "$folder" -name memory.oom_control -exec cat {} + 2>/dev/null || true
  done | awk '$1 == "oom_kill" { kills += $2; told = 1 } END { if (told) printf "%.0f\n", kills; else print "null" }'
}
