#!/usr/bin/env bats
# What an installation changes besides: the policy that keeps services from starting, and what packages enable. On a copy of /etc
# of the test's own; apt-get and what knows the packages are doubles.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host
  say() { :; }
  INSTALL_ETC=$BATS_TEST_TMPDIR/etc
  INSTALL_POLICY=$BATS_TEST_TMPDIR/policy-rc.d
  mkdir -p "$INSTALL_ETC"/systemd/system/multi-user.target.wants "$INSTALL_ETC"/rc2.d "$INSTALL_ETC"/init.d "$BATS_TEST_TMPDIR/lib" "$BATS_TEST_TMPDIR/bin"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  # The tools that would look at the real /etc.
  systemctl() { return 1; }
  update-rc.d() { return 1; }
  dpkg-query() { cat "${@/#/$BATS_TEST_TMPDIR/files-of-}" 2>/dev/null || true; }
  apt_get() { "apt_get_double_$1" "$@"; }
  apt_get_double_update() { :; }
  apt_would_install() { printf '%s\n' "$@"; }
  # Groups are the host's: other tests use them, too.
  install_make_group() { :; }
  install_enter_group() { :; }
  undo_install_group() { :; }
}

# enabled UNIT: as a package's postinst enables it, both ways.
enabled() {
  touch "$BATS_TEST_TMPDIR/lib/$1.service" "$INSTALL_ETC/init.d/$1"
  ln -sf "$BATS_TEST_TMPDIR/lib/$1.service" "$INSTALL_ETC/systemd/system/multi-user.target.wants/$1.service"
  ln -sf "../init.d/$1" "$INSTALL_ETC/rc2.d/S01$1"
}

# package_with UNIT: a package of that name owns the unit.
package_with() {
  printf '%s\n' "$BATS_TEST_TMPDIR/lib/$1.service" "$INSTALL_ETC/init.d/$1" >"$BATS_TEST_TMPDIR/files-of-$1"
}

apt_get_double_install() {
  # May it be started? The caller is in a condition, where nothing that fails ends the test.
  "$INSTALL_POLICY" || echo $? >"$BATS_TEST_TMPDIR/answer"
  enabled new-service
  enabled of-an-administrator
}

@test "a package's services are not enabled afterwards, those of others and of before are" {
  package_with new-service
  package_with old-service
  enabled old-service
  install_without_starting new-service old-service
  [ "$(<"$BATS_TEST_TMPDIR/answer")" = 101 ]
  [ "$(services_enabled | grep -c new-service)" -eq 0 ]
  [ "$(services_enabled | grep -c old-service)" -eq 2 ]
  [ "$(services_enabled | grep -c of-an-administrator)" -eq 2 ]
  [ ! -e "$INSTALL_POLICY" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}

@test "a package whose files are known below /lib has its unit below /usr/lib" {
  mkdir -p "$BATS_TEST_TMPDIR/usr"
  touch "$BATS_TEST_TMPDIR/usr/unit.service"
  readlink() { echo /usr/lib/systemd/system/unit.service; }
  echo /lib/systemd/system/unit.service >"$BATS_TEST_TMPDIR/files-of-unit"
  apt_get_double_install() { enabled unit; }
  install_without_starting unit
  [ "$(services_enabled | grep -c unit)" -eq 0 ]
}

# killed_installing: the installation is killed once the package has enabled its service.
killed_installing() {
  (
    installer=$BASHPID
    apt_get_double_install() {
      enabled new-service
      kill -KILL "$installer" $BASHPID
    }
    install_without_starting new-service
  ) || true
}

@test "after a kill, restoring takes the policy away and disables what was enabled" {
  package_with new-service
  killed_installing
  [ -x "$INSTALL_POLICY" ]
  [ "$(services_enabled | grep -c new-service)" -eq 2 ]
  # Also after a restart of the machine.
  sed -i 's/^[0-9a-f-]\{36\} /00000000-0000-0000-0000-000000000000 /' "$HOST_JOURNAL"
  host_undo
  [ ! -e "$INSTALL_POLICY" ]
  [ "$(services_enabled | grep -c new-service)" -eq 0 ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}

@test "an installation after a kill knows the policy as its own, even if the journal is lost" {
  package_with new-service
  killed_installing
  rm -r "$HOST_STATE_DIR"
  install_without_starting new-service
  [ ! -e "$INSTALL_POLICY" ]
}

@test "an administrator's policy stays, before, during and after" {
  package_with new-service
  printf '#!/bin/sh\n# mine\nexit 101\n' >"$INSTALL_POLICY"
  chmod +x "$INSTALL_POLICY"
  install_without_starting new-service
  grep -q mine "$INSTALL_POLICY"
  # One that an administrator put in the place of ours after a kill.
  rm "$INSTALL_POLICY"
  killed_installing
  printf '#!/bin/sh\n# mine\nexit 101\n' >"$INSTALL_POLICY"
  run host_undo
  [ "$status" -eq 0 ]
  [[ $output == *"is not the one that exectax made: left alone"* ]]
  grep -q mine "$INSTALL_POLICY"
}

@test "what an administrator enabled himself after an installation stays enabled" {
  package_with new-service
  install_without_starting new-service
  enabled new-service
  host_undo
  [ "$(services_enabled | grep -c new-service)" -eq 2 ]
}

@test "an installation that fails leaves neither policy nor journal" {
  apt_get_double_install() { return 1; }
  run install_without_starting new-service
  [ "$status" -eq 1 ]
  [ ! -e "$INSTALL_POLICY" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}
