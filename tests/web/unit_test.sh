#!/bin/sh
# unit_test.sh: the dashboard's parts, each on its own. Exit 77: the packages are missing.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ -e "$here/node_modules/.installed" ] || { echo "skipped: the packages of tests/web are not installed (setup/web_tests.sh)"; exit 77; }
exec "$here/node_modules/.bin/vitest" run --config "$here/vitest.config.mjs"
