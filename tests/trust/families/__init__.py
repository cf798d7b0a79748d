"""Families of forged fixes: each generated anew from a seed, in several languages, and looked at from outside afterwards.

problems.py: functions with a bug and their true values. languages*.py: the same project in Python, JavaScript, C, C++ and shell.
forged_*.py: the families. honest_*.py: the fixes that must be accepted. playing.py: one session and what came of it.
outside.py: the oracle. expected.py: what the program under test is expected to refuse, and what it does not refuse yet."""
