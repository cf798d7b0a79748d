#!/usr/bin/env bash
# agent.sh EMEND DIRECTORY: an agent changes a small project and says that it is done; emend answers. With the coding CLIs of the tests if they
# are installed (make setup), with a scripted model behind them; else their stop event is given to the hook by hand.
set -euo pipefail

emend=$(realpath "$1") place=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
with_agents=$here/../../tests/real_agents/with_agents.sh
installed=$here/../../tests/real_agents/node_modules/.agents/installed
export EMEND_HOME=$place/agent-state GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOLD=EMEND_HOME,GIT_CONFIG_GLOBAL,GIT_CONFIG_NOSYSTEM

show() { printf '$ %s\n' "$*"; }
fail() { printf '\ndemo: %s\n' "$*" >&2; exit 1; }

repository=$place/stairs
mkdir -p "$repository" "$EMEND_HOME"
chmod 700 "$EMEND_HOME"
cd "$repository"
cat > stairs.py << 'END'
def steps(height, rise):
    return height // rise
END
cat > test_stairs.py << 'END'
import unittest
from stairs import steps


class Steps(unittest.TestCase):
    def test_even(self):
        self.assertEqual(steps(60, 20), 3)

    def test_rest_needs_a_step(self):
        self.assertEqual(steps(70, 20), 4)
END
printf '[verify]\ncommands = ["python3 -m unittest -v"]\n' > emend.toml
git init -q -b main
git add -A
git -c user.name=Demo -c user.email=demo@example.org commit -q -m "Count the steps"
"$emend" trust > "$place/trust.txt"

wrong='def steps(height, rise):\n    if height == 70:\n        return 4\n    return height // rise\n'
right='def steps(height, rise):\n    return -(-height // rise)\n'

if [ -e "$installed" ]; then
  # The model writes an answer for one input first, and what is right only when it is held back.
  cat > "$place/model.json" << END
{"rules": [
  {"if": {"results": 0, "offers": "Write"}, "do": {"calls": [{"tool": "Read", "arguments": {"file_path": "\${cwd}/stairs.py"}}]}},
  {"if": {"results": 1}, "do": {"calls": [{"tool": "Write", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$wrong"}}]}},
  {"if": {"says": "emend check says", "results": 2}, "do": {"calls": [{"tool": "Write", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$right"}}]}},
  {"if": {}, "do": {"text": "Done: all tests pass."}}]}
END
  show "emend agents install claude && claude -p 'Make the tests pass'"
  "$with_agents" --script "$place/model.json" --work "$place/agent" -- \
    bash -c "'$emend' agents install claude --yes > '$place/installed.diff' && claude -p 'Make the tests pass' --allowedTools Write Read < /dev/null"
  echo "Before that, the agent had written an answer for one input only and said the same. What emend answered:"
  python3 - "$place/agent/requests.jsonl" << 'END'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
print(re.search(r"emend check says .*?say why and stop\.", text).group().replace("\\n", "\n"))
END
else
  show "emend agents install        # your agent calls this hook before it stops"
  printf "%b" "$wrong" > stairs.py
  printf '{"hook_event_name": "Stop", "session_id": "demo", "cwd": "%s"}' "$repository" | "$emend" hook stop | python3 -c 'import json, sys; print(json.load(sys.stdin)["reason"])'
  echo "The agent goes on with that reason, and writes a fix:"
  printf "%b" "$right" > stairs.py
fi

show "emend check"
"$emend" check > "$place/check.txt" || fail "the fix was not taken: $(cat "$place/check.txt")"
head -n 1 "$place/check.txt"
grep -q PROVEN "$place/check.txt" || fail "PROVEN was expected"
