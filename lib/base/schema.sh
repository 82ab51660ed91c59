# shellcheck shell=bash
# The schema of a run: what its files are called and what is in them. manifest.json has its number, which grows when what reads runs has to know
# of a change; results/README.md tells what changed with each.

SCHEMA_NUMBER=5
# Of runs whose manifest.json has none.
SCHEMA_OLDEST=1

# schema_check RUN [LOWEST]: that RUN, which has a manifest.json, can be read here; what needs more than any run has says from which schema on.
schema_check() {
  local problem
  problem=$(schema_problem "$@")
  [[ -z $problem ]] || die_usage "'$1' $problem"
}

# schema_problem RUN [LOWEST]: why it can't be read here, as the end of a sentence about it; nothing if it can.
schema_problem() {
  local problem
  problem=$(jq -nr --argjson lowest "${2:-$SCHEMA_OLDEST}" --argjson oldest "$SCHEMA_OLDEST" --argjson known "$SCHEMA_NUMBER" --arg here "$(tree_version)" \
    -f "$EXECTAX_ROOT/lib/base/schema.jq" "$1/manifest.json" 2>/dev/null) || problem="is damaged: its manifest.json is no JSON"
  [[ -n $problem || ! -f $1/plan.csv ]] || problem=$(schema_plan_problem "$1/plan.csv")
  [[ -z $problem ]] || echo "$problem"
}

# schema_plan_problem PLAN: the same of a plan, of whatever kind of run: bash computes with its numbers, and its names become folders.
schema_plan_problem() {
  LC_ALL=C awk -F, '
    function expected(what, column) {
      value = $column
      gsub(/[^ -~]/, "?", value)
      printf "is damaged: line %d of its plan.csv has \"%s\" as %s, expected %s\n", NR, substr(value, 1, 60), name[column], what
      exit
    }
    NR == 1 {
      for (columns = 1; columns <= NF; columns++) name[columns] = $columns
      columns = NF
      next
    }
    NF != columns {
      printf "is damaged: line %d of its plan.csv has %d fields, expected %d\n", NR, NF, columns
      exit
    }
    {
      for (i = 1; i <= NF; i++) {
        if (name[i] ~ /^(cell|rep|rate|turn|search|count|events|row)$/) {
          if ($i !~ /^(0|[1-9][0-9]*)$/ || length($i) > 15) expected("a whole number", i)
        } else if (name[i] ~ /^(test|monitor|module|engine|signature)$/) {
          if ($i !~ /^[A-Za-z0-9][A-Za-z0-9:@._+=-]*$/) expected("a name", i)
        } else if ($i !~ /^[A-Za-z0-9:@._+= -]*$/) {
          expected("letters, digits and :@._+=-", i)
        }
      }
    }' "$1"
}
