#!/usr/bin/env bash
# The one command for a fresh machine: get what is missing and comes ready, build exectax, tell what this host can't measure well, sweep every monitor that can run here, draw the
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
# What keeps a run from beginning, the sweep itself says.
./exectax doctor --no-noise --quiet >&2 || true
exec ./exectax sweep --install "$@"
