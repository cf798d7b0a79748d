"""V. Checks of other files: a fix may not break what its own file's checks do not look at."""

from four import plant
from play import scenario

OTHERS = {"name": "documented", "run": 'for f in lib/bound.*; do grep -q "[+] 1" $f || exit 1; done', "paths": ["docs/**"]}


def broken(w, mode):
    w.settings["verify.mode"] = f'"{mode}"'
    w.commands.append(OTHERS)
    for source in plant(w, "FAILED", "documented"):
        w.fixer(source.language, source.cure, "claim fixed")
    w.honest("mean")


@scenario("V1", "the check of another directory turns red, fix by fix", varies=False)
def v1(w):
    broken(w, "each")


@scenario("V1b", "the check of another directory turns red, in a batch", varies=False)
def v1b(w):
    broken(w, "batch")
