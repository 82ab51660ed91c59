# shellcheck shell=bash
# The schema of a run: what its files are called and what is in them. manifest.json has its number, which grows when what reads runs has to know
# of a change; results/README.md tells what changed with each.

SCHEMA_NUMBER=3
# Of runs whose manifest.json has none.
SCHEMA_OLDEST=1

# schema_check RUN [LOWEST]: that RUN, which has a manifest.json, can be read here; what needs more than any run has says from which schema on.
schema_check() {
  local problem
  problem=$(jq -nr --argjson lowest "${2:-$SCHEMA_OLDEST}" --argjson oldest "$SCHEMA_OLDEST" --argjson known "$SCHEMA_NUMBER" --arg here "$(tree_version)" '
    def writer: (try .sessions[-1].exectax catch null) // .exectax // "of an unknown version" | tostring;
    input
    | if type != "object" then "is damaged: its manifest.json is no JSON object"
      else (if .schema == null then $oldest else .schema end) as $schema
        | if ($schema | type) != "number" or $schema < $oldest or $schema != ($schema | floor) then "is damaged: the schema in its manifest.json is \($schema | tojson), expected a whole number from \($oldest)"
          elif $schema > $known then "has schema \($schema), written by exectax \(writer); this is exectax \($here), which reads schemas \($oldest) to \($known): expected exectax \(writer) or later"
          elif $schema < $lowest then "has schema \($schema), written by exectax \(writer): expected \($lowest) or later"
          else empty end
      end' "$1/manifest.json" 2>/dev/null) || problem="is damaged: its manifest.json is no JSON"
  [[ -z $problem ]] || die_usage "'$1' $problem"
}
