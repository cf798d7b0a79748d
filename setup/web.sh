#!/bin/sh
# web.sh: installs what the dashboard is bundled with, with npm. Without it emend cannot be built, so a failure is an error.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
"$here/npm_packages.sh" "$here/../web" 15
