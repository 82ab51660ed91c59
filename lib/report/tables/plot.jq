# The rows of one table (all cells are strings) as lib/report/tables/lines.jq takes them: {rows}; or {problem}: what is wrong with the first
# wrong one. An empty cell was not measured.
# Takes: table (its number; 0 if it is the only one), source (what the table is called).
def numeric: test("^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$");
def number: if . == null or . == "" then null else tonumber end;
# What neither gnuplot's list of words nor a label can hold; and no label takes the picture's place.
def legible: gsub("[[:cntrl:]]"; " ") | gsub("\""; "”") | if length > 60 then .[:59] + "…" else . end;

def problem_of_row:
  . as $row
  | if $row.test == "" then "test is empty"
    elif $row.exec_per_sec == "" and $row.cpu != "" then "exec_per_sec is empty"
    else
      (["exec_per_sec", "cpu", "cpu_low", "cpu_high", "cpu_lowest", "cpu_highest", "achieved_per_sec", "launched", "lost"][]
        | select($row[.] // "" | . != "" and (numeric | not))
        | "\(.) is \($row[.] | tojson), expected a number"),
      (["exec_per_sec", "achieved_per_sec"][]
        | select($row[.] // "" | . != "" and numeric and tonumber < 0)
        | "\(.) is \($row[.]), expected no less than 0")
    end;

[to_entries[] | .key as $i | .value | problem_of_row | "row \($i + 1) below the header: \(.)"] as $problems
| if ($problems | length) > 0 then {problem: $problems[0]}
  elif length == 0 then {problem: "there is no row below the header, expected at least one"}
  elif all(.cpu == "" or (.achieved_per_sec // .exec_per_sec | . == "" or tonumber == 0)) then
    {problem: "no row has both a rate above 0 and a cpu, so there is nothing to draw"}
  else
    {rows: map({
      test,
      exec_per_sec: (.exec_per_sec | number),
      cpu: (.cpu | number),
      cpu_low: (.cpu_low | number),
      cpu_high: (.cpu_high | number),
      cpu_lowest: (.cpu_lowest | number),
      cpu_highest: (.cpu_highest | number),
      achieved_per_sec: (.achieved_per_sec // .exec_per_sec | number),
      saturated: (.saturated == "true"),
      launched: (.launched | number),
      lost: (.lost | number),
      table: $table,
      source: ($source | legible),
      title: (.test + (if $table > 0 then ", \($source)" else "" end) | legible)
    })}
  end
