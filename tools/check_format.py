#!/usr/bin/env python3
"""check_format.py [ROOT]: fails when a C++ file is not formatted as .clang-format says. `make format` formats all of them."""

import os
import shutil
import subprocess
import sys

FOLDERS = ("src", "tests", "bench")
AT_ONCE = 50  # files a call


def sources(root):
    for top in FOLDERS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(name for name in folders if name not in ("node_modules", "data"))
            yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith((".cpp", ".hpp")))


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else "."
    program = shutil.which("clang-format")
    if program is None:
        print("check_format: clang-format is missing; install it with: make packages", file=sys.stderr)
        return 2
    files = list(sources(root))
    wrong = 0
    for start in range(0, len(files), AT_ONCE):
        run = subprocess.run([program, "--dry-run", "-Werror", *files[start:start + AT_ONCE]], capture_output=True, text=True, check=False)
        sys.stdout.write(run.stderr[:4000])
        wrong += run.returncode != 0
    print(f"check_format: {len(files)} files, " + ("run: make format" if wrong else "all formatted"))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
