#!/usr/bin/env bats
# The order of a run: everything once a repetition, shuffled, the same again from the same seed.

load ../rooms

setup() {
  use_rooms base measure
}

@test "every monitor is measured at every rate, once in each repetition" {
  plan_make 3 2 "100 200 400" none a b | tail -n +2 | cut -d, -f2- | sort >"$BATS_TEST_TMPDIR/plan"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/plan")" -eq 18 ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/plan" | wc -l)" -eq 18 ]
}

@test "the baseline has a block beside every three monitors, and each of them is told apart" {
  plan_make 7 2 "100 200" none a b c d e f g >"$BATS_TEST_TMPDIR/plan"
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/plan" | cut -d, -f2- | sort -u | wc -l)" -eq $((2 * 2 * (7 + 3))) ]
  for rep in 1 2; do
    blocks=$(awk -F, -v rep="$rep" '$2 == rep { print $3 "." $5 }' "$BATS_TEST_TMPDIR/plan" | uniq | paste -sd ' ')
    # Three in a row without one between them could at most be followed by three more.
    [[ $blocks == *none.1*none.2*none.3* ]]
    [[ ! $blocks =~ ([a-g]\.1\ ){7} ]]
  done
}

@test "without a baseline, every monitor has one block a repetition" {
  [ "$(plan_make 7 2 "0 100" a b | tail -n +2 | cut -d, -f2- | sort | paste -sd ' ')" = "1,a,0,1 1,a,100,1 1,b,0,1 1,b,100,1 2,a,0,1 2,a,100,1 2,b,0,1 2,b,100,1" ]
}

@test "the folder of a cell tells its turn from the second on" {
  [ "$(plan_cell_folder none 100 2 1) $(plan_cell_folder none 100 2 3) $(plan_cell_folder none 100 2 '')" = "none/100-2 none/100-2.3 none/100-2" ]
}

# again ROW...: what `none a b c d` at 100 and 200 goes on with after these.
again() {
  plan_make 5 2 "100 200" none a b c d >"$BATS_TEST_TMPDIR/plan"
  printf '%s\n' "$@" | plan_again "$BATS_TEST_TMPDIR/plan" | paste -sd ' '
}

@test "what is measured again goes on counting, a block a monitor and repetition, with a baseline at its rates before every three" {
  # Two blocks of the baseline and four of monitors a repetition, two rates each: 24 cells.
  [ "$(again 3,1,a,100,1)" = "25,1,none,100,3 26,1,a,100,2" ]
  [ "$(again 3,1,a,200,1 4,1,a,100,1)" = "25,1,none,100,3 26,1,none,200,3 27,1,a,100,2 28,1,a,200,2" ]
  [ "$(again 3,1,a,200,1 5,2,b,200,1)" = "25,1,none,200,3 26,1,a,200,2 27,2,b,200,2" ]
  [ "$(again 1,2,a,100,1 2,2,b,100,1 3,2,c,100,1 4,2,d,200,1)" = \
    "25,2,none,100,3 26,2,a,100,2 27,2,b,100,2 28,2,c,100,2 29,2,none,200,4 30,2,d,200,2" ]
}

@test "a disturbed baseline is measured again by itself only if nothing else is" {
  [ "$(again 1,1,none,100,1 3,1,a,200,1)" = "25,1,none,200,3 26,1,a,200,2" ]
  [ "$(again 1,1,none,100,1 4,1,none,100,2)" = "25,1,none,100,3" ]
}

@test "without a baseline, what is measured again has none either" {
  plan_make 5 1 "0 100" a b >"$BATS_TEST_TMPDIR/plan"
  [ "$(plan_again "$BATS_TEST_TMPDIR/plan" <<<"2,1,b,100,1")" = "5,1,b,100,2" ]
}

@test "the last cell of each block is marked" {
  [ "$(printf '%s\n' 1,1,none,100,1 2,1,none,200,1 3,1,none,100,2 4,1,a,100,1 5,1,b,100,1 6,2,b,100,1 | plan_mark_last | paste -sd ' ')" = \
    "1,1,none,100,1, 2,1,none,200,1,last 3,1,none,100,2,last 4,1,a,100,1,last 5,1,b,100,1,last 6,2,b,100,1,last" ]
  [ -z "$(plan_mark_last </dev/null)" ]
}

@test "a block is not interrupted by another monitor" {
  [ "$(plan_make 5 3 "1 2 3" none a b c | tail -n +2 | cut -d, -f2,3 | uniq | wc -l)" -eq 12 ]
}

@test "the same seed gives the same plan, another seed another" {
  [ "$(plan_make 11 3 "1 2 3 4" none a b c)" = "$(plan_make 11 3 "1 2 3 4" none a b c)" ]
  [ "$(plan_make 11 3 "1 2 3 4" none a b c)" != "$(plan_make 12 3 "1 2 3 4" none a b c)" ]
}

@test "the order differs between repetitions" {
  [ "$(plan_make 1 6 "1 2 3" none a b c d | tail -n +2 | cut -d, -f2,3 | uniq | awk -F, '{ o[$1] = o[$1] " " $2 } END { for (r in o) print o[r] }' | sort -u | wc -l)" -gt 1 ]
}

@test "any monitor can be the first of a repetition, and any rate that of a block" {
  plan_make 3 40 "1 2 3" none a b c d e f g | tail -n +2 >"$BATS_TEST_TMPDIR/plan"
  [ "$(awk -F, '$3 != "none" && !seen[$2]++ { print $3 }' "$BATS_TEST_TMPDIR/plan" | sort -u | paste -sd ' ')" = "a b c d e f g" ]
  [ "$(awk -F, '!seen[$2 "," $3 "," $5]++ { print $4 }' "$BATS_TEST_TMPDIR/plan" | sort -u | paste -sd ' ')" = "1 2 3" ]
}

@test "the baseline's block can be at any place among its monitors" {
  plan_make 3 40 "1" none a b c | tail -n +2 >"$BATS_TEST_TMPDIR/plan"
  [ "$(awk -F, '{ place[$2]++ } $3 == "none" { print place[$2] }' "$BATS_TEST_TMPDIR/plan" | sort -u | paste -sd ' ')" = "1 2 3 4" ]
}

@test "the time that a plan takes: of cells, and of the starts of monitors" {
  [ "$(plan_seconds 0 0 30) $(plan_seconds 2 0 30) $(plan_seconds 0 2 30)" = "0 $((2 * (30 + PLAN_CELL_EXTRA_SECONDS))) $((2 * PLAN_BLOCK_EXTRA_SECONDS))" ]
}

# more LINE...: one more repetition after two of `none a b c d`.
more() {
  plan_make 5 2 "100 200" none a b c d >"$BATS_TEST_TMPDIR/plan"
  printf '%s\n' "$@" | plan_more "$BATS_TEST_TMPDIR/plan" 5 | tee "$BATS_TEST_TMPDIR/more"
}

@test "one more repetition of some monitors goes on counting, with the baseline beside them at all of their rates" {
  [ "$(more "a 200 400" "b 100" | cut -d, -f1 | paste -sd ' ')" = "25 26 27 28 29 30" ]
  [ "$(cut -d, -f2- "$BATS_TEST_TMPDIR/more" | sort | paste -sd ' ')" = "3,a,200,1 3,a,400,1 3,b,100,1 3,none,100,1 3,none,200,1 3,none,400,1" ]
  # A block is not interrupted, and a fourth monitor has a baseline of its own.
  [ "$(more "a 100 200" "b 100 200" "c 100 200" "d 100 200" | cut -d, -f3,5 | uniq | sort | paste -sd ' ')" = "a,1 b,1 c,1 d,1 none,1 none,2" ]
  [ "$(plan_more "$BATS_TEST_TMPDIR/plan" 5 <<<"a 100" | cut -d, -f1)" = "$(plan_more "$BATS_TEST_TMPDIR/plan" 6 <<<"a 100" | cut -d, -f1)" ]
}

@test "its order is another one with every repetition, and the same again from the same seed" {
  local -a orders=()
  for seed in 1 2 3 4 5 6; do
    plan_make "$seed" 2 100 none a b c >"$BATS_TEST_TMPDIR/plan"
    orders+=("$(printf '%s 100\n' a b c | plan_more "$BATS_TEST_TMPDIR/plan" "$seed" | cut -d, -f3 | paste -sd ' ')")
  done
  [ "$(printf '%s\n' "${orders[@]}" | sort -u | wc -l)" -gt 1 ]
  [ "$(printf '%s 100\n' a b c | plan_more "$BATS_TEST_TMPDIR/plan" 6 | cut -d, -f3 | paste -sd ' ')" = "${orders[5]}" ]
}

@test "how many repetitions every monitor has at least" {
  plan_make 5 3 "100 200" none a b >"$BATS_TEST_TMPDIR/plan"
  [ "$(plan_reps "$BATS_TEST_TMPDIR/plan")" = 3 ]
  more "a 100" >/dev/null
  cat "$BATS_TEST_TMPDIR/more" >>"$BATS_TEST_TMPDIR/plan"
  [ "$(plan_reps "$BATS_TEST_TMPDIR/plan") $(plan_last "$BATS_TEST_TMPDIR/plan")" = "2 26 3" ]
}
