# shellcheck shell=bash
# Falco in the foreground with a configuration of its own. A variant sets FALCO_DEFAULT_RULES, and FALCO_ENGINE where
# that is not to be chosen.
export CONFIGS=$EXECTAX_ROOT/configs/falco
export SETS=falco
export KNOBS="driver modern_ebpf,kmod how it sees system calls
buffered no,yes whether its records wait in a buffer before they are written
buf_size_preset 4,N size of the driver's buffers, an index into Falco's table: 1 is 1 MB, 4 is 8 MB, 10 is 512 MB"

FALCO_DEFAULT_RULES=no
FALCO_KEY="https://falco.org/repo/falcosecurity-packages.asc 478B2FBBC75F4237B731DA4365106822B35B1B1F"
export VERIFIED_BY="a signature of its repository by Falco's key ${FALCO_KEY#* }"

# Both come with Falco's package; a build of one's own names its own.
FALCO_RULES=${EXECTAX_FALCO_RULES:-/etc/falco/falco_rules.yaml}
FALCO_CONTAINER_PLUGIN=${EXECTAX_FALCO_CONTAINER_PLUGIN:-/usr/share/falco/plugins/libcontainer.so}

falco_engine() {
  if [[ -n ${FALCO_ENGINE:-} ]]; then
    echo "$FALCO_ENGINE"
  else
    knob driver
  fi
}

monitor_requires() { falco_requires; }

falco_requires() {
  if [[ $(falco_engine) == kmod ]]; then
    falco_requires_module
  else
    falco_requires_modern_ebpf
  fi
}

falco_requires_module() {
  requires_modules
  falco_requires_binary
  ((${#SKIP_REASONS[@]})) || falco_module_is_there || falco_requires_module_built
}

falco_requires_module_built() {
  local what="Falco's kernel module is not built for this kernel"
  if [[ -n $BUILD_MINUTES ]]; then
    requires_build "$what" "load one of your own"
  else
    SKIP_REASONS+=("$what (exectax sweep --install all --monitors falco-kmod, or load one of your own)")
  fi
}

falco_module_is_there() {
  [[ -d /sys/module/falco ]] || PATH=$PATH:/usr/sbin:/sbin modinfo falco >/dev/null 2>&1
}

# Falco as released gives up where it may not lift its limit on locked memory; who names a build vouches for it.
falco_requires_modern_ebpf() {
  requires_btf
  [[ -n ${EXECTAX_FALCO:-} ]] || requires_memlock
  falco_requires_binary
}

falco_requires_binary() {
  requires_binary falco "exectax sweep --install, or EXECTAX_FALCO=/path/to/falco"
}

monitor_install() { falco_install_package; }

# With the driver choice `none` its package enables and starts none of its services.
falco_install_package() {
  install_packages curl gpg gpgv || return 1
  ! monitor_binary falco >/dev/null || return 0
  FALCO_FRONTEND=noninteractive FALCO_DRIVER_CHOICE=none install_from_repository falco \
    "https://download.falco.org/packages/deb stable main" "$FALCO_KEY"
}

monitor_version() { "$(monitor_binary falco)" --version | awk '/^Falco version:/ { print $3 }'; }

monitor_start() {
  falco_configure
  [[ $(falco_engine) != kmod ]] || module_load falco
  exec "$(monitor_binary falco)" -c "$MONITOR_RUN_DIR/falco.yaml"
}

falco_configure() {
  local port rules="$MONITOR_RUN_DIR/exec_rule.yaml" plugins='' actions further file buffered=false
  local -a files
  [[ $(knob buffered) == no ]] || buffered=true
  further=$(rules_of_run)
  if [[ -n $further ]]; then
    printf '%s\n' "$further" >"$MONITOR_RUN_DIR/further_rules.yaml"
    rules="$MONITOR_RUN_DIR/further_rules.yaml, $rules"
  fi
  if [[ $FALCO_DEFAULT_RULES == yes ]]; then
    rules="$FALCO_RULES, $rules"
    plugins=container
  fi
  port=$(free_port)
  echo "$port" >"$MONITOR_RUN_DIR/port"
  cp "$CONFIGS/exec_rule.yaml" "$MONITOR_RUN_DIR/"
  actions=$(action_files)
  split_lines files "$actions"
  for file in "${files[@]}"; do
    cp "$file" "$MONITOR_RUN_DIR/"
    rules+=", $MONITOR_RUN_DIR/${file##*/}"
  done
  render "$CONFIGS/falco.yaml.in" "$MONITOR_RUN_DIR/falco.yaml" ENGINE="$(falco_engine)" RULES_FILES="[$rules]" \
    LOAD_PLUGINS="[$plugins]" CONTAINER_PLUGIN="$FALCO_CONTAINER_PLUGIN" LOG_DIR="$MONITOR_LOG_DIR" PORT="$port" \
    BUFFERED="$buffered" BUF_SIZE_PRESET="$(knob buf_size_preset)"
}

monitor_rules() { rules_from_template "$@"; }

falco_metrics() {
  curl -fsS --max-time 10 "http://127.0.0.1:$(<"$MONITOR_RUN_DIR/port")/metrics"
}

# Its /healthz answers before the probe is in the kernel; its /metrics, only after.
monitor_ready() { falco_metrics >/dev/null; }

monitor_log() { echo "$MONITOR_LOG_DIR/falco.jsonl"; }

# Events that found the kernel's buffer full, executions among them, and records that found the queue of outputs full.
monitor_losses() {
  falco_metrics | awk '
    /^falcosecurity_scap_n_drops_total/ { print "scap_n_drops", $2 }
    /^falcosecurity_scap_n_drops_buffer_total\{/ && /drop="execve"/ && /dir="exit"/ { print "scap_n_drops_buffer_execve_exit", $2 }
    /^falcosecurity_falco_outputs_queue_num_drops_total/ { print "falco_outputs_queue_num_drops", $2 }'
}

# Whatever its driver handed to it, by system calls of any kind.
monitor_events() { falco_metrics | awk '/^falcosecurity_scap_n_evts_total/ { printf "%d\n", $2 }'; }

monitor_stop() {
  monitor_signal TERM
  [[ $(falco_engine) == kmod ]] || return 0
  wait_until 30 cgroup_is_empty "$MONITOR_CGROUP"
  module_unload falco
}
