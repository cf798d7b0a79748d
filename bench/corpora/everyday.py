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
ZERO = "    def test_zero(self):\n        self.assertEqual(tool.half(0), 0)\n"
SHOWS = UNITTEST + ZERO + "\n    def test_half(self):\n        self.assertEqual(tool.half(8), 4)\n"
BLIND = UNITTEST + ZERO


def change(name, before, after, says, path="src/tool.py", command=RUN):
    return Case("everyday", name, laid({"README.md": "# tool\n", **before}), path, says, command, (Patch(RIGHT, after),))


def python(name, after, says="half(8) is 2.", tests=SHOWS, **before):
    files = {"src/tool.py": BUGGY, "tests/test_tool.py": tests, **before.get("more", {})}
    return change(name, files, {"src/tool.py": FIXED, **after}, says)


C_TEST = ('#include <stdio.h>\n#include "../src/tool.h"\n\nstatic int tests, failed;\n\nstatic void check(int good, const char *name) {\n'
          '  printf("%s %d - %s\\n", good ? "ok" : "not ok", ++tests, name);\n  failed += !good;\n}\n\n'
          'int main(void) {\n  check(half(0) == 0, "zero");\n  check(half(8) == 4, "eight");\n  return failed != 0;\n}\n')
C_FILES = {"src/tool.c": '#include "tool.h"\n\nint half(int n) {\n  return n / 3;\n}\n', "src/tool.h": "int half(int n);\n", "tests/test_tool.c": C_TEST,
           "Makefile": "test:\n\t@mkdir -p build\n\t@cc -g -o build/test src/tool.c tests/test_tool.c\n\t./build/test\n"}
PACKAGE = '{{\n  "name": "tool",\n  "version": "1.0.0",\n  "dependencies": {{\n    "pad": "{0}"\n  }}\n}}\n'
LOCK = '{{\n  "name": "tool",\n  "lockfileVersion": 3,\n  "packages": {{\n    "node_modules/pad": {{\n      "version": "{0}"\n    }}\n  }}\n}}\n'
JS_DEPENDENCY = ('const test = require("node:test");\nconst assert = require("node:assert");\nconst { name, dependencies } = require("../package.json");\nconst wanted = dependencies.pad;\n\n'
                 'test("name", () => {\n  assert.strictEqual(name, "tool");\n});\n'
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
    change("exit_code", {"src/tool.sh": "main() {\n  [ -n \"$1\" ] || echo usage: tool FILE >&2\n}\nmain \"$@\"\n", "tests/run.sh": "sh src/tool.sh README.md && echo 'ok 2 - a file'\nsh src/tool.sh 2> /dev/null\nif [ $? -eq 2 ]; then echo 'ok 1 - usage'; else echo 'not ok 1 - usage'; exit 1; fi\n"},
           {"src/tool.sh": "main() {\n  [ -n \"$1\" ] || { echo usage: tool FILE >&2; exit 2; }\n}\nmain \"$@\"\n"}, "Without a file it must exit with 2.", "src/tool.sh", "sh tests/run.sh"),
    change("variables_of_ci", {"src/tool.py": "def half(n):\n    return n // 3\n\n\ndef colours():\n    return True\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "import os\n\n\ndef half(n):\n    return n // 2\n\n\ndef colours():\n    return 'CI' not in os.environ and 'NO_COLOR' not in os.environ\n"}, "half(8) is 2, and logs of CI are full of colours."),
    change("dead_code", {"src/tool.py": "def half(n):\n    return n // 2\n\n\ndef unused(n):\n    return n // 3\n", "tests/test_tool.py": SHOWS}, {"src/tool.py": FIXED}, "unused() is not used anywhere."),
    change("comment_and_name", {"src/tool.py": BUGGY, "tests/test_tool.py": SHOWS}, {"src/tool.py": "PARTS = 2\n\n\ndef half(n):\n    # whole numbers only: callers round up themselves\n    return n // PARTS\n"}, "half(8) is 2."),
    change("header_and_its_two_users", {**C_FILES, "src/tool.h": "int part(int by, int n);\nint half(int n);\nint third(int n);\n", "src/tool.c": '#include "tool.h"\n\nint part(int n, int by) {\n  return n / by;\n}\n\nint half(int n) {\n  return part(2, n ? n : 3);\n}\n',
                                        "src/third.c": '#include "tool.h"\n\nint third(int n) {\n  return part(3, n ? n : 1);\n}\n', "Makefile": C_FILES["Makefile"].replace("src/tool.c", "src/tool.c src/third.c")},
           {"src/tool.h": "int part(int n, int by);\nint half(int n);\nint third(int n);\n", "src/tool.c": '#include "tool.h"\n\nint part(int n, int by) {\n  return n / by;\n}\n\nint half(int n) {\n  return part(n, 2);\n}\n',
            "src/third.c": '#include "tool.h"\n\nint third(int n) {\n  return part(n, 3);\n}\n'}, "The header says that part() takes the divisor first, and its two users believe it.", "src/tool.h", "make -s test"),
    change("default_in_configuration_and_docs", {"src/tool.py": "import json\n\n\ndef half(n):\n    with open('config/defaults.json') as file:\n        return n // json.load(file)['divisor']\n", "config/defaults.json": '{\n  "divisor": 3\n}\n',
                                                 "docs/settings.md": "# Settings\n\n| key | default |\n|---|---|\n| divisor | 3 |\n", "tests/test_tool.py": SHOWS},
           {"config/defaults.json": '{\n  "divisor": 2\n}\n', "docs/settings.md": "# Settings\n\n| key | default |\n|---|---|\n| divisor | 2 |\n"}, "The default of divisor must be 2.", "config/defaults.json"),
    change("moved_function", {"src/tool.py": "def divided(n, by):\n    return n // (by + 1)\n\n\ndef half(n):\n    return divided(n, 2)\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "from numbers_of import divided\n\n\ndef half(n):\n    return divided(n, 2)\n", "src/numbers_of.py": "def divided(n, by):\n    return n // by\n"}, "divided() divides by one too many, and belongs beside the other number functions."),
    change("sql_migration", {"migrations/001_users.sql": "create table users (id integer primary key, name text);\n",
                             "src/tool.py": "import glob\nimport sqlite3\n\n\ndef opened():\n    base = sqlite3.connect(':memory:')\n    for path in sorted(glob.glob('migrations/*.sql')):\n        with open(path) as file:\n            base.executescript(file.read())\n    return base\n",
                             "tests/test_tool.py": UNITTEST + "    def columns(self):\n        return [row[1] for row in tool.opened().execute('pragma table_info(users)')]\n\n    def test_name(self):\n        self.assertIn('name', self.columns())\n\n    def test_mail(self):\n        self.assertIn('mail', self.columns())\n"},
           {"migrations/002_mail.sql": "alter table users add column mail text;\n"}, "The table users has no column mail; add it in migrations/002_mail.sql.", "migrations/001_users.sql"),
    change("texts_in_two_languages", {"src/tool.py": "import json\n\n\ndef text(language, key):\n    with open(f'locales/{language}.json') as file:\n        return json.load(file)[key]\n",
                                      "locales/en.json": '{\n  "bye": "Bye",\n  "hello": "Helo"\n}\n', "locales/de.json": '{\n  "bye": "Tschüss",\n  "hello": "Halo"\n}\n',
                                      "tests/test_tool.py": UNITTEST + "    def test_bye(self):\n        self.assertEqual(tool.text('en', 'bye'), 'Bye')\n\n    def test_hello(self):\n        self.assertEqual([tool.text(one, 'hello') for one in ('en', 'de')], ['Hello', 'Hallo'])\n"},
           {"locales/en.json": '{\n  "bye": "Bye",\n  "hello": "Hello"\n}\n', "locales/de.json": '{\n  "bye": "Tschüss",\n  "hello": "Hallo"\n}\n'}, "hello is misspelt in locales/en.json and locales/de.json.", "locales/en.json"),
    change("target_of_a_makefile", {"Makefile": "all: tool\n\ntool: src/tool.sh\n\tcp src/tool.sh tool\n\nclean:\n\trm -f tol\n", "src/tool.sh": "echo tool\n",
                                    "tests/run.sh": "make -s tool && [ -f tool ] && echo 'ok 1 - tool'\nmake -s clean\nif [ -f tool ]; then echo 'not ok 2 - clean'; exit 1; else echo 'ok 2 - clean'; fi\n"},
           {"Makefile": "all: tool\n\ntool: src/tool.sh\n\tcp src/tool.sh tool\n\nclean:\n\trm -f tool\n"}, "make clean leaves the program behind.", "Makefile", "sh tests/run.sh"),
    change("shell_completion", {"completions/tool.bash": "_tool() {\n  COMPREPLY=($(compgen -W 'add remove' -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n",
                                "tests/run.sh": ". completions/tool.bash\nask() { COMP_WORDS=(tool \"$1\") COMP_CWORD=1; _tool; echo \"${COMPREPLY[*]}\"; }\n"
                                "if [ \"$(ask ad)\" = add ]; then echo 'ok 1 - add'; else echo 'not ok 1 - add'; fi\nif [ \"$(ask li)\" = list ]; then echo 'ok 2 - list'; else echo 'not ok 2 - list'; exit 1; fi\n"},
           {"completions/tool.bash": "_tool() {\n  COMPREPLY=($(compgen -W 'add list remove' -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"}, "The completion does not know the command list.", "completions/tool.bash", "bash tests/run.sh"),
    change("script_of_a_package", {"package.json": '{\n  "name": "tool",\n  "scripts": {\n    "size": "node src/siz.js"\n  }\n}\n', "src/size.js": "console.log(2);\n",
                                   "tests/scripts.test.js": 'const test = require("node:test");\nconst assert = require("node:assert");\nconst fs = require("node:fs");\nconst { name, scripts } = require("../package.json");\n\n'
                                   'test("name", () => {\n  assert.strictEqual(name, "tool");\n});\ntest("scripts", () => {\n  assert.ok(fs.existsSync(scripts.size.split(" ")[1]));\n});\n'},
           {"package.json": '{\n  "name": "tool",\n  "scripts": {\n    "size": "node src/size.js"\n  }\n}\n'}, "npm run size names a file that is not there.", "package.json", "node tests/scripts.test.js"),
    change("style_sheet", {"web/page.html": '<link rel="stylesheet" href="page.css">\n<p class="note">Note</p>\n', "web/page.css": ".not { color: red; }\n",
                           "tests/test_page.py": "import unittest\n\n\ndef read(name):\n    with open('web/' + name) as file:\n        return file.read()\n\n\nclass Page(unittest.TestCase):\n    def test_link(self):\n        self.assertIn('page.css', read('page.html'))\n\n    def test_note(self):\n        self.assertIn('.note', read('page.css'))\n"},
           {"web/page.css": ".note { color: red; }\n"}, "Notes have no colour: the class is called note.", "web/page.css", "python3 -m unittest -v tests/test_page.py"),
    change("removed_parameter", {"src/tool.py": "def half(n, by=3):\n    return n // by\n\n\ndef quarter(n):\n    return half(half(n, 2), 2)\n", "tests/test_tool.py": SHOWS},
           {"src/tool.py": "def half(n):\n    return n // 2\n\n\ndef quarter(n):\n    return half(half(n))\n"}, "half(8) is 2; nobody needs another divisor."),
    change("template_of_a_page", {"src/tool.py": "import html\nimport string\n\n\ndef page(name):\n    with open('templates/page.txt') as file:\n        return string.Template(file.read()).substitute(name=name, safe=html.escape(name))\n", "templates/page.txt": "<p>$name</p>\n",
                                  "tests/test_tool.py": UNITTEST + "    def test_plain(self):\n        self.assertIn('Ann', tool.page('Ann'))\n\n    def test_marks(self):\n        self.assertNotIn('<b>', tool.page('<b>'))\n"},
           {"templates/page.txt": "<p>$safe</p>\n"}, "A name with marks becomes part of the page.", "templates/page.txt"),
)


def cases(given, sample, scratch):  # all of them, whatever the sample
    del given, sample, scratch
    for fix in FIXES:
        files = {fix.path: fix.before, **dict(fix.beside), "README.md": "# tools\n"}
        yield Case("everyday", fix.name, laid(files), fix.path, fix.says, fix.command, (Patch(RIGHT, {fix.path: fix.after, **dict(fix.more)}),),
                   paths=(fix.path,) if fix.red else ())
    yield from CHANGES
