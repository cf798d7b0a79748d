"""live_test.py EMEND: a session on a real terminal (tmux on a socket of its own): what is drawn while it works, what is left afterwards."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from place import Place, score, scripted_agent

DEADLINE = 60  # seconds; everything here takes a moment, unless the machine is busy
FILES = ("a", "b", "c")


class Project(Place):
    """Three issues in three files; the check waits until the test makes the file `go`."""

    def __init__(self, emend, parent):
        super().__init__(emend, "live", parent)
        self.go = self.path("gate", "go")
        os.makedirs(os.path.dirname(self.go))
        for name in FILES:
            self.write(f"repo/src/{name}.c", "int first(int n) {\n  int i = 0;\n  while (i <= n) i++;\n  return i;\n}\n")
        self.write("repo/emend.toml", '[verify]\ncommands = [{name = "gate", run = "sh ./gate.sh"}]\n[fix]\nparallel = 2\n'
                                      f'[sandbox]\nshared = ["{os.path.dirname(self.go)}"]\n')
        # Only patched trees wait, so the run on the base does not.
        self.write("repo/gate.sh", f"if grep -q 'i < n' src/*.c; then while [ ! -e '{self.go}' ]; do sleep 0.05; done; fi\n")
        finding = {"line": 3, "severity": "major", "issue": "The loop runs too far."}
        self.write("findings.json", json.dumps({"findings": [{**finding, "id": f"F{n}", "title": f"Off by one in {n}", "file": f"src/{n}.c"} for n in FILES]}))
        turns = [{"role": "*", "file": f"src/{n}.c", "issue": f"BE-00{i + 1}",
                  "do": [{"print": "reads the loop"}, {"replace": {"path": f"src/{n}.c", "old": "i <= n", "new": "i < n"}}],
                  "answer": {"review_token": "{review_token}", "issues": {"{issue}": {"status": "fixed"}}}} for i, n in enumerate(FILES)]
        self.write_turns("state/fixer.json", turns)
        self.write_turns("state/judge.json", [{"role": "fix_challenger", "answer": score(97)}])
        self.write("state/config.toml", '[fix]\nagent = "fixer"\n[fix_challenger]\nagent = "judge"\ncanaries = 0\n' +
                   scripted_agent("fixer", "fixer.json", "a") + scripted_agent("judge", "judge.json", "b"))
        self.environment.update({"SHELL": "/bin/sh", "PS1": "$ "})
        self.begin()
        self.run("trust", check=True)

    def open_gate(self):
        open(self.go, "w", encoding="utf-8").close()

    def processes(self):
        """Those that work for this project."""
        mark, found = f"EMEND_HOME={self.environment['EMEND_HOME']}".encode(), []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    found += [pid] if mark in file.read() else []
            except OSError:
                continue
        return found


class Terminal:
    def __init__(self, project, columns=100, rows=30, more=None):
        self.project = project
        self.tmux = ["tmux", "-L", f"emend-live-{os.getpid()}", "-f", "/dev/null"]
        environment = {**project.environment, **(more or {})}
        self.run("new-session", "-d", "-x", str(columns), "-y", str(rows), "env", "-i", *[f"{k}={v}" for k, v in environment.items()],
                 f"TERM={environment.get('TERM', 'screen-256color')}", "/bin/sh", cwd=project.repo)
        self.wait(r"^\$", "a prompt")

    def run(self, *arguments, **more):
        return subprocess.run([*self.tmux, *arguments], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}, **more).stdout

    def type(self, *keys):
        self.run("send-keys", *keys)

    def screen(self, *flags):
        return re.sub(r" +$", "", self.run("capture-pane", "-p", "-J", *flags), flags=re.MULTILINE)

    def wait(self, pattern, what):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            seen = self.screen()
            if re.search(pattern, seen, re.MULTILINE):
                return seen
            time.sleep(0.05)
        raise AssertionError(f"no {what} on the screen:\n{self.screen()}")

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True, check=False)
        end = time.monotonic() + DEADLINE
        while self.project.processes() and time.monotonic() < end:  # they still write what they know
            time.sleep(0.05)


def words(text):
    """What differs from run to run: ids, hashes, branches, times."""
    text = re.sub(r"\b[0-9a-f]{12,40}\b", "HASH", text)
    text = re.sub(r"fix/\S+", "BRANCH", text)
    text = re.sub(r"(session|resume|apply|show|diff|log) [0-9a-z]{6,}", r"\1 ID", text)
    text = re.sub(r"\d+(\.\d+)? (s|ms|min)\b", "TIME", text)
    return sorted(line.rstrip() for line in text.splitlines() if line.strip())


FIX = "fix --findings ../findings.json"


def test_bars_while_it_works_and_a_pipes_text_at_the_end(emend, base):
    piped = Project(emend, base)
    piped.open_gate()
    pipe = subprocess.run([emend, *FIX.split()], cwd=piped.repo, env=piped.environment, capture_output=True, text=True, check=True)
    project = Project(emend, base)
    terminal = Terminal(project)
    try:
        terminal.type(f"clear; {emend} {FIX}; echo ended with $?", "Enter")
        seen = terminal.wait(r"BE-001 +━+─+ +verifying +0:0\d +round 1/\d +alone: gate\n(.*\n)*.*━*─+ +0/3 done +0:0\d +0 resolved, 0 failed", "unit at its check, and the whole")
        assert len(re.findall(r"^BE-00\d +━", seen, re.MULTILINE)) == 2, f"two at a time:\n{seen}"
        terminal.wait(r"verifying +0:0[2-9]", "time going on")
        project.open_gate()
        end = terminal.wait(r"^ended with \d", "end")
        assert "ended with 0" in end, end
        left = end[:end.index("ended with")]
        assert "━" not in left and " done " not in left, f"something of the bars is left:\n{left}"
        assert words(left) == words(pipe.stderr + pipe.stdout), f"on the screen:\n{left}\nin a pipe:\n{pipe.stderr}{pipe.stdout}"
    finally:
        terminal.close()


def test_small_terminals_and_resizing(emend, base):
    project = Project(emend, base)
    terminal = Terminal(project, 20, 8)
    try:
        terminal.type(f"clear; {emend} {FIX} --ascii; echo ended $?", "Enter")
        seen = terminal.wait(r"^0/3 done", "whole")
        assert "━" not in seen and "…" not in seen, f"not ascii:\n{seen}"
        for columns, rows, expected in ((100, 30, r"BE-001 +#+-+ +verifying"), (24, 10, r"^BE-001 +verifying"), (120, 40, r"BE-001 +#+-+ +verifying")):
            terminal.run("resize-window", "-x", str(columns), "-y", str(rows))
            terminal.wait(expected, f"bars at {columns}x{rows}")
        time.sleep(0.3)  # one more drawing at the last size
        seen = terminal.screen()
        assert len(re.findall(r"\d/3 done", seen)) == 1, f"drawn twice:\n{seen}"
        project.open_gate()
        end = terminal.wait(r"^ended \d", "end")
        assert "ended 0" in end and "/3 done" not in end, end
    finally:
        terminal.close()


def test_interrupting_leaves_a_clean_screen(emend, base):
    project = Project(emend, base)
    terminal = Terminal(project)
    try:
        terminal.type(f"clear; {emend} {FIX}; echo ended with $?", "Enter")
        terminal.wait(r"alone: gate", "unit at its check")
        terminal.type("C-c")
        end = terminal.wait(r"^ended with \d", "end")
        assert "ended with 130" in end and "emend: stopping" in end, end
        assert "/3 done" not in end and "━" not in end, f"something is left:\n{end}"
        identity = re.search(r"emend sessions resume (\S+)", end).group(1)
        terminal.type(f"clear; {emend} sessions resume {identity}; echo ended with $?", "Enter")
        terminal.wait(r"\d/3 done", "the same at resume")
        project.open_gate()
        assert "ended with 0" in terminal.wait(r"^ended with \d", "end")
    finally:
        terminal.close()


def test_stopped_and_continued(emend, base):
    """What the shell wrote meanwhile is not drawn over."""
    project = Project(emend, base)
    terminal = Terminal(project)
    try:
        terminal.type("exec bash --norc --noprofile", "Enter")
        terminal.type("PS1='$ '; clear", "Enter")
        terminal.wait(r"^\$ *$", "a prompt of bash")
        terminal.type(f"{emend} {FIX}; echo ended with $?", "Enter")
        terminal.wait(r"alone: gate", "unit at its check")
        terminal.type("C-z")
        terminal.wait(r"Stopped", "bash's word")
        terminal.type("echo mine; fg", "Enter")
        terminal.wait(r"^mine(.*\n)+.*verifying(.*\n)+.*\d/3 done", "bars below what was written meanwhile")
        project.open_gate()
        terminal.wait(r"3 of 3 issues resolved(.*\n)+\$$", "result and prompt")
    finally:
        terminal.close()


def test_following_what_agents_say(emend, base):
    project = Project(emend, base)
    fix = subprocess.Popen([emend, *FIX.split()], cwd=project.repo, env=project.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        sessions = []
        end = time.monotonic() + DEADLINE
        while not sessions and time.monotonic() < end:
            listed = subprocess.run([emend, "sessions", "--json"], cwd=project.repo, env=project.environment, capture_output=True, text=True, check=False)
            sessions = json.loads(listed.stdout)["data"] if listed.returncode == 0 else []
        with subprocess.Popen([emend, "sessions", "log", sessions[0]["id"], "--follow"], cwd=project.repo, env=project.environment, stdout=subprocess.PIPE, text=True) as follower:
            seen = ""
            while "reads the loop" not in seen:  # while the check still waits
                line = follower.stdout.readline()
                assert line, f"it ended early: {seen}"
                seen += line
            assert fix.poll() is None, "the session was over before anything was followed"
            project.open_gate()
            seen += follower.stdout.read()
            assert follower.wait() == 0 and "fix_challenger" in seen, seen
    finally:
        project.open_gate()
        fix.wait()


def test_where_nothing_is_redrawn(emend, base):
    for name, flags, more in (("dumb", "", {"TERM": "dumb"}), ("ci", "", {"CI": "true"}), ("quiet", "--quiet", {}), ("json", "--json", {})):
        project = Project(emend, base)
        project.open_gate()
        terminal = Terminal(project, more=more)
        try:
            terminal.run("pipe-pane", f"cat > {base}/{name}.bytes")
            terminal.type(f"clear; {emend} {FIX} {flags}; echo ended with $?", "Enter")
            terminal.wait(r"^ended with 0", f"end of {name}")
            with open(f"{base}/{name}.bytes", encoding="utf-8") as file:
                seen = file.read()
            assert "/3 done" not in seen and "\x1b[2A" not in seen, f"{name}: {seen!r}"
        finally:
            terminal.close()


def test_no_colour(emend, base):
    project = Project(emend, base)
    terminal = Terminal(project, more={"NO_COLOR": "1"})
    try:
        terminal.type(f"clear; {emend} {FIX}; echo ended with $?", "Enter")
        terminal.wait(r"alone: gate", "unit at its check")
        assert "\x1b[" not in terminal.screen("-e"), terminal.screen("-e")
        project.open_gate()
        terminal.wait(r"^ended with 0", "end")
    finally:
        terminal.close()


def main():
    emend = os.path.realpath(sys.argv[1])
    if shutil.which("tmux") is None:
        print("tmux is not installed")
        return 77
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory(prefix="emend-live-") as base:
            start = time.monotonic()
            test(emend, os.path.realpath(base))
            print(f"{name}: ok, {time.monotonic() - start:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
