#!/usr/bin/env bats
# A real package with a service, installed for real: as a distribution's, it enables its service both ways and would start it.

load ../rooms

load helpers

PACKAGE=exectax-test-service

setup_file() {
  export FOLDER=$BATS_FILE_TMPDIR
  make_service_package
}

setup() {
  require_root
  cd "$ROOT" || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host
  say() { :; }
  cd "$FOLDER" || return 1
  # Of the test before, in which it was to be.
  rm -f started
}

teardown() {
  dpkg --purge "$PACKAGE" >/dev/null 2>&1 || true
}

make_service_package() {
  local root=$FOLDER/root
  mkdir -p "$root/DEBIAN" "$root/lib/systemd/system" "$root/etc/init.d"
  printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: none <none@localhost>\nDescription: a service of a test\n' "$PACKAGE" >"$root/DEBIAN/control"
  printf '[Service]\nExecStart=/bin/touch %s/started\n[Install]\nWantedBy=multi-user.target\n' "$FOLDER" >"$root/lib/systemd/system/$PACKAGE.service"
  printf '#!/bin/sh\n### BEGIN INIT INFO\n# Provides: %s\n# Required-Start:\n# Required-Stop:\n# Default-Start: 2 3 4 5\n# Default-Stop: 0 1 6\n### END INIT INFO\n[ "$1" != start ] || touch %s/started\n' \
    "$PACKAGE" "$FOLDER" >"$root/etc/init.d/$PACKAGE"
  cat >"$root/DEBIAN/postinst" <<SCRIPT
#!/bin/sh
set -e
deb-systemd-helper enable $PACKAGE.service
update-rc.d $PACKAGE defaults
cat /proc/self/cgroup >$FOLDER/group
invoke-rc.d $PACKAGE start || [ \$? = 101 ]
SCRIPT
  printf '#!/bin/sh\nrm -f /etc/systemd/system/*.wants/%s.service\nupdate-rc.d %s remove\ndeb-systemd-helper purge %s.service || true\n' \
    "$PACKAGE" "$PACKAGE" "$PACKAGE" >"$root/DEBIAN/postrm"
  chmod 0755 "$root"/DEBIAN/post* "$root/etc/init.d/$PACKAGE"
  dpkg-deb --root-owner-group --build "$root" "$FOLDER/$PACKAGE.deb" >/dev/null
}

enabled_links() {
  services_enabled | grep -F "$PACKAGE" || true
}

@test "a package's service is neither started nor enabled, and nothing else of the host is changed" {
  before=$(services_enabled)
  policy=$(sha256sum "$INSTALL_POLICY" 2>/dev/null || true)
  install_without_starting "./$PACKAGE.deb"
  [ "$(dpkg-query -W -f '${Status}' "$PACKAGE")" = "install ok installed" ]
  [ ! -e "$FOLDER/started" ]
  grep -q '/exectax/install$' "$FOLDER/group"
  [ "$(services_enabled)" = "$before" ]
  [ "$(sha256sum "$INSTALL_POLICY" 2>/dev/null || true)" = "$policy" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
  cgroup_find_mounts
  [ ! -e "${CGROUP_MOUNTS[0]}/exectax/install" ]
}

@test "what a package has started all the same is let go, not ended" {
  sed "s#^invoke-rc.d.*#setsid sleep 300 </dev/null >/dev/null 2>\&1 \&\necho \$! >$FOLDER/pid#" "$FOLDER/root/DEBIAN/postinst" >"$FOLDER/postinst"
  cp -R "$FOLDER/root" "$FOLDER/starting"
  install -m 0755 "$FOLDER/postinst" "$FOLDER/starting/DEBIAN/postinst"
  dpkg-deb --root-owner-group --build "$FOLDER/starting" "$FOLDER/starting.deb" >/dev/null
  install_without_starting ./starting.deb
  group=$(cat "/proc/$(<"$FOLDER/pid")/cgroup")
  [[ -n $group && $group != *exectax* ]]
  kill "$(<"$FOLDER/pid")"
  cgroup_find_mounts
  [ ! -e "${CGROUP_MOUNTS[0]}/exectax/install" ]
}

@test "installed by apt alone, the same package enables its service" {
  apt_get install "./$PACKAGE.deb"
  [ "$(enabled_links | grep -c wants)" -eq 1 ]
  [ "$(enabled_links | grep -c 'rc[2-5].d')" -eq 4 ]
}

@test "after a kill during the installation, restoring waits for it and disables what it enabled" {
  mkfifo "$FOLDER/installing" "$FOLDER/go-on"
  sed -i "s#^set -e#set -e\necho now >$FOLDER/installing\ncat $FOLDER/go-on#" "$FOLDER/root/DEBIAN/postinst"
  dpkg-deb --root-owner-group --build "$FOLDER/root" "$FOLDER/$PACKAGE.deb" >/dev/null
  (install_without_starting "./$PACKAGE.deb" 3>&-) &
  installer=$!
  read -r -t 120 _ <"$FOLDER/installing"
  kill -KILL "$installer"
  [ -s "$HOST_JOURNAL" ]
  (
    wait_until 1 false || true
    echo >"$FOLDER/go-on"
  ) &
  host_undo
  [ "$(dpkg-query -W -f '${Status}' "$PACKAGE")" = "install ok installed" ]
  [ -z "$(enabled_links)" ]
  [ ! -e "$FOLDER/started" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}
