#!/usr/bin/env bash
# Answers what needs no work: refused commands, explain, dismiss, stop, help. Knows a token that may write comments; no key of an agent, and no code of the project runs here.
#   EMEND_PULL, EMEND_COMMENT   numbers of the event
set -euo pipefail

case "${EMEND_PULL:-}" in '' | *[!0-9]*) echo "emend: no pull request" >&2; exit 2 ;; esac
case "${EMEND_COMMENT:-}" in '' | *[!0-9]*) echo "emend: no comment" >&2; exit 2 ;; esac
code=0
emend --no-input pr command "$EMEND_PULL" "$EMEND_COMMENT" --answer-only || code=$?
[ "$code" -le 1 ] # 1: it was refused, and that was said
