#!/usr/bin/env bats
# What is made from the texts of --help, and exectax where it is installed.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

@test "every command's help has examples of it, and its exit status" {
  local command text
  for command in $(./exectax --commands); do
    text=$(./exectax "$command" --help)
    [[ $text == "Usage: exectax $command"* && $text == *$'\n\nExamples:\n  exectax '"$command"*$'\n\nExit status: 0 '* ]] || {
      echo "$command"
      return 1
    }
    # And has a line in the help of all.
    ./exectax --help | grep -qE "^  $command( |\$)"
  done
}

@test "the manual page has every command, every option and every example, and is well-formed" {
  local command option text
  packaging/manpage >"$BATS_TEST_TMPDIR/exectax.1"
  text=$(sed 's/\\-/-/g; s/\\(dq/"/g; s/\\&//g' "$BATS_TEST_TMPDIR/exectax.1")
  for command in $(./exectax --commands); do
    grep -qFx ".SS exectax $command" <<<"$text"
    while IFS= read -r option; do
      grep -qE "^\.B \"$option[ \"]" <<<"$text" || {
        echo "$command $option"
        return 1
      }
    done < <(./exectax "$command" --help | sed -nE 's/^  (--[a-z-]+).*/\1/p')
    while IFS= read -r option; do
      grep -qFx -- "$option" <<<"$text" || {
        echo "$command: $option"
        return 1
      }
    done < <(./exectax "$command" --help | sed -n '/^Examples:/,/^$/p' | grep '^  ')
  done
  [ -z "$(mandoc -Tlint -Wwarning "$BATS_TEST_TMPDIR/exectax.1" 2>&1)" ]
  command -v man >/dev/null || return 0
  [ -z "$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$BATS_TEST_TMPDIR/exectax.1" 2>&1 >/dev/null)" ]
}

@test "a line of help that begins with a dot, and a backslash, stay text" {
  printf 'Usage: exectax COMMAND\n\n  x   the first\n' >"$BATS_TEST_TMPDIR/exectax"
  printf 'Usage: exectax x\n.hidden is a file\nC:\\x\n\n  --much  first\n          here  and there\n' >"$BATS_TEST_TMPDIR/x"
  run awk -v version=1 -v date=2026-01-01 -f packaging/manpage.awk "$BATS_TEST_TMPDIR/exectax" "$BATS_TEST_TMPDIR/x"
  [[ $output == *$'\n.SS exectax x\n.B "exectax x"\n.br\n.PP\n\\&.hidden is a file\nC:\\ex\n.TP\n.B "\\-\\-much"\nfirst\n.br\nhere: and there\n'* ]]
}

# completes WORD...: what the last of these words becomes, on one line.
completes() {
  (
    packaging/completion >"$BATS_TEST_TMPDIR/completion"
    # shellcheck source=/dev/null
    source "$BATS_TEST_TMPDIR/completion"
    COMP_WORDS=(exectax "$@")
    COMP_CWORD=$#
    _exectax
    echo "${COMPREPLY[*]}"
  )
}

@test "bash completes commands, options, monitors, values and folders" {
  [ "$(completes do)" = doctor ]
  [ "$(completes doctor --no)" = --no-noise ]
  [ "$(completes sweep --re | tr ' ' '\n' | sort | paste -sd ' ')" = "--repeat --reps --resume" ]
  [ "$(completes sweep --monitors auditd-r)" = auditd-raw ]
  [ "$(completes sweep --monitors falco,auditd-r)" = falco,auditd-raw ]
  [ "$(completes sweep --journald-audit k)" = keep ]
  [ "$(completes sweep --reps a)" = auto ]
  cd "$BATS_TEST_TMPDIR"
  mkdir results
  touch result.csv
  [ "$(cd - >/dev/null && completes sweep --resume "$BATS_TEST_TMPDIR/res")" = "$BATS_TEST_TMPDIR/results" ]
  [ "$(cd - >/dev/null && completes plot "$BATS_TEST_TMPDIR/result.")" = "$BATS_TEST_TMPDIR/result.csv" ]
}

installed() {
  make --silent install DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=/usr >/dev/null
  PATH=$BATS_TEST_TMPDIR/root/usr/bin:$PATH
  mkdir -p "$BATS_TEST_TMPDIR/elsewhere"
  cd "$BATS_TEST_TMPDIR/elsewhere"
}

@test "installed, exectax works from anywhere, and writes below the current folder" {
  local tree=$PWD version
  version=$(git describe --always --dirty 2>/dev/null || true)
  installed
  [[ $(exectax --version) == "exectax "*"$version" && $(exectax --version) != *unknown* ]]
  exectax plot --out picture.svg "$tree/perf.csv"
  [ -s picture.svg ]
  if ((EUID == 0)); then
    run exectax sweep --dry-run --monitors none --rates 100 --reps 1
    [ "$status" -eq 0 ]
    [[ $output == *"Results in:  $PWD/results/"* ]]
  fi
  run --separate-stderr exectax publish .
  [[ $status -eq 2 && $stderr == *"expected one in its source tree"* ]]
  # Nothing of it is looked for in the tree that it was made from.
  [ -z "$(grep -rlIF -e "$tree" "$BATS_TEST_TMPDIR/root")" ]
  [ "$(readlink "$BATS_TEST_TMPDIR/root/usr/bin/exectax")" = ../lib/exectax/exectax ]
}

@test "installed is what a run needs, for everybody to read and for nobody else to change" {
  local tree=$PWD program
  umask 077
  installed
  for program in execrate syscost cpumeter logfollow figures watcher; do
    [ -x "$BATS_TEST_TMPDIR/root/usr/lib/exectax/build/$program" ]
  done
  diff -r "$tree/lib" "$BATS_TEST_TMPDIR/root/usr/lib/exectax/lib"
  diff -r "$tree/monitors" "$BATS_TEST_TMPDIR/root/usr/lib/exectax/monitors"
  diff -r "$tree/configs" "$BATS_TEST_TMPDIR/root/usr/lib/exectax/configs"
  diff -r "$tree/plots" "$BATS_TEST_TMPDIR/root/usr/lib/exectax/plots"
  diff -r "$tree/deploy/kubernetes/base" "$BATS_TEST_TMPDIR/root/usr/lib/exectax/deploy/kubernetes/base"
  [ -s "$BATS_TEST_TMPDIR/root/usr/share/man/man1/exectax.1" ]
  [ -s "$BATS_TEST_TMPDIR/root/usr/share/bash-completion/completions/exectax" ]
  [ -s "$BATS_TEST_TMPDIR/root/usr/share/doc/exectax/docs/accounting.md" ]
  [ -z "$(find "$BATS_TEST_TMPDIR/root/usr/" ! -type l \( ! -perm -a+r -o -perm /g+w,o+w \))" ]
  # A later version takes the place of an older one.
  touch "$BATS_TEST_TMPDIR/root/usr/lib/exectax/monitors/older.sh"
  cd "$tree"
  make --silent install DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=/usr >/dev/null
  [ ! -e "$BATS_TEST_TMPDIR/root/usr/lib/exectax/monitors/older.sh" ]
  run make --silent install DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=usr
  [[ $status -ne 0 && $output == *"PREFIX is 'usr', expected an absolute path"* ]]
}

@test "a Debian package that lintian takes" {
  command -v dpkg-shlibdeps >/dev/null || skip "dpkg-dev is not installed"
  local package
  BUILD=$PWD/build VERSION=0.0.1 DEB_OUT=$BATS_TEST_TMPDIR packaging/deb >/dev/null
  package=$BATS_TEST_TMPDIR/exectax_0.0.1_$(dpkg --print-architecture).deb
  [[ $(dpkg-deb -f "$package" Depends) == *libbpf*libgsl*libjansson*gnuplot* ]]
  [ "$(dpkg-deb -f "$package" Version)" = 0.0.1 ]
  dpkg-deb -c "$package" >"$BATS_TEST_TMPDIR/files"
  grep -qE ' \./usr/bin/exectax -> \.\./lib/exectax/exectax$' "$BATS_TEST_TMPDIR/files"
  ! grep -vE '^[^ ]+ root/root ' "$BATS_TEST_TMPDIR/files"
  command -v lintian >/dev/null || return 0
  lintian --allow-root --fail-on error "$package"
}

@test "--quiet: no progress, no messages; warnings and errors stay, also of what is started" {
  export EXECTAX_ROOT=$PWD
  run --separate-stderr bash -euc 'source lib/base.sh; say one; log_be_quiet; say two; progress_step 1 2 3 four; warn five; EXECTAX_ROOT=$PWD bash -c "source lib/base.sh; say six; warn seven"; die eight'
  echo "$stderr"
  [[ $status -eq 1 && $(paste -sd ';' <<<"$stderr") == "one;exectax: warning: five;exectax: warning: seven;exectax: eight" ]]
}
