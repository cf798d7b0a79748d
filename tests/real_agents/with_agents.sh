#!/bin/bash
# with_agents.sh --script FILE --work DIR [--claude 197|325] [--set NAME=VALUE]... -- COMMAND...: runs COMMAND with the coding CLIs on PATH,
# every one of them pointed at a scripted model. Its exit status is COMMAND's. DIR gets requests.jsonl (what the model was asked), home/ and
# tmp/ (what the CLIs keep). HOLD=NAME,... keeps variables of the caller; everything else of its environment is left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script='' work='' claude=325 settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --script) script=$2; shift 2 ;;
    --work) work=$2; shift 2 ;;
    --claude) claude=$2; shift 2 ;;
    --set) settings+=(--set "$2"); shift 2 ;;
    --) shift; break ;;
    *) echo "with_agents.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
if [ -z "$script" ] || [ -z "$work" ] || [ $# -eq 0 ]; then
  echo "usage: with_agents.sh --script FILE --work DIR [--claude 197|325] [--set NAME=VALUE]... -- COMMAND..." >&2
  exit 2
fi
agents=$here/node_modules/.agents
[ -f "$agents/installed" ] || { echo "with_agents.sh: the CLIs are not installed; run $here/install.sh" >&2; exit 3; }
mkdir -p "$work/home" "$work/tmp"
work=$(cd "$work" && pwd)

# Its stdin is a pipe of ours, so the server ends when we do, however that comes about.
coproc SERVER { exec python3 "$here/model_server.py" --script "$script" --log "$work/requests.jsonl" --home "$work/home" ${settings[@]+"${settings[@]}"}; }
server=$SERVER_PID
trap 'exec {SERVER[1]}>&- 2> /dev/null || true; wait "$server" 2> /dev/null || true' EXIT
variables=() ready=
while IFS= read -r line <&"${SERVER[0]}"; do
  [ "$line" != ready ] || { ready=yes; break; }
  [[ $line == listening* ]] || variables+=("$line")
done
[ -n "$ready" ] || { echo "with_agents.sh: the scripted model did not start" >&2; exit 3; }
for name in $(tr ',' ' ' <<< "${HOLD:-}"); do variables+=("$name=${!name}"); done

status=0
env -i HOME="$work/home" TMPDIR="$work/tmp" LANG=C.UTF-8 TERM=dumb WORK="$work" \
  PATH="$agents/claude-$claude:$agents/gemini:$agents/codex:$agents/node:/usr/local/bin:/usr/bin:/bin" "${variables[@]}" "$@" || status=$?
exit "$status"
