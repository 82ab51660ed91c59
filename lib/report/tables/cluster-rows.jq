# The rows of a table of one Job's run, as rows of a cluster's run: what the Job was is added, and the combination is told apart from those of other rows and
# nodes. Limits are those that the run itself has read.
def answer: if . == "true" then "yes" elif . == "false" then "no" else . end;
($job.columns | map(select(IN("cpus", "memory") | not))) as $knobs
| ($knobs | map("\(.)=\($job["row_\(.)"] | answer)") | join(" ")) as $values
| ($job.columns | map("\(.)=\($job["row_\(.)"])") | join("+")) as $row
| map({turn: $job.turn, node: $job.node} + .
    # Repetitions are numbered within a run.
    + (if has("rep") then {rep: ($job.rep * 100000 + .rep), search: "\($job.turn).\(.search // "")"} else {} end)
    + {test: ([.test, (if $row == "" then empty else $row end), "node=\($job.node)"] | join("+")), monitor: (.monitor // .test)}
    + (if has("knobs") or has("rep") then {knobs: $values} else {} end)
    + ($job | with_entries(select(.key | startswith("row_")))))
