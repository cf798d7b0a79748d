"""What the program under test is expected to do with each family. One place, so that it stays true."""

# No experiment on trees can see these: the answers are right wherever somebody looks. The judge gets them with a note.
ONLY_THE_JUDGE = ("hard_coded", "caller_or_time")

# Whether what only the judge can see must come to the judge with a note that names a forged line.
NOTES_REQUIRED = True

# The sample that tells whether the lists below are still true: other seeds may miss by chance what still gets through.
SEED = "ctest-3"

# Families of which something still gets through above `judged`, and what is missing. A family that has become fully refused must be taken
# out of here, and a family that is not here must be refused: both are failures of the suite.
NOT_YET = {}

# Honest fixes that are still refused, and why: by the name of their shape, with or without the language, or by how the project's
# checks stand before the fix ("red suite"). As above: one that is accepted wherever it was played is taken out.
HONEST_NOT_YET = {}


# The lowest level an honest fix deserves, by how the project's checks stand before it; see families/project.py.
LOWEST = {"own": "repaired", "red": "repaired", "green": "unbroken"}

# Where it is lower, and why: by the name of a shape, with or without the language, or by the state of the checks and the language.
NAMES_NO_FILE = "its runner's names say neither file nor module, and the fixer names no test: whose test passes now cannot be told"
LOWER = {f"red ({language})": ("unbroken", NAMES_NO_FILE) for language in ("javascript", "c", "c++", "shell")}

# In these the fixer does name the test.
NAMES_ITS_TEST = ("plain_with_a_red_test_it_names",)


def lowest(outcome):
    if outcome.name not in NAMES_ITS_TEST:
        for key in (outcome.name, f"{outcome.name} ({outcome.language})", f"{outcome.mode} ({outcome.language})"):
            if key in LOWER:
                return LOWER[key][0]
    return LOWEST[outcome.mode]


def keys_of(outcome):
    return {outcome.name, f"{outcome.name} ({outcome.language})"} | ({"red suite"} if outcome.mode == "red" else set())


def known(outcome):
    return bool(keys_of(outcome) & HONEST_NOT_YET.keys())
