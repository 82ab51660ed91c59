# What `figures --compare` says, with what else there is to say about two runs, and whether the gate lets it pass.
# Takes: run_a, selection_a, manifest_a (a list of it), and the same of b; anyway (compare what differs, too), limit (the gate's, in %; null if there is none).
include "differs";

# What was measured, of the monitors that are compared.
def programs($side; $tests):
  [$tests | unique[] | . as $test
    | {monitor: $test, version: $side.manifest.versions[$test], binaries: ($side.manifest.binaries[$test] // [])}];

def described($side; $tests):
  $side.manifest as $manifest
  | {run: $side.run, selection: $side.selection, started: $manifest.started, state: $manifest.state, host: $manifest.host,
     exectax: ($manifest | exectax_versions), programs: programs($side; $tests)};

# fine, worse or inconclusive; null: says nothing. What the host was too slow for under A already is no figure to hold B to, nor is what
# neither side tells.
def gate($limit):
  if .verdict == "not comparable" then
    if (.reason // "") | test("^the host was saturated under A|^A does not tell") then null else "inconclusive" end
  elif .column == null then if .verdict == "worse" then "worse" else "fine" end
  elif .ratio.low == null then if .difference.high <= 0 then "fine" else "inconclusive" end
  elif .ratio.low > 1 + $limit / 100 then "worse"
  elif .ratio.high <= 1 + $limit / 100 then "fine"
  else "inconclusive" end;

def outcome: if any(.[]; . == "worse") then "worse" elif length == 0 or any(.[]; . == "inconclusive") then "inconclusive" else "fine" end;

def side($run; $selection; $manifest): {$run, selection: (if $selection == "" then null else $selection end), manifest: $manifest[0]};

. as $figures
| side($run_a; $selection_a; $manifest_a) as $a
| side($run_b; $selection_b; $manifest_b) as $b
| (if .one_run then [] else differs($a.manifest; $b.manifest) end) as $differs
| ($anyway or $differs == []) as $comparable
| {
    version: 1,
    a: described($a; [$figures.comparisons[].a.test]),
    b: described($b; [$figures.comparisons[].b.test]),
    one_run, between_runs_percent, $differs, $comparable,
    comparisons: [.comparisons[]
      | if $comparable then . else .verdict = "not comparable" | .reason = "the runs differ: \($differs | map(.what) | join(", "))" end
      | .gate = if $limit == null then null else gate($limit) end],
    only_a, only_b, baseline_a, baseline_b
  }
| .gate = if $limit == null then null else {
    limit_percent: $limit,
    outcome: ([.comparisons[].gate | values] + [.only_a[] | "inconclusive"] | outcome)
  } end
