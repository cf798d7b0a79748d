"""L. Faults of the machine and of the engine itself."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import types

from play import scenario, start
from scenarios_repository_states import meanwhile
from world import write

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "crash"))


def sessions(w):
    return json.loads(w.emend("sessions", "--json").stdout)["data"]


def go_on(w):
    """What a person does after a crash: resume what is left, or begin again."""
    for row in sessions(w):
        if row["status"] in ("running", "interrupted"):
            w.result = w.emend("sessions", "resume", row["id"], "--json")
    return w.result


@scenario("L1", "killed at a step of its journal", varies=False)
def l1(w):
    w.settings["verify.max_fix_cycles"] = "3"  # an issue may be begun so often, and not much more
    w.honest("clamp")
    w.honest("mean")
    start(w)
    step = 1
    while step < 200:
        done = w.fix(env={"EMEND_TEST_CRASH_AT": str(step)}) if not sessions(w) else w.emend(
            "sessions", "resume", sessions(w)[0]["id"], "--json", env={"EMEND_TEST_CRASH_AT": str(step)})
        w.result = done
        if done.returncode != -signal.SIGKILL:
            break
        step += 11  # each life gets further than the one before
    go_on(w)


def shim(w, *words, programs="emend,emend-exec"):
    """The environment in which the library for failing calls does this; see tests/crash/fault_shim.cpp."""
    directory = w.path("shim")
    os.makedirs(directory, exist_ok=True)
    w.ignored.add("shim")
    write(os.path.join(directory, "counter"), b"\0" * 4096)
    told = [f"programs={programs}", f"counter={directory}/counter", f"log={directory}/log", *words]
    return {"LD_PRELOAD": w.tools.shim, "EMEND_FAULT": " ".join(told)}


def it_happened(w):
    happened = os.path.exists(w.path("shim", "log"))
    return [] if happened else ["the fault did not happen"]


@scenario("L2", "power loss", varies=False, needs="shim")
def l2(w):
    from power import Disk, read_log

    w.honest("clamp")
    w.honest("mean")
    start(w)
    for place in ("state", "repo/.git"):
        shutil.copytree(w.path(place), w.path("disk", place), symlinks=True)
    os.makedirs(w.path("shim/record"))
    w.ignored |= {"disk", "shim"}
    w.fix(env={**shim(w, f"under={w.root}", f"record={w.path('shim/record')}", programs="emend,emend-exec,git"),
               "EMEND_TEST_CRASH_AT": "gate.before_issue"})
    crashed = w.exit_code == -signal.SIGKILL
    disk = Disk(types.SimpleNamespace(w=w, template=lambda place: w.path("disk", place)))
    for event in read_log(w.path("shim/record")):  # only what was synced is there
        disk.apply(*event)
    disk.write()
    write(w.path("shim/boot"), "00000000-1111-4222-8333-444444444444\n")
    w.before = {**w.before, **{path: entry for path, entry in w.manifest().items() if path.startswith("repo/.git/")}}  # times of a new disk
    w.variables.update(shim(w, f"boot={w.path('shim/boot')}"))
    go_on(w)
    if not w.branch():
        w.fix()
    w.checks = [lambda world: [] if crashed else ["it was not killed"]]


@scenario("L3", "files cannot grow any more", varies=False)
def l3(w):
    w.honest("clamp")
    w.honest("mean")
    start(w)
    problems = []
    for limit in (3_000, 40_000, 120_000, 400_000):
        done = subprocess.run([w.tools.emend, "--config", w.path("config.toml"), "fix", "--json", *w.codes.values()], cwd=w.repo, env=w.variables_now(),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False, preexec_fn=lambda: no_growth(limit))
        if done.returncode == 0:
            break
        if done.returncode > 0 and not done.stderr.strip():
            problems.append(f"with files of at most {limit} bytes it ended with {done.returncode} and said nothing")
    w.result = w.emend("issues", "--json")
    go_on(w)
    if not w.branch():  # there is room again
        w.fix()
    w.checks = [lambda world: problems]


def no_growth(limit):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


@scenario("L4", "two engines on one repository", varies=False)
def l4(w):
    w.honest("clamp", "sleep 1200")
    w.honest("mean")
    start(w)
    second = []
    thread = meanwhile(w, 0.1, lambda: second.append(w.emend("fix", "--json", *w.codes.values())))
    w.fix()
    thread.join()
    w.checks = [lambda world: [] if second and second[0].returncode not in (0, 1) else ["the second engine was not refused"]]


@scenario("L5", "database locked", varies=False)
def l5(w):
    w.honest("clamp", "sleep 300")
    start(w)

    def hold():
        other = sqlite3.connect(os.path.join(w.state, "emend.db"), isolation_level=None, timeout=20)
        other.execute("begin immediate")
        time.sleep(1.0)
        other.execute("rollback")
        other.close()

    thread = meanwhile(w, 0.05, hold)
    w.fix()
    thread.join()


@scenario("L6", "database damaged", varies=False)
def l6(w):
    w.honest("clamp")
    start(w)
    path = os.path.join(w.state, "emend.db")
    for name in (path + "-wal", path + "-shm"):
        if os.path.exists(name):
            os.unlink(name)
    whole = open(path, "rb").read()
    write(path, b"\0" * 64 + os.urandom(4096) + whole[4160:])
    w.fix()
    refused = w.exit_code not in (0, 1) and w.result.stderr.strip() != ""
    write(path, whole)
    w.expect("clamp", "OPEN")
    w.checks = [lambda world: [] if refused else ["a damaged database was used: " + world.result.stderr]]


@scenario("L7", "clock jumps", varies=False, needs="shim")
def l7(w):
    w.settings["fix.timeout"] = '"20s"'
    hours = w.variation.random.choice((-72, -5, 5, 72))
    w.honest("clamp", "sleep 200")
    w.honest("mean")
    start(w)
    w.fix(env=shim(w, f"clock={hours * 3600}", "from=20"))
    w.checks = [in_order]


def in_order(w):
    rows = sqlite3.connect(os.path.join(w.state, "emend.db")).execute("select type, issue_code from events order by seq").fetchall()
    wrong = []
    for code in w.codes.values():
        mine = [type for type, issue in rows if issue == code]
        if mine.count("fix_issue_completed") != 1 or mine.count("fix_cycle_started") < 1:
            wrong.append(f"{code}: {mine}")
    return wrong


@scenario("L8", "out of file descriptors", varies=False)
def l8(w):
    w.honest("clamp")
    start(w)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    subprocess.run([w.tools.emend, "--config", w.path("config.toml"), "fix", "--json", *w.codes.values()], cwd=w.repo, env=w.variables_now(),
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (14, limit[1])))
    w.result = w.emend("issues", "--json")
    go_on(w)
    if not w.branch():
        w.fix()


@scenario("L9", "killed between the commit and the database", varies=False)
def l9(w):
    w.honest("clamp")
    w.honest("mean")
    start(w)
    w.fix(env={"EMEND_TEST_CRASH_AT": "commit.after_publish"})
    crashed = w.exit_code == -signal.SIGKILL and w.branch() != ""
    go_on(w)
    w.checks = [lambda world: [] if crashed else ["it was not killed there"]]


@scenario("L10", "killed before listeners were told", varies=False)
def l10(w):
    # Whoever listens reads the events by their number: after a kill right behind a commit there must be no gap, and nothing twice.
    w.settings["verify.max_fix_cycles"] = "6"
    w.honest("clamp")
    w.honest("mean")
    start(w)
    w.fix(env={"EMEND_TEST_CRASH_AT": "store.after_commit"})
    heard = listen(w, 0)
    for _ in range(2):
        rows = sessions(w)
        w.result = w.emend("sessions", "resume", rows[0]["id"], "--json", env={"EMEND_TEST_CRASH_AT": "gate.before_resolved"}) if rows else w.fix()
        heard += listen(w, heard[-1][0] if heard else 0)
    go_on(w)
    if not w.branch():
        w.fix()
    heard += listen(w, heard[-1][0] if heard else 0)
    w.checks = [lambda world: told_once(world, heard)]


def listen(w, after):
    rows = sqlite3.connect(os.path.join(w.state, "emend.db")).execute("select seq, type, issue_code, data from events where seq > ? order by seq", (after,))
    return rows.fetchall()


def told_once(w, heard):
    numbers = [seq for seq, *_ in heard]
    wrong = [] if numbers == sorted(set(numbers)) and heard == listen(w, 0) else ["a listener missed something or was told twice"]
    for code in w.codes.values():
        count = sum(1 for _, type, issue, _ in heard if type == "fix_issue_completed" and issue == code)
        if count != 1:
            wrong.append(f"{code} was resolved {count} times")
    commits = [json.loads(data)["sha"] for _, type, _, data in heard if type == "fix_commit_created"]
    return wrong + [f"the commit {sha} was made twice" for sha in set(commits) if commits.count(sha) > 1]


@scenario("L11", "the agent outlives the engine", varies=False)
def l11(w):
    w.scripts["stays"] = ["ignore TERM", "ignore HUP", "sleep inf"]
    w.honest("clamp")
    w.fixer("clamp", "daemon stays", "ignore TERM", "sleep inf", number=1)
    start(w)
    engine = subprocess.Popen([w.tools.emend, "--config", w.path("config.toml"), "fix", "--json", *w.codes.values()], cwd=w.repo, env=w.variables_now(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    meanwhile(w, 0.1, lambda: os.kill(engine.pid, signal.SIGKILL)).join()
    engine.wait()
    for _ in range(100):
        if not w.processes_left():
            break
        time.sleep(0.05)
    left = w.processes_left()
    w.result = w.emend("issues", "--json")
    go_on(w)
    w.checks = [lambda world: [f"outlived the engine: {words}" for _, words in left]]


@scenario("L12", "crashes again and again", varies=False)
def l12(w):
    w.honest("clamp")
    start(w)
    w.expect("clamp", "FAILED", "agent_failed")
    w.fix(env={"EMEND_TEST_CRASH_AT": "fix.before_agent"})
    for _ in range(15):  # lives that all end before the agent has done anything
        if w.result.returncode != -signal.SIGKILL:
            break
        w.result = w.emend("sessions", "resume", sessions(w)[0]["id"], "--json", env={"EMEND_TEST_CRASH_AT": "fix.before_agent"})
    ended = w.result.returncode != -signal.SIGKILL
    w.checks = [lambda world: [] if ended else ["it would go on like this for ever"]]


@scenario("L13", "rescued too early", varies=False)
def l13(w):
    w.honest("clamp", "sleep 1200")
    start(w)
    refused = []

    def rescue():
        refused.append(w.emend("sessions", "resume", sessions(w)[0]["id"], "--json"))

    thread = meanwhile(w, 0.1, rescue)
    w.fix()
    thread.join()
    w.checks = [lambda world: [] if refused and refused[0].returncode not in (0, 1) else ["a session at work was taken over"]]


@scenario("L14", "killed during a migration of the schema", varies=False)
def l14(w):
    w.honest("clamp")
    w.build()
    lives = 0
    for step in range(1, 40):  # each transaction of each step
        done = w.emend("issues", "--json", env={"EMEND_TEST_CRASH_AT": str(step)})
        if done.returncode != -signal.SIGKILL:
            break
        lives += 1
        numbers = schema(w)
        if numbers != list(range(1, len(numbers) + 1)):
            w.wrong = f"killed at {step}, the schema's steps are {numbers}"
    start(w, built=True)
    w.fix()
    w.checks = [lambda world: [] if lives > 2 else [f"it was killed {lives} times only"], lambda world: [getattr(world, "wrong", "")]]


def schema(w):
    try:
        database = sqlite3.connect(f"file:{os.path.join(w.state, 'emend.db')}?mode=ro", uri=True)
        return [row[0] for row in database.execute("select number from schema_migrations order by number")]
    except sqlite3.OperationalError:
        return []


@scenario("L15", "the disk does not keep what it was given", varies=False, needs="shim")
def l15(w):
    w.honest("clamp")
    w.honest("mean")
    start(w)
    number = w.variation.random.randint(3, 20)
    w.fix(env=shim(w, "call=sync", f"n={number}", "error=EIO", "forever", programs="emend,emend-exec,git"))
    claimed = [row for row in json.loads(w.emend("issues", "--json").stdout)["data"] if row["status"] == "RESOLVED"]
    told = w.result.stderr.strip() != ""
    w.checks = [it_happened, lambda world: [] if told or claimed else ["a failing disk was passed over in silence"]]
    w.result = w.emend("issues", "--json")
    go_on(w)
    if not w.branch():
        w.fix()


@scenario("L16", "configuration edited during a session", varies=False)
def l16(w):
    w.ignored.add("config.toml")
    w.honest("clamp", "sleep 700")
    w.judge("verdict 50")
    w.expect("clamp", "FAILED", "below_threshold")
    start(w)

    def loosen():
        text = open(w.path("config.toml"), encoding="utf-8").read()
        write(w.path("config.toml"), text.replace("[fix_challenger]\n", "[fix_challenger]\nsatisfaction_threshold = 10\n"))

    thread = meanwhile(w, 0.05, loosen)
    w.fix()
    thread.join()


