"""One known bug with its right patch and wrong ones, and a session of the real program that plays one of the patches."""

import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
import typing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "support"))

from place import Place, score, scripted_agent, write

LEFT_FAILING = re.compile(r"which passes now, [^\"]* fails? on the base and with the fix")
RIGHT, RED, PLAUSIBLE = "right", "fails a visible test", "passes every visible test and is wrong"


@dataclasses.dataclass(frozen=True)
class Patch:
    kind: str
    files: dict  # path -> text


@dataclasses.dataclass(frozen=True)
class Case:
    corpus: str
    name: str
    lay: typing.Callable      # writes the buggy tree into a directory
    path: str                 # of the bug
    says: str
    command: str              # the check
    patches: tuple
    line: int = 1
    paths: tuple = ()         # what the check is about; nothing: everything
    timeout: str = "60s"


@dataclasses.dataclass
class Outcome:
    case: Case
    patch: Patch
    accepted: bool = False
    level: str = ""
    rounds: int = 0
    seconds: float = 0  # of the session, without its agents
    noted: bool = False  # the judge and the person are told which tests fail on the base and with the fix
    why: str = ""


def laid(files):
    """A `lay` for files by path."""
    def lay(tree):
        for path, text in files.items():
            write(os.path.join(tree, path), text)
    return lay


def archive(clone, commit, then=None):
    """A `lay` for a commit of a clone, changed by `then`."""
    def lay(tree):
        packed = subprocess.run(["git", "-C", clone, "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", tree], input=packed, check=True)
        if then:
            then(tree)
    return lay


def clone_of(address, given, scratch):
    """The clone a person has below --from (NAME, NAME.git, OWNER+NAME/repo ...), or a new one of the public address."""
    owner, name = address.rstrip("/").split("/")[-2:]
    for folder in (name, f"{name}.git", f"{owner}/{name}", f"{owner}+{name}", f"{owner}+{name}/repo", f"{owner}+{name}/repo/.git") if given else ():
        place = os.path.join(given, folder)
        if os.path.exists(os.path.join(place, "HEAD")) or os.path.exists(os.path.join(place, ".git")):
            return place
    place = os.path.join(scratch, name)
    subprocess.run(["git", "clone", "-q", "--bare", address, place], check=True)
    return place


def shown(clone, path, commit="HEAD"):
    """The text of a file of a clone."""
    return subprocess.run(["git", "-C", clone, "show", f"{commit}:{path}"], check=True, capture_output=True).stdout.decode(errors="replace")


def listed(clone, folder, commit="HEAD"):
    rows = subprocess.run(["git", "-C", clone, "ls-tree", "--name-only", commit, folder], check=True, capture_output=True).stdout
    return rows.decode().split()


def spread(rows, sample):
    """`sample` of them, evenly; 0: all."""
    rows = list(rows)
    if not sample or sample >= len(rows):
        return rows
    return [rows[index * len(rows) // sample] for index in range(sample)]


def passes(case, files, scratch):
    """Does the check pass with these files, without the program?"""
    with tempfile.TemporaryDirectory(dir=scratch) as tree:
        case.lay(tree)
        laid(files)(tree)
        try:
            done = subprocess.run(["sh", "-c", case.command], cwd=tree, capture_output=True, timeout=120, check=False,
                                  stdin=subprocess.DEVNULL)
            return done.returncode == 0
        except subprocess.TimeoutExpired:
            return False


SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "&&": "||", "||": "&&",
         "and": "or", "or": "and", "True": "False", "False": "True", "true": "false", "false": "true", "not ": ""}
TOKEN = re.compile(r"<=|>=|==|!=|&&|\|\||(?<![-<>=])[<>](?![<>=])|(?<![+\w'\"])[+*](?![+=*])|(?<=[\w )])-(?![->=])|\b(?:and|or|True|False|true|false)\b|\bnot |\b\d+\b")


def mutants(buggy, right):
    """The right text with one token changed, on the lines of the fix first: what somebody who is nearly right hands in."""
    old = set(buggy.split("\n"))
    lines = right.split("\n")
    for number in sorted(range(len(lines)), key=lambda index: (lines[index] in old, index)):
        for token in TOKEN.finditer(lines[number]):
            other = SWAPS.get(token[0], str(int(token[0]) + 1) if token[0].isdigit() else None)
            text = lines[number][:token.start()] + other + lines[number][token.end():]
            made = "\n".join(lines[:number] + [text] + lines[number + 1:])
            if made not in (buggy, right):
                yield made


def with_wrong(case, buggy, scratch, tries=6):
    """The case with one more patch: the first mutant of the right one that its check refuses, on the lines of the fix if possible."""
    right = case.patches[0].files[case.path]
    for number, text in enumerate(mutants(buggy, right)):
        if number >= tries:
            break
        if not passes(case, {case.path: text}, scratch):
            return dataclasses.replace(case, patches=(*case.patches, Patch(RED, {case.path: text})))
    return case


def usable(case, scratch):
    """A bug its check shows, and a patch it takes."""
    return not passes(case, {}, scratch) and passes(case, case.patches[0].files, scratch)


def settings(case, patch):
    once = "" if patch.kind == RIGHT else "max_fix_cycles = 1\n"
    check = {"name": "check", "run": case.command, **({"paths": list(case.paths)} if case.paths else {})}
    row = ", ".join(f"{key} = {json.dumps(value)}" for key, value in check.items())
    return f"""[fix]
agent = "replayed"
[fix_challenger]
agent = "lenient"
canaries = 0
{"" if patch.kind == RIGHT else "max_iterations = 1"}
[verify]
commands = [{{ {row} }}]
timeout = "{case.timeout}"
coverage = "off"
{once}"""


def play(program, case, patch, scratch):
    """One session: the fixer writes the patch, the judge says 97 to it, so the experiments alone decide."""
    world = Place(program, "replay", scratch)
    try:
        case.lay(world.repo)
        world.begin()
        steps = [{"write": {"path": path, "text": text}} for path, text in patch.files.items()]
        world.write_turns("fixer.json", [{"do": steps, "answer": {"issues": {"{issue}": {"status": "fixed"}}}}])
        world.write_turns("judge.json", [{"answer": score(97)}])
        agents = scripted_agent("replayed", world.path("fixer.json"), "a") + scripted_agent("lenient", world.path("judge.json"), "b")
        world.write("config.toml", agents + settings(case, patch))
        finding = {"id": "bug", "file": case.path, "line": case.line, "severity": "high", "title": case.says[:70], "description": case.says}
        world.write("findings.json", json.dumps({"findings": [finding]}))
        use = ["--config", world.path("config.toml")]
        added = world.run(*use, "issues", "add", "--json", "--findings", world.path("findings.json"))
        code = json.loads(added.stdout)["data"][0]["code"]
        return outcome_of(case, patch, world.run(*use, "fix", "--json", code))
    finally:
        world.close()


def outcome_of(case, patch, done):
    outcome = Outcome(case, patch)
    try:
        session = json.loads(done.stdout)["data"]
        issue = session["issues"][0]
    except (ValueError, KeyError, IndexError, TypeError):
        outcome.why = (done.stderr.strip() or done.stdout.strip())[:400]
        return outcome
    outcome.accepted = issue["status"] == "RESOLVED"
    outcome.level = issue["evidence"] or ""
    outcome.rounds = issue["attempts"]
    outcome.seconds = (session["duration_ms"] - session["usage"]["agent_time_ms"]) / 1000
    outcome.noted = LEFT_FAILING.search(done.stdout) is not None
    outcome.why = issue["detail"] or session["detail"]
    return outcome
