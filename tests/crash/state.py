"""What the database, the repository and the state directory say, read without any of the program's code."""

import os
import shutil
import sqlite3
import subprocess

import oracle

FINAL = ("passed", "partial", "failed", "stopped")
ASKING = "emend-version-"  # an agent is asked for its version in a directory of its own
SESSION_STATES = ("running", "interrupted", "error", "cancelled", *FINAL)


class CachedOracle(oracle.Oracle):
    """Runs a command once for a tree: the same content cannot answer differently, whatever commit it came by."""

    def __init__(self, arena, repository, database, spec):
        super().__init__(repository, database, spec)
        self.greens = arena.greens

    def green(self, commit, command):
        key = (self.repository.commit_of(commit) and self.repository.git("rev-parse", commit + "^{tree}").strip(), command)
        if key not in self.greens:
            self.greens[key] = super().green(commit, command)
        return self.greens[key]

    def close(self):
        self.rows.close()
        for directory in self.trees.values():
            subprocess.run(["rm", "-rf", os.path.dirname(directory)], check=False)


class State:
    def __init__(self, arena):
        self.arena = arena
        self.w = arena.w
        self.database = os.path.join(self.w.state, "emend.db")

    def oracle(self):
        """Reads a copy: to look at a database may recover it, and that is the program's to do."""
        place = self.w.path("shim", "look")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        for name in ("emend.db", "emend.db-wal", "emend.db-journal"):
            if os.path.exists(os.path.join(self.w.state, name)):
                shutil.copyfile(os.path.join(self.w.state, name), os.path.join(place, name))
        copy = os.path.join(place, "emend.db")
        connection = sqlite3.connect(copy)
        connection.execute("pragma schema_version").fetchall()
        connection.close()
        return CachedOracle(self.arena, self.w.repo, copy, self.w.oracle_spec())

    def codes(self):
        reader = self.oracle()
        try:
            return {row["code"] for row in reader.select("select code from issues")}
        finally:
            reader.close()

    def outcome(self, exit_code, make):
        reader = self.oracle() if os.path.exists(self.database) else None
        if reader is None or not self.has_tables(reader):
            return make(exit_code, {}, [], [], [], {})
        try:
            issues = {row["code"]: (row["status"], row["evidence"]) for row in reader.select("select code, status, evidence from issues")}
            sessions = reader.select("select id, branch, base, status from sessions order by n")
            branches = []
            for session in sessions:
                tip = reader.repository.commit_of("refs/heads/" + session["branch"]) if session["branch"] else ""
                if tip:
                    branches.append(self.branch(reader, session["base"], tip))
            questions = [(row["question_id"], row["question"], row["state"]) for row in
                         reader.select("select question_id, question, state from clarifications order by question_id")]
            return make(exit_code, issues, [row["status"] for row in sessions if row["status"] in FINAL], branches, questions,
                        {path: self.stable(path) for path in self.arena.kind.files})
        finally:
            reader.close()

    @staticmethod
    def has_tables(reader):
        return bool(reader.select("select 1 from sqlite_master where name = 'issues'"))

    @staticmethod
    def branch(reader, base, tip):
        codes = []
        for commit in reader.repository.git("rev-list", f"{base}..{tip}").decode().split():
            codes += oracle.trailers(reader.repository.message(commit))
        return reader.repository.git("rev-parse", tip + "^{tree}").decode().strip(), sorted(codes)

    def stable(self, path):
        """A file the work writes, without what is different every time."""
        try:
            with open(self.w.path(path), encoding="utf-8") as file:
                return self.arena.kind.stable(file.read())
        except FileNotFoundError:
            return None

    # --- what is wrong
    def problems(self, known, done):
        if not os.path.exists(self.database):
            return ["there is no database"] if known else []
        reader = self.oracle()
        try:
            if not self.has_tables(reader):
                return ["the database is empty"] if known or done else []
            issues = reader.select("select * from issues order by n")
            found = [f"{issue['code']} is falsely RESOLVED: {why}" for issue in issues if issue["status"] in oracle.DONE
                     for why in reader.judge(issue)]
            found += [f"{code} is lost" for code in sorted(known - {issue["code"] for issue in issues})]
            whole = reader.problems(issues)
            # Between the branch and the database there may be a crash; once the session is over there may not.
            found += whole if done else [text for text in whole if "but not RESOLVED" not in text]
            found += self.rows_wrong(reader, issues, done)
            return found + self.repository_wrong(reader, done) + (self.leftovers() if done else [])
        finally:
            reader.close()

    @staticmethod
    def rows_wrong(reader, issues, done):
        found = [f"foreign key: {row}" for row in reader.select("pragma foreign_key_check")]
        sessions = {row["id"]: row for row in reader.select("select id, status, tip from sessions")}
        found += [f"session {name} is {row['status']}" for name, row in sessions.items()
                  if row["status"] not in (FINAL + ("interrupted", "error") if done else SESSION_STATES)]
        numbers = [row["seq"] for row in reader.select("select seq from events order by seq")]
        if len(numbers) != len(set(numbers)):
            found.append("two events have one number")
        if not done:
            return found
        found += [f"{issue['code']} is still IN_PROGRESS" for issue in issues if issue["status"] == "IN_PROGRESS"]
        found += [f"a child is still recorded: {row}" for row in reader.select("select * from children") if row["session_id"] in sessions]
        for row in reader.select("select * from intents"):
            session = sessions.get(row["session_id"], {"status": "passed"})
            if not row["done"] and session["status"] in FINAL:
                found.append(f"the intent {row['id']} was never finished")
        twice = reader.select("select session_id, sha, count(*) as times from commits group by session_id, sha having count(*) > 1")
        return found + [f"the commit {row['sha'][:12]} is recorded {row['times']} times" for row in twice]

    def repository_wrong(self, reader, done):
        """git's own opinion, locks that would block the next git, refs nobody asked for."""
        code, out = reader.repository.git("fsck", "--no-dangling", "--no-progress", "--strict", check=False) if done else (0, b"")
        found = [f"git fsck: {out.decode(errors='replace').strip()}"] if code != 0 else []
        git = os.path.join(self.w.repo, ".git")
        for directory, _, files in os.walk(git) if done else ():
            found += [f"{os.path.relpath(os.path.join(directory, name), git)} is left in .git" for name in files if name.endswith(".lock")]
        wanted = {f"refs/heads/{row['branch']}" for row in reader.select("select branch from sessions")} | {"refs/heads/main"}
        refs = reader.repository.git("for-each-ref", "--format=%(refname)").decode().split()
        return found + [f"a ref nobody asked for: {ref}" for ref in refs if ref not in wanted and ref not in self.arena.kind.refs]

    def leftovers(self):
        """What a dead engine left, and the one that came after it did not take away."""
        found = [f"tmp/{name} is left" for name in os.listdir(self.w.path("tmp")) if not name.startswith(ASKING)]
        for directory, names, files in os.walk(self.w.state):
            below = os.path.relpath(directory, self.w.state).split("/")
            if len(below) == 3 and below[0] == "repositories" and below[2] in ("workspaces", "layers", "owners"):
                found += ["/".join([*below, name]) + " is left" for name in names + files]
        return found

    def scratch(self):
        """Files somebody may still be at work with, as far as one can tell: they are taken away when they are old."""
        found = [self.w.path("tmp", name) for name in os.listdir(self.w.path("tmp")) if name.startswith(ASKING)]
        for directory, names, files in os.walk(self.w.state):
            below = os.path.relpath(directory, self.w.state).split("/")
            inside = len(below) > 1 and below[0] == "repositories"
            if inside and (below[2:] == ["tmp"]):
                found += [os.path.join(directory, name) for name in names + files]
            if inside and len(below) == 2:
                found += [os.path.join(directory, name) for name in names if name.startswith("new-git-")]
            if inside and below[2:] == ["bases"]:
                dead = ("new-", "old-", "damaged-", ".emend-")
                found += [os.path.join(directory, name) for name in names + files if name.startswith(dead)]
            if len(below) == 1:
                found += [os.path.join(directory, name) for name in names if name.startswith(("overlay-probe-", "sandbox-probe-"))]
        return found
