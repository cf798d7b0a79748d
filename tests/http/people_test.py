#!/usr/bin/env python3
"""people_test.py EMEND SOURCES: who may do what. Every operation of the OpenAPI document is called by everybody for their own and for another
repository, and nobody is answered beyond their rights; tokens, logins, a proxy's header, and the audit log."""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import unittest

import client as clients
from client import Client
from flow_test import add_issue, wait
from world import World

EMEND, SOURCES = "", ""
ROLES = ("read", "decide", "run", "administer")
MARK = "unmistakable-words-of-the-other-repository"
TOKEN = re.compile(r"emend_pat_[0-9A-Za-z]{36}")


def operations():
    with open(os.path.join(SOURCES, "api", "openapi.json"), encoding="utf-8") as file:
        document = json.load(file)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "put", "post", "patch", "delete"):
                yield method.upper(), path, operation


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(EMEND)
        cls.other = os.path.join(cls.world.root, "other")
        cls.world.git("clone", "-q", cls.world.repo, cls.other)
        for folder in (cls.world.repo, cls.other):
            done = cls.world.run("trust", cwd=folder)
            assert done.returncode == 0, done.stderr
        cls.api = cls.world.start("--repo", cls.world.repo, "--repo", cls.other)
        rows = cls.api.get("/api/repositories").json["data"]
        cls.own, cls.foreign = (next(row["id"] for row in rows if row["path"] == path) for path in (cls.world.repo, cls.other))
        cls.places = {where: cls.fill(where) for where in (cls.own, cls.foreign)}
        cls.people = {"nobody": cls.person("nobody")}
        for role in ROLES:
            cls.people[role] = cls.person(role, (role, "--repository", cls.own))
            cls.people["all-" + role] = cls.person("all-" + role, (role, "--all"))

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    @classmethod
    def cli(cls, *arguments, **more):
        done = cls.world.run(*arguments, **more)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    @classmethod
    def person(cls, name, role=None):
        cls.cli("people", "add", name, "--full-name", name.title(), *(["--service"] if name == "service" else []))
        if role:
            cls.cli("people", "role", name, *role)
        return Client(cls.world.port, TOKEN.search(cls.cli("tokens", "create", "--for", name, "--name", "test")).group(0))

    @classmethod
    def fill(cls, repository):
        """An issue, a session with its run, and a job."""
        title = MARK if repository == cls.foreign else "one says wrong"
        issue = cls.api.post("/api/issues", {"repository_id": repository, "file": "src/one.sh", "title": title, "line": 2, "severity": "high"})
        assert issue.status == 201, issue
        order = {"repository_id": repository, "issue_ids": [issue.json["code"]]}
        session = cls.api.post("/api/fix/start", order, {"Accept": "application/json"}).json["session_id"]
        wait(lambda: cls.api.get(f"/api/fix/sessions/{session}").json["status"] in ("passed", "failed", "partial"), "the session")
        run = cls.api.get(f"/api/runs?session={session}").json["data"][0]["id"]
        job = cls.api.post("/api/reviews", {"repository_id": repository}, {"Accept": "application/json"}).json["review_id"]
        wait(lambda: cls.api.get(f"/api/reviews/{job}").json["state"] in ("done", "failed"), "the review")
        return {"code": issue.json["code"], "session": session, "run": run, "job": job, "title": title}

    def ask(self, who, method, path, operation, repository):
        """The status and the body of a request that would change nothing if it were let through."""
        place, scope = self.places[repository], operation["x-emend-scope"]
        value = {"session": place["session"], "job": place["job"], "run": place["run"], "path": repository}.get(scope, "none")
        path = re.sub(r"\{(\w+)\}", lambda name: place["code"] if name.group(1) == "code" else value, path)
        query = {"query": f"?repository_id={repository}", "of_session": f"?session={place['session']}", "listed": ""}.get(scope, "")
        media = list(operation.get("requestBody", {}).get("content", {"none": None}))
        body, headers = None, {"Accept": "application/json"}
        if "application/json" in media or "application/octet-stream" in media or media != ["none"]:
            # An unknown member is refused by every operation, after the rights.
            body = {"repository_id": repository, "nonsense": 1} if scope == "body" else {"nonsense": 1}
            headers["Content-Type"] = "application/json"
        connection, file = who.connect(20)
        try:
            data = json.dumps(body).encode() if body is not None else None
            connection.sendall(who.head(method, path + query, headers, data))
            status, given = clients.read_head(file)
            kind = next((value for name, value in given if name.lower() == "content-type"), "")
            length = next((int(value) for name, value in given if name.lower() == "content-length"), 0)
            text = "" if kind.startswith("text/event-stream") else file.read(length).decode("utf-8", "replace")
            return status, text
        finally:
            file.close()
            connection.close()

    @staticmethod
    def allowed(name, operation, foreign):
        scope, wanted = operation["x-emend-scope"], operation.get("x-emend-role")
        if scope in ("open", "caller", "listed"):
            return True
        role = name.removeprefix("all-")
        if role not in ROLES or ROLES.index(role) < ROLES.index(wanted):
            return False
        return name.startswith("all-") or (scope != "server" and not foreign)

    def test_1_matrix(self):
        """Every operation x everybody x own and foreign repository."""
        asked, beyond, held_back, leaks = 0, [], [], []
        only_owner = {operation["operationId"] for _, _, operation in operations() if operation.get("security") == [{"token": []}]}
        last = {"discardSession", "forgetRepository", "removePerson"}
        rows = list(operations())
        rows.sort(key=lambda row: row[2]["operationId"] in last)
        for method, path, operation in rows:
            for name, who in self.people.items():
                for repository in (self.own, self.foreign):
                    foreign = repository == self.foreign
                    status, text = self.ask(who, method, path, operation, repository)
                    asked += 1
                    what = f"{operation['operationId']} as {name} for the {'foreign' if foreign else 'own'} repository: {status} {text[:160]}"
                    refused = status == 403 and ("role-missing" in text or operation["operationId"] in only_owner)
                    self.assertLess(status, 500, what)
                    self.assertNotEqual(status, 401, what)
                    if not self.allowed(name, operation, foreign) and not refused:
                        beyond.append(what)
                    if self.allowed(name, operation, foreign) and refused and operation["operationId"] not in only_owner:
                        held_back.append(what)
                    sees_foreign = name.startswith("all-")
                    if not sees_foreign and any(word in text for word in (MARK, self.foreign, self.places[self.foreign]["session"], self.other)):
                        leaks.append(what)
        self.api.post("/api/queue/resume")
        self.assertEqual((beyond, held_back, leaks), ([], [], []))
        print(f"{asked} requests, 0 answered beyond rights")
        self.assertGreater(asked, 1000)

    def test_2_lists_hold_what_one_may_see(self):
        for path, key in (("/api/issues", "title"), ("/api/fix/sessions", "id"), ("/api/repositories", "id"), ("/api/reviews", "id"), ("/api/jobs", "id")):
            everything = {row[key] for row in self.people["all-read"].get(path).json["data"]}
            own = {row[key] for row in self.people["read"].get(path).json["data"]}
            self.assertTrue(own < everything, (path, own, everything))
            self.assertEqual(self.people["nobody"].get(path).json["data"], [], path)
        self.assertEqual(self.people["read"].get("/api/issues/facets").json["total"] * 2, self.people["all-read"].get("/api/issues/facets").json["total"])
        for path in ("/api/needs", "/api/trends", "/api/usage", "/api/insights", "/api/questions", "/api/audit", "/api/status"):
            self.assertEqual(self.people["nobody"].get(path).status, 200, path)
        entries = self.people["read"].get("/api/audit").json["data"]
        self.assertEqual({entry["repository_id"] for entry in entries}, {self.own})
        refused = self.people["read"].get(f"/api/issues?repository_id={self.foreign}")
        unknown = self.people["read"].get("/api/issues?repository_id=nonsense")
        self.assertEqual((refused.status, refused.json["code"]), (403, "role-missing"))
        self.assertEqual(refused.json, unknown.json, "whether there is such a repository is not said")
        self.assertIn("All-Administer", refused.json["detail"])

    def test_3_events_of_others_are_not_told(self):
        """Both are read to a mark that everybody is told; in between something happens in each repository."""
        mine, all_of_it = self.people["read"].stream("/api/events"), self.people["all-read"].stream("/api/events")
        for stream in (mine, all_of_it):
            self.assertEqual(next(iter(stream))["event"], "stream_start")
        for repository in (self.foreign, self.own):
            place = self.places[repository]
            said = self.api.post(f"/api/fix/sessions/{place['session']}/comments", {"issue": place["code"], "text": place["title"]})
            self.assertEqual(said.status, 201, said)
        texts = [next(event["data"]["text"] for event in stream if event["event"] == "issue_commented") for stream in (mine, all_of_it)]
        self.assertEqual(texts, ["one says wrong", MARK])
        mine.close()
        all_of_it.close()

    def test_4_changes_name_who_made_them(self):
        ann = self.person("ann", ("decide", "--repository", self.own))
        code = add_issue_in(self.api, self.own, "two")["code"]
        self.assertEqual(ann.request("PATCH", f"/api/issues/{code}?repository_id={self.own}", {"action": "ignore", "reason": "by_design", "note": "so it is"}).status, 200)
        self.assertEqual(ann.post(f"/api/issues/{code}/comments?repository_id={self.own}", {"text": "leave it"}).json["by"], "Ann through the API")
        self.cli("issues", "reopen", code)
        history = self.api.get(f"/api/issues/{code}/history?repository_id={self.own}").json["data"]
        self.assertEqual([(event["event"] if "event" in event else event["type"], event["data"]["by"]) for event in history],
                         [("issue.added", "a through the API"), ("issue.ignored", "Ann through the API"), ("issue.commented", "Ann through the API"), ("issue.reopened", "a")])
        shown = self.cli("issues", "history", code)
        self.assertIn("issue.ignored  by Ann through the API  (by_design)", shown)
        self.assertIn("issue.ignored", self.cli("audit", "--actor", "ann", "--action", "issue", "--since", "1d"))
        entry = self.api.get("/api/audit?actor=Ann&action=issue.ignored").json["data"][0]
        self.assertEqual((entry["actor"]["kind"], entry["subject"], entry["detail"]["note"]), ("person", code, "so it is"))
        started = self.api.get("/api/audit?action=session.started").json["data"]
        self.assertEqual({entry["repository_id"] for entry in started}, {self.own, self.foreign})

    def test_4_whoever_has_work_begun_is_named(self):
        cat = self.person("cat", ("run", "--repository", self.own))
        place = self.places[self.own]
        branch = self.api.get(f"/api/fix/sessions/{place['session']}").json["branch_name"]
        issue = cat.post("/api/issues", {"repository_id": self.own, "file": "src/five.sh", "title": "five says wrong", "line": 2, "severity": "low"})
        self.assertEqual(issue.status, 201, issue)
        sarif = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": []}]}
        imported = cat.request("POST", f"/api/import?repository_id={self.own}", body=json.dumps(sarif).encode())
        self.assertEqual(imported.status, 200, imported)
        self.api.post("/api/queue/pause")
        try:
            begun = {"review": cat.post("/api/reviews", {"repository_id": self.own, "rev": "HEAD"}),
                     "verify": cat.post("/api/verify", {"repository_id": self.own}),
                     "challenge": cat.post("/api/challenge", {"repository_id": self.own, "issue_ids": [place["code"]], "range": "main.." + branch}),
                     "check": cat.post("/api/check", {"repository_id": self.own, "issue": place["code"], "range": "main.." + branch}),
                     "session": cat.post("/api/fix/start", {"repository_id": self.own, "issue_ids": [issue.json["code"]]}, {"Accept": "application/json"})}
            jobs = {}
            for kind, answer in begun.items():
                self.assertEqual(answer.status, 202, (kind, answer))
                jobs[kind] = next(value for name, value in answer.json.items() if name.endswith("_id") and name != "task_id")
                path = f"/api/fix/sessions/{jobs[kind]}/cancel" if kind == "session" else f"/api/jobs/{jobs[kind]}/cancel"
                self.assertEqual(cat.post(path).status, 202, kind)
        finally:
            self.api.post("/api/queue/resume")
        entries = [(entry["action"], entry["subject"]) for entry in self.api.get("/api/audit?actor=Cat&limit=200").json["data"]]
        expected = {("issue.added", issue.json["code"]), ("issues.imported", "sarif"), ("session.cancelled", jobs["session"])}
        for kind in ("review", "verify", "challenge", "check"):
            expected |= {(kind + ".started", jobs[kind]), (kind + ".cancelled", jobs[kind])}
        self.assertLessEqual(expected, set(entries))
        again = self.api.post(f"/api/jobs/{jobs['review']}/cancel")
        self.assertEqual(again.status, 409, again)

    def test_5_tokens(self):
        bob = self.person("bob", ("read", "--all"))
        self.assertEqual(bob.get("/api/me").json["name"], "Bob")
        self.assertEqual(bob.post("/api/tokens", {"name": "more"}).status, 403, "a token makes no tokens")
        with open(os.path.join(self.world.state, "emend.db"), "rb") as file:
            self.assertNotIn(bob.token.encode(), file.read(), "only its hash is kept")
        self.assertNotIn(bob.token, self.world.log_text())
        listed = bob.get("/api/tokens").json["data"]
        self.assertEqual(len(listed), 1, "one's own")
        stream = bob.stream("/api/events")
        self.assertEqual(next(iter(stream))["event"], "stream_start")
        self.cli("tokens", "revoke", listed[0]["id"])
        self.assertEqual(bob.get("/api/me").status, 401, "at once")
        for _ in stream:
            pass  # it is ended
        wrong = Client(self.world.port, bob.token[:-1] + ("a" if bob.token[-1] != "a" else "b"))
        self.assertEqual(wrong.get("/api/me").status, 401)
        short = TOKEN.search(self.cli("tokens", "create", "--for", "bob", "--name", "short", "--expires", "1s")).group(0)
        ending = Client(self.world.port, short)
        wait(lambda: ending.get("/api/me").status == 401, "its end")
        self.assertEqual(self.world.run("tokens", "create", "--for", "nobody-at-all", "--name", "x").returncode, 2)
        made = self.api.post("/api/tokens", {"name": "x", "account": "bob"})
        self.assertEqual(made.status, 403, "people make their own tokens")

    def test_6_logins_and_removal(self):
        self.person("eve", ("decide", "--repository", self.own))
        link = self.cli("people", "login", "eve")
        browser = Client(self.world.port)
        code = re.search(r"#launch=([0-9a-f]+)", link).group(1)
        cookie = browser.post("/api/auth/session", {"code": code}).header("Set-Cookie").split(";")[0]
        page = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.world.port}", "Sec-Fetch-Site": "same-origin", "X-Emend-CSRF": "1"}
        me = browser.get("/api/me", Cookie=cookie).json
        self.assertEqual((me["name"], me["roles"]), ("Eve", [{"repository_id": self.own, "role": "decide"}]))
        self.assertEqual(browser.post("/api/auth/launch-codes", headers=page).status, 403, "no link for the owner")
        self.assertEqual(browser.post("/api/people", {"name": "x"}, page).json["code"], "role-missing")
        made = browser.post("/api/tokens", {"name": "mine", "expires_in_days": 3}, page)
        self.assertEqual(made.status, 201, made)
        token = Client(self.world.port, made.json["token"])
        self.assertEqual(token.get("/api/me").status, 200)
        self.assertEqual(browser.post("/api/queue/pause", headers=page).status, 403)
        without = browser.post("/api/tokens", {"name": "forged"}, {"Cookie": cookie})
        self.assertEqual((without.status, without.json["code"]), (403, "csrf-failed"))
        self.cli("people", "role", "eve", "none", "--repository", self.own)
        self.assertEqual(browser.get("/api/issues", Cookie=cookie).json["data"], [])
        self.cli("people", "remove", "eve")
        self.assertEqual(browser.get("/api/me", Cookie=cookie).status, 401)
        self.assertEqual(token.get("/api/me").status, 401)
        self.assertIn("person.removed", self.cli("audit", "--action", "person"))

    def test_7_keys_belong_to_whoever_made_them(self):
        body = {"repository_id": self.own, "file": "src/three.sh", "title": "three", "line": 2, "severity": "low"}
        key = {"Idempotency-Key": "the-same"}
        first = self.people["decide"].post("/api/issues", body, key)
        self.assertEqual(first.status, 201, first)
        self.assertEqual(self.people["read"].post("/api/issues", body, key).status, 403, "no answer of somebody else's")
        self.assertEqual(self.people["decide"].post("/api/issues", body, key).header("Idempotency-Replayed"), "true")

    def test_8_administrators_of_one_repository(self):
        who = self.people["administer"]
        given = who.request("PUT", "/api/people/read/role", {"repository_id": self.own, "role": "decide"})
        self.assertEqual(given.status, 200, given)
        for place in (self.foreign, "*"):
            refused = who.request("PUT", "/api/people/administer/role", {"repository_id": place, "role": "administer"})
            self.assertEqual((refused.status, refused.json["code"]), (403, "role-missing"))
        self.assertEqual(who.request("PUT", "/api/people/read/role", {"repository_id": self.own, "role": "read"}).status, 200)

    def test_85_settings_are_written_by_who_administers(self):
        key = {"repository_id": self.own, "key": "fix.context_lines", "value": "9"}
        self.assertEqual(self.people["run"].request("PUT", "/api/config", key).status, 403)
        who = self.people["administer"]
        self.assertEqual(who.request("PUT", "/api/config", {**key, "repository_id": self.foreign}).json["code"], "role-missing")
        # The server's own file counts for the repositories of others, too.
        self.assertEqual(who.request("PUT", "/api/config", {**key, "place": "own"}).status, 403)
        self.assertEqual(self.people["all-administer"].request("PUT", "/api/config", {**key, "place": "own"}).status, 200)
        self.assertEqual(self.people["all-administer"].request("PUT", "/api/config", {"repository_id": self.own, "key": key["key"], "remove": True, "place": "own"}).status, 200)
        written = who.request("PUT", "/api/config", key)
        self.assertEqual(written.status, 200, written)
        entry = json.loads(self.cli("audit", "--action", "setting.written", "--json"))["data"][0]
        self.assertEqual((entry["actor"]["name"], entry["subject"]), ("Administer", key["key"]))
        self.assertEqual(who.request("PUT", "/api/config", {"repository_id": self.own, "key": key["key"], "remove": True}).status, 200)
        # Whoever may start sessions may ask what would be proposed, but not allow a push.
        session = self.places[self.own]["session"]
        refused = self.people["run"].post(f"/api/fix/sessions/{session}/pull-request", {"push": True, "allow_push": True})
        self.assertEqual((refused.status, refused.json["code"]), (403, "forbidden"))
        self.assertEqual(self.people["run"].post(f"/api/fix/sessions/{session}/pull-request", {}).status, 200)

    def test_86_logins_end_and_the_token_changes(self):
        self.person("joe", ("read", "--all"))
        browsers = []
        for _ in range(2):
            code = re.search(r"#launch=([0-9a-f]+)", self.cli("people", "login", "joe")).group(1)
            browsers.append(Client(self.world.port).post("/api/auth/session", {"code": code}).header("Set-Cookie").split(";")[0])
        ask = lambda cookie: Client(self.world.port).get("/api/me", Cookie=cookie).status
        self.assertEqual([ask(cookie) for cookie in browsers], [200, 200])
        self.assertEqual([row["account"] for row in json.loads(self.cli("people", "logins", "joe", "--json"))["data"]], ["joe", "joe"])
        own = Client(self.world.port).get("/api/logins", Cookie=browsers[0]).json["data"]
        self.assertEqual({row["account"] for row in own}, {"joe"}, "nobody else's")
        self.assertIn("logged out everywhere (2 browsers)", self.cli("people", "logout", "joe"))
        self.assertEqual([ask(cookie) for cookie in browsers], [401, 401])
        # Added again, somebody starts without the logins they had.
        code = re.search(r"#launch=([0-9a-f]+)", self.cli("people", "login", "joe")).group(1)
        cookie = Client(self.world.port).post("/api/auth/session", {"code": code}).header("Set-Cookie").split(";")[0]
        self.cli("people", "remove", "joe")
        self.cli("people", "add", "joe")
        self.assertEqual(ask(cookie), 401)
        before = self.world.client()
        self.assertIn("has another token", self.cli("tokens", "change"))
        self.assertEqual(before.get("/api/me").status, 401)
        type(self).api = self.world.client()
        self.assertEqual(self.api.get("/api/me").json["kind"], "owner")
        self.assertIn("server.token_changed", self.cli("audit", "--action", "server"))

    def test_9_the_audit_log_holds(self):
        checked = json.loads(self.cli("audit", "verify", "--json"))["data"]
        self.assertTrue(checked["holds"] and checked["entries"] > 20, checked)
        exported = [json.loads(line) for line in self.cli("audit", "export").splitlines()]
        self.assertEqual([entry["n"] for entry in exported], list(range(1, len(exported) + 1)))
        self.cli("audit", "verify", "--head", checked["head"])
        if "EMEND_TEST_DATABASE" in os.environ:
            return
        self.world.stop()
        database = sqlite3.connect(os.path.join(self.world.state, "emend.db"))
        with self.assertRaises(sqlite3.IntegrityError):
            database.execute("update audit_log set actor_name = 'x' where n = 3")
        with self.assertRaises(sqlite3.IntegrityError):
            database.execute("delete from audit_log where n = 3")
        database.execute("drop trigger audit_log_update")
        database.execute("update audit_log set actor_name = 'x' where n = 3")
        database.commit()
        database.close()
        broken = self.world.run("audit", "verify")
        self.assertEqual(broken.returncode, 1, broken)
        self.assertIn("broken at entry 3", broken.stdout)


def add_issue_in(api, repository, name):
    answer = api.post("/api/issues", {"repository_id": repository, "file": f"src/{name}.sh", "title": f"{name} says wrong", "line": 2, "severity": "high"})
    assert answer.status == 201, answer
    return answer.json


class BehindAProxy(unittest.TestCase):
    """The proxy has asked who it is. Its word counts where it was said it does, and nowhere else."""

    def ask(self, world, **headers):
        return Client(world.port).request("GET", "/api/me", headers={name.replace("_", "-"): value for name, value in headers.items()})

    def test_only_from_where_it_is_trusted(self):
        world = World(EMEND)
        try:
            world.run("people", "add", "ann")
            world.run("people", "role", "ann", "read", "--all")
            world.start("--proxy-user-header", "X-Forwarded-User", "--trust-proxy", "127.0.0.1")
            self.assertEqual(self.ask(world, X_Forwarded_User="ann").json["name"], "ann")
            stranger = self.ask(world, X_Forwarded_User="mallory")
            self.assertEqual((stranger.status, stranger.json["code"]), (403, "no-account"))
            self.assertEqual(self.ask(world).status, 401)
            self.assertEqual(self.ask(world, X_Forwarded_User="").status, 401)
            forged = Client(world.port).post("/api/queue/pause", headers={"X-Forwarded-User": "ann", "Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"})
            self.assertEqual((forged.status, forged.json["code"]), (403, "csrf-failed"))
            world.stop()
            world.start("--proxy-user-header", "X-Forwarded-User", "--trust-proxy", "10.9.9.9")
            self.assertEqual(self.ask(world, X_Forwarded_User="ann").status, 401, "from elsewhere it is ignored")
            self.assertEqual(world.client().request("GET", "/api/me", headers={"X-Forwarded-User": "ann"}).json["kind"], "owner")
        finally:
            world.close()

    def test_over_the_socket_nobody_is_the_owner(self):
        world = World(EMEND)
        try:
            world.run("people", "add", "ann")
            path = os.path.join(world.root, "s")
            world.start("--socket", path, "--proxy-user-header", "X-Forwarded-User", "--trust-proxy", "unix")

            def over_socket(header):
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                    connection.connect(path)
                    connection.sendall(f"GET /api/me HTTP/1.1\r\nHost: localhost\r\n{header}\r\n".encode())
                    return clients.read_answer(connection.makefile("rb"))

            self.assertEqual(over_socket("X-Forwarded-User: ann\r\n").json["name"], "ann")
            self.assertEqual(over_socket("").status, 401)
            self.assertEqual(self.ask(world, X_Forwarded_User="ann").status, 401, "not over TCP")
        finally:
            world.close()

    def test_half_of_it_is_refused(self):
        world = World(EMEND)
        try:
            for arguments in (["--trust-proxy", "127.0.0.1"], ["--proxy-user-header", "X-User"], ["--trust-proxy", "unix", "--proxy-user-header", "Authorization"]):
                self.assertEqual(world.run("serve", "--listen", "127.0.0.1:0", *arguments).returncode, 2, arguments)
        finally:
            world.close()


class Alone(unittest.TestCase):
    """Somebody on a laptop, who never heard of accounts."""

    def test_nothing_is_different(self):
        world = World(EMEND)
        try:
            api = world.start()
            add_issue(api, "one")
            self.assertEqual(api.get("/api/me").json["kind"], "owner")
            browser = Client(world.port)
            cookie = browser.post("/api/auth/session", {"code": world.launch_code}).header("Set-Cookie").split(";")[0]
            self.assertEqual(browser.get("/api/me", Cookie=cookie).json, {"kind": "owner", "name": "a", "account_id": None, "roles": [{"repository_id": "*", "role": "administer"}]})
            world.run("issues", "ignore", "BE-001", "--reason", "wont_fix")
            self.assertIn("by a", world.run("issues", "history", "BE-001").stdout)
            through = subprocess.run([world.program, "issues", "reopen", "BE-001"], cwd=world.repo, env={**world.environment, "EMEND_THROUGH": "Claude Code"}, check=False)
            self.assertEqual(through.returncode, 0)
            self.assertIn("by a through Claude Code", world.run("issues", "history", "BE-001").stdout)
        finally:
            world.close()


class Requests(unittest.TestCase):
    def test_one_who_asks_too_much_waits_and_nobody_else(self):
        world = World(EMEND)
        self.addCleanup(world.close)
        world.environment["EMEND_SERVER_REQUESTS_PER_MINUTE"] = "12"
        owner = world.start()
        people = {}
        for name in ("ann", "bob"):
            self.assertEqual(world.run("people", "add", name).returncode, 0)
            made = world.run("tokens", "create", "--for", name, "--name", "test").stdout
            people[name] = Client(world.port, TOKEN.search(made).group(0))
        statuses = [people["ann"].get("/api/me").status for _ in range(12)]
        self.assertEqual(statuses, [200] * 12)
        slow = people["ann"].get("/api/me")
        self.assertEqual((slow.status, slow.json["code"]), (429, "too-many-requests"), slow)
        self.assertIn(int(slow.header("Retry-After")), range(1, 6))
        self.assertEqual(people["bob"].get("/api/me").status, 200)
        self.assertEqual({owner.get("/api/me").status for _ in range(40)}, {200}, "the owner is not counted")
        time.sleep(int(slow.header("Retry-After")))
        self.assertEqual(people["ann"].get("/api/me").status, 200, "after the time it named")


if __name__ == "__main__":
    EMEND, SOURCES = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
