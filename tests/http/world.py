"""A home, a small repository with scripted agents and the real `emend serve` on a free port. Everything lies below one temporary directory."""

import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from client import Client
from place import Place, score

CONFIG = """[fix]
agent = "fixer"
parallel = 1

[fix_challenger]
agent = "judge"
satisfaction_threshold = 95
canaries = 0

[verify]
commands = [{ name = "check", run = "sh check.sh" }]

[agents.fixer]
engine = "scripted"
script = "../fixer.json"
family = "one"

[agents.judge]
engine = "scripted"
script = "../judge.json"
family = "two"

[agents.sleeper]
command = ["sh", "-c", "echo asleep; sleep 60"]

[agents.broken]
engine = "scripted"
script = "../none.json"
"""
SECRET = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"  # not one of anybody's
FILES = ("one", "two", "three", "four", "five", "six", "seven", "eight")
# What the fixer does with each file, beside mending it. The slow ones are in work for as long as a test needs to pull the plug.
BEFORE = {"three": [{"sleep_ms": 4000}], "four": [{"sleep_ms": 60000}], "eight": [{"print": "token " + SECRET}]}
VOTE = {"role": "pr_reviewer", "answer": {"review_token": "{review_token}", "score": 90, "summary": "Good.", "feedback": "It says right.", "findings": []}}
TEST = {"role": "test", "answer": {"ok": True}}


def fixer_turn(name):
    steps = [{"print": f"looking at {name}"}] + BEFORE.get(name, [])
    steps.append({"replace": {"path": f"src/{name}.sh", "old": "echo wrong", "new": "echo right"}})
    return {"role": "*", "file": f"src/{name}.sh", "do": steps,
            "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It says right."}]}}


def clarifier_turns():
    question = {"question": "Right or left?", "context": "two.sh says wrong", "suggestions": ["right", "left"]}
    asks = {"questions_by_issue": [{"issue_code": "{issue}", "questions": [question]}], "ready_to_plan": False}
    done = {"questions_by_issue": [{"issue_code": "{issue}", "questions": []}], "ready_to_plan": True}
    # Once answered, the prompt holds the answer.
    return [{"role": "fix_clarifier", "issue": "BE-002", "file": "right, says a person", "answer": done},
            {"role": "fix_clarifier", "issue": "BE-002", "answer": asks},
            {"role": "fix_clarifier", "answer": done}]


JUDGE = [VOTE, TEST, {"role": "*", "answer": score(98, feedback="It says right.", improvements_needed=[],
                                                   quality_scores={"correctness": 98, "safety": 98, "style": 98})}]


class World(Place):
    number = 0  # of worlds with a database of their own

    def __init__(self, emend):
        super().__init__(emend, "http")
        self.log = self.path("server.log")
        self.server = None
        self.port = None
        # For the webhooks; no test's log may ever show one.
        self.secrets = {"EMEND_WEBHOOK_GITHUB_SECRET": "github-secret-7c1d0f", "EMEND_WEBHOOK_GITLAB_SECRET": "gitlab-secret-93ae21"}
        self.environment.update(self.secrets)
        if "EMEND_TEST_DATABASE" in os.environ:  # see postgresql_test.py
            World.number += 1
            self.environment["EMEND_DATABASE"] = os.environ["EMEND_TEST_DATABASE"].replace("world@", f"world{World.number}")
            self.secrets["EMEND_DATABASE"] = os.environ["EMEND_TEST_SECRET"]
        self.make_repository()

    def make_repository(self):
        for name in FILES:
            self.write(f"repo/src/{name}.sh", f"# {name}\necho wrong\n")
        self.write("repo/tests/one.sh", "[ \"$(sh src/one.sh)\" = right ] || exit 1\n")
        self.write("repo/check.sh", "for file in src/*.sh; do sh -n \"$file\" || exit 1; done\n")
        self.write("repo/emend.toml", CONFIG)
        turns = [VOTE, TEST] + clarifier_turns() + [fixer_turn(name) for name in FILES]
        self.write_turns("fixer.json", turns, "fixer-1")
        self.write_turns("judge.json", JUDGE, "judge-1")
        self.begin()

    def routes(self):
        done = self.run("serve", "--routes", "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["data"]

    def start(self, *arguments):
        """Starts the server and waits for the line that says where it listens."""
        log = open(self.log, "a+", encoding="utf-8")
        offset = log.seek(0, os.SEEK_END)
        self.server = subprocess.Popen([self.program, "serve", "--listen", "127.0.0.1:0", *arguments], cwd=self.repo, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, text=True)
        log.close()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            text = self.log_text()[offset:]
            found = re.search(r"listening  http://127\.0\.0\.1:(\d+)\n", text)
            if found and "token      " in text:
                self.port = int(found.group(1))
                assert "#launch=" not in text, "a link that lets somebody in is in a file"
                return self.client()
            assert self.server.poll() is None, text
            time.sleep(0.02)
        raise AssertionError("the server did not start: " + self.log_text())

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def token(self):
        with open(os.path.join(self.state, "server", "token"), encoding="utf-8") as file:
            return file.read().strip()

    @property
    def launch_code(self):
        """A fresh one: each works once."""
        done = self.run("open", "--print")
        assert done.returncode == 0, done.stderr
        return re.search(r"#launch=([0-9a-f]+)", done.stdout).group(1)

    def client(self):
        return Client(self.port, self.token)

    def kill(self):
        self.server.kill()
        self.server.wait()

    def stop(self, seconds=60):
        """SIGTERM, as a service manager does it."""
        if self.server is None or self.server.poll() is not None:
            return None
        self.server.send_signal(signal.SIGTERM)
        return self.server.wait(timeout=seconds)

    def close(self):
        if self.server is not None and self.server.poll() is None:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.kill()
        super().close()
