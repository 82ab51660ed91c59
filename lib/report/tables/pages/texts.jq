# How figures are written in the tables of docs/, and how their rows are found.

# With exactly so many digits after the point, and a minus sign that is one.
def fixed($digits):
  if type != "number" then "–"
  else (. * pow(10; $digits) | round) as $whole
    | ($whole | fabs | tostring) as $text
    | ("0" * ([$digits + 1 - ($text | length), 0] | max) // "") as $zeros
    | ($zeros + $text) as $text
    | (if $whole < 0 then "−" else "" end) + (if $digits == 0 then $text else $text[:-$digits] + "." + $text[-$digits:] end)
  end;

# 6.7 (6.4 to 7.0)
def with_interval($column; $digits):
  (.[$column] | fixed($digits)) + (if .["\($column)_low"] | type == "number" then " (\(.["\($column)_low"] | fixed($digits)) to \(.["\($column)_high"] | fixed($digits)))" else "" end);

def half_width($column): (.["\($column)_high"] | numbers) as $high | (.["\($column)_low"] | numbers) as $low | ($high - $low) / 2;

def rates: map(.exec_per_sec | numbers | select(. > 0)) | unique;

# The row of a monitor at a rate; an empty one where there is none.
def row($test; $rate): first(.[] | select(.test == $test and .exec_per_sec == $rate)) // {};
