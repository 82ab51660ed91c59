# shellcheck shell=bash
# Falco in the foreground with a configuration of its own. A variant sets FALCO_ENGINE and FALCO_DEFAULT_RULES.
export USES="" RECORDS=exec

FALCO_ENGINE=modern_ebpf
FALCO_DEFAULT_RULES=no

# Both come with Falco's package; a build of one's own names its own.
FALCO_RULES=${EXECTAX_FALCO_RULES:-/etc/falco/falco_rules.yaml}
FALCO_CONTAINER_PLUGIN=${EXECTAX_FALCO_CONTAINER_PLUGIN:-/usr/share/falco/plugins/libcontainer.so}

monitor_requires() { falco_requires_modern_ebpf; }

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
  install_packages curl || return 1
  ! monitor_binary falco >/dev/null || return 0
  FALCO_FRONTEND=noninteractive FALCO_DRIVER_CHOICE=none install_from_repository falco \
    https://falco.org/repo/falcosecurity-packages.asc "https://download.falco.org/packages/deb stable main"
}

monitor_version() { "$(monitor_binary falco)" --version | awk '/^Falco version:/ { print $3 }'; }

monitor_start() {
  falco_configure
  exec "$(monitor_binary falco)" -c "$MONITOR_RUN_DIR/falco.yaml"
}

falco_configure() {
  local port rules="$MONITOR_RUN_DIR/exec_rule.yaml" plugins=
  if [[ $FALCO_DEFAULT_RULES == yes ]]; then
    rules="$FALCO_RULES, $rules"
    plugins=container
  fi
  port=$(free_port)
  echo "$port" >"$MONITOR_RUN_DIR/port"
  cp "$CONFIGS/falco/exec_rule.yaml" "$MONITOR_RUN_DIR/"
  render "$CONFIGS/falco/falco.yaml.in" "$MONITOR_RUN_DIR/falco.yaml" ENGINE="$FALCO_ENGINE" RULES_FILES="[$rules]" \
    LOAD_PLUGINS="[$plugins]" CONTAINER_PLUGIN="$FALCO_CONTAINER_PLUGIN" LOG_DIR="$MONITOR_LOG_DIR" PORT="$port"
}

falco_metrics() {
  curl -fsS --max-time 10 "http://127.0.0.1:$(<"$MONITOR_RUN_DIR/port")/metrics"
}

# Its /healthz answers before the probe is in the kernel; its /metrics, only after.
monitor_ready() { falco_metrics >/dev/null; }

monitor_helpers() { :; }

monitor_log() { echo "$MONITOR_LOG_DIR/falco.jsonl"; }

# Events that found the kernel's buffer full, executions among them, and records that found the queue of outputs full.
monitor_losses() {
  falco_metrics | awk '
    /^falcosecurity_scap_n_drops_total/ { print "scap_n_drops", $2 }
    /^falcosecurity_scap_n_drops_buffer_total\{/ && /drop="execve"/ && /dir="exit"/ { print "scap_n_drops_buffer_execve_exit", $2 }
    /^falcosecurity_falco_outputs_queue_num_drops_total/ { print "falco_outputs_queue_num_drops", $2 }'
}

monitor_stop() { kill -TERM "$MONITOR_PID"; }
