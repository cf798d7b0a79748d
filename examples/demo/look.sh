#!/usr/bin/env bash
# look.sh EMEND DEMO SESSION: the last lines of the demo, how to look at the session in a browser. At a terminal the server is started,
# ends by itself when nobody has used it for ten minutes, and one link opens the session. Elsewhere nothing is left running.
set -euo pipefail

emend=$1 demo=$2 session=$3
serve=("$emend" serve --listen 127.0.0.1:0 --repo "$demo/gauge" --repo "$demo/shelf")

say_how() {
  printf '\nSee it in a browser, with a link that opens this session:\n  %s' "EMEND_HOME=$EMEND_HOME"
  printf ' %q' "${serve[@]}" --session "$session"
  printf '\n'
}

# The server writes down where it is once it answers.
start_server() {
  setsid "${serve[@]}" --idle-exit 10m --log-format json >"$demo/server.log" 2>&1 </dev/null &
  for _ in $(seq 100); do
    [ -s "$EMEND_HOME/server/address.json" ] && return 0
    kill -0 $! 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

if [ ! -t 0 ] || [ ! -t 1 ] || [ -n "${CI:-}" ] || ! start_server; then
  say_how
  exit 0
fi
pid=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$EMEND_HOME/server/address.json")
cat <<END

See it in a browser (the link works once, within five minutes):
  $("$emend" --quiet open "$session")
Another link:   EMEND_HOME=$EMEND_HOME $emend open $session
The server ends by itself after ten minutes without use, or now: kill $pid
END
