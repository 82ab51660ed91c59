#!/usr/bin/env bats
# `exectax plot`: pictures of tables from elsewhere. What the picture shows is read from the SVG.

load ../picture

bats_require_minimum_version 1.5.0

setup() {
  EXECTAX=$BATS_TEST_DIRNAME/../../exectax
  # A folder in which bats itself puts nothing.
  mkdir "$BATS_TEST_TMPDIR/work"
  cd "$BATS_TEST_TMPDIR/work" || return 1
  cat >three.csv <<'CSV'
test,exec_per_sec,cpu
auditdraw,100,1.4
auditdraw,1600,8.5
sysmon,100,4.4
sysmon,1600,24.7
CSV
  cat >full.csv <<'CSV'
test,exec_per_sec,cpu,cpu_lowest,cpu_highest,achieved_per_sec,saturated,launched,lost,status,reason
auditd-raw,100,2.1,1.9,2.5,99.9,false,100,0,ok,
auditd-raw,1600,24.2,23,26,1571,true,1600,80,ok,
tetragon,,,,,,,,,skipped,"needs kprobes, which are not there"
CSV
}

plot() {
  run --separate-stderr "$EXECTAX" plot "$@"
}

drawn() {
  plot "$@"
  echo "$stderr"
  [ "$status" -eq 0 ]
  [ -z "$output$stderr" ]
}

# refused MESSAGE ARGS...: one line on stderr, and nothing is written.
refused() {
  local message=$1 before
  shift
  before=$(ls -A)
  plot "$@"
  echo "$stderr"
  [ "$status" -eq 2 ]
  [ -z "$output" ]
  [ "$stderr" = "exectax: $message" ]
  [ "$(ls -A)" = "$before" ]
}

@test "three columns: no whiskers, nothing hollow" {
  drawn --out picture.svg three.csv
  texts picture.svg >texts
  grep -Fx 'auditdraw' texts
  grep -Fx 'three.csv' texts
  grep -Fx 'executions per second (asked for; log scale)' texts
  [ "$(grep -cFx 'host saturated' texts)" = 0 ]
  [ "$(whiskers picture.svg | wc -l)" = 0 ]
  [ -z "$(hollow picture.svg)" ]
  [[ $(line picture.svg sysmon) == *" 2" ]]
  run ! grep whiskers texts
  drawn --out picture.png three.csv
  [ "$(head -c 4 picture.png | tail -c 3)" = PNG ]
}

@test "plot.png is the default" {
  drawn three.csv
  [ "$(head -c 4 plot.png | tail -c 3)" = PNG ]
}

@test "the further columns: whiskers, hollow points, losses, the rate that was reached; a skipped monitor has no line" {
  drawn --out picture.svg full.csv
  texts picture.svg >texts
  grep -Fx 'auditd-raw (lost 4.7 %)' texts
  grep -Fx 'executions per second (reached; log scale)' texts
  grep -Fx 'host saturated' texts
  grep -Fx 'whiskers: lowest to highest repetition' texts
  [ "$(whiskers picture.svg | wc -l)" = 2 ]
  [ "$(hollow picture.svg | wc -l)" = 1 ]
  run ! grep tetragon texts
}

@test "the published table" {
  drawn --out picture.svg "$BATS_TEST_DIRNAME/../../perf.csv"
  mlr --icsv --onidx filter 'is_not_empty($cpu)' then count-distinct -f test then cut -f test "$BATS_TEST_DIRNAME/../../perf.csv" >names
  [ -s names ]
  texts picture.svg | sed 's/ (lost .*//' | grep -Fxf names | sort | diff - <(sort names)
}

@test "two tables: the name in the label, a dash for each, one colour for the same monitor" {
  drawn --out picture.svg three.csv full.csv
  texts picture.svg >texts
  grep -Fx 'three.csv (rate asked for), full.csv (rate reached)' texts
  grep -Fx 'executions per second (log scale)' texts
  grep -Fx 'whiskers: lowest to highest repetition (full.csv)' texts
  local theirs ours other
  theirs=$(line picture.svg 'auditdraw, three.csv')
  ours=$(line picture.svg 'auditd-raw, full.csv (lost 4.7 %)')
  other=$(line picture.svg 'sysmon, three.csv')
  echo "$theirs; $ours; $other"
  # Two points of each, a dash of each.
  [ "$theirs" = "gpPt6 rgb(0,114,178) 9.9,4.4|solid 4" ]
  [ "$ours" = "$theirs" ]
  [ "$other" = "gpPt4 rgb(122,46,0) solid 2" ]
}

@test "two tables of the same name are told apart by their paths" {
  mkdir elsewhere
  cp three.csv elsewhere
  drawn --out picture.svg three.csv elsewhere/three.csv
  texts picture.svg >texts
  grep -Fx 'sysmon, three.csv' texts
  grep -Fx 'sysmon, elsewhere/three.csv' texts
}

@test "rows in any order, with a carriage return, at rest or not measured" {
  printf 'test,exec_per_sec,cpu\r\na,400,3\r\nb,100,1\r\na,100,1\r\nb,0,9\r\na,200,2\r\nb,200,\r\nc,800,\r\n' >mixed.csv
  drawn --out picture.svg mixed.csv
  [[ $(line picture.svg a) == *" 3" ]]
  texts picture.svg >texts
  grep -Fx b texts
  run ! grep -Fx c texts
  # The row at rest stretches neither axis.
  run ! grep -Fx ' 25' texts
  run ! grep -Fx ' 9' texts
}

@test "paths and names with spaces, quotes and what a shell or gnuplot would expand" {
  local odd=$'it\'s "a" $(touch x) `touch x` \\n %s'
  mkdir "$odd"
  printf 'test,exec_per_sec,cpu\n"%s",100,1\n"two\nlines",100,2\n' 'it'\''s ""a"" | b; \n {/=40 c}' >"$odd/-$odd.csv"
  cd "$odd"
  TMPDIR=$PWD drawn --out "./$odd.svg" -- "-$odd.csv" ../three.csv
  texts "$odd.svg" >texts
  cat texts
  grep -F "it's ”a” | b; \\n {/=40 c}, -it's ”a”" texts
  grep -F 'two lines, -it' texts
  ls -A | sort | diff - <(printf '%s\n' "-$odd.csv" "$odd.svg" texts | sort)
}

@test "many lines make the picture higher; no label is on another" {
  echo test,exec_per_sec,cpu >many.csv
  local i
  for ((i = 1; i <= 40; i++)); do
    echo "monitor$i,100,$i"
  done >>many.csv
  drawn --out picture.svg many.csv
  labels_apart picture.svg 25
  [ "$(texts picture.svg | grep -c ^monitor)" = 40 ]
  local height lowest
  height=$(sed -nE 's/.*width="[0-9]+" height="([0-9]+)".*/\1/p' picture.svg | head -n 1)
  lowest=$(places picture.svg | grep monitor | cut -f2 | cut -d. -f1 | sort -n | tail -n 1)
  ((lowest < height))
}

@test "intervals before extremes, and never a mixture of them" {
  cat >both.csv <<'CSV'
test,exec_per_sec,cpu,cpu_low,cpu_high,cpu_lowest,cpu_highest
a,100,10,5,15,9,11
a,200,20,,,19,21
CSV
  drawn --out picture.svg both.csv
  texts picture.svg | grep -Fx 'whiskers: 95 % interval'
  [ "$(whiskers picture.svg | wc -l)" = 1 ]
  # From 5 to 15 on an axis from 0 to 25 or less.
  whiskers picture.svg | awk '{ exit !($2 - $3 > 150) }'
  cat >other.csv <<'CSV'
test,exec_per_sec,cpu,cpu_lowest,cpu_highest
b,100,10,9,11
CSV
  drawn --out picture.svg both.csv other.csv
  texts picture.svg | grep -Fx 'whiskers: 95 % interval (both.csv); lowest to highest repetition (other.csv)'
  [ "$(whiskers picture.svg | wc -l)" = 2 ]
}

@test "bad tables: one line, and nothing is written" {
  refused "plot: no table given, expected 'exectax plot [--out FILE] CSV...'"
  refused "plot: 'gone.csv' is not a readable file, expected a table (CSV)" three.csv gone.csv
  refused "plot: '.' is not a readable file, expected a table (CSV)" .
  : >empty.csv
  refused "plot: 'empty.csv' does not begin with the columns test,exec_per_sec,cpu" empty.csv
  echo test,cpu,exec_per_sec >order.csv
  refused "plot: 'order.csv' does not begin with the columns test,exec_per_sec,cpu" order.csv
  echo test,exec_per_sec,cpu >header.csv
  refused "plot: 'header.csv': there is no row below the header, expected at least one" three.csv header.csv
  printf 'test,exec_per_sec,cpu\na,100\n' >short.csv
  refused "plot: 'short.csv': a row has more cells or fewer than the header, expected as many" short.csv
  printf 'test,exec_per_sec,cpu\na,100,\n' >unmeasured.csv
  refused "plot: 'unmeasured.csv': no row has both a rate above 0 and a cpu, so there is nothing to draw" unmeasured.csv
  printf 'test,exec_per_sec,cpu\na\001,100,1\n' >control.csv
  refused "plot: 'control.csv' has control characters in it, expected text" control.csv
}

@test "bad cells: which one, and what is in it" {
  local cell
  for cell in x nan inf 0x10 1,5 '12 %'; do
    printf 'test,exec_per_sec,cpu\na,100,1\na,200,"%s"\n' "$cell" >cell.csv
    refused "plot: 'cell.csv': row 2 below the header: cpu is \"$cell\", expected a number" cell.csv
    printf 'test,exec_per_sec,cpu\na,"%s",1\n' "$cell" >cell.csv
    refused "plot: 'cell.csv': row 1 below the header: exec_per_sec is \"$cell\", expected a number" three.csv cell.csv
  done
  local column
  for column in cpu_low cpu_high cpu_lowest cpu_highest; do
    printf 'test,exec_per_sec,cpu,%s\na,100,1,low\n' "$column" >cell.csv
    refused "plot: 'cell.csv': row 1 below the header: $column is \"low\", expected a number" cell.csv
  done
  printf 'test,exec_per_sec,cpu\na,-100,1\n' >cell.csv
  refused "plot: 'cell.csv': row 1 below the header: exec_per_sec is -100, expected no less than 0" cell.csv
  printf 'test,exec_per_sec,cpu\na,,1\n' >cell.csv
  refused "plot: 'cell.csv': row 1 below the header: exec_per_sec is empty" cell.csv
  printf 'test,exec_per_sec,cpu\n,100,1\n' >cell.csv
  refused "plot: 'cell.csv': row 1 below the header: test is empty" cell.csv
}

@test "bad places for the picture: one line, and nothing is written" {
  refused "plot: --out 'x.pdf', expected a file name that ends in .png or .svg" --out x.pdf three.csv
  refused "plot: --out '', expected a file name that ends in .png or .svg" --out '' three.csv
  refused "plot: --out 'gone/x.png': there is no folder 'gone'" --out gone/x.png three.csv
  mkdir folder.png
  refused "plot: --out 'folder.png' is a folder, expected a file" --out folder.png three.csv
  refused "exectax plot: unrecognized option '--width'; 'exectax plot --help' lists the options" --width three.csv
}

@test "a picture that is there stays as it is if the table is bad" {
  echo mine >picture.svg
  refused "plot: 'gone.csv' is not a readable file, expected a table (CSV)" --out picture.svg gone.csv
  [ "$(cat picture.svg)" = mine ]
}

@test "without gnuplot it says what is missing" {
  local tool
  mkdir bin
  for tool in /usr/bin/* /bin/*; do
    [[ $tool == */gnuplot* ]] || ln -sf "$tool" bin/
  done
  PATH=$PWD/bin plot three.csv
  echo "$stderr"
  [ "$status" -eq 1 ]
  [ "$stderr" = "exectax: plot: not installed: gnuplot ('make install-deps' gets them)" ]
  [ ! -e plot.png ]
}
