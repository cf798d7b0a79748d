"""A small Gitea on this machine. Every request, and every answer, is held against Gitea's description of its API. What tests arrange and look at has the names it has at
the small GitHub."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from github_server import Server as GitHub, fork_of
from gitlab_team import Team as GitLab

REACTIONS = {"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}


class Server:
    def __init__(self, described, remote, project, token, login="emend-user"):
        self.described, self.remote, self.project, self.token, self.login = described, remote, project, token, login
        self.pulls, self.reviews, self.comments, self.talk, self.timeline, self.issues, self.labels = {}, {}, {}, {}, [], {}, {}
        self.statuses, self.reactions, self.rights, self.guarded, self.restarted = [], [], {}, {"release"}, []
        self.requests, self.problems, self.faults, self.resolved = [], [], [], {}
        self.page_size, self.next_id, self.moments, self.before = 100, 700, 0, None
        self.lock = threading.RLock()
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
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/api/v1"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    git, fault, stumble, page, proposed, count_pulls, edit_body = GitHub.git, GitHub.fault, GitHub.stumble, GitHub.page, GitHub.proposed, GitHub.count_pulls, GitHub.edit_body
    send, send_text = staticmethod(GitHub.send), staticmethod(GitLab.send_text)

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    # --- what tests arrange and look at

    def moment(self):
        self.moments += 1
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.moments))

    def keep(self, table, row):
        with self.lock:
            self.next_id += 1
            row["id"] = self.next_id
            row.setdefault("created_at", self.moment())
            table[row["id"]] = row
            return row

    def happened(self, number, kind, login, **more):
        self.next_id += 1
        self.timeline.append({"number": number, "id": self.next_id, "type": kind, "user": self.user(login), "created_at": self.moment(), **more})

    def add_pull(self, number, branch, base="main", fork=False, title=None, body="", author="somebody", **_):
        known = number in self.pulls
        self.pulls[number] = {"number": number, "head": branch, "base": base, "title": title or f"Change {number}", "body": body, "fork": fork, "author": author, "state": "open",
                              "merged": False, "draft": (title or "").startswith("WIP: "), "labels": [], "created_at": self.moment()}
        self.set_head(number, branch)
        assert not known
        return self.pulls[number]

    def set_head(self, number, branch):
        head = self.git("rev-parse", branch)
        self.git("update-ref", f"refs/pull/{number}/head", head)
        return head

    def move_head(self, number, branch):
        head = self.set_head(number, branch)
        self.happened(number, "pull_push", "somebody", body=json.dumps({"is_force_push": False, "commit_ids": [head]}))

    def head_of(self, number):
        return self.git("rev-parse", f"refs/pull/{number}/head")

    def comment(self, number, author, body, kind="User", **more):
        return self.keep(self.talk, {"pull": number, "author": author, "body": body, **more})

    def put_label(self, number, name, login, kind="User"):
        self.pulls[number]["labels"].append(name)
        self.happened(number, "label", login, body="1", label=self.label_json(name))

    def add_job(self, sha, name, conclusion="failure", log="", status="completed", **_):
        state = {"failure": "failure", "timed_out": "error", "cancelled": "error", "success": "success"}[conclusion] if status == "completed" else "pending"
        self.statuses.append({"sha": sha, "context": name, "state": state, "description": log[:50]})

    def receipt_bodies(self, number):
        return [row["body"] for row in self.talk.values() if row["pull"] == number and row["author"] == self.login and "fp=commands" in row["body"]]

    def threads(self):
        places = {}
        for row in self.comments.values():
            places.setdefault((row["pull"], row["path"], row["line"]), []).append(row)
        return list(places.values())

    def inline(self):
        return [thread[0] for thread in self.threads()]

    def answers(self):
        return [row["body"] for thread in self.threads() for row in thread[1:] if row["author"] == self.login]

    def set_merged(self, number):
        self.pulls[number].update({"merged": True, "state": "closed"})

    def answer_as(self, comment, login, body):
        row = {name: comment[name] for name in ("pull", "path", "line", "commit", "review")}
        return self.keep(self.comments, {**row, "author": login, "body": body})

    @staticmethod
    def resolve_as(comment, login):
        comment["resolver"] = login

    # --- requests

    def handle(self, http):
        parts = urlsplit(http.path)
        raw = http.rfile.read(int(http.headers.get("Content-Length") or 0))
        body, query, path = json.loads(raw) if raw else None, parse_qs(parts.query), unquote(parts.path).removeprefix("/api/v1")
        self.requests.append((http.command, http.path))
        if self.before:
            self.before(http.command, http.path)
        for fault in self.faults:
            if fault["times"] > 0 and fault["method"] == http.command and fault["part"] in http.path:
                fault["times"] -= 1
                return self.stumble(http, fault, path, query, body)
        with self.lock:
            status, answer = self.answer(http, path, query, body)
        self.problems += self.described.problems(http.command, path, query, body, status, answer)
        if isinstance(answer, str):
            return self.send_text(http, answer)
        headers = {}
        if isinstance(answer, list) and "limit" in query:
            answer, headers = self.page(answer, parts._replace(query=parts.query.replace("limit=", "per_page=")))
            headers = {name: value.replace("per_page=", "limit=") for name, value in headers.items()}
        GitHub.send(http, status, answer, headers)

    def answer(self, http, path, query, body):
        if http.headers.get("Authorization") != f"token {self.token}":
            return 401, {"message": "token is required"}
        parts = path.strip("/").split("/")
        if parts == ["user"]:
            return 200, self.user(self.login)
        if parts[:3] != ["repos", *self.project.split("/")]:
            return 404, {"message": "not found"}
        rest = parts[3:]
        if not rest:
            return 200, {"full_name": self.project, "default_branch": "main"}
        return getattr(self, "on_" + rest[0])(http.command, rest[1:], query, body)

    def user(self, login):
        return {"id": 1 + sum(map(ord, login)), "login": login, "full_name": ""}

    def label_json(self, name):
        return {"id": 1 + list(self.labels).index(name) if name in self.labels else 99, "name": name}

    def pull_json(self, pull):
        head, web = self.head_of(pull["number"]), f"https://codeberg.org/{self.project}/pulls/{pull['number']}"
        project = fork_of(pull["fork"], self.project)
        return {"number": pull["number"], "title": pull["title"], "body": pull["body"], "html_url": web, "user": self.user(pull["author"]), "merged": pull["merged"], "state": pull["state"],
                "draft": pull["draft"], "labels": [self.label_json(name) for name in pull["labels"]], "created_at": pull["created_at"],
                "head": {"ref": pull["head"], "sha": head, "repo": {"full_name": project} if project else None},
                "base": {"ref": pull["base"], "sha": self.git("rev-parse", pull["base"]), "repo": {"full_name": self.project}}}

    def comment_json(self, row):
        return {"id": row["id"], "body": row["body"], "user": self.user(row["author"]), "created_at": row["created_at"], "updated_at": row.get("edited_at", row["created_at"]),
                "html_url": f"https://codeberg.org/{self.project}/pulls/{row['pull']}#issuecomment-{row['id']}", "issue_url": "",
                "pull_request_url": f"https://codeberg.org/{self.project}/pulls/{row['pull']}"}

    def inline_json(self, row):
        return {"id": row["id"], "body": row["body"], "path": row["path"], "position": row["line"], "original_position": 0, "commit_id": self.head_of(row["pull"]), "original_commit_id": row["commit"],
                "created_at": row["created_at"], "updated_at": row["created_at"], "user": self.user(row["author"]), "resolver": self.user(row["resolver"]) if row.get("resolver") else None,
                "html_url": f"https://codeberg.org/{self.project}/pulls/{row['pull']}#issuecomment-{row['id']}", "pull_request_review_id": row["review"]}

    def review_json(self, row):
        return {"id": row["id"], "body": row["body"], "user": self.user(row["author"]), "commit_id": row["commit"], "submitted_at": row["created_at"], "updated_at": row["created_at"], "state": "COMMENT",
                "comments_count": len([one for one in self.comments.values() if one["review"] == row["id"]]), "html_url": f"https://codeberg.org/{self.project}/pulls/{row['pull']}"}

    def on_pulls(self, method, rest, query, body):
        if not rest and method == "GET":
            return 200, [self.pull_json(pull) for pull in self.pulls.values() if pull["state"] == query["state"][0]]
        if not rest:
            number = max([*self.pulls, *self.issues], default=0) + 1
            return 201, self.pull_json(self.add_pull(number, body["head"], base=body["base"], title=body["title"], body=body["body"], author=self.login))
        if rest[0].endswith(".diff"):
            pull = self.pulls[int(rest[0].removesuffix(".diff"))]
            return 200, self.git("diff", f"{pull['base']}...{self.head_of(pull['number'])}") + "\n"
        number = int(rest[0])
        if number not in self.pulls:
            return 404, {"message": "not found"}
        if not rest[1:]:
            self.pulls[number].update(body or {})
            return 201 if method == "PATCH" else 200, self.pull_json(self.pulls[number])
        if rest[1] == "requested_reviewers":
            return 201, []
        reviews = [row for row in self.reviews.values() if row["pull"] == number]
        if rest[3:] == ["comments"]:
            return 200, [self.inline_json(row) for row in self.comments.values() if row["review"] == int(rest[2])]
        if method == "GET":
            return 200, [self.review_json(row) for row in reviews]
        if body["event"] not in ("COMMENT", "APPROVED", "REQUEST_CHANGES", "PENDING"):
            self.problems.append(f"event {body['event']}")
        row = self.keep(self.reviews, {"pull": number, "author": self.login, "body": body.get("body", ""), "commit": body["commit_id"]})
        self.happened(number, "review", self.login, review_id=row["id"], body=row["body"])
        for one in body.get("comments", []):
            self.keep(self.comments, {"pull": number, "author": self.login, "body": one["body"], "path": one["path"], "line": one["new_position"], "commit": body["commit_id"], "review": row["id"]})
        return 200, self.review_json(row)

    def on_issues(self, method, rest, query, body):
        if not rest and method == "GET":
            if query["type"] == ["pulls"]:
                return 200, [{"number": number, "title": pull["title"]} for number, pull in self.pulls.items() if pull["state"] == "open"]
            wanted = query.get("labels", [None])[0]
            return 200, [self.issue_json(issue) for issue in self.issues.values() if wanted is None or wanted in issue["labels"]]
        if not rest:
            number = max([*self.pulls, *self.issues], default=0) + 1
            names = [list(self.labels)[identity - 1] for identity in body["labels"]]
            self.issues[number] = {"number": number, "title": body["title"], "body": body["body"], "labels": names, "state": "open"}
            return 201, self.issue_json(self.issues[number])
        if rest[0] == "comments":
            return self.on_comment(method, int(rest[1]), rest[2:], body)
        number = int(rest[0])
        if rest[1:] == ["timeline"]:
            return 200, [{key: value for key, value in entry.items() if key != "number"} for entry in self.timeline if entry["number"] == number]
        if rest[1:] == ["comments"] and method == "GET":
            return 200, [self.comment_json(row) for row in self.talk.values() if row["pull"] == number]
        if rest[1:] == ["comments"]:
            return 201, self.comment_json(self.comment(number, self.login, body["body"]))
        if number not in self.issues:
            return 404, {"message": "not found"}
        self.issues[number].update(body or {})
        return 201 if method == "PATCH" else 200, self.issue_json(self.issues[number])

    def on_comment(self, method, identity, rest, body):
        if rest == ["reactions"]:
            if body["content"] not in REACTIONS:
                return 403, {"message": "reaction not allowed"}
            self.reactions.append((identity, body["content"]))
            return 201, {"content": body["content"], "user": self.user(self.login)}
        row = self.talk.get(identity) or self.comments.get(identity)
        entry = next((entry for entry in self.timeline if entry["id"] == identity), None)
        if row is None and entry is None:
            return 404, {"message": "not found"}
        if method == "GET":
            return 200, self.comment_json(row)
        if row is None:
            row = self.reviews[entry["review_id"]]
        row["body"] = body["body"]
        return 200, self.comment_json(row)

    def issue_json(self, issue):
        return {"number": issue["number"], "title": issue["title"], "body": issue["body"], "state": issue["state"], "html_url": f"https://codeberg.org/{self.project}/issues/{issue['number']}",
                "labels": [self.label_json(name) for name in issue["labels"]]}

    def on_labels(self, method, _rest, _query, body):
        if method == "GET":
            return 200, [self.label_json(name) for name in self.labels]
        self.labels[body["name"]] = body
        return 201, self.label_json(body["name"])

    def on_statuses(self, _method, rest, _query, body):
        if body["state"] not in ("pending", "success", "error", "failure", "warning"):
            self.problems.append(f"state {body['state']}")
        self.statuses.append({"sha": rest[0], **body})
        return 201, self.status_json(len(self.statuses), self.statuses[-1])

    @staticmethod
    def status_json(identity, row):
        return {"id": identity, "context": row["context"], "status": row["state"], "description": row.get("description", ""), "target_url": row.get("target_url", "")}

    def on_commits(self, _method, rest, _query, _body):
        rows = [self.status_json(identity, row) for identity, row in enumerate(self.statuses, 1) if row["sha"] == rest[0]]
        return 200, rows[::-1]

    def on_collaborators(self, _method, rest, _query, _body):
        if rest[0] not in self.rights:
            return 404, {"message": "not found"}
        return 200, {"permission": self.rights[rest[0]], "role_name": self.rights[rest[0]], "user": self.user(rest[0])}

    def on_branches(self, _method, rest, _query, _body):
        name = "/".join(rest)
        return 200, {"name": name, "protected": name in self.guarded, "commit": {"id": self.git("rev-parse", name)}}
