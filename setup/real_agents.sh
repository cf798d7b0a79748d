#!/bin/sh
# real_agents.sh: installs the coding CLIs that the tests drive (tests/real_agents), with npm. Whatever goes wrong is a warning: emend builds
# and runs without them, and the tests that need them are skipped and say so. EMEND_REAL_AGENTS=no leaves them out.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
warn() { printf 'setup: warning: %s\n' "$*" >&2; }

if [ "${EMEND_REAL_AGENTS:-yes}" = no ]; then
  echo "setup: the coding CLIs for tests are left out (EMEND_REAL_AGENTS=no)"
  exit 0
fi
# Not in packages.txt: a node from elsewhere brings an npm that Debian's package conflicts with.
command -v npm > /dev/null || "$here/install.sh" "$here/packages-agents.txt" || warn "npm could not be installed"
"$here/../tests/real_agents/install.sh" || warn "the tests with real coding CLIs (ctest label real_agents) will be skipped"
