#!/bin/sh
# install.sh [LIST...]: installs the Debian packages named in the lists (default: packages.txt beside this script) that are missing.
# Needs root or sudo only when something is missing. Safe to run again and again.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here/packages.txt"

say() { printf 'setup: %s\n' "$*"; }
give_up() { printf 'setup: %s\n' "$*" >&2; exit 1; }

for list in "$@"; do
  [ -r "$list" ] || give_up "cannot read $list"
done
wanted=$(sed -e 's/#.*//' -- "$@" | tr -s '[:space:]' ' ')

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  give_up "this is not Debian (no dpkg-query or apt-get). Install by hand what these Debian packages hold, then build with" \
    "'cmake --preset dev && cmake --build --preset dev':$wanted"
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }

missing=
for package in $wanted; do
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || { say "all packages are installed"; exit 0; }
say "missing:$missing"

if [ "$(id -u)" -eq 0 ]; then
  as_root() { env DEBIAN_FRONTEND=noninteractive "$@"; }
elif command -v sudo > /dev/null; then
  say "using sudo to install them"
  as_root() { sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
else
  give_up "installing needs root, and there is no sudo. As root, run: apt-get install$missing"
fi

update() {
  say "refreshing the package lists"
  as_root apt-get update -q || give_up "apt-get update failed: is the network there, and is /etc/apt right?"
}
# What is installed for the tests is started by them alone: where nobody has said otherwise, no service is started now.
policy=/usr/sbin/policy-rc.d
hold_services() {
  [ ! -e "$policy" ] || return 0
  trap 'as_root rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\nexit 101\n' | as_root sh -c "cat > $policy && chmod 755 $policy"
}
# shellcheck disable=SC2086 # a list of words
install() { as_root apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing; }
# Lists that were never fetched, or are too old to know a package, show as a missing candidate.
known() { apt-cache policy "$1" 2> /dev/null | grep -q 'Candidate: [^(]'; }

updated=no
for package in $missing; do
  known "$package" && continue
  update
  updated=yes
  break
done
for package in $missing; do
  known "$package" || give_up "apt does not know '$package'. emend is built and tested on Debian 12 (bookworm)."
done

say "installing"
hold_services
if ! install; then
  [ "$updated" = no ] || give_up "apt-get install failed, see above"
  update # stale lists name files the mirror no longer has
  install || give_up "apt-get install failed, see above"
fi
say "done"
