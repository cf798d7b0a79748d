"""A project with a remote on a forge, a clone of it, voters, a fixer and a judge that are small programs, and the real emend. Everything lies below one temporary
directory; git talks to the remote as a file, although the person wrote an address of the forge."""

import json
import os
import shutil
import subprocess
import tempfile

TOKEN = "ghp_" + "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"  # not one of anybody's
FILE = "int first(int n) {\n  int i = 0;\n  while (i <= n) i++;\n  return i;\n}\n"
VOTER = """token=$(sed -n 's/^The review token is \\([0-9a-f]*\\).*/\\1/p' | tail -1)
cat <<'END' | sed "s/THE_TOKEN/$token/"
%s
END
"""


class World:
    def __init__(self, emend, api_url, address="https://github.com/team/app.git"):
        self.emend = os.path.abspath(emend)
        self.root = tempfile.mkdtemp(prefix="emend-forge-")
        self.home, self.repo, self.remote = (os.path.join(self.root, name) for name in ("home", "repo", "remote.git"))
        self.address = address
        os.makedirs(os.path.join(self.root, "user"))
        os.makedirs(self.home)
        self.environment = {"PATH": os.environ["PATH"], "HOME": os.path.join(self.root, "user"), "EMEND_HOME": self.home, "GIT_CONFIG_GLOBAL": "/dev/null",
                            "GIT_CONFIG_NOSYSTEM": "1", "LANG": "C.UTF-8", "GITHUB_API_URL": api_url, "GH_TOKEN": TOKEN}
        self.make_repository()
        self.votes("one", 85)
        self.votes("two", 78)
        self.configure()

    def make_repository(self):
        os.makedirs(os.path.join(self.repo, "src"))
        self.write("src/a.c", FILE)
        self.write("src/b.c", "int second(void) {\n  return 1;\n}\n")
        self.git("init", "-q", "-b", "main")
        for key, value in (("user.name", "a"), ("user.email", "a@example.org")):
            self.git("config", key, value)
        self.commit("start")
        subprocess.run(["git", "clone", "-q", "--bare", self.repo, self.remote], check=True, env=self.environment)
        self.git("remote", "add", "origin", self.address)
        self.git("config", f"url.file://{self.remote}.insteadOf", self.address)

    def write(self, path, text):
        path = os.path.join(self.repo, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments, cwd=None):
        return subprocess.run(["git", "-C", cwd or self.repo, *arguments], check=True, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True).stdout.strip()

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def propose(self, branch, files, message="a change"):
        """A commit on a branch of the remote that this clone knows nothing of."""
        other = os.path.join(self.root, "other")
        if not os.path.isdir(other):
            subprocess.run(["git", "clone", "-q", self.remote, other], check=True, env=self.environment)
        self.git("fetch", "-q", "origin", cwd=other)
        self.git("checkout", "-q", "-B", branch, "origin/main", cwd=other)
        for path, text in files.items():
            target = os.path.join(other, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        self.git("add", "-A", cwd=other)
        self.git("-c", "user.name=o", "-c", "user.email=o@example.org", "commit", "-q", "-m", message, cwd=other)
        self.git("push", "-q", "-f", "origin", f"{branch}:refs/heads/{branch}", cwd=other)
        return self.git("rev-parse", "HEAD", cwd=other)

    def program(self, name, script):
        path = os.path.join(self.root, "bin", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path + ".new", 0o755)
        os.rename(path + ".new", path)

    def votes(self, name, score, findings=(), summary=None, feedback="Feedback."):
        answer = {"review_token": "THE_TOKEN", "score": score, "summary": summary or f"Summary of {name}.", "feedback": feedback, "findings": list(findings)}
        self.program(name, VOTER % json.dumps(answer))

    def configure(self, more=""):
        agent = '[agents.{0}]\ncommand = ["{1}/bin/{0}"]\nfamily = "{0}"\nmodel = "{0}-m"\n'
        text = "".join(agent.format(name, self.root) for name in ("one", "two"))
        text += '[agents.fixer]\nengine = "scripted"\nscript = "fixer.json"\nfamily = "a"\n[agents.judge]\nengine = "scripted"\nscript = "judge.json"\nfamily = "b"\n'
        text += '[fix]\nagent = "fixer"\nparallel = 1\n[fix_challenger]\nagent = "judge"\ncanaries = 0\n'
        with open(os.path.join(self.home, "config.toml"), "w", encoding="utf-8") as file:
            file.write(text + '[pr]\nvoters = ["one", "two"]\n' + more)

    def plays(self, fixer, judge):
        for name, turns in (("fixer", fixer), ("judge", judge)):
            with open(os.path.join(self.home, name + ".json"), "w", encoding="utf-8") as file:
                json.dump({"model": name + "-1", "turns": turns}, file)

    def run(self, *arguments):
        return subprocess.run([self.emend, *arguments], cwd=self.repo, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)

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

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)
