#!/bin/sh
# install.sh [--optional]: installs the coding CLIs of package-lock.json from the npm registry into node_modules here, once, and links each
# one below node_modules/.agents/NAME/ under the name people call it by. No install script of any package is run.
# --optional installs those of optional/package.json as well, in the same way below optional/ (another 410 MB).
# Exit 0: they are there. Exit 1: they are not, and stderr says why; the tests that need them are then skipped.
set -eu
cd "$(dirname -- "$0")"

say() { printf 'real agents: %s\n' "$*"; }
give_up() { printf 'real agents: %s\n' "$*" >&2; exit 1; }

exec 9> .install.lock
flock 9 # two builds of one checkout may set up at the same time
stamp=node_modules/.agents/installed
wanted=$({ cat package-lock.json install.sh; pwd; } | sha256sum | cut -d ' ' -f 1) # the links hold the path
installed() { [ "$(cat "$stamp" 2> /dev/null)" = "$wanted" ]; }
optional_installed() { [ "${1:-}" != --optional ] || cmp -s optional/package.json optional/node_modules/.agents/installed; }
if installed && optional_installed "$@"; then
  say "installed"
  exit 0
fi

case $(uname -m) in
  x86_64) machine=x64 codex_target=x86_64-unknown-linux-musl ;;
  aarch64) machine=arm64 codex_target=aarch64-unknown-linux-musl ;;
  *) give_up "there are no builds of the CLIs for $(uname -m)" ;;
esac
command -v npm > /dev/null || give_up "npm is missing (Debian: apt-get install nodejs npm)"
free_mb=$(df -Pm . | awk 'NR == 2 { print $4 }')
[ "$free_mb" -gt 3000 ] || give_up "needs 3 GB of free disk while installing, there are ${free_mb} MB"

run_npm() {
  timeout --kill-after=10 "${EMEND_NPM_SECONDS:-600}" npm "$@" --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000 > npm.log 2>&1 < /dev/null 9>&- ||
    { status=$?; tail -n 5 npm.log >&2; give_up "npm $1 failed (exit $status, whole output: $PWD/npm.log)"; }
}
link() { # FOLDER NAME PROGRAM FILE
  [ -f "$1/node_modules/$4" ] || give_up "the installation lacks $4"
  mkdir -p "$1/node_modules/.agents/$2"
  ln -sf "../../$4" "$1/node_modules/.agents/$2/$3"
}
with_our_node() { # FOLDER NAME FILE: these need node 20; Debian 12 has 18, so they get the one installed beside them
  [ -f "$1/node_modules/$3" ] || give_up "the installation lacks $3"
  mkdir -p "$1/node_modules/.agents/$2"
  printf '#!/bin/sh\nexec "%s/node_modules/.agents/node/node" "%s" "$@"\n' "$PWD" "$PWD/$1/node_modules/$3" > "$1/node_modules/.agents/$2/$2"
  chmod +x "$1/node_modules/.agents/$2/$2"
}

install_main() {
  say "installing with npm: 1.3 GB on disk, half a minute to some minutes"
  run_npm ci
  # npm 9 does not read which C library a package is for and installs those for musl too.
  rm -rf node_modules/@anthropic-ai/claude-code-linux-*-musl node_modules/claude-325/node_modules/@anthropic-ai/claude-code-linux-*-musl
  link . claude-197 claude "@anthropic-ai/claude-code-linux-$machine/claude"
  link . claude-325 claude "claude-325/node_modules/@anthropic-ai/claude-code-linux-$machine/claude"
  link . node node "node-linux-$machine/bin/node"
  link . codex codex "@openai/codex-linux-$machine/vendor/$codex_target/bin/codex"
  with_our_node . gemini @google/gemini-cli/bundle/gemini.js
  echo "$wanted" > "$stamp"
  say "installed, $(du -sm node_modules | cut -f 1) MB"
}

install_optional() {
  say "installing the optional ones with npm"
  run_npm install --no-package-lock --prefix optional
  link optional opencode opencode "opencode-linux-$machine/bin/opencode"
  with_our_node optional qwen @qwen-code/qwen-code/cli.js
  cp optional/package.json optional/node_modules/.agents/installed
  say "installed, $(du -sm optional/node_modules | cut -f 1) MB"
}

installed || install_main
optional_installed "$@" || install_optional
