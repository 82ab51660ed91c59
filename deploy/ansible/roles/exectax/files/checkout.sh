#!/usr/bin/env bash
# checkout.sh CHECKOUT: packs the commit that is checked out there, with its version in it, and prints `SHA256 FILE`. The same commit gives the same file.
set -euo pipefail
cd "$1"
git rev-parse --verify --quiet HEAD >/dev/null || {
  echo "checkout.sh: $1 is no checkout, expected exectax_from to be the path of a .deb, or this playbook to be in a checkout of exectax" >&2
  exit 1
}
version=$(git describe --always)
file=$PWD/build/fleet/exectax-$version.tar.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
echo "$version" >"$work/VERSION"
mkdir -p "${file%/*}"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -c . | gzip -n >"$file.new"
mv "$file.new" "$file"
echo "$(sha256sum "$file" | cut -d ' ' -f 1) $file"
