#!/usr/bin/env bash
# Job 3: posts and proposes what job 2 made, and answers the command. Knows a token that writes, and no key of an agent; no agent and no code of the project runs here.
#   EMEND_VERB, EMEND_NUMBER, EMEND_HEAD   outputs of job 1. What job 2 left decides nothing of this: code of the change may have run beside it
#   EMEND_COMMENT              number of the comment that asked; empty = nobody did
#   EMEND_STATUS               status, check or auto: what a review says of the head; empty = nothing
#   EMEND_BASE, EMEND_TRUST    see trust.sh
set -euo pipefail

case "$EMEND_VERB" in review | check | fix) ;; *) echo "emend: no verb" >&2; exit 2 ;; esac
case "$EMEND_NUMBER" in '' | *[!0-9]*) exit 2 ;; esac
case "$EMEND_HEAD" in '' | *[!0-9a-f]*) exit 2 ;; esac
case "${EMEND_COMMENT:-}" in *[!0-9]*) exit 2 ;; esac
status=()
case "${EMEND_STATUS:-}" in '') ;; status | check | auto) status=(--status "$EMEND_STATUS") ;; *) exit 2 ;; esac

# What was made must be for what was asked.
made_for() {
  python3 - "$1" "$2" "$3" "$EMEND_HEAD" <<'END'
import json, sys
made = json.load(open(sys.argv[1], encoding="utf-8"))
number, head = sys.argv[2], sys.argv[4]
sys.exit(0 if made["head"] == head and (number == "" or str(made[sys.argv[3]]) == number) else "emend: what was made is for something else")
END
}

answer() { # the first line of this file stands in the comment of answers
  [ -n "${EMEND_COMMENT:-}" ] || return 0
  emend --no-input pr command "$EMEND_NUMBER" "$EMEND_COMMENT" --done "$1"
}

nothing() { # what the job before this one should have made is not there
  echo "$1; the run of the workflow says why" >line.txt
  answer line.txt
  exit 1
}

[ ! -s out/report.md ] || head -c 60000 out/report.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
case "$EMEND_VERB" in
  review)
    [ ! -s out/skipped ] || { answer out/skipped; exit 0; }
    [ -s out/review.json ] || nothing "the review failed"
    made_for out/review.json '' ''
    "$(dirname "$0")/trust.sh"
    code=0
    emend --no-input pr review "$EMEND_NUMBER" --head "$EMEND_HEAD" --from out/review.json --post both "${status[@]}" || code=$?
    case "$code" in 0 | 1 | 5) ;; *) exit "$code" ;; esac
    echo "reviewed ${EMEND_HEAD:0:12}; the result is in the comments" >line.txt
    answer line.txt
    ;;
  check)
    [ -s out/check.json ] || nothing "the check failed"
    "$(dirname "$0")/trust.sh"
    code=0
    emend --no-input pr check "$EMEND_NUMBER" --head "$EMEND_HEAD" --from out/check.json "${status[@]}" >line.txt || code=$?
    case "$code" in 0 | 1) ;; *) exit "$code" ;; esac
    answer line.txt
    ;;
  fix)
    [ -s out/landing.json ] || nothing "no fix was made"
    made_for out/landing.json "$EMEND_NUMBER" number
    . "$(dirname "$0")/lend_token.sh"
    git fetch --quiet origin "refs/pull/$EMEND_NUMBER/head"
    git bundle verify --quiet out/fix.bundle
    git fetch --quiet out/fix.bundle 'refs/heads/fix/*:refs/heads/fix/*'
    for proof in out/*.emend-proof; do
      [ ! -e "$proof" ] || emend --no-input prove "$proof" # without running anything
    done
    emend --no-input --set forge.allow_push=true pr land out/landing.json >line.txt
    cat line.txt
    answer line.txt
    ;;
esac
