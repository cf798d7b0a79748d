"""HumanEvalPack, the part about fixing (MIT; github.com/ArthurYangX/harbor-humanevalpack-dataset has it as files): Python, JavaScript, C++."""

import re

from case import RIGHT, Case, Patch, clone_of, laid, listed, shown, spread, usable, with_wrong

ADDRESS = "https://github.com/ArthurYangX/harbor-humanevalpack-dataset"
FOLDER = "datasets/humanevalpack-fix"
ENDS = {"python": "py", "javascript": "js", "cpp": "cpp"}
COMMANDS = {"python": "python3 tests/test_solution.py", "javascript": "node tests/test_solution.js",
            "cpp": "g++ -std=c++17 -w -o /tmp/tests tests/test_solution.cpp && /tmp/tests"}
MATH = "import math\nfrom typing import *\n"


def buggy_text(clone, task):
    return re.search(r"# Context\s+```\w+\n(.*?)\n```", shown(clone, f"{FOLDER}/{task}/instruction.md"), re.S)[1] + "\n"


def whole(clone, task, language):
    """What a file with solution and test contains before the test."""
    name = {"python": "full_test_script.py", "javascript": "test.js", "cpp": "test.cpp"}[language]
    return shown(clone, f"{FOLDER}/{task}/tests/{name}")


def right_text(clone, task, language):
    text, test = whole(clone, task, language), shown(clone, f"{FOLDER}/{task}/tests/test_code.txt")
    before = text[:text.index(test.strip()[:40])]
    before = re.sub(r"(?m)^// (Solution|Test Code.*|Prompt.*|Solution Body|Helper function.*)$|^const assert = require.*$", "", before)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)^template<typename T> bool issame.*$", "", before)).strip() + "\n"


def names(text):
    """What a JavaScript file declares at its top."""
    return sorted(set(re.findall(r"(?m)^(?:const|let|var|function) (\w+)", text)))


def tests(clone, task, language):
    """The corpus' own assertions, in a file that reads the solution."""
    test = shown(clone, f"{FOLDER}/{task}/tests/test_code.txt").strip() + "\n"
    if language == "python":
        return "import os, sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'src'))\nfrom solution import *\n\n" + test
    if language == "javascript":
        # console.assert only prints, so a failure would not become an exit status
        return ("const assert = require('assert');\nconst { " + ", ".join(names(buggy_text(clone, task))) + " } = require('../src/solution.js');\n\n" +
                test.replace("console.assert(", "assert.ok("))
    return '#include "../src/solution.cpp"\n' + test


def case(clone, task, language):
    path = f"src/solution.{ENDS[language]}"
    head = MATH if language == "python" else "#include <bits/stdc++.h>\nusing namespace std;\n" if language == "cpp" else ""
    buggy, right = head + buggy_text(clone, task), right_text(clone, task, language)
    right = right if language != "python" else MATH + re.sub(r"(?m)^from typing import .*\n|^import math\n", "", right)
    if language == "javascript":
        buggy, right = (text + f"\nmodule.exports = {{ {', '.join(names(text))} }};\n" for text in (buggy, right))
    files = {path: buggy, f"tests/test_solution.{ENDS[language]}": tests(clone, task, language)}
    return Case(f"HumanEvalPack {language}", task, laid(files), path, "The function does not do what its comment says.", COMMANDS[language],
                (Patch(RIGHT, {path: right}),), 1, (path,)), buggy


def cases(given, sample, scratch):
    clone = clone_of(ADDRESS, given, scratch)
    tasks = [path.split("/")[-1] for path in listed(clone, FOLDER + "/")]
    for language in ENDS:
        own = sorted((task for task in tasks if task.startswith(language + "_")), key=lambda task: int(task.split("_")[1]))
        for task in spread(own, sample):
            made, buggy = case(clone, task, language)
            if usable(made, scratch):
                yield with_wrong(made, buggy, scratch)
