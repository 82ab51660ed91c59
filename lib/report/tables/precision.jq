# How well counted is known, in a line, from the rows of precision.csv. Takes: percent.
include "markdown";
include "shown";
(map(select(.known == "true")) | length) as $known
| "counted is known to \($percent) % or 5 µs (half of its 95 % interval) in "
  + if $known == length then "all \(length) cases below saturation."
    else "\($known) of \(length) cases below saturation. Not yet: "
      + (map(select(.known != "true")) | group_by(.test)
        | map("\(.[0].test | md) (\(map((if .half_width_us | type == "number" then "± \(.half_width_us | shown(0)) µs" else "no interval" end) + " at \(.exec_per_sec)/s") | join(", ")))")
        | join("; ")) + "."
    end
