# shellcheck shell=bash
# A browser without a screen, told what to do over the WebDriver protocol.

# The browser listens on the loopback address alone.
browser_start() {
  local deadline=$((SECONDS + 60)) port='' session
  chromedriver --port=0 --log-level=SEVERE >"$BATS_FILE_TMPDIR/chromedriver" 2>&1 3>&- &
  echo $! >"$BATS_FILE_TMPDIR/chromedriver.pid"
  until [[ -n $port ]]; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
    port=$(sed -nE 's/.*started successfully on port ([0-9]+).*/\1/p' "$BATS_FILE_TMPDIR/chromedriver")
  done
  # As root, Chromium has no sandbox.
  session=$(curl -sS "http://127.0.0.1:$port/session" -d '{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]}}}}')
  BROWSER=http://127.0.0.1:$port/session/$(jq -r .value.sessionId <<<"$session")
  export BROWSER
}

browser_stop() {
  local deadline=$((SECONDS + 30)) pid
  pid=$(<"$BATS_FILE_TMPDIR/chromedriver.pid")
  curl -sS -X DELETE "$BROWSER" >"$BATS_FILE_TMPDIR/deleted"
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null && ((SECONDS < deadline)); do
    sleep 0.1
  done
}

# browser PATH: POSTs what is on stdin, a JSON object; the answer's value.
browser() {
  curl -sS "$BROWSER/$1" -H 'Content-Type: application/json' --data-binary @- >"$BATS_TEST_TMPDIR/answer"
  jq -e '.value | if type == "object" and has("error") then halt_error else . end' "$BATS_TEST_TMPDIR/answer" || [[ $? == 1 ]]
}

# devtools COMMAND PARAMETERS
devtools() {
  jq -nc --arg cmd "$1" --argjson params "$2" '$ARGS.named' | browser goog/cdp/execute
}

# script JAVASCRIPT: the value that it returns.
script() {
  jq -nc --arg script "$1" '{$script, args: []}' | browser execute/sync
}

# look_at FILE WIDTH light|dark
look_at() {
  devtools Emulation.setDeviceMetricsOverride "{\"width\": $2, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}" >/dev/null
  devtools Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$3\"}]}" >/dev/null
  # What was said of the page before is not of this one.
  said >/dev/null
  jq -nc --arg url "file://$1" '{$url}' | browser url >/dev/null
}

# What went wrong, and what was asked of the network, since this was called: a line each.
said() {
  echo '{"type": "browser"}' | browser se/log | jq -r '.[].message'
  echo '{"type": "performance"}' | browser se/log | jq -r '.[].message | fromjson.message | select(.method == "Network.requestWillBeSent") | .params.request.url | select(startswith("data:") | not)'
}

# axe: what is hard to read or to use, by axe-core's rules, a line each.
axe() {
  jq -nc --rawfile axe "$AXE" '{script: ($axe + "\nconst done = arguments[arguments.length - 1];\naxe.run().then(result => done(result.violations.map(v => v.id + \": \" + v.nodes.map(n => n.target + \" \" + n.failureSummary).slice(0, 3).join(\"; \"))), error => done([\"\" + error]));"), args: []}' |
    browser execute/async | jq -r '.[]'
}
