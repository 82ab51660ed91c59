#!/usr/bin/env bats
# perf's samples: folded, counted, drawn.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  set -o pipefail
  EXECTAX_ROOT=$(realpath "$BATS_TEST_DIRNAME/../..")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host measure report
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  [[ -z ${burner:-} ]] || kill "$burner" 2>/dev/null || true
}

# fold_is EXPECTED: stdin as perf script writes it, EXPECTED sorted.
fold_is() {
  local folded awk
  folded=$(cat)
  for awk in awk mawk gawk; do
    command -v "$awk" >/dev/null || continue
    diff <(printf '%s\n' "$1") <(LC_ALL=C "$awk" -f "$EXECTAX_ROOT/lib/measure/fold.awk" <<<"$folded" | LC_ALL=C sort)
  done
}

# cell MONITOR CELL: folded stacks from stdin, as those of a cell of the run `run`.
cell() {
  mkdir -p "run/cells/$1/$2"
  gzip >"run/cells/$1/$2/stacks.folded.gz"
}

@test "stacks: outermost first, kernel frames marked, the same ones added up" {
  fold_is 'auditd;main;write_[k] 1
auditd;main;write_[k];vfs_write_[k] 2' <<'TEXT'
auditd   417 
	ffffffff81400703 vfs_write ([kernel.kallsyms])
	ffffffff81400001 write ([kernel.kallsyms])
	    55d0a1b2c3d4 main (/usr/sbin/auditd)

auditd   417 
	ffffffff81400001 write ([kernel.kallsyms])
	    55d0a1b2c3d4 main (/usr/sbin/auditd)

auditd   999 
	ffffffff81400709 vfs_write ([kernel.kallsyms])
	ffffffff81400002 write ([kernel.kallsyms])
	    55d0a1b2c3d9 main (/usr/sbin/auditd)
TEXT
}

@test "BPF programs by their symbols; functions that only sound like one are the kernel's or the program's" {
  fold_is 'loader;bpf_prog_load;bpf_prog_load_[k] 1
true;execve_[k];bpf_prog_52f4db752ea8cd1a_sched_process_e;probe_read_[k] 1
true;execve_[k];bpf_prog_6deef7357e7b4530 1' <<'TEXT'
true  1000 
	ffffffff81400703 probe_read ([kernel.kallsyms])
	ffffffffc0025b88 bpf_prog_52f4db752ea8cd1a_sched_process_e (bpf_prog_52f4db752ea8cd1a_sched_process_e)
	ffffffff81400001 execve ([kernel.kallsyms])

true  1001 
	ffffffffc0025b88 bpf_prog_6deef7357e7b4530 ([bpf])
	ffffffff81400001 execve ([kernel.kallsyms])

loader  1002 
	ffffffff81400001 bpf_prog_load ([kernel.kallsyms])
	    55d0a1b2c3d4 bpf_prog_load (/usr/lib/libbpf.so.1)
TEXT
}

@test "in whose time samples are: the launcher's, what it launched, the monitor's, others'" {
  LC_ALL=C awk -v payers=payers.csv -v load=50 -v daemon="70 71" -v command=true -f "$EXECTAX_ROOT/lib/measure/fold.awk" >/dev/null <<'TEXT'
execrate    50 
	ffffffff81400001 clone ([kernel.kallsyms])

execrate    51 
	ffffffffc0025b88 bpf_prog_6deef7357e7b4530 ([bpf])
	ffffffff81400001 execve ([kernel.kallsyms])

true    51 
	ffffffff81400703 probe_read ([kernel.kallsyms])
	ffffffffc0025b88 bpf_prog_6deef7357e7b4530 ([bpf])

true    52 
	ffffffff81400001 exit ([kernel.kallsyms])

falco    71 
	ffffffffc0025b88 bpf_prog_6deef7357e7b4530 ([bpf])

falco    72 
	ffffffff81400001 read ([kernel.kallsyms])

execrate    50 
	ffffffff81400703 sched_clock ([kernel.kallsyms])
	ffffffff81400001 bpf_trace_run2 ([kernel.kallsyms])

execrate    50 
	ffffffff81400001 trace_call_bpf ([kernel.kallsyms])

execrate    50 
	ffffffff81400001 __bpf_prog_enter_recur ([kernel.kallsyms])

execrate    50 
	ffffffff81400001 bpf_trace_run_of_nothing ([kernel.kallsyms])

execrate    50 
	    55d0a1b2c3d4 bpf_trace_run2 (/usr/lib/libbpf.so.1)

swapper     0 
	ffffffff81400703 pv_native_safe_halt ([kernel.kallsyms])
TEXT
  diff payers.csv - <<'CSV'
payer,samples,bpf_samples,run_samples
watched,3,2,2
launcher,6,0,3
daemon,1,1,1
other,1,0,0
CSV
}

@test "idle CPUs are shown apart; what interrupts them is not idle" {
  fold_is 'swapper;[idle] 4
swapper;do_idle_[k];default_idle_[k];asm_sysvec_[k];__do_softirq_[k] 1
work;default_idle_[k] 1' <<'TEXT'
swapper     0 
	ffffffff81400703 pv_native_safe_halt ([kernel.kallsyms])
	ffffffff81400704 default_idle ([kernel.kallsyms])

swapper     0 
	ffffffff81400703 native_safe_halt ([kernel.kallsyms])

swapper     0 
	ffffffff81400703 intel_idle_irq ([kernel.kallsyms])

swapper     0 
	ffffffff81400703 do_idle ([kernel.kallsyms])

swapper     0 
	ffffffff81400703 __do_softirq ([kernel.kallsyms])
	ffffffff81400704 asm_sysvec ([kernel.kallsyms])
	ffffffff81400705 default_idle ([kernel.kallsyms])
	ffffffff81400706 do_idle ([kernel.kallsyms])

work     12 
	ffffffff81400705 default_idle ([kernel.kallsyms])
TEXT
}

@test "odd names: spaces, semicolons, C++, deleted files, frames without a symbol" {
  fold_is 'Web Content:1;std::map<int, char (*)(int)>::find(int const&) 1
bare 1
stripped;[unknown];[a program.so];[kernel]_[k] 1' <<'TEXT'
Web Content;1   417 
	    55d0a1b2c3d4 std::map<int, char (*)(int)>::find(int const&) (/usr/lib/lib (x) y.so (deleted))

bare     1 

stripped   -1 
	ffffffffc0000001 [unknown] ([unknown])
	    55d0a1b2c3d4 [unknown] (/opt/a program.so)
	    55d0a1b2c3d6 [unknown] (/opt/a program.so)
	              31 [unknown] ([unknown])
	              32 [unknown] ([unknown])
TEXT
}

@test "the flame graph: cells merged, shares of busy samples, idle left out, names as XML wants them" {
  printf '%s\n' 'swapper;[idle] 6000' 'true;execve_[k];bpf_prog_52f4db752ea8cd1a_exec 500' 'execrate;main 250' | cell some 800-1
  printf '%s\n' 'true;execve_[k] 500' 'kauditd;kthread_[k] 748' $'evil;<a>&"\033 1' 'kworker/0:1;kthread_[k] 1' | cell some 800-2
  printf '%s\n' 'other;main 9999' | cell another 800-1
  profile_flamegraph run some out.svg
  [[ $(head -c 5 out.svg) == '<svg ' && $(tail -n 1 out.svg) == '</svg>' ]]
  [[ $(grep -o '<g>' out.svg | wc -l) -eq $(grep -o '</g>' out.svg | wc -l) ]]
  grep -F '2000 samples of busy CPUs. Within a BPF program, what it calls included: 500 (25.0 %)' out.svg
  grep -F 'Left out: 6000 samples of idle CPUs (75.0 % of all)' out.svg
  grep -F 'run, 2 of its cells' out.svg
  grep -F '<title>true (process): 1000 samples, 50.00 %</title>' out.svg
  grep -F '<title>execve (kernel): 1000 samples, 50.00 %</title><rect x="10.00" y="113" width="590.00"' out.svg
  grep -F '<title>bpf_prog_52f4db752ea8cd1a_exec (bpf): 500 samples, 25.00 %</title><rect x="10.00" y="97" width="295.00"' out.svg
  grep -F '<title>kauditd (kthread): 748 samples' out.svg
  grep -F '<title>main (harness): 250 samples, 12.50 %</title>' out.svg
  # Under 0.1 %: not drawn.
  run ! grep -E 'evil|kworker|other|<a>' out.svg
}

@test "the flame graph: names cannot break out of the SVG" {
  printf '%s\n' $'e<v>&"il\033\xff;f<g>;h&amp 10' | cell some 800-1
  profile_flamegraph run some out.svg
  grep -F '<title>e&lt;v&gt;&amp;"il?? (process): 10 samples' out.svg
  grep -F '<title>f&lt;g&gt; (user)' out.svg
  grep -F '<title>h&amp;amp (user)' out.svg
}

@test "the flame graph: of a stack of any depth, with the awks' limits; a BPF program deep in it counts" {
  local frames awk
  frames=$(printf 'frame%d;' {2..200})
  printf '%s\n' "compile;${frames}bpf_prog_52f4db752ea8cd1a_exec 10" | cell some 800-1
  for awk in mawk gawk; do
    command -v "$awk" >/dev/null || continue
    gzip -dc run/cells/some/800-1/stacks.folded.gz | "$awk" -v title=t -v subtitle=s -f "$EXECTAX_ROOT/plots/flamegraph.awk" >out.svg
    grep -F 'what it calls included: 10 (100.0 %)' out.svg
    grep -F '<title>frame90 (user): 10 samples' out.svg
    run ! grep -F 'frame91 ' out.svg
  done
}

@test "no flame graph without samples" {
  run ! profile_flamegraph run some out.svg
  printf '%s\n' 'swapper;[idle] 6000' | cell some 800-1
  run ! profile_flamegraph run some out.svg
  [[ ! -e out.svg ]]
}

@test "what cannot be folded is kept" {
  echo 'not what perf writes' >perf.data
  run ! profile_fold .
  [[ -e perf.data && ! -e stacks.folded.gz ]]
}

@test "perf samples this machine" {
  local problem
  problem=$(profile_problem)
  [[ -z $problem ]] || skip "$problem"
  # Without a run's cgroups.
  host_spawn() {
    shift
    "$@" 3>&- &
  }
  cp "$(type -P bash)" burner
  ./burner -c 'while ((SECONDS < 60)); do :; done' 3>&- &
  burner=$!
  profile_record . 2
  wait $!
  [[ -s perf.data ]]
  touch pids.csv pids-after.csv
  profile_fold .
  [[ ! -e perf.data ]]
  gzip -dc stacks.folded.gz >stacks
  grep -m 1 '^burner;' stacks
  grep -m 1 -E ';[a-z]\w+_\[k\]' stacks
  local -i samples most=$((PROFILE_HZ * $(nproc --all) * 2))
  samples=$(awk '{ sum += $NF } END { print sum }' stacks)
  # A CPU that the hypervisor took away has no samples; perf itself ends a little late.
  ((samples > most / 20 && samples < most * 3))
}
