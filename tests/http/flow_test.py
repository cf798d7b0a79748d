#!/usr/bin/env python3
"""flow_test.py EMEND: a client runs clarify -> plan -> start against the real server and follows the events across dropped connections and
restarts of the server, without losing or repeating one; and everything else a client does beside it."""

import gzip
import json
import os
import re
import subprocess
import sys
import threading
import time
import unittest

import client as clients
from client import raw
from world import FILES, World

EMEND = ""
SEED_EVENTS = {"fix_session_started", "fix_step_started", "fix_issue_streaming", "fix_challenger_evaluating", "fix_challenger_result",
               "fix_step_completed", "fix_session_completed"}  # the eighth, fix_session_error, has tests of its own


def add_issue(api, name):
    answer = api.post("/api/issues", {"file": f"src/{name}.sh", "title": f"{name} says wrong", "line": 2, "severity": "high",
                                      "description": f"src/{name}.sh prints wrong"})
    assert answer.status == 201, answer
    return answer.json


def follow(stream, until=None):
    """The events of a stream, to its end or to the first of a kind."""
    events = []
    for event in stream:
        events.append(event)
        if event["event"] == until:
            break
    return events


def wait(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain for " + what)


class Flow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(EMEND)
        trusted = cls.world.run("trust")
        assert trusted.returncode == 0, trusted.stderr
        cls.api = cls.world.start()
        cls.repository = cls.api.get("/api/repositories").json["data"][0]["id"]
        cls.issues = {name: add_issue(cls.api, name) for name in FILES}

    @classmethod
    def tearDownClass(cls):
        log = cls.world.log_text()
        token = cls.world.token
        cls.world.close()
        for secret in (token, *cls.world.secrets.values()):
            assert secret not in log, "a secret is in the log"

    def body(self, *names, **more):
        return {"repository_id": self.repository, "issue_ids": [self.issues[name]["code"] for name in names], **more}

    def start_json(self, *names, **more):
        answer = self.api.post("/api/fix/start", self.body(*names, **more), {"Accept": "application/json"})
        self.assertEqual(answer.status, 202, answer)
        return answer

    def end_of(self, session):
        wait(lambda: self.api.get(f"/api/fix/sessions/{session}").json["status"] in ("passed", "partial", "failed", "cancelled", "error", "stopped"),
             f"the end of {session}")
        return self.api.get(f"/api/fix/sessions/{session}").json

    # --- the seeds' flow --------------------------------------------------------------------------------------------------

    def test_1_clarify_plan_start(self):
        asked = self.api.post("/api/fix/clarify", self.body("one", "two", session_id=None, answers=None))
        self.assertEqual(asked.status, 200, asked)
        clarity = asked.json
        self.assertLessEqual({"has_questions", "questions_by_issue", "session_id", "ready_to_plan"}, set(clarity))
        self.assertTrue(clarity["has_questions"])
        self.assertFalse(clarity["ready_to_plan"])
        two = self.issues["two"]["code"]
        self.assertEqual([row["issue_code"] for row in clarity["questions_by_issue"]], [two])
        question = clarity["questions_by_issue"][0]["questions"][0]
        self.assertEqual({"id", "question", "context", "suggestions"}, set(question))

        pending = self.api.post("/api/fix/plan", self.body("one", "two", clarify_session_id=clarity["session_id"]))
        self.assertEqual((pending.status, pending.json["code"]), (409, "questions-pending"))
        listed = self.api.get("/api/questions").json["data"]
        self.assertEqual([row["id"] for row in listed], [question["id"]])

        again = self.api.post("/api/fix/clarify", self.body("one", "two", session_id=clarity["session_id"],
                                                            answers=[{"question_id": question["id"], "answer": "right, says a person"}]))
        self.assertEqual(again.status, 200, again)
        self.assertTrue(again.json["ready_to_plan"], again)
        self.assertEqual(again.json["session_id"], clarity["session_id"])
        self.assertEqual(self.api.get("/api/questions?state=open").json["data"], [])
        self.assertEqual(len(self.api.get("/api/questions?state=all").json["data"]), 1)

        planned = self.api.post("/api/fix/plan", self.body("one", "two", clarify_session_id=clarity["session_id"]))
        self.assertEqual(planned.status, 200, planned)
        plan = planned.json
        self.assertLessEqual({"plan_id", "session_id", "branch_name", "master_todo_path", "execution_steps", "summary", "estimate"}, set(plan))
        self.assertTrue(os.path.exists(plan["master_todo_path"]))
        self.assertEqual(plan["summary"]["total_issues"], 2)

        stream = self.api.stream("/api/fix/start", "POST", self.body("one", "two", plan_id=plan["plan_id"], clarify_session_id=clarity["session_id"],
                                                                     task_id="mine", user_notes="ann knows this file", options={"max_minutes": 10, "max_cost_usd": 2.5, "verify_mode": "each",
                                                                                                "feedback": "keep it small"}))
        self.assertIsInstance(stream, clients.Stream, stream)
        events = follow(stream)
        names = [event["event"] for event in events]
        self.assertLessEqual(SEED_EVENTS, set(names))
        self.assertEqual(names[-1], "stream_end")
        self.assertEqual(names.count("fix_session_completed"), 1)
        numbers = [event["id"] for event in events if event["id"] is not None]
        self.assertEqual(numbers, sorted(set(numbers)))
        for event in events[:-1]:
            if event["event"] == "session_snapshot":
                continue
            self.assertEqual(event["data"]["v"], 1)
            self.assertEqual(event["data"]["seq"], event["id"])
            self.assertIn("ts", event["data"])
            self.assertIn("session_id", event["data"])
        step = next(event for event in events if event["event"] == "fix_step_started")["data"]
        self.assertEqual((step["step"], step["total_steps"], sorted(step["issue_codes"])), (1, 1, sorted(self.body("one", "two")["issue_ids"])))
        done = next(event for event in events if event["event"] == "fix_step_completed")["data"]
        self.assertEqual([row["result"] for row in done["results"]], ["accepted", "accepted"])
        session = events[-2]["data"]["session_id"]
        state = self.end_of(session)
        self.assertEqual((session, state["branch_name"]), (plan["session_id"], plan["branch_name"]))
        self.assertEqual(state["task_id"], "mine")
        listed = next(row for row in self.api.get("/api/fix/sessions").json["data"] if row["id"] == session)
        self.assertEqual(listed["task_id"], "mine")
        self.assertEqual(state["status"], "passed", state)
        self.assertEqual({issue["status"] for issue in state["issues"]}, {"RESOLVED"})
        self.assertEqual(len(state["commits"]), 2)
        comments = self.api.get(f"/api/issues/{self.issues['one']['code']}/comments").json["data"]
        self.assertLessEqual({"keep it small", "ann knows this file"}, {comment["text"] for comment in comments})
        judged = next(event for event in events if event["event"] == "fix_challenger_result")["data"]
        verdict = judged["issues"][judged["issue_code"]]
        self.assertEqual((verdict["score"], verdict["quality_scores"], verdict["feedback"]),
                         (98, {"correctness": 98, "safety": 98, "style": 98}, "It says right."))
        self.look_at_session(session, numbers)

    def look_at_session(self, session, numbers):
        base = f"/api/fix/sessions/{session}"
        self.assertEqual(self.api.get(f"{base}/report").status, 200)
        self.assertIn("echo right", self.api.get(f"{base}/diff").json["diff"])
        self.assertIn("echo right", self.api.get(f"{base}/diff?format=patch").body)
        one = self.api.get(f"{base}/diff?issue={self.issues['one']['code']}").json
        self.assertEqual([file["path"] for file in one["files"]], ["src/one.sh"])
        self.assertEqual(self.api.get(f"{base}/plan").status, 200)
        self.assertGreaterEqual(len(self.api.get(f"/api/runs?session={session}").json["data"]), 2)
        history = self.api.get(f"/api/issues/{self.issues['one']['code']}/history").json["data"]
        self.assertIn("fix_issue_completed", [event["type"] for event in history])
        attempts = self.api.get(f"/api/issues/{self.issues['one']['code']}/attempts").json
        self.assertEqual(len(attempts["data"]), 1)
        self.assertTrue(attempts["decision"])
        # Over: nothing newer is 204, something newer is told and ended, no place is a snapshot and the end.
        self.assertEqual(self.api.stream(f"{base}/events", headers={"Last-Event-ID": str(numbers[-1])}).status, 204)
        rest = follow(self.api.stream(f"{base}/events?after={numbers[-3]}"))
        self.assertEqual([event["id"] for event in rest], numbers[-2:] + [None])
        self.assertEqual([event["event"] for event in follow(self.api.stream(f"{base}/events"))], ["session_snapshot", "stream_end"])
        whole = follow(self.api.stream(f"{base}/events?after=0"))
        self.assertEqual([event["id"] for event in whole[:-1] if event["id"] in numbers], numbers)

    # --- starting -------------------------------------------------------------------------------------------------------

    def test_2_two_starts_are_one_session_and_nobody_needs_to_stay(self):
        stream = self.api.stream("/api/fix/start", "POST", self.body("three"))
        first = next(iter(stream))
        session = first["data"]["session_id"] if first["event"] != "session_snapshot" else first["data"]["id"]
        second = self.start_json("three")
        self.assertEqual(second.json["session_id"], session)
        self.assertTrue(second.json["joined"])
        self.assertEqual(second.header("Location"), f"/api/fix/sessions/{session}")
        self.assertEqual(second.json["events_url"], f"/api/fix/sessions/{session}/events")
        stream.close()  # the client leaves
        self.assertEqual(self.end_of(session)["status"], "passed")

    def test_3_idempotency_keys(self):
        body = {"file": "src/eight.sh", "title": "another one", "line": 1}
        key = {"Idempotency-Key": "key-1"}
        first = self.api.post("/api/issues", body, key)
        again = self.api.post("/api/issues", body, key)
        self.assertEqual((again.status, again.body, again.header("Idempotency-Replayed")), (201, first.body, "true"))
        self.assertEqual(again.header("Location"), first.header("Location"))
        other = self.api.post("/api/issues", {**body, "title": "a third"}, key)
        self.assertEqual((other.status, other.json["code"]), (422, "idempotency-key-reused"))
        self.assertEqual(self.api.post("/api/issues", body, {"Idempotency-Key": "with blank"}).status, 400)
        # The same key for a start that was a stream follows the same session.
        stream = self.api.stream("/api/fix/start", "POST", self.body("five"), {"Idempotency-Key": "key-2"})
        session = follow(stream)[-2]["data"]["session_id"]
        told_again = follow(self.api.stream("/api/fix/start", "POST", self.body("five"), {"Idempotency-Key": "key-2"}))
        self.assertEqual({event["data"]["session_id"] for event in told_again[:-1]}, {session})
        self.assertEqual(told_again[-1]["event"], "stream_end")

    def test_4_a_key_in_progress(self):
        self.api.post("/api/queue/pause")
        answers = []
        body = self.body("two", session_id=None, answers=None)

        def ask():
            answers.append(self.world.client().post("/api/fix/clarify", body, {"Idempotency-Key": "key-3"}))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.api.post("/api/queue/resume")
        codes = sorted(answer.status for answer in answers)
        self.assertEqual(codes[0], 200, answers)
        self.assertLessEqual(set(codes), {200, 409}, answers)
        for answer in answers:
            if answer.status == 409:
                self.assertEqual(answer.json["code"], "idempotency-in-progress")
        self.assertEqual(sum(1 for answer in answers if answer.status == 200 and answer.header("Idempotency-Replayed") is None), 1)

    def test_5_pause_cancel_resume(self):
        self.assertEqual(self.api.post("/api/queue/pause").json, {"paused": True})
        session = self.start_json("six").json["session_id"]
        self.assertEqual(self.api.get(f"/api/fix/sessions/{session}").json["status"], "queued")
        self.assertIn(session, [row["id"] for row in self.api.get("/api/fix/sessions").json["data"]])
        self.assertEqual(self.api.get("/api/status").json["queue"]["depth"], 1)
        self.assertTrue(self.api.get("/readyz").json["paused"])
        waiting = self.api.stream(f"/api/fix/sessions/{session}/events")
        self.assertEqual(self.api.post("/api/queue/resume").json, {"paused": False})

        def runs():  # there is a moment between waiting and running, and it is listed then, too
            rows = [row for row in self.api.get("/api/fix/sessions").json["data"] if row["id"] == session]
            self.assertEqual(len(rows), 1)
            return rows[0]["status"] != "queued"
        wait(runs, "the session to begin")
        self.assertEqual(follow(waiting)[-1]["event"], "stream_end")
        self.assertEqual(self.end_of(session)["status"], "passed")

        session = self.start_json("four").json["session_id"]  # takes a minute if nobody stops it
        stream = self.api.stream(f"/api/fix/sessions/{session}/events?after=0")
        seen = follow(stream, "fix_issue_streaming")
        running = self.api.post(f"/api/fix/sessions/{session}/resume")
        self.assertEqual((running.status, running.json["code"]), (409, "session-running"))
        self.assertEqual(self.api.post(f"/api/fix/sessions/{session}/cancel").status, 202)
        seen += follow(stream)
        names = [event["event"] for event in seen]
        self.assertIn("fix_session_cancelled", names)
        self.assertEqual(names[-1], "stream_end")
        self.assertEqual(self.end_of(session)["status"], "cancelled")
        again = self.api.post(f"/api/fix/sessions/{session}/resume")
        self.assertEqual(again.status, 202, again)
        more = self.api.stream(f"/api/fix/sessions/{session}/events", headers={"Last-Event-ID": str(seen[-2]["id"])})
        follow(more, "fix_issue_streaming")
        self.assertEqual(self.api.post(f"/api/fix/sessions/{session}/cancel").status, 202)
        self.assertEqual(follow(more)[-1]["event"], "stream_end")
        self.assertEqual(self.end_of(session)["status"], "cancelled")
        jobs = lambda: [row for row in self.api.get("/api/jobs").json["data"] if row["id"] == session]
        self.assertEqual(len(jobs()), 1)
        wait(lambda: jobs()[0]["state"] not in ("queued", "running"), "the end of the job, which comes after that of its session")
        over = self.api.post(f"/api/fix/sessions/{session}/cancel")
        self.assertEqual(over.status, 422, over)

    def test_6_an_error_is_told_in_the_stream(self):
        self.world.git("branch", "taken")
        config = os.path.join(self.world.repo, "emend.toml")
        with open(config, encoding="utf-8") as file:
            text = file.read()
        try:
            answer = self.api.post("/api/fix/start", self.body("seven", options={"agent": "nobody"}), {"Accept": "application/json"})
            self.assertIn(answer.status, (409, 422, 503), answer)
            script = os.path.join(self.world.root, "fixer.json")
            os.rename(script, script + ".away")
            try:
                events = follow(self.api.stream("/api/fix/start", "POST", self.body("seven")))
            finally:
                os.rename(script + ".away", script)
            names = [event["event"] for event in events]
            self.assertEqual(names[-1], "stream_end")
            self.assertTrue({"fix_session_error", "fix_session_completed"} & set(names), names)
        finally:
            self.world.write(config, text)

    def test_7_refusals_of_start(self):
        for body, status, code in ((self.body("one", plan_id="../etc"), 404, "not-found"),
                                   (self.body("one", master_todo_path="/etc/passwd"), 422, "plan-path-not-allowed"),
                                   (self.body("one", master_todo_path=os.path.join(self.world.state, "server", "token")), 422, "plan-path-not-allowed"),
                                   (self.body("one", nonsense=1), 422, "validation-failed"),
                                   (self.body("one", options={"yolo": True}), 422, "validation-failed"),
                                   ({"repository_id": self.repository, "issue_ids": []}, 422, "validation-failed"),
                                   ({"repository_id": "nowhere", "issue_ids": ["BE-001"]}, 404, "not-found"),
                                   ({"repository_id": self.repository, "issue_ids": ["BE-999"]}, 404, "not-found")):
            answer = self.api.post("/api/fix/start", body, {"Accept": "application/json"})
            self.assertEqual((answer.status, answer.json["code"]), (status, code), (body, answer))
            self.assertEqual(answer.header("Content-Type"), "application/problem+json")

    # --- issues ---------------------------------------------------------------------------------------------------------

    def test_8_issues(self):
        code = self.issues["seven"]["code"]
        issue = self.api.get(f"/api/issues/{code}")
        tag = issue.header("ETag")
        self.assertEqual(self.api.get(f"/api/issues/{code}", If_None_Match=tag).status, 304)
        self.assertEqual(self.api.get(f"/api/issues/{issue.json['id']}").json["code"], code)
        page = self.api.get("/api/issues")
        self.assertEqual(self.api.get("/api/issues", If_None_Match=page.header("ETag")).status, 304)
        packed = self.api.get("/api/issues", Accept_Encoding="gzip")
        self.assertEqual((packed.header("Content-Encoding"), packed.header("ETag")), ("gzip", page.header("ETag")))
        smaller = raw(self.world.port, f"GET /api/issues HTTP/1.1\r\nHost: 127.0.0.1:{self.world.port}\r\nAuthorization: Bearer {self.api.token}\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n".encode())
        head, body = smaller.split(b"\r\n\r\n", 1)
        self.assertIn(b"Content-Encoding: br\r\n", head)
        self.assertEqual(self.unpacked("br", body).decode(), page.body)
        allowed = self.api.request("OPTIONS", "/api/issues/X")
        self.assertEqual((allowed.status, allowed.header("Allow")), (204, "GET, PATCH, HEAD, OPTIONS"), allowed)
        late = self.api.request("PATCH", f"/api/issues/{code}", {"action": "ignore", "reason": "wont_fix"}, {"If-Match": '"0"'})
        self.assertEqual((late.status, late.json["code"]), (412, "precondition-failed"))
        changed = self.api.request("PATCH", f"/api/issues/{code}", {"action": "ignore", "reason": "wont_fix", "note": "no"}, {"If-Match": tag})
        self.assertEqual((changed.status, changed.json["status"]), (200, "IGNORED"), changed)
        for body in ({"status": "RESOLVED"}, {"action": "resolve"}, {"action": "ignore"}, {"action": "duplicate"}, {}):
            self.assertEqual(self.api.request("PATCH", f"/api/issues/{code}", body).status, 422, body)
        self.assertEqual([row["code"] for row in self.api.get("/api/issues?status=IGNORED").json["data"]], [code])
        bulk = self.api.post("/api/issues/bulk", {"ids": [code, "BE-999"], "action": "reopen"}).json
        self.assertEqual(([len(bulk[key]) for key in sorted(bulk)]), [1, 1], bulk)
        self.assertEqual(self.api.get(f"/api/issues/{code}").json["status"], "OPEN")
        copy = self.api.request("PATCH", f"/api/issues/{code}", {"action": "duplicate", "of": self.issues["eight"]["code"]})
        self.assertEqual(copy.json["status"], "DUPLICATE", copy)
        self.api.request("PATCH", f"/api/issues/{code}", {"action": "reopen"})

        every = [row["code"] for row in self.api.get("/api/issues?limit=200").json["data"]]
        paged, path = [], "/api/issues?limit=3"
        while path:
            page = self.api.get(path)
            paged += [row["code"] for row in page.json["data"]]
            link = page.header("Link")
            self.assertEqual(link is None, page.json["next_cursor"] is None)
            path = link[1:link.index(">")] if link else None
        self.assertEqual(paged, every)
        self.assertEqual(len(self.api.get("/api/issues?severity=high&q=SEVEN").json["data"]), 1)
        self.assertEqual(self.api.get("/api/issues?file=src/none*").json["data"], [])
        for query in ("nonsense=1", "status=DONE", "limit=0", "limit=9999", "cursor=x", "substatus=odd", "repository_id=none"):
            self.assertIn(self.api.get("/api/issues?" + query).status, (404, 422), query)
        facets = self.api.get("/api/issues/facets").json
        self.assertEqual(facets["total"], len(every))
        self.assertEqual(sum(row["count"] for row in facets["facets"]["status"]), len(every))

    # --- reviews, import, repositories ------------------------------------------------------------------------------------

    def test_9_reviews_and_import(self):
        report = "src/eight.sh:2:1: warning: says wrong\n"
        sent = self.api.request("POST", "/api/import?from=text&tool=grep", report.encode(), {"Content-Type": "text/plain"})
        if sent.status == 422:  # the name of the plain format is told in the refusal
            name = "lines" if "lines" in sent.json["detail"] else sent.json["detail"].split(": ")[-1].split(", ")[-1]
            sent = self.api.request("POST", f"/api/import?from={name}&tool=grep", report.encode(), {"Content-Type": "text/plain"})
        self.assertEqual((sent.status, sent.json["findings"]), (200, 1), sent)
        self.assertEqual(self.api.request("POST", "/api/import", b"\x00\x01", {"Content-Type": "text/plain"}).status, 422)
        begun = self.api.post("/api/reviews", {}, {"Accept": "application/json"})
        self.assertEqual(begun.status, 202, begun)
        path = begun.header("Location")
        wait(lambda: self.api.get(path).json["state"] in ("done", "failed"), "the review")
        self.assertEqual(self.api.get(path).json["state"], "done", self.api.get(path))
        self.assertIn(begun.json["review_id"], [row["id"] for row in self.api.get("/api/reviews").json["data"]])
        self.assertEqual(self.api.post(path + "/cancel").status, 404)
        streamed = [event["event"] for event in follow(self.api.stream("/api/reviews", "POST", {"paths": ["src/one.sh"]}))]
        self.assertEqual((streamed[0], streamed[-2:]), ("review_started", ["review_completed", "stream_end"]))

    def test_a_repositories(self):
        path = f"/api/repositories/{self.repository}"
        about = self.api.get(path).json
        self.assertTrue(all(file["trusted"] for file in about["command_files"]), about)
        self.assertEqual(about["head"], self.world.git("rev-parse", "HEAD").strip())
        found = self.api.get(path + "/files?q=ONE%20src%2F").json["data"]
        self.assertEqual([row["path"] for row in found], ["src/one.sh"])
        self.assertEqual(self.api.get(path + "/files?q=nothing-is-called-so").json["data"], [])
        files = self.api.get(path + "/files?path=src&limit=3").json
        self.assertEqual(len(files["data"]), 3)
        rest = self.api.get(path + "/files?path=src&cursor=" + files["next_cursor"].replace("/", "%2F")).json
        self.assertEqual(len(files["data"]) + len(rest["data"]), len(FILES))
        blob = self.api.get(path + "/blob?path=src/eight.sh&start=2&end=2").json
        self.assertEqual((blob["lines"], blob["total_lines"]), (["echo wrong"], 2))
        for bad in ("path=../fixer.json", "path=/etc/passwd", "path=src", "path=.git/config", "path=", "path=src/eight.sh&rev=--help", "path=src/eight.sh&rev=none"):
            self.assertEqual(self.api.get(f"{path}/blob?{bad}").status, 404, bad)
        other = os.path.join(self.world.root, "other")
        os.makedirs(other)
        self.assertEqual(self.api.post("/api/repositories", {"path": other}).status, 409)
        self.assertEqual(self.api.post("/api/repositories", {"path": "relative"}).status, 422)
        self.world.git("clone", "-q", self.world.repo, os.path.join(other, "copy"))
        added = self.api.post("/api/repositories", {"path": os.path.join(other, "copy")})
        self.assertEqual(added.status, 201, added)
        copy = added.header("Location")
        asks = self.api.get(copy).json["command_files"]
        self.assertFalse(asks[0]["trusted"])
        issue = self.api.post("/api/issues", {"repository_id": added.json["id"], "file": "src/one.sh", "title": "x"}).json
        start = {"repository_id": added.json["id"], "issue_ids": [issue["code"]]}
        refused = self.api.post("/api/fix/start", start)
        self.assertEqual((refused.status, refused.json["code"]), (403, "repo-not-trusted"))
        self.assertEqual(self.api.post(copy + "/trust", {"sha256": ["0" * 64]}).status, 409)
        trusted = self.api.post(copy + "/trust", {"sha256": [asks[0]["sha256"]]})
        self.assertTrue(trusted.json["command_files"][0]["trusted"], trusted)
        everything = self.api.get("/api/issues?limit=200").json["data"]
        self.assertEqual({row["repository_id"] for row in everything}, {self.repository, added.json["id"]})
        self.assertEqual(self.api.get("/api/issues/BE-001").status, 422)  # of which of the two?
        self.assertEqual(self.api.request("DELETE", copy).status, 204)
        self.assertEqual(self.api.get(copy).status, 404)

    def unpacked(self, coding, body):
        if coding == "gzip":
            return gzip.decompress(body)
        script = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"  # node bundled it
        return subprocess.run(["node", "-e", script], input=body, stdout=subprocess.PIPE, check=True).stdout

    def test_b_dashboard(self):
        anybody = clients.Client(self.world.port)
        page = anybody.get("/")
        self.assertEqual((page.header("Content-Type"), page.header("Cache-Control")), ("text/html; charset=utf-8", "no-store"))
        self.assertNotIn("unsafe", page.header("Content-Security-Policy"))
        for path in ("/issues?issue=BE-001", "/sessions/any", "/sessions/any/changes", "/insights", "/settings"):
            self.assertEqual(anybody.get(path).body, page.body)
        names = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.body)
        self.assertEqual(sorted(name.rsplit(".", 1)[1] for name in names), ["css", "js", "svg"])
        for name in names:
            plain = anybody.get(name)
            self.assertEqual(plain.header("Cache-Control"), "public, max-age=31536000, immutable")
            self.assertIsNone(plain.header("Content-Encoding"))
            for accepted, coding in (("gzip", "gzip"), ("gzip, deflate, br", "br"), ("br;q=0, gzip;q=0.5", "gzip")):
                packed = raw(self.world.port, f"GET {name} HTTP/1.1\r\nHost: 127.0.0.1:{self.world.port}\r\nAccept-Encoding: {accepted}\r\nConnection: close\r\n\r\n".encode())
                head, body = packed.split(b"\r\n\r\n", 1)
                self.assertIn(b"Content-Encoding: " + coding.encode() + b"\r\n", head)
                self.assertIn(b"Vary: Accept-Encoding", head)
                self.assertEqual(self.unpacked(coding, body).decode(), plain.body)
        for name in ("index.html", names[0].rsplit("/", 1)[1] + ".gz", names[0].rsplit("/", 1)[1] + ".br", "none.js"):
            self.assertEqual(anybody.get("/assets/" + name).status, 404)

    def test_b_system(self):
        anybody = clients.Client(self.world.port)
        self.assertEqual(anybody.get("/healthz").body, "ok\n")
        self.assertEqual(anybody.get("/").header("Content-Type"), "text/html; charset=utf-8")
        self.assertIn("Authorization: Bearer", anybody.get("/problems/auth-required").body)
        self.assertTrue(self.api.get("/readyz").json["ready"])
        metrics = self.api.get("/metrics").body
        for name in ("emend_issues{", "emend_sessions_total{", "emend_agent_runs_total{", "emend_sse_clients ", "emend_queue_depth "):
            self.assertIn(name, metrics)
        config = self.api.get("/api/config").json
        self.assertIn("fix.agent", [row["key"] for row in config["settings"]])
        self.assertEqual(self.api.get("/api/agents").status, 200)
        self.assertEqual(json.loads(self.api.get("/openapi.json").body)["openapi"], "3.1.1")
        everything = self.api.stream("/api/events?types=issue_updated")
        events = iter(everything)
        self.assertEqual(next(events)["event"], "stream_start")
        self.api.request("PATCH", f"/api/issues/{self.issues['seven']['code']}", {"action": "ignore", "reason": "by_design"})
        self.assertEqual(next(events)["data"]["issue_code"], self.issues["seven"]["code"])
        everything.close()
        usage = self.api.get("/api/usage?group_by=role").json
        self.assertEqual(usage["total"]["runs"], sum(row["runs"] for row in usage["data"]))
        self.assertEqual(self.api.get("/api/usage?to=2001-01-01").json["data"], [])
        insights = self.api.get("/api/insights?by=evidence").json
        self.assertEqual(insights["total"]["fixes"], len(insights["fixes"]))
        self.assertEqual(insights["total"]["fixes"], sum(row["fixes"] for row in insights["data"]))
        self.assertEqual(self.api.get("/api/insights?by=mood").status, 422)

    def test_b_needs_and_trends(self):
        code = self.issues["three"]["code"]
        issue = self.api.get(f"/api/issues/{code}").json
        if issue["status"] != "RESOLVED":
            self.end_of(self.start_json("three").json["session_id"])
            issue = self.api.get(f"/api/issues/{code}").json
        session = issue["session_id"]
        needs = self.api.get("/api/needs").json
        ready = next(row for row in needs["ready"] if row["session"]["id"] == session)
        self.assertIn(code, [fix["code"] for fix in ready["fixes"]])
        self.assertEqual(needs["total"], sum(row["total"] for row in needs["repositories"]))
        parts = ("dismissals", "questions", "plans", "stopped", "ready", "taken")
        self.assertEqual(needs["total"], sum(len(needs[part]) for part in parts) + needs["failed_total"] + needs["older_branches"])
        for fix in ready["fixes"]:
            self.api.post(f"/api/fix/sessions/{session}/accept", {"issue": fix["code"]})
        after = self.api.get(f"/api/needs?repository_id={self.repository}").json
        self.assertNotIn(session, [row["session"]["id"] for row in after["ready"]])
        self.assertIn(session, [row["session"]["id"] for row in after["taken"]])
        self.assertEqual(after["total"], needs["total"])
        # The command line and the terminal say the same.
        printed = json.loads(self.world.run("inbox", "--json").stdout)["data"]
        self.assertEqual([printed[part] for part in ("total", "questions", "plans", "stopped", "failed")], [after[part] for part in ("total", "questions", "plans", "stopped", "failed")])
        self.assertEqual([row["session"]["id"] for row in printed["taken"]], [row["session"]["id"] for row in after["taken"]])
        everywhere = json.loads(self.world.run("inbox", "--all", "--json").stdout)["data"]
        self.assertEqual([everywhere[part] for part in ("total", "questions", "failed")], [needs[part] for part in ("total", "questions", "failed")])
        self.assertIn(f"in {os.path.basename(self.world.repo)}", self.world.run("inbox", "--all").stdout)
        self.assertIn(f"{after['total']} in the inbox", self.world.run("tui", "--plain", input="quit\n", stdin=None).stdout)
        trends = self.api.get("/api/trends?weeks=3").json
        self.assertEqual(len(trends["weeks"]), 3)
        last = trends["weeks"][-1]
        opened = self.api.get("/api/issues/facets?status=OPEN,IN_PROGRESS,FAILED").json["total"]
        self.assertEqual(sum(last["open"].values()), opened)
        self.assertGreaterEqual(last["accepted"], 1)
        self.assertGreaterEqual(last["fixes"], 1)
        self.assertGreaterEqual(sum(row["accepted"] for row in trends["agents"]), 1, trends["agents"])
        self.assertEqual(sum(trends["weeks"][0]["open"].values()), 0)
        for bad in ("0", "105", "many"):
            self.assertEqual(self.api.get("/api/trends?weeks=" + bad).status, 422, bad)

    def test_b_config_check(self):
        good = self.api.post("/api/config/check", {"key": "fix.parallel", "value": "3"}).json
        self.assertEqual(good, {"ok": True, "problem": None, "lines": "[fix]\nparallel = 3"})
        bad = self.api.post("/api/config/check", {"key": "fix.parallel", "value": "many"}).json
        self.assertFalse(bad["ok"])
        self.assertIn("fix.parallel", bad["problem"])
        self.assertFalse(self.api.post("/api/config/check", {"key": "fix.paralell", "value": "3"}).json["ok"])
        self.assertEqual(self.api.post("/api/config/check", {}).status, 422)

    def change_config(self, status=200, **order):
        answer = self.api.request("PUT", "/api/config", {"repository_id": self.repository, **order})
        self.assertEqual(answer.status, status, answer)
        return answer.json

    def test_b_config_change(self):
        path = os.path.join(self.world.repo, "emend.toml")
        with open(path, encoding="utf-8") as file:
            before = file.read()
        commented = before.replace("parallel = 1", "parallel = 1  # one core")
        try:
            self.world.write(path, commented)
            self.assertEqual(self.world.run("trust").returncode, 0)
            written = self.change_config(key="fix.parallel", value="3")
            self.assertEqual((written["file"], written["needs_trust"], written["stronger"]), (path, False, None))
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), commented.replace("parallel = 1 ", "parallel = 3 "), "nothing else changes")
            rows = {row["key"]: row for row in self.api.get("/api/config").json["settings"]}
            self.assertEqual((rows["fix.parallel"]["value"], rows["fix.parallel"]["origin"]), (3, f"{path}:{written['line']}"))
            self.assertEqual([row["name"] for row in rows["verify.commands"]["value"]], ["check"], "commands that were allowed still count")
            self.assertEqual(rows["fix.strategy"]["choices"], ["per-issue", "batched", "one-call", "auto"])
            # A value that does not do, alone or with the rest, changes no byte.
            for bad in ({"key": "fix.parallel", "value": "many"}, {"key": "fix.paralell", "value": "3"}, {"key": "fix.scope", "value": "moon"}, {}):
                self.change_config(422, **bad)
            with open(path, encoding="utf-8") as file:
                self.assertIn("parallel = 3  # one core", file.read())
            own = self.change_config(key="fix.parallel", value="5", place="own")
            self.assertNotEqual(own["file"], path)
            self.assertEqual(own["stronger"], f"{path}:{written['line']}", "the repository's own file counts more")
            self.assertEqual(self.change_config(key="fix.parallel", remove=True, place="own")["line"], None)
            self.change_config(key="fix.parallel", remove=True)
            with open(path, encoding="utf-8") as file:
                self.assertNotIn("parallel", file.read())
            log = self.world.run("audit", "--action", "setting").stdout
            self.assertIn("setting.written", log)
            self.assertIn("setting.removed", log)
            # No file is written through a link.
            os.rename(path, path + ".real")
            os.symlink(path + ".real", path)
            self.assertIn("symbolic link", self.change_config(409, key="fix.parallel", value="2")["detail"])
        finally:
            if os.path.islink(path):
                os.unlink(path)
                os.unlink(path + ".real")
            self.world.write(path, before)
            self.assertEqual(self.world.run("trust").returncode, 0)

    def test_b_nothing_is_proposed_without_a_forge(self):
        session = self.api.get(f"/api/issues/{self.issues['three']['code']}").json["session_id"]
        answer = self.api.post(f"/api/fix/sessions/{session}/pull-request", {})
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual((answer.json["session_id"], answer.json["forge"], answer.json["pull_request"], answer.json["may_push"]), (session, None, None, False))
        self.assertTrue(answer.json["title"] and answer.json["body"])
        self.assertEqual(self.api.post(f"/api/fix/sessions/{session}/pull-request", {"push": True}).status, 409)
        self.assertEqual(self.api.post("/api/fix/sessions/none/pull-request", {}).status, 404)
        self.assertEqual(self.api.post(f"/api/fix/sessions/{session}/pull-request", {"pull": 1}).status, 422)

    def test_c_open(self):
        opened = self.world.run("open")
        self.assertEqual(opened.returncode, 0, opened.stderr)
        code = opened.stdout.strip().split(f"http://127.0.0.1:{self.world.port}/#launch=")[1]
        browser = clients.Client(self.world.port)
        self.assertEqual(browser.post("/api/auth/session", {"code": code}).status, 204)
        self.assertEqual(browser.post("/api/auth/session", {"code": code}).status, 401)
        self.assertIn("getStatus", [route["operation"] for route in self.world.routes()])  # beside the running server
        if "EMEND_TEST_DATABASE" not in os.environ:  # there a second one is welcome: tests/team
            second = self.world.run("serve", "--listen", "127.0.0.1:0")
            self.assertNotEqual(second.returncode, 0)
            self.assertIn("already running", second.stderr)
        elsewhere = World(EMEND)
        nobody = elsewhere.run("open")
        elsewhere.close()
        self.assertNotEqual(nobody.returncode, 0)
        self.assertIn("emend serve", nobody.stderr)


class Restart(unittest.TestCase):
    """The server goes away in the middle of a session, once politely and once not; the client only keeps the last number it saw."""

    def run_with(self, go_away):
        world = World(EMEND)
        try:
            world.run("trust")
            api = world.start()
            codes = [add_issue(api, name)["code"] for name in ("one", "three", "five")]
            repository = api.get("/api/repositories").json["data"][0]["id"]
            begun = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": codes}, {"Accept": "application/json", "Idempotency-Key": "k"})
            path = begun.json["events_url"]
            stream = api.stream(path + "?after=0")
            seen = []
            for event in stream:
                seen.append(event)
                if event["event"] == "fix_issue_streaming" and "three" in event["data"].get("text", ""):
                    break
            reader = threading.Thread(target=lambda: seen.extend(stream))  # whatever still comes
            reader.start()
            go_away(world)
            reader.join(timeout=60)
            self.assertNotIn("stream_end", [event["event"] for event in seen])
            self.assertNotIn("fix_session_completed", [event["event"] for event in seen])
            api = world.start()
            for _ in range(20):  # and every now and then the connection drops
                stream = api.stream(path, headers={"Last-Event-ID": str(seen[-1]["id"])})
                if isinstance(stream, clients.Answer):
                    self.assertEqual(stream.status, 204)
                    break
                for count, event in enumerate(stream):
                    seen.append(event)
                    if count == 6:
                        break
                stream.close()
                if seen[-1]["event"] == "stream_end":
                    break
            names = [event["event"] for event in seen]
            self.assertEqual(names.count("fix_session_completed"), 1, names)
            self.assertIn("fix_session_interrupted", names)
            self.assertNotIn("fix_session_error", names, "a restart is no error")
            numbers = [event["id"] for event in seen if event["id"] is not None]
            self.assertEqual(numbers, sorted(set(numbers)), "an event came twice or out of order")
            complete = follow(api.stream(path + "?after=0"))
            self.assertEqual(numbers, [event["id"] for event in complete if event["id"] is not None], "an event was lost")
            state = api.get(path.replace("/events", "")).json
            self.assertEqual((state["status"], {issue["status"] for issue in state["issues"]}), ("passed", {"RESOLVED"}), state)
            again = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": codes}, {"Accept": "application/json", "Idempotency-Key": "k"})
            self.assertEqual((again.status, again.json["session_id"]), (202, begun.json["session_id"]))
            self.assertEqual(len(world.git("log", "--format=%s", "main.." + state["branch_name"]).splitlines()), 3)
        finally:
            world.close()

    def test_stopped(self):
        self.run_with(lambda world: self.assertEqual(world.stop(), 0))

    def test_killed(self):
        self.run_with(lambda world: world.kill())


if __name__ == "__main__":
    EMEND = sys.argv.pop(1)
    unittest.main(verbosity=2)
