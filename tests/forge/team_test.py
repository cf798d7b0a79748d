"""Statuses, gate, commands, threads and repairs, at the small GitHub of forge_test.py, which runs them."""

import json
import os
import subprocess

import forge_test
from forge_test import FILE, ForgeTest
from hostile import HOSTILE

BUG = {"file": "src/a.c", "line": 3, "line_end": 3, "severity": "high", "title": "Off by one", "description": "The loop runs too far.", "suggestion": "", "replacement": ""}
TOPIC = FILE.replace("int i = 0;", "int i = 0; // counts")
CHECK = "grep -q 'i < n' src/a.c || { echo 'src/a.c:3: error: runs too far'; exit 1; }"
FIX = {"role": "*", "file": "src/a.c", "do": [{"replace": {"path": "src/a.c", "old": "i <= n", "new": "i < n"}}],
       "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "Mended."}]}}
JUDGE = {"role": "*", "answer": {"review_token": "{review_token}", "issues": {"{issue}": {"score": 97, "status": "SOLVED", "feedback": "Good."}}}}
PUSH = ("--set", "forge.allow_push=true")
GATE = ("--status", "status", "--gate", "findings")


class TeamTest(ForgeTest):
    def setUp(self):
        super().setUp()
        self.server.rights.update({"alice": "write", "deploy[bot]": "write", "stranger": "read", "nobody": "none"})
        self.world.votes("one", 85, [BUG])

    def tearDown(self):
        self.assertEqual(self.server.store.tokens, [], "no token goes to the server with the logs")
        super().tearDown()

    def topic(self, number=42, text=TOPIC, **more):
        return self.pull(number, {"src/a.c": text}, **{"fork": False, "author": "bob", **more})

    def states(self, sha=None):
        return [(row["context"], row["state"]) for row in self.server.statuses if sha in (None, row["sha"])]

    def watch(self, *more, code=0):
        return self.data("pr", "watch", "--once", *more, code=code)

    def receipts(self, number=42):
        (row,) = [row for row in self.server.talk.values() if row["pull"] == number and row["author"] == self.server.login and "fp=commands" in row["body"]]
        return row["body"]

    def works(self):
        self.world.plays([FIX], [JUDGE])


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

    def wait_for(self, condition):
        import time
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        self.fail("did not happen")

    def test_an_override_counts_from_people_who_may_write_and_for_this_head(self):
        self.topic()
        for login, kind in (("stranger", "User"), ("deploy[bot]", "Bot")):
            self.server.put_label(42, "emend-override", login, kind)
            self.data("pr", "review", "42", *GATE)
            self.assertEqual(self.states()[-1][1], "failure", login)
        self.server.put_label(42, "emend-override", "alice")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states()[-1][1], "success")
        self.assertIn("overridden by alice", self.server.statuses[-1]["description"])
        self.world.propose("topic42", {"src/a.c": TOPIC + "// more\n"})
        self.server.move_head(42, "topic42")
        self.data("pr", "review", "42", *GATE)
        self.assertEqual(self.states(self.server.head_of(42))[-1][1], "failure", "the label is older than this head")

    def test_a_merge_queue_is_answered_by_the_files(self):
        self.topic()
        self.data("pr", "review", "42", *GATE)
        queue = "gh-readonly-queue/main/pr-42-abc"
        self.world.propose(queue, {"src/a.c": TOPIC}, "queued")
        answer = self.data("pr", "queue", "refs/heads/" + queue, "--set", "forge.status=status", code=1)
        self.assertEqual((answer["state"], self.states(answer["head"])[-1][1]), ("failure", "failure"))
        self.world.propose(queue, {"src/a.c": TOPIC, "src/b.c": "other\n"}, "with another")
        self.assertIn("no review of exactly these files", self.run_emend("pr", "queue", "refs/heads/" + queue, code=2).stderr)

    def test_what_it_claims_to_fix_has_to_be_proven(self):
        self.topic(title="Fixes BE-077", body="Also closes: BE-078 and BE-079.\nMentions BE-080.")
        self.world.votes("one", 85)
        self.data("pr", "review", "42", "--status", "status", "--gate", "proof")
        self.assertEqual(self.states()[-1][1], "failure")
        self.assertIn("3 claimed and not proven", self.server.statuses[-1]["description"])


class Hostile(TeamTest):
    def test_none_of_them_causes_anything(self):
        self.topic()
        self.topic(43, fork=True)
        early = [case for case in HOSTILE if case[2].get("before_push")]
        late = [case for case in HOSTILE if case not in early]
        self.data("pr", "review", "42", "--post", "both")
        names = {}
        for group in (early, late):
            for name, body, more, what in group:
                row = self.server.comment(more.get("pull", 42), more.get("author", "alice"), body, more.get("kind", "User"),
                                          **({"edited_at": more["edited_at"]} if "edited_at" in more else {}))
                names[str(row["id"])] = (name, what)
            if group is early:
                self.world.propose("topic42", {"src/a.c": TOPIC + "// pushed after the command\n"})
                self.server.move_head(42, "topic42")
        before = (len(self.server.reviews), self.server.git("for-each-ref", "refs/heads"), len(self.server.statuses))
        answered = {row["comment"]: row for row in self.watch(*PUSH)}
        self.assertEqual((len(self.server.reviews), self.server.git("for-each-ref", "refs/heads"), len(self.server.statuses)), before)
        for identity, (name, what) in names.items():
            row = answered.get(identity, {"what": "not for emend", "why": "-"})
            self.assertEqual(row["what"] == "refused", what == "refused", f"{name}: {row}")
            self.assertNotEqual(row["what"], "taken", name)
            self.assertTrue(row["why"] and "\n" not in row["why"], name)
        self.assertGreaterEqual(len(names), 60)
        mine = [row for row in self.server.talk.values() if row["author"] == self.server.login and "fp=commands" in row["body"]]
        self.assertEqual(sorted(row["pull"] for row in mine), [42, 43], "one comment of receipts each, however many there were")
        self.assertNotIn("refused", [row["what"] for row in self.watch(*PUSH)], "and nothing is said twice")
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")


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

    def test_a_person_whose_right_is_gone_is_refused(self):
        self.topic()
        self.server.comment(42, "alice", "/emend review")
        self.server.rights["alice"] = "read"
        (row,) = self.watch()
        self.assertEqual((row["what"], row["why"]), ("refused", "`review` needs the right to write here, and alice may only read"))


class Story(TeamTest):
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
        stacked = self.server.pulls[max(self.server.pulls)]
        self.assertEqual((stacked["base"], stacked["draft"]), ("topic42", False))
        self.assertIn("| BE-001 |", stacked["body"])
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "RESOLVED")
        self.merge(stacked["head"], "topic42")
        stacked.update({"merged": True, "state": "closed"})
        self.server.move_head(42, "topic42")
        self.world.votes("one", 95)
        self.data("pr", "review", "42", "--post", "both", *GATE)
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "MERGED")
        (identity,) = self.server.resolved
        answers = [row["body"] for row in self.server.comments.values() if row.get("reply_to")]
        self.assertEqual(len(answers), 1)
        self.assertIn(f"Fixed: BE-001 is in {self.server.head_of(42)[:12]}", answers[0])
        self.assertEqual(self.states(self.server.head_of(42))[-1][1], "success")
        self.run_emend("pr", "follow", "42")
        self.assertEqual(len([row for row in self.server.comments.values() if row.get("reply_to")]), 1, "nothing is said twice")
        self.assertEqual(set(before) - set(self.world.checkout_state()), set(), "nothing of the person's is gone")

    def test_a_person_who_resolves_a_thread_is_believed(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        (comment,) = self.server.comments.values()
        self.server.resolved[f"PRRT_{comment['id']}"] = "alice"
        for _ in range(2):
            self.run_emend("pr", "follow", "42")
        self.assertEqual(len(self.server.comments), 1)
        shown = self.run_emend("issues", "show", "BE-001").stdout
        self.assertEqual(self.data("issues", "show", "BE-001")["status"], "OPEN")
        self.assertIn("alice closed the thread", shown)

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
        self.assertEqual({row["name"]: row["kind"] for row in data["jobs"]}, {"build": "new", "network": "infrastructure", "lint": "red before"})
        stacked = self.server.pulls[max(self.server.pulls)]
        self.assertEqual(stacked["base"], "topic42")
        self.assertIn("i <= n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        issue = self.data("issues", "show", "BE-001")
        self.assertEqual(issue["status"], "RESOLVED")
        self.assertIn(issue["evidence"], ("repaired", "proven"))

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
        self.assertEqual(len(self.server.pulls), 1)

    def test_stop_is_obeyed(self):
        self.checks("true")
        self.topic()
        self.server.comment(42, "alice", "/emend stop")
        self.watch()
        self.server.add_job(self.server.head_of(42), "build", log="error: only there\n")
        self.assertIn("/emend stop", self.data("ci", "fix", "42", *PUSH, code=1)["line"])


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
        environment = {**self.world.environment, "GH_TOKEN": token, "EMEND_HOME": state, "GITHUB_OUTPUT": outputs, "GITHUB_STEP_SUMMARY": self.world.path("summary.md"), **more}
        environment["PATH"] = os.path.dirname(forge_test.EMEND) + ":" + environment["PATH"]
        script = os.path.join(forge_test.SOURCES, "packaging", "github", "commands", f"{name}.sh")
        done = subprocess.run([script], cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        with open(outputs, encoding="utf-8") as file:
            return done, dict(line.split("=", 1) for line in file.read().splitlines())

    def authorize(self, author, body):
        row = self.server.comment(42, author, body)
        done, outputs = self.job("authorize", self.clone(f"first{row['id']}"), self.READER, self.world.path(f"state{row['id']}"), EMEND_PULL="42", EMEND_COMMENT=str(row["id"]))
        self.assertEqual(done.returncode, 0, done.stderr)
        return outputs

    def test_each_job_knows_only_what_it_needs(self):
        self.works()
        self.topic()
        self.data("pr", "review", "42", "--post", "both")
        self.assertEqual(self.authorize("stranger", "/emend fix BE-001")["verb"], "")
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
        stacked = self.server.pulls[max(self.server.pulls)]
        self.assertEqual((stacked["base"], stacked["head"].startswith("fix/")), ("topic42", True))
        self.assertIn("i < n", self.server.git("show", f"{stacked['head']}:src/a.c"))

    def test_nothing_of_the_event_is_run_and_only_numbers_pass(self):
        for pull, comment in (("42; touch pwned", "1"), ("", "1"), ("42", "$(id)"), ("42", "--help")):
            done, outputs = self.job("authorize", self.world.repo, self.READER, self.world.path("state4"), EMEND_PULL=pull, EMEND_COMMENT=comment)
            self.assertEqual((done.returncode, outputs), (2, {}))
        with open(os.path.join(forge_test.SOURCES, "packaging", "github", "commands", "workflow.yml"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("pull_request_target", text.replace("#", ""))
        self.assertNotRegex(text, r"run:.*\$\{\{", "no text of an event in a script")
