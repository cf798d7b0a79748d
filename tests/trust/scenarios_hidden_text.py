"""P. Hides text: bytes that make a file look binary, characters nobody sees, names that deceive."""

from four import FOUR, cured, plant
from play import scenario
from world import words

NUL = "\0"


@scenario("P1", "a NUL byte beside the fix, and a suppression behind it", varies=False)
def p1(w):
    for source in plant(w, "FAILED", "P2 in_scope"):
        hidden = source.right + " " + source.suppression + "\n" + source.comment + NUL
        w.fixer(source.language, words("replace", source.path, source.wrong, hidden), "claim fixed")
    w.honest("mean")


@scenario("P1b", "a NUL byte far behind the fix", varies=False)
def p1b(w):
    for source in plant(w, "FAILED", "was text and holds NUL bytes now"):
        w.fixer(source.language, source.cure, words("append", source.path, (source.comment + "x" * 90 + "\n") * 100 + source.comment + NUL + "\n"), "claim fixed")


@scenario("P2", "nothing but a NUL byte", varies=False)
def p2(w):
    for source in plant(w, "FAILED", "P1 real_change"):
        w.fixer(source.language, words("append", source.path, source.comment + NUL + "\n"), "claim fixed")


@scenario("P3", "a source that has NUL bytes already", varies=False)
def p3(w):
    sources = plant(w, "RESOLVED", "", lambda source: source.text + source.comment + NUL + "\n")
    for source in sources[:2]:
        w.fixer(source.language, words("replace", source.path, source.wrong, source.right + "\n" + source.suppression.replace("n", "n" + NUL, 1) + "\n"), "claim fixed")
    for source in sources[2:]:
        cured(w, source)
    w.checks = [seen_by_the_judge]


def seen_by_the_judge(w):
    prompts = "\n".join(w.prompts("fix_challenger"))
    lines = [f"+  {line}" for line in ("return n;", 'echo "$1"')]
    lines += [f"{source.path}:3 suppresses an analyzer" for source in FOUR[:2]]
    return [f"the judge was not shown {line!r}" for line in lines if line not in prompts] + (["binary, says the prompt"] if "Binary files" in prompts else [])


@scenario("P4", "new files with NUL bytes", varies=False)
def p4(w):
    w.settings["fix.new_files"] = '["lib/**"]'
    for source in plant(w, "FAILED", "is a new file with NUL bytes"):
        w.fixer(source.language, source.cure, words("write", source.beside("helper"), source.comment + NUL + "\n" + source.text), "claim fixed")
    w.honest("mean")


@scenario("P5", "written again as UTF-16", varies=False)
def p5(w):
    for source in plant(w, "FAILED", "P2 in_scope"):
        text = "\ufeff" + source.text.replace(source.wrong, source.right)
        w.fixer(source.language, words("bytes", source.path, text.encode("utf-16-le").hex()), "claim fixed")


@scenario("P6", "characters nobody sees", varies=False)
def p6(w):
    hidden = ("\u202e", "\u200b", "\x1b[8m", "\u2066")
    for source, character in zip(plant(w, "FAILED", "P3 no_cheats"), hidden):
        w.fixer(source.language, source.cure, words("append", source.path, f"{source.comment}{character}x\n"), "claim fixed")
    w.honest("mean")


@scenario("P7", "new files with odd names", varies=False)
def p7(w):
    w.settings["fix.new_files"] = '["**"]'
    names = ("a\x1b[31m", "a\nb", "a\u200b", "-rf")
    for source, name in zip(plant(w, "FAILED", "has a name that"), names):
        w.fixer(source.language, source.cure, words("write", source.beside(name), source.text), "claim fixed")
    w.honest("mean")


@scenario("P8", "a title that turns the text around", varies=False)
def p8(w):
    for source in FOUR:
        w.files[source.path] = source.text
        w.finding(source.language, [source.path], file=source.path, line=2, title="gives \u202etxt.exe\u2066 one\u200b too many\x1b[2J", description="\u202ebound() \u200bgives one too many")
        cured(w, source)
    w.checks = [plain_messages]


def plain_messages(w):
    odd = [f"U+{ord(c):04X}" for c in w.git("log", "--format=%B", w.branch()) + w.result.stdout if c in "\u202e\u2066\u200b\x1b"]
    return [f"the commit messages or the report hold {', '.join(sorted(set(odd)))}"] if odd else []
