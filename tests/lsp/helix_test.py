#!/usr/bin/env python3
"""Helix at a terminal, set up with the words of docs/editors.md, and the real `emend lsp`. Debian 13 has it (hx), and `make editors` fetches a newer one; without either this is skipped.

    helix_test.py EMEND SOURCES [TEST]
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "http")]
from editor import programs  # noqa: E402
from world import World  # noqa: E402

EMEND = SOURCES = ""
LIMIT = 60


class Terminal:
    """A program at a terminal of 50 by 160. `said` is what it printed since the last key, without colours and places."""

    def __init__(self, command, cwd, environment):
        self.mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.raw = b""

    @property
    def said(self):
        return re.sub(r"\x1b(\[[0-9;?:>=]*[ -/]*[@-~]|[()][AB0]|[=>])", "", self.raw.decode(errors="replace"))

    def read(self, seconds):
        if select.select([self.mine], [], [], seconds)[0]:
            try:
                self.raw += os.read(self.mine, 65536)
            except OSError:
                pass  # it has left

    def type(self, keys):
        self.raw = b""
        os.write(self.mine, keys.encode())

    def leave(self):
        """The escape key; what follows it at once would be a key with Alt."""
        self.type("\x1b")
        time.sleep(0.5)

    def wait(self, text):
        end = time.monotonic() + LIMIT
        while text not in self.said:
            if time.monotonic() > end:
                raise AssertionError(f"{text!r} did not come: {self.said[-2000:]}")
            self.read(0.1)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.mine)


class Helix(unittest.TestCase):
    def test_shows_issues_and_applies_a_fix_it(self):
        world = World(EMEND)
        self.addCleanup(world.close)
        report = os.path.join(world.root, "findings.json")
        world.write(report, json.dumps({"findings": [{"id": "F1", "file": "src/one.sh", "line": 2, "severity": "major", "title": "one says wrong",
                                                      "issue": "It must say right."}]}))
        self.assertEqual(world.run("import", report).returncode, 0)
        with open(SOURCES + "/docs/editors.md", encoding="utf-8") as file:
            [snippet] = [block for block in re.findall(r"```toml\n(.*?)```", file.read(), re.DOTALL) if "language-server" in block]
        os.makedirs(world.root + "/xdg/helix")
        world.write(world.root + "/xdg/helix/languages.toml", snippet.replace('"python"', '"bash"').replace('"pylsp", ', ""))
        environment = dict(world.environment, PATH=os.path.dirname(EMEND) + ":" + os.environ["PATH"], TERM="xterm-256color",
                           XDG_CONFIG_HOME=world.root + "/xdg", XDG_CACHE_HOME=world.root + "/xdg")
        one = os.path.join(world.repo, "src/one.sh")
        helix = Terminal([programs("hx")[0], one], world.repo, environment)
        self.addCleanup(helix.close)
        helix.wait("echo wrong")
        helix.type("2gg")
        helix.wait("one says wrong")
        helix.type(" a")
        helix.wait("emend: check my change")
        self.assertIn("emend: fix BE-001 with an agent", helix.said)
        helix.leave()
        helix.type("O# zero\u200bwidth")
        helix.leave()
        helix.type(":w\r")
        helix.wait("written")
        for _ in range(20):  # until the analyzer has looked at the saved file
            helix.type(" a")
            helix.wait("emend: check my change")
            if "emend: apply the fix of builtin" in helix.said:
                break
            helix.leave()
        self.assertIn("emend: apply the fix of builtin", helix.said)
        helix.type("\r")  # the first one is chosen
        time.sleep(0.5)
        helix.type(":wq\r")
        self.assertEqual(helix.process.wait(LIMIT), 0)
        with open(one, encoding="utf-8") as file:
            self.assertEqual(file.read(), "# one\n# zerowidth\necho wrong\n")


if __name__ == "__main__":
    if not programs("hx"):
        print("hx is missing (`make editors`, or Debian 13: apt-get install hx)")
        sys.exit(77)
    EMEND, SOURCES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
