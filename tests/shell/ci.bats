#!/usr/bin/env bats
# The script of docs/ci.md on a repository of two commits. exectax is a double that notes how it was called; what it would have measured
# is not there.

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export HOME=$BATS_TEST_TMPDIR GIT_CONFIG_NOSYSTEM=1
  REPOSITORY=$BATS_TEST_TMPDIR/repository
  mkdir -p "$REPOSITORY" "$BATS_TEST_TMPDIR/exectax"
  cd "$REPOSITORY" || return 1
  git init -q
  git config user.email nobody@localhost
  git config user.name nobody
  echo 1.0 >version
  git add version
  git commit -qm first
  git tag base
  echo 1.1 >version
  git commit -qam second
  # Notes its arguments and what the builds are, and ends as COMPARED says where there is a gate.
  cat >"$BATS_TEST_TMPDIR/exectax/exectax" <<'DOUBLE'
#!/usr/bin/env bash
echo "$*" >>"$NOTES"
for argument in "$@"; do
  [[ $argument != *@*=/* ]] || echo "${argument%%=*} is $(cat "${argument#*=}")" >>"$NOTES"
done
[[ $1 != compare ]] || echo "a table"
[[ $* != *--fail-if-worse* ]] || exit "$COMPARED"
DOUBLE
  chmod +x "$BATS_TEST_TMPDIR/exectax/exectax"
  export NOTES=$BATS_TEST_TMPDIR/notes COMPARED=0 EXECTAX=$BATS_TEST_TMPDIR/exectax MONITOR=m PROGRAM=out/m BASE=base OUT=$BATS_TEST_TMPDIR/out \
    BUILD_COMMAND='mkdir -p out && cp version out/m && chmod +x out/m'
}

@test "both commits are built, measured in one run, and compared" {
  run "$ROOT/docs/ci-compare.sh"
  echo "$output"
  [ "$status" -eq 0 ]
  cat "$NOTES"
  grep -qE '^sweep --build m@base=.*/base/out/m --build m@head=.*/head/out/m --rates 400 --reps 12 .*--out '"$OUT/run"'$' "$NOTES"
  grep -qx 'm@base is 1.0' "$NOTES"
  grep -qx 'm@head is 1.1' "$NOTES"
  grep -qE "^compare .*--format markdown --fail-if-worse 5% $OUT/run:@base $OUT/run:@head$" "$NOTES"
  [ "$(cat "$OUT/comment.md")" = "a table" ]
  [ -s "$OUT/comparison.json" ]
  [ -s "$OUT/benchmark.json" ]
}

@test "it ends as the comparison does, and leaves nothing in the repository" {
  COMPARED=3 run "$ROOT/docs/ci-compare.sh"
  [ "$status" -eq 3 ]
  [ -s "$OUT/comment.md" ]
  COMPARED=1 run "$ROOT/docs/ci-compare.sh"
  [ "$status" -eq 1 ]
  [ "$(git worktree list | wc -l)" = 1 ]
  [ -z "$(git status --porcelain)" ]
}

@test "a commit that does not build ends it, with nothing measured" {
  BUILD_COMMAND=false run "$ROOT/docs/ci-compare.sh"
  [ "$status" -eq 1 ]
  [ ! -e "$NOTES" ]
  [ "$(git worktree list | wc -l)" = 1 ]
}

# The comparison as it is, of an exectax that has the options which the script gives it.
@test "exectax takes what the script asks of it" {
  local -a options
  "$ROOT/docs/ci-compare.sh" >/dev/null
  read -ra options <<<"$(grep '^sweep ' "$NOTES" | sed -E 's/--build [^ ]+ //g')"
  EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state run "$ROOT/exectax" "${options[@]}" --monitors none --check-options
  echo "$output"
  ((EUID != 0)) || [ "$status" -eq 0 ]
  grep '^compare ' "$NOTES" >"$BATS_TEST_TMPDIR/compares"
  while read -ra options; do
    run "$ROOT/exectax" "${options[@]}"
    echo "$output"
    [[ $output == *"is not a run: expected a folder"* ]]
  done <"$BATS_TEST_TMPDIR/compares"
}
