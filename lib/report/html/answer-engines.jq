# The answer of a run of rule engines.
include "words";
include "engine-order";

def engine_told($alone): time_told(.ns; .ns_low; .ns_high; $alone);
def difference_told: time_told(.[0]; .[1]; .[2]; false) | sub(" \\("; " more (");
def with_many: "\(if .module == "today" then "With" else "In \(.module), with" end) \(.signatures) signature\(if .signatures == 1 then "" else "s" end) (\(.signature))";

def event_told($differences):
  .[0] as $first
  | ($first | with_many + ", ") as $at
  | map(select(.ns_low | type == "number")) as $repeated
  | (map(select(.ns_low | type == "number" | not)) | sort_by(.test)) as $once
  | (if $repeated == [] then empty
     elif ($repeated | length) == 1 then "\($at)\($repeated[0].test) costs \($repeated[0] | engine_told(true)) an event."
     else $repeated | ranks_of_engines($differences) as $ranks
       | ranked_told($ranks; $differences | differences_of($first); "ns"; $first.signatures; {at: $at, things: "engines", of: " an event", what: "Time for an event"};
           engine_told(true); engine_told(false); difference_told) end),
    (if $once == [] then empty else "\($at)measured once and so not compared: \($once | each_told(6; engine_told(false))) an event." end);

# What one more signature adds, of the module that is ours.
def bent: (.bend_low | type) == "number" and (.bend_low > 0 or .bend_high < 0);
def signature_told: "\(.engine) \(time_told(.slope; .slope_low; .slope_high; false))\(if bent then ", though its cost is no line" else "" end)";
def signatures_told($signature):
  map(select(.module == "today" and .signature == $signature and .figure == "ns" and (.slope | type == "number"))) | sort_by(.engine)
  | map(select((.slope_low | type == "number") and .slope_low > 0)) as $cost
  | (. - $cost | map(select((.slope_low | type == "number") and .slope_high >= 0))) as $flat
  | (if $cost == [] then empty else "One more signature adds to each event (95 % intervals): \($cost | map(signature_told) | join("; "))." end),
    (if $flat == [] then empty else "Not distinguishable from nothing: \($flat | map(signature_told) | join("; "))." end);

# Of each module one signature: that of the picture, if it is there.
def shown_signatures: group_by(.[0].module) | map(map(select(.[0].signature == "code-injection"))[0] // .[0]);

def engines_answer:
  .engine_differences as $differences | .engine_fits as $fits
  | (.engines | compared_engines | shown_signatures) as $shown
  | if $shown == [] then ["Nothing can be said about what an event costs: no engine was measured. The reasons are below."]
    else
      [$shown[] | event_told($differences)]
      + [$shown[] | select(.[0].module == "today") | .[0].signature as $signature | $fits | [signatures_told($signature)] | select(. != []) | join(" ")]
    end;
