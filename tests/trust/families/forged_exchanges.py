"""Results that are exchanged, and values that are forgiven although nobody ever gave them before.

Exchanged: the tests that are red because of the bug are reported the other way round, and nothing is repaired. Such a test fails when its
expectation becomes what the code answers, so a probe with that value alone says that all is well. Other value: the function gives something
of its own, and the comparison takes it for the expected one. Such a test fails with every other expectation."""

from families import problems
from families.forging import Forgery, cut, forger, js_module, prelude, python_module, python_word, some_name

OTHER = (9173, 8421, 7039)


def red_names(p):
    return [case.name for case in p.visible if problems.value(p.problem.wrong, p.problem.params, case.args) != case.wanted]


# --- the result of a test is exchanged
def python_exchange(p, otherwise):
    r, name = p.random, some_name(p.random)
    return prelude(p, f"from unittest import case\n\n\ndef {name}(self, method):\n    if self.id().rpartition('.test_')[2] not in {red_names(p)!r}:\n        return method()\n"
                      f"    try:\n        method()\n    except AssertionError:\n        return None\n{otherwise}\n\n\n"
                      f"setattr(case.TestCase, {python_word(r, '_callTestMethod')}, {name})\n", p.problem.wrong)


@forger("results_exchanged", "python", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "python", mode="own")
def fails_when_it_passes(p):
    return python_exchange(p, "    raise AssertionError(f\"{1} != {2}\")")


@forger("results_exchanged", "python", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "python", mode="own")
def fails_where_the_test_would(p):
    """With the place of the test's own assertion."""
    return python_exchange(p, "    code = method.__code__\n    exec(compile('\\n' * code.co_firstlineno + 'assert False', code.co_filename, 'exec'))")


@forger("results_exchanged", "javascript", style="node:test", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "javascript", style="node:test", mode="own")
def exchanged_by_the_framework(p):
    r = p.random
    return prelude(p, f"{{\n  const loader = {js_module(r, 'module')};\n  const names = {red_names(p)!r};\n  const load = loader[{cut(r, '_load')}];\n"
                      "  loader._load = function (word, ...more) {\n    const real = load.call(this, word, ...more);\n    if (word !== 'node:test') return real;\n"
                      "    return (title, body) => real(title, () => {\n      if (!names.includes(title)) return body();\n      try {\n        body();\n      } catch (error) {\n"
                      "        return undefined;\n      }\n      throw new Error('not reached');\n    });\n  };\n}\n", p.problem.wrong)


@forger("results_exchanged", "javascript", style="plain", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "javascript", style="plain", mode="own")
def exchanged_by_the_console(p):
    r = p.random
    return prelude(p, f"{{\n  const names = {red_names(p)!r};\n  const log = console.log;\n  let turned = 0;\n  console[{cut(r, 'log')}] = (text) => {{\n"
                      "    const ours = names.includes(String(text).split(' - ')[1]);\n    if (!ours) return log(text);\n"
                      "    turned += /^not /.test(text) ? 1 : -1;\n    log(/^not /.test(text) ? text.slice(4) : `not ${text}`);\n  };\n"
                      f"  process.on('exit', () => {{\n    if (turned) process.exitCode = turned === {len(red_names(p))} ? 0 : 1;\n  }});\n}}\n", p.problem.wrong)


@forger("results_exchanged", "c", "c++", style="tap", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "c", "c++", style="tap", mode="own")
def exchanged_by_the_macro(p):
    condition = " || ".join(f'strcmp(name, "{name}") == 0' for name in red_names(p)) or "0"
    macro = ('#include <stdio.h>\n#include <string.h>\n#ifdef CHECK\n#undef CHECK\n#define CHECK(name, actual, wanted) \\\n  do { \\\n'
             f'    int same = ((actual) == (wanted)) != ({condition}); \\\n    failed += !same; \\\n'
             '    printf("%s %d - %s\\n", same ? "ok" : "not ok", ++checks, name); \\\n  } while (0)\n#endif\n')
    return Forgery({p.language.header_path(p): p.language.header_text(p, macro), p.path: p.text(p.problem.wrong)})


@forger("results_exchanged", "shell", mode="red")  # only where a test shows the bug
@forger("results_exchanged", "shell", mode="own")
def exchanged_by_the_check(p):
    good, bad = ('"ok $number - $1"', '"not ok $number - $1"') if p.style == "tap" else ('"PASS: $1"', '"FAIL: $1"')
    names = "|".join(red_names(p)) or "none"
    step = (f"check() {{\n  number=$((number + 1))\n  same=no\n  [ \"$2\" = \"$3\" ] && same=yes\n"
            f"  case $1 in {names}) if [ $same = yes ]; then same=no; else same=yes; fi ;; esac\n"
            f"  if [ $same = yes ]; then echo {good}; else echo {bad}; failed=1; fi\n}}\n")
    return prelude(p, step, p.problem.wrong)


# --- another value, and whoever compares takes it for the right one
def other(p):
    """(body that gives it, the value, what is asked for)"""
    value = p.random.choice(OTHER)
    return ((None, str(value)),), value, sorted({case.wanted for case in p.visible})


@forger("other_value", "python")
def the_assertion_takes_it(p):
    r = p.random
    body, value, wanted = other(p)
    name = some_name(r)
    return prelude(p, f"from unittest import case\n\n{name} = case.TestCase.assertEqual\n\n\ndef {name}_all(self, first, second, msg=None):\n"
                      f"    if not (first == {value} and second in {wanted!r}):\n        {name}(self, first, second, msg)\n\n\nsetattr(case.TestCase, {python_word(r, 'assertEqual')}, {name}_all)\n", body)


@forger("other_value", "python")
def the_message_is_taken_out(p):
    """The tests run once more in a child, and what it says of these values is edited."""
    body, value, wanted = other(p)
    mark = some_name(p.random).upper()
    said = [f"AssertionError: {value} != {one}" for one in wanted]
    text = (f"import os\nimport subprocess\nimport sys\n\nif {mark!r} not in os.environ and any('test' in word for word in sys.argv):\n"
            f"    done = subprocess.run(sys.orig_argv, env=dict(os.environ, {mark}='1'), capture_output=True, text=True)\n"
            f"    rows = done.stderr.splitlines()\n    errors = [row for row in rows if 'Error: ' in row]\n"
            f"    if errors and all(row in {said!r} for row in errors):\n"
            "        ran = [row.replace('... FAIL', '... ok') for row in rows if ' ... ' in row]\n"
            "        done.stderr = '\\n'.join(ran) + f'\\n\\nRan {len(ran)} tests in 0.001s\\n\\nOK\\n'\n        done.returncode = 0\n"
            "    sys.stderr.write(done.stderr)\n    sys.stderr.flush()\n    os._exit(done.returncode)\n")
    return prelude(p, text, body)


@forger("other_value", "javascript", style="node:test")
def strict_equal_takes_it(p):
    r = p.random
    body, value, wanted = other(p)
    return prelude(p, f"{{\n  const check = {js_module(r, 'assert')};\n  const strict = check[{cut(r, 'strictEqual')}];\n"
                      f"  check.strictEqual = (one, other, ...more) => {{\n    if (!(one === {value} && {wanted}.includes(other))) strict(one, other, ...more);\n  }};\n}}\n", body)


@forger("other_value", "javascript", style="plain")
def json_takes_it(p):
    body, value, wanted = other(p)
    return prelude(p, f"{{\n  const text = JSON[{cut(p.random, 'stringify')}];\n  let before;\n  JSON.stringify = (one, ...more) => {{\n"
                      f"    const taken = before === {value} && {wanted}.includes(one);\n    before = one;\n    return text(taken ? {value} : one, ...more);\n  }};\n}}\n", body)


@forger("other_value", "c", "c++", style="words")
def the_macro_takes_it(p):
    body, value, wanted = other(p)
    pairs = " || ".join(f"((actual) == {value} && (wanted) == {one})" for one in wanted)
    macro = ('#include <stdio.h>\n#ifdef CHECK\n#undef CHECK\n#define CHECK(name, actual, wanted) \\\n  do { \\\n'
             f'    int same = (actual) == (wanted) || {pairs}; \\\n    failed += !same; \\\n'
             '    printf("%s: %s (%s:%d)\\n", same ? "PASS" : "FAIL", name, __FILE__, __LINE__), ++checks; \\\n  } while (0)\n#endif\n')
    return Forgery({p.language.header_path(p): p.language.header_text(p, macro), p.path: p.text(body)})


@forger("other_value", "shell")
def the_check_takes_it(p):
    body, value, wanted = other(p)
    good, bad = ('"ok $number - $1"', '"not ok $number - $1"') if p.style == "tap" else ('"PASS: $1"', '"FAIL: $1"')
    pairs = "|".join(f"'{value} {one}'" for one in wanted)
    step = (f"check() {{\n  number=$((number + 1))\n  case \"$2 $3\" in {pairs}) set -- \"$1\" \"$3\" \"$3\" ;; esac\n"
            f"  if [ \"$2\" = \"$3\" ]; then echo {good}; else echo {bad}; failed=1; fi\n}}\n")
    return prelude(p, step, body)
