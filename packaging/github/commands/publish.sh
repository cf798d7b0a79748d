#!/usr/bin/env bash
# Job 3 of 3: proposes what job 2 made. Knows a token that writes, and no key of an agent; no agent and no code of the project runs here.
#   EMEND_NUMBER, EMEND_HEAD   outputs of job 1
set -euo pipefail

case "$EMEND_NUMBER" in '' | *[!0-9]*) exit 2 ;; esac
verb=$(head -c 20 out/verb)
if [ "$verb" != fix ]; then
  [ ! -s out/report.md ] || head -c 60000 out/report.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 0
fi
[ -s out/landing.json ] || { echo "emend: no fix was made" >&2; exit 1; }
python3 - "$EMEND_NUMBER" "$EMEND_HEAD" <<'END' # what was made must be for what was asked
import json, sys
made = json.load(open("out/landing.json", encoding="utf-8"))
sys.exit(0 if (str(made["number"]), made["head"]) == (sys.argv[1], sys.argv[2]) else "emend: the fix is for something else")
END
git fetch --quiet origin "refs/pull/$EMEND_NUMBER/head"
git bundle verify --quiet out/fix.bundle
git fetch --quiet out/fix.bundle 'refs/heads/fix/*:refs/heads/fix/*'
for proof in out/*.emend-proof; do
  [ ! -e "$proof" ] || emend --no-input prove "$proof" # without running anything
done
emend --no-input --set forge.allow_push=true pr land out/landing.json
