# What is wrong with a run's manifest.json, in words, the first of all problems; nothing if it can be read here. A run can come from anybody: its names become
# names of files, its numbers and texts a part of what other programs are told. Each is of its type, or the run is refused.
# Takes: lowest, oldest, known (numbers of schemas), here (this exectax's version).
def control: explode | any(. < 32 and . != 9 and . != 10 or . >= 127 and . < 160);
def is_line: type == "string" and (test("[\\t\\n]") or control | not);
# Of a monitor, a build, a kind of rules, an action, a limit or a knob's value: the name of a folder, too.
def is_name: type == "string" and test("\\A[A-Za-z0-9][A-Za-z0-9:@._+=-]*\\z");
# Neither beyond what 64 bits hold, nor infinite.
def is_number: type == "number" and fabs <= 4e18;
def is_count: is_number and . >= 0 and . == floor;
def is_list(f): type == "array" and all(.[]; f);
def is_map(key; value): type == "object" and all(keys_unsorted[]; key) and all(.[]; value);
def or_null(f): . == null or f;

# Of what is there; what is not, its reader misses.
def check($path; f; $expected): getpath($path) as $value
  | if $value == null or ($value | f) then empty else "has \($value | tojson | if length > 60 then .[:57] + "..." else . end) as \($path | join(".")), expected \($expected)" end;
def is_time: type == "string" and test("\\A[0-9T:.Z+-]{10,40}\\z");

def options_problems:
  check(["options"]; type == "object"; "an object"),
  (select(.options | type == "object")
    | (("duration_s", "instrumented_s", "syscalls_s", "calibrate_s", "warmup_s", "round_s", "load_s", "soak_s", "soak_percent", "reps", "repeat_disturbed", "seed", "precision_percent", "budget_s",
        "start_per_sec", "max_per_sec", "rate_per_sec") as $name | check(["options", $name]; is_number and . >= 0; "a number")),
      check(["options", "side_s"]; . == "auto" or is_count; "a number, or auto"),
      check(["options", "attached"]; type == "boolean"; "true or false"),
      (("monitors", "actions", "kinds", "mix") as $name | check(["options", $name]; is_list(is_name); "a list of names")),
      (("rates", "counts") as $name | check(["options", $name]; is_list(is_count); "a list of whole numbers")),
      (("profile", "set") as $name | check(["options", $name]; is_name; "a name")),
      (("limit_cpus", "limit_memory") as $name | check(["options", $name]; type == "string" and test("\\A[0-9A-Za-z. -]*\\z"); "limits")),
      check(["options", "load_cpus"]; type == "string" and test("\\A[0-9,-]+\\z"); "a list of CPUs"),
      check(["options", "login_uid"]; type == "string" and test("\\A[0-9]*\\z"); "a user id"),
      (("journald_audit", "keep_logs", "tracee") as $name | check(["options", $name]; is_name; "a word")),
      check(["options", "builds"]; is_map(is_name; is_line); "the files of builds"),
      check(["options", "vary"]; is_map(test("\\A[a-z][a-z0-9_]*\\z"); is_list(is_name)); "knobs with their values"));

def problems:
  check(["kind"]; IN("sweep", "saturate", "rules", "engines", "cluster"); "a kind of run"),
  check(["state"]; IN("started", "interrupted", "complete"); "a state"),
  (("started", "ended") as $name | check([$name]; is_time; "a time")),
  check(["exectax"]; is_line; "a version"),
  check(["outcome"]; is_line; "how the run ended"),
  check(["id"]; is_name; "a name"),
  check(["run_tag"]; is_name; "a tag"),
  check(["sessions"]; is_list(type == "object" and (.tag | or_null(is_name))); "a list of sessions with tags"),
  check(["host"]; is_map(is_line; is_line or is_number or type == "array" or . == null); "texts and numbers"),
  (("cpus", "memory_kib") as $name | check(["host", $name]?; is_count; "a whole number")),
  check(["versions"]; is_map(is_line; or_null(type == "string")); "versions by monitor"),
  check(["binaries"]; is_map(is_name; is_list(type == "object" and (.path | is_line) and (.sha256 | is_line))); "files by monitor"),
  check(["own_builds"]; is_map(is_name; is_line); "changes by monitor"),
  check(["references"]; is_list(is_name); "a list of names"),
  check(["skipped"]; is_map(is_line; type == "string"); "reasons by monitor"),
  check(["set"]; type == "object" and (.name | or_null(is_name)) and (.format | or_null(is_name)) and (.rules | or_null(is_count)) and (.loaded | or_null(is_count))
    and (.left_out | or_null(is_list(type == "object"))) and (.files | or_null(is_list(type == "object" and (.path | is_line)))); "what a set of rules is"),
  options_problems,
  (first(paths | select(.[-1] | type == "string" and (is_line | not))) | "has the name \(.[-1] | tojson), expected names without control characters"),
  (first(paths(type == "string" and control)) | "has control characters in \(map(tostring) | join(".")), expected text"),
  (first(paths(type == "number" and (is_number | not))) | "has a number in \(map(tostring) | join(".")) that nothing measured is");

def writer: (try .sessions[-1].exectax catch null) // .exectax // "of an unknown version" | tostring;
def schema_problem:
  (if .schema == null then $oldest else .schema end) as $schema
  | if ($schema | type) != "number" or $schema < $oldest or $schema != ($schema | floor) then "is damaged: the schema in its manifest.json is \($schema | tojson), expected a whole number from \($oldest)"
    elif $schema > $known then "has schema \($schema), written by exectax \(writer); this is exectax \($here), which reads schemas \($oldest) to \($known): expected exectax \(writer) or later"
    elif $schema < $lowest then "has schema \($schema), written by exectax \(writer): expected \($lowest) or later"
    else empty end;

input
| if type != "object" then "is damaged: its manifest.json is no JSON object"
  else first(schema_problem, (problems | "is damaged: its manifest.json \(.)")) end
