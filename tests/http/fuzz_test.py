#!/usr/bin/env python3
"""fuzz_test.py EMEND SOURCES [--requests N] [--seed TEXT]: calls every operation of the OpenAPI document on the real server with parameters, headers
and bodies at their edges, while there is nothing at all, a queued, a running and an ended session, and all of them. Every answer must be one the document has: its
status, its type, its schema; a server error only where it is documented; and the server must still be there. The same seed asks the same things.
Exit 77: the validators are not installed, and only the schemas were not looked at."""

import argparse
import copy
import gzip
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

from client import Answer, Client, read_head
from contract_test import node, operations_of
from flow_test import add_issue, wait
from webhook_test import github_delivery
from world import FILES, World

STATES = ("nothing", "queued", "running", "ended", "all")  # all: ended ones, and queued ones before them
EDGES = ["", "0", "-1", "1", "2", "200", "201", "1000000", "9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999999999999999999", "1.5", "1e3", "0x10", "true",
         "null", "NaN", " ", " 1", "ä", "漢字🎉", "\u202e", "\u0000", "a\u0000b", "\n", "\r\nX: y", "a" * 300, "a" * 5000, "..", "../../etc/passwd", "/etc/passwd", "\\..\\..", "%", "%2e%2e",
         "'; drop table sessions;--", "\"", "\\", "a,b,,c", ",", "[]", "{}", "queued:", "queued:x", "HEAD", "HEAD~1", "main", "--help", "-", "@{u}", ":(glob)**", "$(id)", "*", "**/*", "[", "{a", "OPEN",
         "open", "BE-001", "BE-001-q1", "BE-", "be-001", "2026-01-31", "9999-99-99"]
JSON_EDGES = [None, True, False, 0, 1, -1, 101, 2**31, 2**63, -2**63, 2**64, 1.5, 1e308, "", "a", "a\u0000b", "漢字🎉", "\u202e", "\ud800", "x" * 5000, [], [[]], [None], [""], ["a", 1], ["BE-001"] * 3,
              {}, {"a": 1}, {"$ref": "#"}, [{}]]
BROKEN_BODIES = [b"", b"{", b"[]", b"null", b"1", b'"x"', b"{} {}", b"\xff\xfe", b'{"a":"\xff"}', b'{"a":"\x00"}', b'{"a":NaN}', b'{"a":1e999}', b'{"a":' + b"[" * 600 + b"]" * 600 + b"}",
                 b'{"a":1,"a":2}', b'{"a":"' + b"x" * 1_200_000 + b'"}', b"\x1f\x8b\x08\x00"]
HEADERS = {"Accept": ["text/event-stream", "application/json", "*/*", "", "nonsense"], "If-None-Match": ['"x"', "*", "W/\"x\"", ""], "If-Match": ['"x"', "*", ""],
           "Range": ["bytes=0-3", "bytes=-1", "bytes=9999999-", "bytes=5-1", "bytes=0-1,3-4", "bytes=", "lines=1-2", "bytes=18446744073709551616-"], "If-Range": ['"x"', ""],
           "Idempotency-Key": ["k1", "k2", "", "with blank", "x" * 201, "x" * 200], "Last-Event-ID": EDGES[:14], "X-Request-Id": ["a", "x" * 65], "Accept-Encoding": ["gzip", "gzip;q=0", "br"]}
DOCUMENTED_ERRORS = {"agent-unavailable", "stopping", "not-ready"}  # 503: come back later


class Fuzz:
    def __init__(self, world, document, seed):
        self.world, self.document, self.seed = world, document, seed
        self.operations = [(method, path, operation, item.get("parameters", [])) for path, item in document["paths"].items()
                           for method, _, operation in operations_of({"paths": {path: item}})]
        self.counts, self.wrong, self.exchanges, self.seen = {}, [], [], set()
        self.known = {}
        self.codes = [f"BE-{number:03d}" for number in range(1, 7)]

    @property
    def api(self):
        return self.world.client()  # one of the operations gives the server another token

    # --- states -----------------------------------------------------------------------------------------------------------

    def must(self, method, path, body=None, statuses=(200, 201, 202, 204)):
        answer = self.api.request(method, path, body, {"Accept": "application/json"} if body is not None else None)
        assert answer.status in statuses, (method, path, body, answer)
        return answer

    def prepare(self, state):
        """Puts things back into a state; what is asked in it may well end it."""
        repositories = self.must("GET", "/api/repositories").json["data"]
        paths = [repository["path"] for repository in repositories]
        if os.path.realpath(self.world.repo) not in paths:
            self.must("POST", "/api/repositories", {"path": self.world.repo})
        self.repository = next(row["id"] for row in self.must("GET", "/api/repositories").json["data"] if row["path"] == os.path.realpath(self.world.repo))
        shown = self.must("GET", f"/api/repositories/{self.repository}").json
        if not all(file["trusted"] for file in shown["command_files"]):
            self.must("POST", f"/api/repositories/{self.repository}/trust", {"sha256": [file["sha256"] for file in shown["command_files"]]})
        if state != "nothing":
            self.make_issues()
        jobs = self.must("GET", "/api/status").json["queue"]["jobs"]
        if state in ("queued", "all"):
            self.must("POST", "/api/queue/pause")
            if sum(job["state"] == "queued" for job in jobs) < 2:
                for name in ("one", "two") if state == "queued" else ("five", "six"):
                    self.try_start(name)
                self.api.post("/api/reviews", {"repository_id": self.repository}, {"Accept": "application/json"})
        elif state == "running":
            self.must("POST", "/api/queue/resume")
            if not any(job["state"] == "running" and job["kind"] == "fix" for job in jobs):
                self.try_start("four")
        else:
            self.must("POST", "/api/queue/resume")
        self.look()

    def make_issues(self):
        known = self.must("GET", f"/api/issues?limit=200&repository_id={self.repository}").json["data"]
        self.by_file = {issue["file"]: issue["code"] for issue in known}
        for name in FILES:
            if f"src/{name}.sh" not in self.by_file:
                body = {"repository_id": self.repository, "file": f"src/{name}.sh", "title": f"{name} says wrong", "line": 2}
                self.by_file[f"src/{name}.sh"] = self.must("POST", "/api/issues", body).json["code"]
        for issue in known:
            if issue["status"] in ("IGNORED", "DUPLICATE", "FAILED"):
                self.api.request("PATCH", f"/api/issues/{issue['code']}?repository_id={self.repository}", {"action": "reopen"})

    def try_start(self, name):
        body = {"repository_id": self.repository, "issue_ids": [self.by_file[f"src/{name}.sh"]]}
        return self.api.post("/api/fix/start", body, {"Accept": "application/json"})

    def end_something(self):
        """A session that has ended, with its runs, commits and questions."""
        self.must("POST", "/api/queue/resume")
        self.api.post("/api/fix/clarify", {"repository_id": self.repository, "issue_ids": [self.by_file["src/two.sh"]]})
        for name in ("one", "two"):
            started = self.try_start(name)
            if started.status == 202:
                session = started.json["session_id"]
                for job in self.must("GET", "/api/status").json["queue"]["jobs"]:
                    if job["id"] != session:
                        self.api.post(f"/api/jobs/{job['id']}/cancel")
                        self.api.post(f"/api/fix/sessions/{job['id']}/cancel")
                wait(lambda: self.api.get(f"/api/fix/sessions/{session}").json["status"] not in ("queued", "running"), f"the end of {name}")

    def look(self):
        """Ids that are real now."""
        sessions = [row["id"] for row in self.must("GET", "/api/fix/sessions").json["data"]]
        jobs = [row["id"] for row in self.must("GET", "/api/jobs").json["data"]]
        runs = []
        for session in sessions[:3]:
            listed = self.api.get(f"/api/runs?session={session}")
            runs += [row["id"] for row in listed.json["data"]] if listed.status == 200 else []
        questions = [row["id"] for row in self.must("GET", "/api/questions?state=all").json["data"]]
        codes = [row["code"] for row in self.must("GET", f"/api/issues?limit=200&repository_id={self.repository}").json["data"]]
        hashes = [file["sha256"] for file in self.must("GET", f"/api/repositories/{self.repository}").json["command_files"]]
        repository = [self.repository] * 6
        self.known = {"session": sessions[:4], "job": jobs[:6] + sessions[:2], "run": runs[:6], "question": questions[:3], "code": codes[:10], "repository": repository, "hash": hashes}

    # --- what is asked ------------------------------------------------------------------------------------------------------

    def pool(self, path, name):
        """Real values behind a name; the path tells what an id is of."""
        if name == "id":
            kind = next((kind for start, kind in (("/api/fix/sessions", "session"), ("/api/repositories", "repository"), ("/api/runs", "run"), ("/api/questions", "question"),
                                                  ("/sessions", "session")) if path.startswith(start)), "job")
            return self.known[kind]
        files = [f"src/{file}.sh" for file in FILES[:3]]
        return {"code": self.known["code"], "issue": self.known["code"], "issue_ids": self.known["code"], "ids": self.known["code"], "issues": self.known["code"], "of": self.known["code"],
                "skip": self.known["code"], "repository_id": self.known["repository"], "session": self.known["session"], "session_id": self.known["session"],
                "clarify_session_id": self.known["session"], "plan_id": self.known["session"], "question_id": self.known["question"], "sha256": self.known["hash"],
                "cursor": self.known["session"] + ["queued:" + job for job in self.known["job"]], "name": ["fixer", "judge", "broken", "not-found", "index.html"],
                "agent": ["fixer", "judge"], "challenger": ["judge"], "voters": ["fixer", "judge"], "file": files, "path": files + ["src", self.world.repo], "paths": files,
                "rev": ["HEAD"], "base": ["main"], "head": ["HEAD"], "range": ["main..HEAD"], "branch": ["main"], "since": ["HEAD"], "commands": ["check"],
                "limit": ["1", "2", "200"]}.get(name, [])

    def resolve(self, value):
        while "$ref" in value:
            at = self.document
            for part in value["$ref"][2:].split("/"):
                at = at[part.replace("~1", "/").replace("~0", "~")]
            value = at
        return value

    def text(self, chance, path, name, real=0.6):
        pool = self.pool(path, name)
        return chance.choice(pool) if pool and chance.random() < real else chance.choice(EDGES)

    def value(self, chance, schema, path, name="", depth=0):
        """Something the schema allows, mostly."""
        schema = self.resolve(schema)
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return self.value(chance, chance.choice(schema[several]), path, name, depth)
        if "allOf" in schema:
            parts = [self.value(chance, part, path, name, depth) for part in schema["allOf"]]
            return {key: item for part in parts if isinstance(part, dict) for key, item in part.items()}
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kinds = schema.get("type", "object" if "properties" in schema else "string")
        kind = chance.choice(kinds) if isinstance(kinds, list) else kinds
        if kind == "object":
            needed = schema.get("required", [])
            return {key: self.value(chance, item, path, key, depth + 1) for key, item in schema.get("properties", {}).items() if key in needed or chance.random() < 0.4}
        if kind == "array":
            return [self.value(chance, schema.get("items", {}), path, name, depth + 1) for _ in range(chance.choice((1, 1, 1, 2, 0)))]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", 0), schema.get("maximum", 1000)
            return chance.choice((low, high, low + 1, low - 1, high + 1, (low + high) // 2))
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "null":
            return None
        return self.text(chance, path, name, 0.85)

    def body(self, chance, schema, path):
        """Bytes of a body, and what they mean if they are JSON of one meaning."""
        dice = chance.random()
        if dice < 0.12:
            broken = chance.choice(BROKEN_BODIES)
            return broken, None
        value = self.value(chance, schema, path)
        if not isinstance(value, dict):
            return json.dumps(value).encode(), value
        properties = list(self.resolve(schema).get("properties", {"a": {}}))
        if dice < 0.24:
            value[chance.choice(properties)] = copy.deepcopy(chance.choice(JSON_EDGES))
        elif dice < 0.30 and value:
            value.pop(chance.choice(sorted(value)))
        elif dice < 0.35:
            value[chance.choice(("extra", "__proto__", "", "a/b~c", "id"))] = chance.choice(JSON_EDGES)
        elif dice < 0.39:
            deep = []
            for _ in range(chance.choice((3, 60, 400))):
                deep = [deep]
            value[chance.choice(properties)] = deep
        elif dice < 0.42:
            value[chance.choice(properties)] = "x" * chance.choice((200, 201, 20_001, 100_001, 990_000))
        elif dice < 0.45 and value:
            again = json.dumps(value)
            return (again[:-1] + "," + again[1:]).encode(), None  # every member twice
        return json.dumps(value).encode(), value

    def escaped(self, chance, text, in_path):
        if chance.random() < 0.03:
            return chance.choice(("%", "%zz", "%2", "%ff", "%c0%af", "%00", "\\", "%2f", "..", ".", "a%0ab", "漢".encode().decode("latin-1")))
        return quote(text, safe="")[:6000] or ("%20" if in_path else "")

    def numbers(self):
        """Every number in a query, at its edges, all else left out."""
        asked = []
        for method, path, operation, shared in self.operations:
            for parameter in [self.resolve(item) for item in shared + operation.get("parameters", [])]:
                schema = self.resolve(parameter.get("schema", {}))
                if parameter["in"] != "query" or schema.get("type") != "integer":
                    continue
                low, high = schema.get("minimum", 0), schema.get("maximum", 2**63 - 1)
                for value in sorted({low - 1, low, low + 1, low + 2, high - 1, high, high + 1, 2**63, 2**64}) + ["", "x", "1.0", "%20", "+1"]:
                    asked.append((method, path, operation, f"{parameter['name']}={value}"))
        return asked

    def whole_list(self):
        """One by one or all at once: the same sessions in the same order."""
        all_at_once = [row["id"] for row in self.must("GET", "/api/fix/sessions?limit=200").json["data"]]
        for limit in (1, 2, 3):
            ids, target = [], f"/api/fix/sessions?limit={limit}"
            while target:
                answer = self.must("GET", target)
                ids += [row["id"] for row in answer.json["data"]]
                target = (answer.header("Link") or "<>").split(">")[0][1:]
            if ids != all_at_once:
                self.wrong.append(f"sessions by {limit}: {ids}, at once: {all_at_once}")

    def ask_numbers(self, state):
        for method, path, operation, query in self.numbers():
            pool = self.pool(path, "id") if "{id}" in path else []
            if "{id}" in path and not pool:
                continue
            target = path.replace("{id}", pool[0] if pool else "") + "?" + query
            if operation["operationId"] == "listRuns":
                target += "&session=" + (self.known["session"] or ["none"])[0]
            self.send(f"{state}: {method} {target}", method, target, operation, {}, None, None)

    def make(self, index):
        chance = random.Random(f"{self.seed} {index}")
        method, path, operation, shared = self.operations[index % len(self.operations)]
        target, query, headers = path, [], {}
        for parameter in [self.resolve(item) for item in shared + operation.get("parameters", [])]:
            name, place = parameter["name"], parameter["in"]
            if place == "path":
                target = target.replace("{" + name + "}", self.escaped(chance, self.text(chance, path, name, 0.8), True))
            elif place == "query" and chance.random() < 0.5:
                for _ in range(chance.choice((1, 1, 1, 1, 2, 30))):
                    schema = self.resolve(parameter.get("schema", {}))
                    text = str(chance.choice(schema["enum"])) if "enum" in schema and chance.random() < 0.5 else self.text(chance, path, name)
                    query.append(f"{name}={self.escaped(chance, text, False)}")
            elif place == "header" and chance.random() < 0.4:
                headers[name] = chance.choice(HEADERS.get(name, ["x"]))
        if chance.random() < 0.05:
            query.append(f"{chance.choice(('nonsense', 'limit', 'cursor', 'repository_id', 'after', 'offset'))}={self.escaped(chance, chance.choice(EDGES), False)}")
        if chance.random() < 0.15:
            name = chance.choice(sorted(HEADERS))
            headers[name] = chance.choice(HEADERS[name])
        if chance.random() < 0.03:
            method, headers["X-Was"] = "HEAD" if method == "GET" else method, method
        request, data = None, None
        if "requestBody" in operation:
            data, request = self.real_body(chance, path, operation, headers)
        elif chance.random() < 0.03:
            data = b"{}"
        if query:
            target += "?" + "&".join(query)
        return method, target, operation, headers, data, request

    def real_body(self, chance, path, operation, headers):
        content = operation["requestBody"]["content"]
        schema = content.get("application/json", {}).get("schema", {})
        if path.startswith("/api/webhooks") and chance.random() < 0.7:
            body = {"ref": chance.choice(EDGES[:40] + ["refs/heads/main"]), "repository": chance.choice(JSON_EDGES + [{"full_name": "team/app"}]), "object_kind": "push"}
            body = chance.choice((body, {}, {"project": {"path_with_namespace": "team/app"}, "ref": "refs/heads/main"}))
            if path.endswith("github"):
                data, given = github_delivery(self.world, chance.choice(("push", "pull_request", "ping", "star", "x")), body)
                headers.update(given)
            else:
                data = json.dumps(body).encode()
                headers.update({"Content-Type": "application/json", "X-Gitlab-Token": self.world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"],
                                "X-Gitlab-Event": chance.choice(("Push Hook", "Merge Request Hook", "x")), "X-Gitlab-Event-UUID": chance.choice(("u1", "u2", ""))})
            return data, None
        if path == "/api/import" and chance.random() < 0.6:
            result = {"ruleId": "r", "message": {"text": chance.choice(EDGES)}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": chance.choice(EDGES + ["src/one.sh"])},
                                                                                                                  "region": {"startLine": chance.choice((1, 0, -1, 2**31, "x"))}}}]}
            sarif = {"version": "2.1.0", "runs": chance.choice(([{"tool": {"driver": {"name": "t"}}, "results": [result]}], [], [None], {}, "x"))}
            return json.dumps(sarif).encode(), None
        data, request = self.body(chance, schema, path)
        headers.setdefault("Content-Type", "application/json" if chance.random() < 0.97 else chance.choice(("text/plain", "", "application/jsonx")))
        if data == b"" and chance.random() < 0.5:
            data = None
        return data, request

    # --- asking -------------------------------------------------------------------------------------------------------------

    def ask(self, method, target, headers, data):
        """One request on a connection of its own: an answer, or the beginning of a stream as (status, events)."""
        given = {"Connection": "close", **headers}
        given.pop("X-Was", None)
        with socket.create_connection(("127.0.0.1", self.world.port), timeout=60) as connection:
            head = self.api.head(method, target, given, data)
            try:
                connection.sendall(head)
            except OSError:
                pass  # refused before all of it was sent
            file = connection.makefile("rb")
            status, received = read_head(file)
            kind = next((value for name, value in received if name.lower() == "content-type"), "")
            length = next((int(value) for name, value in received if name.lower() == "content-length"), None)
            if kind.startswith("text/event-stream") and length is None:
                return Answer(status, received, ""), self.first_events(connection, file)
            body = b"" if method == "HEAD" or status in (204, 304) else file.read(length or 0)
            if body and ("Content-Encoding", "gzip") in received:
                body = gzip.decompress(body)
            return Answer(status, received, body.decode("utf-8", "replace")), None

    @staticmethod
    def first_events(connection, file):
        connection.settimeout(0.02)
        lines = []
        try:
            while len(lines) < 200 and (line := file.readline()):
                lines.append(line.decode())
        except (OSError, ValueError):
            pass
        events = []
        for block in "".join(lines).split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
            if "event" in fields:
                events.append({"id": fields.get("id"), "event": fields["event"], "data": json.loads(fields["data"])})
        return events

    def judge(self, name, method, operation, request, answer, events):
        status = answer.status
        self.counts[status] = self.counts.get(status, 0) + 1
        kind = (answer.header("Content-Type") or "").split(";")[0]
        documented = operation["responses"].get(str(status)) or (operation["responses"].get("default") if status >= 400 else None)
        if documented is None and method != "HEAD":
            self.wrong.append(f"{name}: {status} is not in the document: {answer}")
            return
        if status >= 500 and str(status) not in operation["responses"]:
            code = answer.json.get("code") if kind == "application/problem+json" and method != "HEAD" else None
            if code not in DOCUMENTED_ERRORS:
                self.wrong.append(f"{name}: {answer}")
        if method == "HEAD":
            return
        exchange = json.dumps({"operation": operation["operationId"], "request": request if request is not None and status < 400 else None, "status": status, "type": kind, "body": answer.body,
                               "events": events})
        if exchange not in self.seen:
            self.seen.add(exchange)
            self.exchanges.append((name, exchange))

    def step(self, index):
        method, target, operation, headers, data, request = self.make(index)
        self.send(f"request {index}: {method} {target[:150]} {headers} {(data or b'')[:300]!r}", method, target, operation, headers, data, request)

    def send(self, name, method, target, operation, headers, data, request):
        try:
            answer, events = self.ask(method, target, headers, data)
        except (OSError, ConnectionError, ValueError) as problem:
            self.wrong.append(f"{name}: no answer: {problem!r}")
            return
        self.judge(name, method, operation, request, answer, events)
        lists = operation["operationId"].startswith("list") and method == "GET"
        if lists and answer.status == 200 and "?" in target:
            self.turn_pages(name, target, operation, answer)

    def turn_pages(self, name, target, operation, answer):
        """A page has no more than was asked for, and leads to the next one, in which nothing comes again."""
        limit = re.search(r"[?&]limit=(\d+)", target)
        ids = []
        for _ in range(6):
            page = answer.json
            ids += [row.get("id") or row.get("path") for row in page["data"]]
            if limit and len(page["data"]) > int(limit.group(1)):
                self.wrong.append(f"{name}: a page of {len(page['data'])}")
            if page["next_cursor"] is None:
                break
            link = re.fullmatch(r'<([^>]+)>; rel="next"', answer.header("Link") or "")
            if not link:
                self.wrong.append(f"{name}: a next_cursor and no Link: {answer}")
                return
            answer, events = self.ask("GET", link.group(1), {}, None)
            self.judge(f"{name}, then {link.group(1)}", "GET", operation, None, answer, events)
            if answer.status != 200:
                self.wrong.append(f"{name}, then {link.group(1)}: {answer}")
                return
        if None not in ids and len(set(ids)) != len(ids):
            self.wrong.append(f"{name}: something came twice: {ids}")

    def run(self, requests):
        for number, state in enumerate(STATES):
            self.prepare(state)
            if state == "ended":
                self.end_something()
                self.look()
            if state in ("queued", "all"):  # where nothing moves by itself
                self.whole_list()
            self.ask_numbers(state)
            if self.world.server.poll() is not None:
                self.wrong.append(f"the server has ended: {self.world.log_text()[-1500:]}")
                return
            for index in range(number * requests // len(STATES), (number + 1) * requests // len(STATES)):
                self.step(index)
                if self.world.server.poll() is not None:
                    self.wrong.append(f"the server has ended after request {index}: {self.world.log_text()[-1500:]}")
                    return
                if index % 40 == 39:
                    self.prepare(state)
            health = Client(self.world.port).get("/healthz")
            assert health.status == 200, health


def check_schemas(sources, exchanges, folder):
    if shutil.which("node") is None or not os.path.isdir(os.path.join(sources, "tests", "oracles", "node_modules", "ajv")):
        print("the validators are not installed (make setup); the schemas were not looked at")
        return 77
    path = os.path.join(folder, "exchanges")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(exchange + "\n" for _, exchange in exchanges))
    return node(sources, os.path.join(sources, "api", "openapi.json"), path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("emend")
    parser.add_argument("sources")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--seed", default="emend")
    options = parser.parse_args()
    with open(os.path.join(options.sources, "api", "openapi.json"), encoding="utf-8") as file:
        document = json.load(file)
    world = World(options.emend)
    folder = tempfile.mkdtemp(prefix="emend-http-fuzz-")
    began = time.monotonic()
    try:
        world.run("trust")
        world.start()
        fuzz = Fuzz(world, document, options.seed or "emend")
        fuzz.run(options.requests)
        log = world.log_text()
        for word in ("AddressSanitizer", "runtime error", "terminate called", "a request failed"):
            if word in log:
                fuzz.wrong.append(f"the server's log has: {word}: {log[log.index(word):][:1500]}")
        counted = ", ".join(f"{status}: {count}" for status, count in sorted(fuzz.counts.items()))
        print(f"{sum(fuzz.counts.values())} requests of {len(fuzz.operations)} operations in {time.monotonic() - began:.1f} s (seed {options.seed!r}): {counted}")
        for line in fuzz.wrong[:40]:
            print(line)
        print(f"{len(fuzz.wrong)} wrong answers")
        schemas = check_schemas(options.sources, fuzz.exchanges, folder)
        return 1 if fuzz.wrong else schemas
    finally:
        world.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
