#!/usr/bin/env bash
# agent.sh EMEND DIRECTORY: agents change a small project and say that they are done; emend answers. With Claude Code, Codex and Gemini CLI as the
# tests have them (make setup), with a scripted model behind them; else each one's stop event is given by hand to the hook that was installed for
# it. Each has a home of its own: nothing of yours is changed.
set -euo pipefail

emend=$(realpath "$1") place=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
with_agents=$here/../../tests/real_agents/with_agents.sh
installed=$here/../../tests/real_agents/node_modules/.agents/installed
export EMEND_HOME=$place/agent-state GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOLD=EMEND_HOME,GIT_CONFIG_GLOBAL,GIT_CONFIG_NOSYSTEM

show() { printf '$ %s\n' "$*"; }
fail() { printf '\ndemo: %s\n' "$*" >&2; exit 1; }

began=$SECONDS
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
git init -q -b main
git add -A
git -c user.name=Demo -c user.email=demo@example.org commit -q -m "Count the steps"

wrong='def steps(height, rise):\n    if height == 70:\n        return 4\n    return height // rise\n'
right='def steps(height, rise):\n    return -(-height // rise)\n'

# check: what the agent wrote in the end, and what it is worth.
check() {
  echo "The agent went on with that reason, and wrote:"
  git --no-pager diff -U0 | grep '^[-+] ' | sed 's/^/  /'
  show "emend check"
  "$emend" check > "$place/check.txt" || fail "the fix was not taken: $(cat "$place/check.txt")"
  head -n 1 "$place/check.txt"
  grep -q PROVEN "$place/check.txt" || fail "PROVEN was expected"
}

# rules FILE: what the model of each CLI writes: an answer for one input first, and what is right only when it is held back.
claude_rules() {
  cat > "$1" << END
{"rules": [
  {"if": {"results": 0, "offers": "Write"}, "do": {"calls": [{"tool": "Read", "arguments": {"file_path": "\${cwd}/stairs.py"}}]}},
  {"if": {"results": 1}, "do": {"calls": [{"tool": "Write", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$wrong"}}]}},
  {"if": {"says": "emend check says", "results": 2}, "do": {"calls": [{"tool": "Write", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$right"}}]}},
  {"if": {}, "do": {"text": "Done: all tests pass."}}]}
END
}
codex_rules() {
  cat > "$1" << END
{"rules": [
  {"if": {"results": 0}, "do": {"calls": [{"tool": "exec_command", "arguments": {"cmd": "printf '${wrong//\\/\\\\}' > stairs.py"}}]}},
  {"if": {"says": "emend check says", "results": 1}, "do": {"calls": [{"tool": "exec_command", "arguments": {"cmd": "printf '${right//\\/\\\\}' > stairs.py"}}]}},
  {"if": {}, "do": {"text": "Done: all tests pass."}}]}
END
}
gemini_rules() {
  cat > "$1" << END
{"rules": [
  {"if": {"results": 0, "offers": "write_file"}, "do": {"calls": [{"tool": "write_file", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$wrong"}}]}},
  {"if": {"says": "emend check says", "results": 1}, "do": {"calls": [{"tool": "write_file", "arguments": {"file_path": "\${cwd}/stairs.py", "content": "$right"}}]}},
  {"if": {}, "do": {"text": "Done: all tests pass."}}]}
END
}

# work AGENT COMMAND...: in a fresh repository of its own: installed with one command, then one prompt.
work() {
  local agent=$1
  shift
  "${agent}_rules" "$place/$agent.json"
  cp -R "$repository" "$place/stairs-$agent"
  cd "$place/stairs-$agent"
  "$with_agents" --script "$place/$agent.json" --work "$place/$agent" -- bash -c "$install" "$emend" "$agent" "$@" < /dev/null > "$place/$agent.txt" 2>&1
}

# tell AGENT PID COMMAND: what emend answered before the agent could stop, and what became of it.
tell() {
  local agent=$1 pid=$2
  show "emend agents install $agent && $3"
  wait "$pid" || fail "$agent failed: $(tail -n 5 "$place/$agent.txt")"
  cd "$place/stairs-$agent"
  python3 - "$place/$agent/requests.jsonl" << 'END'
import re, sys
said = re.search(r"emend check says .*?say why and stop\.", open(sys.argv[1], encoding="utf-8").read())
sys.exit("the agent was not held back") if not said else print("It wrote an answer for one input only, and wanted to stop. emend said:\n  " + said.group().replace("\\n", "\n  "))
END
  check
}

# by_hand AGENT NAME FILE EVENT: without the CLIs. The one command writes to a home of its own, and the event with which the agent says that it is done
# goes to the hook that stands in its settings then.
by_hand() {
  local agent=$1 name=$2 file=$3 event=$4 hook
  export HOME=$place/person
  mkdir -p "$HOME"
  cp -R "$repository" "$place/stairs-$agent"
  cd "$place/stairs-$agent"
  show "emend agents install $agent     # $name calls this before it stops ($event):"
  printf 'y\n' | script -qec "'$emend' agents install $agent --yes" /dev/null > "$place/$agent.txt" || fail "not installed: $(cat "$place/$agent.txt")"
  hook=$(python3 -c 'import json, os, sys; print(json.load(open(os.path.expanduser(sys.argv[1])))["hooks"][sys.argv[2]][0]["hooks"][0]["command"])' "$file" "$event")
  printf '  %s\nIt wrote an answer for one input only, and wanted to stop. emend said:\n' "$hook"
  printf "%b" "$wrong" > stairs.py
  printf '{"hook_event_name": "%s", "session_id": "demo", "cwd": "%s"}' "$event" "$PWD" | sh -c "$hook" |
    python3 -c 'import json, sys; print("  " + json.load(sys.stdin)["reason"].replace("\n", "\n  "))' || fail "the agent was not held back"
  printf "%b" "$right" > stairs.py
  check
}

# At a terminal, where somebody says yes to the checks that it finds here.
install='printf "y\n" | script -qec "\"$0\" agents install $1 --yes" /dev/null; shift; exec "$@"'
if [ -e "$installed" ]; then
  work claude claude -p 'Make the tests pass' --allowedTools Write Read &
  claude=$!
  work codex codex exec --json --dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox 'Make the tests pass' &
  codex=$!
  work gemini env GEMINI_CLI_TRUST_WORKSPACE=true gemini -m gemini-2.5-flash -p 'Make the tests pass' --approval-mode yolo &
  gemini=$!
  tell claude "$claude" "claude -p 'Make the tests pass'"
  echo "(Codex runs no hook before a person has allowed it once in /hooks; nobody is here to, hence the first flag.)"
  tell codex "$codex" "codex exec --dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox 'Make the tests pass'"
  tell gemini "$gemini" "gemini -p 'Make the tests pass' --approval-mode yolo"
else
  echo "(The agents themselves are not here: with 'make setup' they are, and a script plays their model. So their part is played by hand.)"
  by_hand claude "Claude Code" "~/.claude/settings.json" Stop
  by_hand codex Codex "~/.codex/hooks.json" Stop
  by_hand gemini "Gemini CLI" "~/.gemini/settings.json" AfterAgent
fi
took=$((SECONDS - began))
echo "(This part took $took seconds, the installing included.)"
