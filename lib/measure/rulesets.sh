# shellcheck shell=bash
# A set of rules that somebody runs, measured as a whole: read from files, without what is dangerous or no rule (audit-rules.awk), tried in
# the kernel rule by rule, and then added to each monitor's own. The folder `set` of the run has rules (what the monitors are given), left-out.csv
# (what is not in it, and why) and set.json.

# Where packages of auditd have the rule files that come with it: Debian 12, Debian 13, others.
RULESETS_FOLDERS=${EXECTAX_RULE_SETS:-/usr/share/doc/auditd/examples/rules:/usr/share/doc/auditd/examples/audit-rules:/usr/share/audit-rules:/usr/share/audit/sample-rules}
# audit or falco: who the set is for; nothing if there is none.
RULESETS_FORMAT=
RULESETS_FILES=()
# A line a rule (of Falco: the files as they are), and `PLACE<tab>WHY<tab>LINE` what is not among them.
RULESETS_RULES=
RULESETS_LEFT_OUT=
RULESETS_COUNT=0
# What the kernel shows of those that it took, a line each.
RULESETS_LOADED=

rulesets_is_asked() {
  [[ -n $RULESETS_FORMAT ]]
}

# rulesets_named NAME: the files of a set that comes with auditd, a path a line: NN-NAME.rules, or else all NN-NAME-*.rules.
rulesets_named() {
  local folder file
  local -a folders files
  [[ $1 =~ ^[a-z0-9-]+$ ]] || return 1
  IFS=: read -ra folders <<<"$RULESETS_FOLDERS"
  for folder in "${folders[@]}"; do
    files=("$folder"/??-"$1".rules{,.gz})
    [[ -f ${files[0]} || -f ${files[1]} ]] || files=("$folder"/??-"$1"-*.rules{,.gz})
    printf '%s\n' "${files[@]}" | while IFS= read -r file; do
      [[ ! -f $file ]] || echo "$file"
    done | grep . && return
  done
  return 1
}

# The names of all that come with auditd, on one line.
rulesets_names() {
  local folder file
  local -a folders
  IFS=: read -ra folders <<<"$RULESETS_FOLDERS"
  for folder in "${folders[@]}"; do
    for file in "$folder"/??-*.rules{,.gz}; do
      [[ -f $file ]] || continue
      file=${file##*/??-}
      echo "${file%%.*}"
    done
  done | sort -u | paste -sd ' '
}

# rulesets_of_path PATH: a file, or of a folder its rule files in the order of their names, as augenrules takes them.
rulesets_of_path() {
  local file
  if [[ ! -d $1 ]]; then
    echo "$1"
    return
  fi
  for file in "$1"/*.rules{,.gz}; do
    [[ ! -f $file ]] || echo "$file"
  done | LC_ALL=C sort
}

# rulesets_name_of PATH: for a name in a plan: that of the file, without a number before it and what is after a dot.
rulesets_name_of() {
  local name
  name=$(basename -- "$1")
  [[ ! $name =~ ^[0-9][0-9]- ]] || name=${name:3}
  name=${name%%.*}
  name=${name//[^A-Za-z0-9_-]/-}
  echo "${name:-rules}"
}

rulesets_count() {
  echo "$RULESETS_COUNT"
}

# rulesets_read FILE...: what they hold is the set.
rulesets_read() {
  local file format lines
  (($#)) || die_usage "--rules: expected a folder with files that end in .rules"
  RULESETS_FILES=("$@") RULESETS_FORMAT='' RULESETS_RULES='' RULESETS_LEFT_OUT=''
  for file in "$@"; do
    if [[ ! -f $file || ! -r $file ]]; then
      die_usage "--rules is '$file', expected a file of rules, or a folder of such, that can be read"
    fi
    format=audit
    [[ $file != *.y?(a)ml?(.gz) ]] || format=falco
    : "${RULESETS_FORMAT:=$format}"
    if [[ $format != "$RULESETS_FORMAT" ]]; then
      die_usage "--rules: '$file' is for $format, expected files for $RULESETS_FORMAT only, as the first is"
    fi
  done
  if [[ $RULESETS_FORMAT == audit ]]; then
    lines=$(rulesets_parse "$@")
    RULESETS_RULES=$(sed -n 's/^rule\t//p' <<<"$lines")
    RULESETS_LEFT_OUT=$(sed -n 's/^left-out\t//p' <<<"$lines")
    RULESETS_COUNT=$(grep -c . <<<"$RULESETS_RULES" || true)
  else
    RULESETS_RULES=$(rulesets_text "$@")
    RULESETS_COUNT=$(grep -cE '^ *- +rule:' <<<"$RULESETS_RULES" || true)
  fi
  ((RULESETS_COUNT)) || die_usage "--rules: expected at least one rule that can be loaded in: $*"
}

# rulesets_take RUN: the set is the one that RUN keeps: what its monitors were given, whatever has become of the files since.
rulesets_take() {
  local file=$1/set/rules sum before
  [[ $(jq '.set | type' "$1/manifest.json") == '"object"' && -s $file && -f $file-loaded ]] ||
    die_usage "'$1' can't go on: it ended before its set of rules was kept, and has measured nothing"
  sum=$(rulesets_kept_sum "$1")
  before=$(jq -r .set.kept_sha256 "$1/manifest.json")
  [[ $sum == "$before" ]] || die_usage "'$1' can't go on: the SHA-256 of its set/rules and set/rules-loaded was $before, now it is $sum"
  RULESETS_FORMAT=$(jq -r .set.format "$1/manifest.json")
  [[ $RULESETS_FORMAT == audit || $RULESETS_FORMAT == falco ]] || die_usage "'$1' can't go on: its set is for '$RULESETS_FORMAT', expected audit or falco"
  # What it has kept can be anybody's, as the files were.
  if [[ $RULESETS_FORMAT == audit ]] && rulesets_parse "$file" | grep -v $'^rule\t' >/dev/null; then
    die_usage "'$1' can't go on: $(rulesets_parse "$file" | sed -n 's/^left-out\t//p' | head -n 1 | cut -f 1) in its folder set is no rule that is executed"
  fi
  RULESETS_COUNT=$(jq .set.rules "$1/manifest.json")
  split_lines RULESETS_FILES "$(jq -r '.set.files[].path' "$1/manifest.json")"
  RULESETS_RULES=$(<"$file")
  RULESETS_LOADED=$(<"$file-loaded")
  RULESETS_LEFT_OUT=''
}

# rulesets_kept_sum RUN: of both files, one behind the other.
rulesets_kept_sum() {
  cat "$1/set/rules" "$1/set/rules-loaded" | sha256sum | cut -d ' ' -f 1
}

# The set of a run that goes on: of audit's rules the kernel must still take all, and show them as it did.
rulesets_try_again() {
  local loaded
  [[ $RULESETS_FORMAT == audit ]] || return 0
  loaded=$(audit_try_rules <<<"$RULESETS_RULES" | sed -n 's/^loaded\t//p')
  [[ $loaded == "$RULESETS_LOADED" ]] ||
    die "the kernel does not take the set as it did when the run began: of $(rulesets_loaded_count) rules it now has $(grep -c . <<<"$loaded" || true), or shows them otherwise"
}

# rulesets_text FILE...: one behind the other.
rulesets_text() {
  local file
  for file in "$@"; do
    zcat -f -- "$file"
    echo
  done
}

# rulesets_parse FILE...: what audit-rules.awk says of their lines.
rulesets_parse() {
  local file
  for file in "$@"; do
    zcat -f -- "$file" | awk -v file="${file##*/}" '{ printf "%s\t%d\t%s\n", file, FNR, $0 }'
  done | LC_ALL=C awk -f "$EXECTAX_ROOT/lib/measure/audit-rules.awk"
}

# rulesets_describe NAME: what the set holds, and what is left out, for people.
rulesets_describe() {
  local -i more=$((${#RULESETS_FILES[@]} - 3))
  echo "Set:         $1, $RULESETS_COUNT rules for $RULESETS_FORMAT, from: ${RULESETS_FILES[*]:0:3}$([[ $more -le 0 ]] || echo " and $more files more")"
  if [[ $RULESETS_FORMAT == audit ]]; then
    awk -f "$EXECTAX_ROOT/lib/measure/audit-rules-told.awk" -v loginuid="$(rulesets_login_uid)" <<<"$RULESETS_RULES"
    rulesets_describe_left_out "$RULESETS_LEFT_OUT"
  else
    echo "             $(grep -cE '^ *- +macro:' <<<"$RULESETS_RULES" || true) macros, $(grep -cE '^ *- +list:' <<<"$RULESETS_RULES" || true) lists, $(grep -cE '^ +enabled: +false' <<<"$RULESETS_RULES" || true) not enabled"
  fi
}

# That of the load: the run's own, unless another is asked for; nothing if it has none. Kernels without audit have no such file.
rulesets_login_uid() {
  local uid=${OPTIONS[login_uid]:-}
  [[ -n $uid || ! -r /proc/self/loginuid ]] || uid=$(</proc/self/loginuid)
  [[ $uid == 4294967295 ]] || echo "$uid"
}

# rulesets_describe_left_out LINES: of RULESETS_LEFT_OUT, or like it.
rulesets_describe_left_out() {
  [[ -z $1 ]] || awk -F'\t' '{ print "  left out: " $3 " (" $1 "): " $2 }' <<<"$1"
}

# rulesets_prepare RUN: the folder set, before the first cell. audit's rules are tried one by one: what this kernel or architecture refuses is
# told and left out.
rulesets_prepare() {
  local folder=$1/set tried refused
  mkdir -p "$folder"
  if [[ $RULESETS_FORMAT == audit ]]; then
    tried=$(audit_try_rules <<<"$RULESETS_RULES")
    refused=$(sed -n 's/^refused\t/the kernel\t/p' <<<"$tried")
    RULESETS_RULES=$(sed -n 's/^rule\t//p' <<<"$tried")
    RULESETS_LOADED=$(sed -n 's/^loaded\t//p' <<<"$tried")
    [[ -n $RULESETS_LOADED ]] || die "the kernel refuses every rule of the set, the last of them with: $(tail -n 1 <<<"$refused" | cut -f2)"
    rulesets_describe_left_out "$refused" >&2
    RULESETS_LEFT_OUT+=${RULESETS_LEFT_OUT:+${refused:+$'\n'}}$refused
  fi
  printf '%s\n' "$RULESETS_RULES" >"$folder/rules"
  printf '%s\n' "$RULESETS_LOADED" >"$folder/rules-loaded"
}

# How many rules must be in force under a monitor that can tell.
rulesets_loaded_count() {
  if [[ $RULESETS_FORMAT == audit ]]; then
    grep -c . <<<"$RULESETS_LOADED"
  else
    echo "$RULESETS_COUNT"
  fi
}

# rulesets_json NAME RUN: for the manifest, once RUN has what is kept of the set.
rulesets_json() {
  jq -nc --arg name "$1" --arg format "$RULESETS_FORMAT" --argjson rules "$RULESETS_COUNT" --argjson loaded "$(rulesets_loaded_count)" --arg kept_sha256 "$(rulesets_kept_sum "$2")" \
    --argjson left_out "$(jq -Rnc '[inputs | select(. != "") | split("\t") | {place: .[0], reason: .[1], line: .[2]}]' <<<"$RULESETS_LEFT_OUT")" \
    --argjson files "$(sha256sum -- "${RULESETS_FILES[@]}" | jq -Rnc '[inputs | {path: .[66:], sha256: .[0:64]}]')" '$ARGS.named'
}
