"""A small GitLab on this machine. Every request is held against a table of what GitLab's description of its REST API (version 4) says of the calls emend makes: path,
query, members of the body and their types, and words that may stand there."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from github_server import Server as GitHub
from gitlab_team import DOCUMENTED_TEAM, Team

# (method, path below /api/v4) -> what the query and the body may have, and what the body must have.
DOCUMENTED = [
    ("GET", r"/user", set(), set(), set()),
    ("GET", r"/users", {"username", "per_page", "page"}, set(), set()),
    ("GET", r"/projects/[^/]+/merge_requests", {"state", "source_branch", "updated_after", "per_page", "page"}, set(), set()),
    ("POST", r"/projects/[^/]+/merge_requests", set(), {"source_branch", "target_branch", "title", "description"}, {"source_branch", "target_branch", "title"}),
    ("GET", r"/projects/[^/]+/merge_requests/\d+", set(), set(), set()),
    ("PUT", r"/projects/[^/]+/merge_requests/\d+", set(), {"title", "description", "reviewer_ids"}, set()),
    ("GET", r"/projects/[^/]+/merge_requests/\d+/diffs", {"per_page", "page"}, set(), set()),
    ("GET", r"/projects/[^/]+/merge_requests/\d+/discussions", {"per_page", "page"}, set(), set()),
    ("POST", r"/projects/[^/]+/merge_requests/\d+/discussions", set(), {"body", "position"}, {"body", "position"}),
    ("POST", r"/projects/[^/]+/merge_requests/\d+/notes", set(), {"body"}, {"body"}),
    ("PUT", r"/projects/[^/]+/merge_requests/\d+/notes/\d+", set(), {"body"}, {"body"}),
    ("GET", r"/projects/[^/]+/issues", {"scope", "labels", "per_page", "page"}, set(), set()),
    ("POST", r"/projects/[^/]+/issues", set(), {"title", "description", "labels"}, {"title"}),
    ("GET", r"/projects/[^/]+/issues/\d+", set(), set(), set()),
    ("PUT", r"/projects/[^/]+/issues/\d+", set(), {"state_event"}, {"state_event"}),
    ("POST", r"/projects/[^/]+/issues/\d+/notes", set(), {"body"}, {"body"}),
    ("GET", r"/projects/[^/]+/issues/\d+/notes", {"per_page", "page"}, set(), set()),
    ("POST", r"/projects/[^/]+/labels", set(), {"name", "color", "description"}, {"name", "color"}),
    *DOCUMENTED_TEAM,
]
WORDS = {"state_event": {"reopen", "close"}, "resolved": {True, False}}
TEXTS = {"title", "description", "source_branch", "target_branch", "name", "body", "color", "labels", "target_url"}
POSITION = {"position_type", "base_sha", "start_sha", "head_sha", "new_path", "old_path", "new_line", "old_line"}


class Server(Team):
    def __init__(self, remote, project, token, login="emend-user"):
        self.remote, self.project, self.token, self.login = remote, project, token, login
        self.merges, self.threads, self.issues, self.labels, self.notes = {}, [], {}, {}, []
        self.requests, self.problems = [], []
        self.page_size, self.next_id = 100, 500
        self.faults, self.before, self.lock = [], None, threading.RLock()
        self.begin_team()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                server.handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/api/v4"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    git, fault, stumble, send = GitHub.git, GitHub.fault, GitHub.stumble, staticmethod(GitHub.send)

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def add_merge(self, iid, branch, **more):
        self.merges[iid] = {"iid": iid, "branch": branch, "title": f"Change {iid}", "description": "", "state": "opened", "draft": False, "labels": [], "source": 2, "target": "main", **more}
        self.move_head(iid, branch)
        return self.merges[iid]

    def identity(self):
        self.next_id += 1
        return self.next_id

    def check(self, method, path, query, body):
        for known, pattern, queries, may, must in DOCUMENTED:
            if known == method and re.fullmatch(pattern, path):
                sent = set(body or {})
                if set(query) - queries or sent - may or must - sent:
                    self.problems.append(f"{method} {path}: {sorted(query)} {sorted(sent)}")
                if "position" in sent and set(body["position"]) - POSITION:
                    self.problems.append(f"{method} {path}: position {sorted(body['position'])}")
                for name, value in (body or {}).items():
                    state = path.split("/")[3] == "statuses" and name == "state" and value not in ("pending", "running", "success", "failed", "canceled", "skipped")
                    if state or (name in WORDS and value not in WORDS[name]) or (name in TEXTS and not isinstance(value, str)):
                        self.problems.append(f"{method} {path}: {name} is {value!r}")
                return
        self.problems.append(f"{method} {path} is not documented")

    def handle(self, http):
        parts = urlsplit(http.path)
        length = int(http.headers.get("Content-Length") or 0)
        body = json.loads(http.rfile.read(length)) if length else None
        query = parse_qs(parts.query)
        path = parts.path.removeprefix("/api/v4")
        self.requests.append((http.command, http.path))
        self.check(http.command, path, query, body)
        if self.before:
            self.before(http.command, http.path)
        for fault in self.faults:
            if fault["times"] > 0 and fault["method"] == http.command and fault["part"] in http.path:
                fault["times"] -= 1
                return self.stumble(http, fault, path, query, body)
        if http.headers.get("PRIVATE-TOKEN") != self.token:
            status, answer = 401, {"message": "401 Unauthorized"}
        else:
            with self.lock:
                status, answer = self.answer(http, path, query, body)
        headers = {}
        if isinstance(answer, str):
            return self.send_text(http, answer)
        if isinstance(answer, list):  # as older versions page: no Link
            number, size = int(query.get("page", ["1"])[0]), min(int(query["per_page"][0]), self.page_size)
            headers["X-Next-Page"] = str(number + 1) if number * size < len(answer) else ""
            answer = answer[(number - 1) * size:number * size]
        GitHub.send(http, status, answer, headers)

    def merge_json(self, merge):
        head = self.head_of(merge["iid"])
        base = self.git("rev-parse", merge["target"])
        return {"iid": merge["iid"], "title": merge["title"], "description": merge["description"], "state": merge["state"], "draft": merge["draft"] or merge["title"].startswith("Draft: "),
                "labels": merge["labels"], "web_url": f"https://gitlab.com/{self.project}/-/merge_requests/{merge['iid']}", "author": {"id": 7, "username": "somebody"}, "sha": head,
                "source_branch": merge["branch"], "target_branch": merge["target"], "source_project_id": merge["source"], "target_project_id": 1,
                "diff_refs": {"base_sha": base, "start_sha": base, "head_sha": head}, "merge_commit_sha": None, "squash_commit_sha": None}

    def answer(self, http, path, query, body):
        method, parts = http.command, [unquote(part) for part in path.strip("/").split("/")]
        if parts == ["user"]:
            return 200, self.user(self.login)
        if parts == ["users"]:
            return 200, [self.user(name) for name in query["username"] if name in self.people()]
        if parts[1] != self.project:
            return 404, {"message": "404 Project Not Found"}
        kind, rest = parts[2], parts[3:]
        call = {"merge_requests": self.merge_requests, "issues": self.issues_call, "labels": self.labels_call, **self.team_calls()}[kind]
        return call(method, rest, query, body)

    def merge_requests(self, method, rest, query, body):
        if not rest and method == "GET":
            wanted = query.get("source_branch", [None])[0]
            return 200, [self.merge_json(merge) for merge in self.merges.values() if wanted in (None, merge["branch"]) and merge["state"] == query["state"][0]]
        if not rest:
            iid = max(self.merges, default=0) + 1
            self.add_merge(iid, body["source_branch"], title=body["title"], description=body["description"], source=1, target=body["target_branch"])
            return 201, self.merge_json(self.merges[iid])
        iid = int(rest[0])
        if iid not in self.merges:
            return 404, {"message": "404 Not found"}
        if rest[1:] == ["diffs"]:
            return 200, self.diffs(iid)
        if rest[1:]:
            return self.talking(method, iid, rest[1:], body)
        if method == "PUT":
            self.merges[iid].update(body)
        return 200, self.merge_json(self.merges[iid])

    def diffs(self, iid):
        head, base = f"refs/merge-requests/{iid}/head", self.merges[iid]["target"]
        files = []
        for name in self.git("diff", "--name-only", f"{base}...{head}").splitlines():
            diff = self.git("diff", f"{base}...{head}", "--", name)
            files.append({"old_path": name, "new_path": name, "diff": "@@" + diff.split("\n@@", 1)[1] + "\n"})
        return files

    def issues_json(self, issue):
        return {"iid": issue["iid"], "title": issue["title"], "description": issue["description"], "state": issue["state"], "web_url": f"https://gitlab.com/{self.project}/-/issues/{issue['iid']}"}

    def labels_call(self, _method, _rest, _query, body):
        if body["name"] in self.labels:
            return 409, {"message": "Label already exists"}
        self.labels[body["name"]] = body
        return 201, body

    def issues_call(self, method, rest, query, body):
        if not rest and method == "GET":
            wanted = query.get("labels", [""])[0]
            return 200, [self.issues_json(issue) for issue in self.issues.values() if not wanted or wanted in issue["labels"]]
        if not rest:
            iid = len(self.issues) + 1
            self.issues[iid] = {"iid": iid, "title": body["title"], "description": body["description"], "labels": body["labels"].split(","), "state": "opened"}
            return 201, self.issues_json(self.issues[iid])
        issue = self.issues[int(rest[0])]
        if rest[1:] == ["notes"] and method == "GET":
            return 200, [{"id": 1, "body": text} for text in self.notes]
        if rest[1:] == ["notes"]:
            self.notes.append(body["body"])
            return 201, {"id": self.identity(), "body": body["body"]}
        if method == "PUT" and body["state_event"] == "reopen":
            issue["state"] = "opened"
        return 200, self.issues_json(issue)
