"""Everyday fixes written by hand: what people really change, each with a check."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Fix:
    name: str
    language: str
    path: str
    says: str
    before: str
    after: str
    command: str
    beside: tuple = ()  # (path, text): the tests
    red: bool = True    # the check fails while the bug is there
    more: tuple = ()    # (path, text): what else the fix writes


def python(name, says, before, after, test, module="tool", **more):
    text = f"import sys\nimport unittest\n\nsys.path.insert(0, 'src')\nimport {module}\n\n\nclass Tests(unittest.TestCase):\n    def test_{name}(self):\n" + \
        "".join(f"        {line}\n" if line else "\n" for line in test.split("\n"))
    return Fix(name, "python", f"src/{module}.py", says, before, after, f"python3 -m unittest -v tests/test_{module}.py", ((f"tests/test_{module}.py", text),), **more)


def javascript(name, says, before, after, test, **more):
    text = 'const test = require("node:test");\nconst assert = require("node:assert");\nconst tool = require("../src/tool.js");\n\n' + \
        f'test("{name}", async () => {{\n' + "".join(f"  {line}\n" for line in test.split("\n")) + "});\n"
    return Fix(name, "javascript", "src/tool.js", says, before, after, "node tests/tool.test.js", (("tests/tool.test.js", text),), **more)


def c(name, says, before, after, test, head, **more):
    text = f'#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n{head}\n\nint main(void) {{\n' + \
        "".join(f"  {line}\n" for line in test.split("\n")) + f'  printf("ok 1 - {name}\\n");\n  return 0;\n}}\n'
    make = "test:\n\t@mkdir -p build\n\t@cc -g -o build/test src/tool.c tests/test_tool.c\n\t./build/test\n"
    return Fix(name, "c", "src/tool.c", says, before, after, "make -s test", (("tests/test_tool.c", text), ("Makefile", make)), **more)


def shell(name, says, before, after, test, **more):
    text = f'. ./src/tool.sh\nif {test}; then echo "ok 1 - {name}"; else echo "not ok 1 - {name}"; exit 1; fi\n'
    return Fix(name, "shell", "src/tool.sh", says, before, after, "sh tests/tool_test.sh", (("tests/tool_test.sh", text),), **more)


FIXES = (
    python("missing_null_check", "title(None) ends with a traceback.", "def title(text):\n    return text.strip().title()\n",
           "def title(text):\n    if text is None:\n        return ''\n    return text.strip().title()\n", "self.assertEqual(tool.title(None), '')\nself.assertEqual(tool.title(' a b'), 'A B')"),
    python("encoding", "Names with umlauts are cut in the middle of a character.", "def short(name):\n    return name.encode()[:4].decode(errors='ignore')\n",
           "def short(name):\n    return name[:4]\n", "self.assertEqual(tool.short('Grüße'), 'Grüß')"),
    python("sorting", "Versions are sorted as texts: 10 comes before 9.", "def ordered(versions):\n    return sorted(versions)\n",
           "def ordered(versions):\n    return sorted(versions, key=lambda version: [int(part) for part in version.split('.')])\n",
           "self.assertEqual(tool.ordered(['1.10', '1.9']), ['1.9', '1.10'])"),
    python("time_handling", "The days of a leap year are counted wrongly: dates are subtracted as seconds of a local clock.",
           "def days(start, end):\n    return int((end - start).total_seconds() // 86401)\n", "def days(start, end):\n    return (end - start).days\n",
           "import datetime\nself.assertEqual(tool.days(datetime.date(2024, 1, 1), datetime.date(2025, 1, 1)), 366)"),
    python("leak_of_a_file", "The file is never closed.", "def lines(path):\n    return open(path).readlines()\n",
           "def lines(path):\n    with open(path) as file:\n        return file.readlines()\n",
           "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n    self.assertTrue(tool.lines(__file__))", red=False),
    python("race", "Two threads lose updates of the counter.",
           "class Counter:\n    def __init__(self):\n        self.value = 0\n\n    def add(self):\n        value = self.value\n        import time\n        time.sleep(0.001)\n        self.value = value + 1\n",
           "import threading\n\n\nclass Counter:\n    def __init__(self):\n        self.value = 0\n        self.lock = threading.Lock()\n\n    def add(self):\n        with self.lock:\n            self.value += 1\n",
           "import threading\ncounter = tool.Counter()\nthreads = [threading.Thread(target=counter.add) for _ in range(8)]\n[thread.start() for thread in threads]\n[thread.join() for thread in threads]\nself.assertEqual(counter.value, 8)"),
    python("mutable_default", "The default list is shared between calls.", "def add(item, items=[]):\n    items.append(item)\n    return items\n",
           "def add(item, items=None):\n    items = [] if items is None else items\n    items.append(item)\n    return items\n",
           "tool.add(1)\nself.assertEqual(tool.add(2), [2])"),
    python("bare_except", "The bare except hides a KeyboardInterrupt.",
           "def number(text):\n    try:\n        return int(text)\n    except:\n        return 0\n", "def number(text):\n    try:\n        return int(text)\n    except ValueError:\n        return 0\n",
           "class Stops:\n    def __int__(self):\n        raise KeyboardInterrupt\nself.assertRaises(KeyboardInterrupt, tool.number, Stops())"),
    python("exit_of_a_command", "main() goes on without a file; it must end with a usage error.", "def main(arguments):\n    return 0\n",
           "import sys\n\n\ndef main(arguments):\n    if not arguments:\n        print('usage: tool FILE', file=sys.stderr)\n        sys.exit(2)\n    return 0\n",
           "with self.assertRaises(SystemExit) as ended:\n    tool.main([])\nself.assertEqual(ended.exception.code, 2)"),
    python("division_by_zero", "The mean of nothing is a traceback; it is 0 here.", "def mean(values):\n    return sum(values) / len(values)\n",
           "def mean(values):\n    if not values:\n        return 0\n    return sum(values) / len(values)\n", "self.assertEqual(tool.mean([]), 0)"),
    python("path_traversal", "A name with .. reads files outside of the folder.",
           "import os\n\n\ndef inside(folder, name):\n    return os.path.join(folder, name)\n",
           "import os\n\n\ndef inside(folder, name):\n    path = os.path.realpath(os.path.join(folder, name))\n    if os.path.commonpath([path, os.path.realpath(folder)]) != os.path.realpath(folder):\n        raise ValueError(name)\n    return path\n",
           "self.assertRaises(ValueError, tool.inside, '/srv', '../etc/passwd')"),
    javascript("missing_null_check_js", "size(undefined) throws.", "exports.size = (list) => list.length;\n", "exports.size = (list) => (list ? list.length : 0);\n", "assert.strictEqual(tool.size(undefined), 0);"),
    javascript("sorting_js", "Numbers are sorted as texts.", "exports.sorted = (values) => [...values].sort();\n", "exports.sorted = (values) => [...values].sort((a, b) => a - b);\n",
               "assert.deepStrictEqual(tool.sorted([10, 9, 1]), [1, 9, 10]);"),
    javascript("wrong_operator_js", "== treats '0' as false.", "exports.empty = (text) => text == false;\n", "exports.empty = (text) => text === '' || text === undefined;\n",
               "assert.strictEqual(tool.empty('0'), false);\nassert.strictEqual(tool.empty(''), true);"),
    javascript("unhandled_promise", "A rejected load is not handled.", "exports.load = async (get) => (await get()).value;\n",
               "exports.load = async (get) => {\n  try {\n    return (await get()).value;\n  } catch (error) {\n    if (error.code === 'ENOENT') return null;\n    throw error;\n  }\n};\n",
               "const gone = Object.assign(new Error('gone'), { code: 'ENOENT' });\nassert.strictEqual(await tool.load(() => Promise.reject(gone)), null);"),
    javascript("time_handling_js", "The month is one too small.", "exports.month = (date) => date.getUTCMonth();\n", "exports.month = (date) => date.getUTCMonth() + 1;\n",
               "assert.strictEqual(tool.month(new Date('2024-03-05')), 3);"),
    javascript("encoding_js", "A plus in a query is not decoded.", "exports.decode = (text) => decodeURIComponent(text);\n", "exports.decode = (text) => decodeURIComponent(text.replace(/\\+/g, ' '));\n",
               "assert.strictEqual(tool.decode('a+b%20c'), 'a b c');"),
    javascript("escaping_js", "Names with < break the page.", "exports.cell = (text) => `<td>${text}</td>`;\n",
               "const escape = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);\n\nexports.cell = (text) => `<td>${escape(text)}</td>`;\n",
               "assert.strictEqual(tool.cell('<b>'), '<td>&#60;b&#62;</td>');"),
    c("missing_null_check_c", "length(NULL) is a crash.", "#include <string.h>\n\nint length(const char* text) {\n  return (int)strlen(text);\n}\n",
      "#include <string.h>\n\nint length(const char* text) {\n  return text ? (int)strlen(text) : 0;\n}\n", "assert(length(NULL) == 0);\nassert(length(\"ab\") == 2);", "int length(const char* text);"),
    c("off_by_one_c", "sum() reads one element too many.", "int sum(const int* v, int n) {\n  int s = 0;\n  for (int i = 0; i <= n; ++i) s += v[i];\n  return s;\n}\n",
      "int sum(const int* v, int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) s += v[i];\n  return s;\n}\n", "int v[] = {1, 2, 3, 100};\nassert(sum(v, 3) == 6);", "int sum(const int* v, int n);"),
    c("overflow_c", "copy() writes past the end of the buffer.", "#include <string.h>\n\nvoid copy(char* to, int size, const char* from) {\n  (void)size;\n  strcpy(to, from);\n}\n",
      "#include <stdio.h>\n\nvoid copy(char* to, int size, const char* from) {\n  snprintf(to, (size_t)size, \"%s\", from);\n}\n",
      "char room[8] = \"       \";\ncopy(room, 4, \"abcdef\");\nassert(strcmp(room, \"abc\") == 0);", "void copy(char* to, int size, const char* from);"),
    c("leak_c", "The buffer is lost when nothing was read.", "#include <stdlib.h>\n\nint kept = 0;\n\nchar* take(int bytes) {\n  char* room = malloc(8);\n  ++kept;\n  if (bytes == 0) return 0;\n  return room;\n}\n",
      "#include <stdlib.h>\n\nint kept = 0;\n\nchar* take(int bytes) {\n  if (bytes == 0) return 0;\n  char* room = malloc(8);\n  if (room) ++kept;\n  return room;\n}\n",
      "assert(take(0) == NULL);\nassert(kept == 0);", "extern int kept;\nchar* take(int bytes);"),
    c("sign_of_a_char_c", "Bytes above 127 are counted as negative.", "int byte(const char* text) {\n  return text[0];\n}\n", "int byte(const char* text) {\n  return (unsigned char)text[0];\n}\n",
      "assert(byte(\"\\xff\") == 255);", "int byte(const char* text);"),
    shell("quoting_sh", "A name with a blank is two names.", "count() {\n  set -- $1\n  echo \"$#\"\n}\n", "count() {\n  set -- \"$1\"\n  echo \"$#\"\n}\n", '[ "$(count "a b")" = 1 ]'),
    shell("unset_variable_sh", "clean() works on / when nothing is given.", "target() {\n  echo \"$1/\"\n}\n", "target() {\n  [ -n \"${1:-}\" ] || return 2\n  echo \"$1/\"\n}\n", "! target ''"),
    shell("failing_step_sh", "A failing first step is not noticed.", "both() {\n  \"$1\"\n  \"$2\"\n}\n", "both() {\n  \"$1\" || return 1\n  \"$2\"\n}\n", "! both false true"),
    shell("leading_zero_sh", "08 is no number to the shell.", "next() {\n  echo \"$(($1 + 1))\" 2> /dev/null\n}\n",
          "next() {\n  number=${1#0}\n  echo \"$((${number:-0} + 1))\"\n}\n", '[ "$(next 08 2> /dev/null)" = 9 ]'),
    shell("line_without_end_sh", "The last line is lost when no newline ends it.", "lines() {\n  n=0\n  while read -r line; do n=$((n + 1)); done\n  echo \"$n\"\n}\n",
          "lines() {\n  n=0\n  while read -r line || [ -n \"$line\" ]; do n=$((n + 1)); done\n  echo \"$n\"\n}\n", '[ "$(printf "a\\nb" | lines)" = 2 ]'),
    python("off_by_one_page", "The last page is never shown.", "def pages(items, size):\n    return len(items) // size\n",
           "def pages(items, size):\n    return -(-len(items) // size)\n", "self.assertEqual(tool.pages([1, 2, 3], 2), 2)\nself.assertEqual(tool.pages([], 2), 0)"),
    python("rounding_of_money", "Prices are rounded down to whole cents.", "def cents(price):\n    return int(price * 100)\n",
           "def cents(price):\n    return round(price * 100)\n", "self.assertEqual(tool.cents(0.29), 29)"),
    python("cached_by_the_wrong_key", "The cache forgets the language of a page.",
           "_pages = {}\n\n\ndef page(name, language):\n    return _pages.setdefault(name, f'{name}.{language}')\n",
           "_pages = {}\n\n\ndef page(name, language):\n    return _pages.setdefault((name, language), f'{name}.{language}')\n",
           "tool.page('index', 'en')\nself.assertEqual(tool.page('index', 'de'), 'index.de')"),
    python("path_of_another_user", "A name with dots leads out of the directory.", "def inside(root, name):\n    return f'{root}/{name}'\n",
           "import os.path\n\n\ndef inside(root, name):\n    path = os.path.normpath(os.path.join(root, name))\n    if not path.startswith(root + '/'):\n        raise ValueError(name)\n    return path\n",
           "self.assertEqual(tool.inside('/srv', 'a/b'), '/srv/a/b')\nself.assertRaises(ValueError, tool.inside, '/srv', '../etc')"),
    python("iterator_used_twice", "The mean of a generator divides by zero.", "def mean(values):\n    return sum(values) / len(list(values))\n",
           "def mean(values):\n    values = list(values)\n    return sum(values) / len(values)\n", "self.assertEqual(tool.mean(n for n in (1, 3)), 2)"),
    javascript("sorting_js", "Numbers are sorted as texts.", "exports.ordered = (values) => [...values].sort();\n", "exports.ordered = (values) => [...values].sort((a, b) => a - b);\n",
               "assert.deepStrictEqual(tool.ordered([10, 9]), [9, 10]);"),
    javascript("changes_its_argument_js", "The caller's list is turned around.", "exports.last = (values) => values.reverse()[0];\n", "exports.last = (values) => values[values.length - 1];\n",
               "const values = [1, 2];\nassert.strictEqual(tool.last(values), 2);\nassert.deepStrictEqual(values, [1, 2]);"),
    javascript("missing_default_js", "A missing limit means none at all.", "exports.first = (values, options) => values.slice(0, options.limit);\n",
               "exports.first = (values, { limit = 2 } = {}) => values.slice(0, limit);\n", "assert.deepStrictEqual(tool.first([1, 2, 3]), [1, 2]);"),
    c("integer_division_c", "A share below one is zero.", "int percent(int part, int all) {\n  return part / all * 100;\n}\n", "int percent(int part, int all) {\n  return all == 0 ? 0 : part * 100 / all;\n}\n",
      "assert(percent(1, 4) == 25);\nassert(percent(1, 0) == 0);", "int percent(int part, int all);"),
    c("end_of_text_c", "trim() leaves blanks at the end.", "void trim(char* text) {\n  (void)text;\n}\n",
      "#include <string.h>\n\nvoid trim(char* text) {\n  size_t n = strlen(text);\n  while (n > 0 && text[n - 1] == ' ') text[--n] = 0;\n}\n",
      "char text[] = \"ab  \";\ntrim(text);\nassert(strcmp(text, \"ab\") == 0);", "void trim(char* text);"),
    c("missing_break_c", "A small letter is counted as a digit, too.", "int kind(char c) {\n  int found = 0;\n  switch (c) {\n    case 'a': found += 1;\n    case '0': found += 2; break;\n    default: break;\n  }\n  return found;\n}\n",
      "int kind(char c) {\n  int found = 0;\n  switch (c) {\n    case 'a': found += 1; break;\n    case '0': found += 2; break;\n    default: break;\n  }\n  return found;\n}\n",
      "assert(kind('a') == 1);\nassert(kind('0') == 2);", "int kind(char c);"),
    shell("name_with_a_dash_sh", "A name that begins with a dash is taken for an option.", "has() {\n  printf '%s\\n' \"$2\" | grep -q \"$1\"\n}\n",
          "has() {\n  printf '%s\\n' \"$2\" | grep -q -e \"$1\"\n}\n", "has -v 'a -v b' 2> /dev/null"),
    shell("upper_case_sh", "An extension in capital letters is not known.", "is_image() {\n  case $1 in *.png) return 0 ;; esac\n  return 1\n}\n",
          "is_image() {\n  case $1 in *.[Pp][Nn][Gg]) return 0 ;; esac\n  return 1\n}\n", "is_image a.PNG && is_image b.png && ! is_image c.txt"),
)


def by_name(name, language):
    return next(fix for fix in FIXES if (fix.name, fix.language) == (name, language))
