# shellcheck shell=bash
# Monitors built from modules of public registries. Who builds one runs what strangers have written, so it is a user who owns
# nothing but the folder in which that happens. Root makes, changes and opens nothing in there: code that ran before may have put a link in its place.

# Root's own: home and tmp in it are the builder's, toolchain shows it what lies in root's home.
BUILD_FOLDER=
# For a large one on a small machine.
BUILD_SECONDS=7200

# in_build_folder COMMAND...: in a folder of BUILD_UID, a user of no name; both are gone afterwards.
in_build_folder() {
  local status=0
  BUILD_UID=$(build_unused_uid) || return 1
  BUILD_FOLDER=/var/tmp/exectax-build-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
  host_record_lasting undo_build "$BUILD_FOLDER" "$BUILD_UID"
  mkdir -m 0711 "$BUILD_FOLDER" && mkdir -m 0700 "$BUILD_FOLDER"/{home,tmp,toolchain} && chown "$BUILD_UID:$BUILD_UID" "$BUILD_FOLDER"/{home,tmp} || return 1
  (cd "$BUILD_FOLDER/home" && "$@") || status=$?
  host_undo_now undo_build "$BUILD_FOLDER" "$BUILD_UID"
  return "$status"
}

# From the range that systemd has for users of no name.
build_unused_uid() {
  local -i tries uid
  for ((tries = 0; tries < 100; tries++)); do
    uid=$((61184 + (RANDOM << 15 | RANDOM) % 4336))
    if ! getent passwd "$uid" >/dev/null && ! getent group "$uid" >/dev/null && ! pgrep -U "$uid" >/dev/null; then
      echo "$uid"
      return
    fi
  done
  echo "no user id from 61184 to 65519 is unused" >&2
  return 1
}

# undo_build FOLDER UID: nothing is removed while somebody could put something in its place, or something is mounted below it.
undo_build() {
  build_end "$2" || return 1
  if grep -qF " ${1:?}/" /proc/self/mountinfo; then
    warn "something is mounted below $1, which is left alone"
    return 1
  fi
  rm -rf --one-file-system "$1"
}

# build_end UID: all processes of a user who runs nothing but a build; 1 if they do not end.
build_end() {
  wait_until 10 build_is_over "$1" && return
  warn "processes of user $1 do not die: $(pgrep -U "$1" | paste -sd ' ')"
  return 1
}

# The user itself ends them: its signal to all reaches what is its own, whatever pids those have by now.
build_is_over() {
  pgrep -U "$1" >/dev/null || return 0
  setpriv --reuid "$1" --regid "$1" --clear-groups --no-new-privs kill -KILL -- -1 2>/dev/null || true
  return 1
}

# as_builder TOOLCHAIN NAME=VALUE... COMMAND...: with the programs of TOOLCHAIN/bin and the distribution's, nothing of our
# environment but NAMEs and how to reach a registry, and processes that all end with the command. In the background, where Ctrl-C
# ends the waiting; undo_build ends the rest.
as_builder() {
  local toolchain=$1 mounted='' name status
  local -a environment
  shift
  build_setpriv test -x "$toolchain/bin" || mounted=$BUILD_FOLDER/toolchain
  environment=("PATH=${mounted:-$toolchain}/bin:/usr/bin:/bin" "HOME=$BUILD_FOLDER/home" "TMPDIR=$BUILD_FOLDER/tmp" LANG=C.UTF-8)
  for name in {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY SSL_CERT_FILE SSL_CERT_DIR; do
    [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
  done
  unshare --mount --pid --fork --kill-child --mount-proc bash -euc "$(declare -f build_isolated); build_isolated \"\$@\"" - \
    "$toolchain" "$mounted" \
    setpriv --reuid "$BUILD_UID" --regid "$BUILD_UID" --clear-groups --inh-caps=-all --no-new-privs \
    env -i "${environment[@]}" "$@" &
  wait_for_pid $! "$BUILD_SECONDS" || {
    status=$?
    child_signal KILL $!
    # These have another user id than when they were bound to end with it.
    build_end "$BUILD_UID" || true
    return "$status"
  }
}

# build_give FOLDER AS: a copy for the builder, who can't read the tree where it is.
build_give() {
  build_setpriv mkdir "$2" && tar -C "$1" -cf - . | build_setpriv tar -C "$2" --no-same-permissions -xf -
}

# build_install FILE NAME: what it has built. The builder reads it, so that a link leads to nothing that is not its own.
build_install() {
  if ! build_setpriv test -f "$1" || build_setpriv test -L "$1"; then
    warn "$2 is not installed: expected a regular file, $1"
    return 1
  fi
  build_setpriv cat -- "$1" >"$BUILD_FOLDER/$2" && install_program "$BUILD_FOLDER/$2" "$2"
}

# How this machine reaches Go modules, and checks them: settings for as_builder, one a line.
build_go_settings() {
  local name
  for name in GOPROXY GOSUMDB GOPRIVATE GONOPROXY GONOSUMDB GOFLAGS GOTOOLCHAIN; do
    echo "$name=$(cd / && go env "$name")"
  done
}

# build_isolated TOOLCHAIN MOUNT_POINT COMMAND...: with nothing open of what the harness has, the lock among it.
build_isolated() {
  local file
  for file in /proc/self/fd/*; do
    file=${file##*/}
    ((file <= 2)) || exec {file}>&-
  done
  [[ -z $2 ]] || mount --bind "$1" "$2"
  shift 2
  exec setsid "$@"
}

build_setpriv() {
  setpriv --reuid "$BUILD_UID" --regid "$BUILD_UID" --clear-groups "$@"
}
