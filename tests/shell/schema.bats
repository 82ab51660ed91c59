#!/usr/bin/env bats
# The schema of a run's files: who writes its number, who reads which, and that a newer one is refused.

load ../rooms
load ../made-up-run

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_RULE_SETS=$BATS_TEST_TMPDIR/sets
  RUN=$BATS_TEST_TMPDIR/runs/run
  mkdir -p "$RUN" "$EXECTAX_RULE_SETS"
  echo "cell,rep,monitor,rate,turn" >"$RUN/plan.csv"
  echo "test,exec_per_sec,counted_us" >"$RUN/perf.csv"
}

# The numbers in the table of schemas.
told() {
  sed -n '/^## Schemas/,/^## [^S]/ s/^| \([0-9]*\) | .*$/\1/p' "$ROOT/results/README.md"
}

# begun KIND OPTION...: what the manifest of such a run says when it begins.
begun() (
  local kind=$1
  shift
  use_rooms base host monitor measure report command
  "${kind}_options" --out "$RUN" "$@" >/dev/null
  block_set_tag x1
  manifest_begin "$RUN" "$kind"
  jq -c '[.schema, .kind, .options.set]' "$RUN/manifest.json"
)

@test "each kind of run writes the schema, which is the last one that is told of" {
  local schema
  schema=$(told | tail -n 1)
  printf '%s\n' '-w /a' >"$EXECTAX_RULE_SETS/30-stig.rules"
  rm -r "$RUN"/*
  [ "$(begun sweep --monitors auditd-raw)" = "[$schema,\"sweep\",null]" ]
  rm "$RUN/manifest.json"
  [ "$(begun saturate --monitors auditd-raw)" = "[$schema,\"saturate\",null]" ]
  rm "$RUN/manifest.json"
  [ "$(begun rules --monitors auditd-raw)" = "[$schema,\"rules\",null]" ]
  rm "$RUN/manifest.json"
  [ "$(begun rules --monitors auditd-raw --set stig)" = "[$schema,\"rules\",\"stig\"]" ]
  rm "$RUN/manifest.json"
  [ "$(begun engines --engines)" = "[$schema,\"engines\",null]" ]
  # Every one of them is told of.
  [ "$(told)" = "$(seq "$schema")" ]
}

# checked SCHEMA [LOWEST]: of a run with that in its manifest, JSON.
checked() {
  use_rooms base
  tree_version() { echo v5; }
  manifest "{\"exectax\": \"v6\", \"sessions\": [{\"exectax\": \"v7\"}, {\"exectax\": \"v8\"}], \"schema\": $1}"
  run schema_check "$RUN" "${@:2}"
  echo "$status ${output#"exectax: '$RUN' "}"
}

@test "a run without a schema is of the oldest; a newer one is refused with who wrote it, and what could read it" {
  [ "$(checked null)" = "0 " ]
  [ "$(checked 1)" = "0 " ]
  [ "$(checked "$(told | tail -n 1)")" = "0 " ]
  local -i newest next
  newest=$(told | tail -n 1) next=newest+1
  [ "$(checked "$next")" = "2 has schema $next, written by exectax v8; this is exectax v5, which reads schemas 1 to $newest: expected exectax v8 or later" ]
  # What only later runs have.
  [ "$(checked null 2)" = "2 has schema 1, written by exectax v8: expected 2 or later" ]
  [ "$(checked 2 2)" = "0 " ]
}

@test "a schema that is none, and a manifest that is none" {
  local schema
  for schema in 0 -1 1.5 '"2"' false '{}'; do
    [ "$(checked "$schema")" = "2 is damaged: the schema in its manifest.json is $schema, expected a whole number from 1" ]
  done
  use_rooms base
  echo '[7]' >"$RUN/manifest.json"
  run schema_check "$RUN"
  [ "$status $output" = "2 exectax: '$RUN' is damaged: its manifest.json is no JSON object" ]
  echo '{' >"$RUN/manifest.json"
  run schema_check "$RUN"
  [ "$status $output" = "2 exectax: '$RUN' is damaged: its manifest.json is no JSON" ]
}

# A manifest of a run that nobody knows yet, whatever else is in it.
newer() {
  manifest "{\"kind\": \"$1\", \"schema\": 99, \"exectax\": \"v99\"}"
}

# refuses ARGUMENT...: exit status 2, one line that says why, and the run is as it was.
refuses() {
  find "$RUN" -type f -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/before"
  run --separate-stderr "$ROOT/exectax" "$@"
  echo "$*: $status $output $stderr"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  [[ $stderr == "exectax: '$RUN' has schema 99, written by exectax v99; this is exectax "*", which reads schemas 1 to $(told | tail -n 1): expected exectax v99 or later" ]]
  find "$RUN" -type f -exec sha256sum {} + | sort | diff "$BATS_TEST_TMPDIR/before" -
}

@test "every reader refuses a run of a newer schema" {
  local kind
  for kind in sweep saturate rules engines whatever; do
    newer "$kind"
    refuses report "$RUN"
  done
  newer sweep
  refuses compare "$RUN" "$RUN:m"
  refuses compare --history "$BATS_TEST_TMPDIR/runs"
  refuses estimate --exec-rate 1 "$RUN"
  refuses publish "$RUN"
  refuses sweep --resume "$RUN"
  refuses sweep --repeat "$RUN"
  newer saturate
  refuses saturate --resume "$RUN"
  newer rules
  refuses rules --resume "$RUN"
}
