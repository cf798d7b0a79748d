#!/usr/bin/env python3
"""Decides from the repository and the database alone whether what is called RESOLVED is resolved. Shares no code with the program.

    oracle.py REPOSITORY DATABASE SPEC.json

SPEC names the base commit, the verification commands, the threshold, and for every issue the paths its fix may touch and the cases
that show whether its defect is gone. Prints {"issues": {code: {"status", "false": [why...]}}, "problems": [...]}."""

import fnmatch
import hashlib
import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile

DONE = ("RESOLVED", "MERGED")
LONGEST = 100_000_000  # bytes of any file that a check may write
STATES = ("OPEN", "IN_PROGRESS", "RESOLVED", "FAILED", "MERGED", "IGNORED", "DUPLICATE")


class Repository:
    def __init__(self, path):
        self.path = path

    def git(self, *words, env=None, check=True):
        flags = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "safe.directory=*"]
        full = dict(os.environ, GIT_NO_REPLACE_OBJECTS="1", GIT_OPTIONAL_LOCKS="0", GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null")
        full.update(env or {})
        done = subprocess.run(["git", *flags, "-C", self.path, *words], capture_output=True, env=full, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"git {words[0]}: {done.stderr.decode(errors='replace')}")
        return done.stdout if check else (done.returncode, done.stdout)

    def commit_of(self, ref):
        code, out = self.git("rev-parse", "--verify", "--quiet", ref + "^{commit}", check=False)
        return out.decode().strip() if code == 0 else ""

    def is_ancestor(self, old, new):
        return self.git("merge-base", "--is-ancestor", old, new, check=False)[0] == 0

    def changes(self, old, new):
        """[(path bytes, old mode, new mode, old id, new id)], sorted by path."""
        fields = self.git("diff-tree", "-r", "-z", "--no-renames", "--full-index", old, new).split(b"\0")
        rows = []
        for head, path in zip(fields[0::2], fields[1::2]):
            old_mode, new_mode, old_id, new_id, _ = head.lstrip(b":").split(b" ")
            rows.append((path, int(old_mode, 8), int(new_mode, 8), old_id.decode(), new_id.decode()))
        return sorted(rows)

    def message(self, commit):
        return self.git("show", "-s", "--format=%B", commit).decode(errors="replace")

    def checkout(self, commit, directory):
        index = directory + ".index"
        env = {"GIT_INDEX_FILE": index}
        self.git("read-tree", commit, env=env)
        self.git(f"--work-tree={directory}", "checkout-index", "-a", "-f", f"--prefix={directory}/", env=env)
        os.unlink(index)


def patch_hash(changes):
    """The canonical form the documents describe: path, modes and ids, each with its length."""
    text = b"emend patch 1\n"
    for path, old_mode, new_mode, old_id, new_id in changes:
        ids = ["" if set(name) == {"0"} else name for name in (old_id, new_id)]
        for field in (path, str(old_mode).encode(), str(new_mode).encode(), ids[0].encode(), ids[1].encode()):
            text += str(len(field)).encode() + b":" + field
    return hashlib.sha256(text).hexdigest()


def trailers(message):
    """Codes in the last paragraph."""
    last = message.strip().split("\n\n")[-1]
    return re.findall(r"^Emend-Issue: (\S+)$", last, re.MULTILINE)


def rejections(message):
    """Codes of the fixes a commit undoes because a person rejected them."""
    last = message.strip().split("\n\n")[-1]
    return re.findall(r"^Emend-Rejected: (\S+)$", last, re.MULTILINE)


class Oracle:
    def __init__(self, repository, database, spec):
        self.repository = Repository(repository)
        self.rows = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self.rows.row_factory = sqlite3.Row
        self.spec = spec
        self.trees = {}
        self.ran = {}

    def select(self, query, *values):
        return [dict(row) for row in self.rows.execute(query, values)]

    def tree(self, commit):
        if commit not in self.trees:
            holder = tempfile.mkdtemp(prefix="trust-oracle-")
            directory = os.path.join(holder, "tree")
            os.mkdir(directory)
            self.repository.checkout(commit, directory)
            self.trees[commit] = directory
        return self.trees[commit]

    def green(self, commit, command):
        key = (commit, command)
        if key not in self.ran:
            scratch = tempfile.mkdtemp(prefix="tmp-", dir=os.path.dirname(self.tree(commit)))
            env = {"PATH": os.environ["PATH"], "TMPDIR": scratch, "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
            with tempfile.TemporaryFile() as out:  # not a pipe: what a check leaves running would keep it open
                try:
                    done = subprocess.run(["/bin/sh", "-c", command], cwd=self.tree(commit), env=env, stdin=subprocess.DEVNULL,
                                          stdout=out, stderr=subprocess.DEVNULL, timeout=60, check=False,
                                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST, LONGEST)))
                    out.seek(0)
                    self.ran[key] = (done.returncode == 0, out.read().decode(errors="replace"))
                except subprocess.TimeoutExpired:
                    self.ran[key] = (False, "")
        return self.ran[key]

    # --- what must be true of a RESOLVED issue; each gives reasons why it is not
    def commit_wrong(self, issue, proof):
        commit, branch = proof["commit_sha"], proof["branch"]
        tip = self.repository.commit_of("refs/heads/" + branch)
        if not tip:
            return [f"the branch {branch} does not exist"]
        if not self.repository.commit_of(commit) or not self.repository.is_ancestor(commit, tip):
            return [f"{commit[:12]} is not on {branch}"]
        wrong = []
        if issue["code"] not in trailers(self.repository.message(commit)):
            wrong.append("its commit does not name it")
        if issue["commit_sha"] != commit:
            wrong.append("issue and proof name different commits")
        for later in self.repository.git("rev-list", f"{commit}..{tip}").decode().split():
            if issue["code"] in rejections(self.repository.message(later)):
                wrong.append(f"a rejected fix is still called RESOLVED: {later[:12]} undoes it")
        return wrong

    def undo_wrong(self, commit, codes):
        """A commit that undoes a rejected fix says which, and changes nothing else."""
        named = re.search(r"This reverts commit ([0-9a-f]{40,64})", self.repository.message(commit))
        if not named:
            return [f"{commit[:12]} does not say what it undoes"]
        wrong = [] if set(codes) == set(trailers(self.repository.message(named.group(1)))) else [f"{commit[:12]} undoes a fix of other issues than it says"]
        fixed, undone = (self.repository.changes(name + "^", name) for name in (named.group(1), commit))
        if [row[0] for row in fixed] != [row[0] for row in undone]:
            wrong.append(f"{commit[:12]} changes other files than the fix it undoes")
        return wrong

    def patch_wrong(self, issue, proof):
        wrong = []
        commit = proof["commit_sha"]
        changes = self.repository.changes(commit + "^", commit)
        if not changes:
            return ["its commit changes nothing"]
        stored = self.select("select patch_sha256, issue_ids, parent from commits where sha = ? and session_id = ?", commit, proof["session_id"])
        if [row["patch_sha256"] for row in stored] != [patch_hash(changes)]:
            wrong.append("the commit's patch is not the one that was recorded")
        allowed = self.allowed(issue["code"])
        for path, old_mode, new_mode, _, _ in changes:
            name = os.fsdecode(path)
            if allowed is not None and not any(name == glob or fnmatch.fnmatchcase(name, glob) for glob in allowed):
                wrong.append(f"{name} is none of its files")
            may = name in self.spec["issues"].get(issue["code"], {}).get("executable", [])
            if new_mode not in (0, 0o100644, 0o100755) or (old_mode and new_mode and old_mode != new_mode and not may):
                wrong.append(f"{name}: mode {old_mode:o} -> {new_mode:o}")
        attempts = self.select("select patch from attempts where id = ?", proof["attempt_id"])
        if not attempts:
            return wrong + ["the attempt of the proof is not stored"]
        judged = json.loads(attempts[0]["patch"])["changes"]
        if self.hash_of_stored(judged) != proof["patch_sha256"]:
            wrong.append("the proof's hash is not that of the attempt's patch")
        touched = {os.fsdecode(path) for path, *_ in changes}
        if {row["path"] for row in judged if "path_base64" not in row} - touched:
            wrong.append("the attempt changed files that are not in the commit")
        return wrong

    @staticmethod
    def hash_of_stored(rows):
        def path(row):
            import base64
            return base64.b64decode(row["path_base64"]) if "path_base64" in row else row["path"].encode()

        return patch_hash(sorted((path(row), row["old_mode"], row["new_mode"], row["old_id"] or "", row["new_id"] or "") for row in rows))

    def verdict_wrong(self, issue, proof):
        verdicts = [json.loads(row["data"]) for row in
                    self.select("select data from verdicts where issue_id = ? and session_id = ? and patch_sha256 = ?", issue["id"],
                                proof["session_id"], proof["patch_sha256"])]
        good = [v for v in verdicts if v.get("valid") is True and isinstance(v.get("score"), int) and v["score"] >= self.spec["threshold"]]
        if not good:
            return ["no valid verdict at or above the threshold is bound to exactly this patch"]
        low = [v for v in verdicts if v.get("valid") is True and isinstance(v.get("score"), int) and v["score"] < self.spec["threshold"]]
        wrong = ["a valid verdict below the threshold is bound to this patch"] if low else []
        if all(v.get("canary") for v in good):
            wrong.append("the verdict was on a worthless diff that tried the judge")
        return wrong + self.untold_kinship(issue, proof, good)

    def untold_kinship(self, issue, proof, good):
        """A judge of the fixer's own vendor is allowed, and must be named as such in the proof."""
        fixer = self.select("select family from attempts where id = ?", proof["attempt_id"])[0]["family"]
        if not fixer or any(v.get("family") != fixer for v in good) or "same vendor" in proof["detail"]:
            return []
        return ["fixer and judge are of one vendor, and the proof does not say so"]

    def commands_wrong(self, issue, proof):
        tip = self.repository.commit_of("refs/heads/" + proof["branch"])
        wrong = []
        for command in self.spec["commands"]:
            before, after = self.green(self.spec["base"], command["run"])[0], self.green(tip, command["run"])[0]
            concerns = not command.get("paths") or any(fnmatch.fnmatchcase(self.file_of(issue["code"]), glob) for glob in command["paths"])
            if concerns and not after and (before or command.get("paths")):
                wrong.append(f"{command['name']} is red on the branch")
        return wrong

    def defect_wrong(self, issue, proof):
        told = self.spec["issues"].get(issue["code"], {})
        if not told.get("cases"):
            return []
        tip = self.repository.commit_of("refs/heads/" + proof["branch"])
        command = "sh " + told["driver"] + " " + " ".join("'" + case + "'" for case, _ in told["cases"])
        wanted = "".join(line + "\n" for _, line in told["cases"])
        if self.green(self.spec["base"], command)[1] == wanted:
            return ["the oracle's own check passed on the base: it shows nothing"]
        return [] if self.green(tip, command)[1] == wanted else ["the defect is still there"]

    def allowed(self, code):
        return self.spec["issues"].get(code, {}).get("allowed")

    def file_of(self, code):
        return self.spec["issues"].get(code, {}).get("file", "")

    def judge(self, issue):
        proofs = self.select("select * from proofs where issue_id = ? and session_id = ?", issue["id"], issue["session_id"])
        if len(proofs) != 1:
            return ["there is no proof"]
        wrong = self.commit_wrong(issue, proofs[0])
        if wrong:
            return wrong
        for check in (self.patch_wrong, self.verdict_wrong, self.commands_wrong, self.defect_wrong):
            wrong += check(issue, proofs[0])
        return wrong

    def problems(self, issues):
        """What is wrong with the whole, whatever the issues are called."""
        found = []
        if self.select("pragma integrity_check")[0]["integrity_check"] != "ok":
            found.append("the database is damaged")
        for issue in issues:
            if issue["status"] not in STATES:
                found.append(f"{issue['code']} has the status {issue['status']}")
        done = {issue["code"] for issue in issues if issue["status"] in DONE}
        for session in self.select("select distinct branch, base from sessions where branch <> ''"):
            tip = self.repository.commit_of("refs/heads/" + session["branch"])
            if not tip:
                continue
            seen, undone = [], set()
            for commit in self.repository.git("rev-list", f"{session['base']}..{tip}").decode().split():
                codes, taken_back = (read(self.repository.message(commit)) for read in (trailers, rejections))
                if taken_back:
                    undone |= set(taken_back)
                    found += self.undo_wrong(commit, taken_back)
                elif not codes:
                    found.append(f"{commit[:12]} on {session['branch']} names no issue")
                seen += codes
            found += [f"{code} is on {session['branch']} but not RESOLVED" for code in sorted(set(seen) - done - undone)]
            found += [f"{code} is committed twice on {session['branch']}" for code in sorted({code for code in seen if seen.count(code) > 1})]
        return found

    def run(self):
        issues = self.select("select * from issues order by n")
        verdict = {}
        for issue in issues:
            wrong = self.judge(issue) if issue["status"] in DONE else []
            verdict[issue["code"]] = {"status": issue["status"], "reason": issue["reason"], "detail": issue["detail"],
                                      "evidence": issue["evidence"], "false": wrong}
        return {"issues": verdict, "problems": self.problems(issues)}


def main():
    repository, database, spec = sys.argv[1:4]
    with open(spec, encoding="utf-8") as file:
        oracle = Oracle(repository, database, json.load(file))
    try:
        print(json.dumps(oracle.run()))
    finally:
        for directory in oracle.trees.values():
            subprocess.run(["rm", "-rf", os.path.dirname(directory)], check=False)


if __name__ == "__main__":
    main()
