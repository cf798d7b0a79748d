"""The power goes. What was synced is there; what was only written is gone. Every such moment of a run can be played.

The shim writes down what happened to the files and keeps a copy of each one that was synced; from that the disk is put together as it would
be found. Two kinds of file systems are played: one that keeps names in the order in which they were made, with or without their content,
and one that forgets every name whose directory was not synced."""

import os
import shutil
import time

from faults import WITH_GIT, Shim
from result import Result
from steps import killed

PLACES = ("state", "repo/.git")
BEFORE_THE_START = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) - 60  # of the machine: everything on its disk is older
KILLED_AT = ("publish.ref", "publish.objects", "commit.after_publish", "gate.before_issue", "commit.imported", "fix.after_agent")


class Disk:
    """Names and contents as a machine finds them after the power came back."""

    def __init__(self, arena):
        self.arena = arena
        self.files = {}       # path -> file with its content, or None: it is empty
        self.directories = set()
        for place in PLACES:
            self.load(arena.template(place), arena.w.path(place))

    def load(self, source, target):
        for directory, names, files in os.walk(source):
            below = os.path.normpath(os.path.join(target, os.path.relpath(directory, source)))
            self.directories |= {os.path.join(below, name) for name in names}
            self.files.update({os.path.join(below, name): os.path.join(directory, name) for name in files})

    def apply(self, verb, first, second):
        if verb == "create":
            self.files[first] = None
        elif verb == "mkdir":
            self.directories.add(first)
        elif verb == "sync":
            self.files[second] = first
        elif verb == "link":
            self.files[second] = self.files.get(first)
        elif verb == "unlink":
            self.files.pop(first, None)
            self.directories.discard(first)
        elif verb == "rename":
            self.rename(first, second)

    def rename(self, old, new):
        if old in self.files:
            self.files[new] = self.files.pop(old)
            return
        inside = old + "/"
        for path in [path for path in self.files if path.startswith(inside)]:
            self.files[new + path[len(old):]] = self.files.pop(path)
        for path in [path for path in self.directories if path == old or path.startswith(inside)]:
            self.directories.discard(path)
            self.directories.add(new + path[len(old):])

    def write(self):
        places = [self.arena.w.path(place) for place in PLACES]
        for place in places:
            for name in os.listdir(place):
                path = os.path.join(place, name)
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
        for path in sorted(self.directories):
            if self.ours(path, places):
                os.makedirs(path, exist_ok=True)
        for path, source in self.files.items():
            if not self.ours(path, places):
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if source is not None and source.startswith(self.arena.w.path("template")):
                shutil.copy2(source, path)  # nothing happened to it
                continue
            with open(path, "wb") as file:
                file.write(content(source))
            os.utime(path, (BEFORE_THE_START, BEFORE_THE_START))

    @staticmethod
    def ours(path, places):
        return any(path.startswith(place + "/") for place in places)


def content(source):
    if source is None:
        return b""
    with open(source, "rb") as file:
        return file.read()


def record(arena, crash_at=""):
    """[(verb, first, second)] of one run, and the first number of what may be played. With crash_at the run is killed there and gone on
    with: what was written before the kill and not synced is still only in memory."""
    shim = Shim(arena)
    directory = os.path.join(shim.directory, "record")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    arena.restore()
    arena.always = shim.variables(WITH_GIT, f"under={arena.w.root}", f"record={directory}")
    try:
        done = arena.run(env={"EMEND_TEST_CRASH_AT": crash_at})
        begin = 1
        if crash_at and killed(done):
            begin = len(read_log(directory)) + 1
            done = arena.go_on()
    finally:
        arena.always = {}
    if done.returncode != arena.wanted.exit_code:
        raise RuntimeError(f"{arena.kind.name}: recorded it ends with {done.returncode}: {done.stderr}")
    return read_log(directory), begin


def read_log(directory):
    with open(os.path.join(directory, "log"), encoding="utf-8", errors="surrogateescape") as file:
        return [parse(line.rstrip("\n"), directory) for line in file]


def parse(line, directory):
    verb, _, rest = line.partition(" ")
    if verb == "sync":
        number, _, path = rest.partition(" ")
        return verb, os.path.join(directory, number), os.path.normpath(path)
    first, _, second = rest.partition("\t")
    return verb, os.path.normpath(first), os.path.normpath(second) if second else ""


def survivors(log, end, forgetful):
    """What of the first `end` happenings is on the disk. A file's own sync keeps its name and the directories above, too, as all usual file
    systems do."""
    if not forgetful:
        return log[:end]
    kept = []
    for place, (verb, first, second) in enumerate(log[:end]):
        if verb in ("sync", "syncdir") or is_durable(second or first, log[place + 1:end]):
            kept.append((verb, first, second))
    return kept


def is_durable(name, later):
    """Its directory was synced, or it was, or something below it."""
    for verb, first, second in later:
        path = second if verb == "sync" else first if verb == "syncdir" else ""
        if path == name or path.startswith(name + "/") or (verb == "syncdir" and path == os.path.dirname(name)):
            return True
    return False


def at_moment(arena, log, end, forgetful):
    system = "forgetful" if forgetful else "in order"
    result = Result("power", f"{arena.kind.name}: after {end} of {len(log)} ({' '.join(log[end - 1])}), {system}")
    arena.restore()
    disk = Disk(arena)
    for verb, first, second in survivors(log, end, forgetful):
        disk.apply(verb, first, second)
    disk.write()
    result.problems += arena.problems()
    done = arena.go_on(env=boot_of_its_own(arena))
    result.stderr = done.stderr
    result.problems += arena.problems(arena.outcome(done.returncode))
    return result


def boot_of_its_own(arena):
    """The machine was started anew, and says so."""
    shim = Shim(arena)
    path = os.path.join(shim.directory, "boot_id")
    with open(path, "w", encoding="ascii") as file:
        file.write("00000000-1111-4222-8333-444444444444\n")
    return shim.variables("emend", f"boot={path}")


def plays(arena, random, count):
    """Half of them in a run that nothing happened to, half in one that goes on after a kill."""
    for crash_at in ("", random.choice(KILLED_AT)):
        log, begin = record(arena, crash_at)
        moments = [number for number in range(begin, len(log) + 1) if log[number - 1][0] in ("sync", "syncdir", "rename")]
        moments = random.sample(moments, min(count // 2 - 3, len(moments))) + [random.randint(begin, len(log))]
        for number, end in enumerate([*moments, len(log), len(log)]):  # the last two: everything was done and told to the user
            yield at_moment(arena, log, end, forgetful=(len(moments) + 1 - number) % 2 == 0)
