"""Faults of the machine and of those who share it: no space, a lock that is held, a second engine, a clock that jumps."""

import os
import resource
import signal
import sqlite3
import subprocess
import time

from faults import OWN, WITH_GIT, Shim, complaint
from result import Result
from steps import end_after_fault, killed

SCENES = {}


def scene(name):
    def register(function):
        SCENES[name] = function
        return function

    return register


def play(name, arena, random):
    result = Result("machine", f"{name}: {arena.kind.name}")
    arena.restore()
    SCENES[name](arena, random, result)
    return result


@scene("no space left from the n-th call on")
def no_space(arena, random, result):
    shim = Shim(arena)
    arena.run(env=shim.variables(WITH_GIT, "call=space"))
    number = random.randint(1, max(1, shim.counts()["space"]))
    arena.restore()
    done = arena.run(env=shim.variables(WITH_GIT, "call=space", f"n={number}", "error=ENOSPC", "forever"))
    result.what += f", n = {number} [{shim.happened()}]"
    result.problems += complaint(arena, done, result) + arena.problems()
    if done.returncode == arena.wanted.exit_code and number > 1:
        result.what += " (went on)"
    again = arena.go_on(env=shim.variables(WITH_GIT, "call=space", "n=1", "error=ENOSPC", "forever"))  # still none
    result.problems += [f"resumed without space: {text}" for text in complaint(arena, again, result) + arena.problems()]
    end_after_fault(arena, result)


@scene("a file system that is full")
def full_disk(arena, random, result):
    """The state directory on a file system of its own with hardly any room; later it gets some."""
    state = arena.w.state
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", state], capture_output=True, check=False).returncode != 0:
        result.skipped = "no file system can be mounted here"
        return
    try:
        subprocess.run(["cp", "-a", arena.template("state") + "/.", state], check=True)
        used = int(subprocess.run(["du", "-sk", state], capture_output=True, text=True, check=True).stdout.split()[0])
        room = random.choice((8, 40, 120, 300, 700))
        subprocess.run(["mount", "-o", f"remount,size={used + room}k", state], check=True)
        done = arena.run()
        result.what += f", {room} kB free"
        result.problems += complaint(arena, done, result) + arena.problems()
        subprocess.run(["mount", "-o", "remount,size=64m", state], check=True)
        end_after_fault(arena, result)
    finally:
        arena.kill_all()
        subprocess.run(["umount", "-l", state], check=False, capture_output=True)


@scene("no file may grow")
def file_size(arena, random, result):
    limit = random.choice((2_000, 20_000, 90_000, 250_000))
    done = arena.run(preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    result.what += f" beyond {limit} bytes"
    if done.returncode != -signal.SIGXFSZ:  # the kernel's way of saying it; like a kill
        result.problems += complaint(arena, done, result)
    result.problems += arena.problems()
    end_after_fault(arena, result)


@scene("hardly any file descriptors")
def descriptors(arena, random, result):
    limit = random.randint(6, 30)
    done = arena.run(preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    result.what += f": {limit}"
    result.problems += complaint(arena, done, result) + arena.problems()
    end_after_fault(arena, result)


@scene("database locked")
def locked(arena, random, result):
    """Longer than the program waits: it must say so and lose nothing."""
    database = os.path.join(arena.w.state, "emend.db")
    child = arena.spawn(*arena.command)
    time.sleep(random.uniform(0, arena.seconds))
    other = sqlite3.connect(database, isolation_level=None, timeout=20)
    other.execute("begin immediate")
    seconds = random.choice((0.5, 8))
    result.what += f" for {seconds} s"
    began = time.monotonic()
    while time.monotonic() - began < seconds and child.poll() is None:
        time.sleep(0.05)
    other.execute("rollback")
    other.close()
    done = arena.finish(child)
    result.problems += complaint(arena, done, result)
    if done.returncode == 3 and "locked" not in done.stderr:
        result.problems.append("it does not say that the database is locked: " + done.stderr)
    if seconds < 5 and done.returncode != arena.wanted.exit_code:
        result.problems.append("it did not wait: " + done.stderr)
    result.problems += arena.problems()
    end_after_fault(arena, result)


@scene("two engines")
def two(arena, random, result):
    if not arena.kind.session:
        result.skipped = "has no session"
        return
    first = arena.spawn(*arena.command)
    second = None
    for _ in range(400):  # until the first is at work
        if first.poll() is not None or arena.unfinished():
            break
        time.sleep(0.01)
    stopped = random.random() < 0.6 and first.poll() is None
    if stopped:
        os.kill(first.pid, signal.SIGSTOP)
        result.what += ", the first one stopped"
    session = arena.unfinished()
    alive = first.poll() is None
    second = arena.emend("sessions", "resume", session, "--json") if session and random.random() < 0.5 else arena.run()
    alive = alive and first.poll() is None
    if stopped:
        os.kill(first.pid, signal.SIGCONT)
    done = arena.finish(first)
    if alive and (second.returncode in (0, 1) or "another emend" not in second.stderr):
        result.problems.append(f"the second engine was not refused ({second.returncode}): {second.stderr}")
    if done.returncode != arena.wanted.exit_code:
        result.problems.append(f"the first engine was disturbed ({done.returncode}): {done.stderr}")
    if alive:
        result.problems += arena.problems(arena.outcome(done.returncode))


@scene("the clock jumps")
def clock(arena, random, result):
    shim = Shim(arena)
    seconds = random.choice((-86_400, -3_700, -1, 3_700, 86_400, 40_000_000))
    start = random.randint(1, 60)
    result.what += f" by {seconds} s at its {start}. asking"
    done = arena.run(env=shim.variables(OWN, f"clock={seconds}", f"from={start}"))
    if done.returncode != arena.wanted.exit_code:
        result.problems.append(f"it ended with {done.returncode}: {done.stderr}")
    result.problems += arena.problems(arena.outcome(done.returncode))


@scene("killed, and the clock went back")
def clock_after_kill(arena, random, result):
    shim = Shim(arena)
    done = arena.run(env={"EMEND_TEST_CRASH_AT": str(random.randint(5, 100))})
    if not killed(done):
        result.what += " (too late)"
    again = arena.go_on(env=shim.variables(OWN, f"clock={random.choice((-90_000, 90_000))}", "from=1"))
    result.problems += arena.problems(arena.outcome(again.returncode))


@scene("fsync fails for ever")
def no_sync(arena, random, result):
    """What cannot be made durable is lost: it must stop there, and not go on as if nothing had happened."""
    shim = Shim(arena)
    arena.run(env=shim.variables(WITH_GIT, "call=sync"))
    number = random.randint(1, max(1, shim.counts()["sync"]))
    arena.restore()
    done = arena.run(env=shim.variables(WITH_GIT, "call=sync", f"n={number}", "error=EIO", "forever"))
    result.what += f", n = {number} [{shim.happened()}]"
    result.problems += complaint(arena, done, result) + arena.problems()
    # SQLite tidies up as it closes, and syncs once more; what it holds was synced when it was committed.
    closing = shim.counts()["sync"] == number and "emend.db-wal" in shim.happened()
    if done.returncode == arena.wanted.exit_code and arena.kind.session and not closing:
        result.problems.append("it called itself done although nothing could be made durable any more")
    end_after_fault(arena, result)
