# shellcheck shell=bash
# What a sweep will do, in which order, and how long that takes. A block is one start of one monitor, in which
# every rate is measured once. In each repetition the monitors come in a new order, and in each block the rates.

# What a cell and a block take besides warm-up and windows, in seconds: draining, counting, starting, stopping.
PLAN_CELL_EXTRA_SECONDS=7
PLAN_BLOCK_EXTRA_SECONDS=6

# plan_make SEED REPS "RATES" MONITOR...: CSV `cell,rep,monitor,rate` on stdout. The same arguments give the same
# plan under one version of bash (whose generator RANDOM is); the run keeps its plan.
plan_make() {
  local seed=$1 reps=$2 rates=$3 rep monitor rate
  local -i cell=0
  local -a order
  shift 3
  RANDOM=$seed
  echo "cell,rep,monitor,rate"
  for ((rep = 1; rep <= reps; rep++)); do
    order=("$@")
    plan_shuffle
    local -a monitors=("${order[@]}")
    for monitor in "${monitors[@]}"; do
      read -ra order <<<"$rates"
      plan_shuffle
      for rate in "${order[@]}"; do
        cell+=1
        echo "$cell,$rep,$monitor,$rate"
      done
    done
  done
}

# Fisher-Yates on the caller's `order`, from RANDOM (15 bits: the bias is below 1 in 100 for any list as short as these).
plan_shuffle() {
  local -i i j
  local swap
  for ((i = ${#order[@]} - 1; i > 0; i--)); do
    j=$((RANDOM % (i + 1)))
    swap=${order[i]}
    order[i]=${order[j]}
    order[j]=$swap
  done
}

# plan_seconds CELLS BLOCKS
plan_seconds() {
  echo $(($1 * (WARMUP + DURATION + INSTRUMENTED + PLAN_CELL_EXTRA_SECONDS) + $2 * PLAN_BLOCK_EXTRA_SECONDS))
}
