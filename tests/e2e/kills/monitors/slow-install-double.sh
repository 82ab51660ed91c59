# shellcheck shell=bash
# A double: the baseline, whose installation is an apt-get that takes its time.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: installed slowly, does nothing"

monitor_install() { install_packages exectax-double; }
