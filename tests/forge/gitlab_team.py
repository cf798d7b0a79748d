"""The part of the small GitLab that is about how commits stand, who may do what, threads and pipelines. What tests arrange and look at has the names it has at the
small GitHub."""

import time

PROJECT = r"/projects/[^/]+"
MERGE = PROJECT + r"/merge_requests/\d+"
PAGES = {"per_page", "page"}
DOCUMENTED_TEAM = [
    ("POST", PROJECT + r"/statuses/[0-9a-f]{40}", set(), {"state", "ref", "name", "context", "target_url", "description", "coverage", "pipeline_id"}, {"state"}),
    ("GET", PROJECT + r"/members/all/\d+", set(), set(), set()),
    ("GET", MERGE + r"/resource_label_events", PAGES, set(), set()),
    ("GET", MERGE + r"/versions", PAGES, set(), set()),
    ("GET", PROJECT + r"/repository/branches/[^/]+", set(), set(), set()),
    ("PUT", MERGE + r"/discussions/\w+", set(), {"resolved"}, {"resolved"}),
    ("POST", MERGE + r"/discussions/\w+/notes", set(), {"body"}, {"body"}),
    ("GET", MERGE + r"/notes/\d+", set(), set(), set()),
    ("POST", MERGE + r"/notes/\d+/award_emoji", set(), {"name"}, {"name"}),
    ("GET", PROJECT + r"/pipelines", {"sha", *PAGES}, set(), set()),
    ("GET", PROJECT + r"/pipelines/\d+", set(), set(), set()),
    ("GET", PROJECT + r"/pipelines/\d+/jobs", PAGES, set(), set()),
    ("GET", PROJECT + r"/jobs/\d+/trace", set(), set(), set()),
    ("POST", PROJECT + r"/jobs/\d+/retry", set(), set(), set()),
]
LEVELS = {"write": 30, "read": 20}


class Team:
    def begin_team(self):
        self.statuses, self.reactions, self.rights, self.label_events, self.versions = [], [], {}, [], {}
        self.runs, self.resolved, self.guarded, self.restarted = {}, {}, {"main"}, []
        self.moments = 0

    # --- what tests arrange and look at

    def moment(self):
        self.moments += 1
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + self.moments))

    def people(self):
        return [self.login, *self.rights]

    def user(self, name):
        return {"id": 9 + (self.people().index(name) if name in self.people() else 90), "username": name, "name": name, "state": "active"}

    def add_pull(self, number, branch, base="main", fork=False, body="", **more):
        return self.add_merge(number, branch, source={False: 1, True: 2, None: None}.get(fork, 3), target=base, description=body, **{key: value for key, value in more.items() if key == "title"})

    def move_head(self, number, branch):
        head = self.git("rev-parse", branch)
        self.git("update-ref", f"refs/merge-requests/{number}/head", head)
        self.versions.setdefault(number, []).insert(0, {"id": self.identity(), "head_commit_sha": head, "created_at": self.moment(), "state": "collected"})

    def head_of(self, number):
        return self.git("rev-parse", f"refs/merge-requests/{number}/head")

    def note(self, author, body, **more):
        now = self.moment()
        return {"id": self.identity(), "body": body, "author": self.user(author), "system": False, "created_at": now, "updated_at": more.pop("edited_at", now),
                "resolvable": "position" in more, "resolved": False, "noteable_type": "MergeRequest", **more}

    def begin_thread(self, number, author, body, **more):
        note = self.note(author, body, **more)
        self.threads.append({"id": f"thread{note['id']}", "iid": number, "notes": [note]})
        return self.threads[-1]

    def comment(self, number, author, body, kind="User", **more):
        return self.begin_thread(number, author, body, **more)["notes"][0]

    def put_label(self, number, name, login, kind="User"):
        self.merges[number]["labels"].append(name)
        self.label_events.append({"id": self.identity(), "iid": number, "user": self.user(login), "created_at": self.moment(), "label": {"name": name}, "action": "add"})

    def add_job(self, sha, name, conclusion="failure", log="", status="completed", **more):
        identity = self.identity()
        word = {"failure": "failed", "timed_out": "failed", "cancelled": "canceled", "success": "success"}[conclusion] if status == "completed" else "running"
        why = {"failure": "script_failure", "timed_out": "job_execution_timeout"}.get(conclusion)
        self.runs[identity] = {"id": identity, "sha": sha, "name": name, "status": word, "failure_reason": why, "allow_failure": False, "log": log, "web_url": f"https://gitlab.com/{self.project}/-/jobs/{identity}", **more}
        return identity

    def said(self, number):
        return [note for thread in self.threads if thread["iid"] == number for note in thread["notes"] if note["author"]["username"] == self.login]

    def receipt_bodies(self, number):
        return [note["body"] for note in self.said(number) if "fp=commands" in note["body"]]

    def answers(self):
        return [note["body"] for thread in self.threads for note in thread["notes"][1:] if note["author"]["username"] == self.login]

    def inline(self):
        return [thread["notes"][0] for thread in self.threads if thread["notes"][0]["resolvable"]]

    def proposed(self):
        merge = self.merges[max(self.merges)]
        return {"number": merge["iid"], "base": merge["target"], "head": merge["branch"], "draft": merge["title"].startswith("Draft: "), "body": merge["description"]}

    def count_pulls(self):
        return len(self.merges)

    def set_merged(self, number):
        self.merges[number]["state"] = "merged"

    def answer_as(self, note, login, body):
        thread = next(thread for thread in self.threads if thread["notes"][0] is note)
        thread["notes"].append(self.note(login, body, **({"position": note["position"]} if "position" in note else {})))
        return thread["notes"][-1]

    def resolve_as(self, note, login):
        note.update({"resolved": True, "resolved_by": self.user(login)})

    def edit_body(self, number, body):
        self.merges[number]["description"] = body

    # --- answers

    def team_calls(self):
        return {"statuses": self.status_call, "members": self.member_call, "repository": self.branch_call, "pipelines": self.pipeline_call, "jobs": self.job_call}

    def status_call(self, _method, rest, _query, body):
        last = next((row for row in reversed(self.statuses) if (row["sha"], row["context"]) == (rest[0], body["name"])), None)
        if last and last["raw"] == body["state"] == "running":
            return 400, {"message": "Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")"}
        state = {"running": "pending", "failed": "failure", "canceled": "error", "success": "success"}[body["state"]]
        self.statuses.append({"sha": rest[0], "context": body["name"], "state": state, "raw": body["state"], "description": body.get("description", "")})
        return 201, {"id": self.identity(), "sha": rest[0], "name": body["name"], "status": body["state"], "description": body.get("description")}

    def member_call(self, _method, rest, _query, _body):
        name = next((name for name in self.people() if self.user(name)["id"] == int(rest[1])), None)
        right = self.rights.get(name)
        level = 40 if name == self.login else 30 if right == "blocked" else LEVELS.get(right)
        state = "blocked" if right == "blocked" else "active"  # who is blocked stays a member
        return (200, {**self.user(name), "access_level": level, "state": state}) if level else (404, {"message": "404 Not found"})

    def branch_call(self, _method, rest, _query, _body):
        name = rest[1]
        return 200, {"name": name, "protected": name in self.guarded, "default": name == "main", "commit": {"id": self.git("rev-parse", name)}}

    def talking(self, method, iid, rest, body):
        threads = [thread for thread in self.threads if thread["iid"] == iid]
        notes = {note["id"]: note for thread in threads for note in thread["notes"]}
        if rest[0] == "versions":
            return 200, self.versions[iid]
        if rest[0] == "resource_label_events":
            return 200, [event for event in self.label_events if event["iid"] == iid]
        if rest == ["discussions"] and method == "GET":
            return 200, threads
        if rest == ["discussions"]:
            return 201, self.begin_thread(iid, self.login, body["body"], position=body["position"])
        if rest == ["notes"]:
            return 201, self.begin_thread(iid, self.login, body["body"])["notes"][0]
        if rest[0] == "discussions":
            thread = next(thread for thread in threads if thread["id"] == rest[1])
            if rest[2:]:
                thread["notes"].append(self.note(self.login, body["body"]))
                return 201, thread["notes"][-1]
            self.resolve_as(thread["notes"][0], self.login)
            self.resolved[thread["id"]] = self.login
            return 200, thread
        note = notes.get(int(rest[1]))
        if note is None:
            return 404, {"message": "404 Note Not Found"}
        if rest[2:] == ["award_emoji"]:
            self.reactions.append((note["id"], body["name"]))
            return 201, {"id": self.identity(), "name": body["name"]}
        if method == "PUT":
            note["body"] = body["body"]
        return 200, note

    def pipeline_call(self, _method, rest, query, _body):
        if not rest:
            shas = [sha for sha in {run["sha"]: None for run in self.runs.values()} if sha == query["sha"][0]]
            return 200, [self.pipeline_json(sha) for sha in shas]
        sha = next(run["sha"] for run in self.runs.values() if self.pipeline_of(run["sha"]) == int(rest[0]))
        if not rest[1:]:
            return 200, self.pipeline_json(sha)
        return 200, [{key: value for key, value in run.items() if key not in ("log", "sha")} for run in self.runs.values() if run["sha"] == sha]

    @staticmethod
    def pipeline_of(sha):
        return int(sha[:7], 16)

    def pipeline_json(self, sha):
        branch = next((merge["branch"] for merge in self.merges.values() if self.head_of(merge["iid"]) == sha), "main")
        return {"id": self.pipeline_of(sha), "sha": sha, "ref": branch, "status": "failed"}

    def job_call(self, _method, rest, _query, _body):
        run = self.runs[int(rest[0])]
        if rest[1] == "retry":
            self.restarted.append(run["name"])
            return 201, {"id": self.identity(), "name": run["name"], "status": "pending"}
        return 200, run["log"]

    @staticmethod
    def send_text(http, text):
        data = text.encode()
        http.send_response(200)
        http.send_header("Content-Type", "text/plain")
        http.send_header("Content-Length", str(len(data)))
        http.end_headers()
        http.wfile.write(data)
