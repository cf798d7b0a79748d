#!/usr/bin/env python3
"""batches.py LINES FILE...: which of these source files can be compiled as one. Prints "FILE BATCH" for each, and "FILE -" for those that
stand alone. A batch has about LINES lines.

Two files are joined only if no name that one of them keeps to itself (in an unnamed namespace, as a static or as a macro) is written
anywhere in the other. So joining never gives a name another meaning, and files may go on calling their helpers `list` or `kNames`."""

import re
import sys

WORD = re.compile(r"[A-Za-z_]\w*")
LOOKED_UP = re.compile(r"(?<![\w.:])(?<!->)[A-Za-z_]\w*")  # a member, or a name after ::, is looked for in its own class or namespace alone
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.M)
ALONE = re.compile(r'^#include ["<]n?curses[a-z/]*\.h[">]', re.M)  # full of macros
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
DECLARED = [
    re.compile(r"(?:template\s*<.*>\s*)?(?:struct|class|enum class|enum|union|concept)\s+(\w+)"),
    re.compile(r"using\s+(\w+)\s*="),
    re.compile(r"[^(={]*?(\w+)\s*\("),
    re.compile(r"[^(={]*?(\w+)\s*(?:\[[^]]*\]\s*)?(?:=|\{|;)"),
]
USED = re.compile(r"using [^=]*;")  # somebody else's name: the same one wherever it is said
END_OF_OWN = "} end of an unnamed namespace"
NOT_A_NAME = {"TEST", "TEST_F", "TEST_P", "INSTANTIATE_TEST_SUITE_P", "namespace", "template", "static_assert", "if"}


class Source:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.path = path
        self.lines = text.count("\n") + 1
        self.alone = bool(ALONE.search(text))
        text = re.sub(r"^\} // namespace$", END_OF_OWN, re.sub(r"^#include.*$", "", text, flags=re.M), flags=re.M)
        code = COMMENT_OR_TEXT.sub(" ", text)
        self.words = set(WORD.findall(code))
        self.looked_up = set(LOOKED_UP.findall(code))
        self.macros = set(MACRO.findall(code))
        self.own = own_names(code)


def own_names(code):
    """Declarations of an unnamed namespace begin in the first column: that is how the formatter leaves them."""
    names = set()
    inside = False
    for line in code.split("\n"):
        if re.match(r"(inline )?namespace\s*\{", line):
            inside = True
        elif line == END_OF_OWN:
            inside = False
        elif line[:1].strip() and line[0] not in "}#" and (inside or line.startswith("static ")) and not USED.match(line):
            for pattern in DECLARED:
                if found := pattern.match(line):
                    names.add(found.group(1))
                    break
    return names - NOT_A_NAME


def can_join(one, other):
    return all(not (a.own & b.looked_up) and not (a.macros & b.words) for a, b in ((one, other), (other, one)))


def batches_of(sources, lines):
    """First fit, in the order of the names: a new file seldom moves the others."""
    batches = []
    for source in sources:
        if source.alone:
            continue
        for batch in batches:
            if sum(member.lines for member in batch) + source.lines <= lines and all(can_join(source, member) for member in batch):
                batch.append(source)
                break
        else:
            batches.append([source])
    return [batch for batch in batches if len(batch) > 1]


def main():
    sources = [Source(path) for path in sorted(sys.argv[2:])]
    batch_of = {source.path: number for number, batch in enumerate(batches_of(sources, int(sys.argv[1]))) for source in batch}
    for source in sources:
        print(source.path, batch_of.get(source.path, "-"))


if __name__ == "__main__":
    main()
