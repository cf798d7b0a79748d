#!/usr/bin/env python3
"""Several workers, one truth: whatever happens to them, every session ends once and nothing is committed twice.

    workers.py --emend FILE --fake-agent FILE [--runs 50] [--seed TEXT] [--only NAME,...]

Prints what it counted; ends with 1 on any bad state, with 77 where there is no PostgreSQL. See docs/workers.md."""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
for place in ("../crash", "../support", "."):
    sys.path.insert(0, os.path.join(HERE, place))

import losing_proxy
import postgres
from arena import Tools
from shared_world import Shared


def whole(shared, code=0):
    ended, _ = shared.finish()
    found = shared.problems()
    return found if ended == code else [f"the session ended with {ended}: {shared.logs()}", *found]


def four(suite):
    """One session's units on four workers, each of which does some."""
    with suite.shared(issues=12, milliseconds=300) as s:
        workers = [s.worker() for _ in range(4)]
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "4")
        s.start()
        found = whole(s)
        done = [worker.stop()["done"] for worker in workers]
        return found + ([f"not every worker did something: {done}"] if min(done) == 0 or sum(done) != 12 else [])


def killed(suite):
    """Two of four are killed at random moments; nothing is lost, nothing is committed twice."""
    found = []
    for run in range(suite.runs):
        choice = random.Random(f"{suite.seed}/killed/{run}")
        with suite.shared(issues=8, milliseconds=150) as s:
            workers = [s.worker() for _ in range(4)]
            s.until(lambda: s.select("select count(*) from workers where slots > 0") == "4")
            s.start()
            for victim in choice.sample(workers, 2):
                time.sleep(choice.uniform(0, 0.6))
                victim.kill()
            suite.count("killed", 2)
            found += [f"run {run}: {text}" for text in whole(s)]
    return found


def asleep(suite):
    """A worker is stopped until another one has done its work, and comes back: nothing of what it brings counts."""
    with suite.shared(issues=1, milliseconds=1500) as s:
        first = s.worker()
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "1")
        s.start()
        s.until(lambda: s.claimed_by(first))
        os.killpg(first.process.pid, signal.SIGSTOP)
        second = s.worker()
        found = whole(s)
        before = s.select("select count(*) from attempts") + s.select("select count(*) from verdicts") + s.select("select max(seq) from events")
        os.killpg(first.process.pid, signal.SIGCONT)
        s.until(lambda: "lost" in first.said())
        after = s.select("select count(*) from attempts") + s.select("select count(*) from verdicts") + s.select("select max(seq) from events")
        found += s.problems() + ([] if before == after else [f"it wrote something: {before}, {after}"])
        sums = [first.stop(), second.stop()]
        return found + ([] if sums[0]["done"] == 0 and sums[1]["done"] == 1 else [f"{sums}"])


def cut(suite):
    """Connections are cut while work is under way, of workers and of whoever coordinates."""
    with suite.shared(issues=6, milliseconds=300) as s:
        for _ in range(2):
            s.worker()
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "2")
        s.start()
        s.until(lambda: s.select("select count(*) from sessions") == "1")  # one that never began cannot go on
        for _ in range(6):
            s.select("select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
                     "and state = 'idle' and query not like 'listen%'")
            time.sleep(0.25)
        code, _ = s.finish()
        if code != 0:  # its own connection was cut at a bad moment: it can go on
            session = s.select("select id from sessions")
            s.start("sessions", "resume", session, "--json")
            return whole(s)
        return s.problems()


def coordinator(suite):
    """Whoever runs the session is killed; the workers go on with what they have, and a resumed session takes it over."""
    with suite.shared(issues=6, milliseconds=400) as s:
        workers = [s.worker() for _ in range(2)]
        s.start()
        s.until(lambda: s.select("select count(*) from attempts where result = 'accepted'") not in ("", "0"))
        os.killpg(s.session.pid, signal.SIGKILL)
        s.session.wait()
        session = s.select("select id from sessions")
        deadline = time.monotonic() + 60
        while True:  # until its lease is over nobody else may
            s.start("sessions", "resume", session, "--json")
            code, _ = s.finish()
            if code == 0 or time.monotonic() > deadline:
                break
            time.sleep(0.3)
        found = s.problems()
        for worker in workers:
            worker.stop()
        return found


def drained(suite):
    """A worker that is asked to go finishes what it has begun, takes nothing new, and is not taken for dead."""
    with suite.shared(issues=4, milliseconds=600) as s:
        first = s.worker()
        s.start()
        s.until(lambda: s.claimed_by(first))
        summed = first.stop()
        found = [] if summed and summed["done"] == 1 and summed["lost"] == 0 else [f"it was not done: {summed}"]
        if s.select("select count(*) from workers where slots > 0") != "0":
            found.append("it is still listed")
        s.worker()
        return found + whole(s)


def labelled(suite):
    """Work that needs a label is done by a worker that offers it."""
    with suite.shared(issues=2, milliseconds=50, settings={"worker.label": '"big"'}) as s:
        plain, big = s.worker(), s.worker("--labels", "small,big")
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "2")
        s.start()
        found = whole(s)
        sums = plain.stop()["done"], big.stop()["done"]
        return found + ([] if sums == (0, 2) else [f"{sums}"])


def cancelled(suite):
    """A person's word reaches work on other machines."""
    with suite.shared(issues=2, milliseconds=20000) as s:
        worker = s.worker("--jobs", "2")
        s.start()
        s.until(lambda: s.claimed_by(worker))
        done = s.w.emend("sessions", "cancel", s.select("select id from sessions"))
        code, _ = s.finish()
        found = [] if done.returncode == 0 else [done.stderr]
        if s.select("select status from sessions") != "cancelled":
            found.append(f"{code}: {s.select('select status, detail from sessions')}")
        if s.select("select count(*) from issues where status <> 'OPEN'") != "0":
            found.append(s.select("select code, status from issues"))
        summed = worker.stop()
        return found + ([] if summed["done"] == 0 else [f"{summed}"])


def cloned(suite):
    """The files of a repository come from where it was cloned from, or with the work when that is gone."""
    found = []
    for gone in (False, True):
        with suite.shared(issues=1, milliseconds=10, cloned=True) as s:
            if gone:
                os.rename(s.w.path("machines", "origin.git"), s.w.path("machines", "moved.git"))
            worker = s.worker("--clone")
            s.start()
            found += whole(s)
            worker.stop()
            if ("taken from the board" in worker.said()) != gone:
                found.append(f"gone {gone}: {worker.said()}")
    return found


def sessions(suite):
    """Whole sessions are claimed, too: the worker that runs one is killed, and another one that has the repository goes on with it."""
    with suite.shared(issues=4, milliseconds=400, settings={"worker.local": "true"}) as s:
        place = ("--repository", s.w.repo)
        first = s.worker(*place, home=s.w.state)
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "1")
        s.start("fix", "--json", "--queue", *s.w.codes.values())
        code, out = s.finish()
        found = [] if code == 0 and '"queued"' in out else [f"{code}: {out} {s.logs()}"]
        s.until(lambda: s.select("select count(*) from attempts where result = 'accepted'") not in ("", "0"))
        first.kill()
        second, third = s.worker(*place, home=s.w.state), s.worker(*place, home=s.w.state)
        s.until(lambda: s.select("select state from shared_jobs where kind = 'session'") == "done", 90)
        done = [worker.stop() for worker in (second, third)]
        times = s.select("select count(*) from events where type = 'fix_session_completed'")
        return found + s.problems() + ([] if times == "1" else [f"it ended {times} times: {done}"])


def unheard(suite):
    """The answer to a claim is lost on the way: the worker gives back what it does not know of, and takes it again."""
    with suite.shared(issues=2, milliseconds=10) as s:
        proxy = losing_proxy.LosingProxy(os.path.join(suite.server.directory, ".s.PGSQL.5432"), b"set state = 'claimed'")
        try:
            worker = s.worker(database=f"postgresql://emend@127.0.0.1:{proxy.port}/{s.database}?sslmode=disable&gssencmode=disable")
            s.start()
            found = whole(s)
            if not proxy.lost.is_set():
                found.append("no answer was lost")
            if s.select("select max(deliveries) from shared_jobs where kind = 'unit'") != "1":
                found.append("a claim nobody heard of counts as a delivery")
            worker.stop()
            return found
        finally:
            proxy.close()


def restarted(suite):
    """The database is stopped while units are worked on and started again: no claim stays with a worker that does not work on it."""
    with suite.shared(issues=4, milliseconds=1500) as s:
        workers = [s.worker(), s.worker()]
        s.start()
        s.until(lambda: all(s.claimed_by(worker) for worker in workers))
        suite.server.stop()
        try:
            code = s.session.wait(timeout=60)  # it cannot store anything
            s.until(lambda: all("given back" in worker.said() or "lost" in worker.said() for worker in workers))
        finally:
            suite.server.start_again()
        with open(s.w.path("machines", "fix.log"), encoding="utf-8") as file:
            said = file.read()
        found = [] if code == 3 and "emend sessions resume" in said else [f"the session ended with {code}: {said[-2000:]}"]
        session = s.select("select id from sessions")

        def resumed():
            s.start("sessions", "resume", session, "--json")
            return s.finish()[0] == 0

        s.until(resumed)  # until the lease of the process that ended is over
        found += s.problems()
        sums = [worker.stop() for worker in workers]
        return found + ([] if all(sums) else [f"{sums}"])


def away(suite):
    """The database is stopped while a worker runs a whole session: the session goes on by itself when it is back."""
    with suite.shared(issues=3, milliseconds=1500, settings={"worker.local": "true"}) as s:
        worker = s.worker("--repository", s.w.repo, home=s.w.state)
        s.until(lambda: s.select("select count(*) from workers where slots > 0") == "1")
        s.start("fix", "--json", "--queue", *s.w.codes.values())
        code, out = s.finish()
        found = [] if code == 0 else [f"{code}: {out}"]
        s.until(lambda: s.select("select count(*) from attempts") not in ("", "0"))
        suite.server.stop()
        try:
            s.until(lambda: "given back" in worker.said())
        finally:
            suite.server.start_again()
        s.until(lambda: s.select("select state from shared_jobs where kind = 'session'") == "done", 120)
        summed = worker.stop()
        return found + s.problems() + ([] if summed else ["the worker has failed"])


def kept(suite):
    """A backup taken while a session works, and one after it: each restores elsewhere, into a file and into a server, and its proofs hold."""
    with suite.shared(issues=6, milliseconds=300) as s:
        w, found = s.w, []

        def emend(*arguments, **variables):
            done = subprocess.run([w.tools.emend, "--config", w.path("config.toml"), *arguments], cwd=w.repo, capture_output=True, text=True,
                                  env={**w.variables_now(), **variables}, check=False)
            return done.returncode, done.stdout + done.stderr

        s.worker()
        s.start()
        s.until(lambda: s.select("select count(*) from attempts") != "0")
        during = emend("backup", w.path("machines", "during.tar"))
        found += whole(s)
        after = emend("backup", w.path("machines", "after"))
        found += [f"no backup: {text}" for code, text in (during, after) if code != 0]
        for name, backup, address in (("file", "during.tar", ""), ("file2", "after", ""),
                                      ("server", "after", s.server.address(s.server.new_database()))):
            home = w.path("machines", "restored-" + name)
            place = {"EMEND_HOME": home, "EMEND_DATABASE": address or "sqlite:" + os.path.join(home, "emend.db")}
            for command in (["restore", "--dry-run", w.path("machines", backup)], ["restore", w.path("machines", backup)], ["db", "check"],
                            ["prove", "--all"]):
                code, text = emend(*command, **place)
                if code != 0 or "NOT" in text:
                    found.append(f"{name}: {' '.join(command)} ended with {code}: {text}")
            proved = emend("prove", "--all", **place)[1].count("the proof holds")
            if backup == "after" and proved != 6:
                found.append(f"{name}: {proved} of 6 proofs hold")
            code, text = emend("restore", w.path("machines", backup), **place)
            if code == 0 or "has rows" not in text:
                found.append(f"{name}: restored over what was there: {code} {text}")
        with open(w.path("machines", "after", "emend.db"), "r+b") as file:
            file.seek(5000)
            file.write(b"changed")
        code, text = emend("restore", w.path("machines", "after"), EMEND_HOME=w.path("machines", "never"), EMEND_DATABASE="")
        if code == 0 or "was changed" not in text:
            found.append(f"a changed backup was restored: {code} {text}")
        return found


PLAYS = {play.__name__: play for play in (four, killed, asleep, cut, coordinator, drained, labelled, cancelled, cloned, sessions, unheard, restarted, away, kept)}


class Suite:
    def __init__(self, options, server):
        self.tools = Tools(os.path.abspath(options.emend), os.path.abspath(options.fake_agent), "")
        self.runs, self.seed, self.server = options.runs, options.seed or str(int(time.time())), server
        self.counts = {}

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def shared(self, **options):
        return Closing(Shared(self.tools, self.server, **options))


class Closing:
    def __init__(self, shared):
        self.shared = shared

    def __enter__(self):
        return self.shared

    def __exit__(self, *_):
        self.shared.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--runs", type=int, default=50, help="sessions two of whose four workers are killed")
    parser.add_argument("--seed", default="")
    parser.add_argument("--only", default="", help=", ".join(PLAYS))
    options = parser.parse_args()
    if not postgres.programs():
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        return 77
    server = postgres.Server()
    try:
        suite, bad = Suite(options, server), 0
        print(f"seed {suite.seed} (SEED=)")
        for name, play in PLAYS.items():
            if options.only and name not in options.only.split(","):
                continue
            began = time.monotonic()
            try:
                found = play(suite)
            except Exception:  # a play that cannot be played is as bad as one that went wrong
                found = [traceback.format_exc()]
            bad += len(found)
            print(f"{name:12} {'ok' if not found else 'BAD'}  {time.monotonic() - began:6.1f} s  {play.__doc__.splitlines()[0]}", flush=True)
            for text in found:
                print("    " + text.replace("\n", "\n    "))
        print(f"workers killed {suite.counts.get('killed', 0)}\nbad states     {bad}")
        return 1 if bad else 0
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
