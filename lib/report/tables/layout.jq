# Where things go in a picture, in pixels, and how gnuplot is told.
def known: type == "number";
# Of rows with $figure: without its interval where that is of two cells, of which Student's t makes 13 standard errors: no picture is better for it.
def worth_drawing($figure): if (.reps | known) and .reps < 3 then .["\($figure)_low"] = null | .["\($figure)_high"] = null else . end;
# Texts may come from a run, and gnuplot executes what is in backquotes, but for those in single quotes. A text, and a list of words of which each
# may have spaces in it.
def quoted: "'" + (gsub("[[:cntrl:]]"; " ") | gsub("'"; "''")) + "'";
def words: map("\"\(tostring | gsub("\""; "”"))\" ") | add // "" | quoted;
# {NAME: value} as gnuplot's assignments: of a number, a list of words, or a text, and of nothing else.
def assigned:
  to_entries | map("\(.key)=" + (.value | if type == "number" then tostring elif type == "array" then words elif type == "string" then quoted
    else error("\(type) where a picture takes a number, a list or a text") end)) | join("; ");

# A text's width in pixels, in the pictures' 15 points of DejaVu Sans: by kinds of characters, none of which is wider.
def width:
  explode | map(
    if [.] | inside("fijlrt.,:;!|'()[] I" | explode) then 8.5
    elif [.] | inside("mwMW%@" | explode) then 20
    elif . < 128 then if . >= 65 and . <= 90 then 16 else 13 end
    elif . < 11904 then 17
    else 22 end) | add // 0 | ceil;

# Steps of an axis from 0 to $top, of which there are 4 to 10.
def step($top): pow(10; $top | log10 | floor) as $unit | $top / $unit | if . < 2 then 0.2 elif . < 5 then 0.5 else 1 end | . * $unit;

# Takes the wanted places of labels, from above to below; gives places that are no less than $apart from each other, between
# 0 and $height, and in sum of squares as near to the wanted ones as can be: neighbours that collide move as one block.
def spread($apart; $height):
  [to_entries[] | .value - .key * $apart]
  | reduce .[] as $place ([];
      . + [{sum: $place, count: 1}]
      | until(length < 2 or .[-2].sum / .[-2].count <= .[-1].sum / .[-1].count;
          .[:-2] + [{sum: (.[-2].sum + .[-1].sum), count: (.[-2].count + .[-1].count)}]))
  | [.[] | (.sum / .count) as $mean | range(.count) | $mean]
  | ($height - (length - 1) * $apart) as $lowest
  | [to_entries[] | ([[.value, 0] | max, $lowest] | min) + .key * $apart];

# Which figures the whiskers of rows are drawn from, of a figure's name: the ends of its 95 % interval if any row has it, else its
# extremes, which are never mixed. Gives the names of the columns; null if there are neither.
def whiskers_of($figure; $low; $high):
  def has($from; $to): any(.[]; (.[$from] | known) and (.[$to] | known));
  if has("\($figure)_low"; "\($figure)_high") then {kind: "95 % interval", low: "\($figure)_low", high: "\($figure)_high"}
  elif has($low; $high) then {kind: "lowest to highest repetition", $low, $high}
  else null end;

# The lines of a text of which none is longer than $longest, about equally long, broken between words and within one that is too long.
def wrapped($longest):
  (length / $longest | ceil) as $lines
  | (if $lines < 2 then $longest else [$longest, (length / $lines | ceil) + 12] | min end) as $longest
  | [splits(" +") | select(length > 0) | [scan(".{1,\($longest)}")] | .[]]
  | reduce .[] as $word ([]; if length > 0 and (last + " " + $word | length) <= $longest then .[-1] += " " + $word else . + [$word] end);
