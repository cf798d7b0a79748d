"""One small file with a defect in each of Python, C, JavaScript and shell, beside whatever project a world has."""

import dataclasses

from world import words


@dataclasses.dataclass(frozen=True)
class Source:
    language: str
    path: str
    text: str
    wrong: str        # what the fix replaces
    right: str
    comment: str      # begins a comment
    suppression: str  # silences an analyzer

    @property
    def cure(self):
        return words("replace", self.path, self.wrong, self.right)

    def beside(self, name):
        return f"lib/{name}.{self.path.rpartition('.')[2]}"


FOUR = (
    Source("python", "lib/bound.py", "def bound(n):\n    return n + 1\n", "n + 1", "n", "# ", "# noqa"),
    Source("c", "lib/bound.c", "int bound(int n) {\n  return n + 1;\n}\n", "n + 1", "n", "// ", "// NOLINT"),
    Source("javascript", "lib/bound.js", "exports.bound = (n) => {\n  return n + 1;\n};\n", "n + 1", "n", "// ", "// eslint-disable-line"),
    Source("shell", "lib/bound.sh", "bound() {\n  echo $(($1 + 1))\n}\n", "$(($1 + 1))", '"$1"', "# ", "# shellcheck disable=SC2086"),
)


def plant(w, status, why="", text=None):
    """The four files and an issue about each; what its fixer does is up to the scenario. text(source): other content than the usual."""
    for source in FOUR:
        w.files[source.path] = text(source) if text else source.text
        w.finding(source.language, [source.path], file=source.path, line=2, description="bound() gives one too many")
        w.expect(source.language, status, why)
    return FOUR


def cured(w, source, *more):
    """Fixed as it should be, and expected to be RESOLVED."""
    w.fixer(source.language, source.cure, *more, "claim fixed")
    w.resolved(source.language, [(source.path, source.wrong, source.right)])
