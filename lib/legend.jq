# The lines of the picture as `name|title`, ordered as they are stacked at the right edge: by CPU at the highest rate.
def known: type == "number";
# At rest there is no place on its axis of rates.
map(select((.cpu | known) and (.achieved_per_sec | known) and .achieved_per_sec > 0)) | group_by(.test)
| map({
    test: .[0].test,
    top: (sort_by(.exec_per_sec) | last.cpu),
    launched: (map(.launched | select(known)) | add),
    lost: (map(.lost | select(known)) | add)
  })
| sort_by(-.top, .test)[]
| "\(.test)|\(.test)" + (if .lost != null and .lost > 0 then " (lost \(if .lost / .launched < 0.001 then "< 0.1" else .lost / .launched * 1000 | round / 10 end) %)" else "" end)
