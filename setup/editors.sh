#!/bin/sh
# editors.sh: a newer Neovim and Helix than this Debian has, for the tests of the language server: packages of Debian's next release, from the mirror
# this machine uses, unpacked below tests/lsp/editors and run with their own libraries. Nothing is installed, and no root is needed. `make editors`
# and `make test-long` call it; `make test` does not, because that release changes from day to day. Whatever goes wrong is a warning: the tests
# then drive the editors that are installed, or are skipped and say so.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
place=$here/../tests/lsp/editors
warn() { printf 'setup: warning: %s; tests of the language server drive the editors that are installed\n' "$*" >&2; exit 0; }

mkdir -p "$place"
place=$(CDPATH='' cd -- "$place" && pwd)
exec 9> "$place/.install.lock"
flock 9 # two builds of one checkout may set up at the same time
wanted=$(sha256sum < "$here/editors.sh" | cut -d ' ' -f 1)
[ "$(cat "$place/.installed" 2> /dev/null)" != "$wanted" ] || { echo "editors: installed"; exit 0; }
[ "$(uname -m)" = x86_64 ] && command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || warn "newer editors are packages of Debian for x86_64"

echo "editors: unpacking Neovim and Helix of Debian's next release: 18 MB to fetch, about 85 MB on disk"
rm -rf "$place/apt" "$place/root" "$place/bin"
mkdir -p "$place/apt/lists/partial" "$place/apt/archives/partial" "$place/root" "$place/bin"
: > "$place/apt/status"
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ')
[ -n "$mirror" ] || warn "no Debian mirror is named in /etc/apt"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror forky main" > "$place/apt/sources.list"
fetch() {
  timeout --kill-after=10 "${EMEND_EDITORS_SECONDS:-300}" apt-get -q -o "Dir::State=$place/apt" -o "Dir::State::status=$place/apt/status" \
    -o "Dir::Cache=$place/apt" -o "Dir::Etc::sourcelist=$place/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Sandbox::User=root "$@" > "$place/apt.log" 2>&1 9>&-
}
fetch update || warn "the list of newer editors could not be fetched ($place/apt.log)"
fetch -y --no-install-recommends --download-only install neovim hx || warn "newer editors could not be fetched ($place/apt.log)"
for package in "$place"/apt/archives/*.deb; do dpkg-deb -x "$package" "$place/root" || warn "$package cannot be unpacked"; done
rm -rf "$place/apt"

# NAME VARIABLE=VALUE: a program with the libraries it was built for.
program() {
  libraries=$place/root/usr/lib/x86_64-linux-gnu
  printf '#!/bin/sh\n%s exec "%s" --library-path "%s" "%s" "$@"\n' "$2" "$libraries/ld-linux-x86-64.so.2" "$libraries" "$place/root/usr/bin/$1" > "$place/bin/$1"
  chmod +x "$place/bin/$1"
  "$place/bin/$1" --version > /dev/null 2>&1 || warn "$1 does not run here"
}
program nvim "VIMRUNTIME='$place/root/usr/share/nvim/runtime' LUA_CPATH='$place/root/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;;'"
program hx "HELIX_RUNTIME='$place/root/usr/lib/helix/runtime'"
echo "$wanted" > "$place/.installed"
echo "editors: installed"
