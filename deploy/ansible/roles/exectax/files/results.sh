#!/usr/bin/env bash
# Results on this machine: what was fetched from a host is in FOLDER/HOST, and in FOLDER/.HOST.digest of which state of the host's.
#
# results.sh digest FOLDER HOST: prints that; nothing if there is none.
# results.sh unpack FOLDER HOST DIGEST: FOLDER/.HOST.tar.gz takes the place of FOLDER/HOST.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../../../../lib/base/files.sh"

readonly FOLDER=$2 HOST=$3

digest() {
  [[ ! -d $FOLDER/$HOST || ! -e $FOLDER/.$HOST.digest ]] || cat "$FOLDER/.$HOST.digest"
}

# What was not fetched is not replaced.
unpack() {
  local new=$FOLDER/.$HOST.new
  if [[ -e $FOLDER/$HOST/manifest.json && ! -e $FOLDER/.$HOST.digest ]]; then
    echo "$FOLDER/$HOST has a run that was not fetched, expected another exectax_name" >&2
    exit 1
  fi
  rm -rf "$new"
  mkdir -p "$new"
  tar -C "$new" --no-same-owner --no-same-permissions -xzf "$FOLDER/.$HOST.tar.gz"
  files_make_plain "$new"
  rm -rf "${FOLDER:?}/$HOST"
  mv "$new" "$FOLDER/$HOST"
  echo "$1" >"$FOLDER/.$HOST.digest"
  rm "$FOLDER/.$HOST.tar.gz"
}

case $1 in
  digest) digest ;;
  unpack) unpack "$4" ;;
esac
