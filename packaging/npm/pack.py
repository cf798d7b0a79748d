#!/usr/bin/env python3
"""pack.py STAGE VERSION OUTPUT: the npm packages and the tarball of what was installed below STAGE (bin/emend, libexec/emend/emend-exec, share/).

Writes to OUTPUT: emend-VERSION.tgz (the launcher, for every platform), emend-linux-ARCH-VERSION.tgz (the programs, for one) and
emend-VERSION-linux-ARCH.tar.gz (the same without npm)."""

import io
import json
import os
import platform
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}  # as node calls them
ABOUT = {"description": "Reviews code and fixes it on a branch, committing only what was checked and judged",
         "license": "SEE LICENSE IN LICENSE"}


def add(tar, name, data, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def of_nobody(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def package(path, manifest, files):
    """An npm package: files are (name, data, mode)."""
    with tarfile.open(path, "w:gz") as tar:
        add(tar, "package/package.json", json.dumps({**manifest, **ABOUT}, indent=2).encode() + b"\n")
        add(tar, "package/LICENSE", read(HERE, "..", "..", "LICENSE"))
        for name, data, mode in files:
            add(tar, "package/" + name, data, mode)
    print(path)


def main(stage, version, output):
    arch = ARCHITECTURES.get(platform.machine(), platform.machine())
    os.makedirs(output, exist_ok=True)
    package(os.path.join(output, f"emend-{version}.tgz"),
            {"name": "emend", "version": version, "bin": {"emend": "launcher.js"}, "engines": {"node": ">=18"},
             "optionalDependencies": {f"@emend/linux-{name}": version for name in ARCHITECTURES.values()}},
            [("launcher.js", read(HERE, "launcher.js"), 0o755)])
    programs = ("bin/emend", "libexec/emend/emend-exec")
    package(os.path.join(output, f"emend-linux-{arch}-{version}.tgz"),
            {"name": f"@emend/linux-{arch}", "version": version, "os": ["linux"], "cpu": [arch], "libc": ["glibc"]},
            [(name, read(stage, name), 0o755) for name in programs])
    path = os.path.join(output, f"emend-{version}-linux-{arch}.tar.gz")
    with tarfile.open(path, "w:gz") as tar:
        tar.add(stage, arcname=f"emend-{version}", filter=of_nobody)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
