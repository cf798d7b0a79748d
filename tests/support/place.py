"""Where a test tries the real program: a repository, a person's home and emend's state below one temporary directory. Each suite's world is one
of these with what its tests need besides."""

import json
import os
import shutil
import subprocess
import tempfile


def write(path, text, mode=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    if mode is not None:
        os.chmod(path, mode)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def scripted_agent(name, script, family):
    """A table of emend.toml: an agent that does what the turns of a JSON file say."""
    return f'[agents.{name}]\nengine = "scripted"\nscript = {json.dumps(script)}\nfamily = "{family}"\n'


def score(points, **more):
    """A judge's answer about whatever it is asked."""
    return {"review_token": "{review_token}", "issues": {"{issue}": {"score": points, "status": "SOLVED", **more}}}


class Place:
    def __init__(self, program, kind, parent=None):
        self.program = os.path.abspath(program)
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=f"emend-{kind}-", dir=parent))
        self.repo, self.home, self.state = self.path("repo"), self.path("user"), self.path("state")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home, "EMEND_HOME": self.state, "GIT_CONFIG_GLOBAL": "/dev/null",
                            "GIT_CONFIG_NOSYSTEM": "1", "LANG": "C.UTF-8"}
        for folder in (self.repo, self.home):
            os.makedirs(folder)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def write(self, path, text, mode=None):
        """A file, by its path below the root or by its whole path."""
        write(self.path(path), text, mode)

    def write_turns(self, path, turns, model="m"):
        """The script of a scripted agent."""
        self.write(path, json.dumps({"model": model, "turns": turns}))

    def git(self, *arguments, cwd=None):
        done = subprocess.run(["git", *arguments], cwd=cwd or self.repo, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def begin(self):
        """The first commit, of all the files there are; and who makes the next ones, as a person's own configuration says it."""
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@example.org")
        self.commit("Begin")

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def run(self, *arguments, **more):
        """The program, in the repository."""
        return subprocess.run([self.program, *arguments], **{"cwd": self.repo, "env": self.environment, "stdin": subprocess.DEVNULL, "text": True,
                                                            "capture_output": True, "check": False, **more})

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)
