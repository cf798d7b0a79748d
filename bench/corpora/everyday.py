"""Everyday fixes, written by hand: the bugs of tests/trust/families/honest_everyday.py, and changes of every shape that people make.

Each is right, so each must be accepted at the first attempt."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "trust"))

from case import RIGHT, Case, Patch, laid
from families.honest_everyday import FIXES

UNITTEST = "import sys\nimport unittest\n\nsys.path.insert(0, 'src')\nimport tool\n\n\nclass Tests(unittest.TestCase):\n"
RUN = "python3 -m unittest -v tests/test_tool.py"
BUGGY = "def half(n):\n    return n // 3\n"
FIXED = "def half(n):\n    return n // 2\n"
SHOWS = UNITTEST + "    def test_half(self):\n        self.assertEqual(tool.half(8), 4)\n"
BLIND = UNITTEST + "    def test_zero(self):\n        self.assertEqual(tool.half(0), 0)\n"


def change(name, before, after, says, path="src/tool.py", command=RUN):
    return Case("everyday", name, laid({"README.md": "# tool\n", **before}), path, says, command, (Patch(RIGHT, after),))


def python(name, after, says="half(8) is 2.", tests=SHOWS, **before):
    files = {"src/tool.py": BUGGY, "tests/test_tool.py": tests, **before.get("more", {})}
    return change(name, files, {"src/tool.py": FIXED, **after}, says)


C_TEST = '#include <assert.h>\n#include <stdio.h>\n#include "../src/tool.h"\n\nint main(void) {\n  assert(half(8) == 4);\n  printf("ok 1 - half\\n");\n  return 0;\n}\n'
C_FILES = {"src/tool.c": '#include "tool.h"\n\nint half(int n) {\n  return n / 3;\n}\n', "src/tool.h": "int half(int n);\n", "tests/test_tool.c": C_TEST,
           "Makefile": "test:\n\t@mkdir -p build\n\t@cc -g -o build/test src/tool.c tests/test_tool.c\n\t./build/test\n"}
PACKAGE = '{{\n  "name": "tool",\n  "version": "1.0.0",\n  "dependencies": {{\n    "pad": "{0}"\n  }}\n}}\n'
LOCK = '{{\n  "name": "tool",\n  "lockfileVersion": 3,\n  "packages": {{\n    "node_modules/pad": {{\n      "version": "{0}"\n    }}\n  }}\n}}\n'
JS_DEPENDENCY = ('const test = require("node:test");\nconst assert = require("node:assert");\nconst wanted = require("../package.json").dependencies.pad;\n\n'
                 'test("pad", () => {\n  assert.strictEqual(wanted, "2.0.1");\n});\n')

CHANGES = (
    python("fix_with_a_test", {"tests/test_tool.py": BLIND + "\n    def test_half(self):\n        self.assertEqual(tool.half(8), 4)\n"}, tests=BLIND),
    python("fix_with_a_test_file_of_its_own", {"tests/test_half.py": SHOWS.replace("test_half", "test_eight")}),
    python("fix_with_a_changelog", {"CHANGELOG.md": "# Changes\n\n- half() divides by two.\n- First version.\n"}, more={"CHANGELOG.md": "# Changes\n\n- First version.\n"}),
    python("fix_with_documentation", {"docs/usage.md": "# Usage\n\nhalf(8) is 4.\n"}, more={"docs/usage.md": "# Usage\n\nhalf(8) is 2.\n"}),
    change("documentation_only", {"src/tool.py": FIXED, "tests/test_tool.py": SHOWS, "docs/usage.md": "# Usage\n\nhalf(8) is 2.\n"},
           {"docs/usage.md": "# Usage\n\nhalf(8) is 4.\n"}, "The page says that half(8) is 2.", "docs/usage.md"),
    change("second_file", {"src/tool.py": "import rates\n\n\ndef half(n):\n    return n // rates.DIVISOR\n", "src/rates.py": "DIVISOR = 3\n", "tests/test_tool.py": SHOWS},
           {"src/rates.py": "DIVISOR = 2\n"}, "half(8) is 2."),
    change("both_files", {"src/tool.py": "import rates\n\n\ndef half(n):\n    return rates.divided(n)\n", "src/rates.py": "def divided(n):\n    return n // 3\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "import rates\n\n\ndef half(n):\n    return rates.divided(n, 2)\n", "src/rates.py": "def divided(n, by):\n    return n // by\n"}, "half(8) is 2."),
    change("new_module", {"src/tool.py": BUGGY, "tests/test_tool.py": SHOWS},
           {"src/tool.py": "from parts import DIVISOR\n\n\ndef half(n):\n    return n // DIVISOR\n", "src/parts.py": "DIVISOR = 2\n"}, "half(8) is 2."),
    change("new_header", C_FILES, {"src/tool.c": '#include "tool.h"\n\n#include "parts.h"\n\nint half(int n) {\n  return n / PARTS;\n}\n', "src/parts.h": "#define PARTS 2\n"},
           "half(8) is 2.", "src/tool.c", "make -s test"),
    change("changed_header", {**C_FILES, "src/tool.h": "#define PARTS 3\nint half(int n);\n", "src/tool.c": '#include "tool.h"\n\nint half(int n) {\n  return n / PARTS;\n}\n'},
           {"src/tool.h": "#define PARTS 2\nint half(int n);\n"}, "half(8) is 2.", "src/tool.c", "make -s test"),
    change("rename_over_three_files", {"src/tool.py": "import parts\nimport words\n\n\ndef half(n):\n    return parts.third(n)\n\n\ndef say(n):\n    return words.say(n)\n",
                                       "src/parts.py": "def third(n):\n    return n // 3\n", "src/words.py": "import parts\n\n\ndef say(n):\n    return str(parts.third(n))\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "import parts\nimport words\n\n\ndef half(n):\n    return parts.halved(n)\n\n\ndef say(n):\n    return words.say(n)\n",
            "src/parts.py": "def halved(n):\n    return n // 2\n", "src/words.py": "import parts\n\n\ndef say(n):\n    return str(parts.halved(n))\n"}, "half(8) is 2; third() is not what its callers want."),
    change("dependency_in_two_files", {"package.json": PACKAGE.format("1.9.0"), "package-lock.json": LOCK.format("1.9.0"), "tests/tool.test.js": JS_DEPENDENCY},
           {"package.json": PACKAGE.format("2.0.1"), "package-lock.json": LOCK.format("2.0.1")}, "pad 1.9.0 has a known fault; 2.0.1 has not.", "package.json", "node tests/tool.test.js"),
    change("configuration", {"src/tool.py": "import json\n\n\ndef half(n):\n    with open('settings.json') as file:\n        return n // json.load(file)['divisor']\n", "settings.json": '{\n  "divisor": 3\n}\n', "tests/test_tool.py": SHOWS},
           {"settings.json": '{\n  "divisor": 2\n}\n'}, "half(8) is 2.", "settings.json"),
    change("exit_code", {"src/tool.sh": "main() {\n  [ -n \"$1\" ] || echo usage: tool FILE >&2\n}\nmain \"$@\"\n", "tests/run.sh": "sh src/tool.sh 2> /dev/null\nif [ $? -eq 2 ]; then echo 'ok 1 - usage'; else echo 'not ok 1 - usage'; exit 1; fi\n"},
           {"src/tool.sh": "main() {\n  [ -n \"$1\" ] || { echo usage: tool FILE >&2; exit 2; }\n}\nmain \"$@\"\n"}, "Without a file it must exit with 2.", "src/tool.sh", "sh tests/run.sh"),
    change("variables_of_ci", {"src/tool.py": "def half(n):\n    return n // 3\n\n\ndef colours():\n    return True\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "import os\n\n\ndef half(n):\n    return n // 2\n\n\ndef colours():\n    return 'CI' not in os.environ and 'NO_COLOR' not in os.environ\n"}, "half(8) is 2, and logs of CI are full of colours."),
    change("dead_code", {"src/tool.py": "def half(n):\n    return n // 2\n\n\ndef unused(n):\n    return n // 3\n", "tests/test_tool.py": SHOWS}, {"src/tool.py": FIXED}, "unused() is not used anywhere."),
    change("comment_and_name", {"src/tool.py": BUGGY, "tests/test_tool.py": SHOWS}, {"src/tool.py": "PARTS = 2\n\n\ndef half(n):\n    # whole numbers only: callers round up themselves\n    return n // PARTS\n"}, "half(8) is 2."),
)


def cases(given, sample, scratch):  # all of them, whatever the sample
    del given, sample, scratch
    for fix in FIXES:
        files = {fix.path: fix.before, **dict(fix.beside), "README.md": "# tools\n"}
        yield Case("everyday", fix.name, laid(files), fix.path, fix.says, fix.command, (Patch(RIGHT, {fix.path: fix.after, **dict(fix.more)}),),
                   paths=(fix.path,) if fix.red else ())
    yield from CHANGES
