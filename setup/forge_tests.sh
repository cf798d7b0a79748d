#!/bin/sh
# forge_tests.sh: installs GitHub's own description of its API and of its webhooks, which the tests of forges are held against, with npm. Whatever goes
# wrong is a warning: the tests that need it are skipped and say so.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
"$here/npm_packages.sh" "$here/../tests/forge" 400 ||
  printf 'setup: warning: %s\n' "the tests that need GitHub's description of its API will be skipped" >&2
