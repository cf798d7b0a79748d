#!/usr/bin/env python3
"""screens.py --emend EMEND [--issues N] [--check] [--lighthouse]: how long a person waits for the screens, one figure a line beside its limit.

The terminal: from the start of the program to the first painted row, to the last row and to a filtered list, and the memory it held. The
browser (Debian's Chromium, screens.mjs): the first page, the last row of N issues, 12,000 changed lines, when their code is
coloured, how smoothly they scroll (the slowest twentieth of the frames), and what a frame takes of the page's own thread.
--lighthouse: also Lighthouse's scores, and the scripts of a page. --check: exit 1 where a limit is missed; on a machine that does something
else, too, that says little. Exit 77: Chromium or the packages of tests/web are not there."""

import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "http"))

from world import World  # noqa: E402

LIMITS = {"tui first paint": 300, "tui last row": 200, "tui filter": 300, "tui memory": 200, "web last row": 200,
          "web 12,000 changed lines": 300, "web colours of their code": 200, "web frames while scrolling": 34, "web work for a frame": 12, "web first page": 1_000, "web blocked": 200}
SCRIPTS = 120_000  # bytes of a page, packed, with the parts it shows
UNITS = {"tui memory": "MB"}


class Screen:
    """The program in a terminal of its own, read as it writes."""

    def __init__(self, world, columns=120, rows=40):
        self.text, self.began = b"", time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(world.repo)
            os.execve(world.program, [world.program, "tui"], {**world.environment, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(rows)})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, wanted, seconds=60):
        """Milliseconds until this was painted, from the last key (or the start). A painted row may have colours in it."""
        deadline = time.monotonic() + seconds
        while not re.search(wanted, re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\(B", b"", self.text)):
            if time.monotonic() > deadline:
                raise SystemExit(f"bench: waited in vain for {wanted!r}:\n{self.text[-2000:].decode(errors='replace')}")
            if select.select([self.fd], [], [], 0.5)[0]:
                self.text += os.read(self.fd, 65_536)
        return (time.monotonic() - self.began) * 1_000

    def settle(self):
        while select.select([self.fd], [], [], 0.4)[0]:
            os.read(self.fd, 65_536)

    def press(self, keys):
        self.settle()
        self.text, self.began = b"", time.monotonic()
        os.write(self.fd, keys)

    def memory(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def fill(world, issues):
    """A list like that of a first review of a large project: many rules, many files, all severities."""
    severities = ("error", "warning", "note", "warning")
    report = world.path("report.txt")
    with open(report, "w", encoding="utf-8") as file:
        for row in range(issues):
            file.write(f"src/part{row % 997}/file{row % 89}.c:{1 + row % 4000}: {severities[row % 4]}: finding number {row} id{row}x of a great many [rule-{row % 61}]\n")
    done = world.run("import", report, "--from", "text", "--tool", "many")
    if done.returncode not in (0, 1):
        raise SystemExit(f"bench: the issues could not be stored: {done.stderr}")


def last_one(issues):
    """The newest of the least severe ones: at the end of a list that has the worst first."""
    return max(row for row in range(issues - 4, issues) if row % 4 == 2)


def terminal(world, issues, runs):
    last = last_one(issues)
    found = {"tui first paint": [], "tui last row": [], "tui filter": [], "tui memory": []}
    for _ in range(runs):
        screen = Screen(world)
        found["tui first paint"].append(screen.until(rb"[A-Z]{2,4}-\d+ .*src/part"))
        screen.press(b"G")
        found["tui last row"].append(screen.until(b"%d" % (last + 1)))
        screen.press(b"/number id4242x\r")
        found["tui filter"].append(screen.until(rb"4243"))  # of its code
        found["tui memory"].append(screen.memory())
        screen.close()
    return {name: statistics.median(values) for name, values in found.items()}


def browser(world, issues):
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("chromium-browser")
    if node is None or chromium is None or not os.path.exists(os.path.join(HERE, "..", "tests", "web", "node_modules", ".installed")):
        print("skipped: Chromium, node or the packages of tests/web are missing (setup/web_tests.sh)")
        sys.exit(77)
    client = world.start()
    code = client.post("/api/auth/launch-codes").json["code"]
    facts = {"base": f"http://127.0.0.1:{world.port}", "chromium": chromium, "code": code, "issues": issues, "last": last_one(issues)}
    done = subprocess.run([node, os.path.join(HERE, "screens.mjs"), json.dumps(facts)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit("bench: the browser's part failed")
    return json.loads(done.stdout)


def pages(world):
    """Lighthouse's scores of two pages, and how much script they load. Scores depend on what else the machine does, so they are told only; the
    size is held."""
    if not os.path.exists(os.path.join(HERE, "lighthouse", "node_modules", ".installed")):
        print("skipped: Lighthouse is not installed (setup/npm_packages.sh bench/lighthouse 185)")
        return 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = world.client().post("/api/auth/launch-codes").json["code"]
    facts = {"base": f"http://127.0.0.1:{world.port}", "chromium": shutil.which("chromium") or shutil.which("chromium-browser"), "code": code, "debug_port": port, "pages": [["inbox", "/"], ["issues", "/issues"]]}
    done = subprocess.run([shutil.which("node"), os.path.join(HERE, "lighthouse", "pages.mjs"), json.dumps(facts)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit("bench: Lighthouse failed")
    over = 0
    for name, found in json.loads(done.stdout).items():
        scores = ", ".join(f"{what.replace('_', ' ')} {score}" for what, score in found.items() if what != "script_bytes")
        over += found["script_bytes"] > SCRIPTS
        print(f"web page {name:<19} {scores}; {found['script_bytes']:,} bytes of scripts (at most {SCRIPTS:,})", flush=True)
    return over


def show(found):
    """How many limits were missed."""
    missed = 0
    for name, value in found.items():
        over = value > LIMITS[name]
        missed += over
        print(f"{name:<28} {value:8.0f} {UNITS.get(name, 'ms')} (at most {LIMITS[name]}){', MISSED' if over else ''}", flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=os.path.join(HERE, "..", "build", "emend"))
    parser.add_argument("--issues", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lighthouse", action="store_true", help="two minutes more")
    options = parser.parse_args()
    world, missed = World(options.emend), 0
    print(f"{options.issues:,} issues, medians of several runs")
    try:
        trusted = world.run("trust")
        assert trusted.returncode == 0, trusted.stderr
        fill(world, options.issues)
        missed += show(terminal(world, options.issues, options.runs))
        missed += show(browser(world, options.issues))
        missed += pages(world) if options.lighthouse else 0
    finally:
        world.close()
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
