# The same as Markdown, from the rows of factors.csv.
include "markdown";
include "shown";
def times($column):
  (.[$column] | shown(2)) + (if (.["\($column)_low"] | type) == "number" then " (\(.["\($column)_low"] | shown(2)) to \(.["\($column)_high"] | shown(2)))" else "" end);
select(length > 0)
| all_md
| "What a limit or knob does:",
  "",
  "| what | from | to | average success EPS, times | EPS before drops, times | pairs of searches |",
  "| --- | ---: | ---: | ---: | ---: | ---: |",
  (.[] | "| \(.factor) | \(.from) | \(.to) | \(times("success_eps_ratio")) | \(times("lossless_eps_ratio")) | \(.pairs) |"),
  "",
  "By what it is multiplied from one value to the next: the geometric mean over all pairs of searches that are alike in everything else and of the same repetition, with its 95 % interval (Student\u0027s). Where that has 1 in it, no effect was shown."
