#!/bin/sh
# types_test.sh: makes TypeScript types from api/openapi.yaml and holds the dashboard and its tests against them; the
# functions the dashboard calls the API with are what the document says. Exit 77: the packages are missing.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
[ -e "$here/node_modules/.installed" ] || { echo "skipped: the packages of tests/web are not installed (setup/web_tests.sh)"; exit 77; }
node "$root/web/make_operations.mjs" --check
mkdir -p "$root/web/generated"
"$here/node_modules/.bin/openapi-typescript" "$root/api/openapi.yaml" --default-non-nullable=false -o "$root/web/generated/api.d.ts" > /dev/null
"$here/node_modules/.bin/tsc" -p "$here"
