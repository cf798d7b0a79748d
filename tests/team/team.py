#!/usr/bin/env python3
"""A team at work: two servers on one PostgreSQL at its default limits, workers, repositories, and people with different rights, while servers,
workers and the database are killed at random.

    team.py --emend FILE --sources FOLDER [--servers 2] [--workers 4] [--repositories 3] [--people 6] [--seconds 25] [--seed TEXT]

Every person asks what they may and what they may not, of whichever server answers. Afterwards, by git and the database alone: every session has
ended once, nothing is committed twice, nobody was answered beyond their rights, and the audit log has every change that was answered. Ends with 1
on anything bad, with 77 where there is no PostgreSQL."""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("../support", "../http"):
    sys.path.insert(0, os.path.join(HERE, folder))

import client as clients
import postgres
from client import Client
from place import Place, score

ROLES = ("read", "decide", "run", "administer")
TOKEN = re.compile(r"emend_pat_[0-9A-Za-z]{36}")
OVER = ("passed", "partial", "failed", "cancelled", "error", "stopped")
LEASE = "5s"
CONFIG = """[fix]
agent = "fixer"
parallel = 1

[fix_challenger]
agent = "judge"
satisfaction_threshold = 95
canaries = 0

[worker]
lease = "{lease}"

[agents.fixer]
engine = "scripted"
script = "{root}/fixer.json"
family = "one"

[agents.judge]
engine = "scripted"
script = "{root}/judge.json"
family = "two"
"""
CHECKS = '[verify]\ncommands = [{ name = "check", run = "sh check.sh" }]\n'
# What changes something although it is sent nothing that could be refused.
WITHOUT_BODY = {"discardSession", "forgetRepository", "removePerson", "pauseQueue", "resumeQueue", "cancelSession", "resumeSession"}


def operations(sources):
    with open(os.path.join(sources, "api", "openapi.json"), encoding="utf-8") as file:
        document = json.load(file)
    return [(method.upper(), path, operation) for path, item in document["paths"].items() for method, operation in item.items()
            if method in ("get", "put", "post", "patch", "delete")]


class Process:
    """A program of ours that may be killed at any moment, and begins again."""

    def __init__(self, team, name, arguments, environment, cwd):
        self.name, self.arguments, self.environment, self.cwd = name, arguments, environment, cwd
        self.log = team.place.path(name + ".log")
        self.starts = 0
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.arguments, cwd=self.cwd, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
        self.starts += 1

    def kill(self):
        self.process.kill()
        self.process.wait()

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()


class Person:
    def __init__(self, name, roles, token):
        self.name, self.roles, self.token = name, roles, token  # roles: of each repository, nobody's without
        self.asked = self.refused = self.unanswered = 0
        self.changes = []  # (action, subject) of what was answered with success

    def may(self, role, repository):
        return repository in self.roles and ROLES.index(self.roles[repository]) >= ROLES.index(role)


class Team:
    def __init__(self, options):
        self.options, self.random = options, random.Random(options.seed)
        self.place = Place(options.emend, "team")
        self.database = postgres.Server(settings={"max_connections": None, "shared_buffers": None})
        self.name = self.database.new_database()
        self.place.environment.update({"EMEND_DATABASE": self.database.address(self.name), "EMEND_LOG": "info"})
        self.bad, self.lock = [], threading.Lock()
        self.kills = {"server": 0, "worker": 0, "database": 0}
        self.started = {}  # issue -> session, as it was answered
        self.cancelled = set()  # as it was answered
        self.perhaps_cancelled = set()  # nobody answered: it may have been done all the same
        self.sessions_of = {}  # repository -> sessions that were answered
        self.stop = threading.Event()
        self.processes = []

    def say(self, problem):
        with self.lock:
            self.bad.append(problem)

    # --- what there is before the first request ------------------------------------------------------------------------------

    def run(self, *arguments, cwd=None):
        done = self.place.run(*arguments, cwd=cwd or self.folders[0])
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stdout} {done.stderr}")
        return done.stdout

    def make(self):
        place, options = self.place, self.options
        self.files = [f"part{number}" for number in range(options.issues)]
        turns = [{"role": "*", "file": f"src/{name}.sh", "do": [{"sleep_ms": 200}, {"replace": {"path": f"src/{name}.sh", "old": "echo wrong", "new": "echo right"}}],
                  "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It says right."}]}} for name in self.files]
        place.write_turns("fixer.json", turns, "fixer-1")
        marks = {"correctness": 98, "safety": 98, "style": 98}
        place.write_turns("judge.json", [{"role": "*", "answer": score(98, feedback="It says right.", improvements_needed=[], quality_scores=marks)}], "judge-1")
        place.write("state/config.toml", CONFIG.format(lease=LEASE, root=place.root))
        self.folders, self.codes = [], {}
        results = [{"ruleId": "wrong", "message": {"text": f"{name} says wrong"}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": f"src/{name}.sh"}, "region": {"startLine": 2}}}]} for name in self.files]
        report = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "tool"}}, "results": results}]}
        place.write("report.json", json.dumps(report))
        for number in range(options.repositories):
            folder = place.path(f"repo{number}")
            os.makedirs(folder)
            self.folders.append(folder)
            place.write(f"repo{number}/README", f"{number}\n")
            for name in self.files:
                place.write(f"repo{number}/src/{name}.sh", f"# {name}\necho wrong\n")
            place.write(f"repo{number}/check.sh", "for file in src/*.sh; do sh -n \"$file\" || exit 1; done\n")
            place.write(f"repo{number}/emend.toml", CHECKS)
            for arguments in (["init", "-q", "-b", "main"], ["config", "user.name", "a"], ["config", "user.email", "a@example.org"], ["add", "-A"],
                              ["commit", "-q", "-m", f"Begin {number}"]):
                place.git(*arguments, cwd=folder)
            self.run("trust", cwd=folder)
            self.run("import", place.path("report.json"), cwd=folder)
        self.make_servers()
        owner = self.owner()
        rows = self.ask_until(lambda: owner.get("/api/repositories")).json["data"]
        self.repositories = [next(row["id"] for row in rows if row["path"] == folder) for folder in self.folders]
        self.places = {}
        for repository in self.repositories:
            listed = self.ask_until(lambda: owner.get(f"/api/issues?repository_id={repository}&limit=200")).json["data"]
            self.codes[repository] = [row["code"] for row in listed]
            assert len(self.codes[repository]) == options.issues, listed
            self.fill(owner, repository)
        self.make_people()
        self.make_workers()

    def make_servers(self):
        self.servers = []
        for number in range(self.options.servers):
            port = postgres.free_port()
            repositories = [argument for folder in self.folders for argument in ("--repo", folder)]
            arguments = [self.place.program, "serve", "--listen", f"127.0.0.1:{port}", "--log-format", "json", "--sessions", "2", *repositories]
            server = Process(self, f"server{number}", arguments, self.place.environment, self.folders[0])
            server.port = port
            self.servers.append(server)
            self.processes.append(server)
            self.until_it_answers(server)

    def make_workers(self):
        self.workers = []
        for number in range(self.options.workers):
            home = self.place.path("machines", str(number))
            os.makedirs(home + "-user")
            environment = {**self.place.environment, "EMEND_HOME": home, "HOME": home + "-user"}
            arguments = [self.place.program, "--config", self.place.path("state", "config.toml"), "worker", "--lease", LEASE, "--json"]
            self.workers.append(Process(self, f"worker{number}", arguments, environment, "/"))
            self.processes.append(self.workers[-1])

    def make_people(self):
        self.people = []
        for number in range(self.options.people):
            name, roles = f"p{number}", {}
            self.run("people", "add", name)
            for repository in self.repositories:
                role = self.random.choice((None, *ROLES)) if number else "run"  # the first may work everywhere
                if role:
                    self.run("people", "role", name, role, "--repository", repository)
                    roles[repository] = role
            self.people.append(Person(name, roles, TOKEN.search(self.run("tokens", "create", "--for", name, "--name", "team")).group(0)))

    def fill(self, owner, repository):
        """A session and a job to ask about."""
        code = self.codes[repository].pop()
        session = self.ask_until(lambda: owner.post("/api/fix/start", {"repository_id": repository, "issue_ids": [code]}, {"Accept": "application/json"}))
        assert session.status == 202, session
        session = session.json["session_id"]
        self.until(lambda: self.ask_until(lambda: owner.get(f"/api/fix/sessions/{session}")).json.get("status") in OVER, "the first session")
        run = self.ask_until(lambda: owner.get(f"/api/runs?session={session}")).json["data"][0]["id"]
        self.places[repository] = {"session": session, "job": session, "run": run, "path": repository, "code": code}
        self.started[repository, code] = session

    def owner(self):
        with open(os.path.join(self.place.state, "server", "token"), encoding="utf-8") as file:
            return Client(self.servers[0].port, file.read().strip())

    def until_it_answers(self, server):
        def answers():
            assert server.process.poll() is None, server.said()[-3000:]
            try:
                return Client(server.port).get("/healthz").status == 200
            except OSError:
                return False
        self.until(answers, server.name)

    def until(self, what, words, seconds=120):
        """Polls; never depends on how long something takes."""
        deadline = time.monotonic() + seconds
        while not what():
            if time.monotonic() > deadline:
                raise RuntimeError("waited in vain for " + words + self.logs())
            time.sleep(0.05)

    def ask_until(self, ask, seconds=120):
        """An answer, however often the server or the database has to begin again for it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                answer = ask()
                if answer.status < 500 or time.monotonic() > deadline:
                    return answer
            except (OSError, ConnectionError, ValueError, IndexError):
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    # --- the people ------------------------------------------------------------------------------------------------------------

    def send(self, person, choice, method, path, body=None, key=None, tries=40):
        """To any server; None = nobody answered. With a key it is asked again until somebody does."""
        for _ in range(tries if key else 1):
            headers = {"Accept": "application/json"}
            if key:
                headers["Idempotency-Key"] = key
            person.asked += 1
            answer = self.once(person, choice.choice(self.servers).port, method, path, body, headers)
            if answer is not None and answer.status == 401:
                self.say(f"{person.name} is not known any more: {method} {path}: {answer}")
            in_progress = answer is not None and answer.status == 409 and "idempotency-in-progress" in answer.body
            if answer is not None and answer.status < 500 and answer.status != 429 and not in_progress:
                return answer
            person.unanswered += 1
            if key:
                time.sleep(0.25)
        return None

    def once(self, person, port, method, path, body, headers):
        """One request on a connection of its own; of a stream only the head is read."""
        who = Client(port, person.token)
        try:
            data, headers = who.encode(body, headers)
            connection, file = who.connect(20)
        except OSError:
            return None
        try:
            connection.sendall(who.head(method, path, headers, data))
            status, given = clients.read_head(file)
            kind = next((value for name, value in given if name.lower() == "content-type"), "")
            length = next((int(value) for name, value in given if name.lower() == "content-length"), 0)
            text = "" if kind.startswith("text/event-stream") else file.read(length).decode("utf-8", "replace")
            return clients.Answer(status, given, text)
        except (OSError, ValueError, IndexError):
            return None
        finally:
            file.close()
            connection.close()

    def judge(self, person, role, repository, answer, what):
        """Refused exactly when their role does not reach."""
        if answer is None:
            return False
        refused = answer.status == 403
        if refused:
            person.refused += 1
        if not person.may(role, repository) and not refused:
            self.say(f"beyond rights: {person.name} ({person.roles.get(repository)}) {what}: {answer}")
        if person.may(role, repository) and refused:
            self.say(f"refused: {person.name} ({person.roles.get(repository)}) {what}: {answer}")
        return 200 <= answer.status < 300

    def start_session(self, person, choice, repository):
        with self.lock:
            code = self.codes[repository].pop() if self.codes[repository] else None
        if code is None:
            return
        body = {"repository_id": repository, "issue_ids": [code]}
        answer = self.send(person, choice, "POST", "/api/fix/start", body, key=f"{person.name}-{repository}-{code}")
        if self.judge(person, "run", repository, answer, f"starts a session for {code}"):
            session = answer.json["session_id"]
            with self.lock:
                if self.started.setdefault((repository, code), session) != session:
                    self.bad.append(f"{code} was given two sessions: {self.started[repository, code]} and {session}")
                self.sessions_of.setdefault(repository, []).append(session)
            return
        if answer is None or answer.status == 403:
            with self.lock:
                self.codes[repository].insert(0, code)

    def cancel_session(self, person, choice, repository):
        with self.lock:
            known = self.sessions_of.get(repository, [])
            session = choice.choice(known) if known else None
        if session is None:
            return
        answer = self.send(person, choice, "POST", f"/api/fix/sessions/{session}/cancel")
        if answer is None and person.may("run", repository):
            with self.lock:
                self.perhaps_cancelled.add(session)
        if self.judge(person, "run", repository, answer, f"cancels {session}"):
            with self.lock:
                self.cancelled.add(session)
            person.changes.append(("session.cancelled", repository, session))

    def decide(self, person, choice, repository):
        code = self.places[repository]["code"]
        text = f"{person.name} {choice.random()}"
        answer = self.send(person, choice, "POST", f"/api/issues/{code}/comments?repository_id={repository}", {"text": text})
        if self.judge(person, "decide", repository, answer, f"comments on {code}"):
            person.changes.append(("issue.commented", repository, code))

    def look(self, person, choice, repository):
        path = choice.choice((f"/api/issues?repository_id={repository}&limit=20", f"/api/issues/facets?repository_id={repository}",
                              f"/api/fix/sessions?repository_id={repository}", f"/api/fix/sessions/{self.places[repository]['session']}"))
        self.judge(person, "read", repository, self.send(person, choice, "GET", path), "GET " + path)

    def look_around(self, person, choice, _):
        """Lists over all repositories hold nothing of those one may not see."""
        path = choice.choice(("/api/issues?limit=200", "/api/fix/sessions?limit=100", "/api/jobs", "/api/audit?limit=50", "/api/repositories"))
        answer = self.send(person, choice, "GET", path)
        if answer is None:
            return
        if answer.status != 200:
            self.say(f"{person.name} GET {path}: {answer}")
        for repository in self.repositories:
            if repository not in person.roles and repository in answer.body:
                self.say(f"beyond rights: {person.name} is told of {repository} by {path}")

    def any_operation(self, person, choice, repository):
        """One of the OpenAPI document, with nothing in it that would be taken, however wide their rights are."""
        method, path, operation = choice.choice(self.operations)
        scope, role = operation["x-emend-scope"], operation.get("x-emend-role")
        if scope not in ("session", "run", "job", "path", "query", "body", "of_session", "server") or role is None:
            return
        allowed = person.may(role, repository) and scope != "server"
        if allowed and (method == "GET" or operation["operationId"] in WITHOUT_BODY or "requestBody" not in operation):
            return  # the others look by themselves
        place = self.places[repository]
        value = place.get(scope, "none")
        path = re.sub(r"\{(\w+)\}", lambda name: place["code"] if name.group(1) == "code" else value, path)
        path += {"query": f"?repository_id={repository}", "of_session": f"?session={place['session']}"}.get(scope, "")
        body = None
        if "requestBody" in operation:
            body = {"repository_id": repository, "nonsense": 1} if scope == "body" else {"nonsense": 1}
        answer = self.send(person, choice, method, path, body)
        if answer is None:
            return
        what = f"{operation['operationId']}: {method} {path}"
        if allowed:
            if answer.status == 403 and "role-missing" in answer.body:
                self.say(f"refused: {person.name} ({person.roles.get(repository)}) {what}: {answer}")
            return
        person.refused += 1
        if answer.status != 403:
            self.say(f"beyond rights: {person.name} ({person.roles.get(repository)}) {what}: {answer}")

    def live(self, person, number):
        choice = random.Random(f"{self.options.seed}/{number}")
        things = [self.start_session] * 3 + [self.decide] * 2 + [self.look] * 3 + [self.look_around] * 2 + [self.any_operation] * 6 + [self.cancel_session]
        while not self.stop.is_set():
            try:
                choice.choice(things)(person, choice, choice.choice(self.repositories))
            except Exception as problem:  # a person that cannot go on would hide what comes after
                self.say(f"{person.name}: {problem!r}")
            self.stop.wait(choice.uniform(0.05, 0.4) * self.options.people / 6)

    # --- what goes wrong -------------------------------------------------------------------------------------------------------

    def break_things(self):
        choice = random.Random(f"{self.options.seed}/kills")
        turn = 0
        while not self.stop.wait(choice.uniform(1.5, 4)):
            kind = ("server", "worker", "database")[turn % 3] if turn < 3 else choice.choice(("server", "server", "worker", "worker", "database"))
            turn += 1
            self.kills[kind] += 1
            if kind == "database":
                self.database.server.send_signal(signal.SIGQUIT)  # without a goodbye, as after a crash
                self.database.server.wait()
                time.sleep(choice.uniform(0.2, 1.5))
                self.until(self.database_is_back, "the database")
                continue
            victim = choice.choice(self.servers if kind == "server" else self.workers)
            victim.kill()
            time.sleep(choice.uniform(0, 1))
            victim.start()

    def database_is_back(self):
        """It refuses to begin while something of its last life is there."""
        try:
            self.database.start_again()
            return True
        except RuntimeError:
            return False

    # --- how it came out -------------------------------------------------------------------------------------------------------

    def select(self, statement):
        return [line.split("|") for line in self.database.psql(self.name, statement).split("\n") if line]

    def check(self):
        owner = self.owner()
        for server in self.servers:
            if server.process.poll() is not None:
                server.start()
            self.until_it_answers(server)
        self.until(lambda: self.select("select count(*) from remembered where kind = 'job'")[0][0] == "0", "the end of all jobs", 300)
        self.until(lambda: not [row for row in self.select("select status from sessions") if row[0] not in OVER], "the end of all sessions", 60)
        left = "select id, state, worker_id, stop_asked from shared_jobs where state in ('queued', 'claimed') and kind <> 'repository'"
        try:
            self.until(lambda: not self.select(left), "the end of all shared work", 60)
        except RuntimeError:
            self.say(f"pieces of shared work are left: {self.select(left)}")
        known = {row[0]: row[1] for row in self.select("select id, status from sessions")}
        for (_, code), session in self.started.items():
            if session not in known and session not in self.cancelled | self.perhaps_cancelled:
                job = self.select(f"select kind, value from remembered where key = '{session}'")
                self.say(f"the session {session} for {code} was answered, and there is none; its job: {job}")
        ends = {row[0]: int(row[1]) for row in self.select("select session_id, count(*) from events where type = 'fix_session_completed' group by session_id")}
        for session, status in known.items():
            wanted = 1 if status in ("passed", "partial", "failed") else None
            if wanted and ends.get(session, 0) != wanted:
                self.say(f"{session} ({status}) has ended {ends.get(session, 0)} times")
            if status not in ("passed", "cancelled") or (status == "cancelled" and session not in self.cancelled | self.perhaps_cancelled):
                self.say(f"{session} is {status}: " + self.select(f"select detail from sessions where id = '{session}'")[0][0])
        for statement, words in (("select count(*) from issues where status = 'IN_PROGRESS'", "issues are IN_PROGRESS"),
                                 ("select count(*) from intents where done = 0", "intents are open"),
                                 ("select count(*) from (select unit_id from attempts where result = 'accepted' group by unit_id having count(*) > 1) t",
                                  "units were accepted twice")):
            if self.select(statement)[0][0] != "0":
                self.say(f"{self.select(statement)[0][0]} {words}")
        commits = self.check_commits()
        self.check_audit(owner)
        return known, commits

    def check_commits(self):
        """By git: each issue is in one commit at most, and in one if it is RESOLVED."""
        count = 0
        for folder, repository in zip(self.folders, self.repositories):
            told = self.place.git("log", "--branches", "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C)", cwd=folder).split()
            count += len(told)
            for code in sorted(set(told)):
                if told.count(code) > 1:
                    self.say(f"{code} was committed {told.count(code)} times in {folder}")
            resolved = {row[0] for row in self.select(f"select code from issues where repository_id = '{repository}' and status = 'RESOLVED'")}
            if resolved != set(told):
                self.say(f"RESOLVED and committed are not the same in {folder}: {sorted(resolved ^ set(told))}")
        done = self.place.run("prove", "--all", cwd=self.folders[0])
        if done.returncode != 0:
            self.say(f"prove --all: {done.stdout[-800:]} {done.stderr[-800:]}")
        return count

    def check_audit(self, owner):
        """Every change that was answered has its entry, by the one who made it; and the chain holds."""
        verified = self.place.run("audit", "verify", "--json", cwd=self.folders[0])
        if verified.returncode != 0 or not json.loads(verified.stdout)["data"]["holds"]:
            self.say(f"audit verify: {verified.stdout} {verified.stderr}")
        entries = [json.loads(line) for line in self.run("audit", "export").splitlines()]
        self.audited = len(entries)
        for person in self.people:
            for action, repository, subject in sorted(set(person.changes)):
                made = sum(1 for change in person.changes if change == (action, repository, subject))
                found = sum(1 for entry in entries if (entry["action"], entry["repository_id"], entry["subject"]) == (action, repository, subject)
                            and entry["actor"]["name"].startswith(person.name))
                if found < made:
                    self.say(f"{person.name} did {action} of {subject} {made} times, and the audit log has {found}")
        begun = {entry["subject"] for entry in entries if entry["action"] == "session.started"}
        missing = [row[0] for row in self.select("select id from sessions") if row[0] not in begun]
        if missing:
            self.say(f"no audit entry of the start of {missing}")

    def logs(self):
        return "".join(f"\n--- {process.name}\n{process.said()[-1500:]}" for process in self.processes)

    def play(self):
        began = time.monotonic()
        self.operations = operations(self.options.sources)
        self.make()
        made = time.monotonic() - began
        threads = [threading.Thread(target=self.live, args=(person, number)) for number, person in enumerate(self.people)]
        threads.append(threading.Timer(self.options.seconds, self.stop.set))
        for thread in threads:
            thread.start()
        self.break_things()  # on this thread: what a thread has begun ends with it
        for thread in threads:
            thread.join()
        known, commits = self.check()
        asked, refused, unanswered = (sum(getattr(person, name) for person in self.people) for name in ("asked", "refused", "unanswered"))
        print(f"{len(self.servers)} servers, {len(self.workers)} workers, {len(self.repositories)} repositories, {len(self.people)} people, "
              f"{self.options.seconds} s (made in {made:.0f} s, {time.monotonic() - began:.0f} s in all)")
        print(f"killed      servers {self.kills['server']}, workers {self.kills['worker']}, database {self.kills['database']}")
        print(f"requests    {asked}; refused for want of a role {refused}; without an answer or put off {unanswered}")
        print(f"sessions    {len(known)}: " + ", ".join(f"{status} {list(known.values()).count(status)}" for status in sorted(set(known.values()))))
        print(f"commits     {commits}\naudit log   {self.audited} entries")
        if len(known) <= len(self.repositories) or not refused:
            self.say("hardly anything was tried")

    def close(self):
        self.stop.set()
        for process in self.processes:
            if process.process.poll() is None:
                process.kill()
        self.database.close()
        if self.bad and self.options.keep:
            print("kept: " + self.place.root)
        else:
            self.place.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--sources", required=True)
    for name, number in (("servers", 2), ("workers", 4), ("repositories", 3), ("people", 6), ("seconds", 25), ("issues", 12)):
        parser.add_argument("--" + name, type=int, default=number)
    parser.add_argument("--seed", default="")
    parser.add_argument("--keep", action="store_true", help="what is bad stays to be looked at")
    options = parser.parse_args()
    options.seed = options.seed or str(int(time.time()))
    if not postgres.programs():
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        return 77
    print(f"seed {options.seed} (SEED=)", flush=True)
    team = Team(options)
    try:
        team.play()
    finally:
        team.close()
    for problem in team.bad[:40]:
        print("    " + problem.replace("\n", "\n    "))
    print(f"bad states  {len(team.bad)}")
    return 1 if team.bad else 0


if __name__ == "__main__":
    sys.exit(main())
