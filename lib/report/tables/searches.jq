# A row a combination of monitor, limits and knobs, from its rounds: medians over its searches, lowest and highest beside the
# lossless rate. Of each search
#   lossless: the highest rate that was reached in a round without loss below the lowest lossy one (by the rate asked for); a
#     round in which the host or the load was at its end counts, since nothing was lost in it
#   dropped at: the first lossy round on the way up.
include "median";
def middle(f): map(f | numbers) | median;
def points: if type == "number" then . * 1000 | round / 1000 else . end;
. as $rounds
| [ $rounds | group_by(.test)[]
    | .[0] as $any
    | [ group_by(.rep)[]
        | sort_by(.round) as $search
        | ($search | map(select(.verdict == "lossy")) | min_by(.asked_per_sec)) as $lowest_lossy
        | ($search | map(select((.verdict | IN("clean", "host-saturated", "load-limited")) and (.achieved_per_sec | type == "number")
            and ($lowest_lossy == null or .asked_per_sec < $lowest_lossy.asked_per_sec)))) as $held
        | ($held | max_by(.achieved_per_sec)) as $best
        # What more would have met.
        | ($held | max_by(.asked_per_sec)) as $top
        | ($search | map(select(.phase == "ramp" and .verdict == "lossy")) | .[0]) as $dropped
        | {
            lossless: $best.achieved_per_sec?,
            bound: (if $lowest_lossy != null and ($top == null or $top.verdict == "clean") then "monitor"
              elif $top == null then "failed" elif $top.verdict == "host-saturated" then "host"
              elif $top.verdict == "load-limited" then "load"
              # The search ended early: higher rates were not tried.
              elif ($search | last).verdict == "failed" then "failed" else "--max-rate" end),
            $best, $dropped
          } ] as $searches
    | {
        test: $any.test, monitor: $any.monitor, combination: $any.combination, cpus: $any.cpus, memory: $any.memory, knobs: $any.knobs,
        reps: ($searches | map(select(.lossless | type == "number")) | length),
        rounds: length,
        lossless_per_sec: ($searches | middle(.lossless)),
        lossless_lowest: ($searches | map(.lossless | numbers) | min),
        lossless_highest: ($searches | map(.lossless | numbers) | max),
        behind_s: ($searches | middle(.best.behind_s?)),
        written_per_sec: ($searches | middle(.best.written_per_sec?)),
        bound: ($searches | group_by(.bound) | max_by(length) | .[0].bound),
        dropped_round: ($searches | middle(.dropped.round?)),
        dropped_at_per_sec: ($searches | middle(.dropped.achieved_per_sec?)),
        dropped_host_saturated: ($searches | map(select(.dropped != null)) | length > 0 and (map(select(.dropped.host_saturated == "true")) | length) * 2 > length),
        success_percent: ($searches | middle(.dropped.recorded_percent?)),
        success_per_sec: ($searches | middle(if .dropped == null or (.dropped.achieved_per_sec | type != "number") then null
          else .dropped.achieved_per_sec * .dropped.recorded_percent / 100 end)),
        cpu: ($searches | middle(.best.cpu?)),
        cpu_dropping: ($searches | middle(.dropped.cpu?)),
        memory_peak_bytes: ($searches | middle(.best.memory_peak_bytes?)),
        throttled_ms: ($searches | middle(.best.throttled_ms?)),
        throttled_periods: ($searches | middle(.best.throttled_periods?)),
        restarts: ([group_by(.rep)[] | map(.start | numbers) | select(length > 0) | max - 1] | add),
        oom_kills: ([.[].oom_kills | numbers] | add),
        kernel_events_per_sec: ($searches | middle(.best.kernel_events_per_sec?)),
        status: (map(select(.status != "ok")) | .[0].status // "ok"),
        reason: (map(select(.status != "ok") | .reason) | unique | join("; "))
      }
    | map_values(points) ]
  + [ $manifest[0].skipped | to_entries[] | {test: .key, monitor: .key, status: "skipped", reason: .value} ]
| .[]
