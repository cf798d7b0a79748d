"""Statuses, gate, commands, threads and repairs, at the small forges; forge_test.py runs them. What is told for one forge and is not about its own ways is told again
for the others by a class that only says how to get there."""

import contextlib
import hashlib
import hmac
import http.client
import json
import os
import re
import signal
import subprocess
import time
import uuid

import forge_test
import gitea_server
import gitlab_server
from forge_test import FILE, ForgeTest
from gitea_described import Described
from hostile import HOSTILE
from place import read

BUG = {"file": "src/a.c", "line": 3, "line_end": 3, "severity": "high", "title": "Off by one", "description": "The loop runs too far.", "suggestion": "", "replacement": ""}
TOPIC = FILE.replace("int i = 0;", "int i = 0; // counts")
CHECK = "grep -q 'i < n' src/a.c || { echo 'src/a.c:3: error: runs too far'; exit 1; }"
FIX = {"role": "*", "file": "src/a.c", "do": [{"replace": {"path": "src/a.c", "old": "i <= n", "new": "i < n"}}],
       "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "Mended."}]}}
JUDGE = {"role": "*", "answer": {"review_token": "{review_token}", "issues": {"{issue}": {"score": 97, "status": "SOLVED", "feedback": "Good."}}}}
TESTS = """import unittest


class Loop(unittest.TestCase):
    def test_there(self):
        self.assertIn("first", open("src/a.c").read())

    def test_end(self):
        self.assertIn("i < n", open("src/a.c").read())
"""
PUSH = ("--set", "forge.allow_push=true")
GATE = ("--status", "status", "--gate", "findings")


class TeamTest(ForgeTest):
    def setUp(self):
        super().setUp()
        self.server.rights.update({"alice": "write", "deploy[bot]": "write", "stranger": "read", "nobody": "none", "strange-role": "custom", "suspended": "none", "gone-since": "gone",
                                   "build-machine": "read", "other-emend": "write"})
        self.world.votes("one", 85, [BUG])

    def tearDown(self):
        self.assertEqual(getattr(self.server, "problems", []), [], "not as the forge describes it")
        if hasattr(self.server, "store"):
            self.assertEqual(self.server.store.tokens, [], "no token goes to the server with the logs")
        super().tearDown()

    def topic(self, number=42, text=TOPIC, **more):
        return self.pull(number, {"src/a.c": text}, **{"fork": False, "author": "bob", **more})

    def pushed(self, number=42, text=TOPIC + "// pushed\n"):
        """Somebody pushes to the branch."""
        self.world.propose(f"topic{number}", {"src/a.c": text})
        self.server.move_head(number, f"topic{number}")

    def states(self, sha=None):
        return [(row["context"], row["state"]) for row in self.server.statuses if sha in (None, row["sha"])]

    def watch(self, *more, code=0):
        return self.data("pr", "watch", "--once", *more, code=code)

    def receipts(self, number=42):
        (body,) = self.server.receipt_bodies(number)
        return body

    def has_tests(self, before=""):
        """Checks that name their tests: one of them fails on main."""
        self.world.write("repo/test_a.py", TESTS)
        Story.checks(self, before + "python3 -m unittest -v")

    def works(self):
        self.world.plays([FIX], [JUDGE])

    def tells_in_a_thread(self):
        """Where emend began the thread, nobody needs to name the finding; elsewhere somebody has to."""
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.inline()
        self.server.answer_as(comment, "stranger", "/emend explain")
        self.server.answer_as(comment, "stranger", "/emend dismiss because I say so")
        self.server.comment(42, "alice", "/emend explain")
        self.server.comment(42, "alice", "/emend dismiss because it is fine")
        rows = [(row["by"], row["command"], row["what"]) for row in self.watch()]
        self.assertEqual(sorted(rows, key=str), [("alice", None, "refused"), ("alice", None, "refused"), ("stranger", "explain BE-001", "taken"), ("stranger", None, "refused")])
        self.assertIn("only in a thread that emend began", self.receipts())
        self.assertIn("BE-001: high src/a.c:3 Off by one; OPEN", self.receipts())
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")
        self.works()
        self.server.answer_as(comment, "alice", "/emend fix")
        (row,) = self.watch(*PUSH)
        self.assertEqual((row["command"], row["result"]), ("fix BE-001", "done"), row)
        self.assertIn("i < n", self.server.git("show", f"{self.server.proposed()['head']}:src/a.c"))
        self.assertEqual(self.watch(*PUSH), [], "once")

    def shows_the_proof(self, body):
        self.assertIn("| issue | check | before the fix | with it | without it again |", body)
        self.assertRegex(body, r"\| BE-001 \| [^|]+ \| fails \| passes \| fails \|")
        folded = body.split("<details><summary>BE-001: what the check said each time</summary>")[1].split("</details>")[0]
        self.assertEqual(re.findall(r"^(\w.*), on \w+: (\w+)$", folded, flags=re.M)[:3], [("before the fix", "fails"), ("with it", "passes"), ("without it again", "fails")])
        self.assertEqual(folded.count("error: runs too far"), 2, "as it was said")


class Status(TeamTest):
    def test_pending_then_final_and_advisory_unless_told(self):
        self.topic()
        head = self.server.head_of(42)
        seen = []
        self.server.before = lambda method, path: seen.append(self.states(head))
        data = self.data("pr", "review", "42", "--status", "status")
        self.server.before = None
        self.assertEqual(self.states(head), [("emend/review", "pending"), ("emend/review", "success")])
        self.assertIn("1 finding, 1 high", self.server.statuses[-1]["description"])
        self.assertEqual(data["status"]["state"], "neutral", "a status has no neutral")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(head)[-1], ("emend/review", "failure"))
        self.world.votes("one", 85)
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(head)[-1], ("emend/review", "success"))

    def test_a_check_run_with_annotations_in_the_diff_fifty_at_a_time(self):
        lines = "".join(f"int v{i} = {i};\n" for i in range(120))
        self.topic(text=FILE + lines)
        self.world.votes("one", 85, [{**BUG, "line": 6 + i, "title": f"Line {i}"} for i in range(120)] + [{**BUG, "file": "src/b.c", "line": 2}])
        self.data("pr", "review", "42", "--status", "auto", "--gate", "findings")
        (run,) = self.server.check_runs.values()
        self.assertEqual((run["status"], run["conclusion"], len(run["annotations"]), run["requests"]), ("completed", "failure", 120, 4))
        self.assertEqual({note["path"] for note in run["annotations"]}, {"src/a.c"}, "only what the diff shows")
        self.assertEqual(self.server.statuses, [])

    def test_a_token_that_may_not_is_remembered(self):
        self.topic()
        self.server.checks_allowed = False
        done = self.run_emend("pr", "review", "42", "--status", "auto")
        self.assertIn("commit statuses are used from now on", done.stderr)
        self.assertEqual([state for _, state in self.states()], ["pending", "success"])
        self.run_emend("pr", "review", "42", "--status", "auto")
        self.assertEqual(self.server.count("POST", "/check-runs"), 1, "asked once")
        self.run_emend("pr", "review", "42", "--status", "check", code=4)

    def test_our_own_failure_is_an_error_not_a_red_gate(self):
        self.topic()
        self.world.install("one", "exit 1\n")
        self.run_emend("pr", "review", "42", *GATE, code=5)
        self.assertEqual([state for _, state in self.states()], ["pending", "error"])

    def test_nothing_is_left_pending_by_a_crash(self):
        self.topic()
        self.world.install("one", "sleep 600\n")
        process = subprocess.Popen([forge_test.EMEND, "pr", "review", "42", "--status", "status"], cwd=self.world.repo, env=self.world.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for(lambda: self.states() == [("emend/review", "pending")])
        process.kill()
        process.wait()
        self.assertEqual(self.watch(), [])
        self.assertEqual([state for _, state in self.states()], ["pending", "error"])
        self.assertIn("ended before", self.server.statuses[-1]["description"])
        self.watch()
        self.assertEqual(len(self.server.statuses), 2, "once")

    def wait_for(self, condition, moving=lambda: None):
        """A minute at most in which nothing moves."""
        left, seen = 600, moving()
        while left:
            met = condition()
            if met:
                return met
            time.sleep(0.1)
            left, seen = (left - 1, seen) if moving() == seen else (600, moving())
        return self.fail("did not happen")

    def test_a_check_run_whose_answer_was_lost_is_found_again(self):
        self.topic()
        self.server.fault("POST", "/check-runs", "drop_after")
        self.run_emend("pr", "review", "42", "--status", "check", code=3)
        self.assertEqual([run["status"] for run in self.server.check_runs.values()], ["in_progress"])
        self.watch()
        self.assertEqual([(run["status"], run["conclusion"]) for run in self.server.check_runs.values()], [("completed", "cancelled")])
        self.assertEqual(self.server.statuses, [])

    def test_an_override_counts_from_people_who_may_write_and_for_this_head(self):
        self.topic()
        for login, kind in (("stranger", "User"), ("deploy[bot]", "Bot")):
            self.server.put_label(42, "emend-override", login, kind)
            self.data("pr", "review", "42", *GATE)
            self.assertEqual(self.states()[-1][1], "failure", login)
        self.server.put_label(42, "emend-override", "alice")
        for _ in range(2):
            self.data("pr", "review", "42", *GATE)
            self.assertEqual(self.states()[-1][1], "success")
        self.assertIn("overridden by alice", self.server.statuses[-1]["description"])
        (entry,) = self.data("audit", "--action", "gate.overridden")
        self.assertEqual((entry["subject"], entry["actor"]["name"], entry["detail"]["head"]), ("pull request 42", "alice", self.server.head_of(42)))
        self.world.propose("topic42", {"src/a.c": TOPIC + "// more\n"})
        self.server.move_head(42, "topic42")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(self.server.head_of(42))[-1][1], "failure", "the label is older than this head")

    def test_a_merge_queue_is_answered_by_the_files(self):
        self.topic()
        self.data("pr", "review", "42", *GATE)
        queue = "gh-readonly-queue/main/pr-42-abc"
        self.world.propose(queue, {"src/a.c": TOPIC}, "queued")
        ask = ("pr", "queue", "refs/heads/" + queue, "--set", "forge.status=status")
        answer = self.data(*ask, "--set", "forge.gate=findings", code=1)
        self.assertEqual((answer["state"], self.states(answer["head"])[-1][1]), ("failure", "failure"))
        self.assertEqual(self.data(*ask)["state"], "neutral", "by the gate as it is set now, not as it was")
        self.server.put_label(42, "emend-override", "alice")
        self.assertIn("overridden by alice", self.data(*ask, "--set", "forge.gate=findings")["summary"])
        self.server.pulls[42]["labels"].clear()
        self.run_emend("issues", "ignore", "BE-001", "--reason", "wont_fix")
        self.assertEqual(self.data(*ask, "--set", "forge.gate=findings")["state"], "success", "dismissed since")
        self.run_emend("issues", "reopen", "BE-001")
        self.world.propose(queue, {"src/a.c": TOPIC, "src/b.c": "other\n"}, "with another")
        self.assertIn("no review of exactly these files", self.run_emend("pr", "queue", "refs/heads/" + queue, code=2).stderr)
        unknown = self.server.git("rev-parse", queue)
        self.assertEqual(self.states(unknown), [], "nothing is said of what nobody looked at")
        answer = self.data("pr", "queue", "--review", "refs/heads/" + queue, "--set", "forge.gate=findings", code=1)
        self.assertEqual((answer["head"], answer["from"]), (unknown, ""))
        self.assertEqual([state for _, state in self.states(unknown)], ["pending", "failure"])
        self.assertEqual((self.server.count("POST", "/reviews"), self.server.count("POST", "/issues")), (0, 0), "only a status")

    def test_the_same_head_is_judged_anew_without_a_new_review(self):
        self.world.configure('[forge]\nstatus = "status"\ngate = "findings"\n')
        self.topic()
        head = self.server.head_of(42)
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(self.states(head)[-1][1], "failure")
        self.world.install("one", "exit 1\n")  # whoever asks an agent now hears nothing
        self.server.comment(42, "alice", "/emend dismiss BE-001 because the caller checks it")
        self.assertEqual([row["result"] for row in self.watch()], ["done"])
        self.assertEqual(self.states(head)[-1][1], "success")
        self.assertEqual(len(self.server.resolved), 1, "its thread is answered and over")
        self.assertIn("Dismissed: BE-001, alice on pull request 42: the caller checks it", self.server.answers()[0])
        self.run_emend("issues", "reopen", "BE-001")
        self.run_emend("pr", "follow", "42")
        self.assertEqual(self.states(head)[-1][1], "failure", "opened again")
        self.server.put_label(42, "emend-override", "alice")
        for _ in range(2):
            self.watch()
        self.assertEqual(self.states(head)[-1][1], "success")
        self.assertIn("overridden by alice", self.server.statuses[-1]["description"])
        self.assertEqual(len(self.states(head)), 8, "each change is said once")
        self.assertEqual(len(self.server.reviews), 1)

    def test_what_a_check_proves_passes_the_gate_and_ends_its_thread(self):
        self.has_tests()
        self.world.configure('[forge]\nstatus = "status"\ngate = "proof"\n')
        self.topic(title="Fixes BE-001")
        self.data("pr", "review", "42", "--post", "both")
        self.world.votes("one", 85)
        self.pushed(text=TOPIC.replace("i <= n", "i < n"))
        head = self.server.head_of(42)
        self.data("pr", "review", "42")
        self.assertEqual(self.states(head)[-1][1], "failure")
        self.assertIn("1 fix is claimed and not proven", self.server.statuses[-1]["description"])
        self.server.comment(42, "alice", "/emend check BE-001 @" + head)
        (row,) = self.watch()
        self.assertTrue(row["line"].startswith("PROVEN"), row)
        self.assertEqual(self.states(head)[-1][1], "success")
        (answer,) = self.server.answers()
        self.assertRegex(answer, f"^Checked at {head[:12]}: BE-001, PROVEN")
        self.assertEqual(len(self.server.resolved), 1)
        self.assertIn("done (`check BE-001 @" + head[:12], self.receipts().replace("\u200b", ""))

    def test_a_push_that_changes_no_finding_is_silent(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        posted = (len(self.server.reviews), len(self.server.comments), len(self.server.talk))
        for n in range(3):
            self.pushed(text=TOPIC + f"// push {n}\n")
            self.assertEqual(self.data("pr", "review", "42", "--post", "both")["posted"]["comments"], 0)
        self.assertEqual((len(self.server.reviews), len(self.server.comments), len(self.server.talk)), posted)

    def test_what_it_claims_to_fix_has_to_be_proven(self):
        self.topic(title="Fixes BE-077", body="Also closes: BE-078 and BE-079.\nMentions BE-080.")
        self.world.votes("one", 85)
        self.data("pr", "review", "42", "--status", "status", "--gate", "proof")
        self.assertEqual(self.states()[-1][1], "failure")
        self.assertIn("3 fixes are claimed and not proven", self.server.statuses[-1]["description"])


class Hostile(TeamTest):
    """None of these comments causes anything; what begins like a command is refused with a reason of one line."""

    kinds = True  # whether the forge tells bots from people

    def write(self, pull, author, body, kind, **more):
        return self.server.comment(pull, author, body, kind, **more)

    def world_now(self):
        return (len(self.server.inline()), self.server.git("for-each-ref", "refs/heads"), len(self.server.statuses), self.server.count_pulls())

    def write_all(self):
        """All of them, and what became of each by name: what it is, by its number."""
        early = [case for case in HOSTILE if case[2].get("before_push")]
        names = {}
        for group in (early, [case for case in HOSTILE if case not in early]):
            for name, body, more, what in group:
                kind = more.get("kind", "User")
                if kind == "Bot" and not self.kinds:
                    continue
                row = self.write(more.get("pull", 42), more.get("author", "alice"), body, kind, **({"edited_at": more["edited_at"]} if "edited_at" in more else {}))
                names[str(row["id"])] = (name, what, row)
            if group is early:
                self.pushed(text=TOPIC + "// pushed after the command\n")
        return names

    def forks(self):
        self.topic(43, fork=True)
        self.topic(45, text=TOPIC + "// of a fork of a fork\n", fork="nested/app-of-a-fork")
        self.topic(46, text=TOPIC + "// of a fork that is gone\n", fork=None)

    def by_asking(self):
        self.topic()
        self.forks()
        self.data("pr", "review", "42", "--post", "both")
        names = self.write_all()
        before = self.world_now()
        answered = {row["comment"]: row for row in self.watch(*PUSH)}
        self.assertEqual(self.world_now(), before)
        for identity, (name, what, _row) in names.items():
            row = answered.get(identity, {"what": "not for emend", "why": "-"})
            self.assertEqual(row["what"] == "refused", what == "refused", f"{name}: {row}")
            self.assertNotEqual(row["what"], "taken", name)
            self.assertTrue(row["why"] and "\n" not in row["why"], name)
        self.assertGreaterEqual(len(names), 140)
        receipts = [self.server.receipt_bodies(number) for number in (42, 43, 45, 46)]
        self.assertEqual([len(bodies) for bodies in receipts], [1, 1, 1, 1], "one comment of receipts each, however many there were")
        for word in ("](https", "@everyone", "\n::", "\n/"):
            self.assertNotIn(word, receipts[0][0], "what strangers wrote does nothing in our words")
        self.assertNotIn("refused", [row["what"] for row in self.watch(*PUSH)], "and nothing is said twice")
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")

    def test_none_of_them_causes_anything(self):
        self.by_asking()


class HostileInline(Hostile):
    """The same on lines, outside emend's threads."""

    def world_now(self):
        return super().world_now()[1:]

    def write(self, pull, author, body, kind, **more):
        row = self.server.add_review_comment(pull, author, "src/a.c", 2, body, kind)
        row.update(more)
        return row


class Commands(TeamTest):
    def test_help_explain_dismiss_stop(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        self.assertIn("(BE-001)", next(iter(self.server.comments.values()))["body"])
        self.server.comment(42, "stranger", "/emend explain BE-001\nand everything else is not read")
        self.server.comment(42, "stranger", "/emend help")
        self.watch()
        self.assertIn("BE-001: high src/a.c:3 Off by one; OPEN", self.receipts())
        self.assertIn("| `/emend stop` |", self.receipts())
        self.server.comment(42, "alice", "/emend dismiss BE-001 because the caller checks it\r\n\r\nthanks")
        self.watch()
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "IGNORED")
        self.assertIn("done (`dismiss BE-001`, alice)", self.receipts())
        head = self.data("pr", "review", "42", *GATE)
        self.assertEqual((head["findings"], self.states()[-1][1]), ([], "success"), "what was dismissed is not found again")
        self.server.comment(42, "alice", "/emend stop")
        self.assertEqual([row["result"] for row in self.watch()], ["done"])

    def test_a_review_is_asked_for_once_whoever_delivers_it(self):
        self.topic()
        row = self.server.comment(42, "alice", "/emend review")
        self.assertEqual(self.data("pr", "command", "42", str(row["id"]))["what"], "taken")
        self.assertEqual(self.data("pr", "command", "42", str(row["id"]))["what"], "known")
        self.assertEqual(self.watch(), [])
        self.assertEqual(len(self.server.reviews), 1)
        self.assertEqual([content for identity, content in self.server.reactions if identity == row["id"]], ["eyes", "rocket"])
        self.run_emend("pr", "command", "43", str(row["id"]), code=2)

    def test_in_a_thread_of_ours_its_finding_is_meant(self):
        self.tells_in_a_thread()

    def test_a_finding_is_dismissed_in_its_thread(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.inline()
        self.server.answer_as(comment, "alice", "/emend dismiss because the caller checks it")
        self.assertEqual([row["command"] for row in self.watch()], ["dismiss BE-001"])
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "IGNORED")

    def test_a_command_that_was_interrupted_is_not_done_again(self):
        self.topic()
        self.world.install("one", "sleep 600\n")
        self.server.comment(42, "alice", "/emend review")
        process = subprocess.Popen([forge_test.EMEND, "pr", "watch", "--once"], cwd=self.world.repo, env=self.world.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        Status.wait_for(self, lambda: self.server.reactions)
        process.kill()
        process.wait()
        self.assertEqual(self.watch(), [])
        self.assertIn("interrupted (`review`, alice): emend ended before it was done", self.receipts())
        self.assertEqual(len(self.server.reviews), 0)

    def test_check_runs_the_change_of_the_pull_request_without_a_token(self):
        self.has_tests('if env | grep -q "^GH_TOKEN="; then exit 1; fi; ')
        self.topic(text=TOPIC.replace("i <= n", "i < n"))
        self.world.propose("main2", {"src/b.c": "int moved_on;\n"})
        self.server.git("update-ref", "refs/heads/main", "refs/heads/main2")  # the base has moved on since
        self.server.comment(42, "alice", "/emend check")
        (row,) = self.watch()
        self.assertEqual(row["result"], "done", row)
        self.assertTrue(row["line"].startswith("PROVEN"), row)
        self.assertIn("done (`check`, alice): PROVEN", self.receipts())

    def test_a_fork_is_checked_for_the_commit_that_was_named(self):
        self.has_tests()
        self.topic(text=TOPIC.replace("i <= n", "i < n"), fork=True)
        head = self.server.head_of(42)
        self.server.comment(42, "alice", "/emend check")
        self.server.comment(42, "stranger", "/emend check @" + head)
        self.assertEqual([row["what"] for row in self.watch()], ["refused", "refused"])
        self.server.comment(42, "alice", "/emend check @" + head)
        (row,) = self.watch()
        self.assertEqual((row["what"], row["result"], row["line"][:6]), ("taken", "done", "PROVEN"), row)

    def test_a_bot_is_heard_where_it_is_named_and_may_write(self):
        self.topic()
        for bot in ("deploy[bot]", "renovate[bot]"):
            self.server.comment(42, bot, "/emend review", "Bot")
        rows = self.watch("--set", 'forge.allow_bots=["deploy[bot]", "renovate[bot]"]')
        self.assertEqual([(row["by"], row["what"]) for row in rows], [("deploy[bot]", "taken"), ("renovate[bot]", "refused")])
        self.assertIn("renovate", self.receipts())

    def test_a_person_whose_right_is_gone_is_refused(self):
        self.topic()
        self.server.comment(42, "alice", "/emend review")
        self.server.rights["alice"] = "read"
        (row,) = self.watch()
        self.assertEqual((row["what"], row["why"]), ("refused", "`review` needs the right to write here, and alice may only read"))


class Landing(TeamTest):
    """Onto the branch itself, when it is configured so and somebody asks there."""

    BRANCH = (*PUSH, "--set", "forge.fix_to=branch")

    def setUp(self):
        super().setUp()
        self.works()
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        self.head = self.server.head_of(42)

    def ask(self, body="/emend fix BE-001"):
        self.server.comment(42, "alice", body)
        (row,) = self.watch(*self.BRANCH)
        return row

    def tip(self):
        return self.server.git("rev-parse", "refs/heads/topic42")

    def at(self, part, nth, action):
        """Just before the nth request for it is answered."""
        seen = []

        def before(_method, path):
            if path.partition("?")[0].endswith(part):
                seen.append(path)
                if len(seen) == nth:
                    action()
        self.server.before = before

    def test_the_fix_is_a_child_of_the_very_head(self):
        row = self.ask()
        self.assertEqual(row["result"], "done", row)
        self.assertEqual(self.server.git("rev-parse", "refs/heads/topic42^"), self.head)
        self.assertIn("i < n", self.server.git("show", "topic42:src/a.c"))
        self.assertEqual(self.server.count_pulls(), 1)
        self.assertIn("pushed " + self.tip()[:12] + " to topic42", self.receipts())

    def test_who_wants_to_look_first_says_stacked(self):
        self.assertEqual(self.ask("/emend fix BE-001 --stacked")["result"], "done")
        self.assertEqual((self.tip(), self.server.count_pulls()), (self.head, 2))

    def test_a_protected_branch_is_left_alone_before_anything_is_done(self):
        self.server.guarded.add("topic42")
        row = self.ask()
        self.assertEqual(row["result"], "failed", row)
        self.assertIn("protected", row["line"])
        self.assertEqual((self.tip(), self.data("issues", "show", "BE-001")["attempts"]), (self.head, 0))
        self.assertIn("--to stacked", self.run_emend("pr", "fix", "42", "BE-001", "--to", "branch", *PUSH, code=2).stderr)

    def test_a_head_that_moved_while_it_was_fixed_gets_nothing(self):
        self.at("/pulls/42", 3, self.pushed)
        row = self.ask()
        self.assertEqual(row["result"], "failed", row)
        self.assertIn("somebody pushed to topic42", row["line"])
        self.assertEqual(self.tip(), self.server.head_of(42))
        self.assertNotIn("i < n", self.server.git("show", "topic42:src/a.c"))

    def test_a_right_that_is_gone_meanwhile_counts(self):
        self.at("/collaborators/alice/permission", 3, lambda: self.server.rights.update({"alice": "read"}))
        row = self.ask()
        self.assertIn("alice, who asked for this, may not write here any more", row["line"])
        self.assertEqual(self.tip(), self.head)

    def test_a_fork_is_never_pushed_to(self):
        self.topic(43, fork=True)
        for command in (("pr", "fix", "43", "BE-001", "--to", "branch"), ("ci", "fix", "43", "--to", "branch")):
            self.assertIn("fork", self.run_emend(*command, *PUSH, code=2).stderr)


class Watch(TeamTest):
    def test_what_emend_proposed_is_not_reviewed_or_repaired_by_itself(self):
        self.works()
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        self.data("pr", "fix", "42", "BE-001", *PUSH)
        stacked = self.server.proposed()["number"]
        before = len(self.server.reviews)
        self.watch("--review")
        self.assertEqual(len(self.server.reviews), before)
        self.server.add_job(self.server.head_of(stacked), "build", log="error: here\n")
        self.assertIn("proposed it itself", self.data("ci", "fix", str(stacked), *PUSH, code=1)["line"])
        self.world.write("elsewhere/config.toml", read(os.path.join(self.world.state, "config.toml")))
        self.world.environment["EMEND_HOME"] = self.world.path("elsewhere")
        self.server.pulls[42]["state"] = "closed"
        self.watch("--review")
        self.assertEqual(len(self.server.reviews), before, "a place without our journal knows it by its mark")

    def test_what_other_programs_say_of_a_commit_counts_too(self):
        Story.checks(self, "true")
        self.topic()
        head = self.server.head_of(42)
        self.server.statuses += [{"sha": head, "context": "ci/jenkins", "state": "failure"}, {"sha": head, "context": "lint", "state": "success"},
                                 {"sha": head, "context": "emend/review", "state": "failure"}]
        data = self.data("ci", "fix", "42", *PUSH, code=1)
        self.assertEqual([(row["name"], row["kind"]) for row in data["jobs"]], [("ci/jenkins", "new")])
        self.assertEqual(data["end"], "not_reproduced", "the project's checks do not show it")

    def reviewed(self):
        return [row["commit"] for row in self.server.reviews.values()]

    def test_each_new_head_is_reviewed_once(self):
        self.topic()
        self.topic(43, text=TOPIC + "// draft\n", draft=True)
        for _ in range(2):
            self.watch("--review")
        self.assertEqual(self.reviewed(), [self.server.head_of(42)])
        self.world.votes("one", 90, [{**BUG, "title": "Another thing"}])
        self.pushed()
        self.watch("--review")
        self.assertEqual(self.reviewed()[-1], self.server.head_of(42))
        self.assertEqual(len(set(self.reviewed())), 2)

    def test_who_said_stop_is_left_alone_until_somebody_asks(self):
        self.topic()
        self.server.comment(42, "alice", "/emend stop")
        self.watch("--review")
        self.assertEqual(self.reviewed(), [])
        self.server.comment(42, "alice", "/emend review")
        self.watch("--review")
        self.assertEqual(self.reviewed(), [self.server.head_of(42)])

    def test_pages_are_followed_and_limits_waited_for(self):
        self.topic()
        self.server.page_size = 1
        for name in ("a", "b", "c"):
            self.server.comment(42, "alice", f"chatter {name}")
        self.server.comment(42, "alice", "/emend explain BE-077")
        self.server.fault("GET", "/issues?state=open", "answer", status=403, body={"message": "You have exceeded a secondary rate limit."}, headers={"Retry-After": "1"})
        self.server.fault("GET", "/issues/comments/", "answer", status=502)
        self.server.fault("GET", "/pulls/42", "drop")
        (row,) = self.watch()
        self.assertEqual((row["what"], row["result"]), ("taken", "failed"))

    def test_a_long_thread_is_read_to_its_end(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.inline()
        self.server.page_size = 2
        for name in ("a", "b", "c"):
            self.server.answer_as(comment, "bob", f"chatter {name}")
        self.server.answer_as(comment, "alice", "won't fix")
        self.run_emend("pr", "follow", "42")
        self.assertIn("alice closed the thread", self.run_emend("issues", "show", "BE-001").stdout)

    def test_a_failed_job_is_found_on_any_page(self):
        Story.checks(self, "true")
        self.topic()
        self.server.page_size = 1
        for name in ("a", "b", "c"):
            self.server.add_job(self.server.head_of(42), name, conclusion="success")
        self.server.add_job(self.server.head_of(42), "late", log="error: here\n")
        self.assertEqual([row["name"] for row in self.data("ci", "fix", "42", *PUSH, code=1)["jobs"]], ["late"])

    def test_a_server_that_falls_silent_is_asked_again(self):
        self.topic()
        self.server.comment(42, "alice", "/emend help")
        self.server.fault("GET", "/issues/42/comments", "hang")
        self.assertEqual([row["result"] for row in self.watch()], ["done"])
        self.server.fault("POST", "/reviews", "hang")
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(len(self.server.reviews), 1, "made once, whatever became of the first try")

    def test_a_long_limit_ends_the_look_and_says_when(self):
        self.topic()
        self.server.fault("GET", "/issues?state=open", "answer", times=9, status=429, headers={"Retry-After": "4000"})
        self.assertIn("again", self.run_emend("pr", "watch", "--once", code=9).stderr)

    def test_what_is_wrong_with_one_keeps_no_other_waiting(self):
        self.topic()
        self.topic(43, text=TOPIC + "// other\n")
        for status in (404, 409, 422):
            self.server.faults.clear()
            self.server.fault("GET", "/issues/43/comments", "answer", times=99, status=status)
            self.server.comment(42, "alice", "/emend help")
            hidden = self.server.comment(43, "alice", "/emend help")
            done = self.run_emend("pr", "watch", "--once", "--json")
            self.assertIn("#43", done.stderr)
            self.assertEqual([(row["pull_request"], row["result"]) for row in json.loads(done.stdout)["data"]], [(42, "done")], status)
        self.server.faults.clear()
        self.assertIn(str(hidden["id"]), [row["comment"] for row in self.watch()], "what was missed is read the next time")

    def test_a_head_that_moves_between_the_comment_and_the_look_is_not_touched(self):
        self.topic()
        self.server.comment(42, "alice", "/emend fix BE-001")
        moved = []

        def before(_method, path):
            if "/activity" in path and not moved:
                moved.append(path)
                self.pushed()
        self.server.before = before
        (row,) = self.watch(*PUSH)
        self.assertEqual((row["what"], self.server.count_pulls()), ("refused", 1))


class Serving(TeamTest):
    """The real server, and what forges deliver to it."""

    configured, source = "", "github"
    SECRET = "hush" * 8
    places = ["git@github.com:team/app.git"]

    def serve(self):
        self.world.configure(self.configured)
        self.world.git("config", "remote.forge.url", self.places[0])  # origin is written out as a path here
        self.world.environment[f"EMEND_WEBHOOK_{self.source.upper()}_SECRET"] = self.SECRET
        self.start()
        self.addCleanup(self.stop)

    def start(self):
        self.log = self.world.path("serve.log")
        with open(self.log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen([forge_test.EMEND, "serve", "--listen", "127.0.0.1:0"], cwd=self.world.repo, env=self.world.environment,
                                            stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        self.port = Status.wait_for(self, self.listening)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def lose(self):
        """The machine is gone: the server with everything it started."""
        lost = [self.process.pid]
        for pid in lost:  # grows while it is read
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended by itself
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{thread}/children", encoding="utf-8") as file:
                        lost += [int(child) for child in file.read().split()]
        for pid in lost:
            with contextlib.suppress(ProcessLookupError):  # it went with another of them
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def listening(self):
        with open(self.log, encoding="utf-8") as file:
            found = re.search(r"listening  http://127\.0\.0\.1:(\d+)\n", file.read())
        return int(found.group(1)) if found else None

    def send(self, data, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", "/api/webhooks/" + self.source, data, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (BrokenPipeError, ConnectionResetError):
            return 413, {}
        finally:
            connection.close()


class Served(Serving):
    """Deliveries to the real server."""

    def setUp(self):
        super().setUp()
        self.topic()
        self.serve()

    def post(self, event, body, delivery=None, secret=None, data=None):
        data = json.dumps(body).encode() if data is None else data
        digest = hmac.new((secret or self.SECRET).encode(), data, hashlib.sha256).hexdigest()
        return self.send(data, {"X-GitHub-Event": event, "X-GitHub-Delivery": delivery or str(uuid.uuid4()), "X-Hub-Signature-256": "sha256=" + digest})

    def said(self, row, action="created", pull=42, **more):
        issue = {"number": pull, "pull_request": {"url": "x"}}
        return {"action": action, "issue": issue, "comment": {"id": row["id"], "body": row["body"], "user": {"login": "alice"}}, "repository": {"full_name": "Team/App"}, **more}


class Webhook(Served):
    """Commands by delivery."""

    def test_a_delivery_is_a_reason_to_look_and_each_comment_is_done_once(self):
        row = self.server.comment(42, "alice", "/emend help")
        status, answer = self.post("issue_comment", self.said(row), delivery="d-1")
        self.assertEqual((status, len(answer["job_ids"]), answer["known"]), (202, 1, False))
        Status.wait_for(self, lambda: (row["id"], "rocket") in self.server.reactions)
        self.assertEqual(self.post("issue_comment", self.said(row), delivery="d-1")[1], {"known": True, "job_ids": []}, "a replay")
        self.assertEqual(self.post("issue_comment", self.said(row), delivery="d-2")[1], {"known": True, "job_ids": []}, "the same bytes under another name")
        self.post("issue_comment", self.said(row, sender={"login": "x"}), delivery="d-3")  # other bytes about the same comment
        liar = self.server.comment(42, "stranger", "/emend stop")
        self.post("issue_comment", self.said(liar))
        Status.wait_for(self, lambda: (liar["id"], "confused") in self.server.reactions)
        self.assertEqual([content for identity, content in self.server.reactions if identity == row["id"]], ["eyes", "rocket"], "once")
        Status.wait_for(self, lambda: any("stranger may only read" in body for body in self.server.receipt_bodies(42)))

    def test_a_command_on_a_line_is_done_once_for_both_ways_to_hear_of_it(self):
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.inline()
        row = self.server.answer_as(comment, "alice", "/emend explain")
        body = {"action": "created", "pull_request": {"number": 42}, "comment": {"id": row["id"], "body": row["body"]}, "repository": {"full_name": "Team/App"}}
        self.assertEqual(len(self.post("pull_request_review_comment", body)[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: (row["id"], "rocket") in self.server.reactions)
        Status.wait_for(self, lambda: any("BE-001: high src/a.c:3" in body for body in self.server.receipt_bodies(42)))
        self.assertEqual(self.watch(), [])

    def test_heads_queues_and_pipelines_are_looked_at_only_where_somebody_allowed_it(self):
        pull = {"action": "synchronize", "pull_request": {"number": 42}, "repository": {"full_name": "Team/App"}}
        run = {"action": "completed", "workflow_run": {"id": 7, "conclusion": "failure"}, "repository": {"full_name": "Team/App"}}
        queue = {"action": "checks_requested", "merge_group": {"head_ref": "refs/heads/q"}, "repository": {"full_name": "Team/App"}}
        for event, body in (("pull_request", pull), ("workflow_run", run), ("merge_group", queue)):
            self.assertEqual(self.post(event, body), (202, {"known": False, "job_ids": []}), event)
        self.assertEqual((self.server.statuses, len(self.server.reviews)), ([], 0))

    def test_what_is_no_new_command_is_no_work(self):
        row = self.server.comment(42, "alice", "/emend help")
        talk = self.server.comment(42, "alice", "please /emend help")
        plain = {**self.said(row), "issue": {"number": 42}}
        for event, body in (("issue_comment", self.said(row, "edited")), ("issue_comment", self.said(row, "deleted")), ("issue_comment", self.said(talk)), ("issue_comment", plain),
                            ("commit_comment", self.said(row)), ("issues", self.said(row)), ("issue_comment", {**self.said(row), "repository": {"full_name": "other/app"}})):
            self.assertEqual(self.post(event, {**body, "for": event}), (202, {"known": False, "job_ids": []}), (event, body["action"]))
        for body in ({**self.said(row), "comment": {"id": "1; id", "body": "/emend help"}}, {**self.said(row), "issue": {"number": -1, "pull_request": {}}}):
            self.assertEqual(self.post("issue_comment", body)[0], 422, body)
        self.assertEqual(self.post("issue_comment", self.said(row), secret="guess")[0], 403)
        self.assertEqual(self.post("issue_comment", None, data=b'{"x": "' + b"y" * 1_200_000 + b'"}')[0], 413)
        self.assertEqual((self.server.reactions, self.server.receipt_bodies(42)), ([], []))


class HostileDelivered(Served):
    """The hostile comments once more, each delivered as new."""

    write, kinds, world_now = Hostile.write, True, Hostile.world_now

    def test_none_of_them_causes_anything(self):
        Hostile.forks(self)
        self.data("pr", "review", "42", "--post", "both")
        names = Hostile.write_all(self)
        before = self.world_now()
        refused = set()
        for name, what, row in names.values():
            status, answer = self.post("issue_comment", self.said(row, pull=row["pull"]))
            self.assertEqual(status, 202, name)
            if what == "refused":
                self.assertEqual(len(answer["job_ids"]), 1, name)
                refused.add(row["id"])
        Status.wait_for(self, lambda: {identity for identity, content in self.server.reactions if content == "confused"} == refused, lambda: len(self.server.reactions))
        self.assertNotIn("eyes", {content for _, content in self.server.reactions}, "none was taken")
        self.assertEqual(self.world_now(), before)
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")


class Errands(Served):
    """What `emend serve` does by itself where its configuration says so: reviews each new head, answers merge queues, repairs pipelines."""

    configured = '[forge]\nstatus = "status"\ngate = "findings"\nreview_heads = true\nrepair_pipelines = true\nallow_push = true\n'

    def told(self, **more):
        return {**more, "repository": {"full_name": "Team/App"}}

    def test_a_new_head_is_reviewed_once_and_a_queue_is_answered_from_it(self):
        head = self.server.head_of(42)
        pull = self.told(action="opened", pull_request={"number": 42})
        self.assertEqual(len(self.post("pull_request", pull)[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.states(head) == [("emend/review", "pending"), ("emend/review", "failure")])
        self.assertEqual(len(self.server.reviews), 1)
        self.post("pull_request", {**pull, "action": "reopened"})
        queue = "gh-readonly-queue/main/pr-42-abc"
        self.world.propose(queue, {"src/a.c": TOPIC}, "queued")
        self.post("merge_group", self.told(action="checks_requested", merge_group={"head_ref": "refs/heads/" + queue}))
        Status.wait_for(self, lambda: self.states(self.server.git("rev-parse", queue))[-1:] == [("emend/review", "failure")])
        self.assertIn("same files as " + head[:12], self.server.statuses[-1]["description"])
        self.assertEqual((len(self.server.reviews), len(self.states(head))), (1, 2), "the same head is not reviewed again")

    def test_a_label_is_reason_to_judge_the_head_anew(self):
        head = self.server.head_of(42)
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(self.states(head)[-1][1], "failure")
        self.server.put_label(42, "emend-override", "alice")
        self.assertEqual(len(self.post("pull_request", self.told(action="labeled", pull_request={"number": 42}))[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.states(head)[-1][1] == "success")
        self.assertIn("overridden by alice", self.server.statuses[-1]["description"])
        self.assertEqual(len(self.server.reviews), 1, "no agent was asked again")

    def test_what_a_lost_server_was_at_is_closed_at_the_next_start_and_not_done_again(self):
        head = self.server.head_of(42)
        self.world.install("one", "sleep 600\n")
        row = self.server.comment(42, "alice", "/emend review")
        self.post("issue_comment", self.said(row))
        Status.wait_for(self, lambda: self.states(head) == [("emend/review", "pending")])
        self.lose()
        self.world.votes("one", 85)
        self.start()
        Status.wait_for(self, lambda: self.states(head)[1:] == [("emend/review", "error")])
        Status.wait_for(self, lambda: any("interrupted (`review`, alice)" in body for body in self.server.receipt_bodies(42)))
        self.post("issue_comment", self.said(row), delivery="again")
        self.post("issue_comment", self.said(row, sender={"login": "x"}))
        time.sleep(3)
        self.assertEqual((len(self.server.reviews), len(self.states(head))), (0, 2))

    def test_a_red_pipeline_is_repaired(self):
        Story.checks(self, CHECK.replace("i < n", "i <= n"))
        self.world.plays([{**FIX, "do": [{"replace": {"path": "src/a.c", "old": "i < n", "new": "i <= n"}}]}], [JUDGE])
        self.pushed(text=TOPIC.replace("i <= n", "i < n"))
        run = self.server.add_job(self.server.head_of(42), "build", log="error: runs too far\n")
        self.assertEqual(len(self.post("workflow_run", self.told(action="completed", workflow_run={"id": run, "conclusion": "failure"}))[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.server.count_pulls() == 2)
        self.assertIn("i <= n", self.server.git("show", f"{self.server.proposed()['head']}:src/a.c"))


class Story(TeamTest):
    resolves = logs = restarts = True  # what the forge can do

    def checks(self, command):
        self.world.write("repo/emend.toml", f"[verify]\ncommands = [{json.dumps(command)}]\n")
        self.world.commit("Configure")
        self.world.git("push", "-q", self.world.remote, "main")
        self.run_emend("trust")

    def merge(self, branch, into):
        other = os.path.join(self.world.root, "merger")
        if not os.path.isdir(other):
            subprocess.run(["git", "clone", "-q", self.world.remote, other], check=True, env=self.world.environment)
        self.world.git("fetch", "-q", "origin", cwd=other)
        self.world.git("checkout", "-q", "-B", into, f"origin/{into}", cwd=other)
        self.world.git("-c", "user.name=m", "-c", "user.email=m@example.org", "merge", "-q", "--no-ff", "-m", "Merge", f"origin/{branch}", cwd=other)
        self.world.git("push", "-q", "origin", into, cwd=other)

    def test_from_review_to_green(self):
        self.has_tests()
        self.works()
        self.topic()
        before = self.world.checkout_state()
        self.data("pr", "review", "42", "--post", "both", *GATE)
        self.assertEqual(self.states()[-1][1], "failure")
        self.server.comment(42, "stranger", "/emend fix BE-001")
        self.assertEqual([row["what"] for row in self.watch(*PUSH)], ["refused"])
        self.server.comment(42, "alice", "/emend fix BE-001")
        (row,) = self.watch(*PUSH)
        self.assertEqual((row["what"], row["result"]), ("taken", "done"), row)
        stacked = self.server.proposed()
        self.assertEqual((stacked["base"], stacked["draft"]), ("topic42", False))
        self.assertRegex(stacked["body"], r"\| BE-001 \| [^|]+ \| fails \| passes \| fails \|")
        self.assertEqual((self.data("issues", "show", "BE-001")["status"], self.data("issues", "show", "BE-001")["evidence"]), ("RESOLVED", "proven"))
        self.assertIn("the proof holds", self.run_emend("prove", "BE-001").stdout)
        self.merge(stacked["head"], "topic42")
        self.server.set_merged(stacked["number"])
        self.server.move_head(42, "topic42")
        self.world.votes("one", 95)
        self.data("pr", "review", "42", "--post", "both", *GATE)
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "MERGED")
        self.assertEqual(len(self.server.resolved), 1 if self.resolves else 0)
        answers = self.server.answers()
        self.assertEqual(len(answers), 1)
        self.assertIn(f"Fixed: BE-001 is in {self.server.head_of(42)[:12]}", answers[0])
        self.assertEqual(self.states(self.server.head_of(42))[-1][1], "success")
        self.run_emend("pr", "follow", "42")
        self.assertEqual(len(self.server.answers()), 1, "nothing is said twice")
        self.assertEqual(set(before) - set(self.world.checkout_state()), set(), "nothing of the person's is gone")

    def test_a_person_who_resolves_a_thread_is_believed(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.inline()
        self.server.resolve_as(comment, "alice")
        for _ in range(2):
            self.run_emend("pr", "follow", "42")
        self.assertEqual((len(self.server.inline()), self.server.answers()), (1, []))
        shown = self.run_emend("issues", "show", "BE-001").stdout
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")
        self.assertIn("alice closed the thread", shown)
        (row,) = self.data("inbox")["dismissals"]
        self.assertEqual((row["issue"]["code"], row["by"], row["pull_request"]), ("BE-001", "alice", 42))
        self.assertIn("alice closed its thread on pull request 42 without a fix: Off by one", self.run_emend("inbox").stdout)
        self.run_emend("issues", "ignore", "BE-001", "--reason", "wont_fix")
        self.assertEqual(self.data("inbox")["dismissals"], [], "decided")

    def test_red_ci_reproduced_fixed_and_landed(self):
        self.checks(CHECK.replace("i < n", "i <= n"))  # main is right when it says "<="
        self.world.plays([{**FIX, "do": [{"replace": {"path": "src/a.c", "old": "i < n", "new": "i <= n"}}]}], [JUDGE])
        self.topic(text=TOPIC.replace("i <= n", "i < n"))
        head = self.server.head_of(42)
        self.assertIn("no job of its pipeline failed", self.run_emend("ci", "fix", "42", *PUSH).stdout)
        self.server.add_job(head, "build", log="src/a.c:3: error: runs too far\n")
        self.server.add_job(head, "network", log="could not resolve host: example.org\n")
        old = "lint: 3 errors in 0.4 s\n"
        self.server.add_job(head, "lint", log=old)
        self.server.add_job(self.server.git("rev-parse", "main"), "lint", log="lint: 3 errors in 1.9 s\n")
        data = self.data("ci", "fix", "42", *PUSH)
        self.assertEqual(data["end"], "landed", data)
        kinds = {"build": "new", "network": "infrastructure", "lint": "red before"}
        self.assertEqual({row["name"]: row["kind"] for row in data["jobs"]}, kinds if self.logs else dict.fromkeys(kinds, "new"), "who cannot read logs knows of nothing that it was red before")
        stacked = self.server.proposed()
        self.assertEqual(stacked["base"], "topic42")
        self.assertIn("i <= n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        issue = self.data("issues", "show", "BE-001")
        self.assertEqual(issue["status"], "RESOLVED")
        self.assertIn(issue["evidence"], ("repaired", "proven"))
        self.shows_the_proof(stacked["body"])

    def test_what_cannot_be_reproduced_is_told_and_left_alone(self):
        self.checks("true")
        self.topic()
        self.server.add_job(self.server.head_of(42), "build", log="error: only there\n")
        data = self.data("ci", "fix", "42", *PUSH, code=1)
        self.assertEqual(data["end"], "not_reproduced")
        self.data("ci", "fix", "42", *PUSH, code=1)
        rested = self.data("ci", "fix", "42", *PUSH, code=1)
        self.assertEqual(rested["end"], "rested")
        self.assertIn("2 times for this head", rested["line"])
        self.assertEqual(self.server.count_pulls(), 1)

    def right_and_wrong(self):
        """main is right when it says "<=", and the change says "<"."""
        self.checks(CHECK.replace("i < n", "i <= n"))
        self.world.plays([{**FIX, "do": [{"replace": {"path": "src/a.c", "old": "i < n", "new": "i <= n"}}]}], [JUDGE])
        self.topic(text=TOPIC.replace("i <= n", "i < n"))
        return self.server.head_of(42)

    def test_a_pipeline_by_its_number(self):
        head = self.right_and_wrong()
        job = self.server.add_job(head, "build", log="error: runs too far\n")
        run = self.server.pipeline_of(head) if hasattr(self.server, "pipeline_of") else job
        if not self.restarts:
            self.assertIn("cannot be named", self.run_emend("ci", "fix", "--run", str(run), *PUSH, code=2).stderr)
            return
        self.assertEqual(self.data("ci", "fix", "--run", str(run), "--to", "branch", *PUSH)["end"], "landed")
        self.assertEqual(self.server.git("rev-parse", "topic42^"), head)
        self.server.move_head(42, "topic42")
        self.run_emend("ci", "fix", "--run", str(run), *PUSH, code=3)
        self.run_emend("ci", "fix", "--run", str(run), "42", *PUSH, code=2)

    def test_a_branch_without_a_pull_request(self):
        self.checks(CHECK.replace("i < n", "i <= n"))
        self.world.plays([{**FIX, "do": [{"replace": {"path": "src/a.c", "old": "i < n", "new": "i <= n"}}]}], [JUDGE])
        head = self.world.propose("lonely", {"src/a.c": TOPIC.replace("i <= n", "i < n")})
        self.server.add_job(head, "build", log="error: runs too far\n")
        data = self.data("ci", "fix", "--branch", "lonely", *PUSH)
        self.assertEqual(data["end"], "landed", data)
        stacked = self.server.proposed()
        self.assertEqual(stacked["base"], "lonely")
        self.assertIn("i <= n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        self.run_emend("ci", "fix", "--branch", "lonely", "--to", "branch", *PUSH, code=2)

    def test_watching_goes_on_until_it_is_green(self):
        head = self.right_and_wrong()
        self.server.add_job(head, "build", log="error: runs too far\n")
        looks = []

        def before(method, path):
            tip = self.server.git("rev-parse", "refs/heads/topic42")
            if tip != self.server.head_of(42):  # the forge hears of the push, and runs its pipeline
                self.server.move_head(42, "topic42")
                self.server.add_job(tip, "build", conclusion="success")
                looks.append((method, path))
        self.server.before = before
        data = self.data("ci", "fix", "42", "--watch", "--interval", "5s", "--to", "branch", *PUSH)
        self.assertEqual((data["end"], len(looks)), ("nothing_red", 1), data)

    def test_watching_ends_when_a_person_pushes(self):
        head = self.right_and_wrong()
        self.server.add_job(head, "build", log="error: runs too far\n")
        persons = []

        def before(_method, _path):
            if not persons and self.server.git("rev-parse", "refs/heads/topic42") != head:  # emend has pushed
                persons.append("a push")
                self.pushed(text=TOPIC.replace("i <= n", "i < n") + "// a person is at work\n")
                self.server.add_job(self.server.head_of(42), "build", log="error: runs too far\n")
        self.server.before = before
        done = self.run_emend("ci", "fix", "42", "--watch", "--interval", "5s", "--to", "branch", *PUSH, code=3)
        self.server.before = None
        self.assertEqual(persons, ["a push"])
        self.assertIn("look at the new commits, then ask again", done.stderr)
        self.assertEqual(len(self.data("sessions", "list")), 1, "no second round")
        self.assertIn("a person is at work", self.server.git("show", "topic42:src/a.c"))

    def test_machines_that_failed_are_started_again_once(self):
        self.checks("true")
        self.topic()
        self.server.add_job(self.server.head_of(42), "net", log="could not resolve host: example.org\n", conclusion="timed_out")
        data = self.data("ci", "fix", "42", *PUSH, code=8 if self.restarts else 1)
        self.assertEqual((data["end"], self.server.restarted), ("running", ["net"]) if self.restarts else ("not_reproduced", []))
        self.assertIn("machine", data["line"])
        again = self.data("ci", "fix", "42", *PUSH, code=1)
        self.assertEqual((again["end"], len(self.server.restarted)), ("not_reproduced", 1 if self.restarts else 0))

    def test_what_only_fails_sometimes_is_called_flaky_and_left_alone(self):
        count = self.world.path("count")
        self.checks(f"n=$(cat {count} 2>/dev/null || echo 0); echo $((n + 1)) > {count}; [ $((n % 2)) = 1 ]")
        self.topic()
        self.server.add_job(self.server.head_of(42), "build", log="error: now and then\n")
        data = self.data("ci", "fix", "42", *PUSH, code=1)
        self.assertEqual(data["end"], "not_reproduced", data)
        self.assertEqual(self.server.count_pulls(), 1)

    def test_stop_is_obeyed(self):
        self.checks("true")
        self.topic()
        self.server.comment(42, "alice", "/emend stop")
        self.watch()
        self.server.add_job(self.server.head_of(42), "build", log="error: only there\n")
        self.assertIn("/emend stop", self.data("ci", "fix", "42", *PUSH, code=1)["line"])


class GitLabSide:
    """The same at GitLab."""

    def setUp(self):
        super().setUp()
        self.server.close()
        self.world.git("remote", "set-url", "origin", "git@gitlab.com:team/app.git")
        self.world.git("config", f"url.file://{self.world.remote}.insteadOf", "git@gitlab.com:team/app.git")
        rights, self.server = self.server.rights, gitlab_server.Server(self.world.remote, "team/app", forge_test.TOKEN)
        self.server.rights.update({name: right for name, right in rights.items() if "[" not in name})
        self.server.rights["suspended"] = "blocked"
        self.server.exchanges = []
        del self.world.environment["GH_TOKEN"], self.world.environment["GITHUB_API_URL"]
        self.world.environment.update({"CI_API_V4_URL": self.server.url, "GITLAB_TOKEN": forge_test.TOKEN})


class GiteaSide:
    """The same at Gitea."""

    def setUp(self):
        super().setUp()
        self.server.close()
        self.world.git("remote", "set-url", "origin", "https://codeberg.org/team/app.git")
        self.world.git("config", f"url.file://{self.world.remote}.insteadOf", "https://codeberg.org/team/app.git")
        described = Described(os.path.join(forge_test.SOURCES, "tests", "forge", "node_modules", "gitea-js", "dist", "index.d.ts"))
        rights, self.server = self.server.rights, gitea_server.Server(described, self.world.remote, "team/app", forge_test.TOKEN)
        self.server.rights.update({name: right for name, right in rights.items() if "[" not in name and right != "gone"})
        self.server.exchanges = []
        del self.world.environment["GH_TOKEN"], self.world.environment["GITHUB_API_URL"]
        self.world.environment.update({"GITEA_API_URL": self.server.url, "GITEA_TOKEN": forge_test.TOKEN})


class TeamElsewhere(TeamTest):
    """What the stories do not come by."""

    def test_statuses_gate_override_and_queue(self):
        self.topic(title="Fixes BE-077")
        head = self.server.head_of(42)
        self.data("pr", "review", "42", "--status", "auto", "--gate", "proof")
        self.assertEqual(self.states(head), [("emend/review", "pending"), ("emend/review", "failure")])
        self.assertIn("1 fix is claimed and not proven", self.server.statuses[-1]["description"])
        self.server.put_label(42, "emend-override", "stranger")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(head)[-1][1], "failure")
        self.server.put_label(42, "emend-override", "alice")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(head)[-1][1], "success")
        self.pushed()
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(self.server.head_of(42))[-1][1], "failure", "the label is older than this head")
        self.world.install("one", "exit 1\n")
        self.run_emend("pr", "review", "42", *GATE, code=5)
        self.assertEqual(self.states()[-1][1], "error")
        self.assertIn("no check runs", self.run_emend("pr", "review", "42", "--status", "check", code=2).stderr)

    def test_commands_are_taken_refused_and_bound_to_the_head(self):
        self.topic()
        self.topic(43, text=TOPIC + "// fork\n", fork=True)
        self.data("pr", "review", "42", "--post", "both")
        seen = self.server.comment(42, "alice", "/emend explain BE-001")
        late = self.server.comment(42, "alice", "/emend fix BE-001")
        self.server.comment(42, "stranger", "/emend stop")
        self.server.comment(43, "alice", "/emend fix BE-001")
        self.server.comment(42, "alice", "> /emend stop")
        self.pushed()
        rows = {(row["pull_request"], row["by"], row["command"] or row["why"]): row["what"] for row in self.watch(*PUSH)}
        self.assertEqual(sorted(rows.values()), ["refused", "refused", "refused", "taken"], rows)
        self.assertEqual([name for identity, name in self.server.reactions if identity == seen["id"]], ["eyes", "rocket"])
        self.assertEqual([name for identity, name in self.server.reactions if identity == late["id"]], ["confused"])
        self.assertIn("the branch changed after your command", self.receipts())
        self.assertIn("stranger may only read", self.receipts())
        self.server.comment(42, "alice", "/emend fix BE-001 @" + self.server.head_of(42))
        self.works()
        self.assertEqual([row["result"] for row in self.watch("--set", "forge.fix_to=branch", *PUSH)], ["done"])
        self.assertIn("i < n", self.server.git("show", "topic42:src/a.c"))
        self.server.move_head(42, "topic42")
        self.server.guarded.add("topic42")
        self.run_emend("pr", "fix", "42", "BE-001", "--to", "branch", *PUSH, code=2)

    def test_in_a_thread_of_ours_its_finding_is_meant(self):
        self.tells_in_a_thread()

    def test_a_head_that_moves_in_between_gets_nothing(self):
        self.topic()
        moved = []

        def before(_method, path):
            if path.partition("?")[0].endswith(("/diffs", ".diff")) and not moved:
                moved.append(path)
                self.pushed()
        self.server.before = before
        done = self.run_emend("pr", "review", "42", "--post", "both", *GATE, code=3)
        self.server.before = None
        self.assertEqual(len(moved), 1)
        self.assertIn("nothing was posted", done.stderr)
        self.assertEqual((self.server.inline(), self.states(self.server.head_of(42))), ([], []), "nothing is said of the head that nobody looked at")

    def test_a_server_that_falls_silent_is_asked_again(self):
        self.topic()
        self.server.fault("GET", "42", "hang")
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(len(self.server.inline()), 1)

    def test_it_stumbles_and_goes_on(self):
        self.topic()
        self.server.fault("GET", "42", "answer", status=502)
        self.server.fault("GET", "42", "drop")
        self.server.fault("GET", "42", "answer", status=429, headers={"Retry-After": "1"})
        self.data("pr", "review", "42", "--post", "both", *GATE)
        self.server.page_size = 1
        posted = self.data("pr", "review", "42", "--post", "both", *GATE)["posted"]
        self.assertEqual((posted["comments"], posted["review"]), (0, False), "pages are followed, nothing is said twice")
        for status, code in ((401, 4), (403, 4), (404, 2), (409, 3), (422, 2), (500, 3)):
            self.server.faults.clear()
            self.server.fault("GET", "42", "answer", times=9, status=status)
            self.run_emend("pr", "review", "42", code=code)


class GitLabHostile(GitLabSide, Hostile):
    kinds = False


class GiteaHostile(GiteaSide, Hostile):
    kinds = False


class GitLabWebhook(GitLabSide, Serving):
    """Commands by GitLab's deliveries of comments."""

    source = "gitlab"
    places = ["https://gitlab.com/team/app.git"]

    def setUp(self):
        super().setUp()
        self.topic()
        self.serve()

    def post(self, row, delivery=None, secret=None, **more):
        body = {"object_kind": "note", "project": {"path_with_namespace": "Team/App"}, "merge_request": {"iid": 42},
                "object_attributes": {"id": row["id"], "note": row["body"], "noteable_type": "MergeRequest", "action": "create", **more}}
        return self.send(json.dumps(body).encode(), {"X-Gitlab-Event": "Note Hook", "X-Gitlab-Event-UUID": delivery or str(uuid.uuid4()), "X-Gitlab-Token": secret or self.SECRET})

    def test_a_note_is_a_reason_to_look_once(self):
        row = self.server.comment(42, "alice", "/emend help")
        self.assertEqual(self.post(row, secret="guess")[0], 403)
        status, answer = self.post(row, delivery="n-1")
        self.assertEqual((status, len(answer["job_ids"]), answer["known"]), (202, 1, False))
        Status.wait_for(self, lambda: (row["id"], "rocket") in self.server.reactions)
        self.assertEqual(self.post(row, delivery="n-1")[1], {"known": True, "job_ids": []})
        self.post(row, delivery="n-2")
        liar = self.server.comment(42, "stranger", "/emend stop")
        self.post(liar)
        Status.wait_for(self, lambda: any("stranger may only read" in body for body in self.server.receipt_bodies(42)))
        self.assertEqual([name for identity, name in self.server.reactions if identity == row["id"]], ["eyes", "rocket"], "once")

    def test_what_is_no_new_command_is_no_work(self):
        row = self.server.comment(42, "alice", "/emend help")
        for more in ({"action": "update"}, {"noteable_type": "Issue"}, {"note": "please /emend help"}):
            self.assertEqual(self.post(row, **more), (202, {"known": False, "job_ids": []}), more)
        self.assertEqual(self.server.reactions, [])


class GitLabTeam(GitLabSide, TeamElsewhere):
    def test_a_next_page_may_have_a_short_address(self):
        root = self.server.url.removesuffix("/api/v4") + "/"
        self.server.fault("GET", "/merge_requests?", "answer", status=200, body=[], headers={"Link": f'<{root}>; rel="next"'})
        self.server.fault("GET", "/", "answer", status=404)
        self.assertIn("404", self.run_emend("pr", "watch", "--once", code=2).stderr)
        self.assertEqual(self.server.problems, ["GET / is not documented"])
        self.server.problems.clear()


class GiteaTeam(GiteaSide, TeamElsewhere):
    pass


class GitLabStory(GitLabSide, Story):
    pass


class GiteaStory(GiteaSide, Story):
    resolves = logs = restarts = False


class Recipe(TeamTest):
    """The scripts of the three jobs, each with only its own secrets."""

    READER = "ghs_" + "Rr1Qq2Pp3Oo4Nn5Mm6Ll7Kk8Jj9Ii0Hh1Gg2"  # not one of anybody's

    def setUp(self):
        super().setUp()
        self.server.reader = self.READER

    def clone(self, name):
        place = self.world.path(name)
        subprocess.run(["git", "clone", "-q", self.world.remote, place], check=True, env=self.world.environment)
        self.world.git("remote", "set-url", "origin", self.world.address, cwd=place)
        self.world.git("config", f"url.file://{self.world.remote}.insteadOf", self.world.address, cwd=place)
        return place

    def job(self, name, place, token, state, **more):
        """Runs a script as its job would, and returns its outputs."""
        outputs = self.world.path(f"{name}.out")
        self.world.write(outputs, "")
        environment = {**self.world.environment, **({} if not token else {"GH_TOKEN": token}), "EMEND_HOME": state, "GITHUB_OUTPUT": outputs, "GITHUB_STEP_SUMMARY": self.world.path("summary.md"), **more}
        environment["PATH"] = os.path.dirname(forge_test.EMEND) + ":" + environment["PATH"]
        script = os.path.join(forge_test.SOURCES, "packaging", "github", "commands", f"{name}.sh")
        done = subprocess.run([script], cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        with open(outputs, encoding="utf-8") as file:
            return done, dict(line.split("=", 1) for line in file.read().splitlines())

    def fresh(self, name):
        """A runner's state: what its agents are, and nothing that emend kept."""
        state = self.world.path(name)
        for file in ("config.toml", "fixer.json", "judge.json"):
            if os.path.exists(os.path.join(self.world.state, file)):
                self.world.write(os.path.join(state, file), read(os.path.join(self.world.state, file)))
        return state

    def authorize(self, author, body):
        row = self.server.comment(42, author, body)
        done, outputs = self.job("authorize", self.clone(f"first{row['id']}"), self.READER, self.world.path(f"state{row['id']}"), EMEND_PULL="42", EMEND_COMMENT=str(row["id"]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.asked = row["id"]
        return outputs

    def answer(self, author, body):
        """A command that needs no work, as its jobs carry it out."""
        self.assertEqual(self.authorize(author, body), {"verb": "answer", "number": "42", "head": "", "codes": ""})
        done, _ = self.job("answer", self.clone(f"answer{self.asked}"), forge_test.TOKEN, self.fresh(f"told{self.asked}"), EMEND_PULL="42", EMEND_COMMENT=str(self.asked))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.receipts()

    def carry_out(self, asked, token=READER, trust="base", **more):
        """Jobs 2 and 3, each on a machine that has never seen this project."""
        names = {**{f"EMEND_{name.upper()}": value for name, value in asked.items()}, "EMEND_BASE": "main", "EMEND_TRUST": trust, **more}
        second, third = self.clone(f"second{self.server.next_id}"), self.clone(f"third{self.server.next_id}")
        self.server.next_id += 1
        worked, _ = self.job("work", second, token, self.fresh(f"second{self.server.next_id}.state"), **names)
        os.rename(os.path.join(second, "out"), os.path.join(third, "out"))
        published, _ = self.job("publish", third, forge_test.TOKEN, self.fresh(f"third{self.server.next_id}.state"), **names)
        return worked, published

    def good(self, *done):
        for each in done:
            self.assertEqual(each.returncode, 0, each.stdout + each.stderr)

    def as_actions(self):
        """What a workflow's token is: nobody's account."""
        self.server.login, self.server.login_type, self.server.may_ask_user = "github-actions[bot]", "Bot", False

    def test_each_job_knows_only_what_it_needs(self):
        self.works()
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(self.authorize("stranger", "/emend fix BE-001")["verb"], "answer", "the refusal is said")
        self.assertEqual(self.authorize("alice", "> /emend fix BE-001")["verb"], "")
        asked = self.authorize("alice", "/emend fix BE-001\n$(touch pwned) `id` ${{ secrets.KEY }}")
        self.assertEqual(asked, {"verb": "fix", "number": "42", "head": self.server.head_of(42), "codes": "BE-001"})
        names = {f"EMEND_{name.upper()}": value for name, value in asked.items()}
        done, _ = self.job("work", self.world.repo, self.READER, self.world.state, EMEND_BASE="main", **names)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({method for method, path in self.server.read if path != "/graphql"}, {"GET"}, "what works cannot write")
        self.assertEqual(len(self.server.pulls), 1)
        third = self.clone("third")
        os.rename(os.path.join(self.world.repo, "out"), os.path.join(third, "out"))
        self.assertTrue(os.path.exists(os.path.join(third, "out", "BE-001.emend-proof")))
        wrong, _ = self.job("publish", third, forge_test.TOKEN, self.world.path("state3"), **{**names, "EMEND_HEAD": "0" * 40})
        self.assertNotEqual(wrong.returncode, 0, "what was made is for another head")
        done, _ = self.job("publish", third, forge_test.TOKEN, self.world.path("state3"), **names)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        stacked = self.server.proposed()
        self.assertEqual((stacked["base"], stacked["head"].startswith("fix/")), ("topic42", True))
        self.assertIn("i < n", self.server.git("show", f"{stacked['head']}:src/a.c"))

    def test_machines_that_keep_nothing_review_and_fix_by_what_the_threads_say(self):
        self.as_actions()
        self.works()
        Story.checks(self, "true")
        self.run_emend("trust", "--revoke")
        self.topic()
        worked, published = self.carry_out(self.authorize("alice", "/emend review"), EMEND_COMMENT=str(self.asked), EMEND_STATUS="status")
        self.good(worked, published)
        (comment,) = self.server.inline()
        self.assertIn("Off by one (BE-001)", comment["body"])
        self.assertIn("reviewed " + self.server.head_of(42)[:12], self.receipts())
        self.assertEqual(self.states(self.server.head_of(42)), [("emend/review", "pending"), ("emend/review", "success")])
        self.world.votes("one", 85, [{**BUG, "line": 1, "title": "Another bug", "description": "Negative counts loop for ever."}, BUG])
        self.good(*self.carry_out(self.authorize("alice", "/emend review")))
        self.assertEqual(sorted(re.findall(r"BE-\d+", " ".join(row["body"] for row in self.server.inline()))), ["BE-001", "BE-002"], "no code is given twice")
        asked = self.authorize("alice", "/emend fix BE-001")
        worked, published = self.carry_out(asked, trust="", EMEND_COMMENT=str(self.asked))
        self.assertNotEqual(worked.returncode, 0, "nobody allowed the commands of the project")
        self.assertIn("emend trust", worked.stderr)
        self.assertIn("no fix was made", self.receipts())
        self.assertEqual(self.server.count_pulls(), 1)
        worked, published = self.carry_out(self.authorize("alice", "/emend fix BE-001"), EMEND_COMMENT=str(self.asked))
        self.good(worked, published)
        stacked = self.server.proposed()
        self.assertEqual(stacked["base"], "topic42")
        self.assertIn("i < n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        self.assertIn(f"into topic42: https://github.com/team/app/pull/{stacked['number']}", self.receipts())

    def test_only_what_the_owners_merged_is_allowed(self):
        Story.checks(self, "true")
        self.topic()
        asked = self.authorize("alice", "/emend review")
        names = {**{f"EMEND_{name.upper()}": value for name, value in asked.items()}, "EMEND_BASE": "main", "EMEND_TRUST": "base"}
        place = self.clone("strange")
        self.world.git("checkout", "-q", "origin/topic42", cwd=place)
        done, _ = self.job("work", place, self.READER, self.fresh("strange.state"), **names)
        self.assertIn("what is checked out is not of main", done.stderr)
        self.world.git("checkout", "-q", "origin/main", cwd=place)
        self.world.write(os.path.join(place, "emend.toml"), '[verify]\ncommands = ["id"]\n')
        done, _ = self.job("work", place, self.READER, self.fresh("strange.state"), **names)
        self.assertIn("the checkout was changed", done.stderr)

    def test_what_needs_no_work_is_answered_in_the_pull_request(self):
        self.as_actions()
        self.topic()
        self.good(*self.carry_out(self.authorize("alice", "/emend review")))
        (comment,) = self.server.inline()
        self.assertIn("stranger may only read", self.answer("stranger", "/emend fix BE-001"))
        self.assertIn("is not a command", self.answer("stranger", "/emend merge"))
        self.assertIn("BE-001: high src/a.c:3 Off by one; OPEN", self.answer("stranger", "/emend explain BE-001"))
        self.assertIn("| `/emend stop` |", self.answer("stranger", "/emend help"))
        self.assertIn("emend-skip", self.answer("alice", "/emend stop"))
        self.assertEqual(self.server.resolved, {})
        self.assertIn("BE-001 is dismissed", self.answer("alice", "/emend dismiss BE-001 because the caller checks it"))
        (said,) = self.server.answers()
        self.assertIn("Dismissed: BE-001, alice on pull request 42: the caller checks it", said)
        self.assertEqual(list(self.server.resolved), [f"PRRT_{comment['id']}"])
        self.good(*self.carry_out(self.authorize("alice", "/emend review"), EMEND_STATUS="status"))
        self.assertEqual(len(self.server.inline()), 1)
        self.assertIn("no findings", self.server.statuses[-1]["description"], "a machine that keeps nothing knows what was dismissed")

    def test_code_of_a_change_runs_where_there_is_no_secret(self):
        self.world.write("repo/emend.toml", '[verify]\ncommands = ["env > \\"$HOME/env\\"; true"]\n')
        self.world.commit("Configure")
        self.world.git("push", "-q", self.world.remote, "main")
        self.topic()
        asked = self.authorize("alice", "/emend check BE-001")
        names = {f"EMEND_{name.upper()}": value for name, value in asked.items()}
        token = self.world.environment.pop("GH_TOKEN")
        for name in ("ANTHROPIC_API_KEY", "GH_TOKEN"):
            refused, _ = self.job("work", self.world.repo, "", self.world.state, EMEND_BASE="main", **{**names, name: "x1y2z3"})
            self.assertIn(f"${name} does not belong", refused.stderr)
        worked, published = self.carry_out(asked, token=None, EMEND_COMMENT=str(self.asked))
        self.good(worked)
        self.assertIn("BE-001 is not known in this job", worked.stderr)
        self.world.environment["GH_TOKEN"] = token
        self.good(published)
        self.assertRegex(self.receipts(), r"done \(`check BE-001`, alice\): [A-Z ]+: \w")

    def workflow(self, name):
        with open(os.path.join(forge_test.SOURCES, "packaging", "github", "commands", name), encoding="utf-8") as file:
            return file.read()

    def test_each_job_of_the_workflows_is_given_only_its_own(self):
        expected = {"workflow.yml": {"authorize": {"GH_TOKEN"}, "answer": {"GH_TOKEN", "pull-requests: write"}, "check": set(), "work": {"secrets.", "GH_TOKEN", "environment:"},
                                     "publish": {"GH_TOKEN", "contents: write", "pull-requests: write"}},
                    "review.yml": {"work": {"secrets.", "GH_TOKEN", "environment:"}, "publish": {"GH_TOKEN", "pull-requests: write"}}}
        for name, wanted in expected.items():
            parts = re.split(r"^  (\w+):.*$", self.workflow(name).split("\njobs:\n")[1], flags=re.M)
            jobs = dict(zip(parts[1::2], parts[2::2]))
            has = {job: {word for word in ("secrets.", "GH_TOKEN", "contents: write", "pull-requests: write", "environment:") if word in text} for job, text in jobs.items()}
            self.assertEqual(has, wanted, name)
            for job, text in jobs.items():
                self.assertEqual(text.count("actions/checkout@"), text.count("persist-credentials: false"), job)

    def test_the_workflows_are_built_as_workflows_are(self):
        """There is no runner of workflows in the package collections, so their structure is checked here."""
        import yaml
        action = yaml.safe_load(self.workflow("action.yml"))
        for name in ("workflow.yml", "review.yml"):
            text = self.workflow(name)
            flow = yaml.safe_load(text)
            self.assertEqual(set(flow), {"name", True, "permissions", "concurrency", "jobs"}, "YAML reads the key `on` as true")
            self.assertEqual(flow["permissions"], {})
            for job, spec in flow["jobs"].items():
                self.assertLessEqual(set(spec), {"if", "needs", "runs-on", "environment", "permissions", "outputs", "steps"}, job)
                self.assertLessEqual(set(spec["permissions"].values()), {"read", "write"})
                needs = spec.get("needs", [])
                needs = [needs] if isinstance(needs, str) else needs
                self.assertLessEqual(set(needs), set(flow["jobs"]), job)
                self.assertLessEqual(set(re.findall(r"needs\.(\w+)\.", json.dumps(spec))), set(needs), f"{job} uses only what it needs")
                for step in spec["steps"]:
                    self.assertLessEqual(set(step), {"id", "if", "uses", "with", "env"}, "no script, and nothing of an event in one")
                    if "commands@" in step["uses"]:
                        self.assertEqual(set(step["with"]), {"job"})
                        self.assertTrue(os.access(os.path.join(forge_test.SOURCES, "packaging", "github", "commands", step["with"]["job"] + ".sh"), os.X_OK))
                        self.assertIn(step["with"]["job"], action["runs"]["steps"][1]["run"])
                for output in re.findall(r"steps\.look\.outputs\.(\w+)", text):
                    self.assertIn(output, action["outputs"])
        self.assertIn("head.repo.full_name == github.repository", flow["jobs"]["work"]["if"], "a fork is reviewed when somebody asks")

    def test_nothing_of_the_event_is_run_and_only_numbers_pass(self):
        for pull, comment in (("42; touch pwned", "1"), ("", "1"), ("42", "$(id)"), ("42", "--help")):
            done, outputs = self.job("authorize", self.world.repo, self.READER, self.world.path("state4"), EMEND_PULL=pull, EMEND_COMMENT=comment)
            self.assertEqual((done.returncode, outputs), (2, {}))
        for name in ("workflow.yml", "review.yml"):
            self.assertNotIn("pull_request_target", self.workflow(name))
            self.assertNotRegex(self.workflow(name), r"run:.*\$\{\{", "no text of an event in a script")
