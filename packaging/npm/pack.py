#!/usr/bin/env python3
"""pack.py STAGE VERSION OUTPUT: the npm packages and the tarball of what was installed below STAGE (bin/emend, libexec/emend/emend-exec,
lib/emend with libraries that come along, share/). Refuses programs that need a library that a plain machine may lack.

The platform is the one the programs were built for; this may run on another one. Writes to OUTPUT: emend-VERSION.tgz (the launcher, for the platforms
whose packages of this version are in OUTPUT), emend-linux-ARCH-VERSION.tgz (the programs) and emend-VERSION-linux-ARCH.tar.gz (the same without npm)."""

import glob
import io
import json
import os
import platform
import re
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}  # as node calls them
MACHINES = {62: "x86_64", 183: "aarch64"}  # by their numbers in the head of a program
EVERYWHERE = ("libc.so", "libm.so", "ld-linux")  # beginnings of libraries that every machine with glibc has
GLIBC = (2, 36)  # the oldest it runs with, of Debian 12
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


def parts(stage):
    """The programs and the libraries that come along, by their paths below the stage."""
    found = [os.path.relpath(os.path.join(folder, name), stage) for top in ("bin", "libexec", "lib")
             for folder, _, names in os.walk(os.path.join(stage, top)) for name in names]
    return sorted(found)


def is_program(path):
    """Not a script, and no text."""
    return read(path).startswith(b"\x7fELF")


def machine(path):
    number = int.from_bytes(read(path)[18:20], "little")
    return MACHINES.get(number, f"machine {number}")


def architecture(stage, names):
    """What the programs were built for, as node calls it. Where all are scripts: this machine's."""
    built_for = {machine(os.path.join(stage, name)): name for name in names if is_program(os.path.join(stage, name))}
    if len(built_for) > 1:
        sys.exit("pack.py: one package is for one machine: " + ", ".join(f"{name} is for {one}" for one, name in sorted(built_for.items())))
    one = next(iter(built_for), platform.machine())
    return ARCHITECTURES.get(one, one)


def needed(path):
    """The libraries a program asks for; none for a script."""
    if not is_program(path):
        return []
    said = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return [line.split("[")[1].rstrip("]") for line in said.splitlines() if "(NEEDED)" in line]


def refuse_what_needs_more(stage, names):
    packed = {os.path.basename(name) for name in names}
    for name in names:
        more = [one for one in needed(os.path.join(stage, name)) if one not in packed and not one.startswith(EVERYWHERE)]
        if more:
            sys.exit(f"pack.py: {name} needs {', '.join(more)}, which a plain machine may lack. Build with -DEMEND_PORTABLE=ON.")


def glibc_of(path):
    """The newest version of glibc of which a program wants a symbol."""
    if not is_program(path):
        return (0, 0)
    said = subprocess.run(["readelf", "-V", path], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return max([tuple(map(int, pair)) for pair in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", said)], default=(0, 0))


def refuse_newer_glibc(stage, names):
    for name in names:
        wanted = glibc_of(os.path.join(stage, name))
        if wanted > GLIBC:
            sys.exit(f"pack.py: {name} needs glibc {wanted[0]}.{wanted[1]}, and {GLIBC[0]}.{GLIBC[1]} is promised. Build on Debian 12.")


def platforms(output, version):
    """Those whose programs are packed: the launcher names no package that is not there."""
    found = [os.path.basename(path)[len("emend-"):-len(f"-{version}.tgz")] for path in glob.glob(os.path.join(output, f"emend-linux-*-{version}.tgz"))]
    return sorted(found)


def main(stage, version, output):
    os.makedirs(output, exist_ok=True)
    names = parts(stage)
    arch = architecture(stage, names)
    refuse_what_needs_more(stage, names)
    refuse_newer_glibc(stage, names)
    package(os.path.join(output, f"emend-linux-{arch}-{version}.tgz"),
            {"name": f"@emend/linux-{arch}", "version": version, "os": ["linux"], "cpu": [arch], "libc": ["glibc"]},
            [(name, read(stage, name), 0o755) for name in names])
    package(os.path.join(output, f"emend-{version}.tgz"),
            {"name": "emend", "version": version, "bin": {"emend": "launcher.js"}, "engines": {"node": ">=18"},
             "optionalDependencies": {f"@emend/{name}": version for name in platforms(output, version)}},
            [("launcher.js", read(HERE, "launcher.js"), 0o755)])
    path = os.path.join(output, f"emend-{version}-linux-{arch}.tar.gz")
    with tarfile.open(path, "w:gz") as tar:
        tar.add(stage, arcname=f"emend-{version}", filter=of_nobody)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
