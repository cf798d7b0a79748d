"""A repository with some issues, a database that several machines share, and workers that come and go."""

import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trust"))

import play
import world

LEASE = "2s"


class Worker:
    """`emend worker` as on a machine of its own: another home, another state directory."""

    def __init__(self, shared, name, *arguments, home="", database="", program=""):
        w = shared.w
        self.name = name
        env = dict(w.variables_now(), EMEND_HOME=home or w.path("machines", name), HOME=w.path("machines", name + "-home"), EMEND_LOG="info")
        if database:
            env["EMEND_DATABASE"] = database
        for path in (env["EMEND_HOME"], env["HOME"]):
            os.makedirs(path, exist_ok=True)
        self.log = w.path("machines", name + ".log")
        self.process = subprocess.Popen([program or w.tools.emend, "--config", w.path("config.toml"), "worker", "--lease", LEASE, "--json", *arguments], cwd="/",
                                        env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(self.log, "ab"), start_new_session=True)

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def signal(self, number):
        os.kill(self.process.pid, number)

    def stop(self):
        """Asked to go; it brings to an end what it has begun."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=60)
        return json.loads(out)["data"] if self.process.returncode == 0 else None

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()


def with_origin(w):
    w.git("init", "-q", "-b", "main")
    w.commit("base")
    w.git("clone", "-q", "--bare", w.repo, w.path("machines", "origin.git"))
    w.git("remote", "add", "origin", "file://" + w.path("machines", "origin.git"))


class Shared:
    """`issues` files with a defect each; the fixer takes `milliseconds` for one."""

    def __init__(self, tools, server, issues=8, milliseconds=200, settings=None, cloned=False):
        self.server = server
        self.database = server.new_database()
        self.w = w = world.World(tools, world.Variation())
        w.variables["EMEND_DATABASE"] = server.address(self.database)
        w.ignored |= {"machines"}
        w.commands = [{"name": "whole", "run": "test -f keep.txt"}]
        w.files["keep.txt"] = "keep\n"
        w.settings.update({"worker.local": "false", "worker.lease": f'"{LEASE}"', "fix.parallel": "1"}, **(settings or {}))
        for number in range(issues):
            name, path = f"defect{number}", f"src/part{number}.txt"
            w.files[path] = f"value {number} bad\n"
            w.finding(name, [path], file=path, title=f"value {number} is bad", description=f"value {number} is bad")
            w.fixer(name, f"sleep {milliseconds}", world.words("replace", path, "bad", "good"), "claim fixed")
            w.resolved(name, [(path, "bad", "good")])
        os.makedirs(w.path("machines"))
        if cloned:
            w.repository = with_origin
        play.start(w)
        self.workers = []
        self.session = None

    def worker(self, *arguments, home="", database="", program=""):
        self.workers.append(Worker(self, f"m{len(self.workers)}", *arguments, home=home, database=database, program=program))
        return self.workers[-1]

    def select(self, statement):
        return self.server.psql(self.database, statement)

    def start(self, *command):
        w = self.w
        self.out = w.path("machines", "fix.out")
        self.session = subprocess.Popen([w.tools.emend, "--config", w.path("config.toml"), *(command or ("fix", "--json", *w.codes.values()))], cwd=w.repo,
                                        env=dict(w.variables_now(), EMEND_LOG="info"), stdin=subprocess.DEVNULL, stdout=open(self.out, "wb"),
                                        stderr=open(w.path("machines", "fix.log"), "ab"), start_new_session=True)

    def finish(self, seconds=120):
        code = self.session.wait(timeout=seconds)
        with open(self.out, encoding="utf-8") as file:
            return code, file.read()

    def until(self, what, seconds=60):
        """Polls; never depends on how long something takes."""
        deadline = time.monotonic() + seconds
        while not what():
            if time.monotonic() > deadline:
                raise RuntimeError("it does not come to that: " + self.logs())
            time.sleep(0.02)

    def claimed_by(self, worker):
        return self.select("select count(*) from shared_jobs j join workers w on w.id = j.worker_id where j.kind = 'unit' and j.state = 'claimed' "
                           f"and w.pid = {worker.process.pid}") != "0"

    def logs(self):
        with open(self.w.path("machines", "fix.log"), encoding="utf-8", errors="replace") as file:
            text = file.read()
        return text[-3000:] + "".join(f"\n--- {worker.name}\n{worker.said()[-1500:]}" for worker in self.workers)

    def problems(self):
        """What is not as it must be once the session is over, by git and the database alone."""
        w, found = self.w, []
        rows = [line.split("|") for line in self.select("select code, status from issues order by n").split("\n")]
        found += [f"{code} is {status}" for code, status in rows if status != "RESOLVED"]
        branch = w.branch()
        if not branch:
            return found + ["there is no branch"]
        if w.tree(branch) != w.expected_tree():
            found.append("the branch is not the base with every fix")
        subjects = w.git("log", "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C)", f"{w.head}..{branch}").split()
        if sorted(subjects) != sorted(w.codes.values()):
            found.append(f"the commits are of {sorted(subjects)}")
        for statement, words in (("select count(*) from shared_jobs where state in ('queued', 'claimed') and kind <> 'repository'", "jobs are left"),
                                 ("select count(*) from issues where status = 'IN_PROGRESS'", "issues are IN_PROGRESS"),
                                 ("select count(*) from intents where done = 0", "intents are open"),
                                 ("select count(*) from (select unit_id from attempts where result = 'accepted' group by unit_id having count(*) > 1) t",
                                  "units were accepted twice"),
                                 ("select count(*) from (select session_id, sha from commits group by session_id, sha having count(*) > 1) t",
                                  "commits are recorded twice")):
            if self.select(statement) != "0":
                found.append(f"{self.select(statement)} {words}")
        if self.select("select count(*) from sessions where status <> 'passed'") != "0":
            found.append("sessions: " + self.select("select id, status, detail from sessions"))
        after = w.manifest()
        found += [f"{path} changed" for path in sorted(w.before.keys() | after.keys()) if w.before.get(path) != after.get(path)]
        return found

    def close(self):
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.signal(signal.SIGCONT)
                worker.kill()
        if self.session and self.session.poll() is None:
            os.killpg(self.session.pid, signal.SIGKILL)
            self.session.wait()
        self.w.close()
