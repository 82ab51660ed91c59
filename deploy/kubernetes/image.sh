#!/usr/bin/env bash
# Builds the image that Containerfile describes without a container engine or a registry. `image.sh --help` has the options.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

readonly RELEASE=trixie
MIRROR=
TAG=localhost/exectax:latest
PACKAGES=
OUT=

usage() {
  cat <<'TEXT'
Usage: deploy/kubernetes/image.sh [options] OUT.tar
Build exectax's container image, as root, from the source tree and Debian's packages, into OUT.tar, which containerd (`ctr -n k8s.io images
import OUT.tar`), Podman and Docker (`load -i OUT.tar`) take. Needs mmdebstrap and buildah.

  --tag NAME       what the image is called (default localhost/exectax:latest)
  --packages LIST  further packages to have in it, separated by spaces
  --mirror URL     Debian's packages (default: where this host's apt has them from)
  --help           show this text

Exit status: 0 built; 1 failed; 2 bad option.
TEXT
}

bad_usage() {
  echo "image.sh: $1; --help lists the options" >&2
  exit 2
}

die() {
  echo "image.sh: $1" >&2
  exit 1
}

while (($#)); do
  case $1 in
    --tag | --packages | --mirror)
      (($# > 1)) || bad_usage "$1: expected a value"
      case $1 in
        --tag) TAG=$2 ;;
        --packages) PACKAGES=$2 ;;
        --mirror) MIRROR=$2 ;;
      esac
      shift
      ;;
    --help)
      usage
      exit 0
      ;;
    -*) bad_usage "unknown option '$1'" ;;
    *)
      [[ -z $OUT ]] || bad_usage "unexpected argument '$1'"
      OUT=$1
      ;;
  esac
  shift
done
[[ -n $OUT ]] || bad_usage "expected the file to write"
((EUID == 0)) || die "needs root: it installs packages into the image"
for tool in mmdebstrap buildah; do
  command -v "$tool" >/dev/null || die "$tool is not installed (package $tool)"
done

if [[ -z $MIRROR ]]; then
  # shellcheck disable=SC2016 # for apt to expand
  MIRROR=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | awk '$1 == "Debian" && !found++ { print $2 }')
  [[ -n $MIRROR ]] || die "this host's apt knows no archive of Debian's, expected --mirror URL"
fi

work=$(mktemp -d)
# Its own store of images, of which nothing stays. RUN with chroot: other ways need a runtime, and namespaces that a container may not have.
store() {
  buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"
}
leave() {
  store rm --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# base: Debian's smallest system of this release, as a layer.
base() {
  local container
  mmdebstrap --quiet --variant=minbase --include=ca-certificates --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$RELEASE" "$work/base.tar" "$MIRROR"
  container=$(store from --isolation chroot scratch)
  store add --quiet "$container" "$work/base.tar" / >/dev/null
  rm "$work/base.tar"
  store commit --quiet --rm "$container" localhost/debian-base >/dev/null
}

version() {
  local commit
  commit=$(git describe --always --dirty 2>/dev/null || true)
  echo "$(sed -nE 's/^VERSION \?= //p' Makefile)${commit:+-$commit}"
}

base
store bud --quiet --isolation chroot --network host --build-arg BASE=localhost/debian-base --build-arg "VERSION=$(version)" \
  --build-arg "PACKAGES=$PACKAGES" --tag "$TAG" --file deploy/kubernetes/Containerfile .
store push --quiet "$TAG" "docker-archive:$work/image.tar:$TAG"
mv "$work/image.tar" "$OUT"
