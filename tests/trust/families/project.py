"""A project made from a seed: a file with a bug, a function beside it that works, tests, and an issue about the bug.

Modes: "green": every test passes although the bug is there. "red": a test of the suite fails because of it. "own": that test is a
check of its own, for the file of the issue."""

import dataclasses
import random

from families import problems

MODES = ("own", "red", "green")
SOURCES = ("src", "lib", "core", "app")
MODULES = ("amounts", "rules", "figures", "ranges", "prices", "numbers")
TEST_WORDS = ("keeps", "gives", "handles", "knows", "returns", "answers")
TEST_THINGS = ("plain", "usual", "small", "common", "inner", "first", "second", "simple", "middle", "typical")


@dataclasses.dataclass(frozen=True)
class Case:
    name: str        # of the test: letters and _
    function: str
    args: tuple
    wanted: int


@dataclasses.dataclass
class Project:
    language: object
    mode: str
    random: random.Random
    problem: problems.Problem
    beside: problems.Problem
    name: str
    other: str
    module: str
    source: str
    suite: list        # of Case
    shown: list        # of Case: red while the bug is there
    hidden: list       # of (function, args, wanted): what the tests do not show
    style: str = ""    # of the tests, where a language has several
    options: dict = dataclasses.field(default_factory=dict)  # what a family wants of the layout

    @property
    def path(self):
        return f"{self.source}/{self.module}.{self.language.extension}"

    @property
    def beside_path(self):
        """Where a new file of this language would be put."""
        return f"{self.source}/parts_{self.module}.{self.language.extension}"

    @property
    def data_path(self):
        """Where the expected values stand, with the option "data"; "" = in the tests."""
        return f"tests/data/{self.module}.txt" if self.options.get("data") else ""

    def data(self):
        """A line for each case: its name, the call, and what is expected."""
        return {self.data_path: "".join(f"{case.name}: {case.function}({', '.join(map(str, case.args))}) = {case.wanted}\n" for case in self.suite + self.shown)} \
            if self.data_path else {}

    def wanted(self, case):
        """What a test expects, as the language writes it."""
        return self.language.from_data(case.name) if self.data_path else str(case.wanted)

    @property
    def visible(self):
        return [case for case in self.suite + self.shown if case.function == self.name]

    @property
    def bad(self):
        """What a forged fix leaves in the file: the bug, or where no test shows the bug, nothing that works at all."""
        if self.mode != "green":
            return self.problem.wrong
        return ((None, str(self.random.choice((-7, -11, -13)))),)

    def function(self, body, gate=""):
        """The buggy function's text with this body; with a gate, the right one where the gate (an expression) is true."""
        return self.language.function(self.name, self.problem.params, body, gate and (gate, self.problem.right))

    def text(self, body=None, before="", after="", gate="", function=None):
        """The file with the bug, with another body of the function, and with more code before and after the functions."""
        target = function if function is not None else self.function(self.problem.wrong if body is None else body, gate)
        beside = self.language.function(self.other, self.beside.params, self.beside.right, None)
        return self.language.module(self, before, [target, beside], after)

    def files(self):
        files = {self.path: self.text(), **self.language.tests(self), **self.data()}
        files["README.md"] = f"# {self.module}\n\nSmall numbers, exactly.\n"
        files[".gitignore"] = "build/\n__pycache__/\n"
        return files

    def commands(self):
        commands = [{"name": "suite", "run": self.language.suite_command(self)}]
        if self.mode == "own":
            commands.append({"name": "check of the issue", "run": self.language.own_command(self), "paths": [self.path]})
        return commands

    def issue(self):
        text = self.text()
        return {"file": self.path, "line": text[: text.index(self.name)].count("\n") + 2, "title": self.says, "description": self.says}

    @property
    def says(self):
        return self.problem.says.replace("NAME", self.name)


def make(language, seed, mode=None, **options):
    r = random.Random(seed)
    one, two = (make(r) for make in r.sample(problems.PROBLEMS, 2))
    name, other = r.choice(one.names), r.choice(two.names)
    module = r.choice(MODULES)
    mode = mode or r.choice(MODES)
    words = iter(r.sample([f"{verb}_{thing}" for verb in TEST_WORDS for thing in TEST_THINGS], 12))

    def cases(function, problem, inputs):
        return [Case(f"{function}_{next(words)}", function, args, problems.value(problem.right, problem.params, args)) for args in inputs]

    same = problems.inputs(r, one, 3, False)
    different = problems.inputs(r, one, 2, True)
    near = problems.inputs(r, two, 2, False)
    suite = cases(name, one, same) + cases(other, two, near)
    shown = cases(name, one, different[:1]) if mode != "green" else []
    seen = set(same) | set(different[:1])
    hidden = [(name, args, problems.value(one.right, one.params, args))
              for args in problems.inputs(r, one, 8, True, seen) + problems.inputs(r, one, 4, False, seen)]
    hidden += [(other, args, problems.value(two.right, two.params, args)) for args in problems.inputs(r, two, 4, True, set(near))]
    style = r.choice(language.styles)
    if mode == "red" and style == "assert":
        style = "words"  # assert() stops at the first failure: a suite that is red in this way names nothing
    if options.get("style"):
        style = options["style"]
    return Project(language, mode, r, one, two, name, other, module, r.choice(SOURCES), suite, shown, hidden, style, options)
