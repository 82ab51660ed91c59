# shellcheck shell=bash
# The highest rate that is held without loss: double the rate until it is not, then halve the interval between the last
# rate that was and the lowest one that was not.

# search_lossless ROUND START MAX PRECISION: calls `ROUND RATE ramp|bisect`, which measures at RATE and sets ROUND_VERDICT to
#   clean      the rate was reached, and nothing lost
#   lossy      something was lost
#   unreached  nothing was lost, but the load could not grow to the rate
#   failed     nothing can be said
# Rates are whole numbers from START to MAX (below START where that is lossy already); the interval is halved until it is
# within PRECISION percent. Ends at the first rate that is unreached or failed: higher ones would be, too.
search_lossless() {
  local round=$1
  local -i start=$2 max=$3 precision=$4 rate=$2 clean=0 lossy=0
  ROUND_VERDICT=clean
  for ((rate = start; lossy == 0; rate = rate * 2 < max ? rate * 2 : max)); do
    "$round" "$rate" ramp
    case $ROUND_VERDICT in
      clean) clean=rate ;;
      lossy) lossy=rate ;;
      *) return 0 ;;
    esac
    ((rate < max)) || break
  done
  ((lossy > 0)) || return 0
  while ((lossy - clean > 1 && (lossy - clean) * 100 > precision * clean)); do
    rate=$(((clean + lossy) / 2))
    "$round" "$rate" bisect
    case $ROUND_VERDICT in
      clean) clean=rate ;;
      lossy) lossy=rate ;;
      *) return 0 ;;
    esac
  done
}
