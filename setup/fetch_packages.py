#!/usr/bin/env python3
"""fetch_packages.py DIRECTORY: puts the packages of DIRECTORY/package-lock.json into DIRECTORY/node_modules without npm.

Each comes as one archive from the registry (npm_config_registry, or `registry` in ~/.npmrc, or npm's own) and must have the hash in the lock.
Packages for other machines are left out; no script of any package is run. What was there is replaced only when all packages have arrived."""

import base64
import hashlib
import io
import json
import os
import platform
import shutil
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request

TRIES = 3
CPUS = {"x86_64": "x64", "aarch64": "arm64", "armv7l": "arm", "i686": "ia32", "riscv64": "riscv64", "ppc64le": "ppc64", "s390x": "s390x",
        "loongarch64": "loong64"}


class Problem(Exception):
    pass


def registry(environment):
    for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY"):
        if environment.get(name):
            return environment[name]
    try:
        with open(os.path.join(environment.get("HOME", "/"), ".npmrc"), encoding="utf-8") as file:
            for line in file:
                key, _, value = line.partition("=")
                if key.strip() == "registry" and value.strip():
                    return value.strip().strip('"')
    except OSError:
        pass
    return "https://registry.npmjs.org/"


def suits(package):
    def allows(words, own):
        return not words or own in words or (all(word.startswith("!") for word in words) and "!" + own not in words)

    cpu = CPUS.get(platform.machine(), platform.machine())
    return allows(package.get("os"), "linux") and allows(package.get("cpu"), cpu) and allows(package.get("libc"), "glibc")


def wanted(lock):
    for place, package in lock["packages"].items():
        if place and suits(package):
            yield place, place.rpartition("node_modules/")[2], package


def download(address):
    for attempt in range(TRIES):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.read()
        except (urllib.error.URLError, OSError) as problem:
            if attempt + 1 == TRIES:
                raise Problem(f"cannot fetch {address}: {problem}") from problem
            time.sleep(1 + attempt)
    raise AssertionError


def check(name, content, integrity):
    kind, _, expected = integrity.partition("-")
    if kind not in ("sha512", "sha384", "sha256"):
        raise Problem(f"the lock has no usable hash of {name}")
    if base64.b64encode(hashlib.new(kind, content).digest()).decode() != expected:
        raise Problem(f"{name} is not what the lock names: its hash is another one")


def unpack(name, content, directory):
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            path = member.name.partition("/")[2]  # archives hold one directory, mostly "package"
            if member.isdir() or not path:
                continue
            target = os.path.join(directory, path)
            if not member.isreg() or not os.path.realpath(target).startswith(os.path.realpath(directory) + os.sep):
                raise Problem(f"{name} holds {member.name}, which is no plain file inside of it")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                shutil.copyfileobj(archive.extractfile(member), file)
            os.chmod(target, 0o755 if member.mode & 0o100 else 0o644)


def fetch(directory, environment):
    with open(os.path.join(directory, "package-lock.json"), encoding="utf-8") as file:
        lock = json.load(file)
    base = registry(environment).rstrip("/")
    part, final = os.path.join(directory, "node_modules.part"), os.path.join(directory, "node_modules")
    shutil.rmtree(part, ignore_errors=True)
    count = 0
    for place, name, package in wanted(lock):
        file = f"{name.rpartition('/')[2]}-{package['version']}.tgz"
        content = download(f"{base}/{urllib.parse.quote(name, safe='@/')}/-/{file}")
        check(name, content, package.get("integrity", ""))
        unpack(name, content, os.path.join(part, place[len("node_modules/"):]))
        count += 1
    shutil.rmtree(final, ignore_errors=True)
    os.rename(part, final)
    return count


def main():
    if len(sys.argv) != 2:
        raise SystemExit("fetch_packages.py: needs a directory")
    try:
        print(f"fetched {fetch(sys.argv[1], os.environ)} packages without npm")
    except (Problem, OSError, ValueError, KeyError, tarfile.TarError) as problem:
        raise SystemExit(f"fetch_packages.py: {problem}") from problem


if __name__ == "__main__":
    main()
