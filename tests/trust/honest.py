"""Honest fixes in the many ways people and agents make them. Each must be accepted: a gate that refuses everything is no gate."""

import os

import corpus
from play import Scenario
from world import quoted, words

HONEST = {}


def honest(name, varies=True):
    def register(function):
        HONEST[name] = Scenario("honest", name, function, varies)
        return function

    return register


def all_four(w, *before):
    for name in ("clamp", "sign", "mean", "repeat"):
        w.honest(name, *before)


@honest("plain")
def plain(w):
    all_four(w)


@honest("repaired")
def repaired(w):
    for name in ("mean", "repeat"):
        w.reproducer(name)
        w.honest(name)
        w.expect(name, "RESOLVED", "repaired")


@honest("side by side")
def side_by_side(w):
    w.settings["fix.parallel"] = "3"
    all_four(w)


@honest("verified in a batch")
def batch(w):
    w.settings["verify.mode"] = '"batch"'
    all_four(w)


@honest("several issues a call")
def batched(w):
    w.settings["fix.strategy"] = '"batched"'
    w.scripts["fixer"] = [step for name in ("mean", "repeat") for step in w.cure(name)] + ["claim fixed"]
    for name in ("mean", "repeat"):
        w.issue(name)
        w.resolved(name)


@honest("rewritten rather than patched")
def rewritten(w):
    site = w.issue("clamp")
    w.fixer("clamp", w.trick("refactor"), "claim fixed")
    w.resolved("clamp", [(site.path, old, new) for old, new in w.project.tricks["refactor"]])
    w.honest("mean")


@honest("with a comment that says why")
def commented(w):
    site = w.issue("mean")
    old = w.project.files[site.path].split("\n")[0]
    note = f"{w.project.comment}Nothing has no mean; callers skip the test for it and exit(1) elsewhere.\n{old}"
    w.fixer("mean", w.cure("mean"), words("replace", site.path, old, note), "claim fixed")
    w.resolved("mean", [*((site.path, a, b) for a, b in site.cure), (site.path, old, note)])
    w.honest("repeat")


@honest("with a new file beside it that the project allows")
def new_file(w):
    w.settings["fix.new_files"] = '["**/text_parts.*", "text_parts.*"]'
    site = w.issue("repeat")
    beside = site.path.replace("texts.", "text_parts.")
    text = {"python": "EMPTY = ''\n", "javascript": "module.exports = { empty: '' };\n", "shell": "empty=\n", "c++": "extern const char empty_text[] = \"\";\n"}
    w.allowed["repeat"].append(beside)
    w.fixer("repeat", w.cure("repeat"), words("write", beside, text[w.project.language]), "claim fixed")
    w.resolved("repeat", [*((site.path, a, b) for a, b in site.cure), (beside, None, text[w.project.language])])
    w.honest("mean")


@honest("at the second attempt")
def second_attempt(w):
    w.settings["verify.max_fix_cycles"] = "3"
    site = w.issue("clamp")
    undo = [(new, old) for old, new in w.project.tricks["break"]]
    w.fixer("clamp", w.trick("break"), "claim fixed", number=1)
    w.fixer("clamp", w.edit(site.path, undo), w.cure("clamp"), "claim fixed")
    w.resolved("clamp")
    w.honest("mean")


@honest("after the judge asked for more")
def after_feedback(w):
    w.settings["fix_challenger.max_iterations"] = "2"
    site = w.issue("clamp")
    w.fixer("clamp", w.cure("clamp", "wrong"), "claim fixed", number=1)
    back = [(new, old) for old, new in site.wrong]
    w.fixer("clamp", w.edit(site.path, back), w.cure("clamp"), "claim fixed")
    w.judge("verdict 60", name="clamp", number=1)
    w.judge("verdict 98", name="clamp")
    w.resolved("clamp")
    w.honest("mean")


@honest("told in odd ways")
def odd_answers(w):
    w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), words("say", "I have mended it, have a look."), "exit 0")
    w.resolved("clamp")
    w.issue("mean")
    w.fixer("mean", w.cure("mean"), 'fence {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "done"}]}')
    w.resolved("mean")
    w.issue("repeat")
    w.fixer("repeat", w.cure("repeat"), 'result {"issues": {"{issue}": {"status": "fixed"}}}')
    w.resolved("repeat")


@honest("in a file that is executable")
def executable(w):
    path = w.project.sites["mean"].path

    def make(world):
        os.chmod(os.path.join(world.repo, path), 0o755)
        world.git("init", "-q", "-b", "main")
        world.commit("base")

    w.repository = make
    w.honest("mean")
    w.honest("repeat")


@honest("with debris that is left behind")
def debris(w):
    all_four(w, words("write", "notes.log", "tried this and that\n"), "sh mkdir -p build && echo x > build/out.o")


@honest("by someone who looks around first")
def looks_around(w):
    all_four(w, "sh ls -R . > /dev/null; git status; git log -1; sh tests/run.sh > ../tmp/log 2>&1; true")


@honest("without checks, by verdict alone")
def judged(w):
    w.commands = []
    all_four(w)
    for name in ("clamp", "sign", "mean", "repeat"):
        w.expect(name, "RESOLVED", "judged")


@honest("beside a check that was red before")
def red_before(w):
    w.commands.insert(0, {"name": "old trouble", "run": "sh tests/old.sh"})
    w.files["tests/old.sh"] = "echo 'never worked'; exit 1\n"
    w.honest("clamp")
    w.honest("mean")


@honest("in a project with a rule file")
def rule_file(w):
    w.files["AGENTS.md"] = "Run `sh tests/run.sh` before you answer.\n"
    w.honest("clamp")
    w.honest("repeat")


@honest("that takes something out")
def removal(w):
    site = w.issue("clamp")
    text = w.project.files[site.path]
    note = f"{w.project.comment}an old note\n"
    w.files[site.path] = text + note
    w.fixer("clamp", w.cure("clamp"), f"sh sed -i '$d' {quoted(site.path)}", "claim fixed")
    w.resolved("clamp", [*((site.path, a, b) for a, b in site.cure), (site.path, note, "")])
    w.honest("mean")


def of_corpus(w, fixes):
    for fix in fixes:
        w.files[fix.path] = fix.before
        w.finding(fix.path, [fix.path, *(path for path, _ in fix.more)], file=fix.path, line=1, description=fix.says, title=fix.says)
        steps = [words("write", path, text) for path, text in fix.more]
        edits = [(path, None, text) for path, text in fix.more]
        if fix.after == fix.before:
            steps.append(words("chmod", "755", fix.path))
            w.made_executable.add(fix.path)
        elif fix.after:
            steps.append(words("write", fix.path, fix.after))
            edits.append((fix.path, None, fix.after))
        else:
            steps.append(words("delete", fix.path))
            edits.append((fix.path, None, None))
        w.fixer(fix.path, steps, "claim fixed")
        w.resolved(fix.path, edits)


PER_PLAY = 5
for _first in range(0, len(corpus.FIXES), PER_PLAY):
    honest(f"of the corpus, from {_first + 1}", varies=False)(lambda w, part=corpus.FIXES[_first:_first + PER_PLAY]: of_corpus(w, part))
