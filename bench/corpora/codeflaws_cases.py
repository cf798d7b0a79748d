"""codeflaws as cases of the replay: the right patch is the one its author handed in next, the wrong ones are other people's."""

import codeflaws
from case import PLAUSIBLE, RED, RIGHT, Case, Patch, clone_of, laid

KINDS = {codeflaws.KINDS[0]: RED, codeflaws.KINDS[1]: PLAUSIBLE, codeflaws.KINDS[2]: RIGHT}


def cases(given, sample, scratch):
    corpus = codeflaws.Corpus(clone_of(codeflaws.PLACE, given, scratch), scratch)
    seen = set()
    for play in codeflaws.plays(corpus, sample or 1000, "1", scratch):
        defect = play.defect
        patches = [Patch(KINDS[play.kind], {"prog.c": play.source})]
        if defect.name not in seen:
            patches.append(Patch(RIGHT, {"prog.c": defect.fixed}))
        seen.add(defect.name)
        files = {"prog.c": defect.buggy, "tests/__init__.py": "", "tests/test_prog.py": codeflaws.test_file(defect.visible)}
        case = codeflaws.reported(defect, scratch)
        yield Case("codeflaws", defect.name, laid(files), "prog.c", f"The answer to {case.given[:200]!r} is wrong.",
                   "python3 -m unittest -v tests.test_prog", tuple(patches), 1, ("prog.c",))
