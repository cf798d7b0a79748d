#!/bin/sh
# install.sh: installs the coding CLIs of package-lock.json from the npm registry into node_modules here, once, and links each one below
# node_modules/.agents/NAME/ under the name people call it by. No install script of any package is run.
# Exit 0: they are there. Exit 1: they are not, and stderr says why; the tests that need them are then skipped.
set -eu
cd "$(dirname -- "$0")"

say() { printf 'real agents: %s\n' "$*"; }
give_up() { printf 'real agents: %s\n' "$*" >&2; exit 1; }

exec 9> .install.lock
flock 9 # two builds of one checkout may set up at the same time
stamp=node_modules/.agents/installed
wanted=$(cat package-lock.json install.sh | sha256sum | cut -d ' ' -f 1)
[ "$(cat "$stamp" 2> /dev/null)" != "$wanted" ] || { say "installed"; exit 0; }

case $(uname -m) in
  x86_64) machine=x64 codex_target=x86_64-unknown-linux-musl ;;
  aarch64) machine=arm64 codex_target=aarch64-unknown-linux-musl ;;
  *) give_up "there are no builds of the CLIs for $(uname -m)" ;;
esac
command -v npm > /dev/null || give_up "npm is missing (Debian: apt-get install nodejs npm)"
free_mb=$(df -Pm . | awk 'NR == 2 { print $4 }')
[ "$free_mb" -gt 3000 ] || give_up "needs 3 GB of free disk while installing, there are ${free_mb} MB"

say "installing with npm: about 1.2 GB on disk, half a minute to some minutes"
timeout --kill-after=10 "${EMEND_NPM_SECONDS:-600}" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
  --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000 > npm.log 2>&1 < /dev/null 9>&- ||
  { status=$?; tail -n 5 npm.log >&2; give_up "npm ci failed (exit $status, whole output: $PWD/npm.log)"; }
# npm 9 does not read which C library a package is for and installs those for musl too.
rm -rf node_modules/@anthropic-ai/claude-code-linux-*-musl node_modules/claude-325/node_modules/@anthropic-ai/claude-code-linux-*-musl

link() { # NAME PROGRAM FILE
  [ -f "node_modules/$3" ] || give_up "the installation lacks $3"
  mkdir -p "node_modules/.agents/$1"
  ln -sf "../../$3" "node_modules/.agents/$1/$2"
}
link claude-197 claude "@anthropic-ai/claude-code-linux-$machine/claude"
link claude-325 claude "claude-325/node_modules/@anthropic-ai/claude-code-linux-$machine/claude"
link node node "node-linux-$machine/bin/node"
link codex codex "@openai/codex-linux-$machine/vendor/$codex_target/bin/codex"
# Gemini needs node 20; Debian 12 has 18, so it gets the one installed beside it.
gemini=@google/gemini-cli/bundle/gemini.js
[ -f "node_modules/$gemini" ] || give_up "the installation lacks $gemini"
mkdir -p node_modules/.agents/gemini
printf '#!/bin/sh\nexec "%s/node/node" "%s" "$@"\n' "$PWD/node_modules/.agents" "$PWD/node_modules/$gemini" > node_modules/.agents/gemini/gemini
chmod +x node_modules/.agents/gemini/gemini

echo "$wanted" > "$stamp"
say "installed, $(du -sm node_modules | cut -f 1) MB"
