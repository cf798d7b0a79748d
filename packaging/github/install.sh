#!/usr/bin/env bash
# Installs the Debian package of a release, unless emend is on the PATH already. For action.yml.
#   EMEND_VERSION     0.1.0 or latest
#   EMEND_REPOSITORY  owner/name whose releases have it
#   EMEND_TOKEN       may read releases
#   EMEND_RELEASES    where releases are; default https://github.com
set -euo pipefail

if command -v emend >/dev/null; then
  emend version
  exit 0
fi
: "${EMEND_REPOSITORY:?emend is not installed, and no repository with releases of it is named}"
releases="${EMEND_RELEASES:-https://github.com}/$EMEND_REPOSITORY/releases"
file="emend_$(dpkg --print-architecture).deb"
case "$EMEND_VERSION" in
  latest) url="$releases/latest/download/$file" ;;
  *[!0-9.]* | '') echo "emend: version \"$EMEND_VERSION\" is neither latest nor a number like 0.1.0" >&2; exit 2 ;;
  *) url="$releases/download/v$EMEND_VERSION/$file" ;;
esac

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# The token goes in by a file: arguments can be read by every process.
printf 'header = "Authorization: Bearer %s"\n' "${EMEND_TOKEN:-}" >"$place/curlrc"
[ -n "${EMEND_TOKEN:-}" ] || : >"$place/curlrc"
curl --config "$place/curlrc" --fail --silent --show-error --location --retry 3 --output "$place/$file" "$url" ||
  { echo "emend: cannot download $url" >&2; exit 3; }
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get install -y -q --no-install-recommends "$place/$file"
emend version
