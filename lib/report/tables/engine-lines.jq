# What the picture of rule engines shows, of the rows of engines.csv: a line an engine, in µs by number of signatures of code injection. Whiskers that
# a logarithmic axis has no place for are left out.
include "layout";

def engine_lines:
  [.[] | select(.signature == "code-injection" and .reps > 0 and (.ns | known) and .ns > 0)
    | {module: .module, engine, signatures, us: (.ns / 1000)} + (if (.ns_low | known) and .ns_low > 0 then {low: (.ns_low / 1000), high: (.ns_high / 1000)} else {} end)]
  | group_by([.module, .engine])
  | map(select(length > 1) | sort_by(.signatures) | {title: (if .[0].module == "today" then .[0].engine else "\(.[0].module), \(.[0].engine)" end),
      module: .[0].module, engine: .[0].engine, points: ., end: .[-1].us})
  | sort_by(-.end, .title);
