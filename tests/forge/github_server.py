"""A small GitHub on this machine: keeps pull requests, reviews, comments, issues and labels, pages its lists, and stumbles when told to. Its answers are the
examples of GitHub's own API description with our values in them; every exchange is written down, so that it can be held against that description."""

import copy
import json
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from github_team import Team
from workflow import may


class Description:
    """GitHub's OpenAPI document: examples to answer with."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.document = json.load(file)

    def example(self, name):
        value = copy.deepcopy(self.document["components"]["examples"][name]["value"])
        return value[0] if isinstance(value, list) else value


class LogStore:
    """Another server, with the logs: whoever sends it a token has given it away."""

    def __init__(self, logs):
        self.tokens = []
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                store.tokens += [value for name, value in self.headers.items() if name.lower() in ("authorization", "private-token", "cookie")]
                data = logs[int(self.path.strip("/"))].encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def fork_of(fork, project):
    """Whose branch it is: False = the project's own, True = somebody's, a name, or None where the fork is gone."""
    return {False: project, True: "somebody/app"}.get(fork, fork)


class Server(Team):
    def __init__(self, description, remote, project="team/app", token="", login="emend-user"):
        self.description, self.remote, self.project, self.token, self.login = description, remote, project, token, login
        self.pulls, self.reviews, self.comments, self.talk, self.issues, self.labels = {}, {}, {}, {}, {}, {}
        self.exchanges, self.requests, self.faults = [], [], []
        self.page_size = 100
        self.login_type, self.may_ask_user = "User", True
        self.before = None  # called with (method, path) before a request is answered
        self.next_id = 1000
        self.begin_team()
        self.store = LogStore(self.logs)
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
        self.port = self.http.server_address[1]
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def close(self):
        self.store.close()
        self.http.shutdown()
        self.http.server_close()

    # --- what tests arrange ---------------------------------------------------------------------------------------------------

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.remote, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def fault(self, method, part, action, times=1, **more):
        """action: "drop" (the connection ends unanswered), "hang" (after a long silence), "drop_after" (what was asked is done first), "answer" (status, body, headers)."""
        self.faults.append({"method": method, "part": part, "action": action, "times": times, **more})

    def add_pull(self, number, head_branch, base_branch="main", author="somebody", **more):
        pull = {"number": number, "head": head_branch, "base": base_branch, "author": author, "title": f"Change {number}", "body": "", "state": "open", "draft": False,
                "merged": False, "labels": [], "fork": True, **more}
        self.pulls[number] = pull
        self.move_head(number, head_branch)
        return pull

    def move_head(self, number, branch):
        head = self.git("rev-parse", branch)
        self.git("update-ref", f"refs/pull/{number}/head", head)
        self.pushes["refs/heads/" + self.pulls[number]["head"]] = (head, self.moment())

    def head_of(self, number):
        return self.git("rev-parse", f"refs/pull/{number}/head")

    def add_review_comment(self, number, author, path, line, body, kind="User", reply_to=None):
        return self.keep(self.comments, {"pull": number, "author": author, "type": kind, "path": path, "line": line, "body": body, "commit": self.head_of(number), "reply_to": reply_to})

    def keep(self, table, row):
        with self.lock:
            self.next_id += 1
            row["id"] = self.next_id
            row["created_at"] = self.moment()
            table[row["id"]] = row
            return row

    def count(self, method, part):
        return len([1 for seen_method, path in self.requests if seen_method == method and part in path])

    # --- answers ----------------------------------------------------------------------------------------------------------------

    def user(self, login, kind="User"):
        user = self.description.example("pull-request")["user"]
        return {**user, "login": login, "type": kind}

    def web(self, path):
        return f"https://github.com/{self.project}/{path}"

    def pull_json(self, pull, simple=False):
        answer = self.description.example("pull-request-simple-items" if simple else "pull-request")
        head, base = self.head_of(pull["number"]), self.git("rev-parse", pull["base"])
        project = fork_of(pull["fork"], self.project)
        label = self.description.example("label")
        answer.update({"number": pull["number"], "title": pull["title"], "body": pull["body"], "state": pull["state"], "draft": pull["draft"],
                       "html_url": self.web(f"pull/{pull['number']}"), "user": self.user(pull["author"]),
                       "labels": [{**label, "name": name} for name in pull["labels"]], "merged_at": "2026-01-01T00:00:00Z" if pull["merged"] else None,
                       "merge_commit_sha": base, "requested_teams": []})  # the example has one without a type, which must have one
        if not simple:
            answer["merged"] = pull["merged"]
        answer["head"].update({"ref": pull["head"], "sha": head, "label": f"{(project or 'unknown').split('/')[0]}:{pull['head']}"})
        answer["head"]["repo"] = {**answer["head"]["repo"], "full_name": project} if project else None
        answer["base"].update({"ref": pull["base"], "sha": base})
        answer["base"]["repo"].update({"full_name": self.project})
        return answer

    def review_json(self, review):
        answer = self.description.example("pull-request-review")
        answer.update({"id": review["id"], "body": review["body"], "state": "COMMENTED", "user": self.user(review["author"], review["type"]), "commit_id": review["commit"],
                       "html_url": self.web(f"pull/{review['pull']}#pullrequestreview-{review['id']}")})
        return answer

    def comment_json(self, comment):
        answer = self.description.example("pull-request-review-comment-items")
        answer.update({"id": comment["id"], "body": comment["body"], "path": comment["path"], "line": comment["line"], "original_line": comment["line"] or 1,
                       "user": self.user(comment["author"], comment["type"]), "commit_id": comment["commit"], "original_commit_id": comment["commit"], "side": "RIGHT",
                       "html_url": self.web(f"pull/{comment['pull']}#discussion_r{comment['id']}"), "pull_request_url": f"{self.url}/repos/{self.project}/pulls/{comment['pull']}",
                       "created_at": comment["created_at"], "updated_at": comment.get("edited_at", comment["created_at"])})
        answer.pop("in_reply_to_id", None)
        if comment.get("reply_to"):
            answer["in_reply_to_id"] = comment["reply_to"]
        return answer

    def talk_json(self, comment):
        answer = self.description.example("issue-comment")
        answer.update({"id": comment["id"], "body": comment["body"], "user": self.user(comment["author"], comment["type"]), "issue_url": f"{self.url}/repos/{self.project}/issues/{comment['pull']}",
                       "created_at": comment["created_at"], "updated_at": comment.get("edited_at", comment["created_at"])})
        return answer

    def issue_json(self, issue):
        answer = self.description.example("issue")
        answer.pop("pull_request", None)
        label = self.description.example("label")
        answer.update({"number": issue["number"], "title": issue["title"], "body": issue["body"], "state": issue["state"], "html_url": self.web(f"issues/{issue['number']}"),
                       "labels": [{**label, "name": name} for name in issue["labels"]], "user": self.user(issue.get("author", self.login))})
        if issue.get("is_pull"):
            answer["pull_request"] = {"url": "https://api.github.com/x", "html_url": "https://github.com/x", "diff_url": "https://github.com/x.diff", "patch_url": "https://github.com/x.patch"}
        return answer

    def files_json(self, pull):
        base, head = self.git("rev-parse", pull["base"]), self.head_of(pull["number"])
        files = []
        for line in self.git("diff", "--name-status", "--no-renames", f"{base}...{head}").splitlines():
            status, name = line.split("\t")
            diff = self.git("diff", "--no-renames", f"{base}...{head}", "--", name)
            answer = self.description.example("diff-entry-items")
            patch = "@@" + diff.split("\n@@", 1)[1] if "\n@@" in diff else ""
            answer.update({"filename": name, "status": {"A": "added", "D": "removed"}.get(status, "modified"), "patch": patch})
            files.append(answer)
        return files

    # --- requests ---------------------------------------------------------------------------------------------------------------

    def handle(self, http):
        parts = urlsplit(http.path)
        length = int(http.headers.get("Content-Length") or 0)
        raw = http.rfile.read(length)
        body = json.loads(raw) if raw else None
        path = unquote(parts.path)
        self.requests.append((http.command, http.path))
        if self.before:
            self.before(http.command, http.path)
        for fault in self.faults:
            if fault["times"] > 0 and fault["method"] == http.command and fault["part"] in http.path:
                fault["times"] -= 1
                return self.stumble(http, fault, path, parse_qs(parts.query), body)
        job = re.fullmatch(r"/repos/[^/]+/[^/]+/actions/jobs/(\d+)/logs", path)
        if job:
            return self.send_log(http, int(job.group(1)))
        with self.lock:
            status, answer = self.answer(http, path, parse_qs(parts.query), body)
        headers = {}
        if isinstance(answer, list):
            answer, headers = self.page(answer, parts)
        for member in ("workflow_runs", "jobs", "check_runs", "statuses") if isinstance(answer, dict) and "total_count" in answer else ():
            if member in answer:
                answer[member], headers = self.page(answer[member], parts)
        self.exchanges.append({"method": http.command, "path": path, "query": parts.query, "request": body, "status": status, "answer": answer})
        self.send(http, status, answer, headers)

    def send_log(self, http, job):
        """Logs are kept elsewhere: the address is given, and the token has no business there."""
        assert http.headers.get("Authorization") == f"Bearer {self.token}"
        self.send(http, 302, {}, {"Location": f"{self.store.url}/{job}"})

    def stumble(self, http, fault, path, query, body):
        if fault["action"] == "drop_after":
            with self.lock:
                self.answer(http, path, query, body)
        if fault["action"] == "hang":  # longer than anybody waits
            time.sleep(40)
        if fault["action"] != "answer":
            http.close_connection = True
            return http.connection.shutdown(2)
        self.send(http, fault["status"], fault.get("body", {"message": "told to"}), fault.get("headers", {}))

    @staticmethod
    def send(http, status, answer, headers):
        data = json.dumps(answer).encode()
        http.send_response(status)
        for name, value in headers.items():
            http.send_header(name, value)
        http.send_header("Content-Type", "application/json; charset=utf-8")
        http.send_header("Content-Length", str(len(data)))
        http.end_headers()
        http.wfile.write(data)

    def page(self, rows, parts):
        query = parse_qs(parts.query)
        size = min(int(query.get("per_page", ["30"])[0]), self.page_size)
        number = int(query.get("page", ["1"])[0])
        headers = {}
        if number * size < len(rows):
            rest = "&".join(piece for piece in parts.query.split("&") if not piece.startswith("page="))
            headers["Link"] = f'<{self.url}{parts.path}?{rest}&page={number + 1}>; rel="next", <{self.url}{parts.path}?{rest}&page=99>; rel="last"'
        return rows[(number - 1) * size:number * size], headers

    def answer(self, http, path, query, body):
        given = http.headers.get("Authorization", "")
        permissions = self.scoped.get(given.removeprefix("Bearer "))
        if permissions is not None:
            graph = body["query"] if path == "/graphql" else ""
            if path == "/user" or not may(permissions, http.command, path.removeprefix(f"/repos/{self.project}"), graph):
                return 403, {"message": "Resource not accessible by integration", "documentation_url": "https://docs.github.com/rest"}
        elif self.reader and given == f"Bearer {self.reader}":
            self.read.append((http.command, path))
            if http.command != "GET" and path != "/graphql":
                return 403, {"message": "Resource not accessible by integration", "documentation_url": "https://docs.github.com/rest"}
        elif self.token and given != f"Bearer {self.token}":
            return 401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"}
        assert http.headers.get("X-GitHub-Api-Version") == "2022-11-28" and http.headers.get("Accept") == "application/vnd.github+json", dict(http.headers)
        if path == "/user":
            if not self.may_ask_user:
                return 403, {"message": "Resource not accessible by integration", "documentation_url": "https://docs.github.com/rest"}
            return 200, {**self.description.example("private-user-response-with-public-profile-information"), "login": self.login}
        if path == "/graphql" and http.command == "POST":
            return self.graph(body)
        prefix = f"/repos/{self.project}"
        if not path.startswith(prefix):
            return 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}
        for method, pattern, call in self.routes():
            found = re.fullmatch(pattern, path[len(prefix):])
            if found and method == http.command:
                return call(*[int(group) if group.isdigit() else group for group in found.groups()], query, body)
        return 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}

    def routes(self):
        number = r"(\d+)"
        return [*self.team_routes(), ("GET", "/pulls", self.list_pulls), ("POST", "/pulls", self.create_pull), ("GET", f"/pulls/{number}", self.get_pull), ("PATCH", f"/pulls/{number}", self.patch_pull),
                ("GET", f"/pulls/{number}/files", self.get_files), ("GET", f"/pulls/{number}/reviews", self.list_reviews), ("POST", f"/pulls/{number}/reviews", self.create_review),
                ("PUT", f"/pulls/{number}/reviews/{number}", self.put_review), ("GET", f"/pulls/{number}/comments", self.list_comments),
                ("PATCH", f"/pulls/comments/{number}", self.patch_comment), ("POST", f"/pulls/{number}/requested_reviewers", self.request_reviewers),
                ("GET", f"/issues/{number}/comments", self.list_talk), ("POST", f"/issues/{number}/comments", self.create_talk), ("PATCH", f"/issues/comments/{number}", self.patch_talk),
                ("GET", "/issues", self.list_issues), ("POST", "/issues", self.create_issue), ("GET", f"/issues/{number}", self.get_issue), ("PATCH", f"/issues/{number}", self.patch_issue),
                ("POST", "/labels", self.create_label)]

    @staticmethod
    def missing():
        return 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}

    @staticmethod
    def invalid(message):
        return 422, {"message": "Validation Failed", "errors": [{"resource": "X", "field": "x", "code": "custom", "message": message}], "documentation_url": "https://docs.github.com/rest"}

    def list_pulls(self, query, _):
        owner, branch = query.get("head", [":"])[0].split(":", 1)
        rows = [pull for pull in self.pulls.values() if pull["state"] == query.get("state", ["open"])[0] and (not branch or (pull["head"] == branch and owner == self.project.split("/")[0] and not pull["fork"]))]
        return 200, [self.pull_json(pull, simple=True) for pull in rows]

    def create_pull(self, _, body):
        if any(pull["head"] == body["head"] and pull["state"] == "open" for pull in self.pulls.values()):
            return self.invalid(f"A pull request already exists for {body['head']}.")
        number = max([*self.pulls, *[issue["number"] for issue in self.issues.values()], 0]) + 1
        pull = self.add_pull(number, body["head"], body["base"], self.login, title=body["title"], body=body["body"], draft=body.get("draft", False), fork=False)
        return 201, self.pull_json(pull)

    def get_pull(self, number, *_):
        return (200, self.pull_json(self.pulls[number])) if number in self.pulls else self.missing()

    def patch_pull(self, number, _, body):
        self.pulls[number].update({key: value for key, value in body.items() if key in ("title", "body", "state")})
        return 200, self.pull_json(self.pulls[number])

    def get_files(self, number, *_):
        return 200, self.files_json(self.pulls[number])

    def list_reviews(self, number, *_):
        return 200, [self.review_json(review) for review in self.reviews.values() if review["pull"] == number]

    def create_review(self, number, _, body):
        shown = {}
        for file in self.files_json(self.pulls[number]):
            lines, at = set(), 0
            for line in file["patch"].splitlines():
                start = re.match(r"@@ -\d+(?:,\d+)? \+(\d+)", line)
                if start:
                    at = int(start.group(1))
                elif not line.startswith(("-", "\\")):
                    lines.add(at)
                    at += 1
            shown[file["filename"]] = lines
        for comment in body.get("comments", []):
            if comment["line"] not in shown.get(comment["path"], ()) or comment.get("start_line", comment["line"]) not in shown[comment["path"]]:
                return 422, {"message": "Unprocessable Entity", "errors": ["Line must be part of the diff"], "documentation_url": "https://docs.github.com/rest"}
        review = self.keep(self.reviews, {"pull": number, "author": self.login, "type": self.login_type, "body": body["body"], "commit": body["commit_id"], "event": body["event"], "sent": body})
        for comment in body.get("comments", []):
            self.keep(self.comments, {"pull": number, "author": self.login, "type": self.login_type, "path": comment["path"], "line": comment["line"], "start_line": comment.get("start_line"), "body": comment["body"],
                                      "commit": body["commit_id"]})
        return 200, self.review_json(review)

    def put_review(self, number, identity, _, body):
        self.reviews[identity]["body"] = body["body"]
        return 200, self.review_json(self.reviews[identity])

    def list_comments(self, number, *_):
        return 200, [self.comment_json(comment) for comment in self.comments.values() if comment["pull"] == number]

    def patch_comment(self, identity, _, body):
        self.comments[identity]["body"] = body["body"]
        return 200, self.comment_json(self.comments[identity])

    def request_reviewers(self, number, _, body):
        self.pulls[number]["reviewers"] = body
        return 201, self.pull_json(self.pulls[number], simple=True)

    def list_talk(self, number, *_):
        return 200, [self.talk_json(comment) for comment in self.talk.values() if comment["pull"] == number]

    def create_talk(self, number, _, body):
        return 201, self.talk_json(self.keep(self.talk, {"pull": number, "author": self.login, "type": self.login_type, "body": body["body"]}))

    def patch_talk(self, identity, _, body):
        self.talk[identity]["body"] = body["body"]
        return 200, self.talk_json(self.talk[identity])

    def list_issues(self, query, _):
        wanted = query.get("labels", [""])[0]
        if "since" in query:
            return 200, [self.issue_json({"number": pull["number"], "title": pull["title"], "body": "", "state": "open", "labels": [], "is_pull": True}) for pull in self.pulls.values() if pull["state"] == "open"]
        rows = [issue for issue in self.issues.values() if not wanted or wanted in issue["labels"]]
        return 200, [self.issue_json(issue) for issue in sorted(rows, key=lambda issue: -issue["number"])]

    def create_issue(self, _, body):
        number = max([*self.pulls, *[issue["number"] for issue in self.issues.values()], 0]) + 1
        issue = {"number": number, "state": "open", "title": body["title"], "body": body["body"], "labels": body.get("labels", [])}
        self.issues[number] = issue
        for label in issue["labels"]:
            self.labels.setdefault(label, {})
        return 201, self.issue_json(issue)

    def get_issue(self, number, *_):
        return (200, self.issue_json(self.issues[number])) if number in self.issues else self.missing()

    def patch_issue(self, number, _, body):
        self.issues[number].update(body)
        return 200, self.issue_json(self.issues[number])

    def create_label(self, _, body):
        if body["name"] in self.labels:
            return 422, {"message": "Validation Failed", "errors": [{"resource": "Label", "code": "already_exists", "field": "name"}], "documentation_url": "https://docs.github.com/rest"}
        self.labels[body["name"]] = body
        return 201, {**self.description.example("label"), **body}
