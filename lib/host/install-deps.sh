#!/usr/bin/env bash
# install-deps.sh run|check|noisy|browser|ansible|kubernetes: the packages that building and running need; those that the tests need as well; those of check-noisy, check-report,
# check-ansible, and of the image and check-kubernetes.
set -euo pipefail
EXECTAX_ROOT=$(realpath "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..")
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

# perf comes with the kernel's tools, which Debian and Ubuntu name differently.
perf_package() {
  if grep -qE '^ID(_LIKE)?=.*ubuntu' /etc/os-release; then
    echo linux-tools-generic
  else
    echo linux-perf
  fi
}

# What clang's sanitizers and fuzzers run with; it came with clang itself up to Debian 11 and Ubuntu 22.04.
clang_runtime_package() {
  grep -qE '^VERSION_CODENAME=(bullseye|focal|jammy)$' /etc/os-release || echo libclang-rt-dev
}

give_back() {
  local status=$?
  host_begin_leaving "$status"
  host_give_back || status=1
  exit "$status"
}

run=(gcc libc6-dev make clang libbpf-dev libaudit-dev libgsl-dev libjansson-dev zlib1g-dev procps util-linux sysstat gnuplot-nox fonts-dejavu-core miller jq gzip
  curl ca-certificates auditd "$(perf_package)")
check=(libcmocka-dev bats shellcheck shfmt clang-format openssl python3 python3-yaml python3-jsonschema python3-prometheus-client gpg gpgv mandoc
  ansible-core openssh-server openssh-client)
split_lines clang_runtime "$(clang_runtime_package)"
check+=("${clang_runtime[@]}")

case ${1:-} in
  run) packages=("${run[@]}") ;;
  check) packages=("${run[@]}" "${check[@]}") ;;
  noisy) packages=("${run[@]}" stress-ng) ;;
  browser)
    packages=("${run[@]}" "${check[@]}" chromium chromium-driver poppler-utils)
    # A newer one than the distribution's has another package.
    command -v npm >/dev/null || packages+=(npm)
    ;;
  ansible) packages=("${run[@]}" "${check[@]}" ansible-lint) ;;
  kubernetes)
    packages=("${run[@]}" mmdebstrap buildah)
    # One that is not the distribution's may be newer.
    command -v kubectl >/dev/null || packages+=(kubernetes-client)
    ;;
  *) die_usage "install-deps.sh: got '${1:-}', expected run, check, noisy, browser, ansible or kubernetes" ;;
esac
if [[ -n $(packages_missing "${packages[@]}") ]]; then
  host_require_root "make install-deps" "it installs packages"
  host_take "make install-deps" give_back
  watch_begin_unbuilt
  install_packages "${packages[@]}"
fi
