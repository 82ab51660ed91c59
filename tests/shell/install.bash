# shellcheck shell=bash
# For tests of what is downloaded: the library with a state folder of the test's own, and a vendor's server with a
# certificate authority, which the test alone knows.

source "$(dirname "${BASH_SOURCE[0]}")/../rooms.bash"

# install_setup: the current folder becomes the one that the server shows; SERVER is its address, PLAIN that of the same over HTTP.
install_setup() {
  local part https http
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host
  say() { :; }
  mkdir "$BATS_TEST_TMPDIR/served"
  cd "$BATS_TEST_TMPDIR/served" || return 1
  make_authority "$BATS_TEST_TMPDIR/tls"
  export CURL_CA_BUNDLE=$BATS_TEST_TMPDIR/tls/authority.pem
  mkfifo "$BATS_TEST_TMPDIR/ports"
  python3 "$BATS_TEST_DIRNAME/tls-server.py" "$PWD" "$BATS_TEST_TMPDIR/tls/server.pem" "$BATS_TEST_TMPDIR/tls/server.key" \
    >"$BATS_TEST_TMPDIR/ports" 2>"$BATS_TEST_TMPDIR/server.txt" 3>&- &
  SERVER_PID=$!
  disown "$SERVER_PID"
  read -r -t 20 https http <"$BATS_TEST_TMPDIR/ports"
  SERVER=https://127.0.0.1:$https
  PLAIN=http://127.0.0.1:$http
}

install_teardown() {
  [[ -z ${SERVER_PID:-} ]] || kill -KILL "$SERVER_PID"
}

# make_authority FOLDER: a certificate authority and, signed by it, a certificate for 127.0.0.1.
make_authority() {
  local -a new_key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  mkdir "$1"
  openssl req -x509 "${new_key[@]}" -days 2 -subj "/CN=authority of a test" -keyout "$1/authority.key" -out "$1/authority.pem"
  openssl req "${new_key[@]}" -subj "/CN=127.0.0.1" -keyout "$1/server.key" -out "$1/server.csr"
  printf 'subjectAltName=IP:127.0.0.1\n' >"$1/extensions"
  openssl x509 -req -days 2 -in "$1/server.csr" -CA "$1/authority.pem" -CAkey "$1/authority.key" -CAcreateserial \
    -extfile "$1/extensions" -out "$1/server.pem"
} 2>/dev/null

# make_vendor NAME: a vendor with a signing key: its fingerprint is in VENDOR, its public key in NAME.asc. vendor_gpg NAME ... is his gpg.
make_vendor() {
  mkdir -m 0700 "$BATS_TEST_TMPDIR/$1"
  vendor_gpg "$1" --passphrase '' --quick-generate-key "$1 <$1@localhost>" ed25519 sign never
  vendor_gpg "$1" --armor --export >"$1.asc"
  VENDOR=$(vendor_gpg "$1" --with-colons --list-keys | awk -F: '$1 == "fpr" { print $10; exit }')
}

vendor_gpg() {
  gpg --homedir "$BATS_TEST_TMPDIR/$1" --batch --quiet "${@:2}" 3>&-
}

# end_agents: gpg leaves one behind for each vendor.
end_agents() {
  local folder
  for folder in "$BATS_TEST_TMPDIR"/*/private-keys-v1.d; do
    [[ ! -d $folder ]] || gpgconf --homedir "${folder%/*}" --kill gpg-agent
  done
}

# make_package NAME VERSION FILE TEXT: a Debian package with one program.
make_package() {
  mkdir -p "package/DEBIAN" "package${3%/*}"
  printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: none <none@localhost>\nDescription: test\n' "$1" "$2" >package/DEBIAN/control
  printf '#!/bin/sh\necho %s\n' "$4" >"package$3"
  chmod +x "package$3"
  dpkg-deb --root-owner-group --build package "$1_$2_all.deb" >/dev/null
  rm -r package
}

# program_says NAME TEXT: what is in the store is that program.
program_says() {
  [ "$("$DOWNLOAD_STORE/$1/bin/$1")" = "$2" ]
}

# left_behind: what is in the state folder besides the store.
left_behind() {
  find "$HOST_STATE_DIR" -mindepth 1 -maxdepth 1 ! -name monitors
}
