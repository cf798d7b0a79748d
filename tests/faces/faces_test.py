#!/usr/bin/env python3
"""faces_test.py EMEND: candidates, a question where two of them disagree, a contested verdict, two judges, the ledger, earned autonomy and the
forecast, as people see them: in the commands, over HTTP, in the terminal and in the dashboard. Scripted agents; tests/scenario/real_agents plays the
same with real coding CLIs."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "http"), os.path.join(HERE, "..", "tui")]

from place import score, scripted_agent
from terminal import Terminal
from world import World

EMEND = ""
NAMES = ("votes", "pair", "split", "dispute", "auto")
CONFIG = """[fix]
agent = "fixer"
fallback = ["second"]
autonomy = "earned"
[fix_challenger]
agent = "judge"
second_agent = "other"
canaries = 0
[verify]
commands = [{ name = "tests", run = "python3 -B -m unittest -v" }]
"""
TEST = "import unittest\n\nfrom src.{name} import f\n\n\nclass {kind}(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f({given}), {answer})\n"
REASONS = "Doubling is what the caller asks for."


def fixed(name, code, test=None):
    steps = [{"replace": {"path": f"src/{name}.py", "old": "return x", "new": f"return {code}"}}]
    if test:
        steps.append({"write": {"path": f"tests/test_{name}_more.py", "text": test}})
    return {"role": "fixer", "file": f"location: src/{name}.py", "do": steps,
            "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It doubles now."}]}}


def more(name, answer):
    return TEST.format(name=name, kind="More", given=3, answer=answer)


def said(points, text):
    done = points >= 95
    answer = score(points, feedback=text, account="f returned its argument; now it doubles it.", blocking=[] if done else ["say why"])
    answer["issues"]["{issue}"]["status"] = "SOLVED" if done else "IN_PROGRESS"
    return answer


class Project(World):
    def make_repository(self):
        for name in NAMES:
            self.write(f"repo/src/{name}.py", "def f(x):\n    return x\n")
            self.write(f"repo/tests/test_{name}.py", TEST.format(name=name, kind="Zero", given=0, answer=0))
        for folder in ("src", "tests"):
            self.write(f"repo/{folder}/__init__.py", "")
        agents = "".join(scripted_agent(agent, self.path(agent + ".json"), vendor)
                         for agent, vendor in (("fixer", "one"), ("second", "two"), ("judge", "three"), ("other", "four")))
        self.write("repo/emend.toml", CONFIG + agents)
        contests = {"role": "re_fixer", "answer": {"outcomes": [{"id": "{issue}", "outcome": "contested", "explanation": REASONS}]}}
        self.write_turns("fixer.json", [contests, fixed("split", "x * 2", more("split", 6))] + [fixed(name, "x * 2") for name in NAMES])
        self.write_turns("second.json", [fixed("split", "x * x", more("split", 9)), fixed("pair", "x + x")])
        self.write_turns("judge.json", [{"role": "fix_challenger", "file": "in dispute", "answer": said(97, "The caller says so.")},
                                        {"role": "fix_challenger", "file": "location: src/dispute.py", "answer": said(60, "Why double?")},
                                        {"role": "*", "answer": said(98, "It doubles.")}])
        self.write_turns("other.json", [{"role": "*", "answer": said(93, "Name the two.")}])
        self.begin()


class Faces(unittest.TestCase):
    """Everything is played once, by commands; then each face is looked at."""

    @classmethod
    def setUpClass(cls):
        cls.world = Project(EMEND)
        cls.addClassCleanup(cls.world.close)
        cls.must("trust")
        findings = [{"id": name, "file": f"src/{name}.py", "line": 2, "severity": "high", "title": f"{name} does not double", "rule": f"{name}-rule",
                     "description": f"f in src/{name}.py must double its argument"} for name in NAMES]
        cls.world.write("findings.json", json.dumps({"findings": findings}))
        added = json.loads(cls.must("issues", "add", "--json", "--findings", cls.world.path("findings.json")))["data"]
        cls.codes = dict(zip(NAMES, [row["code"] for row in added]))
        cls.sessions = {"votes": cls.fix("votes", "--panel", "2", "--threshold", "95"), "pair": cls.fix("pair", "--candidates", "2"),
                        "split": cls.fix("split", "--candidates", "2"), "dispute": cls.fix("dispute")}
        cls.earn()
        cls.sessions["auto"] = cls.fix("auto", "--approve", "plan")
        cls.world.git("merge", "-q", "--no-ff", "-m", "join", cls.sessions["auto"]["branch"])
        cls.must("issues", "sync")
        cls.api = cls.world.start()

    @classmethod
    def must(cls, *arguments):
        done = cls.world.run(*arguments)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    @classmethod
    def fix(cls, name, *options):
        done = cls.world.run("fix", "--json", "--exit-zero", *options, cls.codes[name])
        assert done.returncode == 0, (name, done.stdout, done.stderr)
        return json.loads(done.stdout)["data"]

    @classmethod
    def earn(cls):
        """Twenty earlier fixes of the same agent and rule that were merged, as the ledger keeps them."""
        database = sqlite3.connect(os.path.join(cls.world.state, "emend.db"))
        database.row_factory = sqlite3.Row
        first = database.execute("SELECT id, repository_id FROM issues").fetchone()
        columns = [row["name"] for row in database.execute("PRAGMA table_info(fix_outcomes)") if row["name"] != "n"]
        known = {"issue_id": first["id"], "repository_id": first["repository_id"], "code": "BE-001", "fate": "merged", "agent": "fixer", "rule": "auto-rule",
                 "language": "Python", "updated_ms": 1, "merged_ms": 1, "changed_again": 0, "back": 0}
        for number in range(20):
            row = {column: known.get(column, "") for column in columns} | {"session_id": f"earlier{number}"}
            database.execute(f"INSERT INTO fix_outcomes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
        database.commit()
        database.close()

    def attempts(self, name):
        return self.api.get(f"/api/issues/{self.codes[name]}/attempts").json

    def story(self, name, experiment):
        return [line["text"] for line in self.attempts(name)["story"] if line["experiment"] == experiment]

    def explained(self, name):
        return self.must("explain", self.codes[name])

    def terminal(self, name, *keys):
        """What the terminal says about an issue."""
        if shutil.which("tmux") is None:
            self.skipTest("tmux is not installed")
        terminal = Terminal(self.world.environment, self.world.repo, 180, 60)
        self.addCleanup(terminal.close)
        terminal.line(f"{self.world.program} tui")
        terminal.wait("live")
        terminal.keys(":")
        terminal.type("open " + self.codes[name].lower())
        terminal.keys("Enter")
        terminal.wait(f"src/{name}.py:2")
        terminal.keys(*keys)  # an issue with a fix opens with the change; "[" goes back, to the proof and to the issue
        return terminal

    def page(self, path, *texts):
        """The dashboard at this address shows each of the texts."""
        chromium = shutil.which("chromium")
        packages = os.path.join(HERE, "..", "web", "node_modules", ".installed")
        if chromium is None or not os.path.exists(packages):
            self.skipTest("Chromium or the packages of tests/web are not there")
        code = self.api.post("/api/auth/launch-codes").json["code"]
        order = {"chromium": chromium, "address": f"http://127.0.0.1:{self.world.port}{path}#launch={code}", "texts": texts}
        done = subprocess.run(["node", os.path.join(HERE, "..", "web", "browser", "look.mjs"), json.dumps(order)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    # --- two judges ---------------------------------------------------------------------------------------------------

    def test_panel_in_commands(self):
        self.assertEqual(self.sessions["votes"]["cycles"][0]["score"], 95)
        self.assertIn("together: judge 98, other 93: 95 on average", self.explained("votes"))
        self.assertIn("the judges scored it judge 98, other 93: 95 on average", self.explained("votes"))

    def test_panel_over_http(self):
        tried = self.attempts("votes")["data"][0]
        self.assertEqual(tried["together"], {"score": 95, "votes": "judge 98, other 93: 95 on average"})
        self.assertEqual(len(tried["verdicts"]), 2)
        self.assertIsNone(self.attempts("auto")["data"][0]["together"])

    def test_panel_in_the_terminal(self):
        self.terminal("votes", "[", "[").wait("accepted (judge 98, other 93: 95 on average)")

    def test_panel_in_the_dashboard(self):
        self.page(f"/issues/{self.codes['votes']}", "Judges", "95 of 100", "Votes: judge 98, other 93: 95 on average.", "Name the two.")

    # --- candidates ---------------------------------------------------------------------------------------------------

    PAIR = "Round 1: 2 candidates: "

    def test_candidates_in_commands(self):
        self.assertIn("2 candidates, 2 different; that of", "\n".join(self.sessions["pair"]["notes"]))
        text = self.explained("pair")
        self.assertIn(self.PAIR, text)
        self.assertRegex(text, r"second \(not chosen: passed too; the change of fixer was chosen\)|fixer \(not chosen: passed too; the change of second was chosen\)")

    def test_candidates_over_http(self):
        self.assertEqual(sorted(row["attempt"]["result"] for row in self.attempts("pair")["data"]), ["accepted", "not_chosen"])
        self.assertEqual(len(self.story("pair", "candidates")), 1)

    def test_candidates_in_the_terminal(self):
        terminal = self.terminal("pair", "[", "[")
        terminal.wait("1. candidate of fixer: ")
        terminal.wait("1. candidate of second: ")
        terminal.wait("not chosen")
        terminal.keys("P")
        terminal.wait(self.PAIR)

    def test_candidates_in_the_dashboard(self):
        self.page(f"/issues/{self.codes['pair']}", "Candidates", self.PAIR, "Attempt 1, candidate of ")

    # --- a question where they disagree -------------------------------------------------------------------------------

    def test_disagreement(self):
        """One test, in order: it is asked in each face, answered in one, and the answer is a check in all."""
        code, question = self.codes["split"], f"{self.codes['split']}-q1"
        self.assertEqual(self.sessions["split"]["issues"][0]["reason"], "needs_decision")
        self.assertIn("Which is right?", self.must("issues", "show", code))
        rows = self.api.get("/api/questions").json["data"]
        self.assertEqual([row["id"] for row in rows], [question])
        self.assertEqual(len(rows[0]["suggestions"]), 2)
        chosen = next(text for text in rows[0]["suggestions"] if "6" in text)
        self.assertIn("Nobody has answered yet", self.story("split", "question")[0])
        self.terminal("split", "[", "[").wait("Which is right?")
        self.page("/", "Which is right?", chosen)
        self.page(f"/issues/{code}", "Question", "Nobody has answered yet.")

        answered = self.api.post(f"/api/questions/{question}/answer", {"answer": chosen})
        self.assertEqual(answered.status, 200, answered)
        self.assertIn(f"the answer to {question}", self.must("issues", "reproducer", code))
        self.assertIn("A person says: " + chosen, self.explained("split"))
        self.assertIn("A person says: " + chosen, self.story("split", "question")[0])
        self.terminal("split", "[", "[").wait("you: " + chosen[:60])
        again = self.fix("split")
        self.assertEqual(again["issues"][0]["status"], "RESOLVED", again)
        self.page(f"/issues/{code}", "A person says: " + chosen[:60], "Hidden check")

    # --- a contested verdict ------------------------------------------------------------------------------------------

    CONTESTED = f"Round 2: fixer kept the change that was refused (judge 60), with reasons: {REASONS}"

    def test_contested_in_commands(self):
        self.assertEqual([row["claim"] for row in self.sessions["dispute"]["cycles"]], ["fixed", "contested"])
        self.assertEqual(self.sessions["dispute"]["issues"][0]["status"], "RESOLVED")
        text = self.explained("dispute")
        self.assertIn(self.CONTESTED, text)
        self.assertIn("Judged once more: judge 97.", text)
        self.assertIn("round 2: accepted, the verdict before was contested", text)

    def test_contested_over_http(self):
        self.assertEqual([row["attempt"]["claim"] for row in self.attempts("dispute")["data"]], ["fixed", "contested"])
        self.assertIn(REASONS, self.story("dispute", "contested")[0])

    def test_contested_in_the_terminal(self):
        self.terminal("dispute", "[", "[").wait("2. fixer: accepted, contested")

    def test_contested_in_the_dashboard(self):
        self.page(f"/issues/{self.codes['dispute']}", "Contested", "Judged once more: judge 97.", "It contested the verdict before this one.")

    # --- the ledger, and what is earned -------------------------------------------------------------------------------

    def test_ledger_and_autonomy_in_commands(self):
        self.assertEqual(self.sessions["auto"]["status"], "passed", "its plan needed no approval")
        self.assertIn("20 merged fixes", "\n".join(self.sessions["auto"]["notes"]))
        self.assertRegex(self.must("insights", "--by", "rule"), r"auto-rule +21 +21")
        self.assertRegex(self.must("insights", "--autonomy"), r"fixer +auto-rule +21 +- +earned")
        row = json.loads(self.must("insights", "--json"))["data"]["autonomy"][0]
        self.assertEqual((row["agent"], row["rule"], row["merged"], row["earned"]), ("fixer", "auto-rule", 21, True))

    def test_ledger_and_autonomy_over_http(self):
        answer = self.api.get("/api/insights?by=rule").json
        counts = {row["key"]: row["merged"] for row in answer["data"]}
        self.assertEqual(counts["auto-rule"], 21)
        self.assertEqual([(row["agent"], row["rule"], row["needed"], row["earned"]) for row in answer["autonomy"]], [("fixer", "auto-rule", 20, True)])

    def test_ledger_and_autonomy_in_the_terminal(self):
        terminal = self.terminal("auto", ":")
        terminal.type("insights rule")
        terminal.keys("Enter")
        self.assertRegex(terminal.wait("Autonomy, by agent and rule"), r"fixer +auto-rule +earned")

    def test_ledger_and_autonomy_in_the_dashboard(self):
        self.page("/insights", "What became of the fixes", "auto-rule", "earned")

    # --- the forecast -------------------------------------------------------------------------------------------------

    def test_forecast_in_commands(self):
        self.assertIsNone(self.sessions["votes"]["forecast"], "nothing was known yet")
        forecast = self.sessions["auto"]["forecast"]
        self.assertGreaterEqual(forecast["known_runs"], 2)
        self.assertIsInstance(forecast["off_percent"]["agent_time_ms"], int)
        self.assertRegex(self.must("sessions", "show", self.sessions["auto"]["session_id"]), r"estimated .* of agent time, was .* %\)")

    def test_forecast_over_http(self):
        snapshot = self.api.get(f"/api/fix/sessions/{self.sessions['auto']['session_id']}").json
        self.assertEqual(snapshot["forecast"]["known_runs"], self.sessions["auto"]["forecast"]["known_runs"])
        self.assertEqual(snapshot["per_resolved_issue"]["resolved"], 1)

    def test_forecast_in_the_terminal(self):
        terminal = self.terminal("auto", ":")
        terminal.type("report " + self.sessions["auto"]["session_id"])
        terminal.keys("Enter")
        self.assertRegex(terminal.wait("estimated "), r"estimated .* of agent time, was ")

    def test_forecast_in_the_dashboard(self):
        self.page(f"/sessions/{self.sessions['auto']['session_id']}", "Forecast: expected ", "For each fix (one issue a run)")


if __name__ == "__main__":
    EMEND = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
