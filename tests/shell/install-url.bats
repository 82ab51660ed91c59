#!/usr/bin/env bats
# Programs that vendors publish without an archive: taken as they are, or out of a package that is not installed.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  STATE_DIR=$BATS_TEST_TMPDIR/state
  source lib/log.sh
  source lib/lines.sh
  source lib/progress.sh
  source lib/install.sh
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir -p package/DEBIAN package/opt/tool
  printf 'Package: tool\nVersion: 1\nArchitecture: all\nMaintainer: none <none@localhost>\nDescription: test\n' >package/DEBIAN/control
  printf '#!/bin/sh\necho it runs\n' | tee tool >package/opt/tool/tool
  dpkg-deb --root-owner-group --build package tool.deb >/dev/null
}

@test "a program as it is, and one out of a package" {
  install_from_url plain "file://$PWD/tool"
  install_from_url packed "file://$PWD/tool.deb" /opt/tool/tool "$(sha256sum tool.deb | cut -d ' ' -f 1)"
  for name in plain packed; do
    [ "$("$STATE_DIR/monitors/$name/bin/$name")" = "it runs" ]
  done
  [ ! -e /opt/tool/tool ]
}

@test "what does not have its checksum, can't be had or is not in the package is not installed" {
  run install_from_url tool "file://$PWD/tool.deb" /opt/tool/tool "$(sha256sum tool | cut -d ' ' -f 1)"
  [ "$status" -ne 0 ]
  [[ $output == *"does not have the checksum"* ]]
  run install_from_url tool "file://$PWD/missing"
  [ "$status" -ne 0 ]
  run install_from_url tool "file://$PWD/tool.deb" /opt/other
  [ "$status" -ne 0 ]
  [ ! -e "$STATE_DIR/monitors/tool/bin/tool" ]
}
