#!/usr/bin/env bats
# A release is taken only if it matches what the vendor published beside it.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export STATE_DIR=$BATS_TEST_TMPDIR/state
  source lib/log.sh
  source lib/lines.sh
  source lib/install.sh
  say() { :; }
  mkdir -p "$BATS_TEST_TMPDIR/built/dist/objects"
  cd "$BATS_TEST_TMPDIR/built" || return 1
  printf '#!/bin/sh\necho it runs\n' >dist/tool
  echo object >dist/objects/one.o
  tar -czf dist/tool.tar.gz ./dist/tool ./dist/objects
  RELEASE=file://$PWD/dist
}

@test "a file and its folder are taken out of a release that matches its checksum" {
  sha256sum dist/tool.tar.gz >dist/tool.tar.gz.sha256
  install_from_tarball tool ./dist/tool "$RELEASE/tool.tar.gz" sha256sum "" ./dist/objects
  [ "$("$STATE_DIR/monitors/tool/bin/tool")" = "it runs" ]
  [ "$(<"$STATE_DIR/monitors/tool/objects/one.o")" = object ]
}

@test "the checksum file may list paths, other files, and marks for binary mode" {
  { echo "0000  ./dist/other.tar.gz" && sha256sum --binary ./dist/tool.tar.gz; } >dist/sums.txt
  install_from_tarball tool ./dist/tool "$RELEASE/tool.tar.gz" sha256sum "$RELEASE/sums.txt"
  [ -x "$STATE_DIR/monitors/tool/bin/tool" ]
}

@test "a release that does not match its checksum, or is not listed, is not installed" {
  { echo more && cat dist/tool.tar.gz; } | sha256sum | sed 's/-$/tool.tar.gz/' >dist/wrong.txt
  sha256sum dist/tool.tar.gz | sed 's/tool/not-tool/' >dist/other.txt
  for sums in wrong other; do
    run install_from_tarball tool ./dist/tool "$RELEASE/tool.tar.gz" sha256sum "$RELEASE/$sums.txt"
    [ "$status" -ne 0 ]
    [[ $output == *"does not match its published checksum"* ]]
    [ ! -e "$STATE_DIR/monitors/tool" ]
  done
}

@test "a release that cannot be had is one line" {
  run install_from_tarball tool ./dist/tool "$RELEASE/missing.tar.gz" sha256sum
  [ "$status" -ne 0 ]
  [ "${#lines[@]}" -eq 1 ]
}
