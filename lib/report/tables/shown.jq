# Figures as text.

# With so many digits after the point; – where it is unknown.
def shown($digits): if type == "number" then . * pow(10; $digits) | round / pow(10; $digits) | . + 0 | tostring else "–" end;

# A mean with half of its 95 % interval, or alone where it has none.
def mean_text($column; $digits):
  .[$column] as $mean | .["\($column)_low"] as $low | .["\($column)_high"] as $high
  | ($mean | shown($digits)) + (if ($low | type == "number") and ($high | type == "number") then " ± \(($high - $low) / 2 | shown($digits))" else "" end);
