"""What a check says of a head, the button that asks for a fix, links to what a server shows, and what only people who may write are told."""

import json
import os
import re
import subprocess
import uuid

import forge_test
from team_test import BUG, GATE, PUSH, TESTS, TOPIC, GiteaSide, GitLabSide, Served, Serving, Status, Story, TeamTest

FIXED = TOPIC.replace("i <= n", "i < n")
BOTH = ("--status", "status", "--gate", "findings")


class Checked(TeamTest):
    """emend/check beside emend/review."""

    def said(self, head=None):
        """States of emend/check of this head, in order."""
        return [state for context, state in self.states(head or self.server.head_of(42)) if context == "emend/check"]

    def description(self):
        return [row for row in self.server.statuses if (row.get("context") or row.get("name")) == "emend/check"][-1]["description"]

    def red(self):
        """A change that breaks what passed."""
        Story.checks(self, "grep -q 'i <= n' src/a.c || { echo 'src/a.c:3: runs too short'; exit 1; }")
        self.topic(text=FIXED)


class CheckedHead(Checked):
    def test_pending_then_what_it_came_to(self):
        self.has_tests()
        self.topic(text=FIXED)
        seen = []
        self.server.before = lambda method, path: seen.append(self.said())
        data = self.data("pr", "check", "42", "--status", "status")
        self.server.before = None
        self.assertEqual(self.said(), ["pending", "success"])
        self.assertIn(["pending"], seen)
        self.assertEqual((data["verdict"], data["status"]["context"]), ("PROVEN", "emend/check"))
        self.assertTrue(self.description().startswith("PROVEN: "), self.description())
        self.assertEqual(len(self.states()), 2, "nothing is said about a review that nobody made")

    def test_advice_until_it_is_made_a_gate(self):
        self.red()
        self.data("pr", "check", "42", "--status", "status", code=1)
        self.assertEqual(self.said(), ["pending", "success"], "a status has no neutral")
        self.assertTrue(self.description().startswith("RED: "))
        data = self.data("pr", "check", "42", *BOTH, code=1)
        self.assertEqual((self.said()[-1], data["status"]["state"]), ("failure", "failure"))
        self.pushed(text=TOPIC.replace("return i;", "return i + 0;"))
        self.data("pr", "check", "42", *BOTH)
        self.assertEqual(self.said(), ["pending", "success"], "the new head by itself")

    def test_the_comment_and_the_label_say_it_too(self):
        self.world.configure('[forge]\nstatus = "status"\ngate = "findings"\n')
        self.red()
        self.server.comment(42, "alice", "/emend check")
        (row,) = self.watch()
        self.assertTrue(row["line"].startswith("RED"), row)
        self.assertEqual(self.said(), ["pending", "failure"])
        self.server.put_label(42, "emend-override", "stranger")
        self.watch()
        self.assertEqual(self.said()[-1], "failure", "a label of somebody who may only read")
        self.server.put_label(42, "emend-override", "alice")
        for _ in range(2):
            self.watch()
        self.assertEqual(self.said(), ["pending", "failure", "pending", "success"], "once")
        self.assertIn("overridden by alice", self.description())
        self.assertEqual(self.data("audit", "--action", "gate.overridden")[0]["actor"]["name"], "alice")

    def test_our_own_failure_is_an_error(self):
        self.has_tests()
        self.run_emend("trust", "--revoke")
        self.topic(text=FIXED)
        self.run_emend("pr", "check", "42", "--status", "status", code=7)
        self.assertEqual(self.said(), [], "nothing was begun")
        self.world.write("broken.json", json.dumps({"data": {"verdict": "SPLENDID", "reason": "trust me"}}))
        self.run_emend("trust")
        self.run_emend("pr", "check", "42", "--status", "status", "--from", self.world.path("broken.json"), code=1)
        self.assertEqual(self.said(), ["pending", "error"])
        self.world.write("broken.json", "{}")
        self.run_emend("pr", "check", "42", "--status", "status", "--from", self.world.path("broken.json"), code=2)
        self.assertEqual(self.said(), ["pending", "error"] * 2)

    def test_nothing_is_left_pending_by_a_crash(self):
        Story.checks(self, "sleep 600")
        self.topic(text=FIXED)
        process = subprocess.Popen([forge_test.EMEND, "pr", "check", "42", "--status", "status"], cwd=self.world.repo, env=self.world.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        Status.wait_for(self, lambda: self.said() == ["pending"])
        process.kill()
        process.wait()
        self.watch()
        self.watch()
        self.assertEqual(self.said(), ["pending", "error"], "closed once")

    def test_a_fork_is_checked_for_the_commit_that_was_named(self):
        self.has_tests()
        self.topic(text=FIXED, fork=True)
        self.assertIn("--head " + self.server.head_of(42), self.run_emend("pr", "check", "42", "--status", "status", code=2).stderr)
        self.run_emend("pr", "check", "42", "--head", "0" * 40, code=3)
        self.assertEqual(self.said(), [])
        self.data("pr", "check", "42", "--status", "status", "--head", self.server.head_of(42))
        self.assertEqual(self.said(), ["pending", "success"])

    def test_a_check_by_hand_proves_what_the_pull_request_claims(self):
        self.has_tests()
        self.world.configure('[forge]\nstatus = "status"\ngate = "proof"\n')
        self.topic(title="Fixes BE-001")
        self.data("pr", "review", "42", "--post", "both")
        self.world.votes("one", 85)
        self.data("pr", "check", "42", "--issue", "BE-001", code=1)
        self.assertEqual(self.said()[-1], "failure", "the issue is still there")
        self.pushed(text=FIXED)
        head = self.server.head_of(42)
        self.data("pr", "review", "42")
        self.assertIn("1 fix is claimed and not proven", self.server.statuses[-1]["description"])
        self.data("pr", "check", "42", "--issue", "BE-001")
        self.assertEqual(self.said(), ["pending", "success"])
        self.run_emend("pr", "follow", "42")
        self.assertEqual([state for context, state in self.states(head) if context == "emend/review"][-1], "success")
        (answer,) = self.server.answers()
        self.assertRegex(answer, f"^Checked at {head[:12]}: BE-001, PROVEN")

    def test_a_merge_queue_hears_what_was_said_of_the_same_files(self):
        self.world.configure('[forge]\nstatus = "status"\ngate = "findings"\n')
        self.red()
        self.data("pr", "review", "42")
        self.data("pr", "check", "42", code=1)
        queue = "gh-readonly-queue/main/pr-42-abc"
        self.world.propose(queue, {"src/a.c": FIXED}, "queued")
        queued = self.server.git("rev-parse", queue)
        runs = self.server.count("GET", "/pulls/42")
        self.data("pr", "queue", "refs/heads/" + queue, code=1)
        self.assertEqual(self.said(queued), ["pending", "failure"])
        self.assertIn("same files as " + self.server.head_of(42)[:12], self.description())
        self.assertLess(self.server.count("GET", "/pulls/42") - runs, 4, "a question or two, and no check")

    def test_a_check_run_holds_it_where_the_token_may(self):
        self.has_tests()
        self.topic(text=FIXED)
        self.data("pr", "check", "42", "--status", "auto")
        (run,) = self.server.check_runs.values()
        self.assertEqual((run["name"], run["status"], run["conclusion"]), ("emend/check", "completed", "success"))
        self.assertEqual(self.server.statuses, [])
        self.assertNotIn("actions", run)


class CheckedElsewhere(Checked):
    def test_pending_then_what_it_came_to_and_after_a_label(self):
        self.world.configure('[forge]\nstatus = "auto"\ngate = "findings"\n')
        self.red()
        self.server.comment(42, "alice", "/emend check")
        self.assertEqual([row["result"] for row in self.watch()], ["done"])
        self.assertEqual(self.said(), ["pending", "failure"])
        self.server.put_label(42, "emend-override", "alice")
        self.watch()
        self.assertEqual(self.said()[-1], "success")
        self.assertIn("overridden by alice", self.description())


class GitLabCheckedHead(GitLabSide, CheckedElsewhere):
    pass


class GiteaCheckedHead(GiteaSide, CheckedElsewhere):
    pass


class Buttons(Served):
    """A button in a check run asks for what /emend fix asks for, by the person who pressed it."""

    configured = '[forge]\nstatus = "check"\ngate = "findings"\nallow_push = true\n'

    def setUp(self):
        super().setUp()
        self.works()
        self.data("pr", "review", "42", "--post", "both")
        (self.run_id,) = self.server.check_runs

    def press(self, by="alice", identifier="emend.fix", kind="User", run=None, **more):
        body = json.loads(json.dumps(self.example()))  # as GitHub sends it
        body["check_run"].update({"id": run or self.run_id, "name": "emend/review", "head_sha": self.server.head_of(42)})
        body["requested_action"]["identifier"] = identifier
        body["sender"].update({"login": by, "type": kind})
        body["repository"]["full_name"] = "Team/App"
        return self.post("check_run", {**body, **more})

    @staticmethod
    def example():
        with open(os.path.join(forge_test.SOURCES, "tests", "forge", "node_modules", "@octokit", "webhooks-examples", "api.github.com", "index.json"), encoding="utf-8") as file:
            (found,) = [one for event in json.load(file) if event["name"] == "check_run" for one in event["examples"] if one["action"] == "requested_action"]
        return found

    def test_it_is_heard_as_github_describes_it(self):
        script = os.path.join(forge_test.SOURCES, "tests", "forge", "check_deliveries.mjs")
        told = {**self.example(), "requested_action": {"identifier": "emend.fix"}}
        done = subprocess.run(["node", script], input=json.dumps([{"name": "check_run", "body": told}]), text=True, stdout=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def lines(self):
        return [line for body in self.server.receipt_bodies(42) for line in body.splitlines() if line.startswith("- ")]

    def heard(self, part):
        return Status.wait_for(self, lambda: [line for line in self.lines() if part in line])

    def test_it_is_there_while_a_server_hears_of_it(self):
        (button,) = self.server.check_runs[self.run_id]["actions"]
        self.assertEqual(button["identifier"], "emend.fix")
        self.assertEqual([len(button[name]) <= most for name, most in (("label", 20), ("description", 40), ("identifier", 20))], [True] * 3)
        self.stop()
        self.pushed()
        self.data("pr", "review", "42")
        self.assertNotIn("actions", list(self.server.check_runs.values())[-1])

    def test_it_is_not_there_where_nothing_can_be_fixed(self):
        self.world.votes("one", 85)
        self.pushed()
        self.data("pr", "review", "42")
        self.assertNotIn("actions", list(self.server.check_runs.values())[-1], "nothing was found")
        self.world.votes("one", 85, [{**BUG, "title": "Another"}])
        self.topic(43, text=TOPIC + "// fork\n", fork=True)
        self.data("pr", "review", "43")
        self.assertNotIn("actions", list(self.server.check_runs.values())[-1], "a fork")

    def test_who_may_write_gets_a_fix_once(self):
        self.assertEqual(len(self.press()[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.server.count_pulls() == 2)
        stacked = self.server.proposed()
        self.assertEqual(stacked["base"], "topic42")
        self.assertIn("i < n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        self.heard("done (`fix BE-001 @")
        self.press(sent="again")
        self.press(sent="and again")
        self.press("stranger")
        self.heard("stranger may only read")
        self.assertEqual((self.server.count_pulls(), len(self.lines())), (2, 2))

    def test_nobody_else_gets_anything(self):
        for by, more in (("stranger", {}), ("nobody", {})):
            self.press(by, **more)
            self.heard(f"and {by} may ")
        self.assertEqual(self.press("deploy[bot]", kind="Bot"), (202, {"known": False, "job_ids": []}))
        self.assertEqual(self.press(identifier="emend.merge"), (202, {"known": False, "job_ids": []}))
        self.assertEqual(self.press(action="rerequested"), (202, {"known": False, "job_ids": []}))
        self.assertEqual(self.press(sender={"login": "", "type": "User"})[0], 422)
        self.assertEqual(self.press(check_run={"id": "1; id"})[0], 422)
        self.assertIn("emend said nothing by a check run of this number", self.run_emend("pr", "press", "999", "--by", "alice", code=2).stderr)
        self.run_emend("pr", "press", "--by", "alice", "1;2", code=2)
        self.assertEqual(self.server.count_pulls(), 1)

    def test_a_head_that_moved_since_is_not_touched(self):
        self.pushed()
        self.press()
        self.heard("is not the newest commit of this pull request")
        self.assertEqual(self.server.count_pulls(), 1)

    def test_what_was_dismissed_since_is_not_fixed(self):
        self.run_emend("issues", "ignore", "BE-001", "--reason", "wont_fix")
        self.press()
        self.heard("nothing that was found then is open any more")
        self.assertEqual(self.server.count_pulls(), 1)


class Links(Serving):
    """A server that others can reach is where links lead."""

    configured = '[forge]\nstatus = "status"\nallow_push = true\n[server]\naddress = "https://emend.example.org/"\n'

    def setUp(self):
        super().setUp()
        self.has_tests()
        self.topic()
        self.works()

    def test_statuses_proposals_and_answers_lead_to_it(self):
        self.serve()
        self.data("pr", "review", "42", "--post", "both")
        issue = r"https://emend\.example\.org/issues/BE-001\?repo=\S+"
        self.assertRegex(self.server.statuses[-1]["target_url"], f"^{issue}$")
        self.data("pr", "fix", "42", "BE-001")
        stacked = self.server.proposed()
        self.assertRegex(stacked["body"], rf"\[look at it\]\({issue}\)")
        Story.merge(self, stacked["head"], "topic42")
        self.server.set_merged(stacked["number"])
        self.server.move_head(42, "topic42")
        self.world.votes("one", 95)
        self.data("pr", "review", "42", "--post", "both")
        self.assertRegex(self.server.statuses[-1]["target_url"], r"^https://emend\.example\.org/issues\?repo=\S+$")
        (answer,) = self.server.answers()
        self.assertRegex(answer, rf"Fixed: BE-001 is in {self.server.head_of(42)[:12]} \(.*\)\. \[The proof\]\({issue}\)")
        self.data("pr", "follow", "42")
        self.assertEqual(len(self.server.answers()), 1)

    def test_a_server_that_is_gone_or_only_of_this_machine_is_no_link(self):
        self.serve()
        self.stop()
        self.data("pr", "review", "42")
        self.assertNotIn("target_url", self.server.statuses[-1])
        self.configured = self.configured.replace('[server]\naddress = "https://emend.example.org/"\n', "")
        self.serve()
        self.pushed()
        self.data("pr", "review", "42")
        self.assertNotIn("target_url", self.server.statuses[-1])


class GiteaWebhook(GiteaSide, Serving):
    """Gitea and Forgejo deliver in GitHub's form."""

    places = ["git@codeberg.org:team/app.git"]
    configured = '[forge]\nstatus = "status"\ngate = "findings"\nreview_heads = true\n'

    def setUp(self):
        super().setUp()
        self.topic()
        self.serve()

    def post(self, event, body, secret=None):
        import hashlib
        import hmac
        data = json.dumps(body).encode()
        digest = hmac.new((secret or self.SECRET).encode(), data, hashlib.sha256).hexdigest()
        return self.send(data, {"X-Gitea-Event": event, "X-GitHub-Event": event, "X-GitHub-Delivery": str(uuid.uuid4()), "X-Gitea-Signature": digest, "X-Hub-Signature-256": "sha256=" + digest})

    def said(self, row, **more):
        return {"action": "created", "is_pull": True, "issue": {"number": 42, "pull_request": {"merged": False}}, "comment": {"id": row["id"], "body": row["body"]},
                "repository": {"full_name": "team/app"}, **more}

    def test_a_comment_is_a_reason_to_look_once(self):
        row = self.server.comment(42, "alice", "/emend help")
        self.assertEqual(self.post("issue_comment", self.said(row), secret="guess")[0], 403)
        self.assertEqual(len(self.post("issue_comment", self.said(row))[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: (row["id"], "rocket") in self.server.reactions)
        self.assertEqual(self.post("issue_comment", self.said(row))[1]["known"], True, "the same bytes under another name")
        self.post("issue_comment", self.said(row, sender={"login": "x"}))
        liar = self.server.comment(42, "stranger", "/emend stop")
        self.post("issue_comment", self.said(liar))
        Status.wait_for(self, lambda: any("stranger may only read" in body for body in self.server.receipt_bodies(42)))
        self.assertEqual([name for identity, name in self.server.reactions if identity == row["id"]], ["eyes", "rocket"], "once")
        self.assertEqual(self.post("issue_comment", self.said(row, action="edited"))[1]["job_ids"], [])

    def test_a_new_head_is_reviewed_and_a_label_judges_it_anew(self):
        head = self.server.head_of(42)
        pull = {"pull_request": {"number": 42}, "repository": {"full_name": "team/app"}}
        self.assertEqual(len(self.post("pull_request", {"action": "synchronized", **pull})[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.states(head) == [("emend/review", "pending"), ("emend/review", "failure")])
        self.server.put_label(42, "emend-override", "alice")
        self.assertEqual(len(self.post("pull_request", {"action": "label_updated", **pull})[1]["job_ids"]), 1)
        Status.wait_for(self, lambda: self.states(head)[-1][1] == "success")


class Explained(TeamTest):
    """Who may only read is told of what stands on the pull request, and of nothing else that is tracked."""

    def test_a_finding_of_another_place_is_not_told_to_readers(self):
        self.topic()
        self.topic(43, text=TOPIC + "// other\n", title="Fixes BE-001", body="Fixes BE-001")
        self.data("pr", "review", "42", "--post", "both")
        self.world.votes("one", 85, [{**BUG, "line": 1, "title": "Another bug"}])
        self.data("pr", "review", "43", "--post", "both")
        for number in (42, 43):
            self.server.comment(number, "stranger", "/emend explain BE-001")
        self.server.comment(43, "stranger", "/emend explain BE-001")
        self.server.comment(43, "alice", "/emend explain BE-001")
        rows = sorted((row["pull_request"], row["by"], row["what"]) for row in self.watch())
        self.assertEqual(rows, [(42, "stranger", "taken"), (43, "alice", "taken"), (43, "stranger", "refused"), (43, "stranger", "refused")])
        self.assertIn("emend did not tell BE-001 on this pull request", self.server.receipt_bodies(43)[0])

    def test_what_stands_in_the_text_of_the_review_is_told(self):
        self.topic()
        self.data("pr", "review", "42", "--post", "summary")
        self.server.comment(42, "stranger", "/emend explain BE-001")
        (row,) = self.watch()
        self.assertEqual((row["what"], row["result"]), ("taken", "done"), row)
