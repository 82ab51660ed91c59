#!/usr/bin/env bats
# Downloads: what is taken, from whom, and what is refused. The vendor is a server on 127.0.0.1.

load install

setup() {
  install_setup
}

teardown() {
  end_agents
  install_teardown
}

# a_release TEXT: tool.tar.gz with a program that says TEXT, and a folder.
a_release() {
  mkdir -p dist/objects
  printf '#!/bin/sh\necho %s\n' "$1" >dist/tool
  echo object >dist/objects/one.o
  tar -czf tool.tar.gz ./dist/tool ./dist/objects
  sha256sum tool.tar.gz >tool.tar.gz.sha256
}

refused() {
  run "$@"
  [ "$status" -ne 0 ]
  [ ! -e "$DOWNLOAD_STORE/tool/bin/tool" ]
  [ -z "$(left_behind)" ]
}

@test "a file and its folder are taken out of a release that matches its checksum" {
  a_release one
  install_from_tarball tool ./dist/tool ./dist/objects "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/tool.tar.gz.sha256"
  program_says tool one
  [ "$(<"$DOWNLOAD_STORE/tool/objects/one.o")" = object ]
  [ -z "$(left_behind)" ]
}

@test "the checksum file may list paths, other files, and marks for binary mode" {
  a_release one
  { echo "0000  ./dist/other.tar.gz" && sha256sum --binary ./tool.tar.gz; } >sums.txt
  install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/sums.txt"
  program_says tool one
}

@test "a release that does not match its checksum, or is not listed, is not installed" {
  a_release one
  { echo more && cat tool.tar.gz; } | sha256sum | sed 's/-$/tool.tar.gz/' >wrong.txt
  sha256sum tool.tar.gz | sed 's/tool/not-tool/' >other.txt
  for sums in wrong other; do
    refused install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/$sums.txt"
    [[ $output == *"does not match its published checksum"* ]]
  done
}

@test "a release that can't be had is one line" {
  refused install_from_tarball tool ./dist/tool '' "$SERVER/missing.tar.gz" sums sha256sum "$SERVER/sums.txt"
  [ "${#lines[@]}" -eq 1 ]
}

@test "a program as it is, and one out of a package" {
  make_package packed 1 /opt/tool/tool "it runs"
  printf '#!/bin/sh\necho it runs\n' >plain
  install_from_url plain '' "$SERVER/plain" sha256 "$(sha256sum plain | cut -d ' ' -f 1)"
  install_from_url packed /opt/tool/tool "$SERVER/packed_1_all.deb" sha256 "$(sha256sum packed_1_all.deb | cut -d ' ' -f 1)"
  program_says plain "it runs"
  program_says packed "it runs"
  [ ! -e /opt/tool/tool ]
  refused install_from_url tool /opt/other "$SERVER/packed_1_all.deb" sha256 "$(sha256sum packed_1_all.deb | cut -d ' ' -f 1)"
}

@test "what does not have the checksum that is in the tree is not installed" {
  a_release one
  refused install_from_url tool '' "$SERVER/tool.tar.gz" sha256 "$(sha256sum dist/tool | cut -d ' ' -f 1)"
  [[ $output == *"does not have the checksum"* ]]
}

@test "a redirect is followed to HTTPS and refused to HTTP" {
  echo data >data
  download "$SERVER/redirect/data" taken
  cmp data taken
  curl --fail --silent --output plain "$PLAIN/data"
  cmp data plain
  run download "$SERVER/downgrade/data" downgraded
  [ "$status" -ne 0 ]
  [ ! -s downgraded ]
  run download "$PLAIN/data" downgraded
  [ "$status" -ne 0 ]
  [ ! -s downgraded ]
}

@test "a server that no known authority vouches for is refused, whatever root's own settings say" {
  echo data >data
  make_authority "$BATS_TEST_TMPDIR/stranger"
  echo insecure >"$BATS_TEST_TMPDIR/.curlrc"
  CURL_CA_BUNDLE=$BATS_TEST_TMPDIR/stranger/authority.pem HOME=$BATS_TEST_TMPDIR run download "$SERVER/data" taken
  [ "$status" -eq 60 ]
  [ ! -s taken ]
}

@test "a download that stalls ends" {
  DOWNLOAD_STALL_SECONDS=1 DOWNLOAD_SECONDS=30
  run download "$SERVER/stall" taken
  [ "$status" -eq 28 ]
  [[ $output == *"too slow"* ]]
  DOWNLOAD_STALL_SECONDS=30 DOWNLOAD_SECONDS=1
  run download "$SERVER/stall" taken
  [ "$status" -eq 28 ]
  [[ $output == *"timed out"* ]]
}

@test "the same version with other content is refused, a new version is not" {
  a_release one
  install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/tool.tar.gz.sha256"
  install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/tool.tar.gz.sha256"
  a_release two
  run install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" sums sha256sum "$SERVER/tool.tar.gz.sha256"
  [ "$status" -ne 0 ]
  [[ $output == *"has another SHA-256 than when it was first downloaded"* ]]
  program_says tool one
  mkdir v2
  cp tool.tar.gz* v2/
  install_from_tarball tool ./dist/tool '' "$SERVER/v2/tool.tar.gz" sums sha256sum "$SERVER/tool.tar.gz.sha256"
  program_says tool two
}

@test "what nothing vouches for is not even downloaded, unless that is allowed" {
  a_release one
  refused install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" unverified
  [[ $output == *"neither a signature nor a checksum"*"--allow-unverified"* ]]
  EXECTAX_ALLOW_UNVERIFIED=yes install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" unverified
  program_says tool one
}

@test "a release that its vendor's key has signed is installed, one that another's has is not" {
  a_release one
  make_vendor vendor
  pinned=$VENDOR
  make_vendor stranger
  vendor_gpg vendor --detach-sign --armor --output good.asc tool.tar.gz
  vendor_gpg stranger --detach-sign --armor --output bad.asc tool.tar.gz
  # A file with more keys than the pinned one.
  cat vendor.asc stranger.asc >keys.asc
  refused install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" signed "$SERVER/bad.asc" "$SERVER/keys.asc $pinned"
  [[ $output == *"is not signed by its vendor's key $pinned"* ]]
  install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" signed "$SERVER/good.asc" "$SERVER/keys.asc $pinned"
  program_says tool one
}

@test "a key other than the pinned one, or one that was revoked, is not taken" {
  a_release one
  make_vendor vendor
  vendor_gpg vendor --detach-sign --armor --output tool.asc tool.tar.gz
  make_vendor stranger
  refused install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" signed "$SERVER/tool.asc" "$SERVER/vendor.asc $VENDOR"
  [[ $output == *"is not the vendor's key $VENDOR"* ]]
  pinned=$(vendor_gpg vendor --with-colons --list-keys | awk -F: '$1 == "fpr" { print $10; exit }')
  sed 's/^:-----BEGIN/-----BEGIN/' "$BATS_TEST_TMPDIR/vendor/openpgp-revocs.d/$pinned.rev" | vendor_gpg vendor --import
  vendor_gpg vendor --armor --export >revoked.asc
  refused install_from_tarball tool ./dist/tool '' "$SERVER/tool.tar.gz" signed "$SERVER/tool.asc" "$SERVER/revoked.asc $pinned"
  [[ $output == *"was revoked"* ]]
}

# a_repository VENDOR: an apt repository `deb` with all packages here, signed by him.
a_repository() {
  local file
  mkdir -p repository/dists/deb/main/binary-all
  cp ./*.deb repository/
  for file in *.deb; do
    dpkg-deb -f "$file"
    printf 'Filename: %s\nSize: %s\nSHA256: %s\n\n' "$file" "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -d ' ' -f 1)"
  done >repository/dists/deb/main/binary-all/Packages
  mkdir -p "repository/dists/deb/main/binary-$(dpkg --print-architecture)"
  cp repository/dists/deb/main/binary-all/Packages "repository/dists/deb/main/binary-$(dpkg --print-architecture)/"
  (
    cd repository/dists/deb || return 1
    printf 'Suite: deb\nCodename: deb\nComponents: main\nArchitectures: all %s\nDate: %s\nSHA256:\n' "$(dpkg --print-architecture)" "$(LC_ALL=C date -Ru)"
    for file in main/*/Packages; do
      printf ' %s %s %s\n' "$(sha256sum "$file" | cut -d ' ' -f 1)" "$(stat -c %s "$file")" "$file"
    done
  ) >Release
  vendor_gpg "$1" --yes --clearsign --output repository/dists/deb/InRelease Release
  printf 'Acquire::https::CAInfo "%s";\n' "$CURL_CA_BUNDLE" >"$BATS_TEST_TMPDIR/apt.conf"
  export APT_CONFIG=$BATS_TEST_TMPDIR/apt.conf
}

# taken_from_repository KEYS
taken_from_repository() {
  vendor_packages "$SERVER/repository deb main" "$1" tool=1 && dpkg-deb -x tool_1_all.deb unpacked && install_program unpacked/opt/tool tool
}

@test "a vendor's package repository is taken by its pinned key alone, and the host's sources stay out of it" {
  make_package tool 1 /opt/tool one
  make_vendor stranger
  stranger=$VENDOR
  make_vendor vendor
  a_repository vendor
  refused in_work_folder taken_from_repository "$SERVER/stranger.asc $stranger"
  [[ $output == *"is not signed"* || $output == *"couldn't be verified"* ]]
  in_work_folder taken_from_repository "$SERVER/stranger.asc $stranger"$'\n'"$SERVER/vendor.asc $VENDOR"
  program_says tool one
  grep -q "repository/tool_1_all.deb$" "$DOWNLOAD_STORE/sums"
}

@test "a package that is not the one which its repository lists is refused" {
  make_package tool 1 /opt/tool one
  make_vendor vendor
  a_repository vendor
  make_package tool 1 /opt/tool two
  cp tool_1_all.deb repository/
  refused in_work_folder taken_from_repository "$SERVER/vendor.asc $VENDOR"
}

# describe_folder: whose it is and who may look into it.
describe_folder() {
  stat -c '%U %a' .
}

@test "what root unpacks lies in a folder of root's alone, and is gone afterwards" {
  umask 000
  [ "$(in_work_folder describe_folder)" = "$(id -un) 700" ]
  run in_work_folder false
  [ "$status" -eq 1 ]
  [ -z "$(left_behind)" ]
}

@test "a work folder that a kill leaves behind is in the journal" {
  (
    installer=$BASHPID
    in_work_folder eval 'echo unpacked >file; kill -KILL "$installer" $BASHPID'
  ) || true
  [ -n "$(find "$HOST_STATE_DIR" -name file)" ]
  host_undo
  [ -z "$(left_behind)" ]
}

@test "a program is replaced by another file, never written into, and a link is none" {
  printf '#!/bin/sh\necho one\n' >program
  install_program program tool
  exec {running}<"$DOWNLOAD_STORE/tool/bin/tool"
  printf '#!/bin/sh\necho two\n' >program
  install_program program tool
  [ "$(sh <&"$running")" = one ]
  exec {running}<&-
  program_says tool two
  ln -s program link
  run install_program link tool
  [ "$status" -ne 0 ]
  [ "$(ls "$DOWNLOAD_STORE/tool/bin")" = tool ]
}
