#!/usr/bin/env python3
"""The table of mutations fits the sources, says so when it does not, and is all there is: the product asks about nothing."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import mutants
import mutations


def change(text, old, new):
    return mutations.changed("a.cpp", text, [mutations.instead("a.cpp", old, new)])


class Mutations(unittest.TestCase):
    def test_every_row_fits_the_source_it_names(self):
        for file in mutations.files():
            self.assertIn("without(", mutations.mutated(file).split("#line 1", 1)[1])

    def test_a_place_is_found_whatever_its_line_breaks(self):
        self.assertEqual(change("x();\nif (a &&\n    b) return;\n", "if (a && b) return", "if (a) return"), "x();\nif (a) return;\n")

    def test_a_line_is_added_after_its_anchor(self):
        row = mutations.after("a.cpp", "void f() {", "return;")
        self.assertEqual(mutations.changed("a.cpp", "void f() {\n  g();\n}\n", [row]), "void f() {\nreturn;\n  g();\n}\n")

    def test_a_place_that_is_gone_is_an_error_that_names_it(self):
        with self.assertRaisesRegex(ValueError, r"a\.cpp: the text a mutation changes is not there any more.*\n  gone\(\)"):
            change("here();\n", "gone()", "x")

    def test_a_place_that_is_there_twice_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "stands there 2 times"):
            change("f(); f();\n", "f()", "x")

    def test_every_mutant_has_a_row(self):
        by_a_row = mutations.asked() | {"P1", "P2", "P3"}  # those three by the clause's own id
        self.assertEqual(set(mutants.MUTANTS) - by_a_row, set())
        self.assertEqual(by_a_row - set(mutants.MUTANTS) - set(mutants.EXPERIMENTS), set())

    def test_the_product_asks_about_nothing(self):
        for folder, _, names in os.walk(mutations.SOURCES):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                self.assertNotIn("EMEND_GATE_WITHOUT", text, name)
                self.assertNotRegex(text, mutations.ASKED, name)


if __name__ == "__main__":
    unittest.main()
