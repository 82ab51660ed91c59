#!/usr/bin/env bats
# lib/ is in rooms: what each may know of the others, and whose its state is.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
}

# The rooms that ROOM may know, itself included.
known_by() {
  case $1 in
    base) echo base ;;
    host) echo base host ;;
    monitor) echo base host monitor ;;
    measure) echo base host monitor measure ;;
    report) echo base report ;;
    command) echo base host monitor measure report command ;;
  esac
}

# Sources without comments and the texts of --help: `FILE:LINE:CODE`.
code() {
  awk '/<<.TEXT.$/ { text = 1 } !text && !/^ *#/ { print FILENAME ":" FNR ":" $0 } /^TEXT$/ { text = 0 }' "$@"
}

# `ROOM NAME` a line: the functions, and the globals, that the files of each room define.
defined() {
  local room
  for room in lib/*/; do
    room=$(basename "$room")
    {
      code lib/"$room"/*.sh | sed -nE 's/^[^:]*:[0-9]+:([a-z][a-z0-9_]*)\(\) [({]$/\1/p'
      assigned lib/"$room"/*.sh | cut -d ' ' -f 2
    } | sort -u | sed "s/^/$room /"
  done
}

# `FILE NAME` a line: the globals that FILEs assign. (Locals are lower case. What stands before a command is its environment.)
assigned() {
  code "$@" | sed -E 's/^([^:]*):[0-9]+: */\1 /' | awk '
    {
      file = $1
      sub(/^[^ ]+ /, "")
      line = $0
      # `: "${NAME:=value}"`
      while (match($0, /\$\{[A-Z][A-Z0-9_]*:=/)) {
        print file, substr($0, RSTART + 2, RLENGTH - 4)
        $0 = substr($0, RSTART + RLENGTH)
      }
      $0 = line
      sub(/^.*(\|\||&&|then|do) +/, "")
      declared = sub(/^(export|declare -g[aAix]*) +/, "")
      rest = $0
      names = ""
      while (match(rest, /^[A-Z][A-Z0-9_]*(\[[^]]*\])?\+?=/)) {
        name = substr(rest, 1, RLENGTH)
        sub(/(\[[^]]*\])?\+?=$/, "", name)
        names = names " " name
        rest = substr(rest, RLENGTH + 1)
        # The value: quoted, a substitution, an array, or a word.
        if (!match(rest, /^("[^"]*"|\x27[^\x27]*\x27|\$\(.*\)|\(.*\)|[^ ;()]*)+/)) RLENGTH = 0
        rest = substr(rest, RLENGTH + 1)
        sub(/^ +/, "", rest)
      }
      if (names != "" && (declared || rest ~ /^($|;|&&|\|\||\}|\))/)) {
        count = split(names, name_of, " ")
        for (i = 1; i <= count; i++) print file, name_of[i]
      }
    }' | sort -u
}

@test "a room knows those below it, and none above it or beside it" {
  local file room name definer found=no
  defined >"$BATS_TEST_TMPDIR/defined"
  # That there is something to find.
  grep -qx 'host host_record' "$BATS_TEST_TMPDIR/defined"
  grep -qx 'measure CELL_PROBLEM' "$BATS_TEST_TMPDIR/defined"
  for file in lib/*/*.sh; do
    room=$(basename "$(dirname "$file")")
    code "$file" | cut -d: -f3- | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >"$BATS_TEST_TMPDIR/words"
    while read -r definer name; do
      [[ " $(known_by "$room") " != *" $definer "* ]] || continue
      ! grep -qx "$room $name" "$BATS_TEST_TMPDIR/defined" || continue
      [[ $name != RANDOM && $name != EXECTAX_* ]] || continue
      echo "$file knows $name, which is of the room $definer"
      found=yes
    done <<<"$(awk 'NR == FNR { word[$1]; next } $2 in word' "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/defined")"
  done
  [ "$found" = no ]
}

@test "a global begins with its file's name, and only that file assigns it" {
  local file name own found=no
  assigned lib/*/*.sh >"$BATS_TEST_TMPDIR/assigned"
  grep -qx 'lib/measure/cell.sh CELL_PROBLEM' "$BATS_TEST_TMPDIR/assigned"
  while read -r file name; do
    own=$(basename "$file" .sh)
    own=${own//-/_}
    # bash's own, what is handed on in the environment, and what monitors' scripts say in these (docs/adding-a-monitor.md).
    case $name in
      "${own^^}"* | RANDOM | EXECTAX_*) continue ;;
      DESCRIPTION | USES | RECORDS | KNOBS | VERIFIED_BY | BUILD_MINUTES | CONFIGS | RULES | RULES_MAX | SETS | REFERENCE | SKIP_REASONS) [[ $file != lib/monitor/* ]] || continue ;;
    esac
    echo "$file assigns $name"
    found=yes
  done <"$BATS_TEST_TMPDIR/assigned"
  [ "$found" = no ]
}

@test "every file of a room is loaded by the room, and nothing else by name" {
  local room
  for room in base host monitor measure report command; do
    # Those that are run as programs load what they need, call.sh what a monitor's script may use.
    diff <(find "lib/$room" -maxdepth 1 -name '*.sh' ! -perm -u+x | grep -vE 'lib/monitor/(call|defaults|facts|requires|switch).sh' | sort) \
      <(sed -nE 's#^source "\$EXECTAX_ROOT/(.*)"$#\1#p' "lib/$room.sh" | sort)
  done
  [ "$(grep -c '^source ' exectax)" -eq 6 ]
}
