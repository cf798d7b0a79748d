#!/bin/sh
# oracles.sh: installs the validators that the tests hold emend's output against, and an S3 server (tests/oracles), with npm. Whatever goes wrong is a
# warning: emend builds and runs without them, and the tests that need them are skipped and say so.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
warn() { printf 'setup: warning: %s\n' "$*" >&2; }

# Not in packages.txt: a node from elsewhere brings an npm that Debian's package conflicts with.
command -v npm > /dev/null || "$here/install.sh" "$here/packages-agents.txt" || warn "npm could not be installed"
"$here/../tests/oracles/install.sh" || warn "the tests that need other people's validators, or an S3 server, will be skipped"
