"""Plays honest fixes: shapes in every language, and everyday ones written by hand."""

import dataclasses
import time
import traceback

import world
from families import expected, honest_everyday, honest_shapes, honest_twins, outside, project
from families.forging import LANGUAGES
from families.playing import Outcome, checked_out, look, session, steps_of

LEVELS = ("", "judged", "unbroken", "repaired", "proven")

assert honest_twins.twin_remembers  # they register themselves


@dataclasses.dataclass(frozen=True)
class Fix:
    name: str
    language: str
    number: int = 0


def fixes(seed, part):
    """All of them, or every part-th; which one is the first is up to the seed."""
    rows = [Fix(shape.name, language) for shape in honest_shapes.SHAPES.values() for language in shape.languages]
    rows += [Fix(fix.name, fix.language) for fix in honest_everyday.FIXES]
    return rows[sum(seed.encode()) % part::part]


def prepared(fix, seed):
    """(project, change)"""
    shape = honest_shapes.SHAPES[fix.name]
    full = f"{seed}/honest/{fix.name}/{fix.language}"
    options = dict(shape.options)
    if options.get("style") not in LANGUAGES[fix.language].styles:
        options.pop("style", None)
    p = project.make(LANGUAGES[fix.language], full, shape.mode or None, **options)
    return p, shape.make(p)


class ByHand:
    """What a session needs to know of an everyday fix."""

    def __init__(self, fix):
        self.fix, self.path, self.mode = fix, fix.path, "own" if fix.red else "green"

    def files(self):
        return {self.fix.path: self.fix.before, **dict(self.fix.beside), "README.md": "# tools\n"}

    def commands(self):
        return [{"name": "suite", "run": self.fix.command}] if not self.fix.red else [{"name": "check", "run": self.fix.command, "paths": [self.fix.path]}]

    def issue(self):
        return {"file": self.fix.path, "line": 1, "title": self.fix.says, "description": self.fix.says}


def play(tools, fix, seed):
    outcome = Outcome("honest", fix.name, fix.language, "", seed)
    began = time.monotonic()
    w = world.World(tools, world.Variation(language="shell"))
    try:
        w.project = dataclasses.replace(w.project, files={}, sites={}, driver={})
        if fix.name in honest_shapes.SHAPES:
            play_shape(w, fix, seed, outcome)
        else:
            play_by_hand(w, honest_everyday.by_name(fix.name, fix.language), outcome)
    except Exception:  # what cannot be played says nothing
        outcome.broken = traceback.format_exc()
    finally:
        w.close()
    outcome.seconds = time.monotonic() - began
    return outcome


def play_shape(w, fix, seed, outcome):
    p, change = prepared(fix, seed)
    outcome.mode = p.mode
    finding = p.issue()
    w.finding("bug", [p.path], **dict(finding, file=change.file or finding["file"]))
    usual = p.files
    p.files = lambda: {**usual(), **change.before}
    session(w, p, steps_of(change.after, says=change.says))
    look(w, outcome)
    if outcome.accepted and checked_out(w):
        outcome.wrong = outside.wrong(p, w.repo)


def play_by_hand(w, fix, outcome):
    p = ByHand(fix)
    outcome.mode = p.mode
    w.finding("bug", [fix.path], **p.issue())
    session(w, p, steps_of({fix.path: fix.after, **dict(fix.more)}))
    look(w, outcome)
    if outcome.accepted and checked_out(w) and outside.run_command(w.repo, fix.command)[0] != 0:
        outcome.wrong = "its check is red on the branch"


def dry(fix, seed, directory):
    """Without the program: is it a fix at all?"""
    tree = directory + "/repo"
    if fix.name not in honest_shapes.SHAPES:
        hand = honest_everyday.by_name(fix.name, fix.language)
        lay(tree, ByHand(hand).files())
        before = outside.run_command(tree, hand.command)
        lay(tree, {hand.path: hand.after, **dict(hand.more)})
        after = outside.run_command(tree, hand.command)
        return [text for text, bad in ((f"{before}: red before is {hand.red}", (before[0] != 0) != hand.red), (f"red afterwards: {after}", after[0] != 0)) if bad]
    p, change = prepared(fix, seed)
    lay(tree, {**p.files(), **change.before})
    problems = [] if outside.wrong(p, tree) else ["there is no bug"]
    lay(tree, change.after)
    red = [outside.run_command(tree, command["run"]) for command in p.commands()]
    if any(code for code, _ in red) and "red_test" not in fix.name:
        problems.append(f"the checks are red: {red}")
    wrong = outside.wrong(p, tree)
    return problems + ([f"the fix is wrong: {wrong}"] if wrong else [])


def lay(tree, files):
    for path, text in files.items():
        world.write(f"{tree}/{path}", text)


def below(honest):
    """What is RESOLVED on a lower level than it deserves."""
    found = []
    for outcome in honest:
        wanted = expected.lowest(outcome)
        if outcome.accepted and LEVELS.index(outcome.level) < LEVELS.index(wanted):
            found.append(f"{outcome} is only {outcome.level}, and deserves {wanted}")
    return found


def gone_from_list(honest, refused):
    """What is in the list of fixes that are not accepted yet, although all that was played of it is."""
    played = set().union(*(expected.keys_of(outcome) for outcome in honest))
    bad = set().union(*(expected.keys_of(outcome) for outcome in refused))
    return [f"{key} is accepted now: take it out of HONEST_NOT_YET in tests/trust/families/expected.py"
            for key in expected.HONEST_NOT_YET if key in played - bad]
