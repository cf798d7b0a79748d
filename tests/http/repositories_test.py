#!/usr/bin/env python3
"""repositories_test.py EMEND: repositories that are moved, cloned by their address and fetched on schedule; teams whose jobs take turns; budgets of
everybody, of teams and of repositories."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

from client import Client
from flow_test import add_issue, wait
from world import World, fixer_turn

EMEND = ""
OVER = ("passed", "partial", "failed", "cancelled", "error", "stopped")


def knows_births(path):
    """Whether the file system says when a folder was made: without that a moved one is not recognised."""
    done = subprocess.run(["stat", "-c", "%W", path], capture_output=True, text=True, check=False)
    return done.stdout.strip() not in ("", "0", "-")


class Served(unittest.TestCase):
    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        done = self.world.run("trust")
        self.assertEqual(done.returncode, 0, done.stderr)

    def only(self, api):
        rows = api.get("/api/repositories").json["data"]
        self.assertEqual(len(rows), 1, rows)
        return rows[0]

    def job(self, api, job):
        return next(row for row in api.get("/api/jobs?limit=200").json["data"] if row["id"] == job)

    def over(self, api, job):
        wait(lambda: self.job(api, job)["state"] in ("done", "failed"), f"the end of {job}")
        done = self.job(api, job)
        self.assertEqual(done["state"], "done", done)
        return done

    def fix(self, api, repository, code, **more):
        started = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": [code], **more}, {"Accept": "application/json"})
        self.assertEqual(started.status, 202, started)
        session = started.json["session_id"]
        wait(lambda: api.get(f"/api/fix/sessions/{session}").json["status"] in OVER, "the session")
        return started.json, api.get(f"/api/fix/sessions/{session}").json


class SetUp(Served):
    def test_the_first_configuration(self):
        """What `emend init` does, by the API: the checks it finds, those that are chosen written down, and nothing runs before it is allowed."""
        api = self.world.start()
        bare = os.path.join(self.world.root, "bare")
        os.mkdir(bare)
        self.world.git("init", "-q", "-b", "main", cwd=bare)
        with open(os.path.join(bare, "Makefile"), "w", encoding="utf-8") as file:
            file.write("test:\n\ttrue\nlint:\n\ttrue\n")
        self.world.git("add", "-A", cwd=bare)
        self.world.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "Start", cwd=bare)
        added = api.post("/api/repositories", {"path": bare}).json["id"]
        found = api.get(f"/api/repositories/{added}/setup").json
        self.assertIsNone(found["config"])
        names = {one["name"]: one for one in found["commands"]}
        self.assertIn("make test", [one["run"] for one in found["commands"]], found)
        self.assertEqual(found["text"], self.world.run("init", "--dry-run", cwd=bare).stdout)
        unknown = api.post(f"/api/repositories/{added}/setup", {"use": ["no such check"]})
        self.assertEqual((unknown.status, os.path.exists(os.path.join(bare, "emend.toml"))), (409, False), unknown)
        chosen = next(name for name, one in names.items() if one["run"] == "make test")
        written = api.post(f"/api/repositories/{added}/setup", {"use": [chosen]})
        self.assertEqual((written.status, written.json["path"]), (201, os.path.join(bare, "emend.toml")), written)
        asks = api.get(f"/api/repositories/{added}").json["command_files"]
        self.assertEqual([(file["trusted"], [wish for wish in file["wants"] if wish.startswith("verify.")]) for file in asks], [(False, ["verify.commands: make-test = make test"])], asks)
        again = api.post(f"/api/repositories/{added}/setup", {"use": [chosen]})
        self.assertEqual(again.status, 409, again)
        self.assertIn("repository.set_up", self.world.run("audit").stdout)


class Moved(Served):
    def test_a_folder_that_was_moved(self):
        """Its issues stay its own, wherever it is; and a server that runs finds it when it is told."""
        api = self.world.start()
        before = self.only(api)
        code = add_issue(api, "one")["code"]
        self.fix(api, before["id"], code)
        there = os.path.join(self.world.root, "there", "repo")
        os.mkdir(os.path.dirname(there))
        shutil.move(self.world.repo, there)
        changed = api.request("PATCH", f"/api/repositories/{before['id']}", {"path": there})
        self.assertEqual((changed.status, changed.json["id"], changed.json["path"]), (200, before["id"], there), changed)
        self.assertEqual(api.get(f"/api/repositories/{before['id']}").status, 200)
        self.assertEqual(self.only(api)["path"], there)
        self.assertEqual(api.get(f"/api/issues/{code}?repository_id={before['id']}").json["status"], "RESOLVED")
        shown = self.world.run("issues", "history", code, cwd=there)
        self.assertIn("fix_issue_completed", shown.stdout, shown.stderr)
        self.assertIn("the proof holds", self.world.run("prove", code, cwd=there).stdout)
        self.assertIn("repository.moved", self.world.run("audit", cwd=there).stdout)
        other = os.path.join(self.world.root, "other")
        self.world.git("clone", "-q", there, other, cwd=there)
        refused = api.request("PATCH", f"/api/repositories/{before['id']}", {"path": other})
        self.assertEqual(refused.status, 409, refused)

    def test_a_folder_that_is_found_without_being_told(self):
        if not knows_births(os.path.join(self.world.repo, ".git")):
            self.skipTest("this file system does not say when a folder was made")
        api = self.world.start()
        before = self.only(api)
        code = add_issue(api, "one")["code"]
        there = os.path.join(self.world.root, "elsewhere")
        os.rename(self.world.repo, there)
        added = api.post("/api/repositories", {"path": there})
        self.assertEqual((added.status, added.json["id"]), (201, before["id"]), added)
        self.world.run("trust", cwd=there)  # a file elsewhere may be another one
        _, session = self.fix(api, before["id"], code)
        self.assertEqual(session["status"], "passed", session)
        self.assertIn(session["branch_name"], self.world.git("branch", "--list", cwd=there))


class Cloned(Served):
    def origin(self):
        origin = os.path.join(self.world.root, "origin.git")
        self.world.git("clone", "-q", "--bare", self.world.repo, origin)
        return origin

    def test_added_by_its_address_and_fetched(self):
        """The server's clone follows its origin, and what is merged there is found without anybody asking."""
        origin = self.origin()
        api = self.world.start()
        answer = api.post("/api/repositories", {"url": "file://" + origin})
        self.assertEqual(answer.status, 202, answer)
        cloned = self.over(api, answer.json["job_id"])["result"]["repository_id"]
        row = next(row for row in api.get("/api/repositories").json["data"] if row["id"] == cloned)
        self.assertTrue(row["path"].startswith(os.path.join(self.world.state, "clones")), row)
        for script in ("fixer.json", "judge.json"):  # they are named as seen from the repository
            shutil.copy(self.world.path(script), os.path.join(self.world.state, "clones", script))
        files = [file["sha256"] for file in api.get(f"/api/repositories/{cloned}").json["command_files"]]
        self.assertEqual(api.post(f"/api/repositories/{cloned}/trust", {"sha256": files}).status, 200)
        issue = api.post("/api/issues", {"repository_id": cloned, "file": "src/one.sh", "title": "one says wrong", "line": 2, "severity": "high"}).json
        _, session = self.fix(api, cloned, issue["code"])
        self.assertEqual(session["status"], "passed", session)
        # Somebody takes the branch over into the default one, elsewhere.
        self.world.git("push", "-q", origin, f"{session['branch_name']}:main", cwd=row["path"])
        again = api.post("/api/repositories", {"url": "file://" + origin})
        self.assertEqual(self.over(api, again.json["job_id"])["result"]["repository_id"], cloned, "it is the same one")
        wait(lambda: any(job["kind"] == "fetch" for job in api.get("/api/jobs").json["data"]), "the schedule")
        self.world.stop()
        self.world.environment["EMEND_SERVER_FETCH_MINUTES"] = "1"
        self.make_due(cloned)
        api = self.world.start()
        wait(lambda: api.get(f"/api/issues/{issue['code']}?repository_id={cloned}").json["status"] == "MERGED", "MERGED")
        self.assertEqual(self.world.git("rev-parse", "HEAD", cwd=row["path"]), self.world.git("rev-parse", "main", cwd=origin))

    def make_due(self, repository):
        """As if the minutes had passed."""
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"))
        changed = database.execute("update remembered set expires_ms = 1 where kind = 'fetched'").rowcount
        database.commit()
        database.close()
        self.assertGreaterEqual(changed, 1)

    def test_a_persons_own_clone_is_fetched_without_a_trace(self):
        origin = self.origin()
        self.world.git("remote", "add", "origin", "file://" + origin)
        self.world.environment["EMEND_SERVER_FETCH_MINUTES"] = "1"
        api = self.world.start()
        repository = self.only(api)["id"]
        code = add_issue(api, "one")["code"]
        _, session = self.fix(api, repository, code)
        wait(lambda: any(job["kind"] == "fetch" and job["state"] == "done" for job in api.get("/api/jobs").json["data"]), "the first fetch")
        self.world.git("push", "-q", origin, f"{session['branch_name']}:main")
        refs = self.world.git("for-each-ref")
        self.world.stop()
        self.make_due(repository)
        api = self.world.start()
        wait(lambda: api.get(f"/api/issues/{code}").json["status"] == "MERGED", "MERGED")
        self.assertEqual(self.world.git("for-each-ref"), refs, "no ref of the person's changes")

    def test_what_is_no_address(self):
        api = self.world.start()
        for url in ("--upload-pack=x", "ext::sh -c x", "https://a:b@example.org/x", "a b"):
            self.assertEqual(api.post("/api/repositories", {"url": url}).status, 422, url)
        self.assertEqual(api.post("/api/repositories", {}).status, 422)
        answer = api.post("/api/repositories", {"url": "file://" + os.path.join(self.world.root, "nowhere")})
        wait(lambda: self.job(api, answer.json["job_id"])["state"] == "failed", "its failure")
        self.assertIn("nowhere", self.job(api, answer.json["job_id"])["problem"])


class Budgets(Served):
    def spend(self, tokens):
        """Another run of the fixer, which took so many; the scripted ones take none."""
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"))
        row = list(database.execute("select repository_id, session_id, role, agent, started_ms, data from agent_runs where role = 'fixer'").fetchone())
        data = json.loads(row[5])
        data["id"] = "spent"
        data["usage"] = {**data["usage"], "input_tokens": tokens}
        database.execute("insert into agent_runs (id, repository_id, session_id, role, agent, started_ms, data) values ('spent', ?, ?, ?, ?, ?, ?)",
                         (*row[:5], json.dumps(data)))
        database.commit()
        database.close()
        return tokens

    def test_limits_of_everybody_of_a_team_and_of_a_repository(self):
        api = self.world.start()
        repository = self.only(api)["id"]
        self.assertEqual(api.request("PATCH", f"/api/repositories/{repository}", {"team": "payments"}).json["team"], "payments")
        code = add_issue(api, "one")["code"]
        self.fix(api, repository, code)
        used = self.spend(3_000)
        for scope, name in (("all", None), ("team", "payments"), ("repository", repository)):
            body = {"scope": scope, "limits": {"day_tokens": used}, **({"name": name} if name else {})}
            made = api.request("PUT", "/api/budgets", body)
            self.assertEqual(made.status, 200, made)
            self.assertEqual([(row["unit"], row["limit"], row["used"], row["left"]) for row in made.json["use"]], [("tokens", used, used, 0)])
            refused = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": [add_issue(api, "two")["code"]]})
            self.assertEqual((refused.status, refused.json["code"]), (429, "quota-used-up"), refused)
            self.assertEqual(self.world.run("fix", code).returncode == 0, False, "the command line keeps to it")
            self.assertEqual(api.request("PUT", "/api/budgets", {**body, "limits": {}}).status, 200)
        self.assertEqual(api.get("/api/budgets").json["data"], [])
        other = {"scope": "team", "name": "others", "limits": {"day_tokens": 1}}
        self.assertEqual(api.request("PUT", "/api/budgets", other).status, 200)
        code = add_issue(api, "five")["code"]
        started, _ = self.fix(api, repository, code)
        self.assertEqual(started["warnings"], [])
        # Told before the start that it is nearly used up, and that it will not last.
        api.request("PUT", "/api/budgets", {"scope": "team", "name": "payments", "limits": {"month_tokens": used + 1}})
        started, _ = self.fix(api, repository, add_issue(api, "six")["code"])
        self.assertEqual(len(started["warnings"]), 2, started)
        self.assertIn("of team payments", started["warnings"][0])
        self.assertIn("are left", started["warnings"][1])
        entries = list(api.get("/api/audit?action=budget.changed").json["data"])
        self.assertEqual({entry["subject"] for entry in entries}, {"all", "team payments", "repository " + repository, "team others"})
        self.assertEqual({entry["actor"]["name"] for entry in entries}, {"a"})

    def spend_minutes(self, milliseconds):
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"), timeout=30)
        row = list(database.execute("select repository_id, session_id, role, agent, started_ms, data from agent_runs where role = 'fixer'").fetchone())
        data = {**json.loads(row[5]), "id": "spent-before", "duration_ms": milliseconds}
        database.execute("insert into agent_runs (id, repository_id, session_id, role, agent, started_ms, data) values ('spent-before', ?, ?, ?, ?, ?, ?)",
                         (*row[:5], json.dumps(data)))
        database.commit()
        database.close()

    def spent_ms(self):
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"), timeout=30)
        try:
            return sum(json.loads(data)["duration_ms"] for (data,) in database.execute("select data from agent_runs"))
        finally:
            database.close()

    def test_two_sessions_side_by_side_share_one_rest(self):
        names = ("two", "three", "five", "six", "seven")
        slow = lambda name: {"role": "*", "file": f"src/{name}.sh", "do": [{"sleep_ms": 3000}, {"replace": {"path": f"src/{name}.sh", "old": "echo wrong", "new": "echo right"}}],
                             "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It says right."}]}}
        self.world.write_turns("fixer.json", [fixer_turn("one")] + [slow(name) for name in names], "fixer-1")
        other = os.path.join(self.world.root, "other")
        self.world.git("clone", "-q", self.world.repo, other)
        self.world.run("trust", cwd=other)
        api = self.world.start("--sessions", "2", "--repo", self.world.repo, "--repo", other)
        rows = {row["path"]: row["id"] for row in api.get("/api/repositories").json["data"]}
        ids = [rows[self.world.repo], rows[other]]
        issue = lambda repository, name: api.post("/api/issues", {"repository_id": repository, "file": f"src/{name}.sh", "title": "wrong", "line": 2,
                                                                  "severity": "high"}).json["code"]
        self.fix(api, ids[0], issue(ids[0], "one"))
        limit, rest = 60_000, 8_000
        self.spend_minutes(limit - rest - self.spent_ms())
        self.assertEqual(api.request("PUT", "/api/budgets", {"scope": "all", "limits": {"day_minutes": 1}}).status, 200)
        sessions = []
        for repository in ids:
            started = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": [issue(repository, name) for name in names]},
                               {"Accept": "application/json"})
            self.assertEqual(started.status, 202, started)
            sessions.append(started.json["session_id"])
        for session in sessions:
            wait(lambda: api.get(f"/api/fix/sessions/{session}").json["status"] in OVER, "the session")
        ended = [api.get(f"/api/fix/sessions/{session}").json for session in sessions]
        self.assertEqual([session["status"] for session in ended], ["stopped", "stopped"], ended)
        over = self.spent_ms() - limit
        self.assertLess(over, 4_500, "no more than the run that was under way beside the last one")
        self.assertGreater(over, -1_000, "and the rest was used")
        # Nothing else that would start agents is begun any more.
        code = issue(ids[0], "one")
        for path, body in (("/api/fix/clarify", {"issue_ids": [code]}), ("/api/challenge", {"issue_ids": [code], "range": "HEAD~1..HEAD"}),
                           ("/api/pr/review", {"base": "HEAD", "head": ended[0]["branch_name"]})):
            refused = api.post(path, {"repository_id": ids[0], **body})
            self.assertEqual((refused.status, refused.json.get("code")), (429, "quota-used-up"), (path, refused))

    def test_who_may_set_them(self):
        api = self.world.start()
        repository = self.only(api)["id"]
        for name, role in (("ann", ("administer", "--repository", repository)), ("bob", ())):
            self.world.run("people", "add", name)
            if role:
                self.world.run("people", "role", name, *role)
        token = lambda name: re.search(r"emend_pat_[0-9A-Za-z]{36}", self.world.run("tokens", "create", "--for", name, "--name", "t").stdout).group(0)
        ann, bob = Client(self.world.port, token("ann")), Client(self.world.port, token("bob"))
        api.request("PUT", "/api/budgets", {"scope": "repository", "name": repository, "limits": {"day_usd": 10}})
        self.assertEqual(len(ann.get("/api/budgets").json["data"]), 1)
        self.assertEqual(bob.get("/api/budgets").json["data"], [])
        body = {"scope": "repository", "name": repository, "limits": {}}
        self.assertEqual([who.request("PUT", "/api/budgets", body).status for who in (ann, bob)], [403, 403])
        self.assertEqual(ann.request("PATCH", f"/api/repositories/{repository}", {"name": "mine"}).status, 200)
        for change in ({"team": "x"}, {"path": "/"}):
            self.assertEqual(ann.request("PATCH", f"/api/repositories/{repository}", change).status, 403, change)


class Turns(Served):
    def test_teams_take_turns_and_urgent_ones_come_first(self):
        folders = [self.world.repo] + [os.path.join(self.world.root, f"r{number}") for number in range(3)]
        for folder in folders[1:]:
            self.world.git("clone", "-q", self.world.repo, folder)
            self.world.run("trust", cwd=folder)
        api = self.world.start("--sessions", "1", *[word for folder in folders for word in ("--repo", folder)])
        rows = {row["path"]: row["id"] for row in api.get("/api/repositories").json["data"]}
        ids = [rows[folder] for folder in folders]
        for repository, team in zip(ids, ("busy", "busy", "busy", "calm")):
            api.request("PATCH", f"/api/repositories/{repository}", {"team": team})
        api.post("/api/queue/pause")
        sessions = {}
        for number, (repository, name, priority) in enumerate(((ids[0], "one", "normal"), (ids[1], "one", "normal"), (ids[3], "one", "normal"),
                                                               (ids[2], "one", "high"))):
            issue = api.post("/api/issues", {"repository_id": repository, "file": f"src/{name}.sh", "title": "wrong", "line": 2, "severity": "high"}).json
            started = api.post("/api/fix/start", {"repository_id": repository, "issue_ids": [issue["code"]], "priority": priority}, {"Accept": "application/json"})
            sessions[started.json["session_id"]] = number
        waiting = {job["id"]: (job["team"], job["priority"]) for job in api.get("/api/jobs").json["data"]}
        self.assertEqual(sorted(waiting.values()), [("busy", "high"), ("busy", "normal"), ("busy", "normal"), ("calm", "normal")])
        api.post("/api/queue/resume")
        wait(lambda: all(job["state"] == "done" for job in api.get("/api/jobs").json["data"]), "the end of all")
        order = [sessions[job["id"]] for job in sorted(api.get("/api/jobs").json["data"], key=lambda job: job["started_at"])]
        self.assertEqual(order, [3, 2, 0, 1], "the urgent one, then the team that had nothing yet")


class OldThings(Served):
    def age(self, session):
        """As if it had ended long ago."""
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"), timeout=30)
        self.assertEqual(database.execute("update sessions set updated_ms = 1 where id = ?", (session,)).rowcount, 1)
        database.commit()
        database.close()

    def events(self, session):
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"), timeout=30)
        try:
            return database.execute("select count(*) from events where session_id = ?", (session,)).fetchone()[0]
        finally:
            database.close()

    def a_merged_and_a_failed_session(self):
        nothing = {"role": "*", "file": "src/two.sh", "do": [], "answer": {"outcomes": [{"id": "{issue}", "outcome": "blocked", "explanation": "No."}]}}
        self.world.write_turns("fixer.json", [fixer_turn("one"), nothing, fixer_turn("five")], "fixer-1")
        api = self.world.start()
        repository = self.only(api)["id"]
        _, merged = self.fix(api, repository, add_issue(api, "one")["code"])
        _, kept = self.fix(api, repository, add_issue(api, "five")["code"])
        _, failed = self.fix(api, repository, add_issue(api, "two")["code"])
        self.assertEqual((merged["status"], kept["status"], failed["status"]), ("passed", "passed", "failed"))
        self.world.stop()
        self.world.git("merge", "-q", "--ff-only", merged["branch_name"])
        for session in (merged, kept, failed):
            self.age(session["id"])
        return merged, kept, failed

    def look(self, merged, kept, failed):
        branches = self.world.git("branch", "--format=%(refname:short)").split()
        self.assertEqual((merged["branch_name"] in branches, kept["branch_name"] in branches), (False, True), "the merged one alone")
        self.assertEqual(self.events(failed["id"]), 0)
        self.assertGreater(self.events(merged["id"]), 0, "a proof rests on them")
        proved = self.world.run("prove", "--all")
        self.assertEqual(proved.returncode, 0, proved.stdout + proved.stderr)

    def test_a_person_removes_them(self):
        merged, kept, failed = self.a_merged_and_a_failed_session()
        self.world.environment.update({"EMEND_RETENTION_BRANCHES_DAYS": "1", "EMEND_RETENTION_EVENTS_DAYS": "1"})
        shown = self.world.run("gc")
        self.assertIn("would remove " + merged["branch_name"], shown.stdout, shown.stderr)
        self.assertIn("kept " + kept["branch_name"], shown.stdout)
        self.assertGreater(self.events(failed["id"]), 0, "nothing was removed yet")
        self.assertIn(merged["branch_name"], self.world.git("branch"))
        removed = self.world.run("gc", "--remove")
        self.assertIn("removed " + merged["branch_name"], removed.stdout, removed.stderr)
        self.look(merged, kept, failed)

    def test_a_server_removes_them_by_itself(self):
        merged, kept, failed = self.a_merged_and_a_failed_session()
        self.world.start()
        time.sleep(2)  # it would have begun by now
        self.assertIn(merged["branch_name"], self.world.git("branch"), "for ever, unless somebody says otherwise")
        self.world.stop()
        self.world.environment.update({"EMEND_RETENTION_BRANCHES_DAYS": "1", "EMEND_RETENTION_EVENTS_DAYS": "1"})
        self.world.start()
        wait(lambda: merged["branch_name"] not in self.world.git("branch") and self.events(failed["id"]) == 0, "the server's rounds")
        self.look(merged, kept, failed)


if __name__ == "__main__":
    EMEND = sys.argv.pop(1)
    unittest.main(verbosity=2)
