#!/usr/bin/env python3
"""contract_test.py EMEND SOURCES: api/openapi.yaml tells the truth. It has exactly the routes the server has, with the same admission; every
operation is called on a live server, and what was sent and answered is held against its schemas. Exit 77: the validators are not installed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import client as clients
from flow_test import add_issue, follow, wait
from webhook_test import github_delivery
from world import World


def operations_of(document):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "put", "post", "patch", "delete"):
                yield method.upper(), path, operation


def compare(document, routes):
    """Both ways, with who may call."""
    problems = []
    told = {(method, path): operation for method, path, operation in operations_of(document)}
    real = {(route["method"], route["path"]): route for route in routes}
    problems += [f"{method} {path} is served and not in the document" for method, path in real.keys() - told.keys()]
    problems += [f"{method} {path} is in the document and not served" for method, path in told.keys() - real.keys()]
    wanted = {"anybody": [], "owner": [{"token": []}], "member": document["security"], "signed_body": []}
    for key in told.keys() & real.keys():
        operation, route = told[key], real[key]
        if operation["operationId"] != route["operation"]:
            problems.append(f"{key}: {operation['operationId']} is called {route['operation']}")
        if operation.get("security", document["security"]) != wanted[route["admission"]]:
            problems.append(f"{key}: admission is {route['admission']}")
        if ("requestBody" in operation) != (route["body"] != "none"):
            problems.append(f"{key}: body is {route['body']}")
        if (operation.get("x-emend-role"), operation["x-emend-scope"]) != (route["role"], route["scope"]):
            problems.append(f"{key}: needs {route['role']}, {route['scope']}")
        has_key = any(parameter.get("$ref", "").endswith("IdempotencyKey") for parameter in operation.get("parameters", []))
        if has_key != route["idempotency_key"]:
            problems.append(f"{key}: Idempotency-Key")
    return problems


class Recorder:
    """Calls operations by their id and writes down what went over the wire."""

    def __init__(self, document, api, path):
        self.api, self.file = api, open(path, "w", encoding="utf-8")
        self.paths = {operation["operationId"]: (method, path) for method, path, operation in operations_of(document)}
        self.done = set()

    def note(self, operation, request, answer, events=None):
        kind = (answer.header("Content-Type") or "").split(";")[0] if isinstance(answer, clients.Answer) else "text/event-stream"
        body = answer.body if isinstance(answer, clients.Answer) else ""
        self.file.write(json.dumps({"operation": operation, "request": request, "status": answer.status, "type": kind, "body": body, "events": events}) + "\n")
        if answer.status < 400:
            self.done.add(operation)

    def call(self, operation, body=None, query="", headers=None, data=None, api=None, **parameters):
        method, path = self.paths[operation]
        path = path.format(**parameters) + query
        answer = (api or self.api).request(method, path, data if data is not None else body, headers)
        self.note(operation, body, answer)
        assert answer.status < 500, answer
        return answer

    def follow(self, operation, body=None, query="", headers=None, until=None, **parameters):
        method, path = self.paths[operation]
        stream = self.api.stream(path.format(**parameters) + query, method, body, headers)
        events = follow(stream, until) if isinstance(stream, clients.Stream) else None
        self.note(operation, body, stream, events)
        if events is not None:
            stream.close()
        return events


def explain_every_code(recorder, sources):
    """Every code in the program has a page that says what to do."""
    codes = set()
    for folder in ("api", "http"):
        for name in os.listdir(os.path.join(sources, "src", folder)):
            with open(os.path.join(sources, "src", folder, name), encoding="utf-8") as file:
                codes |= set(re.findall(r'(?:problem_response\(\d+, |come_back_later\(|\? )"([a-z]+(?:-[a-z]+)+|internal|forbidden|conflict|stopping)"', file.read()))
    codes.discard("given-up")  # of a message to people, not of a problem
    assert len(codes) > 15, codes
    unexplained = [code for code in sorted(codes) if recorder.call("getProblem", name=code).status != 200]
    assert not unexplained, f"no page for {unexplained}"


def exercise(recorder, world):
    call = recorder.call
    repository = call("listRepositories").json["data"][0]["id"]
    codes = [add_issue(recorder.api, name)["code"] for name in ("one", "two", "four", "five")]
    call("createIssue", {"file": "src/six.sh", "title": "six says wrong", "line": 2, "severity": "low", "description": "d", "suggestion": "s", "category": "c"})
    call("createIssue", {"file": "src/six.sh"})
    fix(recorder, repository, codes)
    for operation in ("getHealth", "getReadiness", "getMetrics", "getStatus", "getConfig", "listAgents", "listJobs", "pauseQueue", "resumeQueue", "getIssueFacets",
                      "getOpenApiJson", "getOpenApiYaml", "getIssuesPage", "getSessionsPage", "getPullsPage", "getInsightsPage", "getSettingsPage"):
        call(operation)
    for operation in ("getSessionPage", "getChangesPage", "getPullPage"):
        call(operation, id="none")
    call("getIssuePage", code="BE-001")
    for name in re.findall(r'"/assets/([^"]+)"', call("getDashboard").body) + ["none.js"]:
        call("getAsset", name=name)
    call("getProblem", name="not-found")
    call("getProblem", name="nothing")
    for group in ("agent", "role", "model", "session", "day"):
        assert call("getUsage", query=f"?group_by={group}&from=2020-01-01").json["data"]
    call("getUsage", query="?group_by=shoe")
    call("getUsage", query="?from=yesterday")
    needs = call("getNeeds")
    assert needs.json["ready"]
    call("getNeeds", headers={"If-None-Match": needs.header("ETag")})
    call("getNeeds", query="?repository_id=none")
    call("getTrends")
    call("getTrends", query="?weeks=0")
    call("checkConfig", {"key": "fix.parallel", "value": "3"})
    call("checkConfig", {"key": "fix.parallel", "value": "many"})
    call("checkConfig", {"value": "3"})
    call("changeConfig", {"key": "fix.context_lines", "value": "9"})
    call("changeConfig", {"key": "fix.context_lines", "value": "many"})
    call("changeConfig", {"key": "fix.context_lines", "remove": True})
    for group in ("agent", "model", "rule", "language", "evidence"):
        call("getInsights", query=f"?by={group}")
    call("getInsights", query="?by=shoe")
    call("listIssues", query="?limit=2")
    call("listIssues", query="?nonsense=1")
    issue = call("getIssue", code=codes[3])
    call("getIssue", code=codes[3], headers={"If-None-Match": issue.header("ETag")})
    call("getIssue", code="BE-999")
    call("changeIssue", {"action": "ignore", "reason": "wont_fix", "note": "n"}, code=codes[3])
    call("changeIssue", {"action": "resolve"}, code=codes[3])
    call("changeIssues", {"ids": [codes[3], "BE-999"], "action": "reopen"})
    call("getIssueHistory", code=codes[0])
    call("getIssueAttempts", code=codes[0])
    call("getIssueAttempts", code=codes[3])
    reviews(recorder)
    merges(recorder, world)
    people(recorder, repository)
    work(recorder, world, codes)
    repositories(recorder, world, repository)
    code = call("createLaunchCode").json["code"]
    browser = clients.Client(world.port)
    cookie = call("logIn", {"code": code}, api=browser).header("Set-Cookie").split(";")[0]
    call("logIn", {"code": code}, api=browser)
    origin = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{world.port}", "Sec-Fetch-Site": "same-origin", "X-Emend-CSRF": "1"}
    call("addRepository", {"path": "relative"}, headers=origin, api=browser)  # a login may ask, too
    call("trustRepository", {"sha256": ["0" * 64]}, headers=origin, api=browser, id=repository)
    login = call("listLogins", headers=origin, api=browser).json["data"][0]
    assert login["this_one"] and login["account"] is None
    call("endLogin", id="none")
    call("logOut", headers=origin, api=browser)
    call("getStatus", api=browser)
    call("logIn", {"code": call("createLaunchCode").json["code"]}, api=browser)
    call("endLogin", id=call("listLogins").json["data"][0]["id"])
    call("getNotifications")
    call("changeNotifications", {"mail": "ann@example.org", "when": "daily", "topics": ["questions"]})
    call("changeNotifications", {"mail": "ann@example.org\r\nBcc: eve@example.org", "when": "daily"})
    call("listNotifications")
    call("tryNotifications")  # it waits: nobody is there
    call("getSignIn", api=browser)
    call("beginSignIn", api=browser)  # there is no such provider, which the page says
    call("finishSignIn", query="?code=x&state=y", api=browser)
    recorder.follow("followEvents", until="stream_start")
    call("changeServerToken")
    call("getStatus")
    recorder.api.token = world.token


def fix(recorder, repository, codes):
    call = recorder.call
    wanted = {"repository_id": repository, "issue_ids": codes[:2]}
    clarity = call("clarify", {**wanted, "session_id": None, "answers": None}).json
    question = clarity["questions_by_issue"][0]["questions"][0]["id"]
    call("listQuestions")
    assert call("getNeeds").json["questions"]
    call("plan", {**wanted, "clarify_session_id": clarity["session_id"]})
    call("answerQuestion", {"answer": "right, says a person"}, id=question)
    call("clarify", {**wanted, "session_id": clarity["session_id"]})
    plan = call("plan", {**wanted, "clarify_session_id": clarity["session_id"]}).json
    events = recorder.follow("startFix", {**wanted, "plan_id": plan["plan_id"], "options": {"max_minutes": 5}})
    session = events[-2]["data"]["session_id"]
    for operation in ("getSession", "getSessionPlan", "getSessionDiff", "getSessionReport"):
        call(operation, id=session)
    call("getSessionDiff", query="?format=patch", id=session)
    recorder.follow("followSession", id=session)
    recorder.follow("followSession", query="?after=0", id=session)
    recorder.follow("followSession", query="?after=99999999", id=session)
    recorder.follow("followSession", headers={"Last-Event-ID": str(events[-2]["id"])}, id=session)
    run = call("listRuns", query=f"?session={session}").json["data"][0]["id"]
    call("listRuns")
    decisions(recorder, repository, session, codes)
    call("openTest", {"test": "tests/one.sh", "reason": "it asserts the bug"}, code=codes[0])
    call("openTest", {"test": ""}, code=codes[0])
    call("getIssueTests", code=codes[0])
    call("openTest", {"test": "tests/one.sh", "open": False}, code=codes[0])
    call("getRun", id=run)
    call("getRun", id="none")
    call("getRunPrompt", id=run)
    tag = call("getRunLog", id=run).header("ETag")
    call("getRunLog", id=run, headers={"Range": "bytes=0-3", "If-Range": tag})
    call("getRunLog", id=run, headers={"Range": "bytes=99999999-"})
    call("getRunLog", id=run, headers={"If-None-Match": tag})
    recorder.follow("getRunLog", query="?follow=1&offset=3", id=run)
    slow = call("startFix", {"repository_id": repository, "issue_ids": codes[2:3]}, headers={"Accept": "application/json"}).json["session_id"]
    recorder.follow("followSession", query="?after=0", until="fix_issue_streaming", id=slow)
    call("listSessions")
    call("resumeSession", id=slow)
    for _ in range(2):
        call("cancelSession", id=slow)
        wait(lambda: recorder.api.get(f"/api/fix/sessions/{slow}").json["status"] == "cancelled", "the end")
        call("resumeSession", id=slow)
    call("cancelSession", id=slow)
    wait(lambda: not recorder.api.get("/api/status").json["queue"]["jobs"], "an empty queue")
    call("startFix", {"repository_id": repository, "issue_ids": ["BE-999"], "nonsense": 1})


def decisions(recorder, repository, session, codes):
    """A person's: what is said, taken back, made again, and looked at before it begins."""
    call = recorder.call

    def status(of):
        return recorder.api.get(f"/api/fix/sessions/{of}").json["status"]

    call("commentOnSession", {"issue": codes[0], "text": "why like this?", "file": "src/one.sh", "line": 2, "side": "new"}, id=session)
    call("commentOnSession", {"issue": codes[3], "text": "not of this session"}, id=session)
    call("commentOnIssue", {"text": "say it in one line", "file": None, "line": None, "side": None}, code=codes[0])
    call("commentOnIssue", {"text": ""}, code=codes[0])
    assert len(call("listSessionComments", id=session).json["data"]) == 1
    assert len(call("listIssueComments", code=codes[0]).json["data"]) == 2
    call("refixIssues", {}, id=session)
    assert not call("acceptFix", {"issue": codes[0]}, id=session).json["again"]
    assert call("acceptFix", {"issue": codes[0]}, id=session).json["again"]
    call("acceptFix", {"issue": codes[3]}, id=session)  # never fixed
    assert call("getSession", id=session).json["accepted"] == [codes[0]]
    rejected = call("rejectFix", {"issue": codes[0], "reason": "not like this"}, id=session).json
    assert rejected["withdrawn"][0]["status"] == "OPEN" and rejected["withdrawn"][0]["undone_by"], rejected
    assert call("rejectFix", {"issue": codes[0], "reason": "again"}, id=session).json["again"]
    call("rejectFix", {"issue": codes[3], "reason": "never fixed"}, id=session)
    assert call("getSession", id=session).json["withdrawals"][0]["kind"] == "rejected"
    recorder.follow("followSession", query="?after=0", id=session)
    again = call("refixIssues", {"issues": [codes[0]], "on": "tip"}, id=session).json["session_id"]
    wait(lambda: status(again) in ("passed", "failed", "partial"), "the second try")
    grouped = call("groupCommits", {"by": "one"}, id=session).json
    assert grouped["branch_name"] == call("getSession", id=session).json["branch_name"], grouped
    call("groupCommits", {"by": "issue"}, id=session)
    call("proposeSession", {}, id=session)
    call("proposeSession", {"push": True}, id=session)  # there is no forge
    call("discardSession", {"reason": "all of it"}, id=session)
    assert call("discardSession", {}, id=session).json["again"]
    order = {"repository_id": repository, "issue_ids": codes[1:2], "options": {"approve": "plan", "branch": "mine/one", "base": "HEAD", "max_cost_usd": 1}}
    waiting = call("startFix", order, headers={"Accept": "application/json"}).json["session_id"]
    wait(lambda: status(waiting) == "planned", "the plan")
    assert call("getSession", id=waiting).json["branch_name"] == "mine/one"
    call("resumeSession", id=waiting)
    plan = call("getSessionPlan", id=waiting)
    steps = {"steps": [{"issues": codes[1:2], "reason": "the only one"}], "skip": []}
    call("changeSessionPlan", steps, id=waiting, headers={"If-Match": '"another"'})
    call("changeSessionPlan", {"steps": [{"issues": ["BE-999"]}]}, id=waiting)
    call("changeSessionPlan", steps, id=waiting, headers={"If-Match": plan.header("ETag")})
    call("approveSession", id=waiting)
    wait(lambda: status(waiting) == "passed", "the end of the approved one")
    call("approveSession", id=waiting)
    recorder.follow("followSession", query="?after=0", id=waiting)


def reviews(recorder):
    call = recorder.call
    call("pauseQueue")
    waiting = call("startReview", {"rev": "HEAD"}, headers={"Accept": "application/json"}).json["review_id"]
    call("cancelReview", id=waiting)
    call("resumeQueue")
    recorder.follow("startReview", {"paths": ["src/one.sh"]})
    call("listReviews")
    call("getReview", id=waiting)
    report = json.dumps([{"description": "says wrong", "check_name": "x", "fingerprint": "1", "severity": "minor", "location": {"path": "src/one.sh", "lines": {"begin": 2}}}])
    call("importReport", data=report.encode(), headers={"Content-Type": "application/json"})


def merges(recorder, world):
    call = recorder.call
    call("syncIssues", {})
    call("syncIssues", {"branch": "nowhere"})
    wait(lambda: not recorder.api.get("/api/status").json["queue"]["jobs"], "an empty queue")
    jobs = call("listJobs").json["data"]
    first = call("listJobs", query="?limit=1").json
    second = call("listJobs", query=f"?limit=1&cursor={first['next_cursor']}").json
    assert [row["id"] for row in first["data"] + second["data"]] == [row["id"] for row in jobs[:2]], (first, second)
    call("listJobs", query="?limit=1e3")
    call("listJobs", query="?cursor=none")
    assert any(job["kind"] == "sync" and job["result"]["branch"] == "main" for job in jobs), jobs
    world.git("remote", "add", "origin", "https://example.org/team/app.git")
    forge = clients.Client(world.port)
    push = {"ref": "refs/heads/main", "repository": {"full_name": "team/app"}}
    for event, body in (("ping", {}), ("push", push), ("push", push), ("star", {}), ("push", {"ref": "refs/heads/main"})):
        data, headers = github_delivery(world, event, body)
        call("receiveGithub", data=data, headers=headers, api=forge)
    call("receiveGithub", data=b"{}", headers={"Content-Type": "application/json"}, api=forge)
    headers = {"Content-Type": "application/json", "X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"], "X-Gitlab-Event": "Push Hook", "X-Gitlab-Event-UUID": "u-1"}
    push = {"object_kind": "push", "ref": "refs/heads/main", "project": {"path_with_namespace": "team/app"}}
    call("receiveGitlab", data=json.dumps(push).encode(), headers=headers, api=forge)
    wait(lambda: not recorder.api.get("/api/status").json["queue"]["jobs"], "an empty queue")


def proven(recorder, world):
    """A test fails before the change and passes with it: the proof is a file that `emend prove` takes."""
    call = recorder.call
    names_its_tests = ("echo 1..2\necho 'ok 1 - src/one.sh is there'\n"
                       "grep -q right src/eight.sh || { echo 'not ok 2 - src/eight.sh says right'; exit 1; }\necho 'ok 2 - src/eight.sh says right'\n")
    for branch, name, text in (("broken", "check.sh", names_its_tests), ("mended", "src/eight.sh", "# eight\necho right\n")):
        world.git("checkout", "-q", "-b", branch)
        world.write(os.path.join(world.repo, name), text)
        world.commit(branch)
    world.git("checkout", "-q", "main")
    checked = call("startCheck", {"range": "broken..mended"}).json["check_id"]
    wait(lambda: recorder.api.get("/api/check/" + checked).json["state"] == "done", "a change that is proven")
    result = call("getCheck", id=checked).json["result"]
    assert result["verdict"] == "PROVEN" and "proof" not in result, result
    proof = call("getCheckProof", id=checked)
    assert proof.status == 200, proof
    world.write("check.emend-proof", proof.body)
    proved = world.run("prove", world.path("check.emend-proof"), "--ref", "mended")
    assert proved.returncode == 0, proved
    assert call("getCheckProof", id="none").status == 404


def work(recorder, world, codes):
    call = recorder.call
    world.git("checkout", "-q", "-b", "feature")
    world.write(os.path.join(world.repo, "src", "seven.sh"), "# seven\necho right\n")
    world.git("commit", "-qam", "Right")
    world.git("checkout", "-q", "main")
    change = {"range": "main..feature", "issue_ids": codes[3:4]}
    for start, get, name, body in (("startVerification", "getVerification", "verification_id", {"range": "main..feature"}),
                                   ("startChallenge", "getChallenge", "challenge_id", change),
                                   ("startPrReview", "getPrReview", "review_id", {"base": "main", "head": "feature"})):
        job = call(start, body, headers={"Accept": "application/json"}).json[name]
        call(get, id=job)
        wait(lambda: recorder.api.get(recorder.paths[get][1].format(id=job)).json["state"] == "done", get)
        call(get, id=job)
        call(get, id="none")
        call(start, {"nonsense": 1})
        recorder.follow(start, body)
    checked = call("startCheck", {"range": "main..feature"}).json["check_id"]
    wait(lambda: recorder.api.get("/api/check/" + checked).json["state"] == "done", "a checked change")
    assert call("getCheck", id=checked).json["result"]["holds"]
    assert call("getCheckProof", id=checked).status == 404, "not PROVEN"
    proven(recorder, world)
    call("startCheck", {"range": "main..feature", "staged": True})
    call("startCheck", {"issue": "BE-404"})
    call("getCheck", id="none")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    call("callMcp", data=json.dumps(message).encode(), headers={"Content-Type": "application/json"})
    call("callMcp", data=b"{", headers={"Content-Type": "application/json"})
    call("pauseQueue")
    call("startCheck", {"diff": "nonsense"})
    waiting = call("startCheck", {"range": "main..feature"}).json["check_id"]
    call("cancelCheck", id=waiting)
    call("cancelCheck", id=waiting)
    waiting = call("startVerification", {"rev": "feature"}, headers={"Accept": "application/json"}).json["verification_id"]
    call("cancelJob", id=waiting)
    call("cancelJob", id=waiting)
    call("resumeQueue")
    call("testAgent", name="judge")
    recorder.follow("followEvents", query="?after=99999999", until="stream_start")


def people(recorder, repository):
    call = recorder.call
    call("getMe")
    call("addPerson", {"name": "ann", "full_name": "Ann Lee"})
    call("addPerson", {"name": "ann"})
    call("addPerson", {"name": "ci", "kind": "service"})
    call("addPerson", {"name": "no spaces please"})
    call("setRole", {"repository_id": repository, "role": "run"}, name="ann")
    call("setRole", {"repository_id": "*", "role": "read"}, name="ann")
    call("setRole", {"repository_id": repository, "role": "none"}, name="ann")
    call("setRole", {"repository_id": repository, "role": "king"}, name="ann")
    assert [row["role"] for row in call("listPeople").json["data"][0]["roles"]] == ["read"]
    call("createLoginLink", name="ann")
    call("createLoginLink", name="ci")
    token = call("createToken", {"name": "nightly", "account": "ci", "expires_in_days": 30}).json
    call("createToken", {"name": "mine"})
    assert call("listTokens").json["data"][0]["begins"] == token["token"][:14]
    call("revokeToken", id=token["id"])
    call("revokeToken", id="none")
    call("removePerson", name="ann")
    call("removePerson", name="ann")
    page = call("listAudit", query="?limit=2").json
    call("listAudit", query=f"?limit=2&cursor={page['next_cursor']}&action=person")
    call("listAudit", query="?cursor=none")


def repositories(recorder, world, repository):
    call = recorder.call
    call("renameRepository", {"name": "My project"}, id=repository)
    call("renameRepository", {"name": ""}, id=repository)
    call("getRepository", id=repository)
    call("listFiles", query="?path=src&limit=2", id=repository)
    call("getBlob", query="?path=src/one.sh", id=repository)
    call("getBlob", query="?path=none", id=repository)
    world.git("checkout", "-q", "-b", "pictures")
    world.write("repo/dot.gif", b"GIF89a\x01\0\x01\0\0\0\0;")
    world.commit("A picture")
    world.git("checkout", "-q", "main")
    assert call("getImage", query="?path=dot.gif&rev=pictures", id=repository).header("Content-Type") == "image/gif"
    call("getImage", query="?path=dot.gif", id=repository)  # only on that branch
    call("getImage", query="?path=src/one.sh", id=repository)
    assert call("getSetup", id=repository).json["config"] == "emend.toml"
    call("setUpRepository", {"use": []}, id=repository)  # it has one
    bare = os.path.join(world.root, "bare")
    world.git("init", "-q", "-b", "main", bare)
    world.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "Start", cwd=bare)
    unknown = call("addRepository", {"path": bare}).json["id"]
    call("setUpRepository", {"use": ["unit"]}, id=unknown)
    call("setUpRepository", {"use": []}, id=unknown)
    call("forgetRepository", id=unknown)
    copy = os.path.join(world.root, "copy")
    world.git("clone", "-q", world.repo, copy)
    added = call("addRepository", {"path": copy}).json["id"]
    call("addRepository", {"path": "relative"})
    hashes = [file["sha256"] for file in call("getRepository", id=added).json["command_files"]]
    call("trustRepository", {"sha256": hashes}, id=added)
    call("renameRepository", {"team": "payments"}, id=added)
    call("setBudget", {"scope": "team", "name": "payments", "limits": {"day_usd": 2.5, "month_minutes": 600, "sessions": 2}})
    call("setBudget", {"scope": "team", "limits": {}})
    call("setBudget", {"scope": "all", "limits": {"day_dollars": 1}})
    assert call("listBudgets").json["data"][0]["name"] == "payments"
    call("setBudget", {"scope": "team", "name": "payments", "limits": {}})
    call("addRepository", {"url": "https://somebody:secret@example.org/x.git"})
    call("addRepository", {"url": "file://" + os.path.join(world.root, "copy")})
    call("forgetRepository", id=added)


def node(sources, *arguments):
    script = os.path.join(sources, "tests", "http", "check_openapi.mjs")
    return subprocess.run(["node", script, *arguments], stdin=subprocess.DEVNULL).returncode


def main():
    emend, sources = sys.argv[1:3]
    yaml_file, json_file = (os.path.join(sources, "api", "openapi." + kind) for kind in ("yaml", "json"))
    converted = subprocess.run([sys.executable, "-B", os.path.join(sources, "tools", "openapi_json.py"), "--check", sources])
    assert converted.returncode == 0
    with open(json_file, encoding="utf-8") as file:
        document = json.load(file)
    world = World(emend)
    world.environment.update({"EMEND_SIGN_IN_ISSUER": "http://127.0.0.1:9", "EMEND_SIGN_IN_CLIENT_ID": "emend",  # where nobody is
                              "EMEND_NOTIFY_WEBHOOK_URL": "http://127.0.0.1:9/", "EMEND_WEBHOOK_OUT_SECRET": "secret-of-the-contract"})
    folder = tempfile.mkdtemp(prefix="emend-http-contract-")
    try:
        world.run("trust")
        problems = compare(document, world.routes())
        assert not problems, "\n".join(problems)
        recorder = Recorder(document, world.start(), os.path.join(folder, "exchanges"))
        served = recorder.api.get("/openapi.json")
        assert served.json == document, "the server serves another document"
        exercise(recorder, world)
        explain_every_code(recorder, sources)
        recorder.file.close()
        missed = set(recorder.paths) - recorder.done
        assert not missed, f"never called with success: {sorted(missed)}"
        if shutil.which("node") is None or not os.path.isdir(os.path.join(sources, "tests", "oracles", "node_modules", "ajv")):
            print("the validators are not installed (make setup); the schemas were not looked at")
            return 77
        broken = node(sources, yaml_file) or node(sources, json_file, recorder.file.name)
        print(f"{len(recorder.paths)} operations, {'broken' if broken else 'as described'}")
        return broken
    finally:
        world.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
