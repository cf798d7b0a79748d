#!/bin/sh
# web_tests.sh: installs what the tests of the dashboard need: Debian's Chromium and Firefox, and packages from npm. Whatever goes wrong is a warning:
# the tests that need them are skipped and say so.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
warn() { printf 'setup: warning: %s\n' "$*" >&2; }

"$here/install.sh" "$here/packages-web.txt" || warn "the browsers could not be installed; the tests in a browser will be skipped"
"$here/npm_packages.sh" "$here/../tests/web" 115 || warn "the tests of the dashboard will be skipped"
