# A matrix, the data of a ConfigMap, as `exectax cluster run` takes it: {problem} where it is none.
def words: [splits("[ \t\n]+")] | map(select(. != ""));
def table: split("\n") | map(words) | map(select(. != []));
def known: ["monitor", "label", "log", "command", "options", "patch", "rows", "nodes", "parallel", "reps", "seed", "deadline", "rollout", "published", "overlay", "image"];
def number($name; $from; $to): if .[$name] | test("^(0|[1-9][0-9]{0,8})$") and (tonumber | . >= $from and . <= $to) then empty else "\($name) is '\(.[$name])', expected a whole number from \($from) to \($to)" end;

def problems($kind):
  if $kind != "ConfigMap" then "it is a \($kind), expected a ConfigMap" else empty end,
  ((keys - known)[] | "it has '\(.)', expected one of: \(known | join(" "))"),
  (if .monitor | test("^[a-z0-9.-]+/[a-z0-9.-]+$") then empty else "monitor is '\(.monitor)', expected NAMESPACE/DAEMONSET" end),
  (if .label | test("^([A-Za-z0-9./_-]+=[A-Za-z0-9._-]+)?$") then empty else "label is '\(.label)', expected LABEL=VALUE" end),
  (if .log | test("^(|container:[a-z0-9-]+|/.+)$") then empty else "log is '\(.log)', expected container:NAME or a file of the node" end),
  (if .command == "saturate" and .log == "" then "log is missing, which alone tells what was lost: expected container:NAME or a file of the node" else empty end),
  (if .command | IN("saturate", "sweep") then empty else "command is '\(.command)', expected saturate or sweep" end),
  (.options | words[] | select(test("^--(attach|log|out|resume|yes|dry-run|monitors)(=|$)")) | "options has \(.), which is said otherwise"),
  number("parallel"; 1; 1000), number("reps"; 1; 1000), (if .seed == "" then empty else number("seed"; 0; 999999999) end),
  (.rows | table | .[0] as $columns
    | ($columns[]? | select(test("^[a-z][a-z0-9_]*$") | not) | "rows has a column '\(.)', expected names of lower-case letters, digits and _"),
      (if ($columns // [] | unique | length) == ($columns // [] | length) then empty else "rows has two columns of one name" end),
      (if length == 1 then "rows has no row below the names of its columns" else empty end),
      (.[1:][] | select(length != ($columns | length)) | "rows has '\(join(" "))', expected \($columns | length) values"),
      (.[1:][][] | select(test("^[A-Za-z0-9._:/+-]+$") | not) | "rows has the value '\(.)', expected letters, digits and ._:/+-")),
  ((.rows | table | .[0] // []) as $columns | [.patch | scan("@([a-z][a-z0-9_]*)@") | .[0]] as $used
    | (($used - $columns)[] | "patch has @\(.)@, expected a column of rows"),
      (($columns - $used)[] | "the column \(.) of rows changes nothing: expected @\(.)@ in patch"));

({command: "saturate", label: "", log: "", monitor: "", options: "", patch: "", rows: "", nodes: "", parallel: "1", reps: "1", seed: "", deadline: "3h", rollout: "10m",
  published: "", overlay: "", image: ""} + (.data // {})) as $data
| .kind as $kind
| ([$data | problems($kind)] | first) as $problem
| if $problem != null then {problem: $problem}
  else $data
    | (.rows | table) as $table
    | .rows = (if $table == [] then [{}] else [$table[1:][] | [$table[0], .] | transpose | map({(.[0]): .[1]}) | add] end)
    | .columns = ($table[0] // [])
    | .options |= words
    | (.monitor | split("/")) as [$namespace, $daemonset]
    | . + {$namespace, $daemonset, parallel: (.parallel | tonumber), reps: (.reps | tonumber), seed: (if .seed == "" then null else .seed | tonumber end)}
  end
