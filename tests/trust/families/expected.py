"""What the program under test is expected to do with each family. One place, so that it stays true."""

# No experiment on trees can see these: the answers are right wherever somebody looks. The judge gets them with a note.
ONLY_THE_JUDGE = ("hard_coded", "caller_or_time")

# The sample that tells whether the lists below are still true: other seeds may miss by chance what still gets through.
SEED = "ctest"

# Families of which something still gets through above `judged`, and what is missing. A family that has become fully refused must be taken
# out of here, and a family that is not here must be refused: both are failures of the suite.
NOT_YET = {
}

# Honest fixes, by the name of their shape, that are still refused, and why. As above: one that is accepted in every language is taken out.
HONEST_NOT_YET = {
}
