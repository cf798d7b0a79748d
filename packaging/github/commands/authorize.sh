#!/usr/bin/env bash
# Job 1: may this comment give a command, and which? Knows a token that reads, and no other secret. Of the event only two numbers are used; all else
# is read from GitHub. Writes verb, number, head and codes as outputs. An empty verb ends the workflow; "answer" is what needs no work, and a refusal.
#   EMEND_PULL, EMEND_COMMENT   numbers of the event
#   EMEND_INLINE                true for a comment on a line
set -euo pipefail

case "${EMEND_PULL:-}" in '' | *[!0-9]*) echo "emend: no pull request" >&2; exit 2 ;; esac
case "${EMEND_COMMENT:-}" in '' | *[!0-9]*) echo "emend: no comment" >&2; exit 2 ;; esac
inline=()
[ "${EMEND_INLINE:-false}" != true ] || inline=(--inline)
emend --no-input --json pr command "$EMEND_PULL" "$EMEND_COMMENT" --look-only "${inline[@]}" >answer.json || true
python3 - answer.json <<'END' >>"$GITHUB_OUTPUT"
import json, re, sys
data = json.load(open(sys.argv[1], encoding="utf-8"))["data"]
print("emend:", data["what"], data["why"], file=sys.stderr)
words = (data["command"] or "").split(" ")
work = data["what"] == "taken" and words[0] in ("review", "check", "fix") and re.fullmatch(r"[0-9a-f]{40}([0-9a-f]{24})?", data["head"])
answer = not work and data["what"] in ("taken", "refused")
codes = [word for word in words[1:] if re.fullmatch(r"[A-Z]{2}-[0-9]{3,9}", word)]
print(f"verb={words[0] if work else 'answer' if answer else ''}")
print(f"number={data['pull_request']}")
print(f"head={data['head'] if work else ''}")
print(f"codes={' '.join(codes) if work else ''}")
END
