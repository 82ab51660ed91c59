# What a set of rules adds to a monitor, as Markdown, a row a monitor and figure, from the rows of sets.csv.
# Takes: set (the manifest's), mix (what the load does besides), login_uid, points (rows of rules.csv), skipped (the manifest's).
include "markdown";
include "shown";

def digits: if (.unit | startswith("ns")) or .figure == "memory_peak_bytes" or .figure == "start_ms" or .figure == "log_bytes" then 0 else 1 end;

def added_text:
  mean_text("added"; digits)
  + (if (.added_low | type) == "number" and .added_low <= 0 and .added_high >= 0 then " (not distinguishable from 0)" else "" end);

all_md
| . as $rows
| ([$points, $set, $skipped, $mix, $login_uid] | all_md) as [$points, $set, $skipped, $mix, $login_uid]
| "Set \($set.name): \($set.rules) rules for \($set.format), \($set.loaded) of them in force\(if ($set.left_out | length) > 0 then ", \($set.left_out | length) lines left out (manifest.json says which, and why)" else "" end).",
  "",
  "| monitor | figure | unit | without the set | with it | added | cells |",
  "| --- | --- | --- | ---: | ---: | ---: | ---: |",
  ($rows[] | digits as $digits
    | "| \(.monitor) | \(.figure) | \(.unit) | \(mean_text("without"; $digits)) | \(mean_text("with"; $digits)) | "
      + added_text + " | \(.reps_without), \(.reps) |"),
  "",
  "The same monitor without the set and with it: means, ± half of their 95 % intervals. Figures in µs are per execution; the load is \($points | map(.exec_per_sec) | first // "?") executions a second"
    + (if $mix == "" then "" else ", and as many of \($mix), in turn" end)
    + (if $login_uid == "" then ", without a login uid" else ", of the login uid \($login_uid)" end)
    + ". What is in the program, and slowdown, are of the executions; what the set costs a system call is in ns a call, more than without a monitor.",
  (([$points[] | select(.status != "ok") | {name: "\(.monitor)\(if .rules == 0 then "" else " with \(.kind)" end)", why: "\(.status): \(.reason)"}]
    + [$skipped | to_entries[] | {name: .key, why: "skipped: \(.value)"}]
    + [$points[] | select(.saturated == "true") | {name: "\(.monitor)\(if .rules == 0 then "" else " with \(.kind)" end)", why: "the host was saturated: its figures are those of a lower rate"}]) as $others
    | if $others == [] then empty else "", "Without figures, or without some:", ($others[] | "- \(.name): \(.why)") end)
