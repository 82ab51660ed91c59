#!/usr/bin/env bats
# The order of a run: everything once a repetition, shuffled, the same again from the same seed.

setup() {
  source "$BATS_TEST_DIRNAME/../../lib/plan.sh"
}

@test "every monitor is measured at every rate, once in each repetition" {
  plan_make 3 2 "100 200 400" none a b | tail -n +2 | cut -d, -f2- | sort >"$BATS_TEST_TMPDIR/plan"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/plan")" -eq 18 ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/plan" | wc -l)" -eq 18 ]
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
