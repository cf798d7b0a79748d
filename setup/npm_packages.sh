#!/bin/sh
# npm_packages.sh DIRECTORY MEGABYTES: installs the packages of DIRECTORY/package-lock.json from the npm registry into node_modules there,
# once. No install script of any package is run. Exit 0: they are there. Exit 1: they are not, and stderr says why.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
script=$here/npm_packages.sh
cd "$1"
name=$(basename -- "$PWD")

say() { printf '%s: %s\n' "$name" "$*"; }
give_up() { printf '%s: %s\n' "$name" "$*" >&2; exit 1; }

exec 9> .install.lock
flock 9 # two builds of one checkout may set up at the same time
stamp=node_modules/.installed
wanted=$(cat package-lock.json "$script" | sha256sum | cut -d ' ' -f 1)
[ "$(cat "$stamp" 2> /dev/null)" != "$wanted" ] || { say "installed"; exit 0; }

# Not in packages.txt: a node from elsewhere brings an npm that Debian's package conflicts with.
command -v npm > /dev/null || "$here/install.sh" "$here/packages-agents.txt" || give_up "npm is missing (Debian: apt-get install nodejs npm)"
say "installing with npm: about $2 MB on disk"
timeout --kill-after=10 "${EMEND_NPM_SECONDS:-600}" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
  --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000 > npm.log 2>&1 < /dev/null 9>&- ||
  { status=$?; tail -n 5 npm.log >&2; give_up "npm ci failed (exit $status, whole output: $PWD/npm.log)"; }
echo "$wanted" > "$stamp"
say "installed"
