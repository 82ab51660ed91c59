#!/usr/bin/env bats
# deploy/kubernetes: its manifests, in the API's own types, and what its scripts refuse. `make check-kubernetes` has a cluster.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
}

@test "every manifest is of the API's known fields, ends, and has no right that it does not need" {
  local obstacle
  obstacle=$(engines_obstacle)
  [[ -z $obstacle ]] || skip "$obstacle"
  cd "$ROOT/deploy/kubernetes"
  go list -mod=readonly -deps -test . >/dev/null || skip "Go modules can't be got here"
  CGO_ENABLED=0 GOWORK=off go test -mod=readonly -vet=off -count=1 -v . >"$BATS_TEST_TMPDIR/output" 2>&1 || true
  cat "$BATS_TEST_TMPDIR/output"
  [ "$(grep -c '^--- PASS: Test' "$BATS_TEST_TMPDIR/output")" = 8 ]
  grep -qx PASS "$BATS_TEST_TMPDIR/output"
}

@test "the Go sources are formatted" {
  command -v gofmt >/dev/null || skip "there is no Go here"
  [ -z "$(gofmt -l "$ROOT/deploy/kubernetes")" ]
}

@test "image.sh and test.sh refuse bad options, each in one line" {
  local script
  for script in image.sh test.sh; do
    run --separate-stderr "$ROOT/deploy/kubernetes/$script" --nothing
    # shellcheck disable=SC2154 # bats sets it
    [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 && $stderr == "$script: "*"--nothing"* ]]
    run -0 "$ROOT/deploy/kubernetes/$script" --help
    [[ $output == "Usage: deploy/kubernetes/$script"* ]]
  done
  run --separate-stderr "$ROOT/deploy/kubernetes/image.sh" --tag x
  [[ $status -eq 2 && $stderr == "image.sh: expected the file to write"* ]]
  run --separate-stderr "$ROOT/deploy/kubernetes/image.sh" --tag
  [[ $status -eq 2 && $stderr == "image.sh: --tag: expected a value"* ]]
}

@test "test.sh says that no cluster answers" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  # A stand-in for kubectl without a cluster.
  printf '#!/bin/sh\necho "The connection was refused" >&2\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/kubectl"
  chmod +x "$BATS_TEST_TMPDIR/bin/kubectl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run --separate-stderr "$ROOT/deploy/kubernetes/test.sh"
  [[ $status -eq 1 && $stderr == *"no cluster answers: expected KUBECONFIG"* ]]
}

@test "the image's sources are there, all that the build stage copies" {
  local source
  while read -r source; do
    [ -e "$ROOT/$source" ] || {
      echo "$source"
      return 1
    }
  done < <(sed -nE 's/^COPY ([^-].*) [^ ]+$/\1/p' "$ROOT/deploy/kubernetes/Containerfile" | tr ' ' '\n')
  # And all that `make deb` needs.
  for source in $(sed -nE 's/^cp -R (.*) "\$TREE\/"$/\1/p' "$ROOT/packaging/install"); do
    grep -qE "^COPY ($source|deploy/kubernetes) /exectax/" "$ROOT/deploy/kubernetes/Containerfile"
  done
}
