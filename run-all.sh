#!/usr/bin/env bash
# The one command for a fresh machine: get what is missing, build, sweep every monitor that can run here, draw the
# graph. Options are those of `exectax sweep`.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

for option in "$@"; do
  [[ $option != --help && $option != --dry-run ]] || exec ./exectax sweep "$@"
done
# A bad option is found before anything is installed.
./exectax sweep --check-options "$@"
lib/host/install-deps.sh run
make --silent all
exec ./exectax sweep --install "$@"
