"""The part of the small GitHub that is about how commits stand, who may do what, threads and pipelines."""

import time


class Team:
    def begin_team(self):
        self.statuses, self.check_runs, self.reactions, self.rights, self.label_events = [], {}, [], {}, []
        self.runs, self.logs, self.resolved, self.pushes = {}, {}, {}, {}
        self.checks_allowed, self.moments = True, 0
        self.guarded, self.restarted = set(), []  # protected branches; pipelines that were started again
        self.reader, self.read = "", []  # a token that only reads, and what was asked with it
        self.scoped = {}  # tokens of a workflow's jobs, and what each is permitted

    def moment(self):
        """The forge's clock: every event has a second of its own."""
        self.moments += 1
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.moments))

    def put_label(self, number, name, login, kind="User"):
        self.pulls[number]["labels"].append(name)
        self.label_events.append({"number": number, "label": name, "actor": login, "type": kind, "at": self.moment()})

    def add_job(self, sha, name, conclusion="failure", log="", status="completed", **more):
        """A job of a workflow on this commit."""
        identity = self.keep(self.runs, {"sha": sha, "name": name, "conclusion": conclusion if status == "completed" else None, "status": status, **more})["id"]
        self.logs[identity] = log
        return identity

    def receipt_bodies(self, number):
        return [row["body"] for row in self.talk.values() if row["pull"] == number and row["author"] == self.login and "fp=commands" in row["body"]]

    def answers(self):
        return [row["body"] for row in self.comments.values() if row.get("reply_to") and row["author"] == self.login]

    def inline(self):
        return [row for row in self.comments.values() if not row.get("reply_to")]

    def proposed(self):
        """The newest pull request."""
        return self.pulls[max(self.pulls)]

    def count_pulls(self):
        return len(self.pulls)

    def set_merged(self, number):
        self.pulls[number].update({"merged": True, "state": "closed"})

    def answer_as(self, comment, login, body):
        return self.add_review_comment(comment["pull"], login, comment["path"], comment["line"], body, reply_to=comment["id"])

    def resolve_as(self, comment, login):
        self.resolved[f"PRRT_{comment['id']}"] = login

    def edit_body(self, number, body):
        self.pulls[number]["body"] = body

    def comment(self, number, author, body, kind="User", **more):
        """Something a person writes below a pull request."""
        return self.keep(self.talk, {"pull": number, "author": author, "type": kind, "body": body, **more})

    def team_routes(self):
        number, word = r"(\d+)", r"([^/]+)"
        return [("POST", f"/statuses/{word}", self.create_status), ("POST", "/check-runs", self.create_check), ("GET", f"/commits/{word}/check-runs", self.list_checks), ("GET", f"/commits/{word}/status", self.combined_status), ("PATCH", f"/check-runs/{number}", self.patch_check),
                ("GET", f"/collaborators/{word}/permission", self.get_permission), ("GET", "/activity", self.list_activity),
                ("GET", f"/issues/{number}/events", self.list_events), ("GET", f"/issues/comments/{number}", self.get_talk), ("GET", f"/pulls/comments/{number}", self.get_comment),
                ("POST", f"/issues/comments/{number}/reactions", self.react_talk), ("POST", f"/pulls/comments/{number}/reactions", self.react_comment),
                ("POST", f"/pulls/{number}/comments/{number}/replies", self.reply), ("GET", "/actions/runs", self.list_runs),
                ("GET", f"/actions/runs/{number}/jobs", self.list_jobs), ("GET", f"/actions/runs/{number}", self.get_run),
                ("POST", f"/actions/runs/{number}/rerun-failed-jobs", self.rerun), ("GET", "", self.get_project), ("GET", f"/branches/{word}", self.get_branch)]

    def get_project(self, *_):
        answer = {**self.description.example("full-repository-default-response"), "full_name": self.project, "default_branch": "main"}
        for project in (answer, answer.get("source"), answer.get("parent")):  # the example leaves out what must be there
            if project is not None:
                project.setdefault("language", None)
        return 200, answer

    def get_branch(self, name, *_):
        return 200, {**self.description.example("branch-get"), "name": name, "protected": name in self.guarded}

    def get_run(self, identity, *_):
        if identity not in self.runs:
            return self.missing()
        run = self.runs[identity]
        answer = self.description.example("workflow-run")
        branch = next((pull["head"] for pull in self.pulls.values() if self.head_of(pull["number"]) == run["sha"]), "main")
        answer.update({"id": identity, "head_sha": run["sha"], "head_branch": branch})
        answer["head_repository"]["full_name"] = run.get("project", self.project)
        return 200, answer

    def rerun(self, identity, *_):
        self.restarted.append(self.runs[identity]["name"])
        return 201, {}

    def create_status(self, sha, _, body):
        self.statuses.append({"sha": sha, **body})
        return 201, {**self.description.example("status"), **body}

    def check_json(self, run):
        answer = self.description.example("check-run")
        answer.update({key: run.get(key) for key in ("id", "head_sha", "name", "status", "conclusion")})
        answer["external_id"] = run.get("external_id", "")
        return answer

    def create_check(self, _, body):
        if not self.checks_allowed:
            return 403, {"message": "You must authenticate via a GitHub App.", "documentation_url": "https://docs.github.com/rest"}
        run = self.keep(self.check_runs, {"annotations": [], "requests": 0, **body})
        return 201, self.change_check(run, body)

    def change_check(self, run, body):
        annotations = body.get("output", {}).get("annotations", [])
        assert len(annotations) <= 50
        run.update({**body, "annotations": run["annotations"] + annotations, "requests": run["requests"] + 1})
        return self.check_json(run)

    def list_checks(self, sha, query, _):
        runs = [self.check_json(run) for run in self.check_runs.values() if run["head_sha"] == sha and run["name"] in query.get("check_name", [run["name"]])]
        return 200, {"total_count": len(runs), "check_runs": runs}

    def combined_status(self, sha, *_):
        latest = {row["context"]: row for row in self.statuses if row["sha"] == sha}
        example = self.description.example("combined-commit-status")
        rows = [{**example["statuses"][0], "state": row["state"], "context": row["context"], "description": row.get("description"), "target_url": row.get("target_url")} for row in latest.values()]
        return 200, {**example, "sha": sha, "statuses": rows, "total_count": len(rows)}

    def patch_check(self, identity, _, body):
        return 200, self.change_check(self.check_runs[identity], body)

    def get_permission(self, login, *_):
        answer = self.description.example("repository-collaborator-permission-response-if-user-has-admin-permissions")
        right = self.rights.get(login, "read")
        if right == "gone":
            return self.missing()
        return 200, {**answer, "permission": right, "role_name": right, "user": {**answer["user"], "login": login, "role_name": right}}

    def list_activity(self, query, _):
        ref = query["ref"][0]
        if ref not in self.pushes:
            return 200, []
        sha, moment = self.pushes[ref]
        user = self.description.example("pull-request")["user"]
        return 200, [{"id": 1, "node_id": "x", "before": "0" * 40, "after": sha, "ref": ref, "timestamp": moment, "activity_type": "push", "actor": user}]

    def list_events(self, number, *_):
        rows = []
        for event in self.label_events:
            if event["number"] == number:
                row = self.description.example("issue-event-for-issue-items")
                row = {key: row[key] for key in ("id", "node_id", "url", "commit_id", "commit_url", "performed_via_github_app") if key in row}
                rows.append({**row, "event": "labeled", "actor": self.user(event["actor"], event["type"]), "label": {"name": event["label"], "color": "ededed"}, "created_at": event["at"]})
        return 200, rows

    def get_talk(self, identity, *_):
        return (200, self.talk_json(self.talk[identity])) if identity in self.talk else self.missing()

    def get_comment(self, identity, *_):
        return (200, self.comment_json(self.comments[identity])) if identity in self.comments else self.missing()

    def react_talk(self, identity, _, body):
        self.reactions.append((identity, body["content"]))
        return 201, {**self.description.example("reaction"), **body}

    react_comment = react_talk

    def reply(self, number, identity, _, body):
        first = self.comments[identity]
        assert not first.get("reply_to"), "only the first comment of a thread can be answered"
        return 201, self.comment_json(self.keep(self.comments, {**first, "author": self.login, "type": self.login_type, "body": body["body"], "reply_to": identity, "pull": number}))

    def list_runs(self, query, _):
        runs = [run for run in self.runs.values() if run["sha"] == query["head_sha"][0]]
        example = self.description.example("workflow-run-paginated")["workflow_runs"][0]
        return 200, {"total_count": len(runs), "workflow_runs": [{**example, "id": run["id"], "head_sha": run["sha"]} for run in runs]}

    def list_jobs(self, identity, *_):
        run = self.runs[identity]
        example = self.description.example("job-paginated")["jobs"][0]
        job = {**example, "id": run["id"], "run_id": run["id"], "head_sha": run["sha"], "name": run["name"], "status": run["status"], "conclusion": run["conclusion"], "created_at": run["created_at"]}
        return 200, {"total_count": 1, "jobs": [job]}

    # --- GraphQL

    def graph(self, body):
        variables = body["variables"]
        if "resolveReviewThread" in body["query"]:
            self.resolved[variables["id"]] = self.login
            return 200, {"data": {"resolveReviewThread": {"thread": {"id": variables["id"], "isResolved": True}}}}
        if "node(id:" in body["query"]:
            first = self.comments[int(variables["id"].removeprefix("PRRT_"))]
            return 200, {"data": {"node": {"__typename": "PullRequestReviewThread", "comments": self.thread_page(first, int(variables["after"] or 0))}}}
        rows = [row for row in self.comments.values() if row["pull"] == variables["number"] and not row.get("reply_to")]
        at = int(variables["after"] or 0)
        page = rows[at:at + self.page_size]
        more = at + len(page) < len(rows)
        threads = {"pageInfo": {"hasNextPage": more, "endCursor": str(at + len(page)) if page else None}, "nodes": [self.thread_json(row) for row in page]}
        return 200, {"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}}

    def thread_json(self, first):
        identity = f"PRRT_{first['id']}"
        by = self.resolved.get(identity)
        return {"id": identity, "isResolved": identity in self.resolved, "path": first["path"], "line": first["line"], "originalLine": first["line"],
                "resolvedBy": {"login": by} if by else None, "comments": self.thread_page(first, 0)}

    def thread_page(self, first, at):
        said = [first] + [row for row in self.comments.values() if row.get("reply_to") == first["id"]]
        page = said[at:at + self.page_size]
        more = at + len(page) < len(said)
        return {"pageInfo": {"hasNextPage": more, "endCursor": str(at + len(page))}, "nodes": [self.said_json(row) for row in page]}

    def said_json(self, row):
        return {"databaseId": row["id"], "body": row["body"], "url": self.web(f"pull/{row['pull']}#discussion_r{row['id']}"), "createdAt": row["created_at"],
                "lastEditedAt": row.get("edited_at"), "viewerDidAuthor": row["author"] == self.login,
                "author": {"login": row["author"], "__typename": row["type"]}, "originalCommit": {"oid": row["commit"]}}
