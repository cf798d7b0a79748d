"""A world that is played in again and again: made once, put back as it was before every play, and asked afterwards whether it is whole."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trust"))

import world
from state import State

# What a play may change. The directories themselves stay: a repository is known by the inode of its .git.
PARTS = ("repo/.git", "repo", "state", "user", "tmp", "agents/state")
UNFINISHED = ("running", "interrupted", "error", "cancelled")
GRACE_S = 10


@dataclasses.dataclass(frozen=True)
class Tools:
    emend: str
    fake_agent: str
    shim: str
    variables: dict = dataclasses.field(default_factory=dict)
    seconds: int = 60  # one run of the program may take


@dataclasses.dataclass
class Outcome:
    """What a finished piece of work comes to; two that went the same way are equal."""

    exit_code: int
    issues: dict     # code -> (status, evidence)
    sessions: list   # statuses, of those that are not set aside
    branches: list   # of each: (tree, sorted codes in its commits)
    questions: list  # of a clarification
    kept: dict       # files the work is meant to write -> content

    @property
    def committed(self):
        return [codes for _tree, codes in self.branches]

    def difference(self, other, only=None):
        names = only or [field.name for field in dataclasses.fields(self)]
        return [f"{name}: {getattr(other, name)}, undisturbed {getattr(self, name)}" for name in names
                if getattr(self, name) != getattr(other, name)]


def in_memory(tools, variation):
    """A disk would be the slowest part by far, and nothing here depends on one."""
    before = tempfile.tempdir
    if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 30:
        tempfile.tempdir = "/dev/shm"
    try:
        return world.World(tools, variation)
    finally:
        tempfile.tempdir = before


class Arena:
    def __init__(self, tools, kind, variation):
        self.tools = tools
        self.kind = kind
        self.w = in_memory(tools, variation)
        self.w.variables["TMPDIR"] = self.w.path("tmp")
        self.w.ignored |= {"tmp", "template", "shim", "spec.json", "full"}
        os.makedirs(self.w.path("tmp"))
        self.always = {}  # more environment for every command
        self.greens = {}  # the oracle's own runs, by tree: they do not depend on the play
        self.command = kind.prepare(self)
        self.before = self.w.manifest()
        self.known = self.codes()
        self.keep()
        began = time.monotonic()
        done = self.run()
        self.seconds = time.monotonic() - began
        if done.returncode not in kind.exit_codes:
            raise RuntimeError(f"{kind.name}: undisturbed it ends with {done.returncode}: {done.stderr}")
        self.wanted = self.outcome(done.returncode)
        if kind.session and not any(status == "RESOLVED" for status, _ in self.wanted.issues.values()):
            raise RuntimeError(f"{kind.name}: nothing is resolved, so nothing could be lost: {done.stderr}")
        problems = self.problems(self.wanted)
        if problems:
            raise RuntimeError(f"{kind.name}: undisturbed it is not whole: {problems}")

    def close(self):
        self.w.close()

    # --- putting it back
    def keep(self):
        for part in PARTS:
            subprocess.run(["cp", "-a", self.w.path(part), self.template(part)], check=True)
        shutil.rmtree(os.path.join(self.template("repo"), ".git"), ignore_errors=True)

    def template(self, part):
        os.makedirs(self.w.path("template"), exist_ok=True)
        return self.w.path("template", part.replace("/", "@"))

    def restore(self):
        self.kill_all()
        for part in PARTS:
            directory = self.w.path(part)
            for name in os.listdir(directory):
                path = os.path.join(directory, name)
                if path == self.w.path("repo/.git"):
                    continue
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
            # "." copies times and modes of the directory, too.
            subprocess.run(["cp", "-a", self.template(part) + "/.", directory], check=True)

    # --- running the program
    def spawn(self, *arguments, env=None, preexec=None):
        variables = dict(self.w.variables_now(), **self.always, **(env or {}))
        words = [self.tools.emend, "--config", self.w.path("config.toml"), *arguments]
        return subprocess.Popen(words, cwd=self.w.repo, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True, preexec_fn=preexec)

    def finish(self, child):
        try:
            out, err = child.communicate(timeout=self.tools.seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            err += b"\nHANGS: the suite's own time limit ended it\n"
        return subprocess.CompletedProcess(child.args, child.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def emend(self, *arguments, env=None, preexec=None):
        return self.finish(self.spawn(*arguments, env=env, preexec=preexec))

    def run(self, **options):
        return self.emend(*self.command, **options)

    def unfinished(self):
        """The session a person would go on with, by the program's own word; "" when all are over, None when there is none."""
        rows = self.sessions()
        left = [row["id"] for row in rows if row["status"] in UNFINISHED]
        return left[0] if left else "" if rows else None

    def sessions(self):
        done = self.emend("sessions", "--json")
        return json.loads(done.stdout)["data"] if done.returncode == 0 else []

    def go_on(self, **options):
        """What a person does after a crash: resume the session, or give the command again when there is none. To resume one that is over
        shows it, and takes away what its engine had no time to."""
        rows = self.sessions() if self.kind.session else []
        if rows:
            left = [row["id"] for row in rows if row["status"] in UNFINISHED]
            done = self.emend("sessions", "resume", (left or [rows[0]["id"]])[0], "--json", **options)
        else:
            done = self.run(**options)
            left = done.returncode not in self.kind.again_codes
        if done.returncode >= 0 and not left:
            done.returncode = self.wanted.exit_code
        return done

    def fix_the_rest(self):
        """A fault may have cost an issue its attempt: then the next `fix` must be able to mend it."""
        left = [code for code, (status, _) in self.outcome(0).issues.items()
                if status != self.wanted.issues.get(code, (status,))[0] and status in ("OPEN", "FAILED")]
        return self.emend("fix", "--json", *(word for word in self.command[1:] if word == "--safe"), *left) if left else None

    @staticmethod
    def kill_quietly(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:  # it was quicker
            return 0
        return 1

    def kill_all(self):
        """As a power cut ends them: all at once, whoever is whose child."""
        for _ in range(50):
            left = self.w.processes_left()
            for pid, _words in left:
                self.kill_quietly(pid)
            if not left:
                return
            time.sleep(0.01)

    # --- looking at it
    def state(self):
        return State(self)

    def codes(self):
        return self.state().codes() if os.path.exists(os.path.join(self.w.state, "emend.db")) else set()

    def outcome(self, exit_code):
        return self.state().outcome(exit_code, Outcome)

    def problems(self, outcome=None, only=None):
        """Everything that must hold now, or (with an outcome) when the work is done, and how it does not."""
        found = self.processes() if outcome else []
        after = self.w.manifest()
        found += [f"{path} changed: {self.before.get(path)} -> {after.get(path)}" for path in sorted(self.before.keys() | after.keys())
                  if self.before.get(path) != after.get(path) and not self.kind.writes(path)]
        found += self.state().problems(self.known, done=outcome is not None)
        found += self.old_scratch() if outcome else []
        return found + (self.wanted.difference(outcome, only) if outcome else [])

    def old_scratch(self):
        """Whatever is left must be gone after the next start, once nobody can be at work with it any more."""
        left = self.state().scratch()
        if not left:
            return []
        for path in left:
            os.utime(path, (time.time() - 7_200,) * 2, follow_symlinks=False)
        rows = self.sessions()
        finding = {"file": self.w.project.sites["clamp"].path, "line": 1, "title": "one more", "description": "one more"}
        world.write(self.w.path("shim", "findings.json"), json.dumps({"findings": [finding]}))
        self.emend(*(["sessions", "resume", rows[0]["id"]] if rows else ["fix", "--findings", self.w.path("shim", "findings.json")]), "--json")
        return [f"{os.path.relpath(path, self.w.root)} is left" for path in left if os.path.exists(path)]

    def processes(self):
        for _ in range(GRACE_S * 50):
            left = self.w.processes_left()
            if not left:
                return []
            time.sleep(0.02)
        return [f"process {pid} is left: {words}" for pid, words in left]
