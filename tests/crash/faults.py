"""The n-th call into the C library fails, in the engine, in its helper or in the git it calls."""

import os
import struct

from result import Result
from steps import end_after_fault

# Of each kind of call: what may go wrong with it.
ERRORS = {
    "write": ("EIO", "ENOSPC", "EINTR", "short"),
    "sync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC"),
    "open": ("EMFILE", "EIO", "ENOSPC", "EINTR"),
    "fork": ("EAGAIN", "ENOMEM"),
    "mkdir": ("ENOSPC", "EIO"),
    "unlink": ("EIO",),
    "link": ("ENOSPC", "EIO"),
    "truncate": ("EIO", "ENOSPC"),
    "read": ("EIO", "EINTR"),
    "pipe": ("EMFILE",),
    "thread": ("EAGAIN",),
}
ORDER = ("write", "sync", "rename", "open", "fork", "mkdir", "unlink", "link", "truncate", "read", "pipe", "thread", "space", "clock")
OWN = "emend,emend-exec"
WITH_GIT = OWN + ",git"


class Shim:
    """The library's settings for one run, and what it counted."""

    def __init__(self, arena):
        self.arena = arena
        self.directory = arena.w.path("shim")
        os.makedirs(self.directory, exist_ok=True)
        self.counter = os.path.join(self.directory, "counter")
        self.log = os.path.join(self.directory, "log")

    def variables(self, programs, *words):
        with open(self.counter, "wb") as file:
            file.write(b"\0" * 4096)
        if os.path.exists(self.log):
            os.unlink(self.log)
        told = [f"programs={programs}", f"counter={self.counter}", f"log={self.log}", *words]
        return {"LD_PRELOAD": self.arena.tools.shim, "EMEND_FAULT": " ".join(told)}

    def counts(self):
        with open(self.counter, "rb") as file:
            return dict(zip(ORDER, struct.unpack(f"<{len(ORDER)}Q", file.read(8 * len(ORDER)))))

    def happened(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""


def count_calls(arena, programs):
    shim = Shim(arena)
    arena.restore()
    done = arena.run(env=shim.variables(programs))
    if done.returncode != arena.wanted.exit_code:
        raise RuntimeError(f"{arena.kind.name}: with the library that only counts it ends with {done.returncode}: {done.stderr}")
    return shim.counts()


def at_call(arena, call, number, error, programs):
    result = Result("call", f"{arena.kind.name}: {call} {number} {error} in {programs}")
    shim = Shim(arena)
    arena.restore()
    done = arena.run(env=shim.variables(programs, f"call={call}", f"n={number}", f"error={error}"))
    what = shim.happened()
    result.what += " [" + what + "]" if what else " [did not happen]"
    result.problems += complaint(arena, done, result)
    result.problems += arena.problems()
    return end_after_fault(arena, result)


def complaint(arena, done, result):
    """It may go on, or say why it cannot; it must not fall over."""
    result.stderr = done.stderr
    if "HANGS" in done.stderr:
        return ["it hangs"]
    if done.returncode < 0:
        return [f"it ended by signal {-done.returncode}: {done.stderr[-500:]}"]
    if done.returncode == arena.wanted.exit_code:
        return []
    result.refused = 1
    return [] if done.stderr.strip() or done.stdout.strip() else [f"it ended with {done.returncode} without a word"]


def sample(counts, calls, random, want):
    """`want` places (call, n, error), spread over everything that is called: no kind is left out, none is drowned by reads."""
    places = []
    each = max(1, want // len(calls))
    for call in calls:
        total = counts[call]
        if total == 0:
            continue
        stride = max(1, total // each)
        places += [(call, number, random.choice(ERRORS[call])) for number in range(1 + random.randrange(stride), total + 1, stride)]
    return places
