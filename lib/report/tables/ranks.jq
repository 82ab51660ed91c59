# How monitors are ranked, from the rows of ranks.csv and differences.csv (src/figures/ranks.c).

def pair: map(tostring) | sort | tojson;
# Of the rows of differences.csv, whether the difference of a figure at $rate is significant, whatever the number of pairs: {PAIR: true or false}.
def significances($figure; $rate): map(select(.figure == $figure and .exec_per_sec == $rate) | {key: ([.test_a, .test_b] | pair), value: (.significant == "true")}) | from_entries;

# ranks($rate): of the rows of ranks.csv, {NAME: {best, worst}}, or {apart: why it has none}.
def ranks($rate): map(select(.exec_per_sec == $rate) | {key: (.test | tostring), value: {best, worst, apart}}) | from_entries;
def is_ranked: . != null and (.best | type == "number");
def rank_text: if is_ranked | not then "–" elif .best == .worst then "\(.best)" else "\(.best)–\(.worst)" end;
# The ranked ones first, from the one that costs least on.
def by_rank($ranks): sort_by($ranks[.test].best // 1e9, $ranks[.test].worst // 1e9, .test != "none", .test);

# What an execution costs at $rate, of the rows of perf.csv.
def costs_at($rate): map(select(.exec_per_sec == $rate and (.daemon_us | type == "number") and .test != "none") | .test |= tostring);

# What is shown by rate, of the rows of perf.csv: of what was attached to, and of a machine without idle time, the total is not known.
def cpu_figure: if any(.[] | select(.test != "none" and .exec_per_sec != 0); .total_cpu | type == "number") then "total_cpu" else "cpu" end;

# At rest nothing is launched.
def rate_head: if . == 0 then "at rest" else "\(.)/s" end;
