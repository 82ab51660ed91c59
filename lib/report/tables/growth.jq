# What is said of the slope of a monitor's memory over time. Of a row of soak.csv.
include "shown";

def kilobytes: if type == "number" then . / 1000 else null end;

# Never rounded down: less than that would not have been seen.
def shown_up: if . < 0 then 0 else . * 100 | ceil / 100 end | tostring;

def growth_text:
  (.growth_bytes_per_s | kilobytes) as $slope | (.growth_bytes_per_s_low | kilobytes) as $low | (.growth_bytes_per_s_high | kilobytes) as $high
  | if $slope == null then "not known"
    elif $low == null or $high == null then "not known: too few readings"
    elif $low > 0 then "grows by \($slope | shown(2)) kB/s (\($low | shown(2)) to \($high | shown(2)))"
    elif $high < 0 then "shrinks by \(-$slope | shown(2)) kB/s (\(-$high | shown(2)) to \(-$low | shown(2)))"
    else "no growth shown, up to \($high | shown_up) kB/s would not have been seen" end;

def mebibytes: if type == "number" then . / 1048576 else null end;
def memory_text: "\(.memory_first_bytes | mebibytes | shown(1))–\(.memory_last_bytes | mebibytes | shown(1))";

def throttled_text:
  if (.throttled_ms | type) != "number" or (.cpus // "") == "" then "–"
  else "\(.throttled_ms | shown(0)) ms" + (if (.throttled_periods | type) == "number" then " in \(.throttled_periods | shown(0)) periods" else "" end) end;

# Of a soak, what else is to be told.
def soak_notes:
  [(if .host_saturated == "true" then "host saturated" else empty end),
    (if (.start | type) == "number" and .start > 1 then "the monitor had been started again (start \(.start) of the search)" else empty end),
    (if (.oom_kills | type) == "number" and .oom_kills > 0 then "killed \(.oom_kills) times for lack of memory" else empty end),
    (.marks // "" | tostring | select(. != "")),
    (if .status != "ok" then "\(.status): \(.reason)" else empty end)] | join("; ");
