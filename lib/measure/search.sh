# shellcheck shell=bash
# The highest rate that is held without loss: double the rate until it is not, then halve the interval between the last
# rate that was and the lowest one that was not.

SEARCH_VERDICT=

# search_verdict VERDICT: how a round went
#   clean      the rate was reached, and nothing lost
#   lossy      something was lost
#   unreached  nothing was lost, but the load could not grow to the rate
#   failed     nothing can be said
search_verdict() {
  SEARCH_VERDICT=$1
}

# search_lossless START MAX PRECISION ROUND...: calls `ROUND... RATE ramp|bisect`, which measures at RATE and then calls
# search_verdict. Rates are whole numbers from START to MAX (below START where that is lossy already); the interval is halved until it
# is within PRECISION percent. Ends at the first rate that is unreached or failed: higher ones would be, too.
search_lossless() {
  local -i start=$1 max=$2 precision=$3 rate clean=0 lossy=0
  shift 3
  for ((rate = start; lossy == 0; rate = rate * 2 < max ? rate * 2 : max)); do
    "$@" "$rate" ramp
    case $SEARCH_VERDICT in
      clean) clean=rate ;;
      lossy) lossy=rate ;;
      *) return 0 ;;
    esac
    ((rate < max)) || break
  done
  ((lossy > 0)) || return 0
  while ((lossy - clean > 1 && (lossy - clean) * 100 > precision * clean)); do
    rate=$(((clean + lossy) / 2))
    "$@" "$rate" bisect
    case $SEARCH_VERDICT in
      clean) clean=rate ;;
      lossy) lossy=rate ;;
      *) return 0 ;;
    esac
  done
}
