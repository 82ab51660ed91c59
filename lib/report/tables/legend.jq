# What plots/perf.gp takes to draw the lines, as gnuplot's assignments; nothing if there is no line. The lines are ordered as they
# are stacked at the right edge: by CPU at the highest rate. Rows of several tables say which is theirs (`table`), what the line
# is called (`title`), and what lines of different tables have in common (`look`: their colour and points).
def known: type == "number";
def quoted: "'" + gsub("'"; "''") + "'";
# At rest there is no place on its axis of rates.
map(select((.cpu | known) and (.achieved_per_sec | known) and .achieved_per_sec > 0)) | group_by(.test)
| map({
    test: .[0].test,
    title: (.[0].title // .[0].test),
    look: (.[0] | if (.look // "") == "" then .test else .look end | tostring),
    table: (.[0].table // 0),
    top: (sort_by(.exec_per_sec) | last.cpu),
    whiskers: any((.cpu_lowest | known) and (.cpu_highest | known)),
    saturated: any(.saturated == true or .saturated == "true"),
    launched: (map(.launched | select(known)) | add),
    lost: (map(.lost | select(known)) | add)
  })
| sort_by(-.top, .title)
| reduce .[].look as $look ({lines: ., looks: []}; if .looks | any(. == $look) then . else .looks += [$look] end)
| .looks as $looks
| .lines | select(length > 0)
| "tests=\(map("\(.test) ") | add | quoted)"
  + "; hues=\(map(.look as $look | "\($looks | map(. == $look) | index(true) + 1) ") | add | quoted)"
  + "; tables=\(map("\(.table) ") | add | quoted)"
  + "; whiskers=\(to_entries | map(select(.value.whiskers) | "\(.key + 1) ") | add // "" | quoted)"
  + "; saturated=\(if any(.saturated) then 1 else 0 end)"
  + "; titles=\(map("\"\(.title)"
    + (if .lost != null and .lost > 0 then " (lost \(if .lost / .launched < 0.001 then "< 0.1" else .lost / .launched * 1000 | round / 10 end) %)" else "" end)
    + "\" ") | add | quoted)"
