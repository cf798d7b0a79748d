"""A project with a remote on a forge, a clone of it, voters, a fixer and a judge that are small programs, and the real emend. Everything lies below one temporary
directory; git talks to the remote as a file, although the person wrote an address of the forge."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from place import Place, scripted_agent

TOKEN = "ghp_" + "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"  # not one of anybody's
FILE = "int first(int n) {\n  int i = 0;\n  while (i <= n) i++;\n  return i;\n}\n"
VOTER = """token=$(sed -n 's/^The review token is \\([0-9a-f]*\\).*/\\1/p' | tail -1)
cat <<'END' | sed "s/THE_TOKEN/$token/"
%s
END
"""


class World(Place):
    def __init__(self, emend, api_url, address="https://github.com/team/app.git"):
        super().__init__(emend, "forge")
        self.remote, self.address = self.path("remote.git"), address
        self.environment.update({"GITHUB_API_URL": api_url, "GH_TOKEN": TOKEN})
        self.make_repository()
        self.votes("one", 85)
        self.votes("two", 78)
        self.configure()

    def make_repository(self):
        self.write("repo/src/a.c", FILE)
        self.write("repo/src/b.c", "int second(void) {\n  return 1;\n}\n")
        self.begin()
        subprocess.run(["git", "clone", "-q", "--bare", self.repo, self.remote], check=True, env=self.environment)
        self.git("remote", "add", "origin", self.address)
        self.git("config", f"url.file://{self.remote}.insteadOf", self.address)

    def git(self, *arguments, cwd=None):
        return super().git(*arguments, cwd=cwd).strip()

    def propose(self, branch, files, message="a change"):
        """A commit on a branch of the remote that this clone knows nothing of."""
        other = os.path.join(self.root, "other")
        if not os.path.isdir(other):
            subprocess.run(["git", "clone", "-q", self.remote, other], check=True, env=self.environment)
        self.git("fetch", "-q", "origin", cwd=other)
        self.git("checkout", "-q", "-B", branch, "origin/main", cwd=other)
        for path, text in files.items():
            self.write(os.path.join(other, path), text)
        self.git("add", "-A", cwd=other)
        self.git("-c", "user.name=o", "-c", "user.email=o@example.org", "commit", "-q", "-m", message, cwd=other)
        self.git("push", "-q", "-f", "origin", f"{branch}:refs/heads/{branch}", cwd=other)
        return self.git("rev-parse", "HEAD", cwd=other)

    def install(self, name, script):
        path = self.path("bin", name)
        self.write(path + ".new", "#!/bin/sh\n" + script, 0o755)
        os.rename(path + ".new", path)

    def votes(self, name, score, findings=(), summary=None, feedback="Feedback."):
        answer = {"review_token": "THE_TOKEN", "score": score, "summary": summary or f"Summary of {name}.", "feedback": feedback, "findings": list(findings)}
        self.install(name, VOTER % json.dumps(answer))

    def configure(self, more=""):
        agent = '[agents.{0}]\ncommand = ["{1}/bin/{0}"]\nfamily = "{0}"\nmodel = "{0}-m"\n'
        text = "".join(agent.format(name, self.root) for name in ("one", "two"))
        text += scripted_agent("fixer", "fixer.json", "a") + scripted_agent("judge", "judge.json", "b")
        text += '[fix]\nagent = "fixer"\nparallel = 1\n[fix_challenger]\nagent = "judge"\ncanaries = 0\n'
        self.write("state/config.toml", text + '[pr]\nvoters = ["one", "two"]\n' + more)

    def plays(self, fixer, judge):
        for name, turns in (("fixer", fixer), ("judge", judge)):
            self.write_turns(f"state/{name}.json", turns, name + "-1")

    def checkout_state(self):
        """Everything of the person's repository, byte for byte."""
        found = {}
        for folder, _, names in os.walk(self.repo):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.repo)] = file.read()
        return found

    def holds(self, secret):
        """The first file below the root that holds it."""
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        if secret.encode() in file.read():
                            return path
        return None
