# From `perf script -F comm,pid,ip,sym,dso` to folded stacks: `comm;outermost frame;...;innermost frame count`.
# Kernel frames end in _[k]; BPF programs keep their symbol, bpf_prog_<tag>_<name>. Samples of a CPU that had nothing
# to do become `swapper;[idle]`.
#
# In whose time they were, into the file `payers`, if it is set: `payer,samples,bpf_samples,run_samples`, the second with a BPF program in the
# stack, the third with one or with what the kernel does around its run: it reads the clock twice, and of short runs that is most of what it counts.
# launcher is the process `load`, watched what that has launched (called `command`, or as the launcher before it executes that), daemon one
# of the processes `daemon`, with blanks between them.

BEGIN {
  # A tag is 16 hexadecimal digits: bpf_prog_load() is a function of the kernel's.
  HEX4 = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
  BPF_PROGRAM = "^bpf_prog_" HEX4 HEX4 HEX4 HEX4 "(_|$)"
  BPF_RUN = "^(bpf_trace_run[0-9]+|trace_call_bpf|__bpf_prog_(enter|exit)(_.*)?)$"
  split(daemon, pids, " ")
  for (i in pids) is_daemon[pids[i]]
}

function payer_of(comm, pid) {
  if (pid == load) return "launcher"
  if (comm == command || comm == "execrate") return "watched"
  return pid in is_daemon ? "daemon" : "other"
}

# An interrupt's work has the idle loop's functions under it, too: the innermost one tells.
function is_idle(comm, innermost) {
  return comm == "swapper" && innermost ~ /^(.*safe_halt|(default|intel|acpi|mwait|poll|arch_cpu|cpu_do|do)_idle.*|cpu_idle_poll.*|cpuidle_.*|acpi_processor_ffh.*|cpu_startup_entry)_\[k\]$/
}

function add_sample(stack, i, payer) {
  if (!in_sample) return
  in_sample = 0
  stack = comm
  if (is_idle(comm, frame[1])) {
    count[comm ";[idle]"]++
    return
  }
  payer = payer_of(comm, pid)
  samples[payer]++
  bpf_samples[payer] += has_bpf
  run_samples[payer] += has_run
  for (i = depth; i > 0; i--) stack = stack ";" frame[i]
  count[stack]++
}

function frame_name(ip, symbol, dso) {
  gsub(/;/, ":", symbol)
  if (ip ~ /^ffff/ && length(ip) == 16) {
    if (symbol ~ BPF_PROGRAM) {
      has_bpf = has_run = 1
      return symbol
    }
    if (symbol ~ BPF_RUN) has_run = 1
    return (symbol == "[unknown]" ? "[kernel]" : symbol) "_[k]"
  }
  if (symbol != "[unknown]") return symbol
  # Without frame pointers the unwinder reads addresses that lead nowhere.
  if (dso == "" || dso == "[unknown]") return "[unknown]"
  sub(/^.*\//, "", dso)
  gsub(/;/, ":", dso)
  return "[" dso "]"
}

NF == 0 {
  add_sample()
  next
}

/^\t/ {
  line = $0
  ip = $1
  dso = ""
  sub(/^[ \t]*[0-9a-f]+ /, "", line)
  sub(/ \(deleted\)\)$/, ")", line)
  if (match(line, / \((\/.*|[^()]*)\)$/)) {
    dso = substr(line, RSTART + 2, RLENGTH - 3)
    line = substr(line, 1, RSTART - 1)
  }
  name = frame_name(ip, line, dso)
  # A row of frames without names says no more than one of them.
  if (!(name ~ /^\[/ && depth > 0 && frame[depth] == name)) frame[++depth] = name
  next
}

{
  add_sample()
  comm = $0
  sub(/ +-?[0-9]+ *$/, "", comm)
  pid = $NF
  has_bpf = has_run = 0
  gsub(/;/, ":", comm)
  in_sample = 1
  depth = 0
  frame[1] = ""
}

END {
  add_sample()
  for (stack in count) print stack, count[stack]
  if (payers == "") exit
  print "payer,samples,bpf_samples,run_samples" >payers
  n = split("watched launcher daemon other", names, " ")
  for (i = 1; i <= n; i++) printf "%s,%d,%d,%d\n", names[i], samples[names[i]], bpf_samples[names[i]], run_samples[names[i]] >payers
}
