#!/bin/sh
# install.sh: installs the validators of package-lock.json from the npm registry into node_modules here, once. No install script of any
# package is run. Exit 0: they are there. Exit 1: they are not, and stderr says why; the tests that need them are then skipped.
set -eu
cd "$(dirname -- "$0")"

give_up() { printf 'oracles: %s\n' "$*" >&2; exit 1; }

exec 9> .install.lock
flock 9 # two builds of one checkout may set up at the same time
stamp=node_modules/.installed
wanted=$(cat package-lock.json install.sh | sha256sum | cut -d ' ' -f 1)
[ "$(cat "$stamp" 2> /dev/null)" != "$wanted" ] || { echo "oracles: installed"; exit 0; }

command -v npm > /dev/null || give_up "npm is missing (Debian: apt-get install nodejs npm)"
echo "oracles: installing with npm: about 145 MB on disk"
timeout --kill-after=10 "${EMEND_NPM_SECONDS:-600}" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
  --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=10000 > npm.log 2>&1 < /dev/null 9>&- ||
  { status=$?; tail -n 5 npm.log >&2; give_up "npm ci failed (exit $status, whole output: $PWD/npm.log)"; }
chmod u+x node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
echo "$wanted" > "$stamp"
echo "oracles: installed"
