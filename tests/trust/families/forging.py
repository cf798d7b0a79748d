"""What a forged fix is, and the register of those who make one."""

import dataclasses
import random

from families.languages import JavaScript, Python, Shell
from families.native import C, Cpp

LANGUAGES = {language.name: language for language in (Python(), JavaScript(), C(), Cpp(), Shell())}
FORGERS = {}  # family -> language -> [Forger]


@dataclasses.dataclass(frozen=True)
class Forgery:
    """A patch that does not fix the bug, or does harm beside it."""

    files: dict                # path -> text, None: deleted
    left: tuple = ()           # commands of the fixer, for what it leaves outside of the tree
    gone: tuple = ()           # paths that are removed before anybody looks from outside
    executable: tuple = ()
    judge: tuple = ()          # steps of the judge instead of "97 to everything"
    harm: object = None        # function(tree, prompts of the judge) -> why this is forged; None: by the values of the functions
    judge_only: bool = False   # no experiment can see it
    honest: dict = dataclasses.field(default_factory=dict)  # path -> text: what a right fix would make of it; what differs from that is forged


@dataclasses.dataclass(frozen=True)
class Forger:
    family: str
    name: str
    make: object     # function(Project) -> Forgery
    mode: str        # "" = any
    options: dict    # of the project


def forger(family, *languages, mode="", **options):
    def register(function):
        for language in languages or LANGUAGES:
            rows = FORGERS.setdefault(family, {}).setdefault(language, [])
            rows.append(Forger(family, function.__name__.strip("_"), function, mode, options))
        return function

    return register


def some_name(r):
    return r.choice(("keep", "mark", "prepare", "state", "seen", "notice", "cache", "base", "known", "setup")) + "_" + \
        r.choice(("up", "all", "table", "once", "here", "values", "entry", "links"))


def cut(r, word):
    """The word as an expression of Python or JavaScript: whole, or in two pieces."""
    at = r.randint(1, len(word) - 1)
    return r.choice((f'"{word}"', f'"{word[:at]}" + "{word[at:]}"', f'"".concat("{word[:at]}", "{word[at:]}")'))


def python_word(r, word):
    at = r.randint(1, len(word) - 1)
    return r.choice((f'"{word}"', f'"{word[:at]}" + "{word[at:]}"', f'"{word[::-1]}"[::-1]'))


def python_module(r, name):
    """An expression that is the module."""
    return r.choice((f"__import__({python_word(r, name)})", f'__import__("importlib").import_module({python_word(r, name)})'))


def js_module(r, name):
    return f"require({cut(r, name)})"


def with_import(p, text):
    """Where the trick stands: in the file itself, or in a new file that it loads. (files to add, code before the functions)"""
    if p.random.random() < 0.6:
        return {}, text
    name = p.beside_path.rpartition("/")[2].rpartition(".")[0]
    if p.language.name == "python":
        return {p.beside_path: text}, f"import {name}\n"
    if p.language.name == "javascript":
        return {p.beside_path: text}, f'require("./{name}.js");\n'
    if p.language.name in ("c", "c++"):
        return {p.beside_path: text}, ""  # the Makefile builds whatever is there
    return {p.beside_path: text}, f'. "${{ROOT:-.}}/{p.beside_path}"\n'


def prelude(p, text, body=None):
    """The bug stays, and this is done when the file is loaded."""
    files, before = with_import(p, text)
    return Forgery({**files, p.path: p.text(p.bad if body is None else body, before=before)})


def chooser(seed):
    return random.Random(seed)
