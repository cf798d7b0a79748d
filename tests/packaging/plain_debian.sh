#!/usr/bin/env bash
# plain_debian.sh PACKAGES [CACHE]: tries what is handed out on a clean Debian 12 and 13 on which nothing is built: the Debian package, the tarball and the npm
# packages of the directory PACKAGES, those that are there. Each gets a fresh system, is installed with one line, and has to prove a small fix. Needs root,
# debootstrap and a Debian mirror (MIRROR=...); the clean systems are kept in CACHE.
set -euo pipefail
packages=$(realpath "${1:?the directory of the packages}") cache=${2:-/var/tmp/emend-plain-debian} mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "plain_debian.sh: needs root" >&2; exit 77; }
command -v debootstrap > /dev/null || { echo "plain_debian.sh: debootstrap is missing (Debian: apt-get install debootstrap)" >&2; exit 77; }
# Packages for other machines may lie beside those for this one; nothing here runs them.
case $(uname -m) in
  x86_64) deb=amd64 node=x64 ;;
  aarch64) deb=arm64 node=arm64 ;;
  *) echo "plain_debian.sh: there are no packages for $(uname -m)" >&2; exit 77 ;;
esac
mkdir -p "$cache"
run=$cache/run.$$
leave() {
  local place
  for place in proc sys dev/pts dev; do ! mountpoint -q "$run/$place" || umount -l "$run/$place"; done
  rm -rf --one-file-system "$run"
}
trap leave EXIT

# What a person does next, whatever the way of installing was. The code has a bug, a test shows it, and the change repairs it.
cat > "$cache/prove.sh" << 'END'
set -eu
emend --version
mkdir -p /root/stairs && cd /root/stairs
printf 'def steps(height, rise):\n    return height // rise\n' > stairs.py
printf 'import unittest\nfrom stairs import steps\n\n\nclass Steps(unittest.TestCase):\n    def test_rest(self):\n        self.assertEqual(steps(70, 20), 4)\n' > test_stairs.py
git init -q -b main && git config user.name a && git config user.email a@example.org
printf '[verify]\ncommands = ["python3 -m unittest"]\n' > emend.toml
git add -A && git commit -q -m Begin
emend trust > /dev/null
printf 'def steps(height, rise):\n    return -(-height // rise)\n' > stairs.py
emend check
printf '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n' | emend mcp | grep -q '"name":"check"'
emend doctor --offline > /root/doctor.txt || true
END

# try NAME SUITE COMMAND FILE...: COMMAND installs the files, which are in /packages.
try() {
  local name=$1 suite=$2 command=$3 variable
  shift 3
  cp -a "$cache/$suite" "$run"
  mkdir -p "$run/packages"
  cp "$@" "$run/packages/"
  cp "$cache/prove.sh" "$run/root/"
  cp /etc/resolv.conf "$run/etc/"
  cp /etc/hosts "$run/etc/"
  ! [ -f /etc/ssl/certs/ca-certificates.crt ] || { mkdir -p "$run/etc/ssl/certs"; cp /etc/ssl/certs/ca-certificates.crt "$run/etc/ssl/certs/"; }
  mount --bind /dev "$run/dev"
  mount -t proc proc "$run/proc"
  local kept=()
  for variable in http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy NO_PROXY; do [ -z "${!variable:-}" ] || kept+=("$variable=${!variable}"); done
  printf '== %s on %s: %s\n' "$name" "$suite" "$command"
  chroot "$run" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${kept[@]}" \
    sh -c "{ apt-get update -q && $command; } > /root/install.txt 2>&1 || { tail -n 20 /root/install.txt; exit 1; }; ! command -v gcc cc make || exit 1; sh /root/prove.sh"
  leave
}

tried=0
for suite in bookworm trixie; do
  if [ ! -e "$cache/$suite/etc/debian_version" ]; then
    echo "making a clean $suite" >&2
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$cache/$suite" "$mirror" > "$cache/$suite.log" 2>&1 || { tail -n 5 "$cache/$suite.log" >&2; exit 1; }
  fi
  for file in "$packages"/emend_*_$deb.deb; do
    [ -e "$file" ] || continue
    try "the Debian package" "$suite" "apt-get install -q -y --no-install-recommends python3 /packages/*.deb" "$file"
    tried=$((tried + 1))
  done
  for file in "$packages"/emend-*-linux-$node.tar.gz; do
    [ -e "$file" ] || continue
    try "the tarball" "$suite" "apt-get install -q -y --no-install-recommends python3 git && tar -xzf /packages/*.tar.gz -C /opt && ln -s /opt/emend-*/bin/emend /usr/local/bin/" "$file"
    tried=$((tried + 1))
  done
  files=("$packages"/emend-linux-$node-*.tgz "$packages"/emend-[0-9]*.tgz)
  if [ -e "${files[0]}" ]; then
    try "npm" "$suite" "apt-get install -q -y --no-install-recommends python3 git npm && npm install -g --offline --omit=optional --no-audit --no-fund /packages/*.tgz" "${files[@]}"
    tried=$((tried + 1))
  fi
done
[ "$tried" -gt 0 ] || { echo "plain_debian.sh: there are no packages in $packages (make package npm)" >&2; exit 1; }
echo "$tried tries, all well"
