# Pieces of the page. Whatever a run brings along goes through `text`, which escapes it.
include "shown";

def text: if . == null then "" else tostring | @html end;

def section($id; $title; $body): "<section id=\"\($id)\"><h2>\($title | text)</h2>\n\($body)</section>\n";
def paragraph: "<p>\(text)</p>\n";
def details($summary; $body): "<details><summary>\($summary | text)</summary>\n\($body)</details>\n";

# Cells of a table. What it is sorted by is in `data-v` if the text does not say it; without a figure a row comes last.
def name_cell: "<th scope=\"row\">\(text | if . == "" then "–" else . end)</th>";

# A monitor with rules or limits added is called NAME+WHAT; an own build has a dagger. The monitors of a run, and a row's head that leads to the section of its own.
def base_name: tostring | split("+")[0] | rtrimstr(" †");
def monitors: [(.manifest.versions // {} | keys[]), (.perf[].test | base_name), (.saturation[] | .monitor | base_name)] | unique - ["none"];
def monitor_cell($monitors):
  base_name as $name | ($monitors | index($name)) as $index
  | if $index == null then name_cell else "<th scope=\"row\"><a href=\"#m\($index)\">\(text)</a></th>" end;
def text_cell: "<td class=\"\(if (. // "" | tostring | length) > 24 then "t long" else "t" end)\">\(text)</td>";
def none_cell: "<td data-v=\"\">–</td>";
def number_cell($digits): if type == "number" then "<td data-v=\"\(.)\">\(shown($digits))</td>" else none_cell end;

def interval($low; $high; $digits): "\($low | shown($digits)) to \($high | shown($digits))";

# A mean and its 95 % interval, of a row, times $factor.
def figure_cell($column; $digits; $factor):
  .[$column] as $mean | .["\($column)_low"] as $low | .["\($column)_high"] as $high
  | if ($mean | type) != "number" then none_cell
    else "<td data-v=\"\($mean)\">"
      + ($mean * $factor | shown($digits))
      + (if ($low | type == "number") and ($high | type == "number") then " <span class=\"i\">\(interval($low * $factor; $high * $factor; $digits))</span>" else "" end)
      + "</td>" end;
def figure_cell($column; $digits): figure_cell($column; $digits; 1);

# Without the last column, of notes, if there are none.
def with_notes($heads): if $heads[-1] == "notes" and all(.[]; .[-1] == "<td class=\"t\"></td>") then {heads: $heads[:-1], rows: map(.[:-1])} else {$heads, rows: .} end;

# table($caption; $heads): of rows, each a list of cells; a head is "title" or "title|unit".
def head($is_text): split("|") as [$title, $unit] | "<th scope=\"col\"\(if $is_text then " class=\"t\"" else "" end)><span class=\"head\(if ($title | length) < 13 then " nowrap" else "" end)\">\($title | text)</span>" + (if $unit then " <span class=\"u\">\($unit | text)</span>" else "" end) + "</th>";
def table($caption; $heads):
  with_notes($heads)
  | "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"\($caption | text)\"><table class=\"sort\">\n<caption><span>\($caption | text)</span></caption>\n<thead><tr>"
  + (.rows[0] as $first | .heads | to_entries | map(.key as $column | .value | head($first[$column] // "" | startswith("<td class=\"t"))) | add) + "</tr></thead>\n<tbody>\n" + (.rows | map("<tr>" + add + "</tr>\n") | add // "") + "</tbody></table></div>\n";

# Facts, each [what, value]; those that nobody knows are left out.
def facts: map(select(.[1] != null) | "<dt>\(.[0] | text)</dt><dd>\(.[1] | text)</dd>") | "<dl class=\"facts\">\n\(join("\n"))\n</dl>\n";

# A slope of a line, of {FIGURE: row of fits}.
def slope_cell($figure; $factor; $digits):
  .[$figure] // {} | if (.slope | type) == "number" then
      "<td data-v=\"\(.slope)\">\(.slope * $factor | shown($digits))\(if .slope_low | type == "number" then " <span class=\"i\">\(interval(.slope_low * $factor; .slope_high * $factor; $digits))</span>" else "" end)</td>"
    else none_cell end;

# Of [{name, href, bytes, packed}].
def saved_files: map("<li><a download=\"\(.name | text)\" href=\"\(.href)\">\(.name | text)</a>, \(.bytes) bytes\(if .packed then ", packed with gzip" else "" end)</li>") | "<ul>\n\(join("\n"))\n</ul>\n";

# Where figures come from, as build/figures says it.
def sources($columns; $names):
  [$names[] as $name | $columns[$name] | select(. != null)
    | "<dt><code>\($name | text)</code>\(if .unit != "" then ", \(.unit | text)" else "" end)</dt><dd>\(.what | text)."
      + " Source: \(.source | text)\(if .window != "" then "; window \(.window | text)" else "" end).</dd>"]
  | if . == [] then "" else details("Where these figures come from"; "<dl>\(join("\n"))</dl>\n") end;

# A whole page, line by line, of {title, heading, under, asked, answer: [paragraph], picture, sections: [[id, name in the list of sections, title, body]], footer}. $look: style and
# script, and their hashes.
def document($look):
  (.sections | map(select(.[3] != ""))) as $sections
  | "<!DOCTYPE html>",
    "<html lang=\"en\">",
    "<head>",
    "<meta charset=\"utf-8\">",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '\($look.style_hash)'; script-src '\($look.script_hash)'; base-uri 'none'; form-action 'none'\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    "<meta name=\"color-scheme\" content=\"light dark\">",
    "<title>\(.title | text)</title>",
    "<style>\($look.style)</style>",
    "</head>",
    "<body>",
    "<a class=\"skip\" href=\"#answer\">To the answer</a>",
    "<header><h1>\(.heading | text)</h1>",
    (.under[] | "<p>\(text)</p>"),
    "</header>",
    "<nav aria-label=\"Sections\"><ul><li><a href=\"#answer\">Answer</a></li>\($sections | map("<li><a href=\"#\(.[0])\">\(.[1] | text)</a></li>") | join(""))</ul></nav>",
    "<main>",
    section("answer"; "Asked, and answered"; "<p class=\"asked\">\(.asked | text)</p>\n<div class=\"answer\">\(.answer | map(paragraph) | add // "")</div>\n" + .picture),
    ($sections[] | section(.[0]; .[2]; .[3])),
    "</main>",
    "<footer><p>\(.footer | text)</p></footer>",
    "<script>\($look.script)</script>",
    "</body>",
    "</html>";
