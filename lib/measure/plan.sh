# shellcheck shell=bash
# What a sweep will do, in which order, and how long that takes. A block is one start of one monitor, in which
# every rate is measured once. In each repetition the monitors come in a new order, and in each block the rates.
# The baseline, `none`, has several blocks in a repetition: one beside every few monitors, since what an execution costs
# without a monitor drifts with the machine, and no other figure is subtracted from as many.

# What a cell takes besides its load, and a block besides its cells, in seconds: draining, counting; starting, stopping.
# Where a monitor falls behind, draining takes longer.
PLAN_CELL_EXTRA_SECONDS=1
PLAN_BLOCK_EXTRA_SECONDS=5

# How many monitors share a block of the baseline.
PLAN_MONITORS_PER_BASELINE=3

# plan_make SEED REPS "RATES" MONITOR...: CSV `cell,rep,monitor,rate,turn` on stdout; turn counts the blocks of a monitor in
# a repetition, 1 but for the baseline. The same arguments give the same plan under one version of bash (whose generator
# RANDOM is); the run keeps its plan.
plan_make() {
  local seed=$1 reps=$2 rates=$3 rep monitor
  # shellcheck disable=SC2034 # plan_repetition knows both by name.
  local -i cell=0
  # shellcheck disable=SC2034
  local -A rates_of=()
  shift 3
  for monitor in "$@"; do
    rates_of[$monitor]=$rates
  done
  echo "cell,rep,monitor,rate,turn"
  RANDOM=$seed
  for ((rep = 1; rep <= reps; rep++)); do
    plan_repetition cell "$rep" rates_of "$@"
  done
}

# plan_repetition CELL REP RATES_OF MONITOR...: the rows of one repetition. CELL names the number of the last cell, which goes on; RATES_OF an
# array with the rates of each monitor.
plan_repetition() {
  local -n plan_repetition_cell=$1 plan_repetition_rates=$3
  local rep=$2 monitor rate
  local -a order blocks
  local -A turns=()
  plan_blocks blocks "${@:4}"
  for monitor in "${blocks[@]}"; do
    turns[$monitor]=$((${turns[$monitor]:-0} + 1))
    read -ra order <<<"${plan_repetition_rates[$monitor]}"
    plan_shuffle order
    for rate in "${order[@]}"; do
      plan_repetition_cell+=1
      echo "$plan_repetition_cell,$rep,$monitor,$rate,${turns[$monitor]}"
    done
  done
}

# plan_blocks ARRAY MONITOR...: ARRAY gets the blocks of one repetition: the monitors in a new order and, where `none` is one of
# them, a block of it somewhere among every PLAN_MONITORS_PER_BASELINE.
plan_blocks() {
  local -n plan_blocks_array=$1
  local -a monitors=() group
  local -i i
  local monitor has_baseline=no
  shift
  for monitor in "$@"; do
    if [[ $monitor == none ]]; then
      has_baseline=yes
    else
      monitors+=("$monitor")
    fi
  done
  if [[ $has_baseline == no ]] || ((${#monitors[@]} == 0)); then
    plan_blocks_array=("$@")
    plan_shuffle plan_blocks_array
    return
  fi
  plan_shuffle monitors
  plan_blocks_array=()
  for ((i = 0; i < ${#monitors[@]}; i += PLAN_MONITORS_PER_BASELINE)); do
    group=(none "${monitors[@]:i:PLAN_MONITORS_PER_BASELINE}")
    plan_shuffle group
    plan_blocks_array+=("${group[@]}")
  done
}

# plan_again PLAN: rows that go on with PLAN and measure again the cells whose rows are on stdin: a further block of each
# (monitor, repetition) among them. If the plan has a baseline, a block of it at their rates comes before every
# PLAN_MONITORS_PER_BASELINE of these.
plan_again() {
  local cell monitor rep rate turn block baseline
  local -i last=0 i
  local -a blocks=() baselines=() group
  local -A turns=() rates=()
  while IFS=, read -r cell rep monitor rate turn; do
    block=$monitor,$rep
    turns[$block]=$turn
    last=cell
  done <<<"$(tail -n +2 "$1")"
  while IFS=, read -r _ rep monitor rate _; do
    block=$monitor,$rep
    if [[ ! -v rates[$block] ]]; then
      if [[ $monitor == none ]]; then
        baselines+=("$block")
      else
        blocks+=("$block")
      fi
    fi
    rates[$block]+="$rate "
  done
  # A baseline disturbed in its own right is measured again only where no monitor brings one along.
  ((${#blocks[@]})) || blocks=("${baselines[@]}")
  for ((i = 0; i < ${#blocks[@]}; i += PLAN_MONITORS_PER_BASELINE)); do
    group=("${blocks[@]:i:PLAN_MONITORS_PER_BASELINE}")
    baseline=none,${group[0]#*,}
    if [[ -v turns[$baseline] && ${group[0]} != none,* ]]; then
      rates[$baseline]=$(for block in "${group[@]}"; do printf '%s' "${rates[$block]}"; done)
      group=("$baseline" "${group[@]}")
    fi
    for block in "${group[@]}"; do
      turns[$block]=$((turns[$block] + 1))
      for rate in $(tr ' ' '\n' <<<"${rates[$block]}" | sed '/^$/d' | sort -nu); do
        last+=1
        echo "$last,${block#*,},${block%,*},$rate,${turns[$block]}"
      done
    done
  done
}

# plan_once_more PLAN FROM TIMES: its rows whose cells may be measured again: the last one of each (monitor, repetition, rate) that has not been
# TIMES yet, and of the baseline, whose blocks are not counted like that, those with numbers above FROM.
plan_once_more() {
  awk -F, -v from="$2" -v times="$3" '
    FNR == 1 { next }
    NR == FNR { last[$3, $2, $4] = $1; next }
    $3 == "none" ? $1 > from : $5 <= times && $1 == last[$3, $2, $4]' "$1" "$1"
}

# plan_resume PLAN: PLAN with those of its cells at the end, in their order and with numbers that go on, whose numbers are on stdin. Since
# what an execution costs without a monitor is another thing by then, a block of the baseline comes first, at the rates of what comes before
# the plan's own next one.
plan_resume() {
  local cell rep monitor rate turn part=0 first_rep=
  local -i last=0 baseline_turn=0
  local -a left=()
  local -A is_left=() needed=() had=()
  while read -r cell; do
    [[ -z $cell ]] || is_left[$cell]=yes
  done
  head -n 1 "$1"
  while IFS=, read -r cell rep monitor rate turn; do
    if [[ -v is_left[$cell] ]]; then
      left+=("$rep,$monitor,$rate,$turn")
      : "${first_rep:=$rep}"
      # The baseline that it begins with is 0, monitors up to the next one are 1.
      if [[ $monitor == none ]]; then
        ((part == 0)) || part=2
      else
        ((part == 2)) || part=1
      fi
      ((part != 0)) || had[$rate]=yes
      ((part != 1)) || needed[$rate]=yes
    else
      last=cell
      echo "$cell,$rep,$monitor,$rate,$turn"
    fi
  done <<<"$(tail -n +2 "$1")"
  ((${#left[@]})) || return 0
  baseline_turn=$(awk -F, -v rep="$first_rep" '$3 == "none" && $2 == rep && $5 > turn { turn = $5 } END { print turn + 0 }' "$1")
  if ((baseline_turn)); then
    for rate in $(printf '%s\n' "${!needed[@]}" | sort -n); do
      [[ ! -v had[$rate] ]] || continue
      last+=1
      echo "$last,$first_rep,none,$rate,$((baseline_turn + 1))"
    done
  fi
  for cell in "${left[@]}"; do
    last+=1
    echo "$last,$cell"
  done
}

# plan_repeat PLAN REPS SEED "RATES" MONITOR...: PLAN with REPS more repetitions at the end: those that plan_make would have gone on with.
plan_repeat() {
  local -i last reps
  cat "$1"
  read -r last reps <<<"$(plan_last "$1")"
  plan_make "$3" $((reps + $2)) "${@:4}" | awk -F, -v OFS=, -v last="$last" -v reps="$reps" 'NR > 1 && $2 > reps { $1 = ++last; print }'
}

# plan_mark_last: the rows on stdin with one more field: `last` in the last row of each block.
plan_mark_last() {
  awk -F, '
    { block = $2 FS $3 FS $5 }
    NR > 1 { print row "," (block == before ? "" : "last") }
    { row = $0; before = block }
    END { if (NR) print row ",last" }'
}

# plan_more PLAN SEED: rows that go on with PLAN: one more repetition, of the monitors and at the rates on stdin, `MONITOR RATE...` a line, with
# the baseline beside them at all of these rates.
plan_more() {
  local monitor rates all=
  local -i last reps
  local -a monitors=()
  local -A rates_of=()
  while read -r monitor rates; do
    monitors+=("$monitor")
    rates_of[$monitor]=$rates
    all+="$rates "
  done
  # shellcheck disable=SC2034 # plan_repetition knows it by name.
  rates_of[none]=$(tr ' ' '\n' <<<"$all" | sed '/^$/d' | sort -nu | paste -sd ' ')
  read -r last reps <<<"$(plan_last "$1")"
  RANDOM=$(($2 + reps))
  plan_repetition last $((reps + 1)) rates_of none "${monitors[@]}"
}

# plan_last PLAN: the highest number of a cell and of a repetition.
plan_last() {
  awk -F, 'NR > 1 { if ($1 > last) last = $1; if ($2 > reps) reps = $2 } END { print last + 0, reps + 0 }' "$1"
}

# plan_reps PLAN: how many repetitions each monitor has at least.
plan_reps() {
  awk -F, 'NR > 1 && !seen[$2, $3]++ { reps[$3]++ } END { for (monitor in reps) if (least == "" || reps[monitor] < least) least = reps[monitor]; print least + 0 }' "$1"
}

# The folder of a cell below cells/: MONITOR/RATE-REP, and .TURN after that from the second on.
plan_cell_folder() {
  local monitor=$1 rate=$2 rep=$3 turn=$4
  echo "$monitor/$rate-$rep$(plan_turn_suffix "$turn")"
}

# plan_turn_suffix TURN: nothing for the first, and for that of a plan without turns.
plan_turn_suffix() {
  ((${1:-1} == 1)) || echo ".$1"
}

# plan_shuffle ARRAY: Fisher-Yates, from RANDOM (15 bits: the bias is below 1 in 100 for any list as short as these).
plan_shuffle() {
  local -n plan_shuffle_array=$1
  local -i i j
  local swap
  for ((i = ${#plan_shuffle_array[@]} - 1; i > 0; i--)); do
    j=$((RANDOM % (i + 1)))
    swap=${plan_shuffle_array[i]}
    plan_shuffle_array[i]=${plan_shuffle_array[j]}
    plan_shuffle_array[j]=$swap
  done
}

# plan_seconds CELLS BLOCKS LOAD_SECONDS: the load of a cell lasts LOAD_SECONDS.
plan_seconds() {
  echo $(($1 * ($3 + PLAN_CELL_EXTRA_SECONDS) + $2 * PLAN_BLOCK_EXTRA_SECONDS))
}
