#!/usr/bin/env bats
# The sources pass the formatters and linters without exceptions.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
}

@test "shellcheck" {
  shellcheck -x -a exectax run-all.sh docs/ci-compare.sh .ci/run tests/run tests/count.sh tests/mutants/run packaging/{manpage,completion,install,deb} tests/vm/*.sh tests/browser/axe-core tests/ansible/exectax-double deploy/ansible/roles/exectax/files/*.sh deploy/kubernetes/*.sh lib/monitor/call.sh lib/host/install-deps.sh bench/*.sh \
    monitors/*.sh monitors/families/*.sh tests/e2e/monitors/*.sh \
    tests/e2e/host-state.sh tests/e2e/kills/{run,resume,launch,apt-double/apt-get} tests/e2e/kills/monitors/*.sh
}

@test "shfmt" {
  shfmt -d -i 2 -ci exectax run-all.sh docs/ci-compare.sh .ci/run tests/run tests/count.sh tests/mutants/run packaging/{manpage,completion,install,deb} tests/vm tests/browser/axe-core tests/browser/*.bash tests/ansible/exectax-double tests/ansible/*.bash deploy lib monitors bench/*.sh tests/*.bash tests/e2e/*.bash tests/e2e/monitors \
    tests/e2e/host-state.sh tests/e2e/kills
}

@test "clang-format" {
  # Its versions do not agree with each other.
  [[ $(clang-format --version) == *"version 14."* ]] || skip "the sources are formatted by clang-format 14, here is $(clang-format --version)"
  find src tests/unit tests/fuzz bench -name '*.[ch]' -exec clang-format --dry-run --Werror {} +
}

@test "no process substitution: bash can wait without end for the next child that has the pid of one" {
  run grep -rnE --include='*.sh' '[<>]\(' exectax run-all.sh lib monitors bench
  [ "$status" -eq 1 ]
}

@test "every wait has a deadline, on a clock that no step of the time of day moves" {
  local -a sources=(exectax lib/*.sh lib/*/*.sh monitors/*.sh monitors/families/*.sh bench/*.sh)
  # bash's SECONDS follows the time of day; in usage texts it is a placeholder.
  run grep -nE '[$({+=<>-] ?SECONDS\b|\bSECONDS *[-+<>=)]' "${sources[@]}"
  echo "$output"
  [ "$status" -eq 1 ]
  # A bare wait or sleep. Allowed: what perf samples or counts beside; the one within wait_for_pid, of a child that has ended; what stands
  # for a monitor that has no process.
  local file waits
  waits=$(for file in "${sources[@]}"; do
    sed -E '/^ *#/d' "$file" | { grep -oE '(^|[;&|({!]|then|do|else|exec|-- ) *\b(wait|sleep)( +[^ ;]+|$)' || true; } | sed -E "s|^ *|$file: |"
  done)
  diff - <(echo "$waits") <<'ALLOWED'
lib/base/wait.sh: wait "$1"
lib/measure/instructions.sh: -- sleep "$seconds"
lib/measure/profile.sh: -- sleep "$seconds"
monitors/acct.sh: exec sleep infinity
monitors/none.sh: exec sleep infinity
ALLOWED
  # A lock.
  [ "$(grep -E '^[^#]*\bflock ' lib/host/host.sh lib/install*.sh monitors/*.sh | grep -cvE 'flock --(wait|nonblock) ')" = 0 ]
}

# A pid that was noted can be another process's by the time of the signal, and root's reach everybody.
@test "signals are sent by the two functions that look first whose the pid is, and by a watcher that knows when it was started" {
  diff - <(grep -rE '(^|[;&|({!]|then|do|else|exec|--) *kill ' exectax lib monitors | grep -vE ': *#|kill -l ' | sed -E 's/: +/: /' | LC_ALL=C sort) <<'ALLOWED'
lib/base/wait.sh: child_has_ended "$2" || kill -s "$1" "$2" 2>/dev/null || true
lib/host/cgroup.sh: [[ -n ${3:-} && $pid != "$3" ]] || kill -s "$1" "$pid" 2>/dev/null || true
lib/host/watch-unbuilt.sh: kill -KILL "$WATCH_UNBUILT_PID" || true
ALLOWED
}

# jq 1.8.2 and that of Debian 13 (1.7.1-6+deb13u3) abort where a function is in a module that the program itself does not include, or includes before
# the one that calls it (github.com/jqlang/jq, issue 3636).
@test "a jq program includes what its modules include, and after them" {
  awk '
    FNR == 1 { module = FILENAME; sub(/.*\//, "", module); sub(/\.jq$/, "", module); name[FILENAME] = module }
    $1 == "include" { gsub(/[";]/, "", $2); inner[module] = inner[module] " " $2; own[FILENAME] = own[FILENAME] " " $2; included[$2] = 1 }
    END {
      for (program in own) {
        if (name[program] in included)
          continue
        names = split(own[program], modules, " ")
        split("", place)
        for (i = 1; i <= names; i++)
          place[modules[i]] = i
        for (i = 1; i <= names; i++) {
          needed = split(inner[modules[i]], needs, " ")
          for (j = 1; j <= needed; j++)
            if (place[needs[j]] <= i)
              print program ": expected include \"" needs[j] "\" after " modules[i]
        }
        programs++
      }
      print programs " programs"
    }' lib/*/*.jq lib/*/*/*.jq lib/*/*/*/*.jq | tee "$BATS_TEST_TMPDIR/found"
  grep -qxE '[1-9][0-9]+ programs' "$BATS_TEST_TMPDIR/found"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/found")" = 1 ]
}

# What a heading is called in a link: GitHub's way.
anchors() {
  sed -nE 's/^#+ +//p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

@test "links between pages lead somewhere" {
  local page link target missing=''
  while read -r page; do
    while read -r link; do
      target=$(dirname "$page")/${link%%#*}
      [[ $link != '#'* ]] || target=$page
      if [[ ! -e $target ]] || [[ $link == *'#'* ]] && ! anchors "$target" | grep -qFx -- "${link#*#}"; then
        missing+="$page: $link"$'\n'
      fi
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^https?:')
  done < <(find . -name '*.md' -not -path './results/*/*' -not -path './build/*')
  echo "$missing"
  [ -z "$missing" ]
}
