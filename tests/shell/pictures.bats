#!/usr/bin/env bats
# The pictures of a run. What they show is read from the SVG.

load ../rooms
load ../picture

bats_require_minimum_version 1.5.0

setup() {
  use_rooms base measure report
  RUN=$BATS_TEST_TMPDIR/run
  mkdir "$RUN"
  cd "$BATS_TEST_TMPDIR" || return 1
  echo '{"started": "2026-01-02T03:04:05+00:00", "state": "complete", "skipped": {}, "options": {"reps": 3, "duration_s": 2, "round_s": 1, "actions": ["exec"]},
    "host": {"os": "Test OS", "kernel": "6.1", "cpus": 2, "cpu_model": "CPU", "virtualisation": "none"}}' >"$RUN/manifest.json"
  echo test,exec_per_sec,status,counted_us,marks >"$RUN/cells.csv"
}

# perf ROW...: perf.csv with CPU; a row is test,rate,cpu,low,high,saturated,lost (of 1000).
perf() {
  {
    echo test,exec_per_sec,cpu,cpu_low,cpu_high,saturated,lost,launched,achieved_per_sec
    printf '%s\n' "$@" | awk -F, '{ print $0 ",1000," $2 }'
  } >"$RUN/perf.csv"
  results_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
}

# leaders: the thin strokes that end at the column of the labels.
leaders() {
  awk '/stroke-width="0.80"/ { within = 1 } within { print } /<\/g>/ { within = 0 }' "$RUN/perf.svg" | grep -oE 'L7[0-9][0-9]\.[0-9]+,[0-9.]+'
}

# parts ROW...: perf.csv with parts; a row is test,total,low,high,daemon and, if it has any, what is in the program, low,high.
parts() {
  {
    echo test,exec_per_sec,total_us,total_us_low,total_us_high,daemon_us,inprogram_us,inprogram_us_low,inprogram_us_high,daemon_us_low,daemon_us_high,services_us,elsewhere_us,slowed_us,cpu
    printf '%s\n' "$@" | awk -F, -v OFS=, '{ daemon = (NF > 4 ? $5 : 0); print $1, 800, $2, $3, $4, daemon, (NF > 5 ? $6 : 0), (NF > 5 ? $7 : 0), (NF > 5 ? $8 : 0),
      daemon, daemon, 0, 0, 0, 1 }'
  } >"$RUN/perf.csv"
  results_plot_parts "$RUN" 800 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
}

# boxes COLOUR: left and right end of each box of that colour in the picture of the parts, the key's excepted.
boxes() {
  grep -oE "<polygon fill = 'rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)' points = '[^']*" "$RUN/parts.svg" |
    sed -nE "s|.*'rgb\( *([0-9]+), *([0-9]+), *([0-9]+)\)' points = '([0-9.]+),([0-9.]+) ([0-9.]+),.*|rgb(\1,\2,\3) \4 \6 \5|p" |
    awk -v colour="$1" -v top="$(graph_top "$RUN/parts.svg")" '$1 == colour && $4 > top { print $2, $3 }'
}

# brackets: their columns and the rows that they join, from 0 on.
brackets() {
  awk '/stroke-width="2.00"/ { within = 1 } within { rest = $0; while (match(rest, /M[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+/)) { print substr(rest, RSTART + 1, RLENGTH - 1); rest = substr(rest, RSTART + RLENGTH) } } /<\/g>/ { within = 0 }' "$RUN/parts.svg" |
    sed -E 's/[ ,L]+/ /g' | awk -v top="$(graph_top "$RUN/parts.svg")" '$1 == $3 { from = ($2 - top) / 34; to = ($4 - top) / 34; printf "%d %d-%d\n", $1, from, to - 0.01 }' | sort -n -k 1,1 -k 2,2
}

DAEMON="rgb(11,60,111)"
INPROGRAM="rgb(160,60,0)"

@test "a table without rows is an empty list, whatever Miller makes of it" {
  echo a,b >header.csv
  [[ $(pictures_rows header.csv) == '[]' ]]
  # As Miller 6.13 does.
  mlr-silent-double() { :; }
  mlr() { mlr-silent-double; }
  [[ $(pictures_rows header.csv) == '[]' ]]
}

@test "each label once, at its line's end, none on another; the losses are in it" {
  perf a,100,1,,,false,0 a,800,40,,,false,0 b,100,1,,,false,0 b,800,40.1,,,false,30 c,100,1,,,false,0 c,800,40.2,,,false,0 d,100,1,,,false,0 d,400,2,,,false,0
  [ -z "$(cat "$BATS_TEST_TMPDIR/stderr")" ]
  [ "$(places "$RUN/perf.svg" | awk -F'\t' '$1 > 760 { print $3 }' | sort | paste -sd,)" = "a,b (lost 1.5 %),c,d" ]
  labels_apart "$RUN/perf.svg" 25
  # What leads from the lines' ends to them: d ended long before, and of three labels in one place two had to move.
  [ "$(leaders | wc -l)" = 3 ]
  # The highest line has the highest label.
  [ "$(places "$RUN/perf.svg" | awk -F'\t' '$1 > 760 { print $2 "\t" $3 }' | sort -n | cut -f2 | paste -sd,)" = "c,b (lost 1.5 %),a,d" ]
  [ "$(head -c 4 "$RUN/perf.png" | tail -c 3)" = PNG ]
}

@test "labels that nothing is near are where their lines end, and nothing leads there" {
  perf a,100,1,,,false,0 a,800,40,,,false,0 b,100,1,,,false,0 b,800,10,,,false,0
  [ -z "$(leaders)" ]
  local label
  for label in a b; do
    read -r symbol colour _ < <(line "$RUN/perf.svg" "$label")
    points "$RUN/perf.svg" | awk -v symbol="$symbol" -v colour="$colour" '$3 == symbol && $5 == colour { if ($1 > 760) at = $2; else if ($1 > x) { x = $1; end = $2 } }
      END { exit !(at != "" && at - end < 1 && end - at < 1) }'
  done
}

@test "a hue and a dash a family: one that is not known is of none" {
  perf auditd-raw,100,4,,,false,0 falco,100,3,,,false,0 forkstat,100,2,,,false,0 unheard-of,100,1,,,false,0 \
    auditd-raw,200,4,,,false,0 falco,200,3,,,false,0 forkstat,200,2,,,false,0 unheard-of,200,1,,,false,0
  line "$RUN/perf.svg" auditd-raw
  [ "$(line "$RUN/perf.svg" auditd-raw | cut -d' ' -f2-3)" = "rgb(0,114,178) solid" ]
  [ "$(line "$RUN/perf.svg" falco | cut -d' ' -f2-3)" = "rgb(213,94,0) 9.9,4.4" ]
  [[ $(line "$RUN/perf.svg" forkstat) == *" rgb(0,0,0) 2.2,4.4 2" ]]
  [[ $(line "$RUN/perf.svg" unheard-of) == *" rgb(85,85,85) 2.2,4.4 2" || $(line "$RUN/perf.svg" unheard-of) == *" rgb(0,0,0) 2.2,4.4 2" ]]
  texts "$RUN/perf.svg" >texts
  grep -Fx audit texts
  grep -Fx eBPF texts
  grep -Fx other texts
}

@test "every monitor has a family, and a look of its own within it" {
  local monitor
  for monitor in "$EXECTAX_ROOT"/monitors/*.sh; do
    basename "$monitor" .sh
  done | jq -R . | jq -rs -L "$EXECTAX_ROOT/lib/report/tables" --argjson families "$(pictures_rows "$EXECTAX_ROOT/plots/families.csv")" \
    'include "looks"; . + ["falco-0.40", "AuditdRaw"] | looks($families) | to_entries[] | "\(.key) \(.value.family) \(.value.hue) \(.value.shade) \(.value.point)"' >looks
  cat looks
  [ "$(grep -v AuditdRaw looks | cut -d' ' -f3- | sort | uniq -d)" = "" ]
  [ "$(grep -c . looks)" -gt 24 ]
  grep '^falco-0.40 eBPF ' looks
  [ "$(grep '^AuditdRaw ' looks | cut -d' ' -f2-)" = "$(grep '^auditd-raw ' looks | cut -d' ' -f2-)" ]
  # What records nothing through audit or eBPF, and no other.
  [ "$(awk '$2 == "other" { print $1 }' looks | sort | paste -sd,)" = acct,forkstat,none ]
}

@test "saturated points are hollow, and all may be" {
  perf a,100,1,,,false,0 a,800,40,,,true,0 b,100,1,,,false,0 b,800,10,,,false,0
  [ "$(hollow "$RUN/perf.svg" | wc -l)" = 1 ]
  # It is the highest one.
  [ "$(hollow "$RUN/perf.svg")" = "$(points "$RUN/perf.svg" | awk -v top="$(graph_top "$RUN/perf.svg")" '$1 < 760 && $2 >= top && $4 > 5 { print $2, $1 }' | sort -n | head -n 1 | awk '{ print $2, $1 }')" ]
  texts "$RUN/perf.svg" | grep -Fx 'host saturated'
  perf a,100,1,,,true,0 a,800,40,,,true,0
  [ "$(hollow "$RUN/perf.svg" | wc -l)" = 2 ]
  [ -z "$(cat "$BATS_TEST_TMPDIR/stderr")" ]
}

@test "a whisker from the one end of the interval to the other; a giant does not squeeze the lines" {
  perf a,100,10,5,15,false,0 a,200,20,,,false,0
  [ "$(whiskers "$RUN/perf.svg" | wc -l)" = 1 ]
  texts "$RUN/perf.svg" | grep -Fx 'whiskers: 95 % interval'
  # 500 pixels for 0 to 20.
  texts "$RUN/perf.svg" | grep -Fx ' 20'
  whiskers "$RUN/perf.svg" | awk '{ exit !($2 - $3 > 249 && $2 - $3 < 251) }'
  perf a,100,10,-5000,5000,false,0 a,200,20,20,20,false,0
  texts "$RUN/perf.svg" | grep -Fx ' 20'
  run ! grep -E '<text> ([3-9][0-9]|[0-9]{3,})000' "$RUN/perf.svg"
  [ -z "$(cat "$BATS_TEST_TMPDIR/stderr")" ]
}

@test "one monitor, 25 of them, nothing but zeros, names with odd characters" {
  local i
  local -a rows=()
  perf "a b's \\n {/=40 c}|%s,100,1,,,false,0"
  texts "$RUN/perf.svg" | grep -F "a b's \\n {/=40 c}|%s"
  for ((i = 1; i <= 25; i++)); do
    rows+=("monitor$i,100,$((i % 3)),,,false,0")
  done
  perf "${rows[@]}"
  labels_apart "$RUN/perf.svg" 25
  [ "$(places "$RUN/perf.svg" | awk -F'\t' '$1 > 760' | wc -l)" = 25 ]
  perf a,100,0,,,false,0 b,100,0,,,false,0
  labels_apart "$RUN/perf.svg" 25
  # Not below the axis, 500 pixels below the graph's upper end; the text's baseline is a little lower than its middle.
  [ "$(places "$RUN/perf.svg" | awk -F'\t' '$1 > 760 { print $2 }' | sort -n | tail -n 1 | cut -d. -f1)" -le $(($(graph_top "$RUN/perf.svg" | cut -d. -f1) + 507)) ]
  [ -z "$(cat "$BATS_TEST_TMPDIR/stderr")" ]
}

@test "no figures at all: a word, and no picture" {
  perf a,100,,,,false,0
  grep -Fx "exectax: warning: no monitor's CPU was measured under load, so there is no picture" "$BATS_TEST_TMPDIR/stderr"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/stderr")" = 1 ]
  [ ! -e "$RUN/perf.svg" ]
  parts a,,,
  grep -Fx "exectax: warning: no monitor has a total at 800/s, so there is no picture of who pays" "$BATS_TEST_TMPDIR/stderr"
  [ ! -e "$RUN/parts.svg" ]
  [ "$(cd "$RUN" && echo *)" = "cells.csv manifest.json perf.csv" ]
}

@test "a cost whose interval reaches zero is no bar, and has no rank" {
  parts a,100,80,120,100 b,30,-10,70,30 c,-20,-30,-10,30 d,200,190,210,200
  texts "$RUN/parts.svg" >texts
  grep -Fx 'not distinguishable from none (at most 70)' texts
  grep -Fx 'not distinguishable from none' texts
  run ! grep -Fx -e 30 -e -20 texts
  boxes "$DAEMON"
  [ "$(boxes "$DAEMON" | wc -l)" = 2 ]
  # Those that are not come last.
  [ "$(places "$RUN/parts.svg" | awk -F'\t' '$3 ~ /^[a-d]$/ { print $2 "\t" $3 }' | sort -n | cut -f2 | paste -sd,)" = d,a,b,c ]
}

@test "no box lies left of zero; a part that its interval does not tell from zero is not claimed" {
  parts a,100,80,120,100,-50,-60,-40 b,100,80,120,70,30,-5,65 c,100,80,120,60,40,30,50
  [ "$(boxes "$DAEMON" | wc -l)" = 3 ]
  [ "$(boxes "$INPROGRAM" | wc -l)" = 1 ]
  texts "$RUN/parts.svg" | grep -Fx 'parts not distinguishable from 0'
  local zero
  zero=$(boxes "$DAEMON" | cut -d' ' -f1 | sort -u)
  [ "$(wc -l <<<"$zero")" = 1 ]
  boxes "$INPROGRAM" | awk -v zero="$zero" '{ exit !($1 > zero && $2 > $1) }'
}

@test "ties: neighbours whose intervals all overlap" {
  parts a,300,290,310,300 b,200,150,250,200 c,180,150,210,180 d,140,130,160,140 e,50,40,60,50
  brackets
  # b, c and d overlap each with each.
  [ "$(brackets | cut -d' ' -f2)" = 1-3 ]
  texts "$RUN/parts.svg" | grep -F 'lines at the right join what does not differ significantly'
  # b and d do not any more: two brackets beside each other.
  parts a,300,290,310,300 b,200,165,250,200 c,180,150,210,180 d,140,130,160,140 e,50,40,60,50
  brackets
  [ "$(brackets | cut -d' ' -f2 | paste -sd' ')" = "1-2 2-3" ]
  [ "$(brackets | cut -d' ' -f1 | uniq | wc -l)" = 2 ]
  parts a,300,290,310,300 b,200,165,250,200
  [ -z "$(brackets)" ]
  run ! grep -F 'lines at the right' "$RUN/parts.svg"
}

@test "ties: what is known of a difference decides, not the intervals" {
  echo test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high,p,significant >"$RUN/differences.csv"
  printf '%s\n' c,b,800,total_us,-20,-30,-10,0.01,true a,b,800,cpu,1,-1,2,0.5,false a,b,400,total_us,1,-1,2,0.5,false e,d,800,total_us,-90,-200,20,0.2,false \
    d,c,800,total_us,-9,-20,-2,0.07,false >>"$RUN/differences.csv"
  parts a,300,290,310,300 b,200,150,250,200 c,180,150,210,180 d,140,130,145,140 e,50,40,60,50
  brackets
  [ "$(brackets | cut -d' ' -f2 | paste -sd' ')" = "2-3 3-4" ]
}

@test "without intervals: the extremes, and a caption that says so" {
  printf '%s\n' test,exec_per_sec,total_us,total_us_lowest,total_us_highest,daemon_us,services_us,inprogram_us,elsewhere_us,slowed_us,cpu \
    a,800,100,90,130,70,0,25,5,,1 b,800,90,80,95,120,0,-25,-5,,1 c,800,-36,-70,30,28,0,-59,-6,1,1 >"$RUN/perf.csv"
  results_plot_parts "$RUN" 800
  texts "$RUN/parts.svg" >texts
  cat texts
  grep -F 'lowest to highest repetition' texts
  grep -Fx 'not distinguishable from none' texts
  [ "$(boxes "$DAEMON" | wc -l)" = 2 ]
  [ "$(boxes "$INPROGRAM" | wc -l)" = 1 ]
}

@test "the tree's published tables" {
  cp "$EXECTAX_ROOT/perf.csv" "$RUN"
  results_plot "$RUN"
  results_plot_parts "$RUN" 800
  labels_apart "$RUN/perf.svg" 25
  cp "$EXECTAX_ROOT/docs/saturation.csv" "$RUN"
  echo monitor,combination,cpus,memory,status,achieved_per_sec,recorded_percent >"$RUN/rounds.csv"
  run saturation_plot "$RUN"
  [ "$output" = "exectax: warning: no round has figures, so there is no picture of the rounds" ]
  [ "$(texts "$RUN/saturation.svg" | grep -cE '^[0-9]+$|^≥ [0-9]+ \(')" = "$(mlr --icsv --onidx filter 'is_not_empty($lossless_per_sec)' then count "$RUN/saturation.csv")" ]
  [ ! -e "$RUN/saturation-rounds.svg" ]
}

# saturation ROW...: a row is monitor,combination,cpus,lossless,lowest,highest,bound,dropped_at,status.
saturation() {
  {
    echo monitor,combination,cpus,lossless_per_sec,lossless_lowest,lossless_highest,bound,dropped_at_per_sec,status,reps
    printf '%s,1\n' "$@"
  } >"$RUN/saturation.csv"
  [[ -e $RUN/rounds.csv ]] || echo monitor,combination,cpus,memory,status,achieved_per_sec,recorded_percent >"$RUN/rounds.csv"
  saturation_plot "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
}

@test "rates without loss: a row a monitor and limit, hollow and marked where it is a lower bound" {
  saturation b,'no limits',,500,400,600,monitor,700,ok b,'0.5 CPU',0.5,300,300,300,host,,ok b,'0.1 CPU',0.1,,,,monitor,100,ok \
    a,'no limits',,1000,900,1100,load,,ok c,'no limits',,800,800,800,--max-rate,,ok
  texts "$RUN/saturation.svg" >texts
  cat texts
  grep -Fx 500 texts
  grep -Fx '≥ 300 (host saturated)' texts
  grep -Fx '≥ 1000 (load at its limit)' texts
  grep -Fx '≥ 800 (--max-rate)' texts
  grep -Fx 'lost events at 100 already' texts
  [ "$(grep -cFx b texts)" = 1 ]
  [ "$(grep -Fx -e 'no limits' -e '0.5 CPU' -e '0.1 CPU' texts | paste -sd,)" = "no limits,no limits,0.5 CPU,0.1 CPU,no limits" ]
  [ "$(hollow "$RUN/saturation.svg" | wc -l)" = 3 ]
  [ "$(points "$RUN/saturation.svg" | awk -v top="$(graph_top "$RUN/saturation.svg")" '$2 >= top && !/255,255,255/' | wc -l)" = 4 ]
  # From 400 to 600 at one height: log2(1.5) of an octave.
  local octave
  octave=$(places "$RUN/saturation.svg" | awk -F'\t' '$3 == " 800" { right = $1 } $3 == " 400" { left = $1 } END { print right - left }')
  sed -nE "s|.*M([0-9.]+),([0-9.]+) L([0-9.]+),\2 .*|\1 \3|p" "$RUN/saturation.svg" |
    awk -v octave="$octave" '{ if ($2 - $1 > octave * 0.584 && $2 - $1 < octave * 0.586) found = 1 } END { exit !found }'
}

@test "one combination alone is said once; nothing without loss is a word" {
  saturation a,'no limits',,1000,900,1100,monitor,1200,ok
  texts "$RUN/saturation.svg" >texts
  [ "$(grep -c 'no limits' texts)" = 1 ]
  [ "$(hollow "$RUN/saturation.svg" | wc -l)" = 0 ]
  rm "$RUN"/*.svg "$RUN"/*.png
  saturation a,'no limits',,,,,monitor,100,ok
  grep -Fx "exectax: warning: no round has figures, so there is no picture" "$BATS_TEST_TMPDIR/stderr"
  [ "$(cd "$RUN" && echo *)" = "cells.csv manifest.json rounds.csv saturation.csv" ]
}

@test "the rounds: a panel a combination, a line through a monitor's points, its rate without loss ringed" {
  {
    echo monitor,combination,cpus,memory,status,achieved_per_sec,recorded_percent
    printf '%s\n' a,'no limits',,,ok,400,100 b,'no limits',,,ok,500,100 a,'no limits',,,ok,800,60 b,'no limits',,,ok,600,100 a,'0.5 CPU',0.5,,ok,200,100 \
      a,'0.5 CPU',0.5,,failed,300,0
  } >"$RUN/rounds.csv"
  saturation a,'no limits',,400,400,400,monitor,800,ok b,'no limits',,600,600,600,host,,ok a,'0.5 CPU',0.5,200,200,200,monitor,,ok
  [ -z "$(cat "$BATS_TEST_TMPDIR/stderr")" ]
  texts "$RUN/saturation-rounds.svg" >texts
  [ "$(grep -Fx -e 'no limits' -e '0.5 CPU' texts | paste -sd,)" = "no limits,0.5 CPU" ]
  [ "$(grep -cFx -e a -e b texts)" = 2 ]
  # Rings: gnuplot's hollow circle.
  [ "$(points "$RUN/saturation-rounds.svg" | grep -c gpPt5)" = 3 ]
  # A stroke for a and one for b in the first panel.
  [ "$(awk '/stroke-width="1.50"/ { within = 1 } within && / L[0-9]/ { count++ } /<\/g>/ { within = 0 } END { print count + 0 }' "$RUN/saturation-rounds.svg" | tee /dev/stderr)" = 4 ]
}

@test "what stands below the title is broken into lines, about equally long" {
  wrapped() { jq -rn -L "$EXECTAX_ROOT/lib/report/tables" --arg text "$1" 'include "layout"; $text | wrapped(20)[]' | paste -sd'|'; }
  [ "$(wrapped 'twenty characters ab')" = 'twenty characters ab' ]
  [ "$(wrapped '')" = '' ]
  [ "$(wrapped 'one two three four windows of 5 s')" = 'one two three four|windows of 5 s' ]
  [ "$(wrapped abcdefghijklmnopqrstuvwxyz)" = 'abcdefghijklmnopqrst|uvwxyz' ]
}

@test "the same tables give the same picture" {
  cp "$EXECTAX_ROOT/perf.csv" "$RUN"
  results_plot "$RUN"
  results_plot_parts "$RUN" 800
  (cd "$RUN" && sha256sum ./*.svg ./*.png) >first
  results_plot "$RUN"
  results_plot_parts "$RUN" 800
  (cd "$RUN" && sha256sum -c --quiet) <first
}
