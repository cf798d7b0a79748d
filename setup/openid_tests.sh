#!/bin/sh
# openid_tests.sh: installs the OpenID provider that the tests sign in at, with npm. Whatever goes wrong is a warning: the tests that need it are
# skipped and say so.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
"$here/npm_packages.sh" "$here/../tests/openid" 20 ||
  printf 'setup: warning: %s\n' "the tests of signing in will be skipped" >&2
