# shellcheck shell=bash
# What a sweep will do, in which order, and how long that takes. It runs in passes (the column rep), each once through all monitors in a new order. A block
# is one start of one monitor, in which every rate is measured once, in a new order too. The baseline, `none`, has several blocks in a pass: one beside every
# few monitors, since what an execution costs without a monitor drifts with the machine, and no other figure is subtracted from as many.

# What a cell takes besides its load, and a block besides its cells, in seconds: draining, counting; starting, stopping.
# Where a monitor falls behind, draining takes longer.
PLAN_CELL_EXTRA_SECONDS=1
PLAN_BLOCK_EXTRA_SECONDS=5

# How many monitors share a block of the baseline, and how many blocks of it there are at least: one alone has nothing to be compared with.
PLAN_MONITORS_PER_BASELINE=3
PLAN_BASELINES_MIN=2

PLAN_HEADER=cell,rep,monitor,rate,turn,detailed

# plan_pass SEED PASS "RATES" MONITOR...: the rows of one pass, `rep,monitor,rate,turn,detailed` without numbers of cells (plan_number has these). turn counts the
# blocks of a monitor in a pass, 1 but for the baseline. detailed is 1 in one cell of a block, at a rate that is drawn: windows B and S are measured there. The
# same arguments give the same rows, whatever else was planned before, under one version of bash (whose generator RANDOM is); the run keeps its plan.
plan_pass() {
  local pass=$2 monitor rate detailed
  local -a blocks order every_rate
  local -A turns=()
  # Apart for each of both; the generator's range.
  RANDOM=$((($1 * 1000003 + pass * 7907) % 2147483647))
  read -ra every_rate <<<"$3"
  plan_blocks blocks "${@:4}"
  for monitor in "${blocks[@]}"; do
    turns[$monitor]=$((${turns[$monitor]:-0} + 1))
    order=("${every_rate[@]}")
    plan_shuffle order
    plan_draw_detailed detailed "${every_rate[@]}"
    for rate in "${order[@]}"; do
      echo "$pass,$monitor,$rate,${turns[$monitor]},$((rate > 0 && rate == detailed))"
    done
  done
}

# plan_draw_detailed VARIABLE RATE...: one of them. At rest there is no execution to look at: 0 if there is no other rate.
plan_draw_detailed() {
  local rate drawn=0
  local -a loads=()
  for rate in "${@:2}"; do
    ((rate == 0)) || loads+=("$rate")
  done
  ((${#loads[@]} == 0)) || drawn=${loads[RANDOM % ${#loads[@]}]}
  printf -v "$1" '%s' "$drawn"
}

# plan_blocks ARRAY MONITOR...: ARRAY gets the blocks of one pass: the monitors in a new order and, where `none` is one of
# them, a block of it somewhere among every few.
plan_blocks() {
  local -n plan_blocks_array=$1
  local -a monitors=() group
  local -i i from to baselines=0
  local monitor
  shift
  for monitor in "$@"; do
    if [[ $monitor == none ]]; then
      baselines=$PLAN_BASELINES_MIN
    else
      monitors+=("$monitor")
    fi
  done
  plan_shuffle monitors
  plan_blocks_array=()
  if ((baselines == 0)); then
    plan_blocks_array=("${monitors[@]}")
    return
  fi
  i=$(((${#monitors[@]} + PLAN_MONITORS_PER_BASELINE - 1) / PLAN_MONITORS_PER_BASELINE))
  baselines=$((i > baselines ? i : baselines))
  for ((i = 0; i < baselines; i++)); do
    from=$((i * ${#monitors[@]} / baselines)) to=$(((i + 1) * ${#monitors[@]} / baselines))
    group=(none "${monitors[@]:from:to-from}")
    plan_shuffle group
    plan_blocks_array+=("${group[@]}")
  done
}

# plan_number LAST: the rows on stdin with numbers of cells before them, which go on after LAST.
plan_number() {
  awk -v last="$1" '{ print ++last "," $0 }'
}

# plan_add PLAN ROWS: PLAN, and after it those rows of plan_pass. Plans of older runs don't say what is detailed: all of it is.
plan_add() {
  local -i last
  read -r last _ <<<"$(plan_last "$1")"
  awk -F, -v header="$PLAN_HEADER" 'NR == 1 { old = $0 != header; print header; next } { print $0 (old ? ",1" : "") }' "$1"
  plan_number "$last" <<<"$2"
}

# plan_resume PLAN: PLAN with those of its cells at the end, in their order and with numbers that go on, whose numbers are on stdin. Since
# what an execution costs without a monitor is another thing by then, a block of the baseline comes first, at the rates of what comes before
# the plan's own next one, and as detailed as that.
plan_resume() {
  local cell rep monitor rate turn detailed part=0 first_rep=
  local -i last=0 baseline_turn=0
  local -a left=()
  local -A is_left=() needed=() had=()
  while read -r cell; do
    [[ -z $cell ]] || is_left[$cell]=yes
  done
  head -n 1 "$1"
  while IFS=, read -r cell rep monitor rate turn detailed; do
    detailed=${detailed:+,$detailed}
    if [[ -v is_left[$cell] ]]; then
      left+=("$rep,$monitor,$rate,$turn$detailed")
      : "${first_rep:=$rep}"
      # The baseline that it begins with is 0, monitors up to the next one are 1.
      if [[ $monitor == none ]]; then
        ((part == 0)) || part=2
      else
        ((part == 2)) || part=1
      fi
      ((part != 0)) || had[$rate]=yes
      ((part != 1)) || [[ ${needed[$rate]:-} == ,1 ]] || needed[$rate]=$detailed
    else
      last=cell
      echo "$cell,$rep,$monitor,$rate,$turn$detailed"
    fi
  done <<<"$(tail -n +2 "$1")"
  ((${#left[@]})) || return 0
  baseline_turn=$(awk -F, -v rep="$first_rep" '$3 == "none" && $2 == rep && $5 > turn { turn = $5 } END { print turn + 0 }' "$1")
  if ((baseline_turn)); then
    for rate in $(printf '%s\n' "${!needed[@]}" | sort -n); do
      [[ ! -v had[$rate] ]] || continue
      last+=1
      echo "$last,$first_rep,none,$rate,$((baseline_turn + 1))${needed[$rate]}"
    done
  fi
  for cell in "${left[@]}"; do
    last+=1
    echo "$last,$cell"
  done
}

# plan_mark_last: the rows on stdin with one more field: `last` in the last row of each block.
plan_mark_last() {
  awk -F, '
    { block = $2 FS $3 FS $5 }
    NR > 1 { print row "," (block == before ? "" : "last") }
    { row = $0; before = block }
    END { if (NR) print row ",last" }'
}

# plan_last PLAN: the highest number of a cell and of a pass.
plan_last() {
  awk -F, 'NR > 1 { if ($1 > last) last = $1; if ($2 > reps) reps = $2 } END { print last + 0, reps + 0 }' "$1"
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
