# What each limit and knob of an experiment does, from the rows of rounds.csv: by what the figures of a search are multiplied from one value to the next one, the geometric
# mean over all searches that are alike in everything else and of the same repetition, with Student's 95 % interval. A search that lost nothing is in no pair: what it held
# is a lower bound.
include "student";
include "way-up";

# 512M or 2 as numbers, other words after them.
def order: tostring
  | (capture("^(?<number>[0-9.]+)(?<unit>[kKMG]?)$") | [0, (.number | tonumber) * ({"": 1, k: 1024, K: 1024, M: 1048576, G: 1073741824}[.unit])]) // [1, .];

# Of a list of logarithms.
def ratio: map(numbers) as $logs | ($logs | length) as $count
  | if $count == 0 then {value: null, low: null, high: null}
    else ($logs | add / $count) as $mean
      | if $count == 1 then {value: ($mean | exp), low: null, high: null}
        else ($logs | map(. - $mean | . * .) | add / ($count - 1) / $count | sqrt * student($count - 1)) as $half
          | {value: ($mean | exp), low: ($mean - $half | exp), high: ($mean + $half | exp)} end
    end;

[group_by(.test, .rep)[] | .[0] as $any | {
    factors: ({cpus: $any.cpus, memory: $any.memory} + ($any | knobs) | with_entries(select(.value != null and .value != ""))),
    monitor: $any.monitor, rep: $any.rep
  } + search]
| . as $all
| map(select(.round != null)) as $searches
| [.[].factors | keys[]] | unique
| [.[] as $factor
  | ([$all[].factors[$factor] | select(. != null)] | unique | sort_by(order)) as $levels
  | range(1; $levels | length) as $i
  | [ $searches[] | select(.factors[$factor] == $levels[$i - 1]) as $from
      | $searches[] | select(.factors[$factor] == $levels[$i] and .monitor == $from.monitor and .rep == $from.rep and (.factors | del(.[$factor])) == ($from.factors | del(.[$factor]))) as $to
      | {success_eps: [$from, $to], lossless_eps: [$from, $to]}
      | with_entries(.key as $figure | .value |= (map(.[$figure]) | if all(type == "number" and . > 0) then (.[1] / .[0] | log) else null end)) ] as $pairs
  | ($pairs | map(.success_eps) | ratio) as $success | ($pairs | map(.lossless_eps) | ratio) as $lossless
  | { factor: $factor, from: $levels[$i - 1], to: $levels[$i],
      pairs: ($pairs | map(.success_eps | numbers) | length),
      success_eps_ratio: $success.value, success_eps_ratio_low: $success.low, success_eps_ratio_high: $success.high,
      lossless_eps_ratio: $lossless.value, lossless_eps_ratio_low: $lossless.low, lossless_eps_ratio_high: $lossless.high } ]
