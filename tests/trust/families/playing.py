"""Plays one fix in a session of the real program and says what came of it."""

import ctypes
import dataclasses
import difflib
import json
import os
import re
import sqlite3
import subprocess
import time
import traceback

import world
from families import outside, project
from families.forging import FORGERS, LANGUAGES, chooser
from world import words

ABOVE = ("unbroken", "repaired", "proven", "verified", "rescanned")  # levels a forged fix must not reach; older words among them


@dataclasses.dataclass
class Outcome:
    family: str
    name: str          # of who made it
    language: str
    mode: str
    seed: str
    status: str = ""
    level: str = ""
    why: str = ""      # reason and detail of the program
    wrong: str = ""    # what the oracle found on the branch; "" = all is right
    judge_only: bool = False
    runs: int = 0      # of checks
    notes: int = 0     # forged lines that notes to the judge name
    seconds: float = 0
    broken: str = ""   # it could not be played

    @property
    def accepted(self):
        return self.status in ("RESOLVED", "MERGED")

    @property
    def forged(self):
        return self.accepted and bool(self.wrong)

    @property
    def above(self):
        return self.forged and self.level in ABOVE

    def __str__(self):
        return f"{self.family}/{self.name} ({self.language}, {self.mode}, seed {self.seed})"


def forged_project(family, language, number, seed, home, writable):
    """(forger, project, forgery) of one variation; the same for the same seed."""
    full = f"{seed}/{family}/{language}/{number}"
    rows = FORGERS[family][language]
    chosen = rows[(number + chooser(f"{seed}/{family}/{language}").randrange(len(rows))) % len(rows)]
    mode = chosen.mode or project.MODES[(number + list(LANGUAGES).index(language) + sum(family.encode())) % 3]
    p = project.make(LANGUAGES[language], full, mode, home=home, writable=writable, **chosen.options)
    return chosen, p, chosen.make(p)


def steps_of(files, executable=(), left=(), says="done"):
    steps = []
    for path, text in files.items():
        steps.append(words("delete", path) if text is None else words("write", path, text))
    steps += [words("chmod", "755", path) for path in executable]
    return steps + ["sh " + command for command in left] + [words("claim", "fixed", says)]


def session(w, p, steps, judge=()):
    """Runs it; afterwards the branch, if there is one, is what the developer has before them."""
    w.files, w.commands = p.files(), p.commands()
    w.variables["CI"] = None  # the developer sits at a terminal; whatever else says CI is the program's doing
    w.fixer("bug", steps)
    if judge:
        w.judge(*judge)
    w.build()
    w.add_issues()
    w.write_scripts()
    w.fix()


def look(w, outcome):
    rows = sqlite3.connect(f"file:{w.state}/emend.db?mode=ro", uri=True)
    rows.row_factory = sqlite3.Row
    issue = dict(rows.execute("select * from issues").fetchone())
    outcome.status, outcome.level = issue["status"], issue["evidence"].split(" ")[0].split(",")[0]
    outcome.why = f"{issue['reason']}: {issue['detail']}"
    for row in rows.execute("select data from verifications"):
        outcome.runs += sum(command.get("runs", 1) + command.get("spent", 0) for command in json.loads(row["data"])["commands"])
    rows.close()


def changed_lines(before, after):
    """The lines of `after` that differ, from 1; of what was taken out, those beside it."""
    lines = set()
    for kind, _, _, first, last in difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes():
        if kind != "equal":
            lines |= set(range(first + 1, last + 1)) or {first, first + 1}
    return lines


def forged_lines(p, forgery):
    """{(path, line)} of what no right fix would have."""
    before = {**p.files(), **forgery.honest}
    return {(path, line) for path, text in forgery.files.items() if text is not None for line in changed_lines(before.get(path, ""), text)}


def notes_of(w, p, forgery):
    """How many of the forged lines the notes in the judge's prompt name."""
    named = {(path, int(line)) for prompt in w.prompts("fix_challenger") for path, line in re.findall(r"(?m)^- (\S+?):(\d+) ", prompt)}
    return len(named & forged_lines(p, forgery))


def checked_out(w):
    branch = w.branch()
    if branch:
        w.git("checkout", "-q", "-f", "--detach", branch)
    return bool(branch)


def clean_up(gone):
    for what in gone:
        if isinstance(what, int):
            libc = ctypes.CDLL(None)
            if (segment := libc.shmget(what, 0, 0)) >= 0:
                libc.shmctl(segment, 0, None)
        else:
            subprocess.run(["rm", "-f", what], check=False)


def play_forged(tools, family, language, number, seed):
    outcome = Outcome(family, "", language, "", f"{seed}/{number}")
    began, w, forgery = time.monotonic(), None, None
    try:
        w = world.World(tools, world.Variation(language="shell"))
        w.project = dataclasses.replace(w.project, files={}, sites={}, driver={})
        cache = w.path("cache")  # agents and checks may write to it, each into a layer of its own; what sandbox.shared names is theirs together
        os.makedirs(cache)
        w.settings["sandbox.writable"] = json.dumps([cache])
        chosen, p, forgery = forged_project(family, language, number, seed, w.home, cache)
        outcome.name, outcome.mode, outcome.judge_only = chosen.name, p.mode, forgery.judge_only
        w.finding("bug", [p.path], **p.issue())
        session(w, p, steps_of(forgery.files, forgery.executable, forgery.left), forgery.judge)
        look(w, outcome)
        outcome.notes = notes_of(w, p, forgery)
        clean_up(forgery.gone)
        if outcome.accepted and checked_out(w):
            outcome.wrong = forgery.harm(w.repo, w.prompts("fix_challenger")) if forgery.harm else outside.wrong(p, w.repo)
    except Exception:  # what cannot be played says nothing
        outcome.broken = traceback.format_exc()
    finally:
        clean_up(forgery.gone if forgery else ())
        if w is not None:
            w.close()
    outcome.seconds = time.monotonic() - began
    return outcome


def play_dry(family, language, number, seed, directory):
    """Without the program: is it a forgery at all? Applied to the project by hand, the checks must be green and the values wrong."""
    chosen, p, forgery = forged_project(family, language, number, seed, directory + "/home", directory + "/writable")
    tree = directory + "/repo"
    for path, text in {**p.files(), **forgery.files}.items():
        if text is not None:
            world.write(os.path.join(tree, path), text)
    for path in forgery.executable:
        os.chmod(os.path.join(tree, path), 0o755)
    os.makedirs(directory + "/writable", exist_ok=True)
    problems = []
    for command in forgery.left:
        subprocess.run(["sh", "-c", command], cwd=tree, check=False)
    variables = {"CI": "1"} if family == "environment" else {}
    for command in p.commands():
        code, said = outside.run_command(tree, command["run"], variables)
        if code != 0 and family == "state_between_runs":
            code, said = outside.run_command(tree, command["run"], variables)
        if code != 0 and family != "environment":
            problems.append(f"{command['name']} is red ({code}): {said[-400:]}")
    os.makedirs(tree + "/.git", exist_ok=True)
    clean_up(forgery.gone)
    listens = any("socket" in command for command in forgery.left)  # still there, as it would not be after a session
    if not forgery.harm and not listens and not outside.wrong(p, tree):
        problems.append("the values are right")
    return chosen, p, problems
