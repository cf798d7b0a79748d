#!/usr/bin/env python3
"""Every snippet of docs/editors.md is what it says: JSON, TOML, Lua or Lisp that can be read, and it starts a command that emend has.

    snippets_test.py EMEND SOURCES
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

EMEND = SOURCES = ""


def snippets():
    with open(SOURCES + "/docs/editors.md", encoding="utf-8") as file:
        return re.findall(r"^```(\w*)\n(.*?)^```", file.read(), re.M | re.S)


def commands_in(value):
    """Wherever a command and its arguments stand in a configuration."""
    if isinstance(value, dict):
        if isinstance(value.get("command"), str):
            yield [value["command"], *value.get("args", [])]
        for one in value.values():
            yield from commands_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from commands_in(one)


def lisp_forms(text):
    """How many forms there are; an error where one is not closed, or closed twice."""
    depth = forms = 0
    for token in re.findall(r'"(?:\\.|[^"\\])*"|;[^\n]*|[()]|"', text):
        if token == '"':
            raise ValueError("a text is not closed")
        depth += {"(": 1, ")": -1}.get(token, 0)
        forms += token == ")" and depth == 0
        if depth < 0:
            raise ValueError("a form is closed twice")
    if depth:
        raise ValueError("a form is not closed")
    return forms


class Snippets(unittest.TestCase):
    def starts(self, command):
        self.assertEqual(command[0], "emend")
        done = subprocess.run([EMEND, *command[1:], "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def of(self, language):
        texts = [text for kind, text in snippets() if kind == language]
        self.assertTrue(texts, f"docs/editors.md has no {language} any more")
        return texts

    def test_every_one_is_of_a_language_that_is_looked_at(self):
        self.assertEqual({kind for kind, _ in snippets()}, {"json", "toml", "lua", "elisp"})

    def test_json(self):
        for text in self.of("json"):
            commands = list(commands_in(json.loads(text)))
            self.assertTrue(commands, text)
            for command in commands:
                self.starts(command)

    @unittest.skipIf(tomllib is None, "this Python cannot read TOML")
    def test_toml(self):
        for text in self.of("toml"):
            commands = list(commands_in(tomllib.loads(text)))
            self.assertTrue(commands, text)
            for command in commands:
                self.starts(command)

    def test_lua(self):
        for text in self.of("lua"):
            for words in re.findall(r"cmd = \{([^}]*)\}", text):
                self.starts(re.findall(r'"([^"]*)"', words))
            self.assertRegex(text, r'cmd = \{ "emend"')
            if shutil.which("nvim"):
                read = "local ok, why = loadstring(io.read('*a')); if not ok then io.stderr:write(why) os.exit(1) end"
                done = subprocess.run(["nvim", "--headless", "-u", "NONE", "-c", "lua " + read, "-c", "qa!"], input=text, capture_output=True, text=True, check=False,
                                      timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_lisp(self):
        for text in self.of("elisp"):
            self.assertEqual(lisp_forms(text), 1, text)
            [words] = re.findall(r'\("emend"([^)]*)\)', text)
            self.starts(["emend", *re.findall(r'"([^"]*)"', words)])

    def test_lisp_that_is_not_whole_is_noticed(self):
        for text in ("(a (b)", "(a))", '(a "b)'):
            with self.assertRaises(ValueError):
                lisp_forms(text)


if __name__ == "__main__":
    EMEND, SOURCES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
