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
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# The token goes in by a file: arguments can be read by every process.
printf 'header = "Authorization: Bearer %s"\n' "${EMEND_TOKEN:-}" >"$place/curlrc"
[ -n "${EMEND_TOKEN:-}" ] || : >"$place/curlrc"
ask() { curl --config "$place/curlrc" --fail --silent --show-error --retry 3 "$@"; }

version=$EMEND_VERSION
if [ "$version" = latest ]; then # leads to .../releases/tag/v0.1.0
  newest=$(ask --head --output /dev/null --write-out '%{redirect_url}' "$releases/latest") ||
    { echo "emend: cannot ask $releases for the newest release" >&2; exit 3; }
  version=${newest##*/v}
  case "$version" in *[!0-9.]* | '') echo "emend: $releases names no newest release" >&2; exit 3 ;; esac
fi
case "$version" in *[!0-9.]* | '') echo "emend: version \"$version\" is neither latest nor a number like 0.1.0" >&2; exit 2 ;; esac

file="emend_${version}_$(dpkg --print-architecture).deb" # as `make package` calls it
url="$releases/download/v$version/$file"
ask --location --output "$place/$file" "$url" || { echo "emend: cannot download $url" >&2; exit 3; }
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get install -y -q --no-install-recommends "$place/$file"
emend version
