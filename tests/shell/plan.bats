#!/usr/bin/env bats
# The order of a run: everything once a pass, shuffled, the same again from the same seed.

load ../rooms

setup() {
  use_rooms base measure
}

# passes SEED COUNT "RATES" MONITOR...: the rows of so many passes.
passes() {
  local pass
  for ((pass = 1; pass <= $2; pass++)); do
    plan_pass "$1" "$pass" "${@:3}"
  done
}

@test "every monitor is measured at every rate, once in each pass, and the baseline twice" {
  passes 3 2 "100 200 400" none a b | cut -d, -f1-4 | sort >"$BATS_TEST_TMPDIR/plan"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/plan")" -eq 24 ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/plan" | wc -l)" -eq 24 ]
  [ "$(cut -d, -f2,4 "$BATS_TEST_TMPDIR/plan" | sort | uniq -c | awk '{ print $2, $1 }' | paste -sd ' ')" = "a,1 6 b,1 6 none,1 6 none,2 6" ]
}

@test "the baseline has a block for every three monitors, at least two, and each of them is told apart" {
  passes 7 2 "100 200" none a b c d e f g >"$BATS_TEST_TMPDIR/plan"
  [ "$(cut -d, -f1-4 "$BATS_TEST_TMPDIR/plan" | sort -u | wc -l)" -eq $((2 * 2 * (7 + 3))) ]
  for pass in 1 2; do
    blocks=$(awk -F, -v pass="$pass" '$1 == pass { print $2 "." $4 }' "$BATS_TEST_TMPDIR/plan" | uniq | paste -sd ' ')
    # Three in a row without one between them could at most be followed by three more.
    [[ $blocks == *none.1*none.2*none.3* ]]
    [[ ! $blocks =~ ([a-g]\.1\ ){7} ]]
  done
  blocks_of_baseline() { plan_pass 1 1 100 none "$@" | grep -c ,none,; }
  [ "$(blocks_of_baseline) $(blocks_of_baseline a) $(blocks_of_baseline a b c d e f) $(blocks_of_baseline a b c d e f g)" = "2 2 2 3" ]
}

@test "without a baseline, every monitor has one block a pass" {
  [ "$(passes 7 2 "0 100" a b | cut -d, -f1-4 | sort | paste -sd ' ')" = "1,a,0,1 1,a,100,1 1,b,0,1 1,b,100,1 2,a,0,1 2,a,100,1 2,b,0,1 2,b,100,1" ]
}

@test "one cell of each block is detailed, at a rate that is drawn, and not at rest" {
  passes 3 40 "0 100 200" none a b >"$BATS_TEST_TMPDIR/plan"
  [ "$(awk -F, '{ detailed[$1, $2, $4] += $5 } END { for (block in detailed) print detailed[block] }' "$BATS_TEST_TMPDIR/plan" | sort -u)" = 1 ]
  [ "$(awk -F, '$5 { print $2 "," $3 }' "$BATS_TEST_TMPDIR/plan" | sort -u | paste -sd ' ')" = "a,100 a,200 b,100 b,200 none,100 none,200" ]
  [ "$(plan_pass 3 1 0 none a | cut -d, -f5 | sort -u)" = 0 ]
}

@test "a pass is the same, whatever was planned before it" {
  passes 9 3 "100 200" none a b c d | tail -n 12 | diff - <(plan_pass 9 3 "100 200" none a b c d)
  RANDOM=4
  plan_pass 9 3 "100 200" none a b c d | diff - <(plan_pass 9 3 "100 200" none a b c d)
}

@test "a pass that is added to a plan goes on counting; what an older plan has is all detailed" {
  printf '%s\n' "$PLAN_HEADER" 1,1,a,100,1,0 2,1,b,100,1,1 >"$BATS_TEST_TMPDIR/plan"
  [ "$(plan_add "$BATS_TEST_TMPDIR/plan" $'2,b,100,1,0\n2,a,100,1,1' | paste -sd ' ')" = "$PLAN_HEADER 1,1,a,100,1,0 2,1,b,100,1,1 3,2,b,100,1,0 4,2,a,100,1,1" ]
  printf '%s\n' cell,rep,monitor,rate,turn 1,1,a,100,1 7,2,b,100,1 >"$BATS_TEST_TMPDIR/plan"
  [ "$(plan_last "$BATS_TEST_TMPDIR/plan")" = "7 2" ]
  [ "$(plan_add "$BATS_TEST_TMPDIR/plan" 3,a,100,1,0 | paste -sd ' ')" = "$PLAN_HEADER 1,1,a,100,1,1 7,2,b,100,1,1 8,3,a,100,1,0" ]
}

@test "the folder of a cell tells its turn from the second on" {
  [ "$(plan_cell_folder none 100 2 1) $(plan_cell_folder none 100 2 3) $(plan_cell_folder none 100 2 '')" = "none/100-2 none/100-2.3 none/100-2" ]
}

@test "the last cell of each block is marked" {
  [ "$(printf '%s\n' 1,1,none,100,1 2,1,none,200,1 3,1,none,100,2 4,1,a,100,1 5,1,b,100,1 6,2,b,100,1 | plan_mark_last | paste -sd ' ')" = \
    "1,1,none,100,1, 2,1,none,200,1,last 3,1,none,100,2,last 4,1,a,100,1,last 5,1,b,100,1,last 6,2,b,100,1,last" ]
  [ -z "$(plan_mark_last </dev/null)" ]
}

@test "a block is not interrupted by another monitor" {
  [ "$(passes 5 3 "1 2 3" none a b c | cut -d, -f1,2,4 | uniq | wc -l)" -eq 15 ]
}

@test "the same seed gives the same pass, another seed or pass another" {
  [ "$(plan_pass 11 1 "1 2 3 4" none a b c)" = "$(plan_pass 11 1 "1 2 3 4" none a b c)" ]
  [ "$(plan_pass 11 1 "1 2 3 4" none a b c)" != "$(plan_pass 12 1 "1 2 3 4" none a b c)" ]
  [ "$(plan_pass 11 1 "1 2 3 4" none a b c | cut -d, -f2-)" != "$(plan_pass 11 2 "1 2 3 4" none a b c | cut -d, -f2-)" ]
}

# Of passes as of seeds that follow each other.
@test "any monitor can be the first of a pass, and any rate that of a block" {
  for seed in {1..40}; do plan_pass "$seed" 1 "1 2 3" none a b c d e f g; done >"$BATS_TEST_TMPDIR/seeds"
  awk -F, -v OFS=, 'NR % 30 == 1 { seed++ } { $1 = seed; print }' "$BATS_TEST_TMPDIR/seeds" >"$BATS_TEST_TMPDIR/plan-1"
  passes 3 40 "1 2 3" none a b c d e f g >"$BATS_TEST_TMPDIR/plan-2"
  for plan in "$BATS_TEST_TMPDIR"/plan-[12]; do
    [ "$(awk -F, '$2 != "none" && !seen[$1]++ { print $2 }' "$plan" | sort -u | paste -sd ' ')" = "a b c d e f g" ]
    [ "$(awk -F, '!seen[$1 "," $2 "," $4]++ { print $3 }' "$plan" | sort -u | paste -sd ' ')" = "1 2 3" ]
  done
}

@test "the baseline's blocks can be at any place among its monitors" {
  passes 3 40 "1" none a b c d e f >"$BATS_TEST_TMPDIR/plan"
  [ "$(awk -F, '{ place[$1]++ } $2 == "none" { print place[$1] }' "$BATS_TEST_TMPDIR/plan" | sort -nu | paste -sd ' ')" = "1 2 3 4 5 6 7 8" ]
}

@test "the time that a plan takes: of cells, and of the starts of monitors" {
  [ "$(plan_seconds 0 0 30) $(plan_seconds 2 0 30) $(plan_seconds 0 2 30)" = "0 $((2 * (30 + PLAN_CELL_EXTRA_SECONDS))) $((2 * PLAN_BLOCK_EXTRA_SECONDS))" ]
}
