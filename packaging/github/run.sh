#!/usr/bin/env bash
# Runs one emend command in a GitHub job, writes its outputs and a summary, and ends with its exit code. For action.yml.
#   EMEND_COMMAND, EMEND_ARGS, EMEND_FAIL_ON   the inputs
#   EMEND_BASE                                 branch a pull request goes to; empty elsewhere
set -euo pipefail

command=${EMEND_COMMAND:-review}
case "$command" in
  review | fix | verify | pr | report) ;;
  *) echo "::error::emend: the input command is review, fix, verify, pr or report, not \"$command\""; exit 2 ;;
esac
# Words as typed, without a shell looking at them: an input may hold a pull request's title.
mapfile -d '' -t arguments < <(python3 -c 'import shlex, sys
for word in shlex.split(sys.argv[1]): sys.stdout.write(word + "\0")' "${EMEND_ARGS:-}") || true
if [ -n "${EMEND_ARGS// /}" ] && [ "${#arguments[@]}" -eq 0 ]; then
  echo "::error::emend: the input args has an open quote"
  exit 2
fi

git config --global --add safe.directory "$PWD"
place=${RUNNER_TEMP:-$(mktemp -d)}
findings='' resolved='' sarif='' code=0

has_scope() {
  local word
  for word in "${arguments[@]}"; do
    case "$word" in --all | --base* | --staged | --uncommitted | --commit* | --range*) return 0 ;; esac
  done
  return 1
}

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }
summary() { cat >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; }

case "$command" in
  review)
    scope=()
    if ! has_scope; then
      if [ -n "${EMEND_BASE:-}" ]; then scope=(--base "origin/$EMEND_BASE"); else scope=(--all); fi
    fi
    sarif=$place/emend.sarif
    emend --no-input review "${scope[@]}" --fail-on "${EMEND_FAIL_ON:-high}" --format github --format "sarif:$sarif" --format "json:$place/emend.json" \
      "${arguments[@]}" || code=$? # --format github writes the summary, too
    [ -s "$sarif" ] || sarif=''
    if [ -s "$place/emend.json" ]; then
      findings=$(python3 -c 'import json, sys; data = json.load(open(sys.argv[1], encoding="utf-8"))["data"]; print(len(data if isinstance(data, list) else data["issues"]))' "$place/emend.json")
    fi
    ;;
  fix)
    emend --no-input fix "${arguments[@]}" --json >"$place/emend.json" || code=$?
    if [ -s "$place/emend.json" ]; then
      read -r findings resolved < <(python3 -c 'import json, sys; data = json.load(open(sys.argv[1], encoding="utf-8"))["data"]
print(len(data["issues"]), sum(one["issue"]["status"] == "RESOLVED" for one in data["issues"]))' "$place/emend.json")
      [ "${findings:-0}" -eq 0 ] || emend report --format markdown | summary
    fi
    ;;
  *)
    emend --no-input "$command" "${arguments[@]}" | tee "$place/emend.txt" || code=${PIPESTATUS[0]}
    { echo '```'; cat "$place/emend.txt"; echo '```'; } | summary
    ;;
esac

output sarif-file "$sarif"
output findings "$findings"
output resolved "$resolved"
output exit-code "$code"
exit "$code"
