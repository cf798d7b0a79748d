#!/usr/bin/env bash
# Job 2: does the work. To review and fix it knows the agents' keys and a token that reads; to check, which runs code of the change, it knows nothing. It cannot
# write to the project, and what it makes leaves it as files in out/.
#   EMEND_VERB, EMEND_NUMBER, EMEND_HEAD, EMEND_CODES   outputs of job 1
#   EMEND_BASE                                          the branch that is checked out
#   EMEND_TRUST                                         see trust.sh
set -euo pipefail

case "$EMEND_VERB" in review | check | fix) ;; *) echo "emend: no verb" >&2; exit 2 ;; esac
case "$EMEND_NUMBER" in '' | *[!0-9]*) exit 2 ;; esac
case "$EMEND_HEAD" in '' | *[!0-9a-f]*) exit 2 ;; esac
case "${EMEND_CODES:-}" in *[!A-Z0-9\ -]*) exit 2 ;; esac
read -ra codes <<<"${EMEND_CODES:-}"
mkdir -p out
code=0
case "$EMEND_VERB" in
  review)
    "$(dirname "$0")/trust.sh"
    emend --no-input pr review "$EMEND_NUMBER" --head "$EMEND_HEAD" --prepare out --format markdown:out/report.md >out/skipped || code=$?
    [ ! -s out/review.json ] && [ -s out/skipped ] && [ "$code" -eq 0 ] || rm out/skipped # a draft, or a label that says so
    ;;
  check)
    for name in $(compgen -e | grep -E '(_KEY|_TOKEN|_SECRET|PASSWORD)$' | grep -v '^ACTIONS_' || true); do
      echo "emend: \$$name does not belong into the job that runs code of a change" >&2
      exit 2
    done
    "$(dirname "$0")/trust.sh"
    git fetch --quiet origin "refs/pull/$EMEND_NUMBER/head"
    issue=()
    if [ "${#codes[@]}" -gt 0 ]; then # what was found elsewhere cannot be asked for without a token
      if emend --no-input issues show "${codes[0]}" >/dev/null 2>&1; then issue=(--issue "${codes[0]}")
      else echo "emend: ${codes[0]} is not known in this job; the change is checked as a whole" >&2; fi
    fi
    emend --no-input --json check --range "origin/$EMEND_BASE..$EMEND_HEAD" "${issue[@]}" >out/check.json || code=$?
    ;;
  fix)
    "$(dirname "$0")/trust.sh"
    emend --no-input --json pr fix "$EMEND_NUMBER" "${codes[@]}" --head "$EMEND_HEAD" --prepare out >out/fix.json || code=$?
    if [ -s out/landing.json ]; then
      branch=$(python3 -c 'import json; print(json.load(open("out/landing.json"))["branch"])')
      git bundle create --quiet out/fix.bundle "$EMEND_HEAD..refs/heads/$branch"
      [ "${#codes[@]}" -gt 0 ] || read -ra codes < <(python3 -c 'import json; print(*json.load(open("out/fix.json"))["data"]["codes"])')
      for one in "${codes[@]}"; do # the files of the run: for a machine, and for whoever follows the link in the proposal
        emend --no-input prove "$one" --export "out/$one.emend-proof" --html "out/$one.html" || true
      done
    fi
    ;;
esac
[ "$code" -le 1 ] # 1: not approved, or not everything was fixed; that is told, too
