#!/usr/bin/env bats
# What builds a module of strangers: who it is, what it sees, and what is left of it.

load ../rooms

setup() {
  ((EUID == 0)) || skip "needs root"
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host
  # A toolchain in a place that root alone can reach, as in root's home.
  TOOLCHAIN=$BATS_TEST_TMPDIR/home/toolchain
  mkdir -p -m 0700 "$TOOLCHAIN/bin"
  chmod 0700 "$BATS_TEST_TMPDIR/home"
  printf '#!/bin/sh\necho compiled\n' >"$TOOLCHAIN/bin/test-compiler"
  chmod 0755 "$TOOLCHAIN" "$TOOLCHAIN/bin" "$TOOLCHAIN/bin/test-compiler"
}

# left_of UID: its folders and processes.
left_of() {
  find /var/tmp -maxdepth 2 -user "$1"
  pgrep -U "$1" || true
}

@test "a build is a user of no name's, with an environment of its own and root's toolchain" {
  export SECRET=of-root
  program() { as_builder "$TOOLCHAIN" WANTED=yes bash -euc 'id -u; id -G; env; test-compiler; ls /root || true; touch "$HOME/mine"'; }
  run in_build_folder program
  [ "$status" -eq 0 ]
  uid=${lines[0]}
  [ "$uid" -ge 61184 ] && [ "$uid" -lt 65520 ]
  [ "${lines[1]}" = "$uid" ]
  [[ $output == *WANTED=yes* && $output == *compiled* && $output != *of-root* && $output == *"/root'"* ]]
  [ -z "$(left_of "$uid")" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}

@test "it can't write where root works, gain rights, or keep a process going" {
  program() {
    as_builder "$TOOLCHAIN" bash -uc '
      id -u
      touch "$1/file" && echo wrote
      grep NoNewPrivs /proc/self/status
      setsid sleep 1000 &
      ls /proc | grep -c "^[0-9]"' - "$BATS_TEST_TMPDIR" 2>/dev/null
  }
  run in_build_folder program
  [[ $output != *wrote* && $output == *$'NoNewPrivs:\t1'* ]]
  # Of all processes it sees its own.
  [ "${lines[-1]}" -lt 10 ]
  [ -z "$(left_of "${lines[0]}")" ]
}

@test "what it leaves in place of a program is not installed" {
  program() {
    as_builder "$TOOLCHAIN" bash -euc 'ln -s /etc/shadow tool' && build_install tool tool
  }
  run in_build_folder program
  [ "$status" -ne 0 ]
  [[ $output == *"expected a regular file"* ]]
  [ ! -e "$DOWNLOAD_STORE/tool/bin/tool" ]
}

@test "what it has built is root's and installed" {
  program() {
    as_builder "$TOOLCHAIN" bash -euc 'test-compiler >tool' && build_install tool tool
  }
  in_build_folder program
  [ "$(stat -c '%U %a' "$DOWNLOAD_STORE/tool/bin/tool")" = "root 755" ]
  [ "$(<"$DOWNLOAD_STORE/tool/bin/tool")" = compiled ]
}

@test "a build that is killed is ended and removed by restoring" {
  mkfifo "$BATS_TEST_TMPDIR/builds"
  chmod 0777 "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/builds"
  program() { as_builder "$TOOLCHAIN" bash -euc 'id -u; exec sleep 1000' >"$BATS_TEST_TMPDIR/builds"; }
  (in_build_folder program 3>&-) &
  builder=$!
  read -r -t 20 uid <"$BATS_TEST_TMPDIR/builds"
  kill -KILL "$builder"
  [ -n "$(left_of "$uid")" ]
  host_undo
  [ -z "$(left_of "$uid")" ]
  [ -z "$(ls "$HOST_STATE_DIR")" ]
}

@test "root makes and changes nothing in the builder's folder, whatever earlier calls have put there" {
  local target=$BATS_TEST_TMPDIR/of-root
  mkdir -m 0755 "$target"
  touch "$target/file"
  program() {
    # Links in the places where a later call might make something.
    as_builder "$TOOLCHAIN" bash -euc 'for name in tmp toolchain sources; do ln -s "$1" "$HOME/$name"; done; rm -rf "$TMPDIR" 2>/dev/null || true' - "$target" &&
      as_builder "$TOOLCHAIN" test-compiler &&
      ! build_give "$BATS_TEST_DIRNAME/../../configs" sources 2>/dev/null &&
      as_builder "$TOOLCHAIN" bash -euc 'ln -s "$1" installed' - "$target" && ! build_install installed/missing tool 2>/dev/null
  }
  run in_build_folder program
  echo "$output"
  [ "$status" -eq 0 ]
  [ "$(stat -c '%u %a' "$target" "$target/file" | paste -sd ' ')" = "0 755 0 644" ]
  [ "$(ls "$target")" = file ]
}

@test "a program behind a link in its path is read by the builder, who can't read what is root's" {
  install -m 0600 /dev/null "$BATS_TEST_TMPDIR/secret"
  program() {
    as_builder "$TOOLCHAIN" bash -euc 'ln -s "$1" folder' - "$BATS_TEST_TMPDIR" && build_install folder/secret tool
  }
  run in_build_folder program
  [ "$status" -ne 0 ]
  [ ! -e "$DOWNLOAD_STORE/tool/bin/tool" ]
}

@test "it has nothing open of what the harness has, the lock among it" {
  EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock
  HOST_LOCK=$EXECTAX_LOCK
  host_lock build
  program() { as_builder "$TOOLCHAIN" bash -c 'find /proc/self/fd -mindepth 1 -printf "%l\n"'; }
  run in_build_folder program
  host_unlock
  [ "$status" -eq 0 ]
  [[ $output == *pipe:* && $output != *"$BATS_TEST_TMPDIR/lock"* ]]
}

@test "a build that takes too long is ended, with all that it began" {
  BUILD_SECONDS=2
  program() {
    echo "$BUILD_UID" >"$BATS_TEST_TMPDIR/uid"
    ! as_builder "$TOOLCHAIN" bash -c 'sleep 1000 & sleep 1000' >/dev/null || return 1
    [[ -z $(pgrep -U "$BUILD_UID") ]]
  }
  in_build_folder program 3>&-
  [ -z "$(left_of "$(<"$BATS_TEST_TMPDIR/uid")")" ]
}

@test "what is mounted in a build's folder is not removed, and stays to be undone" {
  mkdir -p "$BATS_TEST_TMPDIR/kept"
  touch "$BATS_TEST_TMPDIR/kept/file"
  unshare --mount bash -c 'EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh
    mkdir -p "$1/build/home"; mount --bind "$1/kept" "$1/build/home"
    ! undo_build "$1/build" 65519 2>/dev/null && [[ -e $1/kept/file ]] && umount "$1/build/home" && undo_build "$1/build" 65519' - "$BATS_TEST_TMPDIR"
  [ -e "$BATS_TEST_TMPDIR/kept/file" ]
  [ ! -e "$BATS_TEST_TMPDIR/build" ]
}
