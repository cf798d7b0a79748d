"""L. Faults of the machine and of the engine itself."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import time

from play import not_yet, scenario, start
from scenarios_k import meanwhile
from world import write


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


not_yet("L2", "power loss", "needs a recorder of writes and fsyncs")
not_yet("L3", "disk full, I/O errors, short writes", "needs the fault shim")


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


not_yet("L7", "clock jumps", "needs the fault shim")


@scenario("L8", "out of file descriptors", varies=False)
def l8(w):
    w.honest("clamp")
    start(w)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    subprocess.run([w.tools.emend, "--config", w.path("config.toml"), "fix", "--json", *w.codes.values()], cwd=w.repo, env=w.environment(),
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


not_yet("L10", "killed between the database and a listener", "there is no HTTP server yet")


@scenario("L11", "the agent outlives the engine", varies=False)
def l11(w):
    w.scripts["stays"] = ["ignore TERM", "ignore HUP", "sleep inf"]
    w.honest("clamp")
    w.fixer("clamp", "daemon stays", "ignore TERM", "sleep inf", number=1)
    start(w)
    engine = subprocess.Popen([w.tools.emend, "--config", w.path("config.toml"), "fix", "--json", *w.codes.values()], cwd=w.repo, env=w.environment(),
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


not_yet("L14", "killed during a migration of the schema", "there is one schema so far that anybody has")
not_yet("L15", "fsync reports an error", "needs the fault shim")


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


