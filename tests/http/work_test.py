#!/usr/bin/env python3
"""work_test.py EMEND: what agents were told and said, while they work and afterwards; verification, challenge and votes on their own; streams whose
reader comes from nowhere; plans that have become old."""

import os
import sys
import unittest

from flow_test import add_issue, follow, wait
from world import SECRET, World

EMEND = ""


class Work(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(EMEND)
        trusted = cls.world.run("trust")
        assert trusted.returncode == 0, trusted.stderr
        cls.api = cls.world.start()
        cls.repository = cls.api.get("/api/repositories").json["data"][0]["id"]
        cls.issues = {name: add_issue(cls.api, name)["code"] for name in ("one", "four", "five", "eight")}
        git = cls.world.git
        git("checkout", "-q", "-b", "feature")
        cls.world.write(os.path.join(cls.world.repo, "src", "one.sh"), "# one\necho right\n")
        git("commit", "-qam", "Right")
        git("checkout", "-q", "-b", "red", "main")
        cls.world.write(os.path.join(cls.world.repo, "src", "one.sh"), "if\n")
        git("commit", "-qam", "Break")
        git("checkout", "-q", "-b", "slow", "main")
        cls.world.write(os.path.join(cls.world.repo, "check.sh"), "sleep 60\n")
        git("commit", "-qam", "Sleep")
        git("checkout", "-q", "main")

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def start(self, *names, **more):
        body = {"repository_id": self.repository, "issue_ids": [self.issues[name] for name in names], **more}
        answer = self.api.post("/api/fix/start", body, {"Accept": "application/json"})
        self.assertEqual(answer.status, 202, answer)
        return answer.json["session_id"]

    def result(self, answer):
        self.assertEqual(answer.status, 202, answer)
        path = answer.header("Location")
        wait(lambda: self.api.get(path).json["state"] in ("done", "failed"), path)
        return self.api.get(path).json

    def runs(self, session):
        return self.api.get(f"/api/runs?session={session}").json["data"]

    # --- runs -------------------------------------------------------------------------------------------------------------

    def test_1_prompts_and_logs(self):
        session = self.start("eight")
        wait(lambda: self.api.get(f"/api/fix/sessions/{session}").json["status"] == "passed", "the end")
        runs = self.runs(session)
        self.assertEqual([(run["role"], run["status"]) for run in runs], [("fixer", "ended"), ("fix_challenger", "ended")])
        path = "/api/runs/" + runs[0]["id"]
        self.assertEqual(self.api.get(path).json, runs[0])
        log = self.api.get(path + "/log")
        self.assertIn("looking at eight\n", log.body)
        self.assertIn("[redacted:", log.body)
        prompt = self.api.get(path + "/prompt")
        self.assertIn(self.issues["eight"], prompt.body)
        for text in (log.body, prompt.body):
            self.assertNotIn(SECRET, text)
        self.assertEqual(len(log.body.encode()), runs[0]["log_bytes"])
        self.look_at_ranges(path + "/log", log)
        self.assertEqual(self.api.get(path + "/prompt", If_None_Match=prompt.header("ETag")).status, 304)
        for bad in ("/api/runs/none", "/api/runs/none/log", "/api/runs/none/prompt", "/api/runs/%2e%2e"):
            self.assertIn(self.api.get(bad).status, (400, 404), bad)
        for query in ("?follow=2", "?follow=1&offset=-1", "?follow=1&offset=x"):
            self.assertEqual(self.api.get(path + "/log" + query).status, 422, query)
        shown = self.world.run("sessions", "log", session, "1")
        self.assertEqual((shown.returncode, shown.stdout), (0, log.body), shown.stderr)

    def look_at_ranges(self, path, log):
        whole, size = log.body.encode(), len(log.body.encode())
        self.assertEqual(log.header("Accept-Ranges"), "bytes")
        for wanted, first, last in (("0-0", 0, 0), ("3-9", 3, 9), ("5-", 5, size - 1), ("-4", size - 4, size - 1), ("0-99999999", 0, size - 1)):
            part = self.api.get(path, Range="bytes=" + wanted)
            self.assertEqual((part.status, part.body.encode()), (206, whole[first:last + 1]), wanted)
            self.assertEqual(part.header("Content-Range"), f"bytes {first}-{last}/{size}")
            self.assertEqual(part.header("ETag"), log.header("ETag"))
        beyond = self.api.get(path, Range=f"bytes={size}-")
        self.assertEqual((beyond.status, beyond.json["code"], beyond.header("Content-Range")), (416, "range-not-satisfiable", f"bytes */{size}"))
        for nonsense in ("bytes=9-3", "bytes=0-1,3-4", "lines=1-2", "bytes=x"):
            self.assertEqual(self.api.get(path, Range=nonsense).status, 200, nonsense)
        self.assertEqual(self.api.get(path, Range="bytes=0-1", If_Range=log.header("ETag")).status, 206)
        self.assertEqual(self.api.get(path, Range="bytes=0-1", If_Range='"another"').status, 200)
        self.assertEqual(self.api.get(path, If_None_Match=log.header("ETag")).status, 304)
        events = follow(self.api.stream(path + "?follow=1&offset=3"))
        self.assertEqual([event["event"] for event in events], ["run_log", "stream_end"])
        self.assertEqual((events[0]["data"]["text"].encode(), events[0]["id"]), (whole[3:], size))
        self.assertEqual(self.api.stream(path + "?follow=1", headers={"Last-Event-ID": str(size)}).status, 204)
        self.assertEqual(self.api.get(path + f"?follow=1&offset={size + 1}").status, 416)

    def test_2_a_log_is_followed_while_it_grows(self):
        session = self.start("four")
        wait(lambda: self.runs(session), "the run")
        run = self.runs(session)[0]
        self.assertEqual((run["status"], run["state"], run["duration_ms"]), ("running", None, None))
        stream = self.api.stream(f"/api/runs/{run['id']}/log?follow=1&offset=0")
        events = iter(stream)
        first = next(events)
        self.assertEqual((first["event"], first["data"]["text"], first["data"]["offset"]), ("run_log", "looking at four\n", 0))
        self.assertEqual(self.api.get(f"/api/runs/{run['id']}/log", Range="bytes=0-6").body, "looking")
        self.assertEqual(self.api.post(f"/api/fix/sessions/{session}/cancel").status, 202)
        rest = list(events)
        self.assertEqual(rest[-1]["event"], "stream_end")
        wait(lambda: self.api.get(f"/api/runs/{run['id']}").json["status"] == "ended", "the record")

    def test_3_a_run_whose_engine_died_is_not_running(self):
        session = self.start("five", options={"agent": "sleeper"})
        wait(lambda: self.runs(session) and self.runs(session)[0]["log_bytes"], "the run")
        lost = self.runs(session)[0]
        type(self).world.kill()
        type(self).api = self.world.start()
        self.assertEqual(self.api.get("/api/runs/" + lost["id"]).json["status"], "interrupted")
        self.assertEqual(self.api.get(f"/api/runs/{lost['id']}/log").body, "asleep\n")
        self.assertEqual(follow(self.api.stream(f"/api/runs/{lost['id']}/log?follow=1"))[-1]["event"], "stream_end")
        wait(lambda: len(self.runs(session)) > 1, "the second try")
        second = self.runs(session)[1]
        self.assertNotEqual(second["id"], lost["id"])
        self.assertEqual(self.api.get(f"/api/runs/{lost['id']}/log").body, "asleep\n", "the second try has a log of its own")
        self.api.post(f"/api/fix/sessions/{session}/cancel")
        wait(lambda: not self.api.get("/api/status").json["queue"]["jobs"], "an empty queue")

    # --- work on its own --------------------------------------------------------------------------------------------------

    def test_4_verify(self):
        done = self.result(self.api.post("/api/verify", {}))
        self.assertEqual((done["state"], done["result"]["passed"], done["result"]["base"]), ("done", True, None), done)
        self.assertEqual([run["name"] for run in done["result"]["verification"]["commands"]], ["check"])
        ranged = self.result(self.api.post("/api/verify", {"range": "main..red", "commands": ["check"]}))["result"]
        self.assertFalse(ranged["passed"])
        self.assertEqual(ranged["commit"], self.world.git("rev-parse", "red").strip())
        self.assertEqual(ranged["base"]["commands"][0]["result"], "passed")
        events = follow(self.api.stream("/api/verify", "POST", {"rev": "red"}))
        self.assertEqual([event["event"] for event in events], ["verify_started", "verify_completed", "stream_end"])
        self.assertFalse(events[1]["data"]["passed"])
        for body, status in (({"rev": "none"}, 409), ({"commands": ["none"]}, 422), ({"rev": "main", "range": "a..b"}, 422), ({"session_id": "zzzzzzzz"}, 404), ({"run": "rm"}, 422)):
            self.assertIn(self.api.post("/api/verify", body).status, (status, 404, 422), body)
        key = {"Idempotency-Key": "verify-1", "Accept": "application/json"}
        first, again = (self.api.post("/api/verify", {"rev": "main"}, key) for _ in range(2))
        self.assertEqual((first.json, again.header("Idempotency-Replayed")), (again.json, "true"))
        self.result(first)

    def test_5_cancel_and_restart(self):
        begun = self.api.post("/api/verify", {"rev": "slow"})
        path, job = begun.header("Location"), begun.json["verification_id"]
        wait(lambda: self.api.get(path).json["state"] == "running", "the commands")
        queued = self.api.post("/api/verify", {"rev": "feature"})
        waiting = self.api.stream("/api/verify", "POST", {"rev": "feature"})
        self.assertEqual(self.api.post(f"/api/jobs/{queued.json['verification_id']}/cancel").status, 202)
        self.assertEqual([event["event"] for event in follow(waiting)], ["verify_error", "stream_end"])
        self.world.stop()  # what runs is the next server's
        type(self).api = self.world.start()
        wait(lambda: self.api.get(path).json["state"] == "running", "the commands again")
        self.assertEqual(self.api.get(queued.header("Location")).json["state"], "failed", "also known after a restart")
        self.assertEqual(self.api.post(f"/api/jobs/{job}/cancel").status, 202)
        wait(lambda: self.api.get(path).json["state"] == "failed", "the end")
        self.assertEqual(self.api.post(f"/api/jobs/{job}/cancel").json["code"], "conflict")
        self.assertEqual(self.api.post("/api/jobs/none/cancel").status, 404)

    def test_6_untrusted_commands_are_not_run(self):
        copy = os.path.join(self.world.root, "copy")
        self.world.git("clone", "-q", self.world.repo, copy)
        added = self.api.post("/api/repositories", {"path": copy}).json["id"]
        for path, body in (("/api/verify", {}), ("/api/pr/review", {"base": "origin/main", "head": "origin/feature"})):
            refused = self.api.post(path, {"repository_id": added, **body})
            self.assertEqual((refused.status, refused.json["code"]), (403, "repo-not-trusted"), path)
        self.assertEqual(self.api.post(f"/api/agents/fixer/test?repository_id={added}").status, 403)
        self.assertEqual(self.api.request("DELETE", f"/api/repositories/{added}").status, 204)

    def test_7_challenge(self):
        code = self.issues["one"]
        before = self.api.get(f"/api/issues/{code}").json
        done = self.result(self.api.post("/api/challenge", {"range": "main..feature", "issue_ids": [code]}))
        self.assertEqual(done["state"], "done", done)
        score = done["result"]["scores"][0]
        self.assertEqual((score["issue_code"], score["score"], score["valid"], score["agent"]), (code, 98, True, "judge"), done)
        diff = self.world.git("diff", "main..feature")
        events = follow(self.api.stream("/api/challenge", "POST", {"diff": diff, "issue_ids": [code]}))
        names = [event["event"] for event in events]
        self.assertEqual((names[0], names[-2:]), ("challenge_started", ["challenge_completed", "stream_end"]))
        self.assertIn("fix_challenger_result", names)
        self.assertEqual(self.api.get(f"/api/issues/{code}").json, before, "it decides nothing")
        job = events[0]["data"]["session_id"]
        self.assertIn("fix_challenger", [run["role"] for run in self.runs(job)])
        for body in ({"issue_ids": [code]}, {"range": "main..feature", "diff": diff, "issue_ids": [code]}, {"range": "main..feature"}, {"diff": "nonsense", "issue_ids": [code]},
                     {"diff": diff.replace("echo wrong", "echo other"), "issue_ids": [code]}, {"range": "main..main", "issue_ids": [code]},
                     {"diff": diff.replace("src/one.sh", "../outside.sh"), "issue_ids": [code]}, {"diff": diff.replace("src/one.sh", ".git/config"), "issue_ids": [code]}):
            self.assertEqual(self.api.post("/api/challenge", body).status, 422, body)
        self.assertEqual(self.api.post("/api/challenge", {"range": "main..feature", "issue_ids": ["BE-999"]}).status, 404)
        self.assertEqual(self.world.git("status", "--porcelain"), "")

    def test_8_votes(self):
        done = self.result(self.api.post("/api/pr/review", {"base": "main", "head": "feature"}))
        self.assertEqual(done["state"], "done", done)
        self.assertEqual((done["result"]["decision"], done["result"]["average"], done["result"]["session_id"]), ("approved", 90.0, done["id"]))
        self.assertEqual(done["result"]["head_ref"], "feature")
        events = follow(self.api.stream("/api/pr/review", "POST", {"base": "main", "head": "feature", "approve_threshold": 95}))
        self.assertEqual((events[0]["event"], events[-2]["data"]["decision"], events[-1]["event"]), ("pr_review_started", "not_approved", "stream_end"))
        for body in ({"base": "main", "head": "main"}, {"base": "none"}, {"head": "feature", "voters": ["nobody", "fixer"]}, {"post": True}):
            self.assertIn(self.api.post("/api/pr/review", body).status, (404, 409, 422), body)

    def test_9_agents(self):
        good = self.api.post("/api/agents/judge/test")
        self.assertEqual((good.status, good.json["ok"], good.json["name"]), (200, True, "judge"), good)
        bad = self.api.post("/api/agents/broken/test")
        self.assertEqual((bad.status, bad.json["code"]), (503, "agent-unavailable"), bad)
        self.assertIn("emend agents show broken", bad.json["detail"])
        self.assertTrue(bad.header("Retry-After"))
        self.assertEqual(self.api.post("/api/agents/nobody/test").status, 404)

    # --- and the rest -----------------------------------------------------------------------------------------------------

    def test_a_a_reader_from_nowhere_is_told_so(self):
        session = self.api.get("/api/fix/sessions").json["data"][-1]["id"]
        events = follow(self.api.stream(f"/api/fix/sessions/{session}/events", headers={"Last-Event-ID": "99999999"}))
        self.assertEqual([event["event"] for event in events], ["stream_gap", "session_snapshot", "stream_end"])
        self.assertEqual((events[0]["id"], events[0]["data"], events[1]["data"]["id"]), (None, {"oldest_id": 1}, session))
        newest = self.api.get("/api/status").json["newest_event"]
        everything = self.api.stream("/api/events?after=18446744073709551615")
        first = iter(everything)
        self.assertEqual([next(first)["event"] for _ in range(2)], ["stream_gap", "stream_start"])
        everything.close()
        self.assertEqual(self.api.stream(f"/api/fix/sessions/{session}/events", headers={"Last-Event-ID": str(newest)}).status, 204)
        short = follow(self.api.stream(f"/api/fix/sessions/{session[:6]}/events?after=0"))
        self.assertEqual(short[-1]["event"], "stream_end")
        self.assertGreater(len(short), 5, "the beginning of an id will do")

    def test_b_an_old_plan_is_refused(self):
        body = {"repository_id": self.repository, "issue_ids": [self.issues["one"]]}
        plan = self.api.post("/api/fix/plan", body).json
        self.world.write(os.path.join(self.world.repo, "src", "two.sh"), "# another file\necho wrong\n")
        self.world.git("commit", "-qam", "Elsewhere")
        self.api.post("/api/queue/pause")
        fresh = self.api.post("/api/fix/start", {**body, "plan_id": plan["plan_id"]}, {"Accept": "application/json"})
        self.assertEqual(fresh.status, 202, fresh)
        self.api.post(f"/api/fix/sessions/{fresh.json['session_id']}/cancel")
        self.api.post("/api/queue/resume")
        self.world.write(os.path.join(self.world.repo, "src", "one.sh"), "# one\n# more\necho wrong\n")
        self.world.git("commit", "-qam", "Here")
        for place in ({"plan_id": plan["plan_id"]}, {"master_todo_path": plan["master_todo_path"]}):
            stale = self.api.post("/api/fix/start", {**body, **place})
            self.assertEqual((stale.status, stale.json["code"]), (409, "plan-stale"), stale)
            self.assertIn("src/one.sh", stale.json["detail"])
        said = self.world.run("fix", "--plan", plan["master_todo_path"], "--dry-run")
        self.assertIn("changed since the plan was made: src/one.sh", said.stderr)

    def test_c_names_links_and_findings(self):
        path = f"/api/repositories/{self.repository}"
        self.assertEqual(self.api.request("PATCH", path, {"name": "My project"}).json["name"], "My project")
        for bad in ({}, {"name": ""}, {"name": "a\nb"}, {"name": "x", "path": "relative"}, {"nonsense": 1}, {"name": " x"}):
            self.assertEqual(self.api.request("PATCH", path, bad).status, 422, bad)
        self.world.stop()
        type(self).api = self.world.start()
        self.assertEqual(self.api.get(path).json["name"], "My project", "also after a restart")
        links = self.api.get(f"/api/issues/{self.issues['eight']}").json["links"]
        for name in ("self", "history", "attempts", "session", "diff"):
            self.assertEqual(self.api.get(links[name]).status, 200, name)
        findings = {"groups": [{"description": "g", "findings": [{"id": "F1", "file": "src/six.sh", "line": "2", "severity": "major", "issue": "says wrong"}]}]}
        sent = self.api.post("/api/import", findings)
        self.assertEqual((sent.status, sent.json["format"], sent.json["findings"]), (200, "findings", 1), sent)
        self.assertEqual(self.api.post("/api/import?from=nothing", findings).status, 422)
        self.assertEqual(self.api.post("/api/import", {"a": 1}).status, 422)

    def test_d_the_users_own_secrets_are_not_stored(self):
        # Written while the server runs: the next import must know the new pattern.
        self.world.write(os.path.join(self.world.state, "config.toml"), '[redact]\npatterns = ["CUST-[0-9]{6}"]\n')
        findings = {"groups": [{"description": "g", "findings": [
            {"id": "F2", "file": "src/six.sh", "line": "1", "severity": "major", "issue": "prints CUST-123456 to the log"}]}]}
        sent = self.api.post("/api/import", findings)
        self.assertEqual(sent.status, 200, sent)
        listed = self.api.get("/api/issues?limit=100").body
        self.assertIn("to the log", listed)
        self.assertNotIn("CUST-123456", listed)


if __name__ == "__main__":
    EMEND = sys.argv.pop(1)
    unittest.main(verbosity=2)
