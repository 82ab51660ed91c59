# shellcheck shell=bash
# How many instructions the load and the monitor execute, by the CPU's own counters: unlike time, these depend neither on the
# speed of memory nor on what the hypervisor takes. perf counts while a task of the cgroup is on a CPU, in user and kernel mode.

# no: nothing can be counted here.
INSTRUCTIONS_POSSIBLE=yes
# What is mounted where.
INSTRUCTIONS_MOUNTS=/proc/self/mounts

# instructions_never: from here on.
instructions_never() {
  INSTRUCTIONS_POSSIBLE=no
}

# instructions_problem: why none can be counted here; nothing if they can.
instructions_problem() {
  local counts
  if ! command -v perf >/dev/null; then
    echo "perf is not installed"
    return
  fi
  counts=$(mktemp)
  if ! LC_ALL=C perf stat -a -x , -e instructions:u,instructions:k -o "$counts" -- true >/dev/null 2>&1; then
    echo "perf stat can't count on this machine"
  elif grep -q '<not ' "$counts"; then
    echo "the CPU's performance counters are not to be had here, as in most virtual machines"
  elif ! awk '$3 == "cgroup2" { unified = 1 } $3 == "cgroup" && "," $4 "," ~ /,perf_event,/ { v1 = 1 } END { exit v1 || !unified }' "$INSTRUCTIONS_MOUNTS"; then
    echo "perf tells cgroups apart in hierarchy v1 on this host, in which ours are not"
  fi
  rm -f "$counts"
}

# instructions_count DIR SECONDS: in the background, in the cgroup `sampler`; its pid is $!. Writes DIR/instructions.txt.
instructions_count() {
  local dir=$1 seconds=$2 group event
  local -a events=()
  local groups=''
  for group in load "$CGROUP_MONITOR"; do
    [[ -d ${CGROUP_MOUNTS[0]}/exectax/$group ]] || continue
    for event in instructions:u instructions:k; do
      events+=(-e "$event")
      groups+=${groups:+,}exectax/$group
    done
  done
  LC_ALL=C host_spawn sampler perf stat -a -x , "${events[@]}" -G "$groups" -o "$dir/instructions.txt" -- sleep "$seconds" >"$dir/instructions.stderr" 2>&1
}

# instructions_read DIR SECONDS: DIR/instructions.txt becomes DIR/instructions.json: how many were counted in how many seconds. 1 if one of
# them was not.
instructions_read() {
  local dir=$1
  awk -F, -v seconds="$2" -v monitor="$CGROUP_MONITOR" '
    # The place of the cgroup on the line depends on the version of perf.
    match($0, /instructions:[uk]/) {
      mode = substr($0, RSTART + 13, 1) == "u" ? "user" : "kernel"
      who = ""
      for (i = 2; i <= NF; i++)
        if ($i == "exectax/load") who = "load"
        else if ($i == "exectax/" monitor) who = "monitor"
      # Of a cgroup in which nothing ran.
      if (who == "monitor" && $1 == "<not counted>") $1 = 0
      if (who == "" || $1 !~ /^[0-9]+$/) bad = 1
      counted[who "_" mode] = $1
    }
    END {
      if (bad || !("load_user" in counted) || !("load_kernel" in counted)) exit 1
      printf "{\"seconds\": %d", seconds
      for (name in counted) printf ", \"%s\": %s", name, counted[name]
      print "}"
    }' "$dir/instructions.txt" >"$dir/instructions.json.new" || return 1
  mv "$dir/instructions.json.new" "$dir/instructions.json"
  rm -f "$dir/instructions.txt" "$dir/instructions.stderr"
}
