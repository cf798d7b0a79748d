#!/usr/bin/env python3
"""types_test.py SOURCES: the contract gives TypeScript types, and a client that is written against them compiles. Exit 77: the generator or the
compiler is not installed."""

import os
import shutil
import subprocess
import sys
import tempfile


def run(folder, program, *arguments):
    done = subprocess.run(["node", program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout[-4000:])
    return done.returncode == 0


def main():
    sources = os.path.abspath(sys.argv[1])
    modules = os.path.join(sources, "tests", "oracles", "node_modules")
    generator, compiler = os.path.join(modules, "openapi-typescript", "bin", "cli.js"), os.path.join(modules, "typescript", "bin", "tsc")
    if shutil.which("node") is None or not os.path.exists(generator) or not os.path.exists(compiler):
        print("openapi-typescript and typescript are not installed (make setup); no types were made")
        return 77
    with tempfile.TemporaryDirectory(prefix="emend-http-types-") as folder:
        shutil.copy(os.path.join(sources, "tests", "http", "typed_client.ts"), folder)
        if not run(folder, generator, os.path.join(sources, "api", "openapi.yaml"), "--output", os.path.join(folder, "emend.d.ts")):
            return 1
        options = ("--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom", "--module", "esnext", "--moduleResolution", "bundler")
        if not run(folder, compiler, *options, "typed_client.ts"):
            return 1
        with open(os.path.join(folder, "emend.d.ts"), encoding="utf-8") as file:
            print(f"{len(file.readlines())} lines of types; the client compiles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
