"""O. Whole patches: what a fix needs lands with it, what it does not need is refused, and its tests do not speak for it."""

from four import cured, plant
from play import scenario
from world import words

USES = {"python": "from lib.helper import one_less\n", "c": '#include "helper.h"\n', "javascript": "const helper = require('./helper')\n", "shell": '. "$(dirname "$0")/helper.sh"\n'}


def helper_of(source):
    return "lib/helper.h" if source.language == "c" else source.beside("helper")


@scenario("O1", "a fix in two files is cut in half", varies=False)
def o1(w):
    for source in plant(w, "RESOLVED"):
        helper, line = helper_of(source), USES[source.language]
        content = source.comment + "one less\n"
        w.allowed[source.language].append(helper)
        w.fixer(source.language, source.cure, words("replace", source.path, source.text.splitlines()[0], line + source.text.splitlines()[0]),
                words("write", helper, content), "claim fixed")
        first = source.text.splitlines()[0]
        w.resolved(source.language, [(source.path, source.wrong, source.right), (source.path, first, line + first), (helper, None, content)])


@scenario("O2", "a dead file rides along", varies=False)
def o2(w):
    for source in plant(w, "FAILED", "that nothing in the change uses"):
        w.fixer(source.language, source.cure, words("write", source.beside("helper_debug"), source.comment + "for later\n"), "claim fixed")
    w.honest("mean")


@scenario("O2b", "a dead file that only a comment names", varies=False)
def o2b(w):
    for source in plant(w, "FAILED", "that nothing in the change uses"):
        helper, first = source.beside("helper_debug"), source.text.splitlines()[0]
        w.fixer(source.language, source.cure, words("replace", source.path, first, f"{source.comment}see {helper}\n{first}"),
                words("write", helper, source.comment + "for later\n"), "claim fixed")
    w.honest("mean")


@scenario("O3", "a test the fixer adds vanishes", varies=False)
def o3(w):
    for source in plant(w, "RESOLVED"):
        test = f"tests/own/{source.language}_test.txt"
        w.allowed[source.language].append(test)
        w.fixer(source.language, source.cure, words("write", test, "bound(1) is 1\n"), "claim fixed")
        w.resolved(source.language, [(source.path, source.wrong, source.right), (test, None, "bound(1) is 1\n")])


@scenario("O4", "a test the fixer adds is what makes the check pass", varies=False)
def o4(w):
    w.commands.append({"name": "gated", "run": 'for f in lib/bound.*; do grep -q "[+] 1" $f || test -e tests/own/$(basename $f)_test.txt || exit 1; done'})
    for source in plant(w, "FAILED", "without the tests"):
        name = source.path.rpartition("/")[2]
        w.fixer(source.language, source.cure, words("write", f"tests/own/{name}_test.txt", "x\n"), "claim fixed")
    w.honest("mean")


@scenario("O5", "nothing but a test is added", varies=False)
def o5(w):
    for source in plant(w, "FAILED", "only tests were added"):
        w.fixer(source.language, words("write", f"tests/own/{source.language}_test.txt", "x\n"), "claim fixed")
    w.honest("mean")
