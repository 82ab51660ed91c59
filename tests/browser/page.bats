#!/usr/bin/env bats
# report.html in a browser: `make check-report`.

load ../rooms
load ../made-up-run
load browser

bats_require_minimum_version 1.5.0

setup_file() {
  use_rooms base report
  RUN=$BATS_FILE_TMPDIR/sweep
  make_sweep
  RUN=$BATS_FILE_TMPDIR/saturate
  begin_run
  saturation 'a,no limits,500,400,600,monitor,ok,3' 'b,0.1 CPU,1000,900,1100,host,ok,3' 'c,no limits,,,,monitor,failed,3'
  printf '%s\n' 'monitor,combination,status,achieved_per_sec,recorded_percent,asked_per_sec,rep,round,lost,cpu,verdict,host_steal' 'a,no limits,ok,500,99.999,500,1,1,1,5,lossy,0' >"$RUN/rounds.csv"
  html_make "$RUN" 800 no
  RUN=$BATS_FILE_TMPDIR/rules
  begin_run
  rules
  html_make "$RUN" 800 no
  RUN=$BATS_FILE_TMPDIR/set
  begin_run
  set_of_rules 'm,counted_us,µs per execution,100,98,102,120,117,123,20,16,24' 'm,daemon_us,µs per execution,60,58,62,59,57,61,-1,-4,2' \
    'c,counted_us,µs per execution,40,38,42,70,60,80,30,20,40' 'm,getppid,ns per call,200,190,210,350,340,360,150,140,160'
  html_make "$RUN" 800 no
  RUN=$BATS_FILE_TMPDIR/engines
  begin_run
  engines today,go,code-injection,2,3,10,9,11 today,go,code-injection,100,3,1200,1100,1300 today,cel,code-injection,2,3,20,18,22 today,cel,code-injection,100,3,2500,2400,2600 today,wasm,code-injection,2,0,,,
  engines_differ cel go 1000 1600
  signature_adds go 12 11 13
  html_make "$RUN" 800 no
  html_comparison "$(comparison)" >"$BATS_FILE_TMPDIR/comparison.html"
  mkdir "$BATS_FILE_TMPDIR/comparison"
  mv "$BATS_FILE_TMPDIR/comparison.html" "$BATS_FILE_TMPDIR/comparison/report.html"
  AXE=$("$EXECTAX_ROOT/tests/browser/axe-core" "$EXECTAX_ROOT/build/browser")
  export AXE
  browser_start
}

teardown_file() {
  browser_stop
}

setup() {
  use_rooms base report
  PAGE=$BATS_FILE_TMPDIR/sweep/report.html
}

# A sweep that has all that a page can show: ties, losses, saturation, what was skipped and what failed.
make_sweep() {
  local name rate
  begin_run
  for rate in 100 800; do
    ((rate == 100)) || row "test=none,exec_per_sec=$rate,baseline_us=900,baseline_us_low=880,baseline_us_high=920,counted_us=0,counted_us_low=-1,counted_us_high=1,lost="
    row "test=a,exec_per_sec=$rate,achieved_per_sec=$rate,bpf_us=0,services_us=10,services_us_low=9,services_us_high=11,program_us=40,program_us_low=38,program_us_high=42,parent_us=10,parent_us_low=9,parent_us_high=11"
    row "test=a-longer-name,exec_per_sec=$rate,achieved_per_sec=$rate,counted_us=95,delivery_p50_ms=1.2,delivery_p50_ms_low=1,delivery_p50_ms_high=1.4,lost=3"
    row "test=nothing,exec_per_sec=$rate,achieved_per_sec=$rate,counted_us=2,counted_us_low=-5,counted_us_high=9"
    row "test=full,exec_per_sec=$rate,achieved_per_sec=$rate,saturated=true,counted_us=500,counted_us_low=400,counted_us_high=900,cpu=40,cpu_low=35,cpu_high=45"
  done
  without "test=broken,status=failed,reason=died; its last words: it could not read a file whose name is long enough to need another line"
  without "test=gone,exec_per_sec=,status=skipped,reason=not here"
  make_perf
  printf '%s\n' a,a-longer-name,800,counted_overhead,5,-9,19 a,nothing,800,counted_overhead,98,85,111 a-longer-name,nothing,800,counted_overhead,93,80,106 >>"$RUN/differences.csv"
  echo "test,call,way,without_ns,with_ns,added_ns,added_ns_low,added_ns_high,reps,reason" >"$RUN/syscalls.csv"
  echo "a,getppid,side-by-side,120,340,220,215,225,3," >>"$RUN/syscalls.csv"
  printf '%s\n' cell,test,exec_per_sec,rep,status,reason,marks,host_steal 1,a,100,1,ok,,,0.5 2,a,100,2,ok,,steal,7.25 3,broken,100,3,failed,died,,1 >"$RUN/cells.csv"
  mkdir -p "$RUN/monitors/a/1-1" "$RUN/cells/a/800-1"
  echo "folded-configuration = yes" >"$RUN/monitors/a/1-1/a.conf"
  echo "1,1,a,800,1" >>"$RUN/plan.csv"
  printf '%s\n' 'swapper;[idle] 90' 'a;main;read;entry_SYSCALL_64_[k] 60' 'a;main;write 30' 'kauditd;kauditd_thread_[k] 10' | gzip >"$RUN/cells/a/800-1/stacks.folded.gz"
  html_make "$RUN" 800 no
}

# each_look COMMAND...: with the page of each kind of run, as wide as a phone and as a desk's screen, light and dark.
each_look() {
  local kind width scheme
  for kind in sweep saturate rules set engines comparison; do
    for width in 390 1440; do
      for scheme in light dark; do
        LOOK="$kind, $width pixels, $scheme"
        look_at "$BATS_FILE_TMPDIR/$kind/report.html" "$width" "$scheme"
        "$@"
      done
    done
  done
}

# no_output COMMAND...: it prints nothing.
no_output() {
  "$@" >"$BATS_TEST_TMPDIR/output"
  [[ ! -s $BATS_TEST_TMPDIR/output ]] || {
    echo "$LOOK:"
    cat "$BATS_TEST_TMPDIR/output"
    return 1
  }
}

# In the order of the rows, what is first in each; the table is the first one that has the column.
first_cells() {
  script "const head = [...document.querySelectorAll('th')].find(h => h.textContent.startsWith('$1'));
    return [...head.closest('table').tBodies[0].rows].map(r => r.cells[0].textContent).join(' ')" | jq -r .
}

said_elsewhere() {
  said | grep -vFx "file://$BATS_FILE_TMPDIR/${LOOK%%,*}/report.html" || true
}

@test "no script fails, nothing breaks the page's policy, and nothing is asked of the network" {
  each_look no_output said_elsewhere
  # That this would be noticed.
  look_at "$PAGE" 1440 light
  script "fetch('https://example.invalid/').catch(() => {}); const s = document.createElement('script'); s.textContent = 'x'; document.body.append(s);" >/dev/null
  said | grep -q 'Content Security Policy'
}

@test "axe-core finds nothing that is hard to read or to use, everything unfolded" {
  unfolded() {
    script "for (const d of document.querySelectorAll('details')) d.open = true;" >/dev/null
    axe
  }
  each_look no_output unfolded
}

@test "no page is wider than its screen, and of each picture one is shown" {
  too_wide() { script "return document.documentElement.scrollWidth > innerWidth ? ['wider than the screen: ' + document.documentElement.scrollWidth] : []" | jq -r '.[]'; }
  pictures() { script "return [...document.querySelectorAll('figure')].filter(f => [...f.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width > 0).length != 1).map(f => f.textContent)" | jq -r '.[]'; }
  each_look no_output too_wide
  each_look no_output pictures
}

@test "tables sort by what is clicked, by the pointer and by the keyboard; what has no figure comes last" {
  look_at "$PAGE" 1440 light
  local press="const b = [...document.querySelectorAll('th button')].find(b => b.textContent.startsWith('rank'));"
  [ "$(first_cells rank)" = "nothing a a-longer-name full" ]
  script "$press b.click()" >/dev/null
  [ "$(first_cells rank)" = "nothing a a-longer-name full" ]
  [ "$(script "$press return b.closest('th').getAttribute('aria-sort')")" = '"ascending"' ]
  script "$press b.focus()" >/dev/null
  echo '{"actions": [{"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\uE007"}, {"type": "keyUp", "value": "\uE007"}]}]}' | browser actions >/dev/null
  [ "$(script "$press return b.closest('th').getAttribute('aria-sort')")" = '"descending"' ]
  [ "$(first_cells rank)" = "a a-longer-name nothing full" ]
  script "[...document.querySelectorAll('th button')].find(b => b.textContent.startsWith('counted µs')).click()" >/dev/null
  [ "$(first_cells 'counted µs')" = "nothing a-longer-name a full" ]
  # By name: capitals and signs don't matter.
  script "document.querySelector('th button').click()" >/dev/null
  [ "$(first_cells monitor)" = "a a-longer-name full nothing" ]
}

@test "a picture's values are shown where the pointer is, and gone with Escape" {
  local place
  look_at "$PAGE" 1440 light
  place=$(script "const bar = document.querySelector('svg.wide .s-inband'); bar.scrollIntoView({block: 'center'}); const r = bar.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + 3}")
  devtools Input.dispatchMouseEvent "$(jq -c '. + {type: "mouseMoved"}' <<<"$place")" >/dev/null
  [ "$(script "const t = document.getElementById('tip'); return t.hidden ? null : t.textContent")" = '"else in watched programs and their parents: 50 %"' ]
  script "dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))" >/dev/null
  [ "$(script "return document.getElementById('tip').hidden")" = true ]
}

@test "a monitor's name leads to what is folded of it" {
  look_at "$PAGE" 390 light
  [ "$(script "return document.getElementById('m0').open")" = false ]
  script "[...document.querySelectorAll('#costs a')].find(a => a.textContent == 'a').click()" >/dev/null
  script "return new Promise(done => setTimeout(() => done(document.getElementById('m0').open), 100))" | grep -qx true
}

@test "printed, it is on A4 with everything in it, nothing cut at the side" {
  look_at "$PAGE" 1440 dark
  devtools Page.printToPDF '{"preferCSSPageSize": true, "printBackground": false}' | jq -r .data | base64 -d >"$BATS_TEST_TMPDIR/page.pdf"
  pdfinfo "$BATS_TEST_TMPDIR/page.pdf" | grep -E '^Page size: +59[456][.0-9]* x 84[123][.0-9]* pts'
  pdftotext -layout "$BATS_TEST_TMPDIR/page.pdf" - >"$BATS_TEST_TMPDIR/text"
  grep -q 'folded-configuration = yes' "$BATS_TEST_TMPDIR/text"
  grep -q 'What an execution costs, and who pays' "$BATS_TEST_TMPDIR/text"
  pdftotext -bbox "$BATS_TEST_TMPDIR/page.pdf" "$BATS_TEST_TMPDIR/boxes"
  sed -nE 's|.*xMin="([0-9.]+)".*xMax="([0-9.]+)".*>(.*)</word>|\1 \2 \3|p' "$BATS_TEST_TMPDIR/boxes" | awk '$1 < 30 || $2 > 565 { print; cut = 1 } END { exit cut || NR == 0 }'
}

@test "a thousand cells are a page of less than a megabyte, which a browser shows whole" {
  RUN=$BATS_TEST_TMPDIR/large
  "$BUILD/manycells" make "$RUN" 1000 50
  "$BUILD/figures" "$RUN"
  html_make "$RUN" 800 no
  (($(stat -c %s "$RUN/report.html") < 1000000))
  look_at "$RUN/report.html" 1440 light
  [ "$(script "return document.querySelectorAll('#costs tbody tr').length")" = 19 ]
  [ "$(script "return document.querySelectorAll('details.monitor').length")" = 19 ]
}
